//! What makes a drawing of the plotting library part of a page?

use kuva::backend::svg::SvgBackend;
use kuva::prelude::{Layout, Plot, Theme};
use kuva::render::render::render_multiple;

use shoal::publish::PLOT_MARK;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Svg {
    markup: String,
}

impl Svg {
    /// From what stands inside, for a view of this size.
    pub(super) fn new(caption: &Caption, width: f64, height: f64, inside: &str) -> Self {
        let Caption { id, title, description } = caption;
        let (title, description) = (escaped(title), escaped(description));
        let markup = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" aria-labelledby=\"{id}-title {id}-description\" font-family=\"inherit\" fill=\"var(--ink, black)\">\
             <title id=\"{id}-title\">{title}</title><desc id=\"{id}-description\">{description}</desc>{inside}</svg>"
        );
        Self { markup }
    }

    /// As part of a page.
    pub fn markup(&self) -> &str {
        &self.markup
    }

    /// As a file of its own, which knows both sets of colours.
    pub fn to_file(&self) -> String {
        let style = format!("<style>svg {{ font-family: sans-serif; background: var(--paper) }} {COLOURS}</style>");
        let inside = self.markup.find("<title").unwrap_or(0);
        let (start, rest) = self.markup.split_at(inside);
        format!("{start}{PLOT_MARK}{style}{rest}\n")
    }
}

/// The colours of figures, in light and in dark.
pub const COLOURS: &str = include_str!("colours.css");

/// Draws plots on axes without a legend or a background.
pub(super) fn draw(caption: &Caption, plots: Vec<Plot>, layout: Layout, width: f64, height: f64) -> Svg {
    let layout = layout
        .with_width(width)
        .with_height(height)
        .with_theme(theme())
        .with_label_size(12)
        .with_tick_size(11)
        .with_body_size(11)
        .with_tick_length(3.0)
        .with_axis_line_width(0.75)
        .with_grid_line_width(0.5);
    let drawn = SvgBackend::new().render_scene(&render_multiple(plots, layout));
    let (width, height) = size_of(&drawn).unwrap_or((width, height));
    Svg::new(caption, width, height, inside_of(&drawn))
}

fn theme() -> Theme {
    let [ink, line] = ["var(--ink, black)", "var(--line, silver)"].map(str::to_owned);
    Theme {
        background: "none".to_owned(),
        axis_color: line.clone(),
        grid_color: line.clone(),
        tick_color: line.clone(),
        text_color: ink.clone(),
        legend_bg: "none".to_owned(),
        legend_border: "none".to_owned(),
        colorbar_border: line,
        font_family: Some("inherit".to_owned()),
        ..Theme::light()
    }
}

/// The width and the height of an `svg` element.
fn size_of(svg: &str) -> Option<(f64, f64)> {
    let head = svg.split('>').next()?;
    let attribute = |name: &str| head.split(name).nth(1)?.split('"').next()?.parse().ok();
    Some((attribute(" width=\"")?, attribute(" height=\"")?))
}

/// What stands in an `svg` element after the comment that tells who made it.
fn inside_of(svg: &str) -> &str {
    let after = svg.split_once("-->").map_or(svg, |(_, inside)| inside);
    after.trim_end().strip_suffix("</svg>").unwrap_or(after)
}

/// A text as a label: not too long, and without what the library would take for a formula.
pub(super) fn label(text: &str, longest: usize) -> String {
    let mut short: String = text.chars().take(longest).collect();
    if text.chars().count() > longest {
        short = format!("{}…", text.chars().take(longest.saturating_sub(1)).collect::<String>().trim_end());
    }
    short.replace('$', "\\$")
}

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
    fn a_label_is_short_and_no_formula() {
        assert_eq!(label("a long label", 6), "a lon…");
        assert_eq!(label("$50K to $60K", 20), "\\$50K to \\$60K");
    }

    #[test]
    fn a_figure_says_what_it_shows() {
        let caption = Caption::new("x", "a < b", "\"quoted\"");
        let svg = Svg::new(&caption, 10.0, 5.0, "<path/>");
        assert!(svg.markup().contains("role=\"img\" aria-labelledby=\"x-title x-description\""));
        assert!(svg.markup().contains("<title id=\"x-title\">a &lt; b</title>"));
        assert!(svg.to_file().contains("prefers-color-scheme: dark"));
    }
}
