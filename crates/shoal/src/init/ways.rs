//! Which ways to a release are worth trying on a table?

use super::findings::{ColumnFindings, Distinct, ProposedHierarchy, TableFindings};
use super::method_choice::MethodChoice;
use crate::policy::Role;
use shoal_core::hierarchy::{HierarchySpec, are_categories};
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

/// At most one code in so many may be one row's.
const RARELY_ALONE: u64 = 10;

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

/// Would its values stand in sets? Digits do, too, where they are masked or put into groups: these are codes.
fn is_category(column: &ColumnFindings) -> bool {
    let Some(proposed) = &column.hierarchy else { return column.kind == ValueKind::Text };
    let are_names = proposed.is_category || are_categories(None, Some(&proposed.suggestion.spec));
    (column.kind == ValueKind::Text || are_names) && !proposed.is_hidden
}

/// A set names everybody's own value: many words are nothing to read, and numbers and codes nothing to publish of which some are one person's.
fn can_be_read_as_a_set(column: &ColumnFindings) -> bool {
    let Distinct::Exactly(values) = column.distinct else { return !is_category(column) };
    let is_masked = |proposed: &ProposedHierarchy| matches!(proposed.suggestion.spec, HierarchySpec::Mask(_));
    let is_code = column.kind != ValueKind::Text || column.hierarchy.as_ref().is_some_and(is_masked);
    let are_shared = column.alone.is_some_and(|alone| alone * RARELY_ALONE <= values);
    !is_category(column) || if is_code { are_shared } else { values <= MOST_IN_A_SET }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::init::profile;
    use shoal_core::watch::Unwatched;
    use shoal_format::InputFormat;

    /// Are sets tried on a table whose second column has these values, each of ten rows, besides some of one row?
    fn tries_sets(name: &str, values: usize, alone: usize, value: impl Fn(usize) -> String) -> bool {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let rows = (0..values * 10).map(|row| row % values).chain(values..values + alone);
        let rows: String = rows.map(|row| format!("{},{},x{}\n", 20 + row % 50, value(row), row % 3)).collect();
        std::fs::write(&path, format!("age,{name},colour\n{rows}")).expect("a file");
        let findings = profile(&InputFormat::new(&path), &Unwatched).expect("findings");
        worth_trying(&findings, 100).iter().any(|way| way.choice.keys.iter().any(|(key, _)| *key == "categories"))
    }

    #[test]
    fn sets_name_neither_many_values_nor_those_of_one_person() {
        let number = |row: usize| (10_003 + row * 7).to_string();
        assert!(tries_sets("sector", 20, 0, |row| format!("s{row}")));
        assert!(tries_sets("sector", 20, 0, number), "few codes, of many rows each");
        assert!(tries_sets("industry", 60, 0, number), "codes that many have, too, however many they are");
        assert!(!tries_sets("staff", 60, 30, number), "digits that are masked are values like any other");
        assert!(!tries_sets("sector", 60, 0, |row| format!("s{row}")), "so many words are nothing to read");
        assert!(!tries_sets("sector", 20, 10, number), "ten are one person's");
        assert!(tries_sets("sector", 20, 10, |row| format!("s{row}")), "words are no numbers of anybody");
        assert!(tries_sets("tall", 60, 30, |row| (100 + row).to_string()), "numbers become ranges");
    }
}
