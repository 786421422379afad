//! How often does each label occur, before and after?

use kuva::prelude::{BarPlot, Layout, Plot, TickFormat};

use super::svg::{Caption, Svg, draw, label};

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
const LONGEST_LABEL: usize = 24;

impl Bars {
    /// Draws them.
    pub fn draw(&self, caption: &Caption) -> Svg {
        // What lies behind is drawn first.
        let mut plots = Vec::new();
        if self.series.iter().any(|series| series.at_most.is_some()) {
            plots.push(
                self.plot(|series| series.at_most.as_ref().map_or((series.colour, &series.shares), |(c, s)| (*c, s))),
            );
        }
        plots.push(self.plot(|series| (series.colour, &series.shares)));
        let layout = Layout::auto_from_plots(&plots)
            .with_x_axis_min(0.0)
            .with_ticks(4)
            .with_force_margins_y(4.0, 26.0)
            .with_x_tick_format(TickFormat::Custom(std::sync::Arc::new(percent)));
        let bars = self.labels.len() * self.series.len().max(1);
        draw(caption, plots, layout, WIDTH, 32.0 + 11.0 * bars as f64 + 5.0 * self.labels.len() as f64)
    }

    /// Bars of these colours and lengths for all series.
    fn plot<'a>(&'a self, bars_of: impl Fn(&'a Series) -> (&'static str, &'a Vec<f64>)) -> Plot {
        // The library counts from below.
        let mut plot = BarPlot::new().with_horizontal(true).with_width(0.76);
        for (place, text) in self.labels.iter().enumerate().rev() {
            let of_label = |series: &'a Series| {
                let (colour, lengths) = bars_of(series);
                (lengths[place], format!("var({colour})"))
            };
            plot = plot.with_group(label(text, LONGEST_LABEL), self.series.iter().rev().map(of_label));
        }
        Plot::Bar(plot)
    }
}

/// A tick of an axis of shares.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if (percent - percent.round()).abs() < 0.05 { format!("{percent:.0}%") } else { format!("{percent:.1}%") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(at_most: Option<Vec<f64>>) -> String {
        let original =
            Series { colour: "--original", shares: vec![0.25, 0.0], at_most: at_most.map(|most| ("--open", most)) };
        let release = Series { colour: "--release", shares: vec![0.4, 0.6], at_most: None };
        let bars = Bars { labels: vec!["a".to_owned(), "b".to_owned()], series: vec![original, release] };
        bars.draw(&Caption::new("x", "", "")).markup().to_owned()
    }

    /// The widths of the bars of a colour.
    fn widths(svg: &str, colour: &str) -> Vec<f64> {
        let width = |rect: &str| rect.split("width=\"").nth(1)?.split('"').next()?.parse().ok();
        svg.split("<rect").filter(|rect| rect.contains(&format!("var({colour})"))).filter_map(width).collect()
    }

    #[test]
    fn what_is_not_known_exactly_goes_on_in_another_colour_behind() {
        let svg = drawn(Some(vec![0.5, 0.25]));
        let (open, least) = (widths(&svg, "--open"), widths(&svg, "--original"));
        // From below: b may have a quarter, a has a quarter and may have half.
        assert!(
            (open[1] / open[0] - 2.0).abs() < 0.02 && (open[1] / least[1] - 2.0).abs() < 0.02,
            "{open:?} {least:?}"
        );
        assert_eq!(least[0], 0.0);
        assert!(svg.find("--open") < svg.find("--original"));
        assert!(!drawn(None).contains("--open"));
    }
}
