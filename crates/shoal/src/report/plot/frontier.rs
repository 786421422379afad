//! Which of several releases is better in one respect without being worse in another?

use super::area::Area;
use super::axis::{Axis, GAP, base_line, title};
use super::point_names::{Crowd, MARK, Place};
use super::scale::Scale;
use super::svg::{Caption, Px, Svg};
use super::text::{self, BASELINE, LINE, escaped, legible};
use crate::words::number;

/// Points in a plane and the line through those that none beats in both directions.
#[derive(Debug)]
pub struct Frontier {
    /// What lies to the right.
    pub x_label: String,
    /// What lies above.
    pub y_label: String,
    /// The points; what is not a number has no place.
    pub points: Vec<Point>,
}

/// One of them.
#[derive(Debug, Clone)]
pub struct Point {
    /// Its name.
    pub label: String,
    /// How far to the right it lies.
    pub x: f64,
    /// How far above.
    pub y: f64,
    /// Does none beat it? The line goes through it.
    pub is_on_frontier: bool,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const RADIUS: f64 = 4.5;
/// From the edge of the plot to the first and the last number, so that no mark leaves it.
const INSET: f64 = 10.0;
/// How wide a name may be.
const ROOM: f64 = 260.0;
const ON_FRONTIER: &str = "on the frontier";
const BEATEN: &str = "beaten by another";

/// The points at one place, which have one mark and one name together: several would hide each other.
struct Spot<'a> {
    value: (f64, f64),
    points: Vec<&'a Point>,
}

/// Such a place, and where it is drawn.
type Placed<'a> = (&'a Spot<'a>, (f64, f64));

impl Frontier {
    /// Draws it.
    pub fn to_svg(&self, caption: &Caption) -> Svg {
        let spots = self.spots();
        let (top, bottom) = (2.0 * LINE, HEIGHT - 2.0 * (LINE + GAP));
        let y = Scale::around(spots.iter().map(|spot| spot.value.1)).over(bottom - INSET, top + INSET);
        let beside = Axis::of_numbers(&y, number);
        let x = Scale::around(spots.iter().map(|spot| spot.value.0));
        let overhang = Axis::of_numbers(&x, number).overhang().max(GAP);
        let area = Area { left: overhang.max(beside.width() + GAP), top, right: WIDTH - overhang, bottom };
        let x = x.over(area.left + INSET, area.right - INSET);
        let below = Axis::of_numbers(&x, number);
        let has_beaten = spots.iter().any(|spot| !spot.is_on_frontier());
        let (width, legend) = if has_beaten { legend(&area) } else { (0.0, String::new()) };
        let (first, middle) = (area.left - GAP - beside.width(), f64::midpoint(area.left, area.right));
        let inside = [
            title((first, LINE - 3.0), "start", &named(&self.y_label, &y), area.right - width - 2.0 * GAP - first),
            legend,
            below.upright_lines(&area),
            beside.level_lines(&area),
            base_line((area.left, area.top), (area.left, area.bottom)),
            base_line((area.left, area.bottom), (area.right, area.bottom)),
            beside.beside(&area),
            below.below(&area),
            title((middle, HEIGHT - GAP), "middle", &named(&self.x_label, &x), area.right - area.left),
            self.marks(&spots, &area, |(of_x, of_y)| (x.at(of_x), y.at(of_y))),
        ];
        Svg::new(caption, WIDTH, HEIGHT, &inside.concat())
    }

    /// The places with points, from the left.
    fn spots(&self) -> Vec<Spot<'_>> {
        let mut spots: Vec<Spot<'_>> = Vec::new();
        for point in self.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite()) {
            let value = (point.x, point.y);
            match spots.iter_mut().find(|spot| spot.value == value) {
                Some(spot) => spot.points.push(point),
                None => spots.push(Spot { value, points: vec![point] }),
            }
        }
        spots.sort_by(|a, b| a.value.0.total_cmp(&b.value.0).then(a.value.1.total_cmp(&b.value.1)));
        spots
    }

    /// The line, the marks and their names.
    fn marks(&self, spots: &[Spot<'_>], area: &Area, place: impl Fn((f64, f64)) -> (f64, f64)) -> String {
        let placed = spots.iter().map(|spot| (spot, place(spot.value)));
        let (front, beaten): (Vec<Placed<'_>>, Vec<Placed<'_>>) = placed.partition(|(spot, _)| spot.is_on_frontier());
        let mut crowd = Crowd {
            area: *area,
            taken: front.iter().chain(&beaten).map(|(_, at)| Area::around(*at, MARK)).collect(),
            lines: front.windows(2).map(|pair| [pair[0].1, pair[1].1]).collect(),
        };
        let line: String = crowd.lines.iter().map(|ends| stroke(*ends, "--release", 1.5)).collect();
        let circles =
            |spots: &[Placed<'_>]| -> String { spots.iter().map(|(spot, at)| circle(*at, &self.told(spot))).collect() };
        // Not by colour alone: what is beaten is hollow. Those on the frontier find places for their names first.
        format!(
            "{line}<g fill=\"var(--paper)\" stroke=\"var(--original)\" stroke-width=\"1.5\">{}</g>\
             <g fill=\"var(--release)\">{}</g>{}{}",
            circles(&beaten),
            circles(&front),
            names(&front, &mut crowd),
            names(&beaten, &mut crowd),
        )
    }

    /// What whoever points at a mark is told.
    fn told(&self, spot: &Spot<'_>) -> String {
        let names: Vec<&str> = spot.points.iter().map(|point| point.label.as_str()).collect();
        let (x, y) = (number(spot.value.0), number(spot.value.1));
        format!("{}: {} {x}, {} {y}", names.join("; "), self.x_label, self.y_label)
    }
}

impl Spot<'_> {
    fn is_on_frontier(&self) -> bool {
        self.points.iter().any(|point| point.is_on_frontier)
    }

    /// What stands beside the mark.
    fn name(&self) -> String {
        let first = legible(&self.points[0].label);
        match self.points.len() - 1 {
            0 => text::shortened(&first, ROOM).into_owned(),
            others => {
                let more = format!(" and {others} more");
                format!("{}{more}", text::shortened(&first, ROOM - text::width(&more)))
            }
        }
    }
}

/// What an axis is about, and where it is not what readers expect.
fn named(label: &str, scale: &Scale) -> String {
    format!("{label}{}", if scale.is_logarithmic() { " (logarithmic scale)" } else { "" })
}

fn circle((x, y): (f64, f64), told: &str) -> String {
    let [x, y, radius] = [x, y, RADIUS].map(Px);
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"><title>{}</title></circle>", escaped(&legible(told)))
}

/// The names that have room, and the lines that lead to those farther away.
fn names(spots: &[Placed<'_>], crowd: &mut Crowd) -> String {
    let texts: Vec<String> = spots.iter().map(|(spot, _)| spot.name()).collect();
    let wanted: Vec<_> = spots.iter().zip(&texts).map(|((_, at), text)| (*at, text::width(text))).collect();
    let (mut leaders, mut names) = (String::new(), String::new());
    for (place, text) in crowd.places(&wanted).iter().zip(&texts) {
        let Some(Place { area, leader }) = place else { continue };
        leaders.extend(leader.map(|ends| stroke(ends, "--original", 0.75)));
        names += &text::level(area.left, f64::midpoint(area.top, area.bottom) + BASELINE, text, f64::INFINITY);
    }
    // A rim keeps the lines of the grid away from letters.
    format!("{leaders}<g stroke=\"var(--paper)\" stroke-width=\"3\" paint-order=\"stroke\">{names}</g>")
}

fn stroke([from, to]: [(f64, f64); 2], colour: &str, width: f64) -> String {
    let [x, y, to_x, to_y] = [from.0, from.1, to.0, to.1].map(Px);
    format!("<path d=\"M{x} {y}L{to_x} {to_y}\" stroke=\"var({colour})\" stroke-width=\"{width}\"/>")
}

/// What the marks mean, above the plot to the right, and how wide that is.
fn legend(area: &Area) -> (f64, String) {
    let (gap, between) = (2.0 * RADIUS + 4.0, 16.0);
    let width = 2.0 * gap + text::width(ON_FRONTIER) + between + text::width(BEATEN);
    let (first, y) = (area.right - width, LINE / 2.0);
    let second = first + gap + text::width(ON_FRONTIER) + between;
    let dot = |x: f64| format!("cx=\"{}\" cy=\"{}\" r=\"{}\"", Px(x + RADIUS), Px(y), Px(RADIUS));
    let legend = format!(
        "<circle {} fill=\"var(--release)\"/><circle {} fill=\"var(--paper)\" stroke=\"var(--original)\" \
         stroke-width=\"1.5\"/><g fill=\"var(--soft)\">{}{}</g>",
        dot(first),
        dot(second),
        text::level(first + gap, y + BASELINE, ON_FRONTIER, f64::INFINITY),
        text::level(second + gap, y + BASELINE, BEATEN, f64::INFINITY),
    );
    (width, legend)
}

#[cfg(test)]
mod tests {
    use super::super::seen::Seen;
    use super::*;

    fn frontier(points: &[(&str, f64, f64, bool)]) -> Frontier {
        let point = |&(label, x, y, is_on_frontier): &(&str, f64, f64, bool)| Point {
            label: label.into(),
            x,
            y,
            is_on_frontier,
        };
        let points = points.iter().map(point).collect();
        Frontier { x_label: "risk".into(), y_label: "loss".into(), points }
    }

    fn drawn(points: &[(&str, f64, f64, bool)]) -> String {
        frontier(points).to_svg(&Caption::new("x", "", "")).markup().to_owned()
    }

    #[test]
    fn points_at_one_place_have_one_mark_and_one_name() {
        let points = [
            ("k = 2", 0.5, 1.0, true),
            ("k = 5", 0.2, 1.0, true),
            ("k = 3", 0.5, 1.0, true),
            ("k = 4", 0.5, 1.0, true),
        ];
        let names: Vec<String> = frontier(&points).spots().iter().map(Spot::name).collect();
        assert_eq!(names, ["k = 5", "k = 2 and 2 more"]);
        let svg = drawn(&points);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("<title>k = 2; k = 3; k = 4: risk 0.5, loss 1</title>"));
    }

    #[test]
    fn marks_are_where_their_numbers_are() {
        let seen = Seen::of(&drawn(&[("a", 0.1, 0.5, true), ("b", 0.2, 0.45, true), ("c", 0.3, 0.6, false)]));
        let middle = |area: &Area| (f64::midpoint(area.left, area.right), f64::midpoint(area.top, area.bottom));
        let of_front: Vec<(f64, f64)> = seen.marks_of("--release").iter().map(middle).collect();
        // The first mark is the legend's. Between the ticks 0.1 and 0.3 there is nothing but 0.2.
        let (ax, bx) = (of_front[1].0, of_front[2].0);
        let (cx, cy) = middle(&seen.marks_of("--paper")[1]);
        assert!((bx - f64::midpoint(ax, cx)).abs() < 0.2, "{ax} {bx} {cx}");
        assert!(cy < of_front[1].1 && of_front[1].1 < of_front[2].1, "more is above");
        assert!(seen.says("on the frontier") && seen.says("a") && seen.says("b") && seen.says("c"));
    }

    #[test]
    fn a_logarithmic_scale_says_so() {
        assert!(drawn(&[("a", 0.001, 1.0, true), ("b", 0.5, 0.5, true)]).contains(">risk (logarithmic scale)<"));
        assert!(!drawn(&[("a", 0.1, 1.0, true), ("b", 0.5, 0.5, true)]).contains("logarithmic"));
    }

    #[test]
    fn what_is_no_number_has_no_place() {
        let svg = drawn(&[("a", f64::NAN, 1.0, true), ("b", 0.5, f64::INFINITY, false)]);
        assert!(!svg.contains("<circle") && !svg.contains("NaN"));
    }
}
