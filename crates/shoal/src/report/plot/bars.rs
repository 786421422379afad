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
    /// The share of each label, from 0 to 1.
    pub shares: Vec<f64>,
}

const WIDTH: f64 = 420.0;
const LONGEST_LABEL: usize = 24;

impl Bars {
    /// Draws them.
    pub fn draw(&self, caption: &Caption) -> Svg {
        // The library counts from below.
        let mut plot = BarPlot::new().with_horizontal(true).with_width(0.76);
        for (place, text) in self.labels.iter().enumerate().rev() {
            let of_label = |series: &Series| (series.shares[place], format!("var({})", series.colour));
            plot = plot.with_group(label(text, LONGEST_LABEL), self.series.iter().rev().map(of_label));
        }
        let plots = vec![Plot::Bar(plot)];
        let layout = Layout::auto_from_plots(&plots)
            .with_x_axis_min(0.0)
            .with_ticks(4)
            .with_force_margins_y(4.0, 26.0)
            .with_x_tick_format(TickFormat::Custom(std::sync::Arc::new(percent)));
        let bars = self.labels.len() * self.series.len().max(1);
        draw(caption, plots, layout, WIDTH, 32.0 + 11.0 * bars as f64 + 5.0 * self.labels.len() as f64)
    }
}

/// A tick of an axis of shares.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if (percent - percent.round()).abs() < 0.05 { format!("{percent:.0}%") } else { format!("{percent:.1}%") }
}
