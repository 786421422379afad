//! How does a table become dictionaries and a frequency set whose rows were counted where they are?

use std::sync::Arc;

use super::Counted;
use super::count::dictionaries;
use crate::policy::{ColumnPolicy, Policy, Role, RowsWithMissing};
use shoal_core::frequency::TupleCounter;
use shoal_core::hierarchy::{ColumnValues, Hierarchy};
use shoal_core::recode::Layout;
use shoal_core::spill::MemoryLimit;
use shoal_core::table::{Dictionary, DictionaryBuilder, MissingMarkers, Reading};
use shoal_core::{Error, Result};

/// Takes over groups: the values of the counted columns and the number of rows that have them. Each group is added and
/// forgotten; what is held is what the frequency set will hold.
#[derive(Debug)]
pub struct GroupCounter<'a> {
    policy: &'a Policy,
    markers: MissingMarkers,
    builders: Vec<DictionaryBuilder>,
    /// For each column, the provisional code of a missing value, once there was one.
    missing: Vec<Option<u32>>,
    counter: TupleCounter,
    limit: MemoryLimit,
    groups: usize,
    rows: u64,
    dropped_rows: u64,
}

/// What engines may fill with counts where the policy sets no limit: they can hand over more groups than any client holds.
const DEFAULT_LIMIT: u64 = 2_000_000_000;

/// Memory is looked at after so many groups.
const BETWEEN_CHECKS: usize = 1 << 12;

/// The bytes that a tuple takes in a frequency set at the very least: a code and a count.
const LEAST_BYTES: usize = 12;

impl<'a> GroupCounter<'a> {
    /// For the quasi-identifiers and then the sensitive columns of a policy; behind them stands whose the rows are, where it counts people.
    pub fn new(policy: &'a Policy) -> Self {
        let columns = counted_columns(policy).count() + usize::from(policy.input.person.is_some());
        let limit = MemoryLimit::new(policy.input.memory_limit.unwrap_or(DEFAULT_LIMIT), std::env::temp_dir());
        Self {
            policy,
            markers: MissingMarkers::new(policy.input.missing.clone()),
            builders: (0..columns).map(|_| DictionaryBuilder::default()).collect(),
            missing: vec![None; columns],
            counter: TupleCounter::within(columns, Some(limit.clone())),
            limit,
            groups: 0,
            rows: 0,
            dropped_rows: 0,
        }
    }

    /// The provisional code of a value of a column; `None` is a missing value, as are the texts that mark one.
    pub fn code(&mut self, column: usize, value: Option<&str>) -> u32 {
        match value.filter(|text| !self.markers.contain(text)) {
            Some(text) => self.builders[column].code(text),
            None => *self.missing[column].get_or_insert(self.builders[column].missing_code()),
        }
    }

    /// The provisional code of a person, who goes by a number: whoever counts people gives each their own, and these need not be names. `None` is
    /// whoever is not known.
    pub fn person(&mut self, number: Option<&str>) -> u32 {
        let column = self.builders.len() - 1;
        match number {
            Some(number) => self.builders[column].code(number),
            None => self.builders[column].missing_code(),
        }
    }

    /// Counts so many rows with these provisional codes.
    pub fn add(&mut self, codes: &[u32], rows: u64) -> Result<()> {
        let has_missing = || codes.iter().zip(&self.missing).any(|(&code, &missing)| Some(code) == missing);
        if self.policy.input.rows_with_missing == RowsWithMissing::Drop && has_missing() {
            self.dropped_rows += rows;
            return Ok(());
        }
        self.counter.add_times(codes, rows);
        self.rows += rows;
        self.groups += 1;
        if self.groups.is_multiple_of(BETWEEN_CHECKS) {
            self.keep_within()?;
        }
        Ok(())
    }

    /// So many rows are left out, since a value is missing in another column.
    pub fn drop_rows(&mut self, rows: u64) {
        self.dropped_rows += rows;
    }

    /// How many people there are so far, where those are counted.
    fn people(&self) -> Option<usize> {
        let people = self.policy.input.person.as_ref().and(self.builders.last());
        people.map(DictionaryBuilder::len)
    }

    fn keep_within(&mut self) -> Result<()> {
        let of_values = self.builders.iter().map(DictionaryBuilder::bytes).sum();
        if of_values > self.limit.share() || self.groups * LEAST_BYTES > self.limit.bytes() {
            return Err(self.too_many());
        }
        self.counter.spill_if_large(of_values)
    }

    /// Which column makes the groups so many, and at which level would it not?
    fn too_many(&self) -> Error {
        let error = Error::place("the table has more distinct combinations of values than `memory-limit` has room for")
            .detail(format!("{} of them fill its {} bytes, and there are more", self.groups, self.limit.bytes()));
        let most = counted_columns(self.policy).zip(&self.builders).max_by_key(|(_, builder)| builder.len());
        let Some((column, builder)) = most else { return error };
        if let Some(people) = self.people().filter(|&people| people > builder.len()) {
            return error
                .detail(format!("they are those of {people} people so far"))
                .hint("raise the limit, make values coarser in a `query`, or name fewer columns");
        }
        let values = builder.len();
        let error = error.detail(format!("column `{}` contributes most: {values} distinct values so far", column.name));
        match self.coarse_enough(column, builder) {
            Some((level, nodes)) => error.hint(format!(
                "level {level} of its hierarchy has {}: give it such values in a `query` to start from, or raise the limit",
                nodes
            )),
            None => error.hint("make its values coarser in a `query`, give it another role, or raise the limit"),
        }
    }

    /// The lowest level of a column that has at most half as many values, and how many it has.
    fn coarse_enough(&self, column: &ColumnPolicy, builder: &DictionaryBuilder) -> Option<(usize, usize)> {
        let dictionary = Dictionary::new(builder.values().iter().cloned(), None, self.policy.reading_of(column));
        let counts = vec![1; dictionary.len()];
        let values = ColumnValues { name: &column.name, dictionary: &dictionary, counts: &counts, may_print: false };
        let hierarchy: Hierarchy = column.hierarchy.as_ref()?.build(&values, &self.policy.folder).ok()?;
        let of_level = |level: usize| {
            let mut nodes = hierarchy.level(level).nodes_of_leaves()[..dictionary.len()].to_vec();
            nodes.sort_unstable();
            nodes.dedup();
            nodes.len()
        };
        (1..hierarchy.height()).map(|level| (level, of_level(level))).find(|(_, nodes)| nodes * 2 <= dictionary.len())
    }

    /// What was counted, and for each column the final code of each provisional one.
    pub fn finish(self, layout: Layout, read_seconds: f64) -> Result<(Counted, Vec<Vec<u32>>)> {
        let quasi = self.policy.with_role(Role::QuasiIdentifier).count();
        let (dictionaries, mut renamed) =
            dictionaries(vec![self.builders], self.markers.first(), &counted_readings(self.policy));
        let renamed = renamed.swap_remove(0);
        let domain_sizes: Vec<usize> = dictionaries.iter().map(Dictionary::len).collect();
        let counters = vec![(self.counter, renamed.clone())];
        let tuples = TupleCounter::finish_all(counters, quasi, &domain_sizes, Some(&self.limit))?;
        let counted = Counted {
            tuples: Arc::new(if layout.person { tuples.of_people() } else { tuples }),
            dictionaries: dictionaries.into_iter().map(Arc::new).collect(),
            rows: self.rows,
            dropped_rows: self.dropped_rows,
            layout,
            repeats: Vec::new(),
            telling: Vec::new(),
            households: None,
            read_seconds,
            kept: None,
        };
        Ok((counted, renamed))
    }
}

/// The columns that are counted: quasi-identifiers, then sensitive ones, both in policy order.
pub fn counted_columns(policy: &Policy) -> impl Iterator<Item = &ColumnPolicy> {
    policy.with_role(Role::QuasiIdentifier).chain(policy.with_role(Role::Sensitive))
}

/// How the values of each of them are to be read.
pub(super) fn counted_readings(policy: &Policy) -> Vec<Reading> {
    let person = policy.input.person.iter().map(|_| Reading::default());
    counted_columns(policy).map(|column| policy.reading_of(column)).chain(person).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use shoal_core::frequency::TablePeople;

    use super::*;

    fn policy(input: &str) -> Policy {
        let text = format!(
            "[input]\npath = \"a.csv\"\n{input}\n[columns.age]\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [10, 100] }}\n[columns.ill]\nrole = \"sensitive\"\n\
             [[require]]\nmodel = \"k-anonymity\"\nk = 2\n"
        );
        Policy::parse(&text, "p.toml", Path::new(".")).unwrap()
    }

    fn counted(policy: &Policy, groups: &[(Option<&str>, Option<&str>, u64)]) -> Counted {
        let mut counter = GroupCounter::new(policy);
        for &(age, ill, rows) in groups {
            let codes = [counter.code(0, age), counter.code(1, ill)];
            counter.add(&codes, rows).unwrap();
        }
        let layout = policy.layout(&["age".to_owned(), "ill".to_owned()]);
        counter.finish(layout, 0.0).unwrap().0
    }

    #[test]
    fn groups_become_sorted_dictionaries_and_a_frequency_set() {
        let policy = policy("missing = [\"?\", \"\"]");
        let groups = [(Some("10"), Some("flu"), 2), (Some("9"), Some(""), 1), (Some("9"), None, 3)];
        let counted = counted(&policy, &groups);
        assert_eq!(counted.dictionaries[0].values(), ["9", "10"]);
        assert_eq!(counted.dictionaries[1].values(), ["flu", "?"]);
        assert_eq!((counted.rows, counted.tuples.tuples(), counted.tuples.sizes()), (6, 2, &[4, 2][..]));
    }

    #[test]
    fn groups_with_a_missing_value_can_be_dropped() {
        let policy = policy("rows-with-missing = \"drop\"");
        let counted =
            counted(&policy, &[(Some("9"), Some("flu"), 2), (None, Some("flu"), 5), (Some("9"), Some(""), 1)]);
        assert_eq!((counted.rows, counted.dropped_rows), (2, 6));
    }

    #[test]
    fn people_are_counted_by_their_numbers_and_whoever_is_unknown_is_one() {
        // Neither is a number a mark of a missing value.
        let policy = policy("person = \"patient\"\nmissing = [\"0\"]");
        let mut counter = GroupCounter::new(&policy);
        for (age, person, rows) in [("30", Some("10"), 2), ("30", None, 1), ("31", Some("0"), 1), ("30", Some("0"), 3)]
        {
            let codes = [counter.code(0, Some(age)), counter.code(1, Some("flu")), counter.person(person)];
            counter.add(&codes, rows).unwrap();
        }
        let layout = policy.layout(&["age", "ill", "patient"].map(str::to_owned));
        let (counted, _) = counter.finish(layout, 0.0).unwrap();
        assert_eq!((counted.rows, counted.dictionaries.len()), (7, 3));
        assert_eq!(
            (counted.dictionaries[2].present(), counted.dictionaries[2].missing()),
            (&["0", "10"].map(str::to_owned)[..], Some(2))
        );
        let people = TablePeople::of(&counted.tuples).unwrap();
        assert_eq!((people.count, people.constant), (3, vec![false]));
    }

    #[test]
    fn too_many_groups_are_refused_while_they_come_with_the_level_to_start_from() {
        let policy = policy("memory-limit = 3000000");
        let mut counter = GroupCounter::new(&policy);
        let error = (0..1_000_000u32).find_map(|row| {
            let codes = [counter.code(0, Some(&row.to_string())), counter.code(1, Some("flu"))];
            counter.add(&codes, 1).err()
        });
        let error = error.expect("the values alone do not fit").to_string();
        assert!(error.contains("column `age` contributes most"), "{error}");
        assert!(error.contains("level 1 of its hierarchy has"), "{error}");
    }
}
