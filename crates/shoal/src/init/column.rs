//! What can be said of one column?

use super::column_text::ColumnText;
use super::findings::{ColumnFindings, Distinct, Sure};
use super::proposed_hierarchy;
use super::role::{self, Evidence};
use crate::meaning::SAMPLE;
use crate::meaning::safe_harbor::{Recognised, recognise};
use crate::policy::Role;
use crate::risk::grouping::Distinction;
use shoal_core::hierarchy::Profiles;
use shoal_core::table::{ColumnType, Dictionary, NumberMarks, Reading, Unclear, ValueKind};

/// What was found in a column, and what else a proposal needs to know.
pub(super) struct Examined {
    pub(super) findings: ColumnFindings,
    /// Does each person have a value of their own?
    pub(super) is_of_one_person: bool,
    /// The share of pairs of rows that it tells apart.
    pub(super) separation: f64,
    /// Which of HIPAA's identifiers it looks like.
    pub(super) safe_harbor: Option<Recognised>,
    /// Is every value to be hidden, although the role would not say so?
    pub(super) must_hide: bool,
    /// Did somebody write a text into each row?
    pub(super) is_free_text: bool,
}

/// What `k` is where nobody has said it yet: it is proposed as less than groups of values need anyway.
const NO_K: u64 = 0;

/// Looks at a column; its hierarchy is left for when all roles are known.
pub(super) fn examine(text: &ColumnText<'_>, rows: u64, marks: NumberMarks) -> Examined {
    let (reading, unclear) = text.reading(marks);
    let column_type = text.column_type(reading);
    let is_whole = text.more_than.is_none();
    let counts = || text.texts.iter().map(|(_, count)| *count);
    let alone = counts().filter(|&count| count == 1).count() as u64;
    let mut grouping = Distinction::default();
    counts().chain([text.nulls]).filter(|&count| count > 0).for_each(|count| grouping.add(count));
    let separation = grouping.separation().filter(|_| is_whole);
    let evidence = Evidence { text, column_type: &column_type, rows, alone, separation };
    let proposal = role::propose(&evidence);
    Examined {
        findings: ColumnFindings {
            name: text.name.to_owned(),
            kind: column_type.kind(),
            distinct: text.more_than.map_or(Distinct::Exactly(text.texts.len() as u64), Distinct::MoreThan),
            missing: text.nulls,
            alone: is_whole.then_some(alone),
            most_frequent: is_whole.then(|| counts().max().unwrap_or(0)),
            range: None,
            role: proposal.role,
            sure: proposal.sure,
            reason: proposal.reason,
            is_answer: false,
            dates: reading.dates,
            unclear,
            dates_are_said: false,
            hierarchy: None,
        },
        is_of_one_person: proposal.is_of_one_person,
        separation: separation.unwrap_or(1.0),
        safe_harbor: recognise(text.name, text.distinct().take(SAMPLE), rows.min(SAMPLE as u64))
            .filter(|_| !proposal.must_hide),
        must_hide: proposal.must_hide,
        is_free_text: proposal.is_free_text,
    }
}

impl Examined {
    /// Adds what depends on the role: a hierarchy, and values that may be shown.
    pub(super) fn complete(
        &mut self,
        text: &ColumnText<'_>,
        missing_marker: &str,
        marks: NumberMarks,
        told: &dyn Fn(&Dictionary) -> Profiles,
    ) {
        let reading = Reading { marks, dates: self.findings.dates };
        let column_type = text.column_type(reading);
        if self.findings.role == Role::QuasiIdentifier {
            let mut proposed = proposed_hierarchy::of(text, missing_marker, reading, told, NO_K);
            proposed.is_hidden = self.must_hide;
            self.findings.hierarchy = Some(proposed);
        }
        if self.findings.role != Role::QuasiIdentifier {
            self.findings.unclear = self.findings.unclear.take().map(Unclear::without_example);
        }
        let may_show = matches!(self.findings.role, Role::QuasiIdentifier | Role::Insensitive) && !self.must_hide;
        if may_show && text.more_than.is_none() {
            self.findings.range = range(text, &column_type);
        }
    }
}

fn range(text: &ColumnText<'_>, column_type: &ColumnType) -> Option<(String, String)> {
    if column_type.kind() == ValueKind::Text {
        return None;
    }
    let smallest = text.distinct().min_by(|a, b| column_type.compare(a, b))?;
    let largest = text.distinct().max_by(|a, b| column_type.compare(a, b))?;
    Some((smallest.to_owned(), largest.to_owned()))
}

/// A policy needs a quasi-identifier. Where no column looks like one, that which does the least harm becomes one: a
/// harmless column, else an identifier all of whose values are hidden, else the sensitive column of the fewest values.
pub(super) fn make_sure_of_a_quasi_identifier(columns: &mut [Examined]) {
    if columns.iter().any(|column| column.findings.role == Role::QuasiIdentifier) {
        return;
    }
    let harm = |column: &&mut Examined| match column.findings.role {
        Role::Insensitive => (0, 0),
        Role::Identifier => (1, 0),
        Role::QuasiIdentifier | Role::Sensitive => (2, column.findings.distinct.at_least()),
    };
    if let Some(column) = columns.iter_mut().min_by_key(harm) {
        column.must_hide = column.findings.role == Role::Identifier;
        column.findings.role = Role::QuasiIdentifier;
        column.findings.sure = Sure::InDoubt;
        column.findings.reason += "; a policy needs a quasi-identifier, and no column looks more like one";
    }
}
