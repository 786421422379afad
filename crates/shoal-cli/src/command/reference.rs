//! `shoal reference`: every page of `shoal explain`, the help of every command and the schema of policies, as files of
//! documentation.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use shoal::policy;
use shoal::publish::{Intent, OutputKind, REFERENCE_MARK};
use shoal_core::page::Page;
use shoal_core::{Error, Result};

use crate::command::explain::{Group, POLICIES, groups};
use crate::command::schema::schema_text;
use crate::exit::ExitCode;
use crate::{Cli, Context, say};

#[derive(Args)]
pub struct Reference {
    /// The folder to write them to
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Replace files there that Shoal did not make
    #[arg(long)]
    overwrite: bool,
}

impl Reference {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        std::fs::create_dir_all(&self.out).map_err(|error| Error::io("write", &self.out, &error))?;
        let groups = groups();
        let mut files = vec![("README.md".to_owned(), index(&groups)), ("commands.md".to_owned(), commands())];
        files.extend(groups.iter().map(|group| (file_of(group), chapter(group))));
        files.push(("policy.schema.json".to_owned(), schema_text()));
        let mut intent = Intent::new(self.overwrite);
        files
            .iter()
            .for_each(|(name, _)| _ = intent.writes("the reference", self.out.join(name), OutputKind::Reference));
        let mut outputs = intent.claim()?;
        files.iter().try_for_each(|(name, text)| outputs.write(&self.out.join(name), text))?;
        outputs.publish()?;
        if !context.quiet {
            say!("{} files in {}", files.len(), self.out.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn file_of(group: &Group) -> String {
    group.title.replace(' ', "-") + ".md"
}

fn index(groups: &[Group]) -> String {
    let mut text = format!(
        "{REFERENCE_MARK}\n\n# Reference\n\nThe same pages as `shoal explain` prints, [every command](commands.md), and \
         [the JSON Schema of policies](policy.schema.json), for editors.\n"
    );
    for group in groups {
        text += &format!("\n## {}\n\n", capitalized(group.title));
        for (id, page) in &group.pages {
            text += &format!("- [`{id}`]({}#{id}): {}\n", file_of(group), page.summary());
        }
    }
    text
}

fn chapter(group: &Group) -> String {
    if group.title == POLICIES {
        return format!("{REFERENCE_MARK}\n\n{}", policy::chapter());
    }
    let mut text = format!("{REFERENCE_MARK}\n\n# {}\n", capitalized(group.title));
    text.extend(group.notes.iter().map(|note| format!("\n{note}\n")));
    for (id, page) in &group.pages {
        text += &format!("\n<a id=\"{id}\"></a>\n\n## {}\n\n{}\n", page.title, markdown(page));
    }
    text
}

/// Paragraphs apart, and examples apart from what follows them.
fn markdown(page: &Page) -> String {
    let mut text = String::new();
    let mut was_example = false;
    for line in page.text.lines() {
        let is_example = line.starts_with("    ");
        if line.starts_with("**") || is_example != was_example {
            text.push('\n');
        }
        text += &format!("{line}\n");
        was_example = is_example;
    }
    text.trim().to_owned()
}

fn commands() -> String {
    let mut text = format!("{REFERENCE_MARK}\n\n# Commands\n");
    let mut shoal = Cli::command().term_width(100);
    shoal.build();
    let mut open: Vec<clap::Command> = vec![shoal];
    while let Some(mut command) = open.pop() {
        let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
        text += &format!("\n## `{name}`\n\n```text\n{}\n```\n", command.render_long_help().to_string().trim_end());
        let visible = command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help");
        let inner: Vec<clap::Command> = visible.cloned().collect();
        open.extend(inner.into_iter().rev());
    }
    text
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
