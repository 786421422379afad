//! Which two of several columns belong together?

use std::sync::Arc;

use kuva::prelude::{ColorMap, Heatmap, Layout, Plot};

use super::svg::{Caption, Svg, draw, label};

/// Numbers from 0 to 1 for each two of some columns.
#[derive(Debug)]
pub struct HeatMap {
    /// The columns.
    pub columns: Vec<String>,
    /// `[row][column]`, from top to bottom; what is not known is not a number.
    pub values: Vec<Vec<f64>>,
}

const LONGEST_LABEL: usize = 16;
/// How many shades the page has above none.
const SHADES: f64 = 10.0;

impl HeatMap {
    /// Draws it.
    pub fn draw(&self, caption: &Caption) -> Svg {
        let known = |value: f64| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
        let rows: Vec<Vec<f64>> =
            self.values.iter().rev().map(|row| row.iter().map(|&value| known(value)).collect()).collect();
        let all = || rows.iter().flatten().copied();
        // The library stretches what there is to all its colours; two maps have to mean the same by them.
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let shade = move |stretched: f64| {
            let value = least + stretched * (most - least);
            format!("var(--heat-{})", (value * SHADES).round().clamp(0.0, SHADES))
        };
        let labels: Vec<String> = self.columns.iter().map(|name| label(name, LONGEST_LABEL)).collect();
        let plot = Heatmap::new()
            .with_data(rows)
            .with_color_map(ColorMap::Custom(Arc::new(shade)))
            .with_cell_size(0.96)
            .with_values();
        let plots = vec![Plot::Heatmap(plot)];
        let mut layout = Layout::auto_from_plots(&plots)
            .with_x_categories(labels.clone())
            .with_y_categories(labels.into_iter().rev().collect())
            .with_x_tick_rotate(-40.0)
            .with_show_grid(false);
        layout.show_colorbar = false;
        let side = 150.0 + 34.0 * self.columns.len() as f64;
        draw(caption, plots, layout, side.max(300.0), side.max(300.0) - 40.0)
    }
}
