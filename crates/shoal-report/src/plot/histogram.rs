//! How many are there of each size?

use kuva::prelude::{BarPlot, Layout, Plot, TickFormat};

use super::svg::{Caption, Svg, draw, label};
use crate::number;

/// Counts of neighbouring ranges, as bars side by side. The ranges may be of any width, which is why each has its name.
#[derive(Debug)]
pub struct Histogram {
    /// What the ranges are of.
    pub x_label: String,
    /// What is counted.
    pub y_label: String,
    /// The ranges, from left to right, and the count of each.
    pub bins: Vec<(String, f64)>,
    /// One that stands out.
    pub marked: Option<usize>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;

impl Histogram {
    /// Draws it.
    pub fn draw(&self, caption: &Caption) -> Svg {
        let colour = |place: usize| match self.marked {
            Some(marked) if marked != place => "var(--original)",
            _ => "var(--release)",
        };
        let bar = |(place, (name, count)): (usize, &(String, f64))| (label(name, 16), *count, colour(place));
        let bars = BarPlot::new().with_colored_bars(self.bins.iter().enumerate().map(bar)).with_width(0.92);
        let plots = vec![Plot::Bar(bars)];
        let mut layout = Layout::auto_from_plots(&plots)
            .with_x_label(label(&self.x_label, 80))
            .with_y_label(label(&self.y_label, 40))
            .with_y_axis_min(0.0)
            .with_ticks(4)
            .with_y_tick_format(TickFormat::Custom(std::sync::Arc::new(number)));
        if self.bins.len() > 9 {
            layout = layout.with_x_tick_rotate(-40.0);
        }
        draw(caption, plots, layout, WIDTH, HEIGHT)
    }
}
