//! What may the values of a counted table become?

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rayon::prelude::*;
use shoal_core::frequency::{CountedTable, QuasiColumn, SensitiveColumn, TablePeople};
use shoal_core::hierarchy::{ColumnValues, Hierarchy, Measure, are_categories, is_ordered};
use shoal_core::method::{Resolver, SEARCH_MEMORY, Task};
use shoal_core::model::Requirement;
use shoal_core::table::Dictionary;
use shoal_core::{Error, Result};

use crate::policy::{ColumnPolicy, MethodPolicy, Policy, Resolving, Role};
use crate::source::Counted;

/// What a policy asks of a table.
pub fn task<'a>(policy: &'a Policy, table: &'a CountedTable, requirements: &'a [Requirement]) -> Task<'a> {
    let MethodPolicy { objective, max_suppressed, style, suppress, .. } = policy.method;
    let knows = policy.input.knows;
    // Of a limit on what counting holds, a search keeps no more than a quarter besides.
    let quarter = policy.input.memory_limit.map_or(u64::MAX, |bytes| bytes / 4);
    let search_memory = usize::try_from(quarter).map_or(SEARCH_MEMORY, |quarter| quarter.min(SEARCH_MEMORY));
    let (begun, resolver): (_, Option<&dyn Resolver>) = (Instant::now(), Some(policy));
    Task { table, requirements, objective, max_suppressed, style, knows, suppress, resolver, begun, search_memory }
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
        Policy::resolve(self, Resolving { sensitive: columns, people: None, is_release: false })
    }
}

/// A table with its hierarchies, and how long these took to read, make and check.
pub struct Prepared {
    /// The table.
    pub table: CountedTable,
    /// The seconds of its hierarchies.
    pub hierarchies_seconds: f64,
}

/// Builds the hierarchies over the values that were counted.
pub fn prepare(policy: &Policy, counted: &Counted) -> Result<CountedTable> {
    prepare_and_time(policy, counted).map(|prepared| prepared.table)
}

/// The same, and how long they took.
pub fn prepare_and_time(policy: &Policy, counted: &Counted) -> Result<Prepared> {
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
) -> Result<Prepared> {
    if counted.rows == 0 && counted.dropped_rows == 0 {
        return Err(Error::table("the table has no rows").hint("a release without rows promises nothing"));
    }
    if counted.rows == 0 {
        return Err(Error::table("no rows are left to anonymize")
            .detail(format!(
                "all {} rows have a missing value, and `rows-with-missing` drops those",
                counted.dropped_rows
            ))
            .hint("set `rows-with-missing = \"keep\"` in [input]"));
    }
    let counts = counts_by_code(counted);
    let begin = Instant::now();
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
    // Where everybody has one row, rows are people: all that is known of them is known by their rows.
    let has_one_row_each = TablePeople::of(&counted.tuples).is_some_and(|people| people.count == counted.rows);
    let base = match has_one_row_each {
        true => Arc::new(counted.tuples.without_people()),
        false => Arc::clone(&counted.tuples),
    };
    let table = CountedTable::new(quasi, sensitive, sensitive_weights, base, counted.rows);
    Ok(Prepared { table, hierarchies_seconds: begin.elapsed().as_secs_f64() })
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

/// So many classes are counted by a thread at a time: tables of counts are put together less often than they are added to.
const CLASSES_AT_A_TIME: usize = 1 << 17;

/// The number of rows with each value, for each counted column.
fn counts_by_code(counted: &Counted) -> Vec<Vec<u64>> {
    let (set, quasi) = (&counted.tuples, counted.tuples.layout().columns());
    let nothing = || counted.dictionaries.iter().map(|dictionary| vec![0; dictionary.len()]).collect::<Vec<Vec<u64>>>();
    let add = |mut counts: Vec<Vec<u64>>, class: usize| {
        for (column, counts) in counts[..quasi].iter_mut().enumerate() {
            counts[set.code(class, column) as usize] += set.sizes()[class];
        }
        let (tuples, rows) = set.entries(class);
        for (&tuple, &rows) in tuples.iter().zip(rows) {
            for (counts, &code) in counts[quasi..].iter_mut().zip(set.sensitive().tuple(tuple)) {
                counts[code as usize] += rows;
            }
        }
        counts
    };
    let together = |mut counts: Vec<Vec<u64>>, others: Vec<Vec<u64>>| {
        let pairs = counts.iter_mut().flatten().zip(others.iter().flatten());
        pairs.for_each(|(count, other)| *count += other);
        counts
    };
    (0..set.classes()).into_par_iter().with_min_len(CLASSES_AT_A_TIME).fold(nothing, add).reduce(nothing, together)
}
