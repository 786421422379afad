//! What is written beside a plot and below it, so that no text covers another?

use super::area::Area;
use super::band::Band;
use super::letters::SIZE;
use super::scale::{Scale, round_step};
use super::svg::Px;
use super::text::{BASELINE, LINE, SLANT, Text};
use shoal_core::words::{number, power_of_ten};

/// Between a plot and what is written beside it.
pub(super) const GAP: f64 = 6.0;

/// Between two texts of a line.
const SPACE: f64 = 8.0;

/// No number on an axis is longer, since bars and points need room, too.
const LONGEST: usize = 11;

/// Texts along an edge of a plot, each at its place.
#[derive(Debug)]
pub(super) struct Axis {
    ticks: Vec<(f64, Text)>,
    colour: &'static str,
    is_slanted: bool,
}

impl Axis {
    /// The round numbers of a scale.
    pub(super) fn of_numbers(scale: &Scale) -> Self {
        Self::of_ticks(scale, numbers(&scale.ticks()))
    }

    /// The same as shares of a hundred.
    pub(super) fn of_shares(scale: &Scale) -> Self {
        Self::of_ticks(scale, scale.ticks().into_iter().map(percent).collect())
    }

    fn of_ticks(scale: &Scale, texts: Vec<String>) -> Self {
        let places = scale.ticks().into_iter().map(|tick| scale.at(tick));
        let ticks = places.zip(texts.iter().map(|text| Text::whole(text))).collect();
        Self { ticks, colour: "--soft", is_slanted: false }
    }

    /// The names of all that stand in a band, none wider than there is room.
    pub(super) fn of_names<'a>(names: impl Iterator<Item = &'a str> + Clone, band: &Band, room: f64) -> Self {
        let names = Text::all_within(names, room).into_iter();
        let ticks = names.enumerate().map(|(at, name)| (band.middle(at), name)).collect();
        Self { ticks, colour: "--ink", is_slanted: false }
    }

    /// The same, leading up from below and from the left if twice as many of them have room that way.
    pub(super) fn slanted_if_crowded(self, place: f64) -> Self {
        let leaves_its_place = self.width() > place + 2.0 * GAP;
        let is_slanted = leaves_its_place || 2 * self.every_slanted() <= self.every_level();
        Self { is_slanted, ..self }
    }

    /// How wide the widest text is.
    pub(super) fn width(&self) -> f64 {
        self.ticks.iter().map(|(_, text)| text.width()).fold(0.0, f64::max)
    }

    /// How far to the left a plot that ends at `right` may begin, so that the slanted names of a band stay on the drawing.
    pub(super) fn least_left(&self, right: f64) -> f64 {
        if !self.is_slanted {
            return 0.0;
        }
        let (sin, cos) = SLANT.to_radians().sin_cos();
        let least = |(at, (_, text)): (usize, &(f64, Text))| {
            // So much of the plot lies before its place, wherever the plot begins.
            let before = (at as f64 + 0.5) / self.ticks.len() as f64;
            let reach = text.width() * cos + SIZE * sin - BASELINE;
            (reach - before * right) / (1.0 - before)
        };
        self.ticks.iter().enumerate().map(least).fold(0.0, f64::max)
    }

    /// How far the first and the last text may reach beyond their places, if they stand level below the plot.
    pub(super) fn overhang(&self) -> f64 {
        let ends = self.ticks.first().into_iter().chain(self.ticks.last());
        ends.map(|(_, text)| text.width() / 2.0).fold(0.0, f64::max)
    }

    /// How much room texts need below the plot.
    pub(super) fn depth(&self) -> f64 {
        let slant = if self.is_slanted { self.width() * SLANT.to_radians().sin() } else { 0.0 };
        GAP + LINE + slant
    }

    /// Of so many texts one is written, so that each has room: `length` says how much a text takes up of the edge.
    fn every(&self, length: impl Fn(&Text) -> f64) -> usize {
        let has_room = |every: usize| {
            let kept: Vec<&(f64, Text)> = self.ticks.iter().step_by(every).collect();
            kept.windows(2).all(|pair| {
                let distance = (pair[1].0 - pair[0].0).abs();
                distance >= f64::midpoint(length(&pair[0].1), length(&pair[1].1))
            })
        };
        let count = self.ticks.len();
        // Of many, every fifth or tenth rather than every third, since most names of many are numbers.
        let is_wanted = |every: usize| 4 * every > count || round_step(every as f64) == Some(every as f64);
        (1..count).find(|&every| is_wanted(every) && has_room(every)).unwrap_or(count.max(1))
    }

    fn every_level(&self) -> usize {
        self.every(|text| text.width() + SPACE)
    }

    fn every_slanted(&self) -> usize {
        self.every(|_| LINE / SLANT.to_radians().sin())
    }

    /// Texts to the left of a plot.
    pub(super) fn beside(&self, area: &Area) -> String {
        let x = area.left - GAP;
        let written = self.ticks.iter().step_by(self.every(|_| LINE));
        self.group("end", written.map(|(y, text)| text.level(x, y + BASELINE)).collect())
    }

    /// Texts below a plot.
    pub(super) fn below(&self, area: &Area) -> String {
        let y = area.bottom + GAP + LINE / 2.0 + BASELINE;
        if self.is_slanted {
            // The middle of a slanted line is on its place, so that its letters stand to the right.
            let written = self.ticks.iter().step_by(self.every_slanted());
            return self.group("end", written.map(|(x, text)| text.slanted(x + BASELINE, y - BASELINE)).collect());
        }
        let written = self.ticks.iter().step_by(self.every_level());
        self.group("middle", written.map(|(x, text)| text.level(*x, y)).collect())
    }

    fn group(&self, anchor: &str, texts: String) -> String {
        format!("<g text-anchor=\"{anchor}\" fill=\"var({})\">{texts}</g>", self.colour)
    }

    /// A line from the top to the bottom of a plot for each text.
    pub(super) fn upright_lines(&self, area: &Area) -> String {
        let line = |(x, _): &(f64, Text)| format!("M{} {}V{}", Px(*x), Px(area.top), Px(area.bottom));
        faint(&self.ticks.iter().map(line).collect::<String>())
    }

    /// A line from side to side.
    pub(super) fn level_lines(&self, area: &Area) -> String {
        let line = |(y, _): &(f64, Text)| format!("M{} {}H{}", Px(area.left), Px(*y), Px(area.right));
        faint(&self.ticks.iter().map(line).collect::<String>())
    }
}

/// Numbers as they stand on one axis: where one is too long to be written out, all are powers of ten.
fn numbers(ticks: &[f64]) -> Vec<String> {
    let written: Vec<String> = ticks.iter().copied().map(number).collect();
    let is_short = |text: &String| text.chars().count() <= LONGEST && !text.contains('^');
    if written.iter().all(is_short) {
        return written;
    }
    let power = |&tick: &f64| if tick == 0.0 { number(tick) } else { power_of_ten(tick) };
    ticks.iter().map(power).collect()
}

/// A share for people.
fn percent(share: f64) -> String {
    format!("{}%", number(share * 100.0))
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
    Text::within(title, room).element(&place)
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
        // The first is in the middle of the first half and reaches 36.72 × 0.766 + 7.7 − 4 to the left, a little more than a quarter of 90.
        assert!((slanted.least_left(90.0) - (31.84 - 22.5) / 0.75).abs() < 0.01);
        assert_eq!(axis(&["10–19"], 90.0).least_left(9.0), 0.0, "it is level");
    }

    #[test]
    fn a_grid_has_a_line_for_each_text() {
        let numbers = Axis::of_numbers(&Scale::from_zero(1.0, 1.0).over(10.0, 60.0));
        assert!(numbers.upright_lines(&AREA).contains("d=\"M10 0V50M60 0V50\""));
        assert!(numbers.level_lines(&AREA).contains("d=\"M0 10H90M0 60H90\""));
        assert_eq!(numbers.overhang(), 3.84);
    }

    #[test]
    fn of_many_names_every_fifth_or_tenth_is_written() {
        let names: Vec<String> = (0..60).map(|name| name.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        // 7 for each: four would do.
        let below = axis(&names, 420.0).slanted_if_crowded(7.0).below(&AREA);
        assert_eq!(below.matches("<text").count(), 12);
        assert!(below.contains(">55</text>") && !below.contains(">4</text>"));
    }

    #[test]
    fn numbers_of_one_axis_are_written_alike() {
        assert_eq!(numbers(&[0.0, 5e7, 1e8]), ["0", "50,000,000", "100,000,000"]);
        assert_eq!(numbers(&[0.0, 5e8, 1e9]), ["0", "5 × 10^8", "1 × 10^9"]);
        assert_eq!(numbers(&[1e-12, 1e-6, 1.0]), ["1 × 10^-12", "1 × 10^-6", "1 × 10^0"]);
    }

    #[test]
    fn small_shares_have_different_texts() {
        assert_eq!([0.07, 0.005, 0.0002, 1.0].map(percent), ["7%", "0.5%", "0.02%", "100%"]);
    }
}
