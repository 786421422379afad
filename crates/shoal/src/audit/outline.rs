//! What does an audit come to in a few figures, for those who compare many releases?

use super::AuditTask;
use crate::attack::{Findings, try_all};
use crate::outsider::OutsiderClasses;
use crate::risk::prosecutor;
use crate::utility::{self, Learned};
use shoal_core::Result;

/// The figures that releases are compared by.
#[derive(Debug)]
pub struct Outline {
    /// The highest and the average risk from somebody who knows who is in the table; none where quasi-identifiers are shown as
    /// they are, beside a table of sensitive values.
    pub risk: Option<(f64, f64)>,
    /// What attacks achieve.
    pub findings: Findings,
    /// How well learners do, where the original is at hand.
    pub learned: Vec<Learned>,
    /// Why some column is not predicted.
    pub not_learned: Vec<String>,
}

/// Measures what releases are compared by, and nothing else.
pub fn outline(task: &AuditTask<'_>) -> Result<Outline> {
    let mut notes = Vec::new();
    let columns = (0..task.sensitive.len()).map(|index| task.column(index, &mut notes)).collect::<Result<Vec<_>>>()?;
    let requirements = task.requirements(&columns)?;
    let input = task.original.map(|original| original.table.profile_as_input(&columns));
    let classes = OutsiderClasses::new(task.table, &columns, input.as_ref())?;
    let scene = task.scene(&classes, &columns, &requirements)?;
    let risk = prosecutor(classes.sizes(), task.risk_options.at_risk);
    let mut not_learned = Vec::new();
    let learned = match task.made.filter(|_| task.is_separated) {
        Some(made) => utility::learned_from_separated(made, task.target, &mut not_learned)?,
        None => utility::learned(&scene, task.target, task.made, &mut not_learned)?,
    };
    Ok(Outline {
        risk: (!task.is_separated).then_some((risk.highest, risk.average)),
        findings: try_all(&scene)?,
        learned,
        not_learned,
    })
}
