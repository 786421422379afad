//! What can be asked about a table once it is counted?
//!
//! Counting is the only pass over all rows that a question needs; the release is the second, once somebody has decided. Everything between
//! them is answered from the counted table.

mod agreement;
mod candidate;
mod recipe_file;
mod regroup;
mod shown;
mod value_files;
mod values;
mod why_not;
mod writing;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use shoal_core::frequency::CountedTable;
use shoal_core::lattice::Node;
use shoal_core::method::full_domain::{self, Solutions};
use shoal_core::method::{Partition, Task, eligible_range, partition};
use shoal_core::model::Requirement;
use shoal_core::warning::Warning;
use shoal_core::watch::{Remembered, Watch};
use shoal_core::{Error, Result};

use crate::meaning::contents::{self, Contents};
use crate::meaning::repeats::Repeats;
use crate::meaning::spelling;
use crate::policy::{Policy, Resolving, Role};
use crate::prepare::{Prepared, prepare_and_time, task};
use crate::recipe::Application;
use crate::source::{Counted, Source, telling_columns};
use agreement::{Fit, fit};
pub use candidate::Candidate;
pub use recipe_file::RecipeFile;
use value_files::ValueFiles;
pub use why_not::WhyNot;
pub use writing::{Claimed, Companion, Release, Seconds, Verified, Writing};

/// A table that was counted once, and a policy to ask about it.
///
/// It is cheap to clone and can be sent and shared: what was counted is shared by all studies that were made of it
/// ([`with`](Self::with)), and nothing is held open where the table is.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::sample;
/// use shoal::{LocalSource, Study, Unwatched};
///
/// let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, &Unwatched)?;
/// let frontier: Vec<f64> = [2, 4, 12]
///     .into_iter()
///     .map(|k| Ok(study.with(&sample::policy(k)?, &Unwatched)?.best(&Unwatched)?.objective_value()))
///     .collect::<shoal::Result<_>>()?;
/// assert!(frontier.is_sorted());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Study {
    counted: Arc<CountedOnce>,
    policy: Arc<Policy>,
    plan: ClassesBy,
    table: Arc<CountedTable>,
    requirements: Arc<[Requirement]>,
    /// What hierarchies and groups were made of.
    value_files: Arc<ValueFiles>,
    /// Where what was counted came from.
    origin: Origin,
    /// The seconds of counting values, once tuples are counted.
    values_seconds: f64,
    /// The seconds of reading, making and checking hierarchies.
    hierarchies_seconds: f64,
}

/// What was counted, and where the table is.
struct CountedOnce {
    source: Arc<Mutex<Box<dyn Source>>>,
    /// The policy that it was counted by.
    policy: Policy,
    counted: Counted,
    /// What stands in columns that identifies somebody.
    contents: Vec<Contents>,
    /// The seconds of counting, those of reading left out.
    seconds: f64,
}

/// How classes are found.
#[derive(Clone)]
enum ClassesBy {
    /// The policy's method looks for them.
    Search,
    /// A recipe says which they are.
    Recipe(Arc<Application>),
}

/// Where the counts of a study came from.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, &Unwatched)?;
/// use shoal::Origin;
///
/// assert_eq!(study.origin(), Origin::Read);
/// assert_eq!(study.with(&sample::policy(3)?, &Unwatched)?.origin(), Origin::Shared);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The table was read for it.
    Read,
    /// They are those of the study that it was made of.
    Shared,
    /// They were grouped anew from those, since columns have other roles.
    Regrouped,
}

impl fmt::Debug for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Study").field("rows", &self.table.rows).field("origin", &self.origin).finish_non_exhaustive()
    }
}

impl Study {
    /// Counts a table as a policy asks.
    pub fn count(source: impl Source + 'static, policy: &Policy, watch: &dyn Watch) -> Result<Self> {
        let study = Self::count_and_hold(source, policy, watch)?;
        study.source().rest()?;
        Ok(study)
    }

    /// The same for whoever writes a release at once: until then, a database may hold its view of the table, so that what others write
    /// meanwhile does not matter.
    pub fn count_and_hold(source: impl Source + 'static, policy: &Policy, watch: &dyn Watch) -> Result<Self> {
        let source: Arc<Mutex<Box<dyn Source>>> = Arc::new(Mutex::new(Box::new(source)));
        Self::of(CountedOnce::read(source, policy, watch)?, policy, ClassesBy::Search)
    }

    /// Counts a table to recode it as another one was before.
    pub fn following(source: impl Source + 'static, application: Application, watch: &dyn Watch) -> Result<Self> {
        let policy = application.policy.clone();
        let counted = CountedOnce::read(Arc::new(Mutex::new(Box::new(source))), &policy, watch)?;
        Self::of(counted, &policy, ClassesBy::Recipe(Arc::new(application)))
    }

    fn of(counted: Arc<CountedOnce>, policy: &Policy, plan: ClassesBy) -> Result<Self> {
        let value_files = Arc::new(ValueFiles::of(policy));
        let begin = Instant::now();
        let Prepared { table, hierarchies_seconds } = match &plan {
            ClassesBy::Search => prepare_and_time(policy, &counted.counted)?,
            ClassesBy::Recipe(application) => application.prepare(&counted.counted)?,
        };
        let values_seconds = begin.elapsed().as_secs_f64() - hierarchies_seconds;
        let requirements = policy.resolve(Resolving::input(&table))?.into();
        let (policy, table) = (Arc::new(policy.clone()), Arc::new(table));
        let origin = Origin::Read;
        Ok(Self {
            counted,
            policy,
            plan,
            table,
            requirements,
            value_files,
            origin,
            values_seconds,
            hierarchies_seconds,
        })
    }

    /// The same table by another policy. What was counted is used again where both agree on what is read; where only roles of counted
    /// columns differ it is grouped anew; otherwise the table is read once more. [`origin`](Self::origin) tells which it was.
    pub fn with(&self, policy: &Policy, watch: &dyn Watch) -> Result<Self> {
        let known = &self.counted;
        let (counted, origin) = match fit(&known.policy, policy, &known.counted.layout.names) {
            Fit::Same => (Arc::clone(known), Origin::Shared),
            Fit::Regroup(columns) => {
                let counted = regroup::regroup(&known.counted, policy, &columns);
                let (source, policy) = (Arc::clone(&known.source), policy.clone());
                let contents = known.contents.clone();
                (Arc::new(CountedOnce { source, policy, counted, contents, seconds: 0.0 }), Origin::Regrouped)
            }
            Fit::No => (CountedOnce::read(Arc::clone(&known.source), policy, watch)?, Origin::Read),
        };
        Ok(Self { origin, ..Self::of(counted, policy, ClassesBy::Search)? })
    }

    /// The same with only some of the records, spread over all of them: no more than so many distinct combinations of
    /// quasi-identifiers. What is found in it tells what suits the table; a release cannot be written by it.
    pub(crate) fn sample(&self, most: usize) -> Result<Self> {
        let known = &self.counted;
        let classes = known.counted.tuples.classes();
        if classes <= most {
            return Ok(self.clone());
        }
        let chosen: Vec<usize> = (0..classes).step_by(classes.div_ceil(most.max(1))).collect();
        let tuples = known.counted.tuples.part(&chosen);
        let counted = Counted {
            dictionaries: known.counted.dictionaries.clone(),
            rows: tuples.rows(),
            tuples: Arc::new(tuples),
            dropped_rows: known.counted.dropped_rows,
            layout: self.policy.layout(&known.counted.layout.names),
            repeats: known.counted.repeats.clone(),
            telling: known.counted.telling.clone(),
            households: known.counted.households.clone(),
            read_seconds: 0.0,
            kept: known.counted.kept.clone(),
        };
        let (source, policy, contents) = (Arc::clone(&known.source), known.policy.clone(), known.contents.clone());
        Self::of(
            Arc::new(CountedOnce { source, policy, counted, contents, seconds: 0.0 }),
            &self.policy,
            ClassesBy::Search,
        )
    }

    /// Does a recipe say which classes there are?
    pub fn follows_a_recipe(&self) -> bool {
        matches!(self.plan, ClassesBy::Recipe(_))
    }

    /// Where the counts came from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The table.
    pub fn table(&self) -> &CountedTable {
        &self.table
    }

    /// What is required.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Columns of the table that tell that rows may not be people.
    pub fn repeats(&self) -> &[Repeats] {
        &self.counted.counted.repeats
    }

    /// What stands in columns that are released and identifies somebody, as far as values tell.
    pub fn contents(&self) -> impl Iterator<Item = &Contents> {
        let is_shown = |contents: &Contents| match self.policy.role_of(&contents.column) {
            None | Some(Role::Identifier) => false,
            Some(Role::Sensitive | Role::Insensitive) => true,
            Some(Role::QuasiIdentifier) => {
                let column = self.policy.column(&contents.column);
                let may_stay = !contents.can_be_vague && !contents.is_by_name;
                may_stay && column.is_none_or(|column| column.min_level.is_none())
            }
        };
        self.counted.contents.iter().filter(move |contents| is_shown(contents))
    }

    /// What readers of a release should know before there is one: what the policy gives cause for, and what the table does.
    pub fn warnings(&self) -> Vec<Warning> {
        self.policy.warnings.iter().cloned().chain(self.warnings_of_table()).collect()
    }

    /// What readers should know of the table, whatever becomes of it.
    pub fn warnings_of_table(&self) -> Vec<Warning> {
        let repeats = self.repeats().iter().map(Repeats::warning);
        let contents = self.contents().map(Contents::warning);
        repeats.chain(contents).chain(self.warnings_of_people()).collect()
    }

    /// What readers should know of the column that says whose a row is, and of others that tell it, too.
    fn warnings_of_people(&self) -> Vec<Warning> {
        let counted = &self.counted.counted;
        let Some(person) = self.policy.input.person.as_ref().filter(|_| counted.layout.person) else {
            return Vec::new();
        };
        let names = counted.dictionaries.last().into_iter().flat_map(|names| names.values());
        let spelled = spelling::warning(&person.column, names.map(String::as_str));
        // Where everybody has one row, there are no others of theirs.
        let telling = counted.telling.iter().filter(|_| self.table.people.is_some());
        spelled.into_iter().chain(telling.map(|column| telling_columns::warning(column))).collect()
    }

    /// Rows that were left out before anything else because a value is missing.
    pub fn dropped_rows(&self) -> u64 {
        self.counted.counted.dropped_rows
    }

    /// What the policy asks of the table.
    pub fn task(&self) -> Task<'_> {
        task(&self.policy, &self.table, &self.requirements)
    }

    /// The best release that the policy's method finds, before anything is written.
    pub fn best(&self, watch: &dyn Watch) -> Result<Candidate> {
        let begin = Instant::now();
        let watch: &dyn Watch = &Remembered::new(watch);
        let task = self.task();
        let eligible = eligible_range(&task);
        let partition = match &self.plan {
            ClassesBy::Search => partition(self.policy.method.method.as_ref(), &task, watch),
            ClassesBy::Recipe(application) => application.partition(&task),
        };
        // A search that was told to stop may have ended with anything.
        watch.proceed()?;
        self.candidate(partition?, eligible, begin)
    }

    /// The release with these levels, whether it satisfies the requirements or not: classes that fail are suppressed, and
    /// [`Candidate::shortcoming`] tells if too many rows are.
    pub fn at(&self, levels: &Node) -> Result<Candidate> {
        let begin = Instant::now();
        let task = self.task();
        let partition = full_domain::release_at(&task, levels)?;
        Ok(Candidate { is_chosen: true, ..self.candidate(partition, eligible_range(&task), begin)? })
    }

    /// Every combination of levels that would do: the minimal ones, or all of them.
    pub fn solutions(&self, all: bool, watch: &dyn Watch) -> Result<Solutions> {
        let watch: &dyn Watch = &Remembered::new(watch);
        let solutions = full_domain::solutions(&self.task(), all, watch);
        watch.proceed()?;
        solutions
    }

    fn candidate(
        &self,
        partition: Partition,
        mut eligible: shoal_core::method::EligibleRange,
        begin: Instant,
    ) -> Result<Candidate> {
        let requirements = match &partition.sensitive {
            None => Arc::clone(&self.requirements),
            Some(generalized) => {
                // What the ceiling counts is the values as they are.
                eligible.most_classes = None;
                self.policy
                    .resolve(Resolving { sensitive: &generalized.columns, ..Resolving::input(&self.table) })?
                    .into()
            }
        };
        let seconds = begin.elapsed().as_secs_f64();
        Ok(Candidate {
            study: self.clone(),
            partition: Arc::new(partition),
            requirements,
            eligible,
            is_chosen: false,
            names: None,
            seconds,
        })
    }

    fn source(&self) -> MutexGuard<'_, Box<dyn Source>> {
        self.counted.source.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Is a candidate one of the same counts?
    fn refuse_others(&self, candidate: &Candidate) -> Result<()> {
        if Arc::ptr_eq(&self.counted.source, &candidate.study.counted.source) {
            return Ok(());
        }
        Err(Error::policy("a candidate is written by a study of its own table"))
    }
}

impl CountedOnce {
    fn read(source: Arc<Mutex<Box<dyn Source>>>, policy: &Policy, watch: &dyn Watch) -> Result<Arc<Self>> {
        let begin = Instant::now();
        let mut opened = source.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counted = opened.count(policy, watch)?;
        let seconds = begin.elapsed().as_secs_f64() - counted.read_seconds;
        let values = values::some_values(opened.as_mut(), policy, &counted, watch)?;
        drop(opened);
        counted.repeats.retain(|repeats| {
            let column = values.iter().find(|(name, _)| *name == repeats.column);
            column.is_none_or(|(_, values)| !repeats.is_of_notes(values.iter().map(String::as_str)))
        });
        let contents = contents::of_columns(&values, counted.rows);
        Ok(Arc::new(Self { source, policy: policy.clone(), counted, contents, seconds }))
    }
}
