//! Which columns can be asked about at once?

use shoal::init::{ColumnFindings, Sure, name_of};
use shoal::policy::Role;
use shoal_core::Result;

use super::Interview;
use super::asking::Answer;
use super::questions::{Question, ROLES};

/// Columns for which the same is proposed, as surely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    role: Role,
    sure: Sure,
    are_answers: bool,
}

impl Group {
    pub(super) fn of(column: &ColumnFindings) -> Self {
        Self { role: column.role, sure: column.sure, are_answers: column.is_answer }
    }
}

/// Fewer columns are asked about one by one.
const FEWEST: usize = 5;

/// More columns are counted, not named.
const NAMED: usize = 12;

impl Interview<'_> {
    /// The questions about what columns are to others: about many at once, where the same is proposed for them.
    pub(super) fn about_roles(&self) -> Vec<Question> {
        let mut questions: Vec<Question> = Vec::new();
        for place in 0..self.findings.columns.len() {
            match self.group_of(place) {
                None => questions.push(Question::Role(place)),
                Some(group) if questions.contains(&Question::Group(group)) => {}
                Some(group) => questions.push(Question::Group(group)),
            }
        }
        questions
    }

    /// The group that a column was proposed in, if it is large and nobody wanted to be asked about each of it.
    fn group_of(&self, place: usize) -> Option<Group> {
        let group = self.proposed[place];
        let is_large = self.members(group).count() >= FEWEST;
        (is_large && !self.one_by_one.contains(&group)).then_some(group)
    }

    fn members(&self, group: Group) -> impl Iterator<Item = usize> {
        self.proposed.iter().enumerate().filter(move |(_, proposed)| **proposed == group).map(|(place, _)| place)
    }

    pub(super) fn ask_about_group(&mut self, group: Group) -> Result<Answer> {
        let members: Vec<usize> = self.members(group).collect();
        let names: Vec<String> =
            members.iter().take(NAMED).map(|&place| format!("`{}`", self.findings.columns[place].name)).collect();
        let others = if members.len() > NAMED { ", .." } else { "" };
        let (proposed, why) = match group.are_answers {
            true => ("left out", ": they look like answers of a survey, and a few of them may tell who somebody is"),
            false => (name_of(group.role), ""),
        };
        let question = format!(
            "{} columns: {}{others}: what are they to others? ({proposed}, {}{why})",
            members.len(),
            names.join(", "),
            group.sure.words()
        );
        let mut answers = vec![format!("as proposed: each {proposed}")];
        answers.push("ask me about each of them".to_owned());
        let other_roles: Vec<(Role, &str)> = ROLES.into_iter().filter(|(role, _)| *role != group.role).collect();
        answers.extend(other_roles.iter().map(|(role, meaning)| format!("each {}: {meaning}", name_of(*role))));
        match self.asking.choose(&question, &answers, 0)? {
            None => return Ok(Answer::Back),
            Some(0) => self.change_roles(&members, group.role)?,
            Some(1) => {
                self.one_by_one.push(group);
                // The questions are others now: the next is the first of them.
                return Ok(Answer::Again);
            }
            Some(other) => self.change_roles(&members, other_roles[other - 2].0)?,
        }
        self.needs_a_quasi_identifier(Question::Group(group))
    }
}
