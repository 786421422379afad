//! What does a table promise, whoever made it?

mod comparison;
mod limit;
mod new_release;
mod outline;
mod shown;

use std::collections::BTreeMap;
use std::path::Path;

pub use limit::Limit;
pub use new_release::NewRelease;
pub use outline::{Outline, outline};
pub use shown::ShownColumn;

use crate::attack::{AuditedQuasi, Findings, Knowledge, Options, OtherRelease, People, Scene, Written, try_all};
use crate::exact::Ratio;
use crate::frequency::{SensitiveColumn, TableProfile};
use crate::hierarchy::{ColumnValues, HierarchySpec};
use crate::model::{DEFINITIONS, Requirement, Scope, Subject};
use crate::outsider::{Measured, OutsiderClasses, OutsiderTable};
use crate::policy::Policy;
use crate::risk::{self, ColumnSample, Risk};
use crate::table::Dictionary;
use crate::utility::Utility;
use crate::warning::Warning;
use crate::{Error, Result};

/// A sensitive column of the table that is audited.
#[derive(Debug)]
pub struct AuditedColumn {
    /// Its name.
    pub name: String,
    /// Which of its values are alike, if that is known.
    pub hierarchy: Option<HierarchySpec>,
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
#[derive(Debug)]
pub struct AuditTask<'a> {
    /// The table, counted by its quasi-identifiers and these sensitive columns.
    pub table: &'a OutsiderTable,
    /// The quasi-identifiers, in the order in which the table was counted.
    pub quasi: &'a [AuditedQuasi],
    /// The sensitive columns, in the order in which the table was counted.
    pub sensitive: &'a [AuditedColumn],
    /// The table it was made from, with all of the sensitive columns, if it is at hand.
    pub original: Option<&'a KnownTable>,
    /// A table of an outsider.
    pub outsider: Option<&'a KnownTable>,
    /// A table of the population, with all of the sensitive columns or none.
    pub population: Option<&'a KnownTable>,
    /// Another release of the same people.
    pub other: Option<&'a KnownTable>,
    /// A file of what an attacker knows.
    pub knowledge: Option<&'a Path>,
    /// Thresholds of the attacks.
    pub options: &'a Options,
    /// Thresholds of the risks.
    pub risk_options: &'a risk::Options,
    /// The beginnings of all columns of the table.
    pub samples: &'a [ColumnSample],
    /// The column that learners predict, for what the release is still good for; each sensitive column, if none is named.
    pub target: Option<&'a str>,
    /// What must not be found.
    pub limits: &'a [Limit],
    /// What it should satisfy.
    pub policy: Option<&'a Policy>,
    /// Does it show quasi-identifiers as they are, with sensitive values in a table of their own?
    pub is_separated: bool,
    /// Where relative paths begin.
    pub folder: &'a Path,
    /// Are decimals written with a comma?
    pub decimal_comma: bool,
}

/// The result of an audit.
#[derive(Debug)]
pub struct Audit {
    /// How many rows were judged.
    pub rows: u64,
    /// How many rows consist of `*` only and were set apart.
    pub exempt_rows: u64,
    /// What was measured: the policy's requirements first, then every model.
    pub measures: Vec<Requirement>,
    /// How many of them are the policy's.
    pub required: usize,
    /// What they reach.
    pub measured: Measured,
    /// How many classes there are of each size.
    pub sizes: BTreeMap<u64, u64>,
    /// What each audited column shows, quasi-identifiers first.
    pub shown: Vec<ShownColumn>,
    /// How many of these are sensitive.
    pub sensitive: usize,
    /// What attacks achieve.
    pub findings: Findings,
    /// What records risk; none where quasi-identifiers are shown as they are, beside a table of sensitive values.
    pub risk: Option<Risk>,
    /// What it is still good for, where the original is at hand.
    pub utility: Option<Utility>,
    /// The limits that are broken.
    pub broken: Vec<Limit>,
    /// What readers of the table should know.
    pub warnings: Vec<Warning>,
    /// What the reader should know about how it was measured.
    pub notes: Vec<String>,
}

impl Audit {
    /// What the policy requires.
    pub fn requirements(&self) -> &[Requirement] {
        &self.measures[..self.required]
    }

    /// Do all of the policy's requirements hold?
    pub fn holds(&self) -> bool {
        let required = self.measures.iter().zip(&self.measured.achieved).take(self.required);
        required.into_iter().all(|(requirement, &achieved)| requirement.holds(achieved))
    }
}

/// Measures what a table promises: a policy's requirements, if there is one, and every model.
pub fn audit(task: &AuditTask<'_>) -> Result<Audit> {
    if task.table.rows == 0 {
        return Err(Error::new("there are no rows to audit").hint("a release without rows promises nothing"));
    }
    let mut notes = Vec::new();
    let columns = (0..task.sensitive.len()).map(|index| task.column(index, &mut notes)).collect::<Result<Vec<_>>>()?;
    let mut measures = match task.policy {
        Some(policy) => policy.resolve(&columns, true)?,
        None => Vec::new(),
    };
    let required = measures.len();
    if let Some(needy) =
        measures.iter().find(|requirement| requirement.model.depends_on_input() && task.original.is_none())
    {
        return Err(Error::new(format!("{} compares with the input, which is not at hand", needy.model.name()))
            .hint("give the input with --original FILE"));
    }
    measures.extend(every_model(&columns, task.folder));
    if task.is_separated {
        if let Some(broken) = measures[..required].iter().find(|requirement| requirement.model.hides_identity()) {
            return Err(Error::answer_is_no(format!("the table does not give {}", broken.model.name()))
                .detail("it shows every quasi-identifier as it is, and so who is who"));
        }
        measures.retain(|requirement| !requirement.model.hides_identity());
        notes.push("quasi-identifiers are shown as they are: classes are those of the table of sensitive values, and hide values, not people".to_owned());
    }
    let input = task.original.map(|original| original.table.profile_as_input(&columns));
    let classes = OutsiderClasses::new(task.table, &columns, input.as_ref())?;
    let measured = classes.measure(&measures);
    let scene = task.scene(&classes, &columns, &measures[..required])?;
    let findings = try_all(&scene)?;
    let utility = task.utility(&scene, &mut notes)?;
    let risk = match task.is_separated {
        true => None,
        false => Some(risk::measure(&scene, task.risk_options, task.samples)?),
    };
    drop(scene);
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
    let sensitive = columns.len();
    Ok(Audit {
        rows,
        exempt_rows,
        measures,
        required,
        measured,
        sizes,
        shown,
        sensitive,
        findings,
        risk,
        utility,
        broken,
        warnings: Vec::new(),
        notes,
    })
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
    /// The release and everything that an attacker has besides.
    fn scene<'s>(
        &'s self,
        classes: &'s OutsiderClasses,
        columns: &'s [SensitiveColumn],
        requirements: &'s [Requirement],
    ) -> Result<Scene<'s>> {
        let written =
            Written { missing: self.table.missing_marker(), decimal_comma: self.decimal_comma, folder: self.folder };
        let counted = |known: &KnownTable| {
            let own: Vec<SensitiveColumn> = known.sensitive.iter().map(|&index| columns[index].clone()).collect();
            OutsiderClasses::new(&known.table, &own, None)
        };
        let people = |known: Option<&KnownTable>| -> Result<Option<People>> {
            let people = |known| People::new(counted(known)?, known.quasi.clone(), classes, self.quasi, written);
            known.map(people).transpose()
        };
        let other = |known: &KnownTable| -> Result<OtherRelease> {
            let (quasi, sensitive) = (known.quasi.clone(), known.sensitive.clone());
            Ok(OtherRelease { classes: counted(known)?, quasi, sensitive })
        };
        Ok(Scene {
            classes,
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
            original: people(self.original)?,
            outsider: people(self.outsider)?,
            population: people(self.population)?,
            other: self.other.map(other).transpose()?,
            knowledge: self.knowledge.map(|path| Knowledge::read(path, self.quasi, columns)).transpose()?,
            folder: self.folder,
            options: self.options,
        })
    }

    /// The other tables that have a sensitive column, and its place there.
    fn others_with(&self, index: usize) -> impl Iterator<Item = (&'a OutsiderTable, usize)> {
        let others = [self.original, self.outsider, self.population, self.other].into_iter().flatten();
        others.filter_map(move |known| {
            Some((&known.table, known.sensitive.iter().position(|&sensitive| sensitive == index)?))
        })
    }

    /// A sensitive column as the models see it. Values that are inner nodes of the column's hierarchy are
    /// generalized ones, and stand for the leaves below them.
    fn column(&self, index: usize, notes: &mut Vec<String>) -> Result<SensitiveColumn> {
        let AuditedColumn { name, hierarchy } = &self.sensitive[index];
        let (mut values, mut missing) = self.table.sensitive_values(index);
        for (other, place) in self.others_with(index) {
            let (of_other, missing_there) = other.sensitive_values(place);
            values.extend(of_other.into_iter().map(|(value, _)| (value, 0)));
            missing = missing.or(missing_there);
        }
        let rows = match hierarchy {
            Some(spec) => spec.rows(self.folder)?.unwrap_or_default(),
            None => Vec::new(),
        };
        let is_leaf = |value: &str| rows.iter().any(|row| row[0] == value);
        let leaves_below = |value: &str| -> Vec<&str> {
            rows.iter().filter(|row| row[1..].iter().any(|label| label == value)).map(|row| row[0].as_str()).collect()
        };
        let is_generalized = |value: &str| Some(value) != missing && !is_leaf(value) && !leaves_below(value).is_empty();
        let (generalized, plain): (Vec<_>, Vec<_>) = values.into_iter().partition(|(value, _)| is_generalized(value));

        let present = plain.iter().map(|pair| pair.0).filter(|value| Some(*value) != missing);
        let dictionary = Dictionary::new(present.map(str::to_owned), missing, self.decimal_comma);
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
        for &(value, count) in &generalized {
            let covered = covered_leaves(&column, value);
            column.add_generalized(value, covered, count);
        }
        if column.is_generalized() {
            notes.push(format!(
                "some values of `{name}` are generalized: each counts for all leaves below it, and only models that can deal with that are measured"
            ));
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
