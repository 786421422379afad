//! What was the release to be like?

use super::Subject;
use super::page::{Page, Table, header};
use super::verdict::{reached, required};
use crate::safe::{Safe, say};
use shoal::policy::{ColumnPolicy, Policy, Role};
use shoal_core::method::Suppress;
use shoal_core::model::Requirement;

/// Roles, requirements and method. Of hierarchies only their kind: their values may be hidden by the release.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    let Some(policy) = subject.report.policy else {
        page.say("No policy was given: this is an audit of a table by somebody who has nothing else.");
        page.paragraph(&say!("The quasi-identifiers: {}.", Safe::listed(&subject.quasi())));
        return;
    };
    let requirements = subject.audit.requirements();
    let row = |(requirement, &achieved): (&Requirement, _)| {
        let holds = Safe::words(if requirement.holds(achieved) { "holds" } else { "does NOT hold" });
        vec![Safe::of_requirement(requirement), required(requirement), reached(subject, requirement, achieved), holds]
    };
    let unjudged = |requirement: &Requirement| {
        let (reached, judged) = (Safe::words("–"), Safe::words("could NOT be judged"));
        vec![Safe::of_requirement(requirement), required(requirement), reached, judged]
    };
    let judged = requirements.iter().zip(&subject.audit.measured.achieved).map(row);
    page.table(&Table {
        caption: Safe::words("What an attacker must not be able to learn"),
        header: header(&["Requirement", "#Required", "#Reached", ""]),
        rows: judged.chain(subject.audit.unjudged.iter().map(unjudged)).collect(),
    });
    page.table_in_short(
        "All columns: what they are to an attacker, and what became of them",
        &Table {
            caption: Safe::words("What each column is to an attacker, and what became of it"),
            header: header(&["Column", "Role", "Generalized by", "Level"]),
            rows: policy.columns.iter().map(|column| column_row(subject, column)).collect(),
        },
    );
    let method = Safe::words(policy.method.method.id());
    let objective = Safe::words(policy.method.objective.id());
    let suppressed = suppressed(subject, policy);
    page.paragraph(&say!("Method: {}, with as little {} as possible; {}.", method, objective, suppressed));
}

/// How much may be left out of whatever the limit counts, as far as that may be told.
fn suppressed(subject: &Subject<'_>, policy: &Policy) -> Safe {
    let most = policy.method.max_suppressed.to_f64();
    let (counted, released) = match policy.method.suppress {
        Suppress::Rows => ("rows", subject.audit.rows),
        // Where nobody has counted them, they may be so few that the limit tells how many were left out.
        Suppress::People => ("people", subject.audit.people.as_ref().map_or(0, |people| people.count)),
    };
    let counted = Safe::words(counted);
    match most > 0.0 {
        true if !subject.rule.tells_limit(most, released) => {
            say!("few {} may be suppressed (how many would tell how many were)", counted)
        }
        true => say!("at most {}% of the {} may be suppressed", Safe::number_of_release(most * 100.0), counted),
        false => Safe::words("no row may be suppressed"),
    }
}

fn column_row(subject: &Subject<'_>, column: &ColumnPolicy) -> Vec<Safe> {
    let role = Safe::words(match column.role {
        Role::Identifier if column.replace.is_some() => "identifier: replaced",
        Role::Identifier => "identifier: left out",
        Role::QuasiIdentifier => "quasi-identifier: could be known",
        Role::Sensitive => "sensitive: must not be learned",
        Role::Insensitive => "insensitive: published as it is",
    });
    let kind = match (&column.hierarchy, column.role) {
        (Some(spec), _) => Safe::words(spec.name()),
        (None, Role::QuasiIdentifier) => Safe::words("suppress"),
        (None, _) => Safe::words(""),
    };
    let level = level(subject, &column.name).unwrap_or(Safe::words(""));
    vec![Safe::of_policy(column.name.clone()), role, kind, level]
}

/// The level that a column has in the release.
fn level(subject: &Subject<'_>, name: &str) -> Option<Safe> {
    let quasi = &subject.report.run.as_ref()?.release.table().quasi;
    let place = quasi.iter().position(|column| column.name == name)?;
    let level = u64::from(subject.node()?.levels()[place]);
    let height = quasi[place].hierarchy.height() as u64;
    Some(say!("{} of {}", Safe::whole_of_release(level), Safe::whole_of_release(height)))
}
