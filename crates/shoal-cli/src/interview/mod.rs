//! What does the owner of a table answer when asked for its policy?
//!
//! Every question has a proposal, which Enter takes; Esc (or `<` where something is typed) goes back to the one before.
//! Nothing is written before the last answer.

mod asking;
mod groups;
mod preferences;
mod questions;

use std::path::PathBuf;

use shoal::init::{self, Choices, ColumnFindings, Promise, Sure, TableFindings, Trials};
use shoal::policy::Role;
use shoal_core::error::Kind;
use shoal_core::hierarchy::HierarchySpec;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

use asking::{Answer, Asking};
use groups::Group;
use questions::Question;

/// What an interview came to.
pub struct Answers {
    pub choices: Choices,
    /// The file to write the policy to.
    pub policy: PathBuf,
}

/// An interview about a table.
pub struct Interview<'a> {
    findings: &'a mut TableFindings,
    choices: Choices,
    /// The file to write the policy to, where that is not asked for.
    fixed_policy: Option<PathBuf>,
    policy: PathBuf,
    asking: Asking,
    /// What was proposed for each column.
    proposed: Vec<Group>,
    /// Groups of columns that are asked about one by one.
    one_by_one: Vec<Group>,
    /// The columns that were said to matter most.
    marked: Vec<String>,
    /// What was tried with the answers so far.
    trials: Option<Trials>,
    watch: &'a dyn Watch,
}

impl<'a> Interview<'a> {
    /// An interview that begins with what is proposed.
    pub fn new(findings: &'a mut TableFindings, policy: Option<PathBuf>, watch: &'a dyn Watch) -> Self {
        let choices = Choices::proposed(findings);
        let proposed = policy.clone().unwrap_or_else(not_there_yet);
        let groups = findings.columns.iter().map(Group::of).collect();
        Self {
            findings,
            choices,
            fixed_policy: policy,
            policy: proposed,
            asking: Asking::new(),
            proposed: groups,
            one_by_one: Vec::new(),
            marked: Vec::new(),
            trials: None,
            watch,
        }
    }

    /// Asks until everything is answered; an error if it is broken off.
    pub fn run(mut self) -> Result<Answers> {
        self.asking.say("Enter takes what is proposed; Esc goes back; Ctrl-C stops, and nothing is written.\n");
        let mut at = 0;
        loop {
            let questions = self.questions();
            let Some(question) = questions.get(at) else { break };
            match self.ask(question)? {
                Answer::Given => at += 1,
                Answer::Back => at = at.saturating_sub(1),
                Answer::Again => {}
                Answer::StartAgain => at = 0,
            }
        }
        Ok(Answers { choices: self.choices, policy: self.policy })
    }

    /// What is to be asked, given the answers so far.
    fn questions(&self) -> Vec<Question> {
        let columns = 0..self.findings.columns.len();
        let is_guess = |place: &usize| {
            let column = &self.findings.columns[*place];
            column.unclear.is_some() && column.is_read_as_dates()
        };
        let mut questions = self.about_roles();
        for place in columns.filter(is_guess) {
            let unclear = self.findings.columns[place].unclear.as_ref();
            questions.extend(unclear.filter(|unclear| unclear.orders().len() > 1).map(|_| Question::DateOrder(place)));
            questions.extend(unclear.filter(|unclear| unclear.has_short_years()).map(|_| Question::Century(place)));
        }
        questions.push(Question::LookTheSame);
        if self.sensitive_answers().next().is_some() {
            questions.push(Question::PromiseOfAnswers);
        }
        for (place, column) in self.findings.columns.iter().enumerate() {
            if column.role == Role::Sensitive && column.values() >= 2 && !column.is_answer {
                questions.push(Question::Promise(place));
                if self.choices.promise(&column.name) != Promise::None {
                    questions.push(Question::HowMuch(place));
                }
            }
        }
        questions.push(Question::LeftOut);
        if self.findings.with_role(Role::QuasiIdentifier).count() > 1 {
            questions.push(Question::Matters);
            // Weights may also be proposed: only what was marked is asked about.
            let of_those =
                self.findings.columns.iter().enumerate().filter(|(_, column)| self.marked.contains(&column.name));
            questions.extend(of_those.map(|(place, _)| Question::HowVague(place)));
        }
        questions.extend([Question::Method, Question::Release]);
        if self.fixed_policy.is_none() {
            questions.push(Question::Policy);
        }
        questions.push(Question::Write);
        questions
    }

    /// The columns whose values are in groups, which may follow from what other columns tell.
    fn grouped(&self) -> Vec<usize> {
        let is_grouped = |column: &ColumnFindings| {
            let spec = column.hierarchy.as_ref().map(|proposed| &proposed.suggestion.spec);
            matches!(spec, Some(HierarchySpec::Tree(_)))
        };
        let columns = self.findings.columns.iter().enumerate();
        columns.filter(|(_, column)| is_grouped(column)).map(|(place, _)| place).collect()
    }

    /// Gives some columns another role, with what that brings along.
    fn change_roles(&mut self, places: &[usize], role: Role) -> Result<()> {
        let others = |place: &usize| self.findings.columns[*place].role != role;
        let changed: Vec<usize> = places.iter().copied().filter(others).collect();
        if changed.is_empty() {
            return Ok(());
        }
        self.trials = None;
        for &place in &changed {
            let column = &mut self.findings.columns[place];
            column.role = role;
            column.sure = Sure::Said;
            column.reason = "its owner said so".to_owned();
        }
        // Whether it may tell anything of others has changed, too: no group is to follow from a sensitive column.
        let others = self.grouped().into_iter().filter(|place| !changed.contains(place));
        let places: Vec<usize> = changed.iter().copied().chain(others).collect();
        init::propose_anew(self.findings, &places, self.choices.k, self.watch)?;
        // What was found out about the columns that single people out is about other columns now.
        self.findings.singling_out.together = None;
        self.choices.promises = Choices::proposed(self.findings).promises;
        let is_quasi = |name: &str| self.findings.with_role(Role::QuasiIdentifier).any(|column| column.name == name);
        self.marked.retain(|name| is_quasi(name));
        self.choices.max_levels.retain(|(name, _)| is_quasi(name));
        Ok(())
    }
}

/// A name for a policy that no file has: what is proposed can be taken.
fn not_there_yet() -> PathBuf {
    let numbered = (2..).map(|number| PathBuf::from(format!("policy-{number}.toml")));
    let mut names = std::iter::once(PathBuf::from("policy.toml")).chain(numbered);
    names.find(|name| !name.exists()).unwrap_or_default()
}

/// A column in a few words, without any of its values.
fn described(column: &ColumnFindings) -> String {
    let missing = if column.missing > 0 { ", some missing" } else { "" };
    format!("`{}` ({}, {} different values{missing})", column.name, column.kind.name(), column.distinct)
}

/// Somebody has stopped the interview.
fn broken_off() -> Error {
    Error::new(Kind::Cancelled, "the interview was broken off; nothing was written")
        .hint("`shoal init TABLE --yes` asks nothing")
}
