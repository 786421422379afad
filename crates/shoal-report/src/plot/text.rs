//! How is a text put on a drawing, so that all of it can be read even where there is less room?

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::letters::{width, without_end, without_middle};
use super::svg::Px;
use shoal_core::printable;

/// How far apart the middles of two lines are at least.
pub(super) const LINE: f64 = 14.0;

/// How far below the middle of a line its letters stand.
pub(super) const BASELINE: f64 = 4.0;

/// How steeply a text leads up, in degrees.
pub(super) const SLANT: f64 = 40.0;

/// A text, and as much of it as is written. Whoever points at that is shown all.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Text {
    all: String,
    written: String,
}

/// What is written of a text where there is so much room.
type Cut = fn(&str, f64) -> Cow<'_, str>;

impl Text {
    /// One that has room enough.
    pub(super) fn whole(text: &str) -> Self {
        Self::within(text, f64::INFINITY)
    }

    /// One that is no wider than that.
    pub(super) fn within(text: &str, room: f64) -> Self {
        Self::cut(text, room, without_end)
    }

    /// Several of one list. Where some would look the same without their ends, they lack their middles.
    pub(super) fn all_within<'a>(texts: impl Iterator<Item = &'a str> + Clone, room: f64) -> Vec<Self> {
        let distinct = |texts: &[Self]| texts.iter().map(|text| text.written.clone()).collect::<BTreeSet<_>>().len();
        let all = |cut: Cut| -> Vec<Self> { texts.clone().map(|text| Self::cut(text, room, cut)).collect() };
        let (ends, middles) = (all(without_end), all(without_middle));
        if distinct(&middles) > distinct(&ends) { middles } else { ends }
    }

    fn cut(text: &str, room: f64, cut: Cut) -> Self {
        let all = legible(text).into_owned();
        Self { written: cut(&all, room).into_owned(), all }
    }

    /// How wide it is, about.
    pub(super) fn width(&self) -> f64 {
        width(&self.written)
    }

    /// At a place.
    pub(super) fn level(&self, x: f64, y: f64) -> String {
        self.element(&format!("x=\"{}\" y=\"{}\"", Px(x), Px(y)))
    }

    /// Leading up to a place from below and from the left.
    pub(super) fn slanted(&self, x: f64, y: f64) -> String {
        self.element(&format!("transform=\"translate({} {}) rotate(-{SLANT})\"", Px(x), Px(y)))
    }

    /// With these attributes.
    pub(super) fn element(&self, attributes: &str) -> String {
        let all = if self.is_whole() { String::new() } else { format!("<title>{}</title>", escaped(&self.all)) };
        format!("<text {attributes}>{all}{}</text>", escaped(&self.written))
    }

    fn is_whole(&self) -> bool {
        self.written == self.all
    }
}

/// A text without what does something else than stand there, or may not be in XML.
pub(super) fn legible(text: &str) -> Cow<'_, str> {
    let line = printable::line(text);
    match line.contains(NO_CHARACTERS) {
        true => Cow::Owned(line.replace(NO_CHARACTERS, "\u{fffd}")),
        false => line,
    }
}

const NO_CHARACTERS: [char; 2] = ['\u{fffe}', '\u{ffff}'];

/// Text as it stands in markup.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortened_text_can_still_be_read() {
        assert_eq!(Text::within("a & b", 99.0).level(1.0, 2.5), "<text x=\"1\" y=\"2.5\">a &amp; b</text>");
        assert_eq!(
            Text::within("a < label", 34.0).level(1.0, 2.0),
            "<text x=\"1\" y=\"2\"><title>a &lt; label</title>a &lt;…</text>"
        );
    }

    #[test]
    fn what_differs_at_its_end_is_cut_in_its_middle() {
        let written = |texts: &[&str]| {
            let texts = Text::all_within(texts.iter().copied(), 60.0).into_iter();
            texts.map(|text| text.written).collect::<Vec<String>>()
        };
        assert_eq!(written(&["education years", "marital status", "x"]), ["educati…", "marital…", "x"]);
        assert_eq!(written(&["education years", "education field", "x"]), ["edu…ars", "edu…ield", "x"]);
        assert_eq!(written(&["education years", "education years"]), ["educati…", "educati…"], "they are the same");
    }

    #[test]
    fn nothing_is_written_that_is_no_text() {
        assert_eq!(legible("a\u{1b}\u{202e}\u{ffff}"), "a\\u{1b}\\u{202e}\u{fffd}");
    }
}
