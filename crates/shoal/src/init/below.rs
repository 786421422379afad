//! Does something stand below the table that is no row of it: a total, a source, blank rows?

use super::concern::Concern;
use shoal_core::Result;
use shoal_format::Batch;

/// So many of the last rows are looked at.
const LAST: usize = 20;

/// A table of fewer columns may have rows of one cell.
const FEWEST_COLUMNS: usize = 3;

/// Words that such a row begins with, in small letters.
const WORDS: [&str; 25] = [
    "total",
    "totals",
    "grand",
    "sum",
    "subtotal",
    "mean",
    "average",
    "median",
    "source",
    "sources",
    "note",
    "notes",
    "footnote",
    "copyright",
    "summe",
    "gesamt",
    "insgesamt",
    "quelle",
    "hinweis",
    "anmerkung",
    "totaal",
    "totalt",
    "suma",
    "fuente",
    "fonte",
];

/// A cell of so many letters and several words is a sentence.
const SENTENCE: usize = 20;

/// How many of the last rows of a table are none of it.
pub(super) fn rows_below(last: Option<&Batch>) -> Result<Option<Concern>> {
    let Some(batch) = last else { return Ok(None) };
    let columns = batch.columns.iter().map(|cells| cells.text()).collect::<Result<Vec<_>>>()?;
    let first = batch.rows().saturating_sub(LAST);
    let row =
        |row: usize| columns.iter().map(|cells| cells.iter().nth(row).flatten().unwrap_or("")).collect::<Vec<_>>();
    let rows: Vec<Vec<&str>> = (first..batch.rows()).map(row).collect();
    let below = rows.iter().rev().take_while(|row| is_below(row)).count();
    Ok((below > 0 && below < batch.rows()).then_some(Concern::Below(below)))
}

fn is_below(cells: &[&str]) -> bool {
    let filled: Vec<&str> = cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
    let Some(first) = filled.first() else { return cells.len() > 1 };
    if cells.len() < FEWEST_COLUMNS || filled.len() == cells.len() {
        return false;
    }
    let word = first.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let is_sentence = filled.len() == 1 && first.chars().count() >= SENTENCE && first.split_whitespace().count() >= 3;
    let is_number = |cell: &&str| cell.chars().all(|c| c.is_ascii_digit() || " .,+-%$€£".contains(c));
    WORDS.contains(&word.as_str()) && filled[1..].iter().all(is_number) || is_sentence
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn totals_sources_and_blank_rows_are_no_people() {
        for row in [
            ["", "", "", ""],
            ["Total", "", "", "812"],
            ["", "Summe:", "12", "5"],
            ["Source: a register of 2024", "", "", ""],
        ] {
            assert!(is_below(&row), "{row:?}");
        }
        assert!(is_below(&["The data were collected in spring", "", "", ""]));
        for row in [["34", "f", "flu", "5"], ["34", "", "", ""], ["Total", "f", "flu", ""], ["Ann", "", "", ""]] {
            assert!(!is_below(&row), "{row:?}");
        }
        assert!(!is_below(&["Total", ""]) && !is_below(&[""]), "too few columns to tell");
    }
}
