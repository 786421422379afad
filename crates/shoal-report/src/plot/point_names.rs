//! Where does the name of a point stand, so that it covers nothing?

use super::area::Area;
use super::text::LINE;

/// What stands on a plot already.
#[derive(Debug)]
pub(super) struct Crowd {
    /// Nothing leaves it.
    pub(super) area: Area,
    /// Marks and names.
    pub(super) taken: Vec<Area>,
    /// Lines from place to place.
    pub(super) lines: Vec<[(f64, f64); 2]>,
}

/// How far the mark of a point reaches, at most.
pub(super) const MARK: f64 = 5.5;

/// How far from the middle of its point a name is: as near as it can be. Farther ones are led to by a line.
const DISTANCES: [f64; 4] = [8.0, 16.0, 28.0, 44.0];
const NEAR: f64 = 10.0;

/// Between two names of one line.
const APART: f64 = 6.0;

/// To which side, the best first: above and to the right, where a line that falls does not come.
const SIDES: [(f64, f64); 8] =
    [(0.75, -0.75), (1.0, 0.0), (0.0, -1.0), (0.75, 0.75), (-0.75, 0.75), (-1.0, 0.0), (-0.75, -0.75), (0.0, 1.0)];

/// Where a name stands, and the line that leads to it.
#[derive(Debug, PartialEq)]
pub(super) struct Place {
    pub(super) area: Area,
    pub(super) leader: Option<[(f64, f64); 2]>,
}

impl Crowd {
    /// A place for each name: its point and its width. The nearest ones are given away first; none where there is no room.
    pub(super) fn places(&mut self, names: &[((f64, f64), f64)]) -> Vec<Option<Place>> {
        let mut places: Vec<Option<Place>> = names.iter().map(|_| None).collect();
        for distance in DISTANCES {
            for (place, &(point, width)) in places.iter_mut().zip(names).filter(|(place, _)| place.is_none()) {
                *place = self.place(point, width, distance);
            }
        }
        places
    }

    /// The best place for a name at this distance, which nothing takes from now on.
    fn place(&mut self, point: (f64, f64), width: f64, distance: f64) -> Option<Place> {
        let candidates = SIDES.map(|side| beside(point, width, distance, side));
        let place = candidates.into_iter().find(|place| self.has_room_for(place, point))?;
        self.taken.push(Area { left: place.area.left - APART, right: place.area.right + APART, ..place.area });
        self.lines.extend(place.leader);
        Some(place)
    }

    fn has_room_for(&self, Place { area, leader }: &Place, point: (f64, f64)) -> bool {
        // A leader starts at its own point, and has to pass all others.
        let is_other = |taken: &&Area| !taken.holds(&Area::around(point, 0.0));
        let is_led_through = |taken: &Area| leader.is_some_and(|[from, to]| taken.is_crossed(from, to));
        self.area.holds(area)
            && !self.taken.iter().any(|taken| taken.meets(area))
            && !self.lines.iter().any(|[from, to]| area.is_crossed(*from, *to))
            && !self.taken.iter().filter(is_other).any(is_led_through)
    }
}

/// The place at this distance from a point on this side.
fn beside((x, y): (f64, f64), width: f64, distance: f64, (right, down): (f64, f64)) -> Place {
    let away = |distance: f64| (x + right * distance, y + down * distance);
    let (from_x, from_y) = away(distance);
    // From its nearest corner, or from the middle of its nearest edge.
    let start = |from: f64, size: f64, side: f64| match side {
        _ if side > 0.0 => from,
        _ if side < 0.0 => from - size,
        _ => from - size / 2.0,
    };
    let (left, top) = (start(from_x, width, right), start(from_y, LINE, down));
    let area = Area { left, top, right: left + width, bottom: top + LINE };
    Place { area, leader: (distance > NEAR).then_some([away(MARK), (from_x, from_y)]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(points: &[(f64, f64)]) -> Crowd {
        let area = Area { left: 0.0, top: 0.0, right: 200.0, bottom: 100.0 };
        Crowd { area, taken: points.iter().map(|&point| Area::around(point, 5.0)).collect(), lines: Vec::new() }
    }

    #[test]
    fn a_name_stands_above_and_to_the_right_where_it_can() {
        let place = crowd(&[(50.0, 50.0)]).places(&[((50.0, 50.0), 40.0)]).remove(0).unwrap();
        assert_eq!(place.area, Area { left: 56.0, top: 30.0, right: 96.0, bottom: 44.0 });
        assert_eq!(place.leader, None);
        let at_edge = crowd(&[(190.0, 5.0)]).places(&[((190.0, 5.0), 40.0)]).remove(0).unwrap();
        assert_eq!((at_edge.area.right, at_edge.area.top), (184.0, 11.0), "to the left and below");
    }

    #[test]
    fn names_give_way_to_points_lines_and_each_other() {
        let points = [(50.0, 50.0), (70.0, 45.0)];
        let mut crowd = crowd(&points);
        crowd.lines.push([points[0], (50.0, 0.0)]);
        let places: Vec<Area> =
            crowd.places(&points.map(|point| (point, 30.0))).into_iter().map(|place| place.unwrap().area).collect();
        assert!(!places[0].meets(&places[1]));
        for (place, point) in places.iter().flat_map(|place| points.map(|point| (place, point))) {
            assert!(!place.meets(&Area::around(point, 5.0)), "{place:?} covers {point:?}");
        }
        assert!(places.iter().all(|place| !place.is_crossed(points[0], (50.0, 0.0))));
    }

    #[test]
    fn near_places_are_given_away_first() {
        let (first, second) = ((50.0, 50.0), (70.0, 44.0));
        let mut crowd = crowd(&[first, second]);
        // Something is in the way on every side of the first, nearby.
        let obstacles =
            [(81.0, 41.5), (81.0, 51.0), (41.0, 40.0), (81.0, 61.0), (21.0, 61.0), (21.0, 51.0), (41.0, 61.0)];
        crowd.taken.extend(obstacles.map(|place| Area::around(place, 1.0)));
        let places = crowd.places(&[(first, 30.0), (second, 30.0)]);
        let [Some(far), Some(near)] = &places[..] else { panic!("{places:?}") };
        assert_eq!(near.area, Area { left: 76.0, top: 24.0, right: 106.0, bottom: 38.0 });
        assert!(far.leader.is_some() && near.leader.is_none());
    }

    #[test]
    fn where_there_is_no_room_there_is_no_name() {
        assert_eq!(crowd(&[(50.0, 50.0)]).places(&[((50.0, 50.0), 201.0)]), [None]);
        let mut crowd = crowd(&[(100.0, 50.0)]);
        let named = crowd.places(&[((100.0, 50.0), 60.0); 60]).into_iter().flatten().count();
        assert!((4..20).contains(&named), "{named} names have room");
        let names = &crowd.taken[1..];
        assert!(names.iter().enumerate().all(|(at, name)| !names[..at].iter().any(|other| other.meets(name))));
    }
}
