//! How is a sensitive value named in a certificate, if the release shows it, and if it does not?

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use shoal_core::frequency::SensitiveColumn;

/// A value of a sensitive column, or what stands above it in its hierarchy: the text, if the release shows it in this column, else a
/// number that stands for it wherever it occurs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Label {
    Shown(String),
    Hidden(u64),
}

/// The labels of one sensitive column.
#[derive(Debug)]
pub(super) struct Labels<'a> {
    column: &'a SensitiveColumn,
    shown: BTreeSet<String>,
    numbers: HashMap<String, u64>,
}

impl<'a> Labels<'a> {
    /// Those of a column of which the release shows these texts.
    pub(super) fn new(column: &'a SensitiveColumn, shown: impl IntoIterator<Item = String>) -> Self {
        Self { column, shown: shown.into_iter().collect(), numbers: HashMap::new() }
    }

    /// The label for a text.
    pub(super) fn label(&mut self, text: &str) -> Label {
        if self.shown.contains(text) {
            return Label::Shown(text.to_owned());
        }
        let next = self.numbers.len() as u64 + 1;
        Label::Hidden(*self.numbers.entry(text.to_owned()).or_insert(next))
    }

    /// The values that the release shows as they are, sorted.
    pub(super) fn shown_leaves(&self) -> Vec<u32> {
        let code = |text: &String| self.column.code(text).filter(|&code| (code as usize) < self.column.leaves());
        self.shown.iter().filter_map(code).collect()
    }

    /// Does the release show a generalized value?
    pub(super) fn is_generalized(&self) -> bool {
        self.shown.iter().any(|text| self.column.code(text).is_some_and(|code| code as usize >= self.column.leaves()))
    }

    /// A row for each value that the release shows, from the value up to right below the root; where it shows a generalized
    /// value, also one for each other value that this counts for.
    pub(super) fn rows(&mut self, is_weighted: &dyn Fn(u32) -> bool) -> Vec<Vec<Label>> {
        let mut leaves = self.shown_leaves();
        leaves.extend(self.hidden_leaves(is_weighted));
        leaves.into_iter().map(|leaf| self.path(leaf)).collect()
    }

    fn path(&mut self, leaf: u32) -> Vec<Label> {
        let column = self.column;
        let levels = column.hierarchy().map_or(0, |hierarchy| hierarchy.height());
        let text = |level: usize| match (level, column.hierarchy()) {
            (1.., Some(hierarchy)) => hierarchy.label(level, leaf),
            _ => column.value(leaf),
        };
        (0..levels.max(1)).map(|level| self.label(text(level))).collect()
    }

    /// The values that the release does not show, below generalized ones that it does. What is not shown is not put in the order of
    /// its names either: places follow from what is known of what stands above.
    fn hidden_leaves(&self, is_weighted: &dyn Fn(u32) -> bool) -> Vec<u32> {
        let mut hidden: BTreeSet<u32> = BTreeSet::new();
        for code in self.shown.iter().filter_map(|text| self.column.code(text)) {
            let covered = self.column.covered(code);
            let any = covered.iter().any(|&leaf| is_weighted(leaf));
            // A label all of whose values are thought impossible counts evenly for all of them.
            hidden.extend(covered.iter().copied().filter(|&leaf| !any || is_weighted(leaf)));
        }
        let shown = self.shown_leaves();
        let mut hidden: Vec<u32> = hidden.into_iter().filter(|leaf| !shown.contains(leaf)).collect();
        hidden.sort_by_cached_key(|&leaf| self.place(leaf));
        hidden
    }

    /// What an outsider can know of where a hidden value stands: from the root down, the label if it is shown, and how many values are below.
    fn place(&self, leaf: u32) -> Vec<(Option<String>, u64)> {
        let Some(hierarchy) = self.column.hierarchy() else { return Vec::new() };
        let known = |level: usize| {
            let label = hierarchy.label(level, leaf);
            let level = hierarchy.level(level);
            (self.shown.get(label).cloned(), level.leaves_under(level.node_of(leaf)))
        };
        (1..hierarchy.height()).rev().map(known).collect()
    }
}

/// Texts for labels: numbers get one that no shown label begins with.
pub(super) fn texts(rows: &[Vec<Label>]) -> impl Fn(&Label) -> String + use<> {
    let mut mark = "#".to_owned();
    let begins =
        |mark: &str| rows.iter().flatten().any(|label| matches!(label, Label::Shown(text) if text.starts_with(mark)));
    while begins(&mark) {
        mark.push('#');
    }
    move |label| match label {
        Label::Shown(text) => text.clone(),
        Label::Hidden(number) => format!("{mark}{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shoal_core::hierarchy::{ColumnValues, HierarchySpec, Tree};
    use shoal_core::table::Dictionary;
    use std::path::Path;

    fn column() -> SensitiveColumn {
        let rows = [["flu", "viral", "infection"], ["mumps", "viral", "infection"], ["angina", "heart", "organ"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let dictionary = Dictionary::new(["angina", "flu", "mumps"].map(str::to_owned), None, false);
        let values = ColumnValues { name: "ill", dictionary: &dictionary, counts: &[1, 1, 1], may_print: false };
        let hierarchy = HierarchySpec::Tree(Tree::of_rows(&rows)).build(&values, Path::new("")).unwrap();
        let mut column = SensitiveColumn::new("ill", &dictionary, Some(hierarchy), vec![1, 1, 1]);
        column.add_every_node();
        column
    }

    #[test]
    fn what_the_release_does_not_show_has_a_number() {
        let column = column();
        let shown = |text: &str| Label::Shown(text.to_owned());
        let mut labels = Labels::new(&column, ["angina", "flu"].map(str::to_owned));
        let rows = labels.rows(&|_| true);
        let (one, two, three, four) = (Label::Hidden(1), Label::Hidden(2), Label::Hidden(3), Label::Hidden(4));
        assert_eq!(rows, [vec![shown("angina"), one, two], vec![shown("flu"), three.clone(), four.clone()]]);
        assert_eq!(labels.label("viral"), three);
        // Of a generalized value that is shown, the values below it are listed by numbers.
        let rows = Labels::new(&column, ["angina", "infection"].map(str::to_owned)).rows(&|_| true);
        assert_eq!(rows.len(), 3);
        assert!(rows[1..].iter().all(|row| row[2] == shown("infection") && matches!(row[0], Label::Hidden(_))));
        assert_eq!(rows[1][1], rows[2][1]);
    }

    #[test]
    fn a_number_is_never_a_text_of_the_release() {
        let rows = [vec![Label::Shown("#1".to_owned()), Label::Hidden(1)]];
        assert_eq!(texts(&rows)(&Label::Hidden(1)), "##1");
        assert_eq!(texts(&[])(&Label::Hidden(1)), "#1");
    }
}
