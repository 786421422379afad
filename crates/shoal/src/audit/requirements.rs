//! What does a release reach of a policy's requirements, to somebody who has nothing but these two?

use super::{AuditTask, AuditedColumn};
use crate::outsider::OutsiderTable;
use crate::policy::{Policy, Resolving, Role};
use shoal_core::Result;
use shoal_core::frequency::SensitiveColumn;
use shoal_core::model::{OneOrTwo, Quantity, Requirement};

/// Measures them just as an audit without the original does, and nothing else.
pub fn measure_requirements(table: &OutsiderTable, policy: &Policy) -> Result<Vec<(Requirement, OneOrTwo<Quantity>)>> {
    let (columns, requirements) = resolved(table, policy)?;
    let achieved = table.measure(&columns, &requirements, None)?.achieved;
    Ok(requirements.into_iter().zip(achieved).collect())
}

/// What they are, without a look at how far they are met.
pub fn requirements_of(table: &OutsiderTable, policy: &Policy) -> Result<Vec<Requirement>> {
    resolved(table, policy).map(|(_, requirements)| requirements)
}

fn resolved(table: &OutsiderTable, policy: &Policy) -> Result<(Vec<SensitiveColumn>, Vec<Requirement>)> {
    let of_policy = policy.with_role(Role::Sensitive).map(|column| AuditedColumn {
        name: column.name.clone(),
        hierarchy: column.hierarchy.clone(),
        dates: column.date_reading(),
    });
    let sensitive: Vec<AuditedColumn> = of_policy.collect();
    let task = AuditTask::new(table, &[], &sensitive).judged_by(policy);
    let columns = (0..sensitive.len()).map(|index| task.column(index, &mut Vec::new())).collect::<Result<Vec<_>>>()?;
    let requirements = policy.resolve(Resolving::release(&columns, None))?;
    Ok((columns, requirements))
}
