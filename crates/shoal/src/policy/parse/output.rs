//! Where does the release go, and what becomes of its rows?

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Parser, Placed};
use crate::policy::engine_input::EngineInput;
use crate::policy::sections::{FormulaCells, Output, Ranges, Suppressed};
use shoal_core::Result;
use shoal_core::warning::Warning;

/// Where the release goes, and what becomes of its rows.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::policy) struct OutputSection {
    /// The release, relative to the folder of the policy. By default it stands beside the input: `patients.release.csv`.
    /// `--output` names another place.
    #[schemars(example = &"release.csv")]
    pub(super) path: Option<Placed<PathBuf>>,
    /// The release of a table that lives in an engine: the name of a table there.
    #[schemars(example = &"clinic.patients_release")]
    pub(super) table: Option<Placed<String>>,
    /// The table of sensitive values, where a method separates them (`anatomy`). By default `release.sensitive.csv` beside
    /// `release.csv`.
    #[schemars(example = &"release.sensitive.csv")]
    sensitive_path: Option<Placed<PathBuf>>,
    /// A page that explains the release and can be published beside it. None is written by default.
    #[schemars(example = &"report.html")]
    report: Option<Placed<PathBuf>>,
    /// What becomes of cells of a CSV release that a spreadsheet program would take for formulas.
    #[serde(default)]
    #[schemars(extend("default" = "keep"))]
    formulas: Option<Placed<FormulaCells>>,
    /// How ranges of numbers are written. With `two-columns`, quasi-identifiers with `intervals`, `quantiles` or `type = "number"` become two columns
    /// of numbers: `[20, 30)` is 20 in `age_low` and 30 in `age_high`, which the value is less than; a single value stands in both, and `*` is
    /// from `-inf` to `inf`.
    #[serde(default)]
    #[schemars(extend("default" = "labels"))]
    ranges: Option<Placed<Ranges>>,
    /// What becomes of suppressed rows.
    #[serde(default)]
    suppressed: Suppressed,
    /// Do rows stand in an order that follows from nothing but what they show and `seed`? Otherwise they stand in the order of
    /// the table, which tells whose they are.
    #[schemars(extend("default" = true))]
    shuffle: Option<bool>,
    /// What the order of rows depends on, besides what they show.
    #[schemars(extend("default" = 0), example = 1)]
    seed: Option<u64>,
}

impl Parser<'_> {
    pub(super) fn output(
        &self,
        section: OutputSection,
        engine: Option<&EngineInput>,
    ) -> Result<(Output, Vec<Warning>)> {
        self.check_output(&section, engine)?;
        if let (Some(formulas), Some(engine)) = (&section.formulas, engine) {
            self.refuse_keys_of_files(&[("formulas", Some(formulas.span()))], engine.address.engine())?;
        }
        if let (Some(ranges), Some(engine)) = (&section.ranges, engine) {
            self.refuse_keys_of_files(&[("ranges", Some(ranges.span()))], engine.address.engine())?;
        }
        let warnings = order_warnings(&section);
        let output = Output {
            path: match engine {
                None => self.path(section.path)?,
                Some(_) => section.path.map(Placed::into_inner),
            },
            table: section.table.map(Placed::into_inner),
            sensitive_path: self.path(section.sensitive_path)?,
            report: self.path(section.report)?,
            formulas: section.formulas.map(Placed::into_inner).unwrap_or_default(),
            ranges: section.ranges.map(Placed::into_inner).unwrap_or_default(),
            suppressed: section.suppressed,
            shuffle: section.shuffle.unwrap_or(true),
            seed: section.seed.unwrap_or(0),
        };
        Ok((output, warnings))
    }
}

fn order_warnings(section: &OutputSection) -> Vec<Warning> {
    if section.shuffle != Some(false) {
        return Vec::new();
    }
    let order = Warning::new(
        "order-of-rows",
        "`shuffle = false` leaves rows in the order of the table: whoever knows that order finds records by their place, and \
         two releases of the table can be laid side by side, row by row",
    );
    let seed = section.seed.map(|_| Warning::new("unused-key", "`seed` does nothing with `shuffle = false`"));
    std::iter::once(order).chain(seed).collect()
}
