//! What would somebody see on a drawing? It is read as it is written, knowing nothing of how it was made.

use super::area::Area;
use super::letters::width;
use super::text::SLANT;

/// Lengths are written to a tenth, so that two of them may be off by as much.
pub(super) const WRITTEN: f64 = 0.11;

/// An area that reaches farther by so much on every side.
pub(super) fn wider(area: &Area, by: f64) -> Area {
    Area { left: area.left - by, top: area.top - by, right: area.right + by, bottom: area.bottom + by }
}

/// What stands on a drawing.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) view: Area,
    /// Rectangles and circles, each with the variable of its colour.
    pub(super) marks: Vec<(Area, String)>,
    /// The part that lines of a grid reach over.
    pub(super) grid: Option<Area>,
    /// Texts, and the room that each takes up.
    pub(super) texts: Vec<(Area, String)>,
    /// The same of those that are slanted.
    pub(super) slanted: Vec<(Area, String)>,
}

impl Seen {
    pub(super) fn of(markup: &str) -> Self {
        let head = markup.split('>').next().unwrap();
        let view = Area { left: 0.0, top: 0.0, right: number(head, "width"), bottom: number(head, "height") };
        let mut seen = Self { view, marks: Vec::new(), grid: None, texts: Vec::new(), slanted: Vec::new() };
        let mut group = "";
        for (at, _) in markup.match_indices('<') {
            let tag = markup[at + 1..].split('>').next().unwrap();
            match tag.split(' ').next().unwrap() {
                "g" => group = tag,
                "/g" => group = "",
                "rect" | "circle" => seen.marks.push((extent(tag), colour(tag, group))),
                "path" if tag.contains("stroke-opacity") => seen.look_at_grid(tag),
                "text" => seen.look_at_text(tag, group, &markup[at..]),
                _ => {}
            }
        }
        seen
    }

    pub(super) fn marks_of(&self, colour: &str) -> Vec<Area> {
        self.marks.iter().filter(|(_, of_mark)| of_mark == colour).map(|(area, _)| *area).collect()
    }

    pub(super) fn says(&self, text: &str) -> bool {
        self.texts.iter().any(|(_, said)| said == text)
    }

    /// The texts below all marks.
    pub(super) fn texts_below(&self) -> Vec<&str> {
        let bottom = self.marks.iter().map(|(area, _)| area.bottom).fold(0.0, f64::max);
        self.texts.iter().filter(|(area, _)| area.top >= bottom).map(|(_, text)| text.as_str()).collect()
    }

    /// The texts that stand on one another.
    pub(super) fn covered(&self) -> Vec<(&str, &str)> {
        let pairs =
            self.texts.iter().enumerate().flat_map(|(at, one)| self.texts[..at].iter().map(move |two| (one, two)));
        let covered = pairs.filter(|(one, two)| wider(&one.0, -WRITTEN).meets(&two.0));
        covered.map(|(one, two)| (one.1.as_str(), two.1.as_str())).collect()
    }

    fn look_at_grid(&mut self, tag: &str) {
        // `M10 0V50` or `M0 10H90`, one after another
        for line in attribute(tag, "d").unwrap().split('M').skip(1) {
            let numbers: Vec<f64> = line.split([' ', 'V', 'H']).map(|number| number.parse().unwrap()).collect();
            let (x, y, to) = (numbers[0], numbers[1], numbers[2]);
            let (right, bottom) = if line.contains('V') { (x, to) } else { (to, y) };
            let grid = self.grid.get_or_insert(Area { left: x, top: y, right, bottom });
            *grid = Area {
                left: grid.left.min(x),
                top: grid.top.min(y),
                right: grid.right.max(right),
                bottom: grid.bottom.max(bottom),
            };
        }
    }

    fn look_at_text(&mut self, tag: &str, group: &str, rest: &str) {
        let inside = rest.split_once('>').unwrap().1.split("</text>").next().unwrap();
        let said = unescaped(inside.rsplit_once("</title>").map_or(inside, |(_, said)| said));
        let size = attribute(group, "font-size").map_or(1.0, |size| size.parse::<f64>().unwrap() / 12.0);
        let width = width(&said) * size;
        if let Some(transform) = attribute(tag, "transform") {
            return self.slanted.push((slanted(transform, width), said));
        }
        let (x, y) = (number(tag, "x"), number(tag, "y"));
        let left = match attribute(tag, "text-anchor").or(attribute(group, "text-anchor")) {
            Some("end") => x - width,
            Some("middle") => x - width / 2.0,
            _ => x,
        };
        // Most letters reach up nine twelfths of their size, and some three below the line.
        let area = Area { left, top: y - 9.0 * size, right: left + width, bottom: y + 3.0 * size };
        self.texts.push((area, said));
    }
}

/// What surrounds a text that ends at a place, and leads up to it.
fn slanted(transform: &str, width: f64) -> Area {
    let place = transform.strip_prefix("translate(").unwrap().split(')').next().unwrap();
    let (x, y) = place.split_once(' ').unwrap();
    let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
    let (sin, cos) = SLANT.to_radians().sin_cos();
    Area {
        left: x - width * cos - 9.0 * sin,
        top: y - 9.0 * cos,
        right: x + 3.0 * sin,
        bottom: y + width * sin + 3.0 * cos,
    }
}

fn extent(tag: &str) -> Area {
    if tag.starts_with("circle") {
        return Area::around((number(tag, "cx"), number(tag, "cy")), number(tag, "r"));
    }
    let (left, top) = (number(tag, "x"), number(tag, "y"));
    Area { left, top, right: left + number(tag, "width"), bottom: top + number(tag, "height") }
}

fn colour(tag: &str, group: &str) -> String {
    let fill = attribute(tag, "fill").or(attribute(group, "fill")).unwrap_or_default();
    fill.trim_start_matches("var(").trim_end_matches(')').to_owned()
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

fn number(tag: &str, name: &str) -> f64 {
    let text = attribute(tag, name).unwrap_or_else(|| panic!("no {name} in {tag}"));
    let number: f64 = text.parse().unwrap_or_else(|_| panic!("{name} in {tag}"));
    assert!(number.is_finite(), "{name} in {tag}");
    number
}

fn unescaped(text: &str) -> String {
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    names.into_iter().fold(text.to_owned(), |text, (name, character)| text.replace(name, character))
}
