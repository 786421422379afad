//! Which of several releases is better in one respect without being worse in another?

use super::area::Area;
use super::axis::{Axis, GAP, base_line, title};
use super::letters::width;
use super::point_names::{Crowd, MARK, Place};
use super::scale::Scale;
use super::spot::{Spot, spots};
use super::svg::{Caption, Px, Svg};
use super::text::{BASELINE, LINE, Text, escaped, legible};
use shoal_core::words::number;

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
const ON_FRONTIER: &str = "on the frontier";
const BEATEN: &str = "beaten by another";

impl Frontier {
    /// Draws it.
    pub fn to_svg(&self, caption: &Caption) -> Svg {
        let (top, bottom) = (2.0 * LINE, HEIGHT - 2.0 * (LINE + GAP));
        let y = Scale::around(self.known().map(|point| point.y)).over(bottom - INSET, top + INSET);
        let beside = Axis::of_numbers(&y);
        let x = Scale::around(self.known().map(|point| point.x));
        let overhang = Axis::of_numbers(&x).overhang().max(GAP);
        let area = Area { left: overhang.max(beside.width() + GAP), top, right: WIDTH - overhang, bottom };
        let x = x.over(area.left + INSET, area.right - INSET);
        let below = Axis::of_numbers(&x);
        let spots = spots(self.known(), |point| (x.at(point.x), y.at(point.y)));
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
            self.marks(spots, &area),
        ];
        Svg::new(caption, WIDTH, HEIGHT, &inside.concat())
    }

    /// The points that have a place.
    fn known(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite())
    }

    /// The line, the marks and their names.
    fn marks(&self, spots: Vec<Spot<'_>>, area: &Area) -> String {
        let (front, beaten): (Vec<Spot<'_>>, Vec<Spot<'_>>) = spots.into_iter().partition(Spot::is_on_frontier);
        let mut crowd = Crowd {
            area: *area,
            taken: front.iter().chain(&beaten).map(|spot| Area::around(spot.at, MARK)).collect(),
            lines: front.windows(2).map(|pair| [pair[0].at, pair[1].at]).collect(),
        };
        let line: String = crowd.lines.iter().map(|ends| stroke(*ends, "--release", 1.5)).collect();
        let circles =
            |spots: &[Spot<'_>]| -> String { spots.iter().map(|spot| circle(spot.at, &self.told(spot))).collect() };
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
        let told = |point: &&Point| {
            format!("{}: {} {}, {} {}", point.label, self.x_label, number(point.x), self.y_label, number(point.y))
        };
        spot.points.iter().map(told).collect::<Vec<String>>().join("; ")
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
fn names(spots: &[Spot<'_>], crowd: &mut Crowd) -> String {
    let texts: Vec<Text> = spots.iter().map(|spot| Text::whole(&spot.name())).collect();
    let wanted: Vec<_> = spots.iter().zip(&texts).map(|(spot, text)| (spot.at, text.width())).collect();
    let (mut leaders, mut names) = (String::new(), String::new());
    for (place, text) in crowd.places(&wanted).iter().zip(&texts) {
        let Some(Place { area, leader }) = place else { continue };
        leaders.extend(leader.map(|ends| stroke(ends, "--original", 0.75)));
        names += &text.level(area.left, f64::midpoint(area.top, area.bottom) + BASELINE);
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
    let total = 2.0 * gap + width(ON_FRONTIER) + between + width(BEATEN);
    let (first, y) = (area.right - total, LINE / 2.0);
    let second = first + gap + width(ON_FRONTIER) + between;
    let dot = |x: f64| format!("cx=\"{}\" cy=\"{}\" r=\"{}\"", Px(x + RADIUS), Px(y), Px(RADIUS));
    let legend = format!(
        "<circle {} fill=\"var(--release)\"/><circle {} fill=\"var(--paper)\" stroke=\"var(--original)\" \
         stroke-width=\"1.5\"/><g fill=\"var(--soft)\">{}{}</g>",
        dot(first),
        dot(second),
        Text::whole(ON_FRONTIER).level(first + gap, y + BASELINE),
        Text::whole(BEATEN).level(second + gap, y + BASELINE),
    );
    (total, legend)
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
        let svg = drawn(&[("k = 2", 0.5, 1.0, true), ("k = 5", 0.2, 1.0, true), ("k = 3", 0.5, 1.0, true)]);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("<title>k = 2: risk 0.5, loss 1; k = 3: risk 0.5, loss 1</title>"));
        assert!(Seen::of(&svg).says("k = 2 and 1 more"));
        // Less than a pixel of some 700 is between the first two.
        let near = [("a", 0.5, 1.0, true), ("b", 0.5001, 1.0, true), ("c", 0.2, 2.0, true)];
        assert_eq!(drawn(&near).matches("<circle").count(), 2);
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
