//! What matters most to those who will use a release, and which way to it keeps that?

use std::path::Path;

use shoal::Table;
use shoal::init::{self, Choices, MethodChoice};
use shoal::policy::Role;
use shoal::source::column_values;
use shoal_core::Result;
use shoal_core::hierarchy::{ColumnValues, Hierarchy};
use shoal_core::method::METHODS;

use super::asking::Answer;
use super::{Interview, described};

/// How much more a column counts that matters most.
const WEIGHT: f64 = 5.0;

impl Interview<'_> {
    pub(super) fn ask_what_matters(&mut self) -> Result<Answer> {
        let names: Vec<String> =
            self.findings.with_role(Role::QuasiIdentifier).map(|column| column.name.clone()).collect();
        let chosen: Vec<bool> = names.iter().map(|name| self.marked.contains(name)).collect();
        let question = "Which columns matter most to those who will use the release? (Space marks one, Enter goes on; without a \
                        mark they are all alike)";
        let Some(marked) = self.asking.choose_some(question, &names, &chosen)? else { return Ok(Answer::Back) };
        self.marked = marked.into_iter().map(|place| names[place].clone()).collect();
        self.choices.max_levels.retain(|(name, _)| self.marked.contains(name));
        Ok(Answer::Given)
    }

    pub(super) fn ask_how_vague(&mut self, place: usize) -> Result<Answer> {
        let column = &self.findings.columns[place];
        let Some(levels) = self.levels_of(place)? else { return Ok(Answer::Given) };
        let mut answers = vec!["whatever it takes; nothing is ruled out".to_owned()];
        answers.extend(levels.iter().map(|(level, example)| format!("no vaguer than {example} (level {level})")));
        let current = self.choices.max_levels.iter().find(|(name, _)| *name == column.name).map(|(_, level)| *level);
        let proposed = levels.iter().position(|(level, _)| Some(*level) == current).map_or(0, |place| place + 1);
        let question = format!(
            "{}: how vague may it become? (a limit is kept by `full-domain` alone, which keeps less of other columns)",
            described(column)
        );
        let Some(chosen) = self.asking.choose(&question, &answers, proposed)? else { return Ok(Answer::Back) };
        let name = column.name.clone();
        self.choices.max_levels.retain(|(known, _)| *known != name);
        if chosen > 0 {
            self.choices.max_levels.push((name, levels[chosen - 1].0));
        }
        Ok(Answer::Given)
    }

    /// The levels between a column's values and the root, each with the label of a value in the middle.
    fn levels_of(&self, place: usize) -> Result<Option<Vec<(usize, String)>>> {
        let column = &self.findings.columns[place];
        let Some(proposed) = column.hierarchy.as_ref().filter(|proposed| !proposed.is_hidden) else { return Ok(None) };
        let (dictionary, counts) = column_values(&self.findings.input, &column.name, column.dates)?;
        let values = ColumnValues { name: &column.name, dictionary: &dictionary, counts: &counts, may_print: true };
        let hierarchy: Hierarchy = proposed.suggestion.spec.build(&values, Path::new(""))?;
        let middle = (dictionary.present().len() / 2) as u32;
        let label = |level: usize| {
            let labels = hierarchy.level(level);
            (level, labels.label(labels.node_of(middle)).to_owned())
        };
        let levels: Vec<(usize, String)> = (1..hierarchy.height()).map(label).collect();
        Ok((!levels.is_empty()).then_some(levels))
    }

    pub(super) fn ask_method(&mut self) -> Result<Answer> {
        let table = Table::from(&*self.findings.input.path);
        let (proposed, trials) = init::propose(&table, self.findings, self.weighted(), self.watch)?;
        self.asking.say(&trials.to_text());
        let mut choices: Vec<MethodChoice> = Vec::new();
        let mut answers: Vec<String> = Vec::new();
        for tried in &trials.tried {
            if let Ok(kept) = &tried.outcome {
                answers.push(format!("{}: {} (loss {:.3})", tried.choice, looks(&tried.choice), kept.loss));
                choices.push(tried.choice.clone());
            }
        }
        let first = trials.best().and_then(|(best, _)| choices.iter().position(|choice| *choice == best.choice));
        let Some(first) = first else {
            self.asking.say("Nothing that was tried gives a release: ask for less, or let more rows be left out.\n");
            return Ok(Answer::Back);
        };
        let question = "How are values made vaguer?";
        let Some(chosen) = self.asking.choose(question, &answers, first)? else { return Ok(Answer::Back) };
        self.choices = proposed;
        self.choices.method = choices.swap_remove(chosen);
        self.trials = Some(trials);
        Ok(Answer::Given)
    }

    /// The choices so far, with a weight for what matters most.
    fn weighted(&self) -> Choices {
        let weights = self.marked.iter().map(|name| (name.clone(), WEIGHT)).collect();
        Choices { weights, weights_are_proposed: false, ..self.choices.clone() }
    }

    /// What rows of the release would show that was tried.
    pub(super) fn show_first_rows(&self) {
        let Some(trials) = &self.trials else { return };
        let tried = trials.tried.iter().find(|tried| tried.choice == self.choices.method);
        if let Some(Ok(kept)) = tried.map(|tried| &tried.outcome) {
            self.asking.say(&init::first_rows(&kept.candidate));
        }
    }
}

/// What a release of a method looks like.
fn looks(choice: &MethodChoice) -> &'static str {
    let method = METHODS.iter().find(|entry| entry.id() == choice.name);
    match method.is_some_and(|entry| (entry.default)().is_local()) {
        false if choice.keys.iter().any(|(key, _)| *key == "local") => "labels of several levels in a column",
        false => "a column looks the same in all rows, as statistical software expects",
        true => "ranges of their own for each group of rows",
    }
}
