//! What is wrong with a hierarchy, and what is merely odd?

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use super::{ColumnValues, Hierarchy, HierarchySpec, Level};
use crate::Error;

/// What a check of a hierarchy found.
#[derive(Debug, Default)]
pub struct Report {
    /// Why it cannot be used.
    pub defects: Vec<Error>,
    /// What its author may not have meant.
    pub warnings: Vec<String>,
}

impl Report {
    /// Can the hierarchy be used?
    pub fn is_sound(&self) -> bool {
        self.defects.is_empty()
    }
}

/// How many labels a warning names.
const EXAMPLES: usize = 5;

/// Checks a hierarchy by itself and, where there is one, against the values of a column; `may_print` says whether labels may
/// be shown where there is none.
pub fn check(spec: &HierarchySpec, folder: &Path, column: Option<&ColumnValues<'_>>, may_print: bool) -> Report {
    let may_print = column.map_or(may_print, |column| column.may_print);
    let mut report = Report::default();
    match spec.leaf_rows(folder, may_print) {
        Ok(Some(rows)) => {
            report.defects = rows.defects();
            if report.is_sound() {
                report.warnings.extend(repeated(&rows.repeated(), may_print));
            }
        }
        Ok(None) => report.defects.extend(spec.check().err()),
        Err(defect) => report.defects.push(defect),
    }
    if !report.is_sound() {
        return report;
    }
    let built = match column {
        Some(column) => spec.build(column, folder).map(Some),
        None => spec.standalone(folder),
    };
    match built {
        Ok(Some(hierarchy)) => report.warnings.extend(warnings(&hierarchy, column, may_print)),
        Ok(None) => {}
        Err(defect) => report.defects.push(defect),
    }
    report
}

fn repeated(leaves: &[&str], may_print: bool) -> Option<String> {
    let named = list(leaves.iter().copied(), may_print);
    (!leaves.is_empty())
        .then(|| format!("{} twice, with the same generalizations{named}", stand(leaves.len(), "leaf", "leaves")))
}

fn warnings(hierarchy: &Hierarchy, column: Option<&ColumnValues<'_>>, may_print: bool) -> Vec<String> {
    let mut warnings = ambiguous(hierarchy, may_print);
    warnings.extend(idle_levels(hierarchy));
    warnings.extend(loners(hierarchy, column, may_print));
    if let Some(column) = column {
        warnings.extend(unused(hierarchy, column, may_print));
    }
    warnings
}

/// Labels that stand on two levels for different leaves: to an outsider they are one value.
fn ambiguous(hierarchy: &Hierarchy, may_print: bool) -> Vec<String> {
    let mut seen: HashMap<&str, (usize, Vec<u32>)> = HashMap::new();
    let mut warnings = Vec::new();
    for (number, level) in hierarchy.levels().iter().enumerate() {
        for (label, leaves) in level.labels().iter().zip(leaves_by_node(level)) {
            match seen.entry(label) {
                Entry::Vacant(place) => {
                    place.insert((number, leaves));
                }
                Entry::Occupied(mut place) if place.get().1 != leaves => {
                    let label = if may_print { format!("`{label}`") } else { "a label".to_owned() };
                    let lower = place.get().0;
                    warnings
                        .push(format!("{label} stands on level {lower} and on level {number} for different values"));
                    place.insert((number, leaves));
                }
                Entry::Occupied(_) => {}
            }
        }
    }
    warnings
}

fn leaves_by_node(level: &Level) -> Vec<Vec<u32>> {
    let mut leaves = vec![Vec::new(); level.len()];
    for (leaf, &node) in level.nodes_of_leaves().iter().enumerate() {
        leaves[node as usize].push(leaf as u32);
    }
    leaves
}

/// Levels with the same groups as the level below.
fn idle_levels(hierarchy: &Hierarchy) -> Vec<String> {
    let levels = hierarchy.levels().windows(2).enumerate();
    let idle = levels.filter(|(_, pair)| pair[0].len() == pair[1].len());
    idle.map(|(lower, _)| format!("level {} generalizes nothing: it has the same groups as level {lower}", lower + 1))
        .collect()
}

/// Values that share no node with another one below the root. A missing value is meant to be one.
fn loners(hierarchy: &Hierarchy, column: Option<&ColumnValues<'_>>, may_print: bool) -> Option<String> {
    let missing = column.and_then(|column| column.dictionary.missing());
    let top = hierarchy.level(hierarchy.height() - 1);
    let groups = leaves_by_node(top);
    // With two levels every value is one, and where every group has one leaf its level is already called idle.
    if hierarchy.height() < 2 || groups.len() == hierarchy.level(0).len() {
        return None;
    }
    let loner = |leaves: &Vec<u32>| match leaves[..] {
        [leaf] if Some(leaf) != missing => Some(hierarchy.label(0, leaf)),
        _ => None,
    };
    let loners: Vec<&str> = groups.iter().filter_map(loner).collect();
    let named = list(loners.iter().copied(), may_print);
    (!loners.is_empty())
        .then(|| format!("{} alone on every level below the root{named}", stand(loners.len(), "value", "values")))
}

/// Leaves that do not occur in the table.
fn unused(hierarchy: &Hierarchy, column: &ColumnValues<'_>, may_print: bool) -> Option<String> {
    let leaves = hierarchy.level(0).nodes_of_leaves().len();
    let first = column.dictionary.len();
    let named = list((first..leaves).map(|leaf| hierarchy.label(0, leaf as u32)), may_print);
    match leaves - first {
        0 => None,
        1 => Some(format!("1 leaf does not occur in column `{}`{named}", column.name)),
        unused => Some(format!("{unused} leaves do not occur in column `{}`{named}", column.name)),
    }
}

fn stand(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one} stands") } else { format!("{count} {many} stand") }
}

/// `` : `a`, `b`, .. `` or nothing where values may not be shown.
fn list<'a>(labels: impl ExactSizeIterator<Item = &'a str>, may_print: bool) -> String {
    if !may_print {
        return String::new();
    }
    let more = if labels.len() > EXAMPLES { ", .." } else { "" };
    let named: Vec<String> = labels.take(EXAMPLES).map(|label| format!("`{label}`")).collect();
    format!(": {}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{dictionary, spec};
    use super::*;

    fn check_file(text: &str, values: Option<&[&str]>, may_print: bool) -> Report {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let spec = spec(&format!("file = '{}'", file.path().display()));
        let dictionary = values.map(|values| dictionary(values, Some("?")));
        let counts = vec![1; dictionary.as_ref().map_or(0, |dictionary| dictionary.len())];
        let column =
            dictionary.as_ref().map(|dictionary| ColumnValues { name: "job", dictionary, counts: &counts, may_print });
        check(&spec, Path::new(""), column.as_ref(), may_print)
    }

    #[test]
    fn a_sound_hierarchy_has_nothing_to_report() {
        let report = check_file("a;x;*\nb;x;*\nc;y;*\nd;y;*\n", Some(&["a", "b", "c", "d"]), true);
        assert!(report.is_sound());
        assert_eq!(report.warnings, [""; 0]);
    }

    #[test]
    fn all_defects_are_listed_at_once() {
        let report = check_file("a;x;p;*\nb;x;q;*\nc;y;p;*\nd;y;q;*\na;y;p;*\n", None, true);
        let messages: Vec<&str> = report.defects.iter().map(Error::message).collect();
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(messages[0].contains("a leaf twice") && messages[1].contains("`x`") && messages[2].contains("`y`"));
        assert_eq!(check_file("a;x;*\nb;x;*", Some(&["a", "z"]), true).defects.len(), 1);
        assert_eq!(check(&spec("file = 'nowhere.csv'"), Path::new(""), None, true).defects.len(), 1);
        assert_eq!(check(&spec("intervals = [5, 7]"), Path::new(""), None, true).defects.len(), 1);
        assert_eq!(check(&spec("tree = { a = [] }"), Path::new(""), None, true).defects.len(), 1);
        assert!(check(&spec("intervals = [5]"), Path::new(""), None, true).is_sound());
    }

    #[test]
    fn what_is_odd_is_a_warning() {
        let text = "Other;Other;Other;*\na;x;Other;*\nb;x;Other;*\nc;y;z;*\na;x;Other;*\n";
        let report = check_file(text, Some(&["a", "b"]), true);
        assert!(report.is_sound());
        assert_eq!(
            report.warnings,
            [
                "1 leaf stands twice, with the same generalizations: `a`",
                "`Other` stands on level 0 and on level 2 for different values",
                "1 value stands alone on every level below the root: `c`",
                "2 leaves do not occur in column `job`: `Other`, `c`",
            ]
        );
        let report = check_file("a;a;x;*\nb;b;x;*\nc;c;y;*\nd;d;y;*\n", None, true);
        assert_eq!(report.warnings, ["level 1 generalizes nothing: it has the same groups as level 0"]);
    }

    #[test]
    fn sensitive_values_are_counted_not_shown() {
        let report = check_file("flu;x;*\ncold;x;*\nulcer;y;*\n", Some(&["flu"]), false);
        assert_eq!(
            report.warnings,
            ["1 value stands alone on every level below the root", "2 leaves do not occur in column `job`"]
        );
        for values in [Some(&["flu"][..]), None] {
            let twice = check_file("flu;x;*\ncold;x;*\nflu;x;*\n", values, false);
            assert_eq!(twice.warnings[0], "1 leaf stands twice, with the same generalizations");
            let two_parents = check_file("flu;flu;x;*\ncold;flu;y;*\n", values, false);
            assert!(!format!("{}", two_parents.defects[0]).contains("flu"), "{}", two_parents.defects[0]);
        }
    }
}
