//! Which values does a sensitive column of an audited table have, and which of them are generalized?

use super::{AuditTask, AuditedColumn};
use crate::outsider::OutsiderTable;
use shoal_core::Result;
use shoal_core::frequency::SensitiveColumn;
use shoal_core::hierarchy::{ColumnValues, HierarchySpec};
use shoal_core::table::{Dictionary, Reading};

impl<'a> AuditTask<'a> {
    /// A sensitive column as the models see it: that of the run, where the original is at hand. Values that are inner nodes of
    /// its hierarchy are generalized ones, and stand for leaves below them: for those that occur in the original, or for
    /// all where nobody can say which do.
    pub(super) fn column(&self, index: usize, notes: &mut Vec<String>) -> Result<SensitiveColumn> {
        let column = match self.column_of_run(index) {
            Some(column) => column,
            None => self.column_of_texts(index)?,
        };
        let hierarchy = self.sensitive[index].hierarchy.as_ref();
        if self.original.is_none() && hierarchy.is_some_and(HierarchySpec::depends_on_data) {
            notes.push(format!(
                "the hierarchy of `{}` is made of the values that the table shows; with --original, of those that it was made from",
                column.name()
            ));
        }
        if column.is_generalized() {
            let (name, judged) = (column.name(), "and only models that can deal with that are measured");
            notes.push(match self.original {
                Some(_) => format!(
                    "some values of `{name}` are generalized: each counts for the values below it that occur in the original, {judged}"
                ),
                None => format!(
                    "some values of `{name}` are generalized: each counts for all leaves below it, {judged}; with --original, it \
                     counts for those that occur"
                ),
            });
        }
        Ok(column)
    }

    /// The column of the run that made the release, if every value is one of its own.
    fn column_of_run(&self, index: usize) -> Option<SensitiveColumn> {
        let mut column = self.counted?.sensitive[index].clone();
        let tables = self.others_with(index).chain([(self.table, index)]);
        let values: Vec<&str> =
            tables.flat_map(|(table, place)| table.sensitive_values(place).0).map(|(value, _)| value).collect();
        if values.iter().any(|value| column.code(value).is_none()) {
            column.add_every_node()?;
        }
        values.iter().all(|value| column.code(value).is_some()).then_some(column)
    }

    /// The other tables that have a sensitive column, and its place there.
    fn others_with(&self, index: usize) -> impl Iterator<Item = (&'a OutsiderTable, usize)> {
        let others = [self.original, self.outsider, self.population, self.other].into_iter().flatten();
        others.filter_map(move |known| {
            Some((&known.table, known.sensitive.iter().position(|&sensitive| sensitive == index)?))
        })
    }

    /// The column, by the texts of all tables.
    fn column_of_texts(&self, index: usize) -> Result<SensitiveColumn> {
        let AuditedColumn { name, hierarchy, dates } = &self.sensitive[index];
        // What occurs in the original, if that is at hand, occurs.
        let of_original = self.original.map(|known| (&known.table, index));
        let (mut values, mut missing) = match of_original {
            Some((original, place)) => original.sensitive_values(place),
            None => self.table.sensitive_values(index),
        };
        for (other, place) in self.others_with(index).chain([(self.table, index)]) {
            let (of_other, missing_there) = other.sensitive_values(place);
            values.extend(of_other.into_iter().map(|(value, _)| (value, 0)));
            missing = missing.or(missing_there);
        }
        let rows = match hierarchy {
            Some(spec) => spec.rows(self.folder)?.unwrap_or_default(),
            None => Vec::new(),
        };
        let is_leaf = |value: &str| rows.iter().any(|row| row[0] == value);
        let is_inner = |value: &str| rows.iter().any(|row| row[1..].iter().any(|label| label == value));
        let is_generalized = |value: &str| Some(value) != missing && !is_leaf(value) && is_inner(value);
        let (generalized, plain): (Vec<_>, Vec<_>) = values.into_iter().partition(|(value, _)| is_generalized(value));

        let present = plain.iter().map(|pair| pair.0).filter(|value| Some(*value) != missing);
        let reading = Reading { marks: self.marks, dates: *dates };
        let dictionary = Dictionary::new(present.map(str::to_owned), missing, reading);
        let mut counts = vec![0; dictionary.len()];
        for (value, count) in plain {
            let code = if Some(value) == missing { dictionary.missing() } else { dictionary.code(value) };
            counts[code.expect("the dictionary was made from these values") as usize] += count;
        }
        let built = hierarchy.as_ref().map(|spec| {
            let column = ColumnValues { name, dictionary: &dictionary, counts: &counts, may_print: false };
            spec.build(&column, self.folder)
        });
        let mut column = SensitiveColumn::new(name, &dictionary, built.transpose()?, counts);
        if generalized.is_empty() {
            return Ok(column);
        }
        // A run that generalizes knows every node; so do we, where labels are unambiguous.
        column.add_every_node();
        for &(value, count) in &generalized {
            let code = column.code(value);
            let code = code.unwrap_or_else(|| column.add_generalized(value, covered_leaves(&column, value), 0));
            column.hide_values(code, count);
        }
        Ok(column)
    }
}

/// The leaves below an inner node of a column's hierarchy, a missing value below the root among them.
fn covered_leaves(column: &SensitiveColumn, label: &str) -> Vec<u32> {
    let levels = column.hierarchy().map_or(&[][..], |hierarchy| &hierarchy.levels()[1..]);
    let found = levels.iter().find_map(|level| level.node(label).map(|node| (level, node)));
    let leaves = 0..column.leaves() as u32;
    found.map_or_else(Vec::new, |(level, node)| leaves.filter(|&leaf| level.node_of(leaf) == node).collect())
}
