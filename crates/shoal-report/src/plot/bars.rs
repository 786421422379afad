//! How often does each label occur, before and after?

use super::area::Area;
use super::axis::{Axis, GAP, base_line};
use super::band::Band;
use super::scale::Scale;
use super::svg::{Caption, Px, Svg};

/// Shares of labels in one or more tables, as bars from left to right.
#[derive(Debug)]
pub struct Bars {
    /// The labels, from top to bottom.
    pub labels: Vec<String>,
    /// The tables, from top to bottom within each label.
    pub series: Vec<Series>,
}

/// The bars of one colour.
#[derive(Debug)]
pub struct Series {
    /// The variable of the page that has its colour: `--release`.
    pub colour: &'static str,
    /// The share of each label, from 0 to 1; where it is not known exactly, the least that it can be.
    pub shares: Vec<f64>,
    /// Where it is not: the variable of the colour in which bars go on, and how far each may reach.
    pub at_most: Option<(&'static str, Vec<f64>)>,
}

const WIDTH: f64 = 420.0;
/// How high a bar is, and how far from the next one of its label and of another.
const BAR: f64 = 9.0;
const BETWEEN: f64 = 1.0;
const APART: f64 = 8.0;
/// How wide a label may be.
const ROOM: f64 = 150.0;
/// However little it is, what is more than nothing can be seen.
const LEAST: f64 = 1.5;

impl Bars {
    /// Draws them.
    pub fn to_svg(&self, caption: &Caption) -> Svg {
        let bottom = self.labels.len() as f64 * (self.height_of_label() + APART);
        let band = Band::new(self.labels.len(), 0.0, bottom);
        let labels = Axis::of_names(self.labels.iter().map(String::as_str), &band, ROOM);
        let scale = Scale::from_zero(self.most(), 0.0);
        let overhang = Axis::of_shares(&scale).overhang();
        let left = overhang.max(labels.width() + GAP);
        let area = Area { left, top: 0.0, right: WIDTH - overhang - 1.0, bottom };
        let scale = scale.over(area.left, area.right);
        let numbers = Axis::of_shares(&scale);
        let inside = [
            numbers.upright_lines(&area),
            self.bars(&scale, &band),
            base_line((area.left, area.top), (area.left, area.bottom)),
            labels.beside(&area),
            numbers.below(&area),
        ];
        Svg::new(caption, WIDTH, bottom + numbers.depth(), &inside.concat())
    }

    fn height_of_label(&self) -> f64 {
        let series = self.series.len().max(1) as f64;
        BAR * series + BETWEEN * (series - 1.0)
    }

    fn most(&self) -> f64 {
        let all = |series: &Series| {
            let at_most = series.at_most.as_ref().map_or(&[][..], |(_, shares)| shares);
            series.shares.iter().chain(at_most).copied().fold(0.0, f64::max)
        };
        self.series.iter().map(all).fold(0.0, f64::max)
    }

    fn bars(&self, scale: &Scale, band: &Band) -> String {
        let mut drawn = String::new();
        for (place, series) in self.series.iter().enumerate() {
            let top = place as f64 * (BAR + BETWEEN) - self.height_of_label() / 2.0;
            let of_colour = |colour: &str, shares: &[f64]| {
                let bars = shares.iter().take(self.labels.len()).enumerate();
                let bars = bars.map(|(label, &share)| bar(share, scale, band.middle(label) + top));
                format!("<g fill=\"var({colour})\">{}</g>", bars.collect::<String>())
            };
            // What lies behind is drawn first.
            if let Some((colour, shares)) = &series.at_most {
                drawn += &of_colour(colour, shares);
            }
            drawn += &of_colour(series.colour, &series.shares);
        }
        drawn
    }
}

fn bar(share: f64, scale: &Scale, top: f64) -> String {
    // No bar for nothing, nor for what is no number.
    if share.is_nan() || share <= 0.0 {
        return String::new();
    }
    let start = scale.at(0.0);
    let width = (scale.at(share) - start).max(LEAST);
    format!("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", Px(start), Px(top), Px(width), Px(BAR))
}

#[cfg(test)]
mod tests {
    use super::super::seen::Seen;
    use super::*;

    fn drawn(at_most: Option<Vec<f64>>) -> Seen {
        let original =
            Series { colour: "--original", shares: vec![0.25, 0.0], at_most: at_most.map(|most| ("--open", most)) };
        let release = Series { colour: "--release", shares: vec![0.4, 0.6], at_most: None };
        let bars = Bars { labels: vec!["a".to_owned(), "b".to_owned()], series: vec![original, release] };
        Seen::of(bars.to_svg(&Caption::new("x", "", "")).markup())
    }

    /// The widths of the bars of a colour.
    fn widths(seen: &Seen, colour: &str) -> Vec<f64> {
        seen.marks_of(colour).iter().map(|area| area.right - area.left).collect()
    }

    #[test]
    fn bars_are_as_long_as_shares() {
        let seen = drawn(None);
        // The label is 7.6 wide, so that bars begin at 13.6; 60% ends half its text, 13.4, and 1 before the edge.
        let whole = 420.0 - 13.6 - 14.5;
        let found: Vec<f64> = [widths(&seen, "--original"), widths(&seen, "--release")].concat();
        for (width, share) in found.iter().zip([0.25, 0.4, 0.6]) {
            assert!((width - whole * share / 0.6).abs() < 0.5, "{found:?}");
        }
        assert_eq!(found.len(), 3, "no bar for nothing");
        assert_eq!(seen.texts_below(), ["0%", "10%", "20%", "30%", "40%", "50%", "60%"]);
        let tops: Vec<f64> = seen.marks.iter().map(|(area, _)| area.top).collect();
        assert_eq!(tops, [4.0, 14.0, 41.0], "one label after another, the tables of each together");
    }

    #[test]
    fn what_is_not_known_exactly_goes_on_in_another_colour_behind() {
        let seen = drawn(Some(vec![0.5, 0.25]));
        let (open, least) = (widths(&seen, "--open"), widths(&seen, "--original"));
        assert!(
            (open[0] / open[1] - 2.0).abs() < 0.02 && (open[0] / least[0] - 2.0).abs() < 0.02,
            "{open:?} {least:?}"
        );
        assert_eq!(least.len(), 1);
        let colours: Vec<&str> = seen.marks.iter().map(|(_, colour)| colour.as_str()).collect();
        assert_eq!(colours[..3], ["--open", "--open", "--original"]);
        assert!(drawn(None).marks_of("--open").is_empty());
    }

    #[test]
    fn however_little_it_is_it_can_be_seen() {
        let series = Series { colour: "--release", shares: vec![0.9, 1e-6, f64::NAN, -1.0], at_most: None };
        let bars = Bars { labels: vec![String::new(); 4], series: vec![series] };
        let seen = Seen::of(bars.to_svg(&Caption::new("x", "", "")).markup());
        assert_eq!(widths(&seen, "--release")[1..], [1.5]);
    }
}
