//! Which columns are the answers to the questions of a survey?

use std::collections::HashMap;

use super::column::Examined;
use super::column_text::ColumnText;
use super::findings::Sure;
use super::for_people::counted;
use crate::policy::Role;

/// Fewer columns of a kind may be anything.
const FEWEST: usize = 8;

/// Questions that are asked by the dozen have few answers.
const MOST_ANSWERS: usize = 11;

/// Leaves columns out that nothing is known of but that many others are just like them: scales from 1 to 5, or the same few words. A few of them
/// tell a person from all others, so that they are not published unless somebody says that nobody can know them; and to hide dozens of them
/// among k others leaves nothing of any column. Where there is hardly anything else in the table, they are quasi-identifiers like any other.
pub(super) fn recognise(columns: &mut [Examined], texts: &[ColumnText<'_>]) {
    let may_be_one = |place: usize| {
        let (column, text) = (&columns[place], &texts[place]);
        let is_unknown = column.findings.role == Role::QuasiIdentifier && column.findings.sure == Sure::InDoubt;
        is_unknown && !column.must_hide && text.more_than.is_none() && (2..=MOST_ANSWERS).contains(&text.texts.len())
    };
    let candidates: Vec<usize> = (0..columns.len()).filter(|&place| may_be_one(place)).collect();
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    for &place in &candidates {
        for key in [series(texts[place].name), answers(&texts[place])].into_iter().flatten() {
            alike.entry(key).or_default().push(place);
        }
    }
    let is_one = |place: usize| like_it(place, texts, &alike) >= FEWEST as u64;
    let found: Vec<usize> = candidates.into_iter().filter(|&place| is_one(place)).collect();
    let is_worth_having = |(place, column): (usize, &Examined)| {
        let is_known = column.findings.sure == Sure::Likely && !column.must_hide;
        is_known && matches!(column.findings.role, Role::QuasiIdentifier | Role::Sensitive) && !found.contains(&place)
    };
    if !columns.iter().enumerate().any(is_worth_having) {
        return;
    }
    for place in found {
        let findings = &mut columns[place].findings;
        findings.role = Role::Identifier;
        findings.is_answer = true;
        findings.reason = format!(
            "one of {} of the same kind, as answers to the questions of a survey are; it is left out until you say whether others could \
             know it (`quasi-identifier`) or not (`sensitive`, which is published as it is)",
            counted(like_it(place, texts, &alike), "column")
        );
    }
}

/// How many candidates are of the kind of this one, itself included.
fn like_it(place: usize, texts: &[ColumnText<'_>], alike: &HashMap<String, Vec<usize>>) -> u64 {
    let keys = [series(texts[place].name), answers(&texts[place])];
    keys.iter().flatten().map(|key| alike[key].len() as u64).max().unwrap_or(0)
}

/// What the names of a series have in common: `q1`, `q2`.
fn series(name: &str) -> Option<String> {
    let letters: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
    (letters.len() < name.len()).then(|| format!("named {letters}"))
}

/// The different answers, where there are enough of them to tell one kind of question from another.
fn answers(text: &ColumnText<'_>) -> Option<String> {
    let mut answers: Vec<&str> = text.distinct().collect();
    answers.sort_unstable();
    (answers.len() >= 3).then(|| format!("answers {}", answers.join("\u{0}")))
}
