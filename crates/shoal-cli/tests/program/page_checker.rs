//! Does a page tell something about the original that the release does not?
//!
//! The checker knows nothing of how pages are made: it reads their text as anybody would, and compares it with both tables.

use std::collections::BTreeSet;

use crate::workbench::rows;

/// What a page must not tell.
pub struct PageChecker {
    /// Words of the original that are not in the release.
    hidden: BTreeSet<String>,
    /// Small numbers that can be counted from the release.
    countable: BTreeSet<u64>,
    threshold: u64,
}

/// What numbers of people are followed by.
const NOUNS: [&str; 9] = ["row", "rows", "record", "records", "person", "persons", "people", "original", "originals"];

impl PageChecker {
    /// `of_policy` are numbers that the policy sets, and that a page may say of records.
    pub fn new(original: &str, release: &str, threshold: u64, of_policy: &[u64]) -> Self {
        let (original, release) = (rows(original), rows(release));
        let words = |table: &[Vec<String>]| -> BTreeSet<String> { table.iter().flatten().cloned().collect() };
        // Numbers of three digits and less are said of many things.
        let is_telling = |word: &String| word.parse::<f64>().is_err() && word.len() > 2 || word.len() > 3;
        let hidden =
            words(&original[1..]).difference(&words(&release)).filter(|word| is_telling(word)).cloned().collect();
        let countable = countable(&release[1..]).into_iter().chain(of_policy.iter().copied()).collect();
        Self { hidden, countable, threshold }
    }

    /// What the page tells and must not.
    pub fn complaints(&self, html: &str) -> Vec<String> {
        let text = text_of(html);
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || "()[]{};:\"“”".contains(c)).collect();
        let words: Vec<&str> =
            words.iter().map(|word| word.trim_matches([',', '.', '–'])).filter(|w| !w.is_empty()).collect();
        let mut complaints: Vec<String> = self
            .hidden
            .iter()
            .filter(|hidden| {
                words.iter().any(|word| word == hidden) || (hidden.contains(' ') && text.contains(hidden.as_str()))
            })
            .map(|hidden| format!("it shows {hidden}, which the release does not"))
            .collect();
        for pair in words.windows(2) {
            let Ok(count) = pair[0].replace(',', "").parse::<u64>() else { continue };
            let is_small = (1..self.threshold).contains(&count) && NOUNS.contains(&pair[1]);
            if is_small && !self.countable.contains(&count) && !self.is_threshold(&text, pair) {
                complaints.push(format!("it says {} {}, which nobody can count in the release", pair[0], pair[1]));
            }
        }
        complaints
    }

    /// `fewer than 10 rows` is what may be said.
    fn is_threshold(&self, text: &str, pair: &[&str]) -> bool {
        text.contains(&format!("fewer than {} {}", pair[0], pair[1]))
    }
}

/// How many rows have each cell, and how many look the same in all columns but the last, which is the sensitive one.
fn countable(release: &[Vec<String>]) -> BTreeSet<u64> {
    let columns = release.first().map_or(0, Vec::len);
    let sizes = |mut keys: Vec<&[String]>| -> Vec<u64> {
        keys.sort();
        keys.chunk_by(|a, b| a == b).map(|same| same.len() as u64).collect()
    };
    let of_cells = (0..columns).flat_map(|at| sizes(release.iter().map(|row| &row[at..=at]).collect()));
    let of_classes = sizes(release.iter().map(|row| &row[..columns.saturating_sub(1)]).collect());
    of_cells.chain(of_classes).collect()
}

/// All that a page says to those who see it and to those who hear it.
pub fn text_of(html: &str) -> String {
    let body = html.split_once("</style>").map_or(html, |(_, body)| body);
    let (mut text, mut tag) = (String::new(), None::<String>);
    for character in body.chars() {
        match (&mut tag, character) {
            (None, '<') => tag = Some(String::new()),
            (Some(inside), '>') => {
                text.push(' ');
                text.extend(spoken(inside));
                tag = None;
            }
            (Some(inside), other) => inside.push(other),
            (None, other) => text.push(other),
        }
    }
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&")]
        .into_iter()
        .fold(text, |text, (name, character)| text.replace(name, character))
}

/// What the attributes of a tag say to people; the others are for browsers.
fn spoken(tag: &str) -> impl Iterator<Item = &str> {
    let for_browsers = ["scope", "class", "id", "href", "viewBox", "d", "transform", "xmlns", "aria-labelledby"];
    let parts: Vec<&str> = tag.split('"').collect();
    let said = parts.chunks(2).filter(move |pair| {
        let name = pair[0].trim().trim_end_matches('=').rsplit(' ').next().unwrap_or_default();
        pair.len() == 2 && !for_browsers.contains(&name)
    });
    said.flat_map(|pair| [pair[1], " "]).collect::<Vec<_>>().into_iter()
}

/// The cells of the tables of a page, row by row.
pub fn cells(html: &str, caption: &str) -> Vec<Vec<String>> {
    let table = html.split("<table>").find(|table| table.contains(&format!("<caption>{caption}</caption>")));
    let body = table.and_then(|table| table.split("<tbody>").nth(1)?.split("</tbody>").next()).unwrap_or_default();
    let cell = |cell: &str| text_of(&format!("<x {cell}")).trim().to_owned();
    let row = |row: &str| {
        row.split("<t").skip(2).map(|text| cell(&format!(">{}", text.split_once('>').map_or("", |p| p.1)))).collect()
    };
    body.split("</tr>").filter(|text| text.contains("<tr>")).map(row).collect()
}
