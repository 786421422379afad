//! What costs most of all that the policy asks for?

use std::time::Duration;

use shoal::{AdviseOptions, Advised, Change, Result, Setting, Watch, advise};

use super::finite;
use crate::studio::Studio;
use crate::wire::{self, Problem, SettingWords};

/// Whoever waits at a page has less patience than whoever started a command.
const BUDGET: Duration = Duration::from_secs(30);

/// What each requirement, column and limit costs.
pub fn advise(studio: &Studio, watch: &dyn Watch) -> Result<wire::Advised> {
    let asked = studio.asked()?;
    let study = studio.study(&asked.policy, watch)?;
    let advice = study.advise(&AdviseOptions { budget: BUDGET, ..AdviseOptions::default() }, watch)?;
    let what = |change: &Change| change.what.clone();
    Ok(wire::Advised {
        objective: asked.policy.method.objective.id().to_owned(),
        now: advice.now.as_ref().ok().map(figures),
        no_release: advice.now.as_ref().err().map(Problem::from),
        changes: advice.advice.iter().map(change).collect(),
        not_tried: advice.not_tried.iter().map(what).collect(),
        without_release: advice.without_release.iter().map(|(change, _)| what(change)).collect(),
    })
}

fn figures(figures: &advise::Prospect) -> wire::Figures {
    wire::Figures {
        objective_value: finite(figures.objective_value),
        released_rows: figures.released_rows,
        suppressed_rows: figures.suppressed_rows,
        classes: figures.classes,
    }
}

fn change(advised: &Advised) -> wire::Change {
    let words = |setting: &Setting| SettingWords { key: setting.key().to_owned(), value: setting.value().to_owned() };
    wire::Change {
        what: advised.change.what.clone(),
        effect: advised.effect.id().to_owned(),
        gained: advised.gained,
        figures: figures(&advised.figures),
        settings: advised.change.settings.iter().map(words).collect(),
        asks_for_more: advised.change.kind.asks_for_more(),
    }
}
