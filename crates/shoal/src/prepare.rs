//! What may the values of a counted table become?

use std::sync::{Arc, OnceLock};

use shoal_core::frequency::{CountedTable, QuasiColumn, SensitiveColumn};
use shoal_core::hierarchy::{ColumnValues, Hierarchy, Measure, are_categories, is_ordered};
use shoal_core::method::{Resolver, Task};
use shoal_core::model::Requirement;
use shoal_core::table::Dictionary;
use shoal_core::{Error, Result};

use crate::policy::{ColumnPolicy, MethodPolicy, Policy, Role};
use crate::source::Counted;

/// What a policy asks of a table.
pub fn task<'a>(policy: &'a Policy, table: &'a CountedTable, requirements: &'a [Requirement]) -> Task<'a> {
    let MethodPolicy { objective, max_suppressed, style, .. } = policy.method;
    Task { table, requirements, objective, max_suppressed, style, resolver: Some(policy) }
}

impl Resolver for Policy {
    fn resolve(&self, columns: &[SensitiveColumn]) -> Result<Vec<Requirement>> {
        for (column, policy) in columns.iter().zip(self.with_role(Role::Sensitive)) {
            let rows = policy.hierarchy.as_ref().map(|spec| spec.rows(&self.folder)).transpose()?.flatten();
            if column.is_generalized() && rows.is_none() {
                // Nobody who has the release only could tell which values a label stands for.
                return Err(Error::policy(format!(
                    "column `{}` has a hierarchy that depends on the data",
                    policy.name
                ))
                .hint("use `file` or `tree`"));
            }
        }
        Policy::resolve(self, columns, false)
    }
}

/// Builds the hierarchies over the values that were counted.
pub fn prepare(policy: &Policy, counted: &Counted) -> Result<CountedTable> {
    prepare_with(policy, counted, |column, values| {
        refuse_unclear_dates(policy, column, values)?;
        let hierarchy = match &column.hierarchy {
            Some(spec) => spec.build(values, &policy.folder)?,
            None => Hierarchy::suppress(values.dictionary),
        };
        let levels = column.levels(&hierarchy)?;
        Ok((hierarchy, levels))
    })
}

/// Methods that put values in order, or show ranges of them, must know which day each is; hierarchies that need dates ask for
/// themselves.
fn refuse_unclear_dates(policy: &Policy, column: &ColumnPolicy, values: &ColumnValues<'_>) -> Result<()> {
    let are_names = are_categories(column.measure, column.hierarchy.as_ref());
    let uses_order = policy.method.method.is_local() && policy.method.method.separates().is_none();
    match values.dictionary.column_type().unclear().filter(|_| uses_order && !are_names) {
        Some(unclear) => Err(unclear.error(values.name, values.may_print)),
        None => Ok(()),
    }
}

/// The same where `become_of` says what the values of each quasi-identifier may become, and the lowest and the highest level
/// that is allowed.
pub fn prepare_with(
    policy: &Policy,
    counted: &Counted,
    mut become_of: impl FnMut(&ColumnPolicy, &ColumnValues<'_>) -> Result<(Hierarchy, (u8, u8))>,
) -> Result<CountedTable> {
    if counted.rows == 0 {
        return Err(Error::table("no rows are left to anonymize")
            .detail(format!(
                "all {} rows have a missing value, and `rows-with-missing` drops those",
                counted.dropped_rows
            ))
            .hint("set `rows-with-missing = \"keep\"` in [input]"));
    }
    let counts = counts_by_code(counted);
    let mut dictionaries = counted.dictionaries.iter().cloned().zip(counts);
    let mut quasi = Vec::new();
    for (column, (dictionary, counts)) in policy.with_role(Role::QuasiIdentifier).zip(&mut dictionaries) {
        let values = ColumnValues { name: &column.name, dictionary: &dictionary, counts: &counts, may_print: true };
        let (hierarchy, (min_level, max_level)) = become_of(column, &values)?;
        let (name, weight) = (column.name.clone(), column.weight);
        let ordered = ordered(column, &dictionary)?;
        let round_ends = OnceLock::new();
        quasi.push(QuasiColumn {
            name,
            dictionary,
            hierarchy,
            counts,
            weight,
            min_level,
            max_level,
            ordered,
            round_ends,
        });
    }
    let mut sensitive = Vec::new();
    for (column, (dictionary, counts)) in policy.with_role(Role::Sensitive).zip(&mut dictionaries) {
        let values = ColumnValues { name: &column.name, dictionary: &dictionary, counts: &counts, may_print: false };
        let hierarchy = column.hierarchy.as_ref().map(|spec| spec.build(&values, &policy.folder)).transpose()?;
        sensitive.push(SensitiveColumn::new(&column.name, &dictionary, hierarchy, counts));
    }
    let sensitive_weights = policy.with_role(Role::Sensitive).map(|column| column.weight).collect();
    Ok(CountedTable { quasi, sensitive, sensitive_weights, base: Arc::clone(&counted.tuples), rows: counted.rows })
}

/// Are the values of a column put in order?
fn ordered(column: &ColumnPolicy, dictionary: &Dictionary) -> Result<bool> {
    let column_type = dictionary.column_type();
    if column.measure == Some(Measure::Number) && !column_type.is_ordered() {
        return Err(Error::table(format!("column `{}` holds text, so its `type` cannot be \"number\"", column.name))
            .at(&column.place)
            .hint(
                "one value that is no number is enough; if it marks a missing one, list it in `missing` of [input]",
            ));
    }
    Ok(is_ordered(column.measure, column.hierarchy.as_ref(), column_type))
}

/// The number of rows with each value, for each counted column.
fn counts_by_code(counted: &Counted) -> Vec<Vec<u64>> {
    let mut counts: Vec<Vec<u64>> = counted.dictionaries.iter().map(|dictionary| vec![0; dictionary.len()]).collect();
    let (set, quasi) = (&counted.tuples, counted.tuples.layout().columns());
    for class in 0..set.classes() {
        for column in 0..quasi {
            counts[column][set.code(class, column) as usize] += set.sizes()[class];
        }
        let (tuples, rows) = set.entries(class);
        for (&tuple, &rows) in tuples.iter().zip(rows) {
            for (column, &code) in set.sensitive().tuple(tuple).iter().enumerate() {
                counts[quasi + column][code as usize] += rows;
            }
        }
    }
    counts
}
