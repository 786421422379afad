//! Which ways to a release are worth trying on a table?

use super::findings::{ColumnFindings, Distinct, TableFindings};
use super::method_choice::MethodChoice;
use crate::policy::Role;
use shoal_core::table::ValueKind;

/// A method with its parameters, and what of it is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attempt {
    /// What a policy would say.
    pub(super) choice: MethodChoice,
    /// What is tried: the same, or without a last step that takes long and never loses more.
    pub(super) tried: MethodChoice,
}

/// Sets of more values than this are nothing to read.
const MOST_IN_A_SET: u64 = 50;

/// So many cells (tuples times quasi-identifiers) can be refined in half a minute, which is what a first run may take.
const MOST_CELLS_TO_REFINE: u64 = 1_500_000;

/// So many can be cut where that gains most, which values every column at every cut, in half a minute.
const MOST_CELLS_TO_VALUE: u64 = 4_000_000;

/// So many combinations of levels are taken in their order where rows have levels of their own: seconds, not minutes.
const LOCAL_BUDGET: &str = "500";

/// Where there are more cells, giving rows levels of their own takes minutes.
const MOST_CELLS_FOR_LOCAL: u64 = 3_000_000;

/// The ways worth trying on a table with so many distinct tuples. Those that keep columns easiest to work with come first: of two that
/// lose the same, the first is proposed.
pub(super) fn worth_trying(findings: &TableFindings, tuples: u64) -> Vec<Attempt> {
    let cells = tuples.saturating_mul(findings.with_role(Role::QuasiIdentifier).count() as u64);
    let plain = |choice: MethodChoice| Attempt { tried: choice.clone(), choice };
    let mut ways = vec![plain(MethodChoice::full_domain(findings))];
    if cells <= MOST_CELLS_FOR_LOCAL {
        let local = MethodChoice::new("full-domain").with("local", "true").with("budget", LOCAL_BUDGET);
        ways.push(plain(local));
    }
    let mut cutting = vec![MethodChoice::new("mondrian")];
    if findings.with_role(Role::QuasiIdentifier).any(is_category)
        && findings.with_role(Role::QuasiIdentifier).all(can_be_read_as_a_set)
    {
        cutting.push(MethodChoice::new("mondrian").with("categories", "\"sets\""));
    }
    ways.extend(cutting.into_iter().map(|choice| {
        let tried = choice.clone().with("refine", "false");
        match cells {
            few if few <= MOST_CELLS_TO_REFINE => Attempt { choice, tried },
            few if few <= MOST_CELLS_TO_VALUE => plain(tried),
            // Cuts in the widest column are found much sooner than those that gain most, and lose about as much.
            _ => plain(tried.with("choose", "\"width\"")),
        }
    }));
    ways
}

fn is_category(column: &ColumnFindings) -> bool {
    column.kind == ValueKind::Text && !column.hierarchy.as_ref().is_some_and(|proposed| proposed.is_hidden)
}

fn can_be_read_as_a_set(column: &ColumnFindings) -> bool {
    !is_category(column) || matches!(column.distinct, Distinct::Exactly(values) if values <= MOST_IN_A_SET)
}
