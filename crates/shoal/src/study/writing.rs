//! How does a candidate become a release, with all that is said about it?

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use shoal_core::frequency::CountedTable;
use shoal_core::method::{EligibleRange, Knows, Partition};
use shoal_core::model::Requirement;
use shoal_core::recode::{Parts, Recoding};
use shoal_core::table::MissingMarkers;
use shoal_core::warning::Warning;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::TableReader;

use super::{Candidate, Study};
use crate::audit::{Audit, Households, NewRelease};
use crate::meaning::repeats::Repeats;
use crate::outsider::{Asked, Measured, OutsiderClasses, OutsiderTable};
use crate::policy::{Policy, Role};
use crate::publish::{Intent, OutputKind, Outputs};
use crate::risk::{self, ColumnSample};
use crate::source::{Published, ReleaseInMemory, Source, Staged};
use crate::verify::{people_left_out, verify};

/// Something that is published together with a release: a report, a certificate, a recipe.
///
/// ```
/// use std::path::Path;
/// use shoal::{Companion, RecipeFile};
///
/// let recipe = RecipeFile { path: "recipe.json".into() };
/// assert_eq!((recipe.what(), recipe.path()), ("the recipe", Path::new("recipe.json")));
/// ```
pub trait Companion {
    /// What it is, in words: `the report`.
    fn what(&self) -> &'static str;
    /// Which file it goes to.
    fn path(&self) -> &Path;
    /// What stands in such a file, so that an earlier one is replaced and nothing else.
    fn kind(&self) -> OutputKind;
    /// Its text, once the release is written and verified.
    fn text(&self, release: &Verified<'_>, watch: &dyn Watch) -> Result<String>;
}

/// What is written besides a release, and what must not be written over.
///
/// ```
/// use shoal::{RecipeFile, Writing};
///
/// let writing = Writing::new().with(RecipeFile { path: "recipe.json".into() }).reading("the policy", "policy.toml");
/// ```
#[derive(Default)]
pub struct Writing {
    companions: Vec<Box<dyn Companion>>,
    reads: Vec<(&'static str, PathBuf)>,
    overwrite: bool,
    strict: bool,
}

impl Writing {
    /// A release alone.
    pub fn new() -> Self {
        Self::default()
    }

    /// With something beside it.
    #[must_use]
    pub fn with(mut self, companion: impl Companion + 'static) -> Self {
        self.companions.push(Box::new(companion));
        self
    }

    /// Another file that the run reads, so that nothing is written over it.
    #[must_use]
    pub fn reading(mut self, what: &'static str, path: impl Into<PathBuf>) -> Self {
        self.reads.push((what, path.into()));
        self
    }

    /// Outputs may take the places of whatever is there.
    #[must_use]
    pub fn overwriting(self, overwrite: bool) -> Self {
        Self { overwrite, ..self }
    }

    /// Publishes nothing where there is anything to warn of.
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// Makes sure that all of it can be written, and that nobody else writes it meanwhile: worth doing before a long search.
    pub fn claim(self, policy: &Policy, source: &dyn Source) -> Result<Claimed> {
        // A key that is missing or weak is no news for after a long search.
        policy.pseudonyms()?;
        let mut intent = Intent::new(self.overwrite);
        source.announce(policy, &mut intent)?;
        for (what, path) in policy.files() {
            intent.reads(what, path);
        }
        for (what, path) in &self.reads {
            intent.reads(*what, path);
        }
        for companion in &self.companions {
            intent.writes(companion.what(), companion.path(), companion.kind());
        }
        Ok(Claimed { outputs: intent.claim()?, companions: self.companions, strict: self.strict })
    }
}

/// Outputs that nobody else writes while this lives.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// use shoal::{Claimed, Writing};
///
/// let (policy, source) = (sample::policy(2)?, LocalSource::in_memory(sample::patients()?));
/// let claimed: Claimed = Writing::new().claim(&policy, &source)?;
/// let study = Study::count(source, &policy, &Unwatched)?;
/// let release = study.write_claimed(&study.best(&Unwatched)?, claimed, &Unwatched)?;
/// assert_eq!(release.measured.smallest, 2);
/// # Ok(())
/// # }
/// ```
pub struct Claimed {
    outputs: Outputs,
    companions: Vec<Box<dyn Companion>>,
    strict: bool,
}

/// A release that keeps every promise and waits to be published: what a [`Companion`] makes its text of.
///
/// ```
/// use shoal::{Unwatched, Verified};
///
/// fn sentence(verified: &Verified<'_>) -> shoal::Result<String> {
///     let exposed = verified.audit(&Unwatched)?.findings.found.iter().map(|finding| finding.exposed_records).max();
///     Ok(format!("{} classes, {} records exposed", verified.release.measured.classes, exposed.unwrap_or(0)))
/// }
/// ```
pub struct Verified<'a> {
    /// What there is to say about it.
    pub release: &'a Release,
    staged: &'a dyn Staged,
}

impl Verified<'_> {
    /// What attackers could do to it, what its records risk, and what it is good for.
    pub fn audit(&self, watch: &dyn Watch) -> Result<Audit> {
        let (release, staged) = (self.release, self.staged);
        release.audited(|| staged.reader(release.policy()), watch)
    }
}

/// A verified release, and everything there is to say about it.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, &Unwatched)?;
/// use shoal::Writing;
///
/// let release = study.write(&study.best(&Unwatched)?, Writing::new(), &Unwatched)?;
/// assert_eq!(release.in_memory.expect("where its table is").rows.rows(), 12);
/// # Ok(())
/// # }
/// ```
///
/// Nobody else can make one:
///
/// ```compile_fail,E0639
/// fn forged(release: shoal::Release) -> shoal::Release {
///     let own_warnings = Vec::new();
///     shoal::Release { own_warnings, ..release }
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Release {
    /// What it was before it was written.
    pub candidate: Candidate,
    /// The release, as it was read back.
    pub seen: OutsiderTable,
    /// What the written release reaches, counted anew.
    pub measured: Measured,
    /// How likely anybody of a household is found in it, where it is known who lives together.
    pub households: Option<Households>,
    /// Where it is published.
    pub published: Published,
    /// The release itself, where it is in memory.
    pub in_memory: Option<ReleaseInMemory>,
    /// What its readers should know of the release itself.
    pub own_warnings: Vec<Warning>,
    /// How long each stage took.
    pub seconds: Seconds,
}

impl Release {
    /// The policy that it follows.
    pub fn policy(&self) -> &Policy {
        self.candidate.policy()
    }

    /// The table that it was made from.
    pub fn table(&self) -> &CountedTable {
        self.candidate.table()
    }

    /// What it had to satisfy.
    pub fn requirements(&self) -> &[Requirement] {
        self.candidate.requirements()
    }

    /// Who is in which class.
    pub fn partition(&self) -> &Partition {
        self.candidate.partition()
    }

    /// What the whole table would have allowed.
    pub fn eligible(&self) -> &EligibleRange {
        self.candidate.eligible()
    }

    /// How many people have rows that are not in it, where people are counted.
    pub fn people_left_out(&self) -> Option<u64> {
        people_left_out(self.table(), self.partition())
    }

    /// Rows that were left out before anything else because a value is missing.
    pub fn dropped_rows(&self) -> u64 {
        self.candidate.study().dropped_rows()
    }

    /// Columns of the table that tell that rows may not be people.
    pub fn repeats(&self) -> &[Repeats] {
        self.candidate.study().repeats()
    }

    /// What attackers could do to it, what its records risk, and what it is good for.
    pub fn audit(&self, watch: &dyn Watch) -> Result<Audit> {
        self.audited(|| Ok(self.in_memory.as_ref().map(|release| release.rows.reader())), watch)
    }

    fn audited(&self, open: impl Fn() -> Result<Option<Box<dyn TableReader>>>, watch: &dyn Watch) -> Result<Audit> {
        let (policy, candidate) = (self.policy(), &self.candidate);
        let samples = match open()? {
            Some(mut reader) => {
                let quasi: Vec<&str> =
                    policy.with_role(Role::QuasiIdentifier).map(|column| column.name.as_str()).collect();
                ColumnSample::read(reader.as_mut(), &quasi)?
            }
            None => Vec::new(),
        };
        let (original, partition) = (candidate.table(), candidate.partition());
        let of_people = self.with_people(open, watch)?;
        let release = of_people.as_ref().unwrap_or(&self.seen);
        let audit = NewRelease { policy, original, partition, release, samples: &samples, watch }.audit()?;
        let households = self.households.clone();
        Ok(Audit { households, ..audit.with_repeats(self.repeats().iter().cloned()) })
    }

    /// The release counted once more, with whose rows they are, where nobody has asked for people and a column that it shows is likely to tell
    /// them: what its classes are worth to people can be said then.
    fn with_people(
        &self,
        open: impl Fn() -> Result<Option<Box<dyn TableReader>>>,
        watch: &dyn Watch,
    ) -> Result<Option<OutsiderTable>> {
        let policy = self.policy();
        if policy.input.person.is_some() || policy.method.method.separates().is_some() {
            return Ok(None);
        }
        let is_shown = |repeats: &&Repeats| repeats.is_likely() && self.seen.columns.contains(&repeats.column);
        let Some(likely) = self.repeats().iter().find(is_shown) else { return Ok(None) };
        let Some(mut reader) = open()? else { return Ok(None) };
        let names = |role| policy.with_role(role).map(|column| column.name.clone()).collect::<Vec<_>>();
        let (quasi, sensitive) = (names(Role::QuasiIdentifier), names(Role::Sensitive));
        let markers = MissingMarkers::new(policy.input.missing.clone());
        let asked = Asked::new(&quasi, &sensitive, policy.output.keeps_suppressed());
        let asked = asked.of_person(Some(&likely.column), &markers);
        OutsiderTable::read_asked(&asked, reader.as_mut(), &markers.written(), watch).map(Some)
    }

    /// What readers should know of the table and of its release rather than of the policy.
    pub fn warnings_of_table(&self) -> Vec<Warning> {
        self.candidate.study().warnings_of_table().into_iter().chain(self.own_warnings.iter().cloned()).collect()
    }

    /// What readers of the release should know: what the policy gave cause for, what the table did, and what it shows.
    pub fn warnings(&self) -> Vec<Warning> {
        self.policy().warnings.iter().cloned().chain(self.warnings_of_table()).collect()
    }
}

/// The seconds of each stage.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Unwatched, Writing, sample};
/// use shoal::Seconds;
///
/// let source = LocalSource::in_memory(sample::patients()?);
/// let seconds: Seconds = shoal::anonymize(source, &sample::policy(4)?, Writing::new(), &Unwatched)?.seconds;
/// assert!(seconds.search <= seconds.total);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Seconds {
    /// Reading the input the first time.
    pub read: f64,
    /// Encoding and counting it.
    pub count: f64,
    /// Reading, making and checking hierarchies.
    pub hierarchies: f64,
    /// Finding the partition.
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

impl Seconds {
    /// The whole is its parts, in their order, to the last digit.
    fn sum_up(&mut self) {
        let Self { read, count, hierarchies, search, recode, verify, write, .. } = *self;
        self.total = read + count + hierarchies + search + recode + verify + write;
    }
}

impl Study {
    /// Writes a candidate, verifies what was written, and publishes it, with all that is said about it, at once.
    pub fn write(&self, candidate: &Candidate, writing: Writing, watch: &dyn Watch) -> Result<Release> {
        let claimed = writing.claim(candidate.policy(), self.source().as_ref())?;
        self.write_claimed(candidate, claimed, watch)
    }

    /// The same where outputs were claimed before.
    pub fn write_claimed(&self, candidate: &Candidate, claimed: Claimed, watch: &dyn Watch) -> Result<Release> {
        self.refuse_others(candidate)?;
        if let Some(shortcoming) = candidate.shortcoming() {
            return Err(shortcoming);
        }
        let Claimed { mut outputs, companions, strict } = claimed;
        let (mut release, staged) = candidate.stage(&mut outputs, watch)?;
        if strict {
            refuse(&release.warnings())?;
        }
        for companion in &companions {
            watch.proceed()?;
            let text = companion.text(&Verified { release: &release, staged: staged.as_ref() }, watch)?;
            outputs.write(companion.path(), &text)?;
        }
        watch.proceed()?;
        let publishing = Instant::now();
        release.in_memory = staged.publish(outputs)?;
        let seconds = publishing.elapsed().as_secs_f64();
        release.seconds.write += seconds;
        release.seconds.sum_up();
        Ok(release)
    }
}

/// An error if there is anything to warn of.
fn refuse(warnings: &[Warning]) -> Result<()> {
    if warnings.is_empty() {
        return Ok(());
    }
    let error = Error::not_met("what there is to warn of stands in the way: nothing was published");
    let error = warnings.iter().fold(error, |error, warning| error.detail(format!("warning: {warning}")));
    Err(error.hint("change what is warned of, or do not ask for strictness"))
}

impl Study {
    /// An error if there is anything to warn of before a release is looked for.
    pub fn refuse_warnings(&self) -> Result<()> {
        refuse(&self.warnings())
    }
}

impl Candidate {
    /// Writes the release where nobody takes it for one yet, and proves that it keeps every promise.
    fn stage(&self, outputs: &mut Outputs, watch: &dyn Watch) -> Result<(Release, Box<dyn Staged>)> {
        let (policy, counted) = (self.policy(), &self.study.counted);
        let names = match &self.names {
            Some(names) => Arc::clone(names),
            None => policy.pseudonyms()?.into(),
        };
        let begin = Instant::now();
        let layout = policy.layout(&counted.counted.layout.names);
        let recoding = Recoding::new(Parts {
            table: self.table(),
            layout: &layout,
            dictionaries: &counted.counted.dictionaries,
            partition: &self.partition,
            identifiers: &names,
            keep_suppressed: policy.output.keeps_suppressed(),
            seed: policy.output.order_seed(),
        })?;
        let staged = self.study.source().stage(policy, &counted.counted, &recoding, outputs, watch)?;
        let mut seconds = Seconds {
            read: counted.counted.read_seconds,
            count: counted.seconds + self.study.values_seconds,
            hierarchies: self.study.hierarchies_seconds,
            search: self.seconds,
            ..Seconds::default()
        };
        seconds.write = staged.write_seconds();
        seconds.recode = begin.elapsed().as_secs_f64() - seconds.write;

        let verifying = Instant::now();
        // Of two tables the rows of both are read.
        watch.begin("verifying", (!self.partition.is_separated).then(|| self.written_rows()));
        let seen = staged.count(policy, watch).map_err(|error| error.at("the release cannot be read back"))?;
        let (requirements, expected) = (&self.requirements, layout.released_names());
        let measured = verify(&seen, policy, self.table(), requirements, &self.partition, &expected)?;
        let households = self.households(&seen)?;
        watch.end();
        seconds.verify = verifying.elapsed().as_secs_f64();
        seconds.sum_up();

        let (published, own_warnings) = (staged.place(), staged.warnings());
        let candidate = Self { names: Some(names), ..self.clone() };
        let release =
            Release { candidate, seen, measured, households, published, in_memory: None, own_warnings, seconds };
        Ok((release, staged))
    }

    /// How likely anybody of a household is found in a release, by what somebody knows of its members.
    fn households(&self, release: &OutsiderTable) -> Result<Option<Households>> {
        let Some(known) = &self.study.counted.counted.households else { return Ok(None) };
        let columns = self.partition.sensitive_columns(self.table());
        let Some(classes) = OutsiderClasses::of_people(release, columns, None)? else { return Ok(None) };
        let classes = match self.policy().input.knows {
            Knows::OneRow => classes,
            Knows::AllRows => classes.of_whole_people(),
        };
        Ok(Some(Households::of_numbered(&classes, known, risk::Options::default().at_risk)))
    }
}
