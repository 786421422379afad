//! What does an audit tell those who compare a release with its original?

use super::AuditTask;
use crate::attack::Scene;
use crate::policy::{Resolving, Role};
use crate::utility::{self, Utility};
use shoal_core::Result;
use shoal_core::objective::{Loss, Objective};

impl AuditTask<'_> {
    /// What the release is still good for, if the original is at hand.
    pub(super) fn utility(&self, scene: &Scene<'_>, notes: &mut Vec<String>) -> Result<Option<Utility>> {
        if self.original.is_none() || self.is_separated {
            return Ok(None);
        }
        let of_role = |role| self.policy.into_iter().flat_map(move |policy| policy.with_role(role));
        let columns = of_role(Role::QuasiIdentifier).chain(of_role(Role::Sensitive));
        let mut weights: Vec<f64> = columns.map(|column| column.weight).collect();
        weights.resize(self.quasi.len() + self.sensitive.len(), 1.0);
        // Where the policy cannot ask it of this original, nobody knows what a run would have released.
        let requirements =
            self.policy.zip(self.counted).and_then(|(policy, counted)| policy.resolve(Resolving::input(counted)).ok());
        let settings = utility::Settings {
            counted: self.counted,
            requirements: requirements.as_deref(),
            showing: self.policy.map(|policy| policy.method.method.showing(policy.method.style)),
            objective: self.policy.map_or(Loss.id(), |policy| policy.method.objective.id()),
            weights,
            target: self.target,
            made: self.made,
        };
        utility::measure(scene, &settings, notes)
    }
}
