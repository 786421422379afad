//! What could an attacker still learn from a release?
//!
//! Each attack is one file, and one line in the list below; `shoal audit`, its report and `shoal explain` follow from
//! the list.

mod adversaries;
mod alignment;
mod beliefs;
mod dominant;
mod finding;
mod knowledge;
mod laid_rows;
mod options;
mod overlap;
mod scene;
mod side_by_side;
mod told_by_order;
mod worlds;

pub use finding::{ExposedClass, Finding, Severity, Spared};
pub use knowledge::Knowledge;
pub use laid_rows::LaidRows;
pub(crate) use options::exactly;
pub use options::{Near, Options};
pub use scene::{OtherRelease, Scene};
pub use side_by_side::Beside;

use rayon::prelude::*;
use serde::Serialize;

use shoal_core::Result;
use shoal_core::listed::{Listed, Named};
use shoal_core::warning::Warning;

/// Declares the files of the attacks and makes the list of them.
macro_rules! attacks {
    ($($file:ident :: $attack:ident),* $(,)?) => {
        $(mod $file; pub use $file::$attack;)*

        /// Every attack that Shoal knows.
        pub static ATTACKS: &[Listed<&dyn Attack>] =
            &[$(Listed::new(&$file::$attack, include_str!(concat!(stringify!($file), ".rs")))),*];
    };
}

attacks! {
    homogeneity::Homogeneity,
    background_knowledge::BackgroundKnowledge,
    skewness::Skewness,
    similarity::Similarity,
    negative_disclosure::NegativeDisclosure,
    several_sensitive::SeveralSensitive,
    bayes_optimal::BayesOptimal,
    minimality::Minimality,
    linkage::Linkage,
    intersection::Intersection,
    several_rows::SeveralRows,
}

/// A way to learn about people from a release.
pub trait Attack: std::fmt::Debug + Send + Sync {
    /// Its id, everywhere.
    fn id(&self) -> &'static str;

    /// Why it cannot be tried on a release in two tables, where it cannot: quasi-identifiers are shown as they are there, and
    /// classes are numbers.
    fn not_in_two_tables(&self) -> Option<&'static str> {
        None
    }

    /// Tries it.
    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()>;
}

impl Named for &'static dyn Attack {
    fn id(&self) -> &'static str {
        (**self).id()
    }
}

/// What came of all attacks.
#[derive(Debug, Default)]
pub struct Findings {
    /// What they achieve, those that expose no record included.
    pub found: Vec<Finding>,
    /// What could not be tried.
    pub untried: Vec<Untried>,
    /// What to say of the table whether or not a record is exposed.
    pub warnings: Vec<Warning>,
}

/// An attack that could not be tried.
#[derive(Debug, Clone, Serialize)]
pub struct Untried {
    /// The attack's id.
    pub attack: &'static str,
    /// The column it would have been about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// What it needs.
    pub needs: String,
    /// Why it needs that, where nothing that is given besides would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

impl Findings {
    fn push(&mut self, finding: Finding) {
        self.found.push(finding);
    }

    fn untried(&mut self, attack: &'static str, column: Option<&str>, needs: impl Into<String>) {
        self.untried.push(Untried { attack, column: column.map(str::to_owned), needs: needs.into(), why: None });
    }

    /// An attack that a release in two tables leaves no room for, or that part of it.
    fn not_in_two_tables(&mut self, attack: &'static str, column: Option<&str>, why: &'static str) {
        let needs = "a release in one table".to_owned();
        self.untried.push(Untried { attack, column: column.map(str::to_owned), needs, why: Some(why) });
    }
}

/// Tries every attack, side by side; what came of them stands in the order of the list.
pub fn try_all(scene: &Scene<'_>) -> Result<Findings> {
    let try_one = |entry: &Listed<&dyn Attack>| -> Result<Findings> {
        scene.watch.proceed()?;
        let mut findings = Findings::default();
        match entry.item.not_in_two_tables().filter(|_| scene.is_separated) {
            Some(why) => findings.not_in_two_tables(entry.item.id(), None, why),
            None => entry.item.run(scene, &mut findings)?,
        }
        Ok(findings)
    };
    let mut all = Findings::default();
    for findings in ATTACKS.par_iter().map(try_one).collect::<Vec<_>>() {
        let Findings { found, untried, warnings } = findings?;
        all.found.extend(found);
        all.untried.extend(untried);
        all.warnings.extend(warnings);
    }
    Ok(all)
}
