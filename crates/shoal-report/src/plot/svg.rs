//! What makes a drawing part of a page, or a file of its own?

use std::fmt;

use super::letters::SIZE;
use super::text::{escaped, legible};

/// What a figure shows, for those who do not see it.
#[derive(Debug, Clone)]
pub struct Caption {
    /// A name for it that no other figure of the page has: letters, digits and hyphens.
    pub id: String,
    /// What it is.
    pub title: String,
    /// What can be seen on it.
    pub description: String,
}

impl Caption {
    /// A caption.
    pub fn new(id: impl Into<String>, title: impl Into<String>, description: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), description: description.into() }
    }
}

/// A figure: an `svg` element that can stand in a page, or in a file by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Svg {
    width: f64,
    height: f64,
    markup: String,
}

/// What is around a figure in a file of its own; a page has margins already.
const MARGIN: f64 = 14.0;

/// A page may make a figure smaller to this part, and has to let it be moved beyond: letters of nine pixels can still be read.
const SMALLEST: f64 = 0.75;

/// The colours of figures, in light and in dark.
pub const COLOURS: &str = include_str!("colours.css");

impl Svg {
    /// From what stands inside, for a view of this size.
    pub(super) fn new(caption: &Caption, width: f64, height: f64, inside: &str) -> Self {
        let (id, title, description) =
            (&caption.id, escaped(&legible(&caption.title)), escaped(&legible(&caption.description)));
        let (view, least) = (view(width, height, 0.0), Px(width * SMALLEST));
        let markup = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {view} role=\"img\" \
             aria-labelledby=\"{id}-title {id}-description\" font-family=\"inherit\" font-size=\"{SIZE}\" fill=\"var(--ink)\" \
             style=\"min-width:{least}px\"><title id=\"{id}-title\">{title}</title>\
             <desc id=\"{id}-description\">{description}</desc>{inside}</svg>"
        );
        Self { width, height, markup }
    }

    /// As part of a page.
    pub fn markup(&self) -> &str {
        &self.markup
    }

    /// As a file of its own, which knows both sets of colours and holds `mark`, by which it is known again.
    pub fn to_file(&self, mark: &str) -> String {
        let style = format!("<style>svg {{ font-family: sans-serif; background: var(--paper) }} {COLOURS}</style>");
        let [without, with] = [0.0, MARGIN].map(|margin| view(self.width, self.height, margin));
        let markup = self.markup.replacen(&without, &with, 1);
        let (start, rest) = markup.split_at(markup.find("<title").unwrap_or(0));
        format!("{start}{mark}{style}{rest}\n")
    }
}

/// What is seen: a figure of this size with a margin around it.
fn view(width: f64, height: f64, margin: f64) -> String {
    let [start, width, height] = [-margin, width + 2.0 * margin, height + 2.0 * margin].map(Px);
    format!("viewBox=\"{start} {start} {width} {height}\" width=\"{width}\" height=\"{height}\"")
}

/// A length as it is written: to a tenth of a pixel, so that rounding does not make two texts of one drawing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Px(pub(super) f64);

impl fmt::Display for Px {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = format!("{:.1}", self.0);
        let short = tenths.strip_suffix(".0").unwrap_or(&tenths);
        formatter.write_str(if short == "-0" { "0" } else { short })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_says_what_it_shows() {
        let caption = Caption::new("x", "a < b", "\"quoted\" \u{1b}");
        let svg = Svg::new(&caption, 10.0, 5.0, "<path/>");
        assert!(svg.markup().contains("role=\"img\" aria-labelledby=\"x-title x-description\""));
        assert!(svg.markup().contains("<title id=\"x-title\">a &lt; b</title>"));
        assert!(svg.markup().contains("&quot;quoted&quot; \\u{1b}</desc>"), "what is no text in XML is made visible");
        assert!(svg.markup().contains("min-width:7.5px"), "a page does not make it illegible");
        let file = svg.to_file("<!-- mine -->");
        assert!(file.contains("prefers-color-scheme: dark") && file.contains("<!-- mine -->"));
        assert!(svg.markup().contains("viewBox=\"0 0 10 5\" width=\"10\" height=\"5\""));
        assert!(file.contains("viewBox=\"-14 -14 38 33\" width=\"38\" height=\"33\""));
    }

    #[test]
    fn lengths_are_short() {
        let written = [12.0, 12.04, 12.05, -0.04, 0.96, 1e3].map(|length| Px(length).to_string());
        assert_eq!(written, ["12", "12", "12.1", "0", "1", "1000"]);
    }
}
