//! Which of several releases is better in one respect without being worse in another?

use kuva::plot::LabelStyle;
use kuva::prelude::{Layout, LinePlot, Plot, ScatterPlot};

use super::svg::{Caption, Svg, draw, label};

/// Points in a plane and the line through those that none beats in both directions.
#[derive(Debug)]
pub struct Frontier {
    /// What lies to the right.
    pub x_label: String,
    /// What lies above.
    pub y_label: String,
    /// The points.
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

impl Frontier {
    /// Draws it.
    pub fn draw(&self, caption: &Caption) -> Svg {
        let place = |point: &&Point| (point.x, point.y);
        let (mut front, others): (Vec<&Point>, Vec<&Point>) =
            self.points.iter().partition(|point| point.is_on_frontier);
        front.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        let marks = |points: &[&Point], colour: &str| {
            ScatterPlot::new()
                .with_data(points.iter().map(place))
                .with_color(colour)
                .with_size(5.0)
                .with_labels((0..points.len()).map(|at| name(points, at)))
                .with_label_style(LabelStyle::Repel)
        };
        let mut plots = Vec::new();
        if front.len() > 1 {
            let line = LinePlot::new().with_data(front.iter().map(place)).with_color("var(--release)");
            plots.push(Plot::Line(line.with_stroke_width(1.5)));
        }
        if !others.is_empty() {
            plots.push(Plot::Scatter(marks(&others, "var(--original)")));
        }
        if !front.is_empty() {
            plots.push(Plot::Scatter(marks(&front, "var(--release)")));
        }
        let layout = Layout::auto_from_plots(&plots)
            .with_x_label(label(&self.x_label, 80))
            .with_y_label(label(&self.y_label, 60));
        draw(caption, plots, layout, WIDTH, HEIGHT)
    }
}

/// What stands beside a point. Those at the same place have one name together: several would hide each other.
fn name(points: &[&Point], at: usize) -> String {
    let is_here = |other: &&&Point| (other.x, other.y) == (points[at].x, points[at].y);
    let others = points.iter().filter(is_here).count() - 1;
    match others {
        _ if points[..at].iter().any(|other| is_here(&other)) => String::new(),
        0 => label(&points[at].label, 32),
        _ => format!("{} and {others} more", label(&points[at].label, 24)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_at_one_place_have_one_name() {
        let point = |label: &str, x| Point { label: label.to_owned(), x, y: 1.0, is_on_frontier: true };
        let points = [point("k = 2", 0.5), point("k = 5", 0.2), point("k = 3", 0.5), point("k = 4", 0.5)];
        let points: Vec<&Point> = points.iter().collect();
        let names: Vec<String> = (0..4).map(|at| name(&points, at)).collect();
        assert_eq!(names, ["k = 2 and 2 more", "k = 5", "", ""]);
    }
}
