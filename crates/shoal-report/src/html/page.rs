//! How does a safe text get into a page?
//!
//! Markup is written here and in the sections as fixed text; everything else passes through [`Safe`], so that nothing reaches a
//! page that the rule does not allow.

use crate::plot::{COLOURS, Svg, escaped};
use crate::safe::Safe;
use shoal::publish::REPORT_MARK;

/// A page in the making.
#[derive(Debug, Default)]
pub(super) struct Page {
    html: String,
}

/// A table: what it shows, the names of its columns, and its rows, each beginning with what it is about.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) caption: Safe,
    /// Names, and whether numbers stand below.
    pub(super) header: Vec<(Safe, bool)>,
    pub(super) rows: Vec<Vec<Safe>>,
}

/// The header of a table: names, those of numbers with a `#` before them.
pub(super) fn header(names: &[&'static str]) -> Vec<(Safe, bool)> {
    let cell = |name: &&'static str| match name.strip_prefix('#') {
        Some(name) => (Safe::words(name), true),
        None => (Safe::words(name), false),
    };
    names.iter().map(cell).collect()
}

impl Page {
    /// Fixed markup.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.html += markup;
        self
    }

    /// A text.
    pub(super) fn text(&mut self, text: &Safe) -> &mut Self {
        self.html += &escaped(text.as_str());
        self
    }

    /// A text in an element.
    pub(super) fn element(&mut self, tag: &'static str, text: &Safe) -> &mut Self {
        self.open(tag).text(text).close(tag)
    }

    /// A paragraph.
    pub(super) fn paragraph(&mut self, text: &Safe) -> &mut Self {
        self.element("p", text).raw("\n")
    }

    /// A paragraph of fixed words.
    pub(super) fn say(&mut self, words: &'static str) -> &mut Self {
        self.paragraph(&Safe::words(words))
    }

    fn open(&mut self, tag: &'static str) -> &mut Self {
        self.raw("<").raw(tag).raw(">")
    }

    fn close(&mut self, tag: &'static str) -> &mut Self {
        let name = tag.split(' ').next().unwrap_or(tag);
        self.raw("</").raw(name).raw(">")
    }

    /// A section with its heading.
    pub(super) fn section(&mut self, id: &'static str, title: &'static str, write: impl FnOnce(&mut Self)) {
        self.raw("\n<section aria-labelledby=\"")
            .raw(id)
            .raw("\">\n<h2 id=\"")
            .raw(id)
            .raw("\">")
            .raw(title)
            .raw("</h2>\n");
        write(self);
        self.raw("</section>\n");
    }

    /// A table.
    pub(super) fn table(&mut self, table: &Table) -> &mut Self {
        self.raw("<div class=\"scroll\"><table>\n<caption>").text(&table.caption).raw("</caption>\n<thead><tr>");
        for (name, is_number) in &table.header {
            self.raw(if *is_number { "<th scope=\"col\" class=\"n\">" } else { "<th scope=\"col\">" });
            self.text(name).raw("</th>");
        }
        self.raw("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            self.raw("<tr>");
            for (place, cell) in row.iter().enumerate() {
                match (place, table.header.get(place).is_some_and(|header| header.1)) {
                    (0, _) => self.raw("<th scope=\"row\">").text(cell).raw("</th>"),
                    (_, true) => self.raw("<td class=\"n\">").text(cell).raw("</td>"),
                    (_, false) => self.raw("<td>").text(cell).raw("</td>"),
                };
            }
            self.raw("</tr>\n");
        }
        self.raw("</tbody></table></div>\n")
    }

    /// A table that whoever wants it can unfold.
    pub(super) fn folded_table(&mut self, summary: &'static str, table: &Table) -> &mut Self {
        self.raw("<details><summary>").raw(summary).raw("</summary>\n").table(table).raw("</details>\n")
    }

    /// A table that is folded if it is long.
    pub(super) fn table_in_short(&mut self, summary: &'static str, table: &Table) -> &mut Self {
        if table.rows.len() > super::MOST_ROWS { self.folded_table(summary, table) } else { self.table(table) }
    }

    /// A drawing with a line below it.
    pub(super) fn figure(&mut self, drawing: &Drawing, below: &Safe) -> &mut Self {
        // What is too wide for a small screen can be moved, and the line below it stays.
        self.raw("<figure><div class=\"scroll\">");
        self.html += drawing.0.markup();
        self.raw("</div>");
        if !below.is_empty() {
            self.raw("<figcaption>").text(below).raw("</figcaption>");
        }
        self.raw("</figure>\n")
    }

    /// The whole document.
    pub(super) fn finish(self, title: &Safe) -> String {
        let (title, style, body) = (escaped(title.as_str()), include_str!("style.css"), self.html);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{REPORT_MARK}\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{title}</title>\n<style>\n{COLOURS}{style}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
        )
    }
}

/// A figure whose labels and numbers are safe; `figure` makes them.
#[derive(Debug)]
pub(super) struct Drawing(pub(super) Svg);
