//! What must stay the same, or not become worse, when a case is changed?

use serde_json::{Value, json};

use super::{relaxing, renaming};
use crate::case::{Case, Law};
use crate::dice::Dice;
use crate::draw::SECRET;
use crate::finding::{Finding, is_near};
use crate::hierarchy::Hierarchy;
use crate::policy::{Meaning, Role};
use crate::question::Question;
use crate::trial::{Outcome, Published, Trial};

/// The law of the plan.
pub fn law(trial: &mut Trial<'_>, question: &Question<'_>, outcome: &Outcome) -> std::io::Result<()> {
    let Some(law) = trial.case.plan.law else { return Ok(()) };
    let mut dice = Dice::new(trial.case.plan.seed, 1);
    let case = trial.case;
    let changed = match law {
        Law::RowsPermuted => {
            let mut permuted = case.clone();
            dice.shuffle(&mut permuted.table.rows);
            Some(permuted)
        }
        Law::ColumnsRenamed => Some(renaming::columns(case)),
        Law::ValuesRenamed => renaming::values(case),
        Law::OtherFormat => {
            let mut other = case.clone();
            other.policy.input = if case.policy.input == "csv" { "jsonl" } else { "csv" };
            Some(other)
        }
        Law::OtherThreads => Some(case.clone()),
        Law::NoSuppression => {
            let mut strict = case.clone();
            strict.policy.method.max_suppressed.0 = 0;
            (case.policy.method.max_suppressed.0 > 0).then_some(strict)
        }
        Law::Looser => relaxing::looser(case, &mut dice),
        Law::AsAchieved => match outcome {
            Outcome::Released(published) => relaxing::as_achieved(case, &published.summary["models"]),
            _ => None,
        },
        Law::Best => best(case),
        Law::NotNested => not_nested(case),
        Law::PeopleRenamed => renaming::people(case, &mut dice),
        Law::WithoutPeople => without_people(case).filter(|_| question.everybody_has_one_row()),
    };
    let Some(changed) = changed else { return Ok(()) };
    let folder = trial.folder.join("law");
    changed.write(&folder)?;
    let threads = if law == Law::OtherThreads { 3 - case.plan.threads } else { case.plan.threads };
    let other = trial.anonymize(&changed, &folder, threads, &[])?;
    trial.tally.add("laws", law.name());
    match law {
        Law::NoSuppression | Law::Looser | Law::AsAchieved | Law::Best => {
            in_one_direction(trial, question, law, &changed, outcome, &other)
        }
        Law::NotNested if !matches!(other, Outcome::Failed) => {
            trial.find(Finding::new("law/not-nested", "a hierarchy that is not nested is refused", name(&other)));
        }
        Law::NotNested => {}
        _ => the_same(trial, question, law, outcome, &other),
    }
    Ok(())
}

/// The same policy with the method that tries all, where that can be compared.
fn best(case: &Case) -> Option<Case> {
    let is_plain = case.policy.method.options.is_empty() && !matches!(case.policy.method.name, "anatomy" | "best");
    // A generalized sensitive value is a loss, too, to a method that tries those that generalize some.
    let generalizes = case.policy.with_role(Role::Sensitive).any(|column| column.hierarchy.is_some());
    let mut best = case.clone();
    best.policy.method.name = "best";
    best.policy.columns.iter_mut().for_each(|column| column.max_level = None);
    (is_plain && !generalizes).then_some(best)
}

/// The case in which nobody says whose the rows are.
fn without_people(case: &Case) -> Option<Case> {
    let mut without = case.clone();
    without.policy.people.take().map(|_| without)
}

/// The case with a hierarchy of a sensitive column that is none: a label with two parents, and named like a value, so that a
/// message that shows it shows a secret.
fn not_nested(case: &Case) -> Option<Case> {
    let mut wrong = case.clone();
    let column = wrong.policy.columns.iter_mut().find(|column| {
        column.role == Role::Sensitive && column.meaning == Meaning::Category && column.hierarchy.is_some()
    })?;
    let leaves: Vec<String> = column.hierarchy.as_ref()?.listed_rows()?.into_iter().map(|row| row[0].clone()).collect();
    let secret = leaves.iter().find(|leaf| leaf.starts_with(SECRET))?.clone();
    let row = |(place, leaf): (usize, &String)| {
        vec![leaf.clone(), secret.clone(), if place == 0 { "p" } else { "q" }.to_owned(), "*".to_owned()]
    };
    let rows: Vec<Vec<String>> = leaves.iter().enumerate().map(row).collect();
    column.hierarchy = Some(Hierarchy::File { name: "not-nested.csv".to_owned(), rows, delimiter: ';' });
    (leaves.len() > 1).then_some(wrong)
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Released(_) => "a release",
        Outcome::Refused => "no release",
        Outcome::Failed => "a failure",
    }
}

/// All numbers of a summary, without names.
fn numbers(published: &Published) -> Value {
    let summary = &published.summary;
    let values = |value: &Value| -> Vec<Value> {
        value.as_object().map(|object| object.values().cloned().collect()).unwrap_or_default()
    };
    let achieved: Vec<&Value> =
        summary["models"].as_array().into_iter().flatten().map(|model| &model["achieved"]).collect();
    json!({
        "rows": summary["rows"], "released": summary["released_rows"], "suppressed": summary["suppressed_rows"],
        "classes": summary["classes"], "class_size": summary["class_size"], "levels": values(&summary["levels"]),
        "objectives": summary["objectives"], "achieved": achieved,
        "generalized": values(&summary["generalized_sensitive"]),
    })
}

fn the_same(trial: &mut Trial<'_>, question: &Question<'_>, law: Law, outcome: &Outcome, other: &Outcome) {
    let method = trial.case.policy.method.name;
    let whole = if question.takes_people_whole() { " (people as a whole)" } else { "" };
    let check = format!("law/{}/{method}{whole}", law.name());
    let (Outcome::Released(first), Outcome::Released(second)) = (outcome, other) else {
        if name(outcome) != name(other) {
            trial.find(Finding::new(check, name(outcome), name(other)));
        }
        return;
    };
    let (before, after) = (numbers(first), numbers(second));
    // Which records share a class is drawn by lot there, and the lot depends on all that is shown.
    let by_lot = method == "anatomy" && !matches!(law, Law::OtherThreads | Law::OtherFormat | Law::WithoutPeople);
    if before != after && !by_lot {
        trial.find(Finding::new(check, before.to_string(), after.to_string()));
        return;
    }
    let (Some(one), Some(two)) = (&first.release, &second.release) else { return };
    let shuffled = trial.case.policy.shuffle;
    let same_rows = match law {
        Law::OtherThreads | Law::PeopleRenamed | Law::WithoutPeople => first.bytes == second.bytes,
        Law::OtherFormat if !shuffled => one.rows == two.rows,
        _ if by_lot || law == Law::ValuesRenamed => true,
        Law::ColumnsRenamed if !shuffled => one.rows == two.rows,
        _ => {
            // Of equal records, which one goes where may depend on their order.
            let names = question.quasi.iter().chain(&question.sensitive).map(|column| &column.name);
            let places: Vec<usize> = names.filter_map(|name| one.place(name)).collect();
            one.sorted_columns(&places) == two.sorted_columns(&places)
        }
    };
    if !same_rows {
        trial.find(Finding::new(format!("{check}/rows"), format!("{:?}", one.rows), format!("{:?}", two.rows)));
    }
    // The order of shuffled rows is a function of what they show.
    let all: Vec<usize> = (0..one.names.len()).collect();
    let shows_the_same = || one.sorted_columns(&all) == two.sorted_columns(&all);
    if shuffled && law == Law::RowsPermuted && first.bytes != second.bytes && shows_the_same() {
        trial.find(Finding::new(format!("{check}/order"), format!("{:?}", one.rows), format!("{:?}", two.rows)));
    }
}

fn in_one_direction(
    trial: &mut Trial<'_>,
    question: &Question<'_>,
    law: Law,
    changed: &Case,
    outcome: &Outcome,
    other: &Outcome,
) {
    let method = &trial.case.policy.method;
    let whole = if question.takes_people_whole() { " (people as a whole)" } else { "" };
    let check = format!("law/{}/{}{whole}", law.name(), method.name);
    // Which of the two asks for less?
    let (strict, loose) = if law == Law::NoSuppression { (other, outcome) } else { (outcome, other) };
    // With rows suppressed, which go first depends on the bounds: only one level for all rows, judged class by class, gives
    // the same release again.
    let depends = changed.policy.requirements.iter().any(|required| required.model.depends_on_release());
    let may_miss = changed.policy.method.max_suppressed.0 > 0 && (depends || !method.is_optimal());
    match (strict, loose) {
        // Which nodes a budget is spent on depends on what is asked for.
        (Outcome::Released(_), Outcome::Refused) if method.sets("budget") => {
            trial.tally.add("laws", format!("{}: refused within a budget", law.name()));
        }
        (Outcome::Released(_), Outcome::Refused) if law == Law::AsAchieved && may_miss => {
            trial.tally.add("laws", "as-achieved: refused, where rows may be suppressed");
        }
        (Outcome::Released(_), Outcome::Refused) => {
            trial.find(Finding::new(format!("{check}/refused"), "a release, as with more asked for", "no release"));
        }
        (Outcome::Released(strict), Outcome::Released(loose)) => {
            let value = |published: &Published| published.summary["objective_value"].as_f64();
            let gap = loose.summary["gap"].as_f64().unwrap_or(0.0);
            if strict.is_valued_by_labels(trial.case) || loose.is_valued_by_labels(trial.case) {
                trial.tally.add("laws", format!("{}: not compared, judged by labels", law.name()));
                return;
            }
            let (Some(strict), Some(loose)) = (value(strict), value(loose)) else { return };
            let more = loses_more(strict, loose, gap);
            let is_law = match law {
                Law::NoSuppression | Law::Best => more,
                Law::AsAchieved => method.is_optimal() && method.max_suppressed.0 == 0 && !is_near(strict, loose),
                _ => more && method.is_global() && is_monotone(changed),
            };
            if is_law {
                let objective = method.objective;
                trial.find(Finding::new(
                    format!("{check}/loses"),
                    format!("{objective} at most {strict}, and a gap of {gap} more"),
                    format!("{objective} {loose}"),
                ));
            } else if more && law == Law::Looser && !method.is_global() {
                trial.tally.raised.push(if strict > 0.0 { loose / strict - 1.0 } else { 1.0 });
            }
        }
        _ => {}
    }
}

/// Does a release lose more than one that more was asked of? A search that its budget ends may, by no more than the gap that it
/// admits.
fn loses_more(strict: f64, loose: f64, gap: f64) -> bool {
    loose - gap > strict && !is_near(strict, loose - gap)
}

/// Does every node lose less, or as much, if less is asked for? Where rows are suppressed, some objectives are better off
/// without a class that just became good enough.
fn is_monotone(case: &Case) -> bool {
    let by_rows =
        matches!(case.policy.method.objective, "loss" | "discernibility" | "precision" | "height" | "information");
    let depends = case.policy.requirements.iter().any(|requirement| requirement.model.depends_on_release());
    case.policy.method.max_suppressed.0 == 0 || (by_rows && !depends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_within_a_budget_may_lose_as_much_more_as_it_admits() {
        assert!(!loses_more(0.25, 0.5, 0.25));
        assert!(loses_more(0.25, 0.5, 0.125));
        assert!(loses_more(0.25, 0.5, 0.0));
        assert!(!loses_more(0.5, 0.25, 0.0));
    }
}
