//! What stands in the way of a release, and what would be enough?

use std::time::{Duration, Instant};

use shoal_core::Error;
use shoal_core::error::Kind;
use shoal_core::lattice::Node;
use shoal_core::watch::Watch;

use super::trial::Trials;
use super::{Advised, Asked, ChangeKind};
use crate::policy::{PolicyDocument, Setting};
use crate::study::{Study, WhyNot};

/// Whoever has no release waits so long for what would give one, besides the search that found none.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many ways out are told.
const MOST: usize = 4;

impl Study {
    /// An error that says that there is no release, with what stands in the way and changes that were tried and give one; every other
    /// error as it is. `given` is what was set besides the policy.
    pub fn explained(&self, error: Error, given: &[Setting], watch: &dyn Watch) -> Error {
        if error.kind() != Kind::NoRelease || self.follows_a_recipe() {
            return error;
        }
        let top: Node = self.table().lattice().top().clone();
        let error = match self.why_not(&top) {
            Ok(Some(why)) => why.in_the_way().into_iter().fold(error, Error::detail),
            Ok(None) | Err(_) => error,
        };
        let Ok(document) = PolicyDocument::of(self.policy(), "the policy") else { return error };
        let trials = Trials::new(self, document, given, (Instant::now(), PATIENCE), watch);
        let asked = Asked { study: self, now: None, given };
        let Ok(mut advice) = asked.towards_a_release(&trials) else { return error };
        advice.sort();
        let (without, ways): (Vec<&Advised>, Vec<&Advised>) =
            advice.advice.iter().partition(|advised| advised.change.kind == ChangeKind::WithoutRequirement);
        // To promise less is better than not to promise, and nobody is told to promise nothing at all.
        let promises_nothing = ways.is_empty() && self.requirements().len() == 1;
        let ways: Vec<&Advised> = ways.into_iter().chain(without.into_iter().filter(|_| !promises_nothing)).collect();
        match ways.is_empty() {
            true => error,
            false => error.hint(enough(&ways)),
        }
    }
}

impl WhyNot {
    /// Which requirements and columns keep records from being released, even at the most general levels.
    fn in_the_way(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (requirement, rows) in self.by_requirement.iter().filter(|(_, rows)| *rows > self.allowed) {
            lines.push(format!(
                "at the most general levels {requirement} alone keeps {rows} records out, where {} may be left out",
                self.allowed
            ));
        }
        let columns: Vec<String> =
            self.rare_by.iter().take(MOST).map(|(column, rows)| format!("{rows} by `{column}`")).collect();
        if !columns.is_empty() {
            lines.push(format!("so many of them are rare by one column: {}", columns.join(", ")));
        }
        lines
    }
}

/// What was tried and gives a release, with the settings that make it.
fn enough(advised: &[&Advised]) -> String {
    let one = |advised: &&Advised| {
        let settings: Vec<String> =
            advised.change.words().iter().map(|word| format!("--set {}", for_a_shell(word))).collect();
        format!("{} ({})", advised.change.what, settings.join(" "))
    };
    let ways: Vec<String> = advised.iter().take(MOST).map(one).collect();
    format!("tried, and enough: {}; `shoal advise` says what each costs", ways.join("; or "))
}

/// A word as a shell takes it.
fn for_a_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.=".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
