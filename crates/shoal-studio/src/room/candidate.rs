//! What would the release of the policy be, before anything is written?

use std::sync::OnceLock;

use shoal::{Audit, Candidate, Error, Result, Watch, risk};

use super::columns::columns;
use super::pairs::InClasses;
use super::risks::{risks, sizes};
use super::{figures, finite, promised};
use crate::studio::Studio;
use crate::wire::{self, Attack, BeforeAfter, ClassShown, ClassesWanted, Measure};

/// A candidate, and what there is to say about it.
pub struct Found {
    /// The candidate.
    pub candidate: Candidate,
    /// What the page shows of it.
    pub shown: wire::Candidate,
    /// Its classes, the smallest first, and their rows.
    classes: Vec<(u32, u64)>,
    /// Rows by their classes, once somebody has asked.
    pub(super) in_classes: OnceLock<InClasses>,
}

/// Finds the release of the policy, and audits it.
pub fn candidate(studio: &Studio, watch: &dyn Watch) -> Result<Found> {
    let asked = studio.asked()?;
    let study = studio.study(&asked.policy, watch)?;
    let candidate = study.best(watch)?;
    watch.begin("auditing", None);
    let audit = candidate.audit(watch)?;
    watch.end();
    let shown = shown(&candidate, &audit)?;
    Ok(Found { classes: classes_by_size(&candidate), candidate, shown, in_classes: OnceLock::new() })
}

/// The classes and their rows.
fn classes_by_size(candidate: &Candidate) -> Vec<(u32, u64)> {
    let partition = candidate.partition();
    let mut rows = vec![0u64; partition.classes.len()];
    for assignment in &partition.assignments {
        if let Some(class) = assignment.class {
            rows[class as usize] += assignment.count;
        }
    }
    let mut classes: Vec<(u32, u64)> = rows.into_iter().enumerate().map(|(class, rows)| (class as u32, rows)).collect();
    classes.sort_by_key(|&(class, rows)| (rows, class));
    classes
}

fn shown(candidate: &Candidate, audit: &Audit) -> Result<wire::Candidate> {
    let (policy, counted) = (candidate.policy(), candidate.table());
    let threshold = audit.risk.as_ref().map_or(risk::Options::default().at_risk, |risk| risk.threshold);
    let sizes_after = audit.people.as_ref().map_or(&audit.sizes, |people| &people.sizes);
    let utility = audit.utility.as_ref();
    let mut warnings = candidate.study().warnings();
    let of_audit = audit.warnings.iter().filter(|warning| !warnings.contains(warning)).cloned().collect::<Vec<_>>();
    warnings.extend(of_audit);
    Ok(wire::Candidate {
        method: policy.method.method.id().to_owned(),
        objective: policy.method.objective.id().to_owned(),
        guarantee: candidate.partition().guarantee().to_owned(),
        figures: figures(candidate),
        objectives: candidate.objectives().iter().map(|(name, value)| measure(name, *value)).collect(),
        promises: promised(policy, candidate.requirements(), &candidate.measure()?.achieved),
        columns: columns(candidate, audit),
        sizes_before: sizes(counted),
        sizes_after: sizes_after.iter().map(|(size, classes)| [*size, *classes]).collect(),
        sizes_are_of_people: audit.people.is_some(),
        threshold,
        risks: risks(audit, counted),
        attacks: attacks(audit),
        associations: utility.map(associations).unwrap_or_default(),
        learned: utility.map(|utility| utility.learned.iter().map(learned).collect()).unwrap_or_default(),
        warnings: warnings.iter().map(ToString::to_string).collect(),
        notes: audit.notes.clone(),
    })
}

fn measure(name: &str, value: f64) -> Measure {
    Measure { name: name.to_owned(), value: finite(value) }
}

fn attacks(audit: &Audit) -> Vec<Attack> {
    let mut found: Vec<_> = audit.findings.found.iter().collect();
    found.sort_by_key(|finding| std::cmp::Reverse((finding.severity, finding.exposed_records)));
    let attack = |finding: &&shoal::attack::Finding| Attack {
        attack: finding.attack.to_owned(),
        column: finding.column.clone(),
        exposed: finding.exposed_records,
        records: finding.records,
        severity: finding.severity.name().to_owned(),
        learned: finding.learned.clone(),
        prevented_by: finding.prevented_by.clone(),
    };
    found.iter().map(attack).collect()
}

fn associations(utility: &shoal::utility::Utility) -> Vec<BeforeAfter> {
    let pairs = utility.associations.iter();
    pairs.map(|one| BeforeAfter { columns: one.columns.clone(), before: one.original, after: one.release }).collect()
}

fn learned(learned: &shoal::utility::Learned) -> wire::Learned {
    wire::Learned {
        learner: learned.learner.to_owned(),
        target: learned.target.clone(),
        before: learned.original,
        after: learned.release,
        majority: learned.majority,
    }
}

/// So many classes are told at once.
const MOST_CLASSES: usize = 200;

/// Some classes of the candidate.
pub fn classes(studio: &Studio, wanted: &ClassesWanted) -> Result<wire::Classes> {
    let found = studio.candidate.result_for(&studio.about());
    let found = found.ok_or_else(|| Error::no_release("the release of the policy was not looked for yet"))?;
    let (table, partition) = (found.candidate.table(), found.candidate.partition());
    let count = found.classes.len();
    let end = wanted.start.saturating_add(wanted.count.min(MOST_CLASSES)).min(count);
    let at = |place: usize| found.classes[if wanted.descending { count - 1 - place } else { place }];
    let columns = if partition.is_separated { 0 } else { table.quasi.len() };
    let class = |place: usize| {
        let (class, rows) = at(place);
        let labels = (0..columns).map(|column| partition.classes.text(table, class, column).into_owned()).collect();
        ClassShown { rows, labels }
    };
    Ok(wire::Classes {
        columns: table.quasi.iter().take(columns).map(|column| column.name.clone()).collect(),
        classes: count as u64,
        start: wanted.start,
        rows: (wanted.start.min(end)..end).map(class).collect(),
    })
}
