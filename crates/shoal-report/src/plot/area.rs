//! What is where on a drawing, and does it meet anything else?

/// A rectangle; down is positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    /// The one around a place that reaches as far in every direction.
    pub(super) fn around((x, y): (f64, f64), reach: f64) -> Self {
        Self { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }
    }

    /// Is another one within it?
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.left <= other.left && other.right <= self.right && self.top <= other.top && other.bottom <= self.bottom
    }

    /// Do two of them have more in common than an edge?
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    /// Does a line between two places lead through it?
    pub(super) fn is_crossed(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        // The part of the line, from 0 to 1, that lies on the inner side of every edge.
        let edges = [
            (-across, from.0 - self.left),
            (across, self.right - from.0),
            (-down, from.1 - self.top),
            (down, self.bottom - from.1),
        ];
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for (speed, distance) in edges {
            match speed {
                _ if speed < 0.0 => enters = enters.max(distance / speed),
                _ if speed > 0.0 => leaves = leaves.min(distance / speed),
                _ if distance <= 0.0 => return false,
                _ => {}
            }
        }
        enters < leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Area = Area { left: 10.0, top: 20.0, right: 30.0, bottom: 40.0 };

    #[test]
    fn areas_hold_and_meet_each_other() {
        assert!(BOX.holds(&BOX) && BOX.meets(&BOX));
        assert!(BOX.meets(&Area::around((30.0, 40.0), 1.0)) && !BOX.holds(&Area::around((30.0, 40.0), 1.0)));
        assert!(!BOX.meets(&Area::around((32.0, 30.0), 2.0)), "an edge is not enough");
    }

    #[test]
    fn a_line_crosses_what_it_leads_through() {
        assert!(BOX.is_crossed((0.0, 30.0), (100.0, 30.0)), "from side to side");
        assert!(BOX.is_crossed((0.0, 10.0), (100.0, 110.0)), "aslant, through a corner region");
        assert!(BOX.is_crossed((15.0, 25.0), (16.0, 26.0)), "inside");
        assert!(!BOX.is_crossed((0.0, 30.0), (9.0, 30.0)), "it ends before");
        assert!(!BOX.is_crossed((0.0, 41.0), (100.0, 41.0)), "it passes below");
        assert!(!BOX.is_crossed((0.0, 35.0), (20.0, 55.0)), "it passes the corner");
        assert!(!BOX.is_crossed((0.0, 0.0), (0.0, 0.0)));
    }
}
