//! Which points stand at one place of a plot, and what are they called together?

use super::frontier::Point;
use super::letters::{width, without_end};
use super::text::legible;

/// How wide a name may be.
const ROOM: f64 = 260.0;

/// Marks that are nearer to each other look like one.
const APART: f64 = 1.5;

/// The points at one place, which have one mark and one name together: several would hide each other.
#[derive(Debug)]
pub(super) struct Spot<'a> {
    pub(super) at: (f64, f64),
    pub(super) points: Vec<&'a Point>,
}

/// The places with points, from the left.
pub(super) fn spots<'a>(
    points: impl Iterator<Item = &'a Point>,
    place: impl Fn(&Point) -> (f64, f64),
) -> Vec<Spot<'a>> {
    let mut spots: Vec<Spot<'a>> = Vec::new();
    for point in points {
        let at = place(point);
        let is_here = |spot: &&mut Spot<'a>| (spot.at.0 - at.0).abs() < APART && (spot.at.1 - at.1).abs() < APART;
        match spots.iter_mut().find(is_here) {
            Some(spot) => spot.points.push(point),
            None => spots.push(Spot { at, points: vec![point] }),
        }
    }
    spots.sort_by(|a, b| a.at.0.total_cmp(&b.at.0).then(a.at.1.total_cmp(&b.at.1)));
    spots
}

impl Spot<'_> {
    pub(super) fn is_on_frontier(&self) -> bool {
        self.points.iter().any(|point| point.is_on_frontier)
    }

    /// What stands beside the mark.
    pub(super) fn name(&self) -> String {
        let first = legible(&self.points[0].label);
        match self.points.len() - 1 {
            0 => without_end(&first, ROOM).into_owned(),
            others => {
                let more = format!(" and {others} more");
                format!("{}{more}", without_end(&first, ROOM - width(&more)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(label: &str, x: f64) -> Point {
        Point { label: label.to_owned(), x, y: 1.0, is_on_frontier: label == "k = 2" }
    }

    #[test]
    fn points_at_one_place_have_one_name() {
        let points = [point("k = 2", 50.0), point("k = 5", 20.0), point("k = 3", 50.0), point("k = 4", 51.0)];
        let spots = spots(points.iter(), |point| (point.x, point.y));
        let found: Vec<(String, f64, bool)> =
            spots.iter().map(|spot| (spot.name(), spot.at.0, spot.is_on_frontier())).collect();
        assert_eq!(found, [("k = 5".to_owned(), 20.0, false), ("k = 2 and 2 more".to_owned(), 50.0, true)]);
    }

    #[test]
    fn what_is_cut_of_a_name_is_not_how_many_there_are() {
        let long = "m".repeat(80);
        let points = [point(&long, 1.0), point("x", 1.0)];
        let name = spots(points.iter(), |point| (point.x, point.y))[0].name();
        assert!(name.ends_with("m… and 1 more") && width(&name) <= ROOM, "{name}");
    }
}
