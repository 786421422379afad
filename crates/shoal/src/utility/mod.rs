//! What is a release still good for, compared with its original?
//!
//! Each measure is one file, and one line in the list below; `shoal explain` follows from the list. Objectives have a list of
//! their own: `losses` reads what they need from the text of a release.

mod compared;
mod division;
mod examples;
mod held_out;
mod learners;
mod linked;
mod losses;
mod origins;
mod reading;
mod releasing;

pub use compared::{Compared, ComparedColumn, Tuples};
pub use learners::Learned;
pub use losses::Losses;
pub use origins::Made;

use crate::attack::Scene;
use crate::linking::People;
use held_out::HeldOut;
use origins::Origins;
use shoal_core::error::nearest;
use shoal_core::frequency::CountedTable;
use shoal_core::listed::{Listed, ids};
use shoal_core::method::Showing;
use shoal_core::model::Requirement;
use shoal_core::objective::OBJECTIVES;
use shoal_core::{Error, Result};

/// Declares the files of the measures and makes the list of them.
macro_rules! measures {
    ($($id:literal = $file:ident :: $measure:ident),* $(,)?) => {
        $(mod $file; pub use $file::$measure;)*

        /// Every measure of utility besides objectives.
        pub static MEASURES: &[Listed<&str>] =
            &[$(Listed::new($id, include_str!(concat!(stringify!($file), ".rs")))),*];
    };
}

measures! {
    "distribution-distance" = distribution_distance::DistributionDistance,
    "association" = association::Association,
    "count-queries" = count_queries::CountQueries,
    "squared-error" = squared_error::SquaredError,
    "decision-tree" = decision_tree::DecisionTree,
    "naive-bayes" = naive_bayes::NaiveBayes,
    "excessive-protection" = excessive_protection::ExcessiveProtection,
}

/// The ids of all objectives, which say what a release has lost.
pub fn objectives() -> impl Iterator<Item = &'static str> {
    ids(OBJECTIVES)
}

/// What the scene does not tell.
#[derive(Debug, Clone)]
pub struct Settings<'a> {
    /// The original as a run of the policy counts it, where there is a policy and the original has all its columns.
    pub counted: Option<&'a CountedTable>,
    /// What such a run asks of every class, as far as that is known.
    pub requirements: Option<&'a [Requirement]>,
    /// What the method of the policy may show, where there is a policy.
    pub showing: Option<Showing>,
    /// The objective by which a release was chosen, as far as that is known.
    pub objective: &'static str,
    /// How much each column weighs in objectives, quasi-identifiers first.
    pub weights: Vec<f64>,
    /// The column that learners predict; each sensitive column, if none is named.
    pub target: Option<&'a str>,
    /// How the release was made, if it was just now.
    pub made: Option<Made<'a>>,
}

/// What a release is still good for.
#[derive(Debug)]
pub struct Utility {
    /// What it has lost by every objective.
    pub losses: Losses,
    /// How many rows the original has.
    pub rows: u64,
    /// How far each column is from what it was; none for one whose labels do not tell.
    pub marginals: Vec<(String, Option<DistributionDistance>)>,
    /// How far each two columns are; none for two with too many values, or whose labels do not tell.
    pub pairs: Vec<([String; 2], Option<DistributionDistance>)>,
    /// How much each two columns tell about one another, of those whose labels tell.
    pub associations: Vec<Association>,
    /// How far off answers are.
    pub queries: CountQueries,
    /// How far off numbers are.
    pub squared_errors: Vec<SquaredError>,
    /// How well learners do.
    pub learned: Vec<Learned>,
    /// What is protected more than asked.
    pub excessive: Vec<ExcessiveProtection>,
    /// What all of it was measured on.
    pub compared: Compared,
}

/// Compares the release of a scene with its original, if it is at hand; the notes say why not, or what to know.
pub fn measure(scene: &Scene<'_>, settings: &Settings<'_>, notes: &mut Vec<String>) -> Result<Option<Utility>> {
    let Some(original) = &scene.original else { return Ok(None) };
    let mut refuse = |why: String| {
        notes.push(format!("utility was not measured: {why}"));
        Ok(None)
    };
    if let Some(lacking) = (0..scene.quasi.len()).find(|column| !original.known.contains(column)) {
        return refuse(format!("the original has no column `{}`", scene.quasi[lacking].name));
    }
    if original.table.rows() < scene.classes.rows() {
        return refuse("the original has fewer rows than the release".to_owned());
    }
    let compared = Compared::new(scene, original);
    let name = |column: usize| compared.columns[column].name.clone();
    let targets = targets(&compared, settings.target, notes)?;
    let classes = linked::linked(original, &compared);
    scene.watch.proceed()?;
    let losses = Losses::new(scene, original, &compared, settings);
    for name in &losses.untold {
        let hint = if settings.showing.is_none() { "; a policy or --hierarchy can tell" } else { "" };
        notes.push(format!(
            "what the labels of `{name}` stand for cannot be told from their text: objectives that ask for it are not measured{hint}"
        ));
    }
    let squared_errors = SquaredError::of_columns(&compared, classes.as_deref());
    let is_counted = |column: &&ComparedColumn| column.invented > 0 && !losses.untold.contains(&column.name);
    for column in compared.columns.iter().filter(is_counted) {
        notes.push(invented(column, &squared_errors));
    }
    scene.watch.proceed()?;
    let pairs = DistributionDistance::of_pairs(&compared);
    let marginals =
        compared.columns.iter().map(|column| (column.name.clone(), DistributionDistance::of_column(column)));
    let (associations, queries) = (Association::of_pairs(&compared), CountQueries::new(&compared));
    scene.watch.proceed()?;
    Ok(Some(Utility {
        losses,
        rows: compared.original.rows(),
        marginals: marginals.collect(),
        pairs: pairs.into_iter().map(|(a, b, distance)| ([name(a), name(b)], distance)).collect(),
        associations,
        queries,
        squared_errors,
        learned: learn(scene, original, &compared, classes.as_deref(), &targets, settings.made, notes),
        excessive: ExcessiveProtection::of_requirements(scene),
        compared,
    }))
}

/// What to know of a column with labels that are nobody's values, and count as exact.
fn invented(column: &ComparedColumn, squared_errors: &[SquaredError]) -> String {
    let what = if column.is_number { "numbers" } else { "values" };
    let has_error = squared_errors.iter().any(|error| error.column == column.name);
    let error = if has_error { "; its squared error tells how exact" } else { "" };
    format!("`{}` shows {what} that are not in the original: objectives count each as exact{error}", column.name)
}

/// How well learners do on the release of a scene, if its original is at hand and has the same columns.
pub fn learned(
    scene: &Scene<'_>,
    target: Option<&str>,
    made: Option<Made<'_>>,
    notes: &mut Vec<String>,
) -> Result<Vec<Learned>> {
    let has_all = |original: &&People| (0..scene.quasi.len()).all(|column| original.known.contains(&column));
    let Some(original) = scene.original.as_ref().filter(has_all) else { return Ok(Vec::new()) };
    let compared = Compared::new(scene, original);
    let classes = if made.is_some() { None } else { linked::linked(original, &compared) };
    let targets = targets(&compared, target, notes)?;
    Ok(learn(scene, original, &compared, classes.as_deref(), &targets, made, notes))
}

/// How well learners do on a release in two tables, of which one shows every quasi-identifier as it is.
pub fn learned_from_separated(made: Made<'_>, target: Option<&str>, notes: &mut Vec<String>) -> Result<Vec<Learned>> {
    let compared = Compared::with_itself(made.table);
    let held_out = HeldOut::separated(&compared, made.table, made.partition);
    let targets = targets(&compared, target, notes)?;
    Ok(ask(&compared, &held_out, &targets, notes))
}

/// Asks learners about rows that they have not seen; where these cannot be told, nobody is asked, and a note says so.
fn learn(
    scene: &Scene<'_>,
    original: &People,
    compared: &Compared,
    classes: Option<&[Option<u32>]>,
    targets: &[usize],
    made: Option<Made<'_>>,
    notes: &mut Vec<String>,
) -> Vec<Learned> {
    let origins = match made {
        Some(made) => Origins::of_partition(scene, original, compared, made),
        None => classes.map(|classes| Origins::of_classes(compared, classes)),
    };
    let Some(origins) = origins.filter(|_| !targets.is_empty()) else {
        if !targets.is_empty() {
            notes.push(NOT_LINKED.to_owned());
        }
        return Vec::new();
    };
    ask(compared, &HeldOut::new(compared, &origins), targets, notes)
}

/// The answers of every learner about the rows that are held out, if there are any.
fn ask(compared: &Compared, held_out: &HeldOut<'_>, targets: &[usize], notes: &mut Vec<String>) -> Vec<Learned> {
    if held_out.tested.iter().all(|&rows| rows == 0) {
        notes.extend((!targets.is_empty()).then(|| TOO_FEW.to_owned()));
        return Vec::new();
    }
    targets.iter().flat_map(|&target| learners::learn(compared, held_out, target)).collect()
}

/// Why no learner is asked about a handful of rows.
const TOO_FEW: &str = "no learner was asked: of so few rows none was drawn to be held out";

/// Why no learner is asked.
const NOT_LINKED: &str = "no learner was asked: the release does not tell which of its rows is whose, so that none can be held \
                          out; `shoal compare` makes the release itself, and asks learners about every one";

/// The columns that learners predict.
fn targets(compared: &Compared, wanted: Option<&str>, notes: &mut Vec<String>) -> Result<Vec<usize>> {
    let columns = &compared.columns;
    let targets: Vec<usize> = match wanted {
        None => (compared.quasi..columns.len()).collect(),
        Some(wanted) => {
            let place = columns.iter().position(|column| column.name == wanted).ok_or_else(|| {
                let error = Error::policy(format!("`--target {wanted}` is neither a quasi-identifier nor sensitive"));
                let names = || columns.iter().map(|column| column.name.as_str());
                match nearest(wanted, names()) {
                    Some(near) => error.hint(format!("did you mean `{near}`?")),
                    None => error.hint(format!("there are {}", names().collect::<Vec<_>>().join(", "))),
                }
            })?;
            vec![place]
        }
    };
    let (few, many): (Vec<usize>, Vec<usize>) =
        targets.into_iter().partition(|&target| distinct(&columns[target]) <= learners::MOST_CLASSES);
    notes.extend(many.into_iter().map(|target| {
        format!("no learner predicts `{}`: it has more than {} values", columns[target].name, learners::MOST_CLASSES)
    }));
    Ok(few)
}

/// How many values of a column occur.
fn distinct(column: &ComparedColumn) -> usize {
    column.rows.iter().filter(|&&rows| rows > 0).count()
}
