//! Does an audit of the release say what the run that made it said, to the last digit?

use serde_json::Value;

use super::audit_people;
use crate::case::Audit;
use crate::cover::Label;
use crate::finding::Finding;
use crate::levels::Levels;
use crate::policy::Column;
use crate::question::Question;
use crate::refusal;
use crate::requirement::{Model, Requirement};
use crate::trial::{Published, Trial};

/// Audits the release as the plan says.
pub fn release(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published) -> std::io::Result<()> {
    let Some(audit) = trial.case.plan.audit else { return Ok(()) };
    let policy = &trial.case.policy;
    let compares = policy.requirements.iter().any(|r| matches!(r.model, Model::TCloseness { to_table: true, .. }));
    let generalizes = published.summary["generalized_sensitive"].as_object().is_some_and(|all| !all.is_empty());
    // Without the original nobody knows its distribution, nor which of the values below a label occur.
    let tells_people = policy.people.as_ref().is_none_or(|people| people.told_by.is_some());
    if audit == Audit::Alone && (compares || generalizes) && tells_people {
        return Ok(());
    }
    let (release, original) = (trial.case.output_name(), trial.case.input_name());
    let mut arguments = vec!["audit", &release, "--policy", "policy.toml", "--json", "--threads", "1"];
    let sensitive = published.summary["sensitive_release"].as_str().map(str::to_owned);
    if let Some(sensitive) = &sensitive {
        arguments.extend(["--sensitive-table", sensitive]);
    }
    if audit == Audit::WithOriginal {
        arguments.extend(["--original", &original]);
    }
    let person = policy.people.as_ref().and_then(|people| people.told_by.clone()).filter(|_| sensitive.is_none());
    if let Some(person) = &person {
        arguments.extend(["--person", person]);
    }
    let answer = trial.call(trial.folder, &arguments)?;
    let with = if audit == Audit::WithOriginal { "original" } else { "alone" };
    trial.tally.add("checks", format!("audit, {with}"));
    if answer.code == Some(2)
        && let Some(refusal) = refusal::known(&answer.stderr)
    {
        trial.tally.add("known refusals", format!("{}: {}", refusal.words, refusal.reason));
        return Ok(());
    }
    let Some(found) = answer.json().filter(|_| answer.code.is_some_and(|code| code < 2)) else {
        trial.find(Finding::new("audit/failed", "an audit of our own release", answer.stderr.trim()));
        return Ok(());
    };
    if person.is_some() {
        audit_people::figures(trial, question, published, &found["people"]);
    }
    if policy.people.is_some() && person.is_none() {
        people_unknown(trial, &found, answer.code);
        sizes(trial, published, &found);
        return Ok(());
    }
    let about = about(trial, question, published);
    let required: Vec<&Value> =
        found["models"].as_array().into_iter().flatten().filter(|model| model.get("holds").is_some()).collect();
    let models = published.summary["models"].as_array().cloned().unwrap_or_default();
    for (said, audited) in models.iter().zip(&required) {
        if said["achieved"] != audited["achieved"] || said["holds"] != audited["holds"] {
            let check = format!("audit/achieved/{}{about}", said["model"].as_str().unwrap_or_default());
            trial.find(Finding::new(check, said["achieved"].to_string(), audited.to_string()));
        }
    }
    if models.len() != required.len() {
        trial.find(Finding::new("audit/models", format!("{} models", models.len()), format!("{}", required.len())));
    }
    if answer.code != Some(0) {
        trial.find(Finding::new("audit/exit", "exit code 0", format!("{:?}", answer.code)));
    }
    sizes(trial, published, &found);
    if audit == Audit::WithOriginal {
        objectives(trial, question, published, &found, about);
    }
    Ok(())
}

/// Where nobody can tell whose rows are whose, an audit judges nothing that is asked for people, says so, and does not pass.
fn people_unknown(trial: &mut Trial<'_>, found: &Value, code: Option<i32>) {
    trial.tally.add("checks", "audits that cannot tell people");
    if code != Some(1) {
        trial.find(Finding::new("audit/people/exit", "exit code 1", format!("{code:?}")));
    }
    let judged = found["models"].as_array().into_iter().flatten().find(|model| model.get("holds").is_some());
    if let Some(judged) = judged {
        trial.find(Finding::new("audit/people/judged", "no verdict about people", judged.to_string()));
    }
    if !found["holds"].is_null() {
        trial.find(Finding::new("audit/people/holds", "holds null", found["holds"].to_string()));
    }
    let unsaid = |requirement: &&Requirement| {
        let mut named = found["not_measured"].as_array().into_iter().flatten();
        !named.any(|one| one["model"] == requirement.model.id())
    };
    if let Some(requirement) = trial.case.policy.requirements.iter().find(unsaid) {
        let expected = format!("{} among what is not measured", requirement.model.id());
        trial.find(Finding::new("audit/people/unsaid", expected, found["not_measured"].to_string()));
    }
}

/// What is special about a case, so that different flaws are told apart.
fn about(trial: &Trial<'_>, question: &Question<'_>, published: &Published) -> &'static str {
    let generalizes = published.summary["generalized_sensitive"].as_object().is_some_and(|all| !all.is_empty());
    if audit_people::is_missing_in_several_ways(trial, published) {
        audit_people::IN_SEVERAL_WAYS
    } else if question.takes_people_whole() {
        " (people as a whole)"
    } else if question.kept.rows.len() < trial.case.table.rows.len() {
        " (rows with missing values dropped)"
    } else if generalizes {
        " (sensitive values generalized)"
    } else if question.levels.iter().flatten().any(Levels::has_collisions) {
        " (a label on two levels)"
    } else {
        ""
    }
}

fn sizes(trial: &mut Trial<'_>, published: &Published, found: &Value) {
    let said = &published.summary;
    let pairs = [("classes", "classes"), ("class_size", "class_size"), ("released_rows", "rows")];
    for (key, in_audit) in pairs {
        if said[key] != found[in_audit] {
            let came = format!("{in_audit} {}", found[in_audit]);
            trial.find(Finding::new(format!("audit/{in_audit}"), format!("{key} {}", said[key]), came));
        }
    }
}

/// May the release show a set that is called like a value, so that nobody can tell which of the two it is?
fn may_name_sets(trial: &Trial<'_>, question: &Question<'_>) -> bool {
    let shows_sets = trial.case.policy.method.has("categories", "\"sets\"");
    let names_others = |(column, levels): (&&Column, &Option<Levels>)| {
        levels.as_ref().is_some_and(|levels| {
            let mut labels = levels.paths().flat_map(|(_, path)| path);
            labels.any(|text| (Label { text, column, levels: None }).names_others(levels))
        })
    };
    shows_sets && question.quasi.iter().zip(&question.levels).any(names_others)
}

fn objectives(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published, found: &Value, about: &str) {
    let method = published.method(trial.case);
    // A release in two tables generalizes nothing.
    if method == "anatomy" {
        return;
    }
    let audited = &found["utility"]["objectives"];
    if audited.is_null() {
        let came = found["notes"].to_string();
        trial.find(Finding::new("audit/utility", "the objectives of the release", came));
        return;
    }
    for (id, said) in published.summary["objectives"].as_object().into_iter().flatten() {
        // Nobody can tell that labels of one level come from a method that may mix levels, nor that a search was ended
        // before it found a lower level with the same labels.
        let is_hidden = trial.case.policy.method.sets("budget") && matches!(id.as_str(), "height" | "precision");
        // Which method `best` took is not in the release: where its text could be that of several, an audit says nothing.
        // Nor is it for whom a mean or a most frequent value stands.
        let may_be_unsaid =
            trial.case.policy.method.name == "best" || method == "microaggregation" || may_name_sets(trial, question);
        let is_unsaid = may_be_unsaid && audited[id].is_null();
        // Whoever has only the release takes labels of one level for a node of the lattice.
        let is_of_labels = published.is_valued_by_labels(trial.case)
            && !matches!(id.as_str(), "discernibility" | "average-class-size");
        if said.is_null() || is_hidden || is_unsaid || is_of_labels {
            continue;
        }
        if audited[id] != *said {
            let kind = if trial.case.policy.method.is_global() { "global" } else { "local" };
            let check = format!("audit/objective/{id}/{kind}{about}");
            trial.find(Finding::new(check, said.to_string(), audited[id].to_string()));
        }
    }
}
