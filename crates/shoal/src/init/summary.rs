//! What does somebody at a terminal want to know of a table first?

use super::findings::{ColumnFindings, Combination, TableFindings};
use super::for_people::{counted, grouped, on_one_line, percent};
use super::starter::name_of;

/// Longer names of columns are cut, to keep the table within a hundred characters.
const NAME_WIDTH: usize = 26;

/// Shares are rounded to one of so many parts before they are written.
const MANY: u64 = 1_000_000_000;

/// What was found, as text for a terminal: the columns, who is singled out, and what to think about. No value of the
/// table is in it.
pub fn summary(findings: &TableFindings) -> String {
    let size = format!("{}, {}", counted(findings.rows, "row"), counted(findings.columns.len() as u64, "column"));
    let name = on_one_line(&findings.input.path.display().to_string());
    let mut text = format!("{}: {size}\n\n", if name.is_empty() { "the table" } else { &name });
    text += &columns(findings);
    let singling_out = &findings.singling_out;
    let mut lines: Vec<String> =
        singling_out.worst.iter().map(|combination| line(combination, findings.rows, None)).collect();
    if let Some(all) = singling_out.together.as_ref().filter(|all| !singling_out.worst.contains(all)) {
        let name = format!("all {} quasi-identifiers", all.columns.len());
        lines.push(line(all, findings.rows, Some(name).filter(|_| all.columns.len() > 3)));
    }
    if !lines.is_empty() {
        text += "\nWho knows these of a person may find that person's row:\n";
        lines.iter().for_each(|line| text += line);
    }
    if !singling_out.left_out.is_empty() {
        let names: Vec<String> = singling_out.left_out.iter().map(|name| on_one_line(name)).collect();
        text += &format!("  not looked at, since they take too much memory: {}\n", names.join(", "));
    }
    match warnings(findings) {
        warnings if warnings.is_empty() => text,
        warnings => text + "\n" + &warnings,
    }
}

/// What to think about, alone.
pub fn warnings(findings: &TableFindings) -> String {
    let warning = |warning: &String| wrapped(&format!("warning: {}", on_one_line(warning)));
    let unpromised = findings.without_a_promise().map(|column| {
        format!(
            "nothing is required of `{}` but k-anonymity, since everybody could have its most frequent value in some row: `shoal audit` says \
             what is learned of it",
            column.name
        )
    });
    findings.all_warnings().into_iter().chain(unpromised).map(|text| warning(&text)).collect()
}

/// A sentence in lines that fit a terminal, the second and later ones indented.
pub(super) fn wrapped(sentence: &str) -> String {
    const WIDTH: usize = 98;
    let (mut text, mut width) = (String::new(), 0);
    for word in sentence.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text += "\n ";
            width = 1;
        }
        if width > 0 {
            text.push(' ');
        }
        text += word;
        width += length + 1;
    }
    text + "\n"
}

fn line(combination: &Combination, rows: u64, name: Option<String>) -> String {
    let name = name.unwrap_or_else(|| on_one_line(&combination.columns.join(" + ")));
    let grouping = &combination.grouping;
    let alone = percent(grouping.alone, rows);
    let distinction = percent(grouping.distinct, rows);
    match grouping.separation() {
        Some(separation) => {
            let separation = percent((separation * MANY as f64).round() as u64, MANY);
            format!("  {name}: {alone} of the rows are alone (distinction {distinction}, separation {separation})\n")
        }
        None => format!("  {name}: {alone} of the rows are alone\n"),
    }
}

fn columns(findings: &TableFindings) -> String {
    let heading = ["column", "type", "distinct", "missing", "unique", "proposed role"].map(str::to_owned);
    let rows: Vec<[String; 6]> =
        std::iter::once(heading).chain(findings.columns.iter().map(|column| cells(column, findings.rows))).collect();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for [name, kind, distinct, missing, unique, role] in &rows {
        let [a, b, c, d, e, _] = widths;
        text += &format!("  {name:a$}  {kind:b$}  {distinct:>c$}  {missing:>d$}  {unique:>e$}  {role}\n");
    }
    text
}

fn cells(column: &ColumnFindings, rows: u64) -> [String; 6] {
    let name = on_one_line(&column.name);
    let is_long = name.chars().count() > NAME_WIDTH;
    let name = if is_long { name.chars().take(NAME_WIDTH - 2).chain("..".chars()).collect() } else { name };
    let role = if column.is_left_out() { "left out" } else { name_of(column.role) };
    let role = format!("{role}, {}", column.sure.words());
    let missing = if column.missing == 0 { "-".to_owned() } else { grouped(column.missing) };
    let unique = column.alone.map_or_else(|| "-".to_owned(), |alone| percent(alone, rows));
    [name, column.kind.name().to_owned(), column.distinct.to_string(), missing, unique, role]
}
