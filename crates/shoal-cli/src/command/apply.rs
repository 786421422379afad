//! `shoal apply`: another table, recoded as one was before.

use std::path::{Path, PathBuf};

use clap::Args;
use shoal::policy::{KEY_VARIABLE, Policy, Replacement, Setting};
use shoal::recipe::{Application, Recipe};
use shoal::study::{Study, Writing};
use shoal_core::{Error, Result};
use shoal_report::ApplicationReport;

use crate::Context;
use crate::bars::Bars;
use crate::command::settings::Settings;
use crate::exit::ExitCode;
use crate::output::{json_to_stdout, say_text, warn};
use crate::pipe::{Format, is_pipe};
use crate::source;

#[derive(Args)]
pub struct Apply {
    /// The recipe, as `anonymize --recipe` wrote it
    recipe: PathBuf,
    /// The table: the same columns, other rows; `-` is stdin
    table: PathBuf,
    /// Write the release here [default: TABLE.release.EXT beside the table]; `-` is stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    settings: Settings,
    /// Let the release take the place of a file that is no earlier release of these columns
    #[arg(long)]
    overwrite: bool,
    /// The key of its pseudonyms, as in the run that it was made in [default: in SHOAL_PSEUDONYM_KEY]
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Where a file is that the recipe needs, by its name there [default: beside the recipe]. May be repeated
    #[arg(long, value_name = "NAME=PATH")]
    file: Vec<String>,
    /// Suppress rows with values that the recipe does not know, instead of refusing the table
    #[arg(long)]
    suppress_unknown: bool,
    /// Print the summary as JSON, on stdout
    #[arg(long)]
    pub json: bool,
}

impl Apply {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let files = self.file.iter().map(|pair| file(pair)).collect::<Result<Vec<_>>>()?;
        let (recipe, policy) = Recipe::read(&self.recipe, &files)?;
        refuse_other_rules(&self.settings.settings)?;
        let mut policy = self.settings.on(policy, &format!("the policy in {}", self.recipe.display()))?;
        find_key(&mut policy, self.key_file.as_deref())?;
        warn(&policy.warnings);
        let printed = match self.output.as_deref().is_some_and(is_pipe) {
            true if self.json => {
                return Err(Error::policy("the release and --json would both go to stdout")
                    .hint("write the release to a file, or leave --json out"));
            }
            true => Some(self.format.printed()?),
            false => None,
        };
        let (input, output) = (Some(self.table.as_path()), self.output.as_deref());
        let source = source::local(&policy, input, output, &self.format, printed.as_ref())?;
        let writing = Writing::new().overwriting(self.overwrite).reading("the recipe", &self.recipe);
        let claimed = writing.claim(&policy, &source)?;
        let (bars, suppress_unknown) = (Bars::new(context), self.suppress_unknown);
        let study = Study::following(source, Application { recipe, policy, suppress_unknown }, &bars)?;
        let mut release = study.write_claimed(&study.best(&bars)?, claimed, &bars)?;
        if printed.is_some() {
            release.published.release = "stdout".to_owned();
        }
        warn(&release.warnings_of_table());
        let report = ApplicationReport::new(&release);
        if self.json {
            json_to_stdout(&report.to_json()).map_err(|error| error.detail("the release itself is published"))?;
        } else if !context.quiet {
            say_text(&report.to_text());
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What becomes of values is for the recipe to say.
pub fn refuse_other_rules(settings: &[Setting]) -> Result<()> {
    for setting in settings {
        if let section @ ("columns" | "method") = setting.section()? {
            return Err(Error::policy(format!(
                "`{}` cannot be set: the recipe has followed from [{section}]",
                setting.key()
            ))
            .hint("keys of [input], [output] and [[require]] can; for others, make a new release and a new recipe"));
        }
    }
    Ok(())
}

/// A recipe carries no key, and does not say where one is.
pub fn find_key(policy: &mut Policy, given: Option<&Path>) -> Result<()> {
    let mut replaced = Vec::new();
    for column in &mut policy.columns {
        if let Some(Replacement::Pseudonym { key_file, .. }) = &mut column.replace {
            *key_file = given.map(Path::to_path_buf);
            replaced.push(column.name.clone());
        }
    }
    match (replaced.first(), given) {
        (Some(name), None) if std::env::var_os(KEY_VARIABLE).is_none() => Err(Error::policy(format!(
            "the recipe replaces `{name}` by pseudonyms, and carries no key for them"
        ))
        .hint(format!("give the key of the earlier release: --key-file FILE, or {KEY_VARIABLE} in the environment"))),
        (None, Some(path)) => {
            Err(Error::policy(format!("no column has pseudonyms, and {} is not needed", path.display()))
                .hint("leave out --key-file"))
        }
        _ => Ok(()),
    }
}

fn file(pair: &str) -> Result<(String, PathBuf)> {
    match pair.split_once('=') {
        Some((name, path)) => Ok((name.to_owned(), path.into())),
        None => Err(Error::policy(format!("`--file {pair}` is not NAME=PATH"))),
    }
}
