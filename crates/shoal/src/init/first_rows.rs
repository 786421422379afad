//! What would some rows of a release look like?

use super::for_people::on_one_line;
use crate::study::Candidate;

/// So many rows stand side by side, so that a column is a line and all of them can be seen.
const ROWS: usize = 3;

/// Longer names and cells are cut.
const NAME: usize = 22;
const CELL: usize = 24;

/// What some rows of a release would show of each quasi-identifier, a line for each. All other columns that are released are shown as
/// they are, and stay out of a terminal.
pub fn first_rows(candidate: &Candidate) -> String {
    let rows = candidate.some_rows(ROWS);
    let names = candidate.table().quasi.iter().map(|column| column.name.as_str());
    let mut text = format!("{}:\n", heading(rows.len()));
    for (place, name) in names.enumerate() {
        let mut line = format!("  {:NAME$}", cut(name, NAME));
        for row in &rows {
            line += &format!("  {:CELL$}", cut(row[place].as_deref().unwrap_or("(missing)"), CELL));
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn heading(rows: usize) -> String {
    match rows {
        1 => "A row of the release would show".to_owned(),
        _ => format!("Rows of the release would show, {rows} of them side by side"),
    }
}

fn cut(text: &str, width: usize) -> String {
    let line = on_one_line(text);
    match line.chars().count() > width {
        true => line.chars().take(width - 2).chain("..".chars()).collect(),
        false => line,
    }
}
