//! `shoal compare`: several policies on one table, side by side.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use shoal::compare::{PrivacyAxis, Rival, UtilityAxis, Vary, compare, mark_frontier, variants};
use shoal::publish::{Intent, OutputKind};
use shoal::source::LocalSource;
use shoal_core::Result;
use shoal_format::file_of;
use shoal_report::ComparisonReport;

use crate::Context;
use crate::bars::Bars;
use crate::command::settings::Settings;
use crate::exit::ExitCode;
use crate::output::{json_to_stdout, to_stdout, warn};

#[derive(Args)]
pub struct Compare {
    /// The policies
    #[arg(required = true)]
    policies: Vec<PathBuf>,
    /// Read this table instead of the policies'
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    /// Try these values of a key: a parameter of a requirement (k=2,5,10), method, objective, max-suppressed, or
    /// SECTION.KEY. Given several times, every combination is tried
    #[arg(long, value_name = "KEY=VALUE,..")]
    vary: Vec<Vary>,
    /// What counts as privacy for the frontier
    #[arg(long, value_enum, default_value_t)]
    privacy: PrivacyFigure,
    /// What counts as utility for the frontier
    #[arg(long, value_enum, default_value_t)]
    utility: UtilityFigure,
    /// Draw privacy against utility, with the frontier
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Let the plot take the place of a file that is none of Shoal's plots
    #[arg(long, requires = "plot")]
    overwrite: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum PrivacyFigure {
    /// The risk of the record that is easiest to find
    #[default]
    HighestRisk,
    /// The mean risk of the records
    AverageRisk,
    /// The share of records that the worst attack exposes
    Exposed,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum UtilityFigure {
    /// What is lost of the quasi-identifiers
    #[default]
    Loss,
    /// The share of right answers of learners
    Accuracy,
}

impl Compare {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let mut rivals = Vec::new();
        for policy in &self.policies {
            rivals.extend(variants(policy, &self.settings.settings, &self.vary)?);
        }
        let mut outputs = self.intent(&rivals)?.claim()?;
        let mut points = compare(rivals, self.input.as_deref(), &Bars::new(context))?;
        let (privacy, utility) = (self.privacy.into(), self.utility.into());
        mark_frontier(&mut points, privacy, utility);
        let report = ComparisonReport::new(&points, privacy, utility);
        warn(&report.warnings());
        if let Some(path) = &self.plot {
            outputs.write(path, &report.to_svg())?;
        }
        outputs.publish()?;
        if self.json {
            json_to_stdout(&report.to_json())?;
        } else {
            to_stdout(&report.to_text())?;
        }
        Ok(if points.iter().any(|point| point.release.is_ok()) { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

impl Compare {
    /// A plot must replace nothing that is compared.
    fn intent(&self, rivals: &[Rival]) -> Result<Intent> {
        let mut intent = Intent::new(self.overwrite);
        let Some(path) = &self.plot else { return Ok(intent) };
        for Rival { file, policy, .. } in rivals {
            intent.reads("the policy", file);
            for (what, path) in policy.files() {
                intent.reads(what, path);
            }
            if let Some(input) = LocalSource::new(policy, self.input.as_deref(), None)?.input() {
                intent.reads("the input", file_of(input));
            }
        }
        intent.writes("the plot", path, OutputKind::Plot);
        Ok(intent)
    }
}

impl From<PrivacyFigure> for PrivacyAxis {
    fn from(figure: PrivacyFigure) -> Self {
        match figure {
            PrivacyFigure::HighestRisk => Self::HighestRisk,
            PrivacyFigure::AverageRisk => Self::AverageRisk,
            PrivacyFigure::Exposed => Self::Exposed,
        }
    }
}

impl From<UtilityFigure> for UtilityAxis {
    fn from(figure: UtilityFigure) -> Self {
        match figure {
            UtilityFigure::Loss => Self::Loss,
            UtilityFigure::Accuracy => Self::Accuracy,
        }
    }
}
