//! How is a question put to somebody at a terminal?

use std::fmt::Display;
use std::str::FromStr;

use console::Term;
use dialoguer::theme::{ColorfulTheme, SimpleTheme, Theme};
use dialoguer::{Input, MultiSelect, Select};
use shoal_core::{Error, Result, printable};

use super::broken_off;
use crate::{output, signals};

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It was answered.
    Given,
    /// The question before is to be asked again.
    Back,
    /// There are other questions now, from here on.
    Again,
    /// What was answered so far does not go together.
    StartAgain,
}

/// What goes back where something is typed.
const BACK: &str = "<";

/// Puts questions, and leaves the terminal as it was.
pub struct Asking {
    theme: Box<dyn Theme>,
    terminal: Term,
}

impl Asking {
    pub fn new() -> Self {
        let theme: Box<dyn Theme> = if std::env::var_os("NO_COLOR").is_some() {
            Box::new(SimpleTheme)
        } else {
            Box::<ColorfulTheme>::default()
        };
        Self { theme, terminal: Term::stderr() }
    }

    /// Tells something.
    pub fn say(&self, text: &str) {
        output::say_text(text);
    }

    /// One of some answers; `None` goes back.
    pub fn choose(&self, question: &str, answers: &[String], proposed: usize) -> Result<Option<usize>> {
        // The names of columns are in both.
        let answers: Vec<_> = answers.iter().map(|answer| printable::line(answer)).collect();
        let question = printable::line(question);
        let select = Select::with_theme(self.theme.as_ref()).with_prompt(question).items(answers).default(proposed);
        self.answered(|| select.interact_on_opt(&self.terminal))
    }

    /// Any number of some answers; `None` goes back.
    pub fn choose_some(&self, question: &str, answers: &[String], chosen: &[bool]) -> Result<Option<Vec<usize>>> {
        let answers: Vec<_> = answers.iter().map(|answer| printable::line(answer)).collect();
        let question = printable::line(question);
        let select = MultiSelect::with_theme(self.theme.as_ref()).with_prompt(question).items(answers).defaults(chosen);
        self.answered(|| select.interact_on_opt(&self.terminal))
    }

    /// Something typed that `check` has nothing against; `None` goes back.
    pub fn enter<T>(&self, question: &str, proposed: &T, check: impl Fn(&T) -> Result<(), String>) -> Result<Option<T>>
    where
        T: FromStr + Display,
        T::Err: Display,
    {
        let question = printable::line(question);
        let read = |text: &str| text.trim().parse::<T>().map_err(|error| error.to_string());
        let typed: Result<String> = self.answered(|| {
            Input::with_theme(self.theme.as_ref())
                .with_prompt(question)
                .default(proposed.to_string())
                .validate_with(|text: &String| match text.trim() {
                    BACK => Ok(()),
                    text => read(text).and_then(|value| check(&value)),
                })
                .interact_text_on(&self.terminal)
        });
        match typed?.trim() {
            BACK => Ok(None),
            text => read(text).map(Some).map_err(Error::policy),
        }
    }

    fn answered<T>(&self, ask: impl FnOnce() -> dialoguer::Result<T>) -> Result<T> {
        signals::leave_to_prompts(true);
        let answer = ask().map_err(|_| {
            // Whoever stops in the middle of a list finds the cursor again.
            let _ = self.terminal.show_cursor();
            broken_off()
        })?;
        // Not where it was broken off: the signal may come after the answer that it is.
        signals::leave_to_prompts(false);
        Ok(answer)
    }
}
