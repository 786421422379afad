//! How likely is somebody found again?
//!
//! Each figure is one file, and one line in the list below; `shoal explain` follows from the list.

mod class_column;
mod gamma;
pub mod grouping;
mod options;
mod pitman;
mod population;
mod reidentification;
mod snb;
mod zayatz;

pub use options::Options;
pub use population::{Known, Population};
pub use prosecutor::prosecutor;
pub use reidentification::Reidentification;
pub use safe_harbor::ColumnSample;
pub use special_uniques::{SpecialRecord, SpecialUniques};
pub use subsets::{Subset, Subsets};
pub use uniqueness::Uniqueness;

use class_column::ClassColumn;

use crate::attack::Scene;
use crate::meaning::safe_harbor::Recognised;
use shoal_core::Result;
use shoal_core::listed::{Listed, Named};

/// Declares the files of the risks and makes the list of them.
macro_rules! risks {
    ($($file:ident = $about:ident($id:literal)),* $(,)?) => {
        $(mod $file;)*

        /// Every risk that Shoal knows.
        pub static RISKS: &[Listed<KnownRisk>] =
            &[$(Listed::new(KnownRisk::$about($id), include_str!(concat!(stringify!($file), ".rs")))),*];
    };
}

risks! {
    prosecutor = of_rows("prosecutor-risk"),
    journalist = of_rows("journalist-risk"),
    marketer = of_rows("marketer-risk"),
    uniqueness = of_rows("sample-uniqueness"),
    population_uniqueness = of_rows("population-uniqueness"),
    subsets = of_rows("distinction-and-separation"),
    special_uniques = of_rows("special-uniques"),
    safe_harbor = of_values("safe-harbor"),
}

/// A risk that Shoal knows.
#[derive(Debug)]
pub struct KnownRisk {
    id: &'static str,
    /// Does it follow from what values are, rather than from how well rows can be told apart?
    pub is_of_values: bool,
}

impl KnownRisk {
    const fn of_rows(id: &'static str) -> Self {
        Self { id, is_of_values: false }
    }

    const fn of_values(id: &'static str) -> Self {
        Self { id, is_of_values: true }
    }
}

impl Named for KnownRisk {
    fn id(&self) -> &'static str {
        self.id
    }
}

/// What the records of a table risk.
#[derive(Debug)]
pub struct Risk {
    /// The names of the quasi-identifiers.
    pub quasi: Vec<String>,
    /// Records with a higher risk are at risk.
    pub threshold: f64,
    /// What is known of the population.
    pub known: Known,
    /// How large it is.
    pub population_size: Option<u64>,
    /// From somebody who knows who is in the table.
    pub prosecutor: Reidentification,
    /// From somebody who looks for anybody.
    pub journalist: Reidentification,
    /// From somebody who matches all.
    pub marketer: Reidentification,
    /// Who is alone.
    pub uniqueness: Uniqueness,
    /// What quasi-identifiers tell apart.
    pub subsets: Subsets,
    /// Who is singled out by few values.
    pub suda: SpecialUniques,
    /// Columns that should not be there.
    pub safe_harbor: Vec<Recognised>,
}

/// Measures all risks of a release; `samples` are the beginnings of all its columns.
pub fn measure(scene: &Scene<'_>, options: &Options, samples: &[ColumnSample]) -> Result<Risk> {
    scene.watch.proceed()?;
    let sizes = scene.classes.sizes();
    let population = match (&scene.population, options.population_size) {
        (Some(people), _) => Population::of_people(people),
        (None, Some(size)) => Population::of_size(sizes, size)?,
        (None, None) => Population::of_sample(sizes),
    };
    let columns = ClassColumn::of(scene.classes);
    let rate = population.size.map(|people| (scene.classes.rows() as f64 / people.max(1) as f64).min(1.0));
    let mut suda = special_uniques::special_uniques(&columns, sizes, options.suda_size, rate);
    suda.worst.iter_mut().for_each(|record| record.quasi = scene.shown(record.class));
    scene.watch.proceed()?;
    let names: Vec<&str> = scene.quasi.iter().map(|quasi| quasi.name.as_str()).collect();
    Ok(Risk {
        threshold: options.at_risk,
        known: population.known,
        population_size: population.size,
        prosecutor: prosecutor::prosecutor(sizes, options.at_risk),
        journalist: journalist::journalist(&population, options.at_risk),
        marketer: marketer::marketer(&population, options.at_risk),
        uniqueness: Uniqueness::new(sizes, population.size),
        subsets: subsets::subsets(&columns, sizes),
        suda,
        safe_harbor: safe_harbor::safe_harbor(samples, &names, scene.classes),
        quasi: names.into_iter().map(str::to_owned).collect(),
    })
}
