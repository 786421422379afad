//! What should the owner of a table think about before anything else?

use super::column::Examined;
use super::concern::Concern;
use super::findings::{Distinct, WhoseRows};
use crate::policy::Role;

/// What to think about, the gravest first.
pub(super) fn of(columns: &[Examined], rows: u64, whose: Option<&WhoseRows>) -> Vec<Concern> {
    let mut concerns = Vec::new();
    if rows < 2 {
        concerns.push(Concern::SingleRow);
    }
    for column in columns.iter().filter(|column| column.is_of_one_person) {
        let findings = &column.findings;
        let with_value = rows - findings.missing;
        if let Distinct::Exactly(people) = findings.distinct
            && people < with_value
        {
            let is_counted = whose.is_some_and(|whose| whose.column == findings.name);
            concerns.push(Concern::Repeats { column: findings.name.clone(), rows: with_value, people, is_counted });
        }
    }
    let named = |is_one: &dyn Fn(&Examined) -> bool| -> Vec<String> {
        columns.iter().filter(|column| is_one(column)).map(|column| column.findings.name.clone()).collect()
    };
    let hidden = named(&|column| column.findings.hierarchy.as_ref().is_some_and(|proposed| proposed.is_hidden));
    let answers = named(&|column| column.findings.is_answer);
    concerns.extend((!hidden.is_empty()).then_some(Concern::Hidden(hidden)));
    let texts = named(&|column| column.is_free_text && column.findings.role == Role::Identifier);
    concerns.extend((!texts.is_empty()).then_some(Concern::FreeText(texts)));
    concerns.extend((!answers.is_empty()).then_some(Concern::Answers(answers)));
    let recognised: Vec<(String, String)> = columns
        .iter()
        .filter_map(|column| column.safe_harbor.as_ref())
        .map(|found| (found.column.clone(), found.item.to_string()))
        .collect();
    concerns.extend((!recognised.is_empty()).then_some(Concern::SafeHarbor(recognised)));
    if !columns.iter().any(|column| column.findings.role == Role::Sensitive) {
        concerns.push(Concern::NothingSensitive);
    }
    concerns
}
