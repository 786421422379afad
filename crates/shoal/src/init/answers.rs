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

/// Makes columns sensitive that nothing is known of but that many others are just like them: scales from 1 to 5, or the same few words. Hiding
/// dozens of them among k others leaves nothing of any column, and nobody but the person knows most of them.
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
    for &place in &candidates {
        let keys = [series(texts[place].name), answers(&texts[place])];
        let like_it = keys.iter().flatten().map(|key| alike[key].len()).max().unwrap_or(0);
        if like_it >= FEWEST {
            let findings = &mut columns[place].findings;
            findings.role = Role::Sensitive;
            findings.is_answer = true;
            findings.reason = format!(
                "one of {} of the same kind, as answers to the questions of a survey are, which others hardly know",
                counted(like_it as u64, "column")
            );
        }
    }
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
