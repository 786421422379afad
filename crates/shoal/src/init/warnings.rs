//! What should the owner of a table think about before anything else?

use super::column::Examined;
use super::findings::{Distinct, WhoseRows};
use super::for_people::grouped;
use crate::policy::Role;

/// More columns are counted, not named.
const NAMED: usize = 3;

/// What to think about, the gravest first.
pub(super) fn of(columns: &[Examined], rows: u64, whose: Option<&WhoseRows>) -> Vec<String> {
    let mut warnings = Vec::new();
    if rows < 2 {
        warnings.push("the table has a single row, and no release can hide it among others".to_owned());
    }
    for column in columns.iter().filter(|column| column.is_of_one_person) {
        let findings = &column.findings;
        let with_value = rows - findings.missing;
        if let Distinct::Exactly(people) = findings.distinct
            && people < with_value
        {
            let counts = match whose.is_some_and(|whose| whose.column == findings.name) {
                true => "so the starter policy counts people (`person` in [input])",
                false => "and k-anonymity counts rows",
            };
            warnings.push(format!(
                "values of `{}` repeat: if each is one person, {} rows are those of {} people, {counts}",
                findings.name,
                grouped(with_value),
                grouped(people)
            ));
        }
    }
    let hidden: Vec<String> = columns
        .iter()
        .filter(|column| column.findings.hierarchy.as_ref().is_some_and(|proposed| proposed.is_hidden))
        .map(|column| format!("`{}`", column.findings.name))
        .collect();
    if !hidden.is_empty() {
        let which = named(&hidden);
        warnings.push(format!(
            "the starter policy hides all values of {which}; leave out what nobody needs, then show some of them again"
        ));
    }
    let is_left_out = |column: &&Examined| column.is_free_text && column.findings.role == Role::Identifier;
    let texts: Vec<String> =
        columns.iter().filter(is_left_out).map(|column| format!("`{}`", column.findings.name)).collect();
    if !texts.is_empty() {
        let (looks, is) = if texts.len() == 1 { ("looks", "is") } else { ("look", "are") };
        warnings.push(format!(
            "{} {looks} like free text, in which anybody may be named, and {is} left out; no method makes such text vaguer",
            named(&texts)
        ));
    }
    let answers: Vec<&str> =
        columns.iter().filter(|column| column.findings.is_answer).map(|column| column.findings.name.as_str()).collect();
    if let [first, ..] = answers[..] {
        warnings.push(format!(
            "{} columns look like answers to the questions of a survey (`{first}`, ..) and are left out: whoever knows a few of them of a \
             person would find that person's row. Make those `sensitive` that nobody else can know, which publishes them as they are, and those \
             `quasi-identifier` that others could know and users need",
            answers.len()
        ));
    }
    let recognised: Vec<String> = columns
        .iter()
        .filter_map(|column| column.safe_harbor.as_ref())
        .map(|found| format!("`{}` ({})", found.column, found.item))
        .collect();
    if !recognised.is_empty() {
        let looks = if recognised.len() == 1 { "looks like an identifier" } else { "look like identifiers" };
        warnings.push(format!(
            "{} {looks} of HIPAA's Safe Harbor, which must not be in a release under that rule (`shoal explain safe-harbor`)",
            recognised.join(", ")
        ));
    }
    if !columns.iter().any(|column| column.findings.role == Role::Sensitive) {
        warnings.push(
            "no column looks sensitive, so the starter policy asks for k-anonymity only; make what nobody must learn \
             about a person `sensitive`"
                .to_owned(),
        );
    }
    warnings
}

/// Some columns, of which the first are named.
fn named(columns: &[String]) -> String {
    match columns.len() {
        ..=NAMED => columns.join(", "),
        count => format!("{count} columns ({}, ..)", columns[..NAMED].join(", ")),
    }
}
