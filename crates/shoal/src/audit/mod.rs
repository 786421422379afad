//! What does a table promise, whoever made it?

mod beside;
mod comparison;
mod households;
mod limit;
mod linked_people;
mod new_release;
mod original;
mod original_order;
mod outline;
mod people;
mod request;
mod requirements;
mod sensitive;
mod shown;
mod unmeasured;
mod watched_table;

use std::collections::BTreeMap;
use std::path::Path;

pub use beside::lay_beside;
pub use households::{Households, Members};
pub use limit::Limit;
pub use linked_people::LinkedPeople;
pub use new_release::NewRelease;
pub use original::count_original;
use original::fewest_left_out;
pub use original_order::Beginnings;
pub use outline::{Outline, outline};
pub use people::{AuditedPeople, Homogeneous, Skewed};
pub use request::AuditRequest;
pub use requirements::{measure_requirements, requirements_of};
pub use shown::ShownColumn;
pub use unmeasured::Unmeasured;
pub use watched_table::{WatchedTable, watch};

use crate::attack::{Beside, Findings, Knowledge, Options, OtherRelease, Scene, try_all};
use crate::linking::{AuditedQuasi, People, Written};
use crate::meaning::repeats::Repeats;
use crate::outsider::{Measured, OutsiderClasses, OutsiderTable};
use crate::policy::{Policy, PublishedNumber, Resolving};
use crate::risk::{self, ColumnSample, Risk};
use crate::utility::{Made, Utility};
use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, SensitiveColumn, TablePeople, TableProfile};
use shoal_core::hierarchy::HierarchySpec;
use shoal_core::method::Knows;
use shoal_core::model::{DEFINITIONS, Requirement, Scope, Subject};
use shoal_core::table::{DateReading, NumberMarks};
use shoal_core::warning::Warning;
use shoal_core::watch::{Unwatched, Watch};
use shoal_core::{Error, Result};

/// A sensitive column of the table that is audited.
#[derive(Debug)]
pub struct AuditedColumn {
    /// Its name.
    pub name: String,
    /// Which of its values are alike, if that is known.
    pub hierarchy: Option<HierarchySpec>,
    /// How its dates are to be read, as far as that is known.
    pub dates: DateReading,
}

/// A table that an attacker may have: it has some of the audited columns.
#[derive(Debug)]
pub struct KnownTable {
    /// The table, counted by these columns.
    pub table: OutsiderTable,
    /// Which of the audited quasi-identifiers it has.
    pub quasi: Vec<usize>,
    /// Which of the sensitive columns it has.
    pub sensitive: Vec<usize>,
}

/// What an audit is about.
#[derive(Clone)]
pub struct AuditTask<'a> {
    /// The table, counted by its quasi-identifiers and these sensitive columns.
    pub table: &'a OutsiderTable,
    /// The quasi-identifiers, in the order in which the table was counted.
    pub quasi: &'a [AuditedQuasi],
    /// The sensitive columns, in the order in which the table was counted.
    pub sensitive: &'a [AuditedColumn],
    /// The table it was made from, with all of the sensitive columns, if it is at hand.
    pub original: Option<&'a KnownTable>,
    /// The same as a run of the policy counts it, where there is a policy and the original has all its columns.
    pub counted: Option<&'a CountedTable>,
    /// The first rows of the table and of its original, where both have rows that can be compared.
    pub beginnings: Option<&'a Beginnings>,
    /// A table of an outsider.
    pub outsider: Option<&'a KnownTable>,
    /// A table of the population, with all of the sensitive columns or none.
    pub population: Option<&'a KnownTable>,
    /// Another release of the same people.
    pub other: Option<&'a KnownTable>,
    /// That release beside this one, row by row.
    pub beside: Option<&'a Beside>,
    /// A file of what an attacker knows.
    pub knowledge: Option<&'a Path>,
    /// Thresholds of the attacks.
    pub options: Options,
    /// Thresholds of the risks.
    pub risk_options: risk::Options,
    /// The beginnings of all columns of the table.
    pub samples: &'a [ColumnSample],
    /// The column that learners predict, for what the release is still good for; each sensitive column, if none is named.
    pub target: Option<&'a str>,
    /// How it was made, if it was just now: then it is known which row of it is whose.
    pub made: Option<Made<'a>>,
    /// The column that says whose rows they are, if one does.
    pub person: Option<&'a str>,
    /// What must not be found.
    pub limits: &'a [Limit],
    /// What it should satisfy.
    pub policy: Option<&'a Policy>,
    /// Does it show quasi-identifiers as they are, with sensitive values in a table of their own?
    pub is_separated: bool,
    /// Where relative paths begin.
    pub folder: &'a Path,
    /// How numbers are written.
    pub marks: NumberMarks,
    /// Whoever watches it.
    pub watch: &'a dyn Watch,
}

impl<'a> AuditTask<'a> {
    /// A table, counted by these columns, of which nothing else is known.
    pub fn new(table: &'a OutsiderTable, quasi: &'a [AuditedQuasi], sensitive: &'a [AuditedColumn]) -> Self {
        Self {
            table,
            quasi,
            sensitive,
            original: None,
            counted: None,
            beginnings: None,
            outsider: None,
            population: None,
            other: None,
            beside: None,
            knowledge: None,
            options: Options::default(),
            risk_options: risk::Options::default(),
            samples: &[],
            target: None,
            made: None,
            person: None,
            limits: &[],
            policy: None,
            is_separated: false,
            folder: Path::new(""),
            marks: NumberMarks::default(),
            watch: &Unwatched,
        }
    }

    /// The same, judged by a policy.
    #[must_use]
    pub fn judged_by(self, policy: &'a Policy) -> Self {
        let (folder, marks) = (policy.folder.as_path(), policy.input.marks);
        let is_separated = policy.method.method.separates().is_some();
        Self { policy: Some(policy), is_separated, folder, marks, ..self }
    }
}

/// The result of an audit.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{Unwatched, sample};
/// use shoal::AuditRequest;
///
/// let audit = AuditRequest::new(sample::patients()?).quasi(["age", "ward"]).sensitive(["diagnosis"]).run(&Unwatched)?;
/// let risk = audit.risk.expect("one table");
/// assert_eq!((audit.rows, risk.prosecutor.highest), (12, 1.0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Audit {
    /// The names of all columns of the table, in their order.
    pub columns: Vec<String>,
    /// How many rows were judged.
    pub rows: u64,
    /// How many rows consist of `*` only and were set apart.
    pub exempt_rows: u64,
    /// What was measured: the policy's requirements first, then every model.
    pub measures: Vec<Requirement>,
    /// How many of them are the policy's.
    pub required: usize,
    /// What the policy requires besides and cannot be judged here: of people, and the table does not tell whose rows are whose, or how people
    /// of the input share in its values.
    pub unjudged: Vec<Requirement>,
    /// What they reach.
    pub measured: Measured,
    /// How many classes there are of each size.
    pub sizes: BTreeMap<u64, u64>,
    /// What each audited column shows, quasi-identifiers first.
    pub shown: Vec<ShownColumn>,
    /// Its sensitive columns, the last of these, as they were judged.
    pub sensitive: Vec<SensitiveColumn>,
    /// What attacks achieve.
    pub findings: Findings,
    /// What records risk; none where quasi-identifiers are shown as they are, beside a table of sensitive values.
    pub risk: Option<Risk>,
    /// What it is still good for, where the original is at hand.
    pub utility: Option<Utility>,
    /// The columns whose numbers the policy publishes otherwise than they are: the original is read so, too.
    pub published_numbers: Vec<(String, PublishedNumber)>,
    /// What a release in two tables leaves no room for.
    pub unmeasured: Vec<Unmeasured>,
    /// The limits that are broken.
    pub broken: Vec<Limit>,
    /// What readers of the table should know.
    pub warnings: Vec<Warning>,
    /// What the reader should know about how it was measured.
    pub notes: Vec<String>,
    /// Columns of the table or of its original that tell that rows may not be people.
    pub repeats: Vec<Repeats>,
    /// The same by people, where it is known whose rows they are.
    pub people: Option<AuditedPeople>,
    /// How likely anybody of a household is found, where it is known who lives together.
    pub households: Option<Households>,
    /// Of how many people rows of the original are not in it, at least, where the original says whose rows are whose.
    pub people_left_out: Option<u64>,
}

impl Audit {
    /// The same with columns that tell that rows may not be people; those of the same name count once.
    #[must_use]
    pub fn with_repeats(mut self, repeats: impl IntoIterator<Item = Repeats>) -> Self {
        for repeats in repeats {
            if !self.repeats.iter().any(|known| known.column == repeats.column) {
                self.warnings.push(repeats.warning());
                self.repeats.push(repeats);
            }
        }
        self
    }

    /// What the policy requires, as far as it can be judged.
    pub fn requirements(&self) -> &[Requirement] {
        &self.measures[..self.required]
    }

    /// What the policy requires, judged or not.
    pub fn asked(&self) -> impl Iterator<Item = &Requirement> {
        self.requirements().iter().chain(&self.unjudged)
    }

    /// Do all of the policy's requirements hold? Of what cannot be judged nobody can say so.
    pub fn holds(&self) -> bool {
        let mut required = self.requirements().iter().zip(&self.measured.achieved);
        self.unjudged.is_empty() && required.all(|(requirement, &achieved)| requirement.holds(achieved))
    }
}

/// Measures what a table promises: a policy's requirements, if there is one, and every model.
pub fn audit(task: &AuditTask<'_>) -> Result<Audit> {
    if task.table.rows == 0 {
        return Err(Error::table("there are no rows to audit").hint("a release without rows promises nothing"));
    }
    let (mut notes, mut unmeasured, mut unjudged) = (Vec::new(), Vec::new(), Vec::new());
    let columns = (0..task.sensitive.len()).map(|index| task.column(index, &mut notes)).collect::<Result<Vec<_>>>()?;
    let mut measures = task.requirements(&columns)?;
    if let Some(why) = task.cannot_judge_people(&measures, &columns) {
        unmeasured.extend(unmeasured::of_people(&measures, why));
        notes.push(why.to_owned());
        unjudged = std::mem::take(&mut measures);
    }
    let required = measures.len();
    if let Some(needy) =
        measures.iter().find(|requirement| requirement.model.depends_on_input() && task.original.is_none())
    {
        return Err(Error::policy(format!("{} compares with the input, which is not at hand", needy.model.name()))
            .hint("give the input with --original FILE"));
    }
    measures.extend(every_model(&columns, task.folder));
    if task.is_separated {
        if let Some(broken) = measures[..required].iter().find(|requirement| requirement.model.hides_identity()) {
            return Err(Error::not_met(format!("the table does not give {}", broken.model.name()))
                .detail("it shows every quasi-identifier as it is, and so who is who"));
        }
        unmeasured.extend(unmeasured::models(&measures));
        measures.retain(|requirement| !requirement.model.hides_identity());
        notes.push("quasi-identifiers are shown as they are: classes are those of the table of sensitive values, and hide values, not people".to_owned());
    }
    let input = task.original.map(|original| original.table.profile_as_input(&columns));
    let classes = OutsiderClasses::new(task.table, &columns, input.as_ref())?;
    let people = AuditedPeople::of(task, &columns)?;
    let people = people.map(|people| AuditedPeople { column: task.person.map(str::to_owned), ..people });
    let knows = task.policy.map(|policy| policy.input.knows).unwrap_or_default();
    let measured = in_stage(task, "measuring", || measured(&measures, &classes, people.as_ref(), knows));
    let scene = Scene {
        people: people.as_ref().filter(|_| task.shows_people() || task.made.is_some()).map(|people| &people.classes),
        shows_people: task.shows_people(),
        ..task.scene(&classes, &columns, &measures[..required])?
    };
    notes.extend(unclear_dates(&scene));
    let in_order_of_original = task.beginnings.and_then(|beginnings| beginnings.warning(&scene));
    let risk = || (!task.is_separated).then(|| risk::measure(&scene, &task.risk_options, task.samples)).transpose();
    let (findings, (utility, risk)) = in_stage(task, "attacking", || {
        rayon::join(|| try_all(&scene), || rayon::join(|| task.utility(&scene, &mut notes), risk))
    });
    let (findings, utility, risk) = (findings?, utility?, risk?);
    let warnings = in_order_of_original.into_iter().chain(findings.warnings.iter().cloned()).collect();
    if task.is_separated {
        unmeasured.extend(unmeasured::risks());
        unmeasured.extend(task.original.iter().flat_map(|_| unmeasured::utility()));
    }
    let linked = people.as_ref().and_then(|people| LinkedPeople::of(&people.classes, &scene));
    drop(scene);
    let people = people.map(|people| AuditedPeople { linked, ..people });
    let shown = ShownColumn::of(&classes, task.quasi, &columns);
    let mut sizes = BTreeMap::new();
    classes.sizes().iter().for_each(|&size| *sizes.entry(size).or_default() += 1);
    let mut broken = Vec::new();
    for limit in task.limits {
        if limit.is_broken(&findings, risk.as_ref())? {
            broken.push(limit.clone());
        }
    }
    let (rows, exempt_rows) = (task.table.rows, task.table.exempt_rows);
    Ok(Audit {
        columns: task.table.columns.clone(),
        rows,
        exempt_rows,
        measures,
        required,
        unjudged,
        measured,
        sizes,
        shown,
        sensitive: columns,
        findings,
        risk,
        utility,
        unmeasured,
        broken,
        warnings,
        notes,
        repeats: Vec::new(),
        people,
        households: None,
        people_left_out: task
            .counted
            .and_then(|original| fewest_left_out(original, task.table.rows + task.table.exempt_rows)),
        published_numbers: task.policy.map_or_else(Vec::new, published_numbers),
    })
}

/// The columns whose numbers are published otherwise than they are, and how.
fn published_numbers(policy: &Policy) -> Vec<(String, PublishedNumber)> {
    policy.columns.iter().filter_map(|column| Some((column.name.clone(), column.publish.clone()?))).collect()
}

/// Tells whoever watches what is done meanwhile.
fn in_stage<T>(task: &AuditTask<'_>, stage: &str, act: impl FnOnce() -> T) -> T {
    task.watch.begin(stage, None);
    let done = act();
    task.watch.end();
    done
}

/// What every class reaches, of records or of people as each requirement counts; and, where somebody is taken to know all rows of a person, what the
/// people reach all of whose rows look the same.
fn measured(
    measures: &[Requirement],
    classes: &OutsiderClasses,
    people: Option<&AuditedPeople>,
    knows: Knows,
) -> Measured {
    let (of_people, of_rows): (Vec<&Requirement>, Vec<&Requirement>) =
        measures.iter().partition(|requirement| requirement.model.counts_people());
    let measured = classes.measure(&of_rows);
    let Some(people) = people else { return measured };
    let mut by_people = people.classes.measure(&of_people);
    if knows == Knows::AllRows {
        let whole = people.classes.measure_whole_people(&of_people);
        by_people.worsen(&whole, of_people.iter().copied());
    }
    let (mut of_rows, mut of_people) = (measured.achieved.into_iter(), by_people.achieved.into_iter());
    let achieved = measures.iter().filter_map(|requirement| match requirement.model.counts_people() {
        true => of_people.next(),
        false => of_rows.next(),
    });
    Measured { achieved: achieved.collect(), people: by_people.people, ..measured }
}

/// Whom ranges of dates cannot link, since nobody says which days they are.
fn unclear_dates(scene: &Scene<'_>) -> Vec<String> {
    let people = [&scene.original, &scene.outsider, &scene.population].into_iter().flatten();
    let mut notes: Vec<String> = people
        .flat_map(|people| people.unclear_dates())
        .map(|(column, unclear)| {
            let name = &scene.quasi[column].name;
            format!(
                "column `{name}`: {}, so that nobody is found by a range of them; a policy can say which: {}",
                unclear.what(),
                unclear.keys()
            )
        })
        .collect();
    notes.sort();
    notes.dedup();
    notes
}

/// Every model that can be measured without a policy.
fn every_model(columns: &[SensitiveColumn], folder: &Path) -> Vec<Requirement> {
    let mut measures = Vec::new();
    for definition in DEFINITIONS {
        let subjects = if definition.scope == Scope::Table { 1 } else { columns.len() };
        for index in 0..subjects {
            let subject = Subject { columns, index, folder, is_release: true };
            for parameters in definition.audited(subject) {
                // What a model cannot judge (generalized values, say) it leaves out.
                if let Ok(model) = parameters.resolve(subject) {
                    let column = (definition.scope != Scope::Table).then(|| columns[index].name().to_owned());
                    measures.push(Requirement::new(definition.id, column, parameters.to_json(), model));
                }
            }
        }
    }
    measures
}

impl<'a> AuditTask<'a> {
    /// What the policy requires, of people where it counts those and it is known whose rows they are.
    fn requirements(&self, columns: &[SensitiveColumn]) -> Result<Vec<Requirement>> {
        let Some(policy) = self.policy else { return Ok(Vec::new()) };
        // Nothing is searched, so that nobody asks what merging classes would do.
        let people = TablePeople { count: self.table.people_count().unwrap_or(0), codes: 0, constant: vec![false] };
        let counts_people = policy.input.person.is_some();
        policy.resolve(Resolving::release(columns, counts_people.then_some(&people)))
    }

    /// Can everybody who has the table tell which rows belong together: does a column say whose they are, or another name stand there?
    fn shows_people(&self) -> bool {
        let person = self.policy.and_then(|policy| policy.input.person.as_ref());
        self.table.shows_people() || person.is_some_and(|person| self.table.columns.contains(&person.column))
    }

    /// Why what the policy asks of people cannot be judged, if it cannot: the table does not tell whose rows are whose, or people are
    /// compared with those of the input, which nobody has counted.
    fn cannot_judge_people(&self, measures: &[Requirement], columns: &[SensitiveColumn]) -> Option<&'static str> {
        if self.policy.is_none_or(|policy| policy.input.person.is_none()) {
            return None;
        }
        let is_of_input = measures.iter().any(|requirement| requirement.model.depends_on_input());
        match self.table.people_count() {
            None => Some(unmeasured::NOT_TOLD),
            Some(_) if is_of_input && !self.knows_people_of_input(columns) => Some(unmeasured::NOT_OF_INPUT),
            Some(_) => None,
        }
    }

    /// Is it known how often each value counts among the people of the input: how they share in it, or that everybody has one row there?
    fn knows_people_of_input(&self, columns: &[SensitiveColumn]) -> bool {
        let is_of_people = self.policy.is_some_and(|policy| policy.input.person.is_some());
        let has_one_row_each = is_of_people && self.counted.is_some_and(|counted| counted.people.is_none());
        has_one_row_each || columns.iter().all(|column| column.held_by_people().is_some())
    }

    /// The release and everything that an attacker has besides.
    fn scene<'s>(
        &'s self,
        classes: &'s OutsiderClasses,
        columns: &'s [SensitiveColumn],
        requirements: &'s [Requirement],
    ) -> Result<Scene<'s>> {
        let written = Written { missing: self.table.missing_marker(), marks: self.marks, folder: self.folder };
        let counted = |known: &KnownTable| {
            let own: Vec<SensitiveColumn> = known.sensitive.iter().map(|&index| columns[index].clone()).collect();
            OutsiderClasses::new(&known.table, &own, None)
        };
        let people = |known: Option<&KnownTable>| -> Result<Option<People>> {
            let people = |known: &KnownTable| -> Result<People> {
                let whose = OutsiderClasses::of_people(&known.table, &[], None)?;
                let people = People::new(counted(known)?, known.quasi.clone(), classes, self.quasi, written)?;
                Ok(people.of_whom(whose))
            };
            known.map(people).transpose()
        };
        let other = |known: &KnownTable| -> Result<OtherRelease> {
            let (quasi, sensitive) = (known.quasi.clone(), known.sensitive.clone());
            Ok(OtherRelease { classes: counted(known)?, quasi, sensitive })
        };
        Ok(Scene {
            classes,
            people: None,
            shows_people: false,
            quasi: self.quasi,
            columns,
            inductions: columns.iter().map(|column| column.induction(&column.default_weights())).collect(),
            requirements,
            is_minimal: self.policy.is_some_and(|policy| {
                let is_of_classes = policy.requirements.iter().all(|required| !required.among);
                is_of_classes
                    && !self.is_separated
                    && !requirements.is_empty()
                    && policy.method.max_suppressed == Ratio::ZERO
            }),
            is_dominant_generalized: self.policy.is_some_and(|policy| policy.method.method.generalizes_dominant()),
            original: people(self.original)?,
            outsider: people(self.outsider)?,
            population: people(self.population)?,
            other: self.other.map(other).transpose()?,
            beside: self.beside,
            knowledge: self.knowledge.map(|path| Knowledge::read(path, self.quasi, columns)).transpose()?,
            missing: self.table.missing_marker(),
            is_separated: self.is_separated,
            marks: self.marks,
            folder: self.folder,
            options: &self.options,
            watch: self.watch,
        })
    }
}

impl OutsiderTable {
    /// The distributions of these columns here, as those of an input.
    fn profile_as_input(&self, columns: &[SensitiveColumn]) -> TableProfile {
        let counts = |(index, column): (usize, &SensitiveColumn)| {
            let mut counts = vec![0; column.codes()];
            for (value, count) in self.sensitive_values(index).0 {
                let code = column.code(value).expect("the column was made from these values, too");
                counts[code as usize] += count;
            }
            counts
        };
        let counts: Vec<Vec<u64>> = columns.iter().enumerate().map(counts).collect();
        TableProfile::of_counts(columns, &counts, self.rows, None)
    }
}
