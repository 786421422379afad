//! How many are there of each size?

use super::area::Area;
use super::axis::{Axis, GAP, base_line, title};
use super::band::Band;
use super::scale::Scale;
use super::svg::{Caption, Px, Svg};
use super::text::LINE;

/// Counts of neighbouring ranges, as bars side by side. The ranges may be of any width, which is why each has its name.
#[derive(Debug)]
pub struct Histogram {
    /// What the ranges are of.
    pub x_label: String,
    /// What is counted.
    pub y_label: String,
    /// The ranges, from left to right, and the count of each.
    pub bins: Vec<(String, u64)>,
    /// One that stands out.
    pub marked: Option<usize>,
}

const WIDTH: f64 = 480.0;
/// How high bars may be.
const HEIGHT: f64 = 180.0;
/// How much of its place a bar takes up, and how wide it is at most: a lone one would fill the plot.
const FILLED: f64 = 0.88;
const WIDEST: f64 = 72.0;
/// How wide the name of a range may be.
const ROOM: f64 = 110.0;
/// However few they are, some can be told from none.
const LEAST: f64 = 1.5;

impl Histogram {
    /// Draws it.
    pub fn to_svg(&self, caption: &Caption) -> Svg {
        let (top, right) = (2.0 * LINE, WIDTH - GAP);
        let bottom = top + HEIGHT;
        let most = self.bins.iter().map(|(_, count)| *count).max().unwrap_or(0);
        let scale = Scale::from_zero(most as f64, 1.0).over(bottom, top);
        let counts = Axis::of_numbers(&scale);
        // Slanted names may need more room to the left.
        let left = counts.width() + GAP;
        let left = left.max(self.names(&self.band(left, right)).least_left(right));
        let (area, band) = (Area { left, top, right, bottom }, self.band(left, right));
        let names = self.names(&band);
        let (first, below) = (left - GAP - counts.width(), bottom + names.depth() + LINE);
        let inside = [
            title((first, LINE - 3.0), "start", &self.y_label, right - first),
            counts.level_lines(&area),
            counts.beside(&area),
            self.bars(&scale, &band),
            base_line((area.left, area.bottom), (area.right, area.bottom)),
            names.below(&area),
            title((f64::midpoint(left, right), below), "middle", &self.x_label, right - left),
        ];
        Svg::new(caption, WIDTH, below + GAP, &inside.concat())
    }

    fn band(&self, left: f64, right: f64) -> Band {
        Band::new(self.bins.len(), left, right)
    }

    fn names(&self, band: &Band) -> Axis {
        Axis::of_names(self.bins.iter().map(|(name, _)| name.as_str()), band, ROOM).slanted_if_crowded(band.step())
    }

    fn bars(&self, scale: &Scale, band: &Band) -> String {
        let (width, bottom) = ((band.step() * FILLED).min(WIDEST), scale.at(0.0));
        let bar = |(place, (_, count)): (usize, &(String, u64))| {
            if *count == 0 {
                return String::new();
            }
            let colour = match self.marked {
                Some(marked) if marked != place => "--original",
                _ => "--release",
            };
            let top = scale.at(*count as f64).min(bottom - LEAST);
            let [x, y, width, height] = [band.middle(place) - width / 2.0, top, width, bottom - top].map(Px);
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"var({colour})\"/>")
        };
        self.bins.iter().enumerate().map(bar).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::seen::Seen;
    use super::*;

    fn drawn(bins: &[(&str, u64)], marked: Option<usize>) -> Seen {
        let bins = bins.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        let histogram = Histogram { x_label: "size".into(), y_label: "records".into(), bins, marked };
        Seen::of(histogram.to_svg(&Caption::new("x", "", "")).markup())
    }

    #[test]
    fn bars_are_as_high_as_counts() {
        let seen = drawn(&[("1", 30), ("2–5", 60), ("6–9", 0), ("10–19", 15)], None);
        let heights: Vec<f64> = seen.marks.iter().map(|(area, _)| area.bottom - area.top).collect();
        // The axis ends at 60, which is all 180 pixels.
        assert_eq!(heights, [90.0, 180.0, 45.0]);
        assert!(seen.slanted.is_empty());
        assert!(seen.says("60") && seen.says("records") && seen.says("10–19"));
    }

    #[test]
    fn one_bar_stands_out() {
        let seen = drawn(&[("1", 1), ("2", 2), ("3", 3)], Some(1));
        assert_eq!((seen.marks_of("--release").len(), seen.marks_of("--original").len()), (1, 2));
        assert_eq!(drawn(&[("1", 1), ("2", 2)], None).marks_of("--release").len(), 2);
    }

    #[test]
    fn some_can_be_told_from_none() {
        let seen = drawn(&[("1", 1_000_000), ("2", 1), ("3", 0)], None);
        let heights: Vec<f64> = seen.marks.iter().map(|(area, _)| area.bottom - area.top).collect();
        assert_eq!(heights, [180.0, 1.5]);
    }

    #[test]
    fn long_names_are_slanted_and_short_ones_level() {
        let name = |at: u64| format!("{},000–{},999", 100 + at, 100 + at);
        let bins: Vec<(String, u64)> = (0..9).map(|at| (name(at), at)).collect();
        let histogram = Histogram { x_label: String::new(), y_label: String::new(), bins, marked: None };
        assert_eq!(Seen::of(histogram.to_svg(&Caption::new("x", "", "")).markup()).slanted.len(), 9);
    }
}
