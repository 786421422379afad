//! What is set on the command line instead of in the policy?

use std::path::Path;

use clap::Args;
use shoal::policy::{Policy, PolicyDocument, Setting};
use shoal::{Error, Result};

use crate::output::word;

#[derive(Args, Default)]
pub struct Settings {
    /// Set a key of the policy for this run: `k=10`, `max-suppressed=0.05`, `output.seed=1`, `columns.age.min-level=1`,
    /// `require[0].k=3`; `require[1]=none` leaves a requirement out. The value is TOML, or a plain word. May be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = parsed)]
    pub settings: Vec<Setting>,
}

fn parsed(text: &str) -> Result<Setting, String> {
    text.parse().map_err(|error: Error| {
        let hint = error.hint_text().map(|hint| format!(" ({hint})"));
        error.message().to_owned() + &hint.unwrap_or_default()
    })
}

impl Settings {
    /// The policy in a file, with what is set here.
    pub fn read(&self, path: &Path) -> Result<Policy> {
        PolicyDocument::read(path)?.with(&self.settings)?.policy()
    }

    /// A policy from elsewhere, with what is set here.
    pub fn on(&self, policy: Policy, name: &str) -> Result<Policy> {
        if self.settings.is_empty() {
            return Ok(policy);
        }
        PolicyDocument::of(&policy, name)?.with(&self.settings)?.policy()
    }

    /// Refuses settings where there is no policy to set them in; `hint` says how to name one.
    pub fn refuse_without_policy(&self, hint: &str) -> Result<()> {
        match self.settings.is_empty() {
            true => Ok(()),
            false => Err(Error::policy("--set changes a policy, and there is none").hint(hint)),
        }
    }

    /// Are there values that [`Settings::words`] does not show?
    pub fn hides(&self) -> bool {
        self.settings.iter().any(|set| set.shown_value() != set.value())
    }

    /// The options as words of a command, each after a space; two dots stand for what may be a secret.
    pub fn words(&self) -> String {
        let setting = |set: &Setting| format!(" --set {}", word(format!("{}={}", set.key(), set.shown_value())));
        self.settings.iter().map(setting).collect()
    }
}
