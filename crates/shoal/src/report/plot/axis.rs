//! What is written beside a plot and below it, so that no text covers another?

use super::area::Area;
use super::band::Band;
use super::scale::Scale;
use super::svg::Px;
use super::text::{self, BASELINE, LINE, SLANT};

/// Between a plot and what is written beside it.
pub(super) const GAP: f64 = 6.0;

/// Between two texts of a line.
const SPACE: f64 = 8.0;

/// Texts along an edge of a plot, each at its place.
#[derive(Debug)]
pub(super) struct Axis {
    ticks: Vec<(f64, String)>,
    /// No text is wider.
    room: f64,
    colour: &'static str,
    is_slanted: bool,
}

impl Axis {
    /// The round numbers of a scale.
    pub(super) fn of_numbers(scale: &Scale, text: impl Fn(f64) -> String) -> Self {
        let ticks = scale.ticks().into_iter().map(|tick| (scale.at(tick), text(tick))).collect();
        Self { ticks, room: f64::INFINITY, colour: "--soft", is_slanted: false }
    }

    /// The names of all that stand in a band, none wider than there is room.
    pub(super) fn of_names<'a>(names: impl Iterator<Item = &'a str>, band: &Band, room: f64) -> Self {
        let tick = |(at, name): (usize, &str)| (band.middle(at), text::legible(name).into_owned());
        Self { ticks: names.enumerate().map(tick).collect(), room, colour: "--ink", is_slanted: false }
    }

    /// The same, leading up from below and from the left if more of them have room that way.
    pub(super) fn slanted_if_crowded(self, place: f64) -> Self {
        let leaves_its_place = self.width() > place + 2.0 * GAP;
        let is_slanted = leaves_its_place || self.every_slanted() < self.every_level();
        Self { is_slanted, ..self }
    }

    fn width_of(&self, text: &str) -> f64 {
        text::width(text).min(self.room)
    }

    /// How wide the widest text is.
    pub(super) fn width(&self) -> f64 {
        self.ticks.iter().map(|(_, text)| self.width_of(text)).fold(0.0, f64::max)
    }

    /// How much room slanted texts need to the left of a plot.
    pub(super) fn reach(&self) -> f64 {
        if self.is_slanted { self.width() } else { 0.0 }
    }

    /// How far the first and the last text may reach beyond their places, if they stand level below the plot.
    pub(super) fn overhang(&self) -> f64 {
        let ends = self.ticks.first().into_iter().chain(self.ticks.last());
        ends.map(|(_, text)| self.width_of(text) / 2.0).fold(0.0, f64::max)
    }

    /// How much room texts need below the plot.
    pub(super) fn depth(&self) -> f64 {
        let slant = if self.is_slanted { self.width() * SLANT.to_radians().sin() } else { 0.0 };
        GAP + LINE + slant
    }

    /// Of so many texts one is written, so that each has room: `length` says how much a text takes up of the edge.
    fn every(&self, length: impl Fn(&str) -> f64) -> usize {
        let has_room = |every: usize| {
            let kept: Vec<&(f64, String)> = self.ticks.iter().step_by(every).collect();
            kept.windows(2).all(|pair| {
                let distance = (pair[1].0 - pair[0].0).abs();
                distance >= f64::midpoint(length(&pair[0].1), length(&pair[1].1))
            })
        };
        (1..self.ticks.len().max(1)).find(|&every| has_room(every)).unwrap_or(self.ticks.len().max(1))
    }

    fn every_level(&self) -> usize {
        self.every(|text| self.width_of(text) + SPACE)
    }

    fn every_slanted(&self) -> usize {
        self.every(|_| LINE / SLANT.to_radians().sin())
    }

    /// Texts to the left of a plot.
    pub(super) fn beside(&self, area: &Area) -> String {
        let x = area.left - GAP;
        let written = self.ticks.iter().step_by(self.every(|_| LINE));
        let texts = written.map(|(y, text)| text::level(x, y + BASELINE, text, self.room)).collect();
        self.group("end", texts)
    }

    /// Texts below a plot.
    pub(super) fn below(&self, area: &Area) -> String {
        let y = area.bottom + GAP + LINE / 2.0 + BASELINE;
        if self.is_slanted {
            // The middle of a slanted line is on its place, so that its letters stand to the right.
            let written = self.ticks.iter().step_by(self.every_slanted());
            let texts = written.map(|(x, text)| text::slanted(x + BASELINE, y - BASELINE, text, self.room)).collect();
            return self.group("end", texts);
        }
        let written = self.ticks.iter().step_by(self.every_level());
        self.group("middle", written.map(|(x, text)| text::level(*x, y, text, self.room)).collect())
    }

    fn group(&self, anchor: &str, texts: String) -> String {
        format!("<g text-anchor=\"{anchor}\" fill=\"var({})\">{texts}</g>", self.colour)
    }

    /// A line from the top to the bottom of a plot for each text.
    pub(super) fn upright_lines(&self, area: &Area) -> String {
        let line = |(x, _): &(f64, String)| format!("M{} {}V{}", Px(*x), Px(area.top), Px(area.bottom));
        faint(&self.ticks.iter().map(line).collect::<String>())
    }

    /// A line from side to side.
    pub(super) fn level_lines(&self, area: &Area) -> String {
        let line = |(y, _): &(f64, String)| format!("M{} {}H{}", Px(area.left), Px(*y), Px(area.right));
        faint(&self.ticks.iter().map(line).collect::<String>())
    }
}

fn faint(path: &str) -> String {
    format!("<path d=\"{path}\" stroke=\"var(--line)\" stroke-opacity=\"0.6\" shape-rendering=\"crispEdges\"/>")
}

/// The line that bars stand on, or the edge of a plot.
pub(super) fn base_line(from: (f64, f64), to: (f64, f64)) -> String {
    let [x, y, to_x, to_y] = [from.0, from.1, to.0, to.1].map(Px);
    format!("<path d=\"M{x} {y}L{to_x} {to_y}\" stroke=\"var(--soft)\" shape-rendering=\"crispEdges\"/>")
}

/// What an axis is about; it begins at its place, or has its middle there.
pub(super) fn title((x, y): (f64, f64), anchor: &str, title: &str, room: f64) -> String {
    let place = format!("x=\"{}\" y=\"{}\" fill=\"var(--soft)\" text-anchor=\"{anchor}\"", Px(x), Px(y));
    text::element(&place, title, room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(names: &[&str], to: f64) -> Axis {
        Axis::of_names(names.iter().copied(), &Band::new(names.len(), 0.0, to), 100.0)
    }

    const AREA: Area = Area { left: 0.0, top: 0.0, right: 90.0, bottom: 50.0 };

    #[test]
    fn texts_that_would_cover_each_other_are_left_out() {
        // Each is 2 × 7.68 wide and needs 8 between, so that 23.36 have to be between two places.
        let names = ["10", "20", "30", "40", "50"];
        let written = |to: f64| axis(&names, to).below(&AREA).matches("<text").count();
        assert_eq!([written(117.0), written(116.0), written(58.0), written(29.0)], [5, 3, 2, 1]);
        assert_eq!(axis(&names, 60.0).beside(&AREA).matches("<text").count(), 3, "lines are 14 apart");
    }

    #[test]
    fn names_slant_where_more_of_them_have_room_that_way() {
        // 4 × 7.68 + 6 wide, and 8 between
        let names = |to: f64| axis(&["10–19", "20–29"], to).slanted_if_crowded(to / 2.0);
        assert!(!names(90.0).is_slanted && names(89.0).is_slanted);
        // Lines that slant have to be 21.8 apart, so that no more of these could be written.
        assert!(!axis(&["1", "2", "3", "4"], 60.0).slanted_if_crowded(15.0).is_slanted);
        assert!(axis(&["10–19"], 20.0).slanted_if_crowded(20.0).is_slanted, "it would leave the drawing");
    }

    #[test]
    fn slanted_names_lead_up_to_their_places() {
        let slanted = Axis { is_slanted: true, ..axis(&["10–19", "20–29"], 90.0) };
        // Of 36.72, 40° take 23.6 downwards.
        assert!((slanted.depth() - (20.0 + 36.72 * 0.642_787_6)).abs() < 1e-3);
        assert!(slanted.below(&AREA).contains("<text transform=\"translate(26.5 63) rotate(-40)\">10–19</text>"));
        assert_eq!((slanted.reach(), axis(&["10–19"], 90.0).reach()), (slanted.width(), 0.0));
    }

    #[test]
    fn a_grid_has_a_line_for_each_text() {
        let numbers = Axis::of_numbers(&Scale::from_zero(1.0, 1.0).over(10.0, 60.0), |value| value.to_string());
        assert!(numbers.upright_lines(&AREA).contains("d=\"M10 0V50M60 0V50\""));
        assert!(numbers.level_lines(&AREA).contains("d=\"M0 10H90M0 60H90\""));
        assert_eq!(numbers.overhang(), 3.84);
    }
}
