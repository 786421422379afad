//! How does a table become a verified release? The straight line itself.

use std::sync::OnceLock;
use std::time::Instant;

use crate::format::TableReader;
use crate::frequency::{CountedTable, QuasiColumn, SensitiveColumn};
use crate::hierarchy::{ColumnValues, Hierarchy, Measure, are_categories, is_ordered};
use crate::meaning::repeats::Repeats;
use crate::method::{EligibleRange, Partition, Resolver, Task, eligible_range};
use crate::model::Requirement;
use crate::outsider::{Measured, OutsiderTable};
use crate::policy::{ColumnPolicy, MethodPolicy, Policy, Role};
use crate::progress::Progress;
use crate::publish::{Intent, Outputs};
use crate::recode::Recoding;
use crate::source::{Counted, Published, Source, Staged};
use crate::table::Dictionary;
use crate::verify::verify;
use crate::warning::Warning;
use crate::{Error, Result};

/// Everything there is to say about a release.
#[derive(Debug)]
pub struct Outcome {
    /// The table it was made from.
    pub table: CountedTable,
    /// What it had to satisfy.
    pub requirements: Vec<Requirement>,
    /// Who is in which class.
    pub partition: Partition,
    /// The release, as it was read back.
    pub release: OutsiderTable,
    /// What the written release reaches, counted anew.
    pub measured: Measured,
    /// What the whole table would have allowed.
    pub eligible: EligibleRange,
    /// Rows that were left out before anything else because a value is missing.
    pub dropped_rows: u64,
    /// Columns of the table that tell that rows may not be people.
    pub repeats: Vec<Repeats>,
    /// Where it is published.
    pub published: Published,
    /// What its readers should know of the release itself.
    pub warnings_of_release: Vec<Warning>,
    /// What readers of the release should know: what the policy gave cause for, what the table did, and what it shows.
    pub warnings: Vec<Warning>,
    /// How long each stage took.
    pub seconds: Seconds,
}

impl Outcome {
    /// What readers should know of the table and of its release rather than of the policy.
    pub fn warnings_of_table(&self) -> Vec<Warning> {
        self.repeats.iter().map(Repeats::warning).chain(self.warnings_of_release.iter().cloned()).collect()
    }
}

/// The seconds of each stage.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seconds {
    /// Reading the input the first time.
    pub read: f64,
    /// Encoding and counting it.
    pub count: f64,
    /// Finding the partition, hierarchies included.
    pub search: f64,
    /// Reading the input again and recoding it.
    pub recode: f64,
    /// Reading the release back and checking it.
    pub verify: f64,
    /// Writing the release and putting it into place.
    pub write: f64,
    /// All of it.
    pub total: f64,
}

/// How the classes of a table are found.
pub trait Plan {
    /// The table with what its values may become.
    fn prepare(&self, policy: &Policy, counted: Counted) -> Result<CountedTable>;
    /// Classes that satisfy the requirements, or why there are none.
    fn partition(&self, task: &Task<'_>, progress: &dyn Progress) -> Result<Partition>;
}

/// The policy's own method looks for them.
#[derive(Debug)]
pub struct Search<'a>(pub &'a Policy);

impl Plan for Search<'_> {
    fn prepare(&self, policy: &Policy, counted: Counted) -> Result<CountedTable> {
        prepare(policy, counted)
    }

    fn partition(&self, task: &Task<'_>, progress: &dyn Progress) -> Result<Partition> {
        self.0.method.method.partition(task, progress)
    }
}

/// A release that keeps every promise and waits to be published.
pub struct Made {
    /// What there is to say about it.
    pub outcome: Outcome,
    staged: Box<dyn Staged>,
}

impl Made {
    /// Reads it as others will; none where it is in an engine.
    pub fn reader(&self, policy: &Policy) -> Result<Option<Box<dyn TableReader>>> {
        self.staged.reader(policy)
    }

    /// Publishes it, and all other outputs with it.
    pub fn publish(mut self, outputs: Outputs) -> Result<Outcome> {
        let publishing = Instant::now();
        self.staged.publish(outputs)?;
        let seconds = publishing.elapsed().as_secs_f64();
        self.outcome.seconds.write += seconds;
        self.outcome.seconds.total += seconds;
        Ok(self.outcome)
    }
}

/// What a run is going to read and write, as far as its policy and its source tell.
pub fn intent(policy: &Policy, source: &dyn Source, overwrite: bool) -> Result<Intent> {
    let mut intent = Intent::new(overwrite);
    source.announce(policy, &mut intent)?;
    for (what, path) in policy.files() {
        intent.reads(what, path);
    }
    Ok(intent)
}

/// Makes a release and publishes it alone, if it exists and proves right.
pub fn anonymize(policy: &Policy, source: &mut dyn Source, progress: &dyn Progress) -> Result<Outcome> {
    let mut outputs = intent(policy, source, false)?.claim()?;
    make(&Search(policy), policy, source, &mut outputs, progress)?.publish(outputs)
}

/// Makes a release, with classes found in whatever way, and proves it right.
pub fn make(
    plan: &dyn Plan,
    policy: &Policy,
    source: &mut dyn Source,
    outputs: &mut Outputs,
    progress: &dyn Progress,
) -> Result<Made> {
    let begin = Instant::now();
    let identifiers = policy.pseudonyms()?;
    let mut counted = source.count(policy, progress)?;
    let repeats = std::mem::take(&mut counted.repeats);
    let (dropped_rows, released_columns) = (counted.dropped_rows, counted.released_columns.clone());
    let mut seconds = Seconds { read: counted.read_seconds, ..Seconds::default() };
    seconds.count = begin.elapsed().as_secs_f64() - seconds.read;

    let searching = Instant::now();
    let table = plan.prepare(policy, counted)?;
    let requirements = policy.resolve(&table.sensitive, false)?;
    let task = task(policy, &table, &requirements);
    let mut eligible = eligible_range(&task);
    let partition = plan.partition(&task, progress)?;
    let requirements = match &partition.sensitive {
        None => requirements,
        Some(generalized) => {
            // What the ceiling counts is the values as they are.
            eligible.most_classes = None;
            policy.resolve(&generalized.columns, false)?
        }
    };
    seconds.search = searching.elapsed().as_secs_f64();

    let recoding = Instant::now();
    let recoded = Recoding::new(&table, &partition).with_identifiers(&identifiers);
    let staged = source.stage(policy, &recoded, outputs, progress)?;
    seconds.write = staged.write_seconds();
    seconds.recode = recoding.elapsed().as_secs_f64() - seconds.write;

    let verifying = Instant::now();
    progress.begin("verifying", Some(partition.released()));
    let release = staged.count(policy, progress).map_err(|error| error.at("the release cannot be read back"))?;
    let measured = verify(&release, policy, &table, &requirements, &partition, &released_columns)?;
    progress.end();
    seconds.verify = verifying.elapsed().as_secs_f64();

    seconds.total = begin.elapsed().as_secs_f64();
    let published = staged.place();
    let warnings_of_release = staged.warnings();
    let of_table = repeats.iter().map(Repeats::warning).chain(warnings_of_release.iter().cloned());
    let warnings = policy.warnings.iter().cloned().chain(of_table).collect();
    let outcome = Outcome {
        table,
        requirements,
        partition,
        release,
        measured,
        eligible,
        dropped_rows,
        repeats,
        published,
        warnings_of_release,
        warnings,
        seconds,
    };
    Ok(Made { outcome, staged })
}

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
                return Err(Error::new(format!("column `{}` has a hierarchy that depends on the data", policy.name))
                    .hint("use `file` or `tree`"));
            }
        }
        Policy::resolve(self, columns, false)
    }
}

/// Builds the hierarchies over the values that were counted.
pub fn prepare(policy: &Policy, counted: Counted) -> Result<CountedTable> {
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
    counted: Counted,
    mut become_of: impl FnMut(&ColumnPolicy, &ColumnValues<'_>) -> Result<(Hierarchy, (u8, u8))>,
) -> Result<CountedTable> {
    if counted.rows == 0 {
        return Err(Error::new("no rows are left to anonymize")
            .detail(format!(
                "all {} rows have a missing value, and `rows-with-missing` drops those",
                counted.dropped_rows
            ))
            .hint("set `rows-with-missing = \"keep\"` in [input]"));
    }
    let counts = counts_by_code(&counted);
    let mut dictionaries = counted.dictionaries.into_iter().zip(counts);
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
    Ok(CountedTable { quasi, sensitive, sensitive_weights, base: counted.tuples, rows: counted.rows })
}

/// Are the values of a column put in order?
fn ordered(column: &ColumnPolicy, dictionary: &Dictionary) -> Result<bool> {
    let column_type = dictionary.column_type();
    if column.measure == Some(Measure::Number) && !column_type.is_ordered() {
        return Err(Error::new(format!("column `{}` holds text, so its `type` cannot be \"number\"", column.name))
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
