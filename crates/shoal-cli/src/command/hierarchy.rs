//! `shoal hierarchy`: check, draw or propose hierarchies, or list those that are built in.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use shoal::Table;
use shoal::init::{self, AsSaid, ColumnFindings, ProposedHierarchy, TableFindings, suggested};
use shoal::policy::Role;
use shoal::publish::{Intent, OutputKind};
use shoal::source::column_values;
use shoal_core::hierarchy::known::{KNOWN, example_path};
use shoal_core::hierarchy::{self, ColumnValues, File, HierarchySpec};
use shoal_core::table::{DateReading, Dictionary};
use shoal_core::watch::Unwatched;
use shoal_core::{Error, Result, printable};
use shoal_format::{InputFormat, file_of, has_formulas};

use crate::command::settings::Settings;
use crate::command::written::Written;
use crate::exit::ExitCode;
use crate::output::{say_text, to_stdout, unless_stdout};
use crate::say;

#[derive(Args)]
pub struct Hierarchy {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Look for defects: values not covered, levels that are not nested, misleading labels
    Check {
        #[command(flatten)]
        which: Which,
    },
    /// Draw the tree and list its levels
    Show {
        /// About how many lines to draw
        #[arg(long, value_name = "N", default_value_t = 60)]
        lines: usize,
        #[command(flatten)]
        which: Which,
    },
    /// List the hierarchies that are built in, with what becomes of a value of each
    List,
    /// Propose a hierarchy for a column of a table
    Suggest {
        /// The table
        table: PathBuf,
        /// The column
        #[arg(long)]
        column: String,
        /// Write the hierarchy to a file, a row for each value, to be edited
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replace the file if it exists
        #[arg(long, requires = "output")]
        overwrite: bool,
        #[command(flatten)]
        written: Written,
    },
}

#[derive(Args)]
struct Which {
    /// A policy (.toml), or a hierarchy file
    path: PathBuf,
    /// Only this column of the policy; or the column of --table that the file is for
    #[arg(long)]
    column: Option<String>,
    /// The table whose values it should cover; for a policy, instead of its input
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    written: Written,
}

/// A hierarchy and the column it is for, as far as that is known.
struct Subject {
    title: String,
    spec: HierarchySpec,
    folder: PathBuf,
    column: Option<Column>,
    may_print: bool,
}

struct Column {
    name: String,
    dictionary: Dictionary,
    counts: Vec<u64>,
    may_print: bool,
}

impl Column {
    fn values(&self) -> ColumnValues<'_> {
        let Self { name, dictionary, counts, may_print } = self;
        ColumnValues { name, dictionary, counts, may_print: *may_print }
    }
}

impl Hierarchy {
    pub fn run(&self) -> Result<ExitCode> {
        match &self.action {
            Action::Check { which } => check(&which.subjects()?),
            Action::Show { which, lines } => show(&which.subjects()?, *lines),
            Action::List => list(),
            Action::Suggest { table, column, output, overwrite, written } => {
                suggest(written.as_said(table)?, column, unless_stdout(output.as_deref()), *overwrite)
            }
        }
    }
}

impl Which {
    fn subjects(&self) -> Result<Vec<Subject>> {
        if self.path.extension().is_some_and(|extension| extension == "toml") {
            return self.of_policy();
        }
        self.settings.refuse_without_policy("name a policy in place of the hierarchy file")?;
        let column = match (&self.table, &self.column) {
            (Some(table), Some(column)) => {
                Some(read_column(&self.written.at(table)?, column, DateReading::default(), true)?)
            }
            (None, None) => None,
            _ => {
                return Err(Error::policy(
                    "a hierarchy file is checked against a column: give both --table and --column",
                ));
            }
        };
        let spec = HierarchySpec::File(File::new(&self.path));
        Ok(vec![Subject {
            title: printable::line(&self.path.display().to_string()).into_owned(),
            spec,
            folder: PathBuf::new(),
            column,
            may_print: true,
        }])
    }

    fn of_policy(&self) -> Result<Vec<Subject>> {
        self.written.refuse_with_policy()?;
        let policy = self.settings.read(&self.path)?;
        let table = match (&self.table, &policy.input.path) {
            (Some(table), _) => Some(table.clone()),
            (None, Some(path)) => Some(policy.folder.join(path)),
            (None, None) => None,
        };
        let is_meant = |name: &str| self.column.as_ref().is_none_or(|wanted| wanted == name);
        let mut subjects = Vec::new();
        for column in policy.columns.iter().filter(|column| is_meant(&column.name)) {
            let Some(spec) = &column.hierarchy else { continue };
            let may_print = column.role != Role::Sensitive;
            let values = match &table {
                Some(table) => {
                    Some(read_column(&policy.input_format(table), &column.name, column.date_reading(), may_print)?)
                }
                None => None,
            };
            let (title, folder) = (format!("column `{}`", printable::line(&column.name)), policy.folder.clone());
            subjects.push(Subject { title, spec: spec.clone(), folder, column: values, may_print });
        }
        match (&self.column, subjects.is_empty()) {
            (_, false) => Ok(subjects),
            (Some(name), true) => Err(Error::policy(format!("the policy has no hierarchy for a column `{name}`"))),
            (None, true) => Err(Error::policy("the policy has no hierarchies")),
        }
    }
}

fn read_column(input: &InputFormat, name: &str, dates: DateReading, may_print: bool) -> Result<Column> {
    let (dictionary, counts) = column_values(input, name, dates)?;
    Ok(Column { name: name.to_owned(), dictionary, counts, may_print })
}

fn check(subjects: &[Subject]) -> Result<ExitCode> {
    let mut sound = true;
    for subject in subjects {
        let column = subject.column.as_ref().map(Column::values);
        let report = hierarchy::check(&subject.spec, &subject.folder, column.as_ref(), subject.may_print);
        sound &= report.is_sound();
        let verdict = if report.is_sound() { "sound" } else { "has defects" };
        let mut text = format!("{}: {verdict}\n", subject.title);
        for defect in &report.defects {
            text += &format!("  error: {}\n", defect.to_string().replace('\n', "\n    "));
        }
        report.warnings.iter().for_each(|warning| text += &format!("  warning: {warning}\n"));
        to_stdout(&text)?;
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn show(subjects: &[Subject], lines: usize) -> Result<ExitCode> {
    for subject in subjects {
        let built = match &subject.column {
            Some(column) => Some(subject.spec.build(&column.values(), &subject.folder)?),
            None => subject.spec.standalone(&subject.folder)?,
        };
        let Some(built) = built else {
            return Err(Error::policy(format!(
                "the hierarchy of {} is made from the values of a table",
                subject.title
            ))
            .hint("give the table with --table FILE"));
        };
        let (summary, drawing) = (hierarchy::summary(&built), hierarchy::draw(&built, lines));
        to_stdout(&format!("{}\n\n{summary}\n{drawing}\n", subject.title))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How the dates of a column are read, where that is a guess that the policy has to say as well.
fn reading(column: &ColumnFindings) -> String {
    if column.unclear.is_none() || !column.is_read_as_dates() {
        return String::new();
    }
    let order = column.dates.order.map(|order| format!("dates = \"{}\"\n", order.name()));
    let years = column.dates.first_year.map(|first| format!("two-digit-years = {first}\n"));
    [order, years].into_iter().flatten().collect()
}

/// What `init` proposes for a column, or would if it were a quasi-identifier.
fn proposed(findings: &mut TableFindings, place: Option<usize>, column: &Column) -> Result<ProposedHierarchy> {
    if let Some(place) = place {
        if findings.columns[place].role != Role::QuasiIdentifier {
            findings.columns[place].role = Role::QuasiIdentifier;
            init::propose_anew(findings, &[place], 0, &Unwatched)?;
        }
        if let Some(proposed) = findings.columns[place].hierarchy.take() {
            return Ok(proposed);
        }
    }
    suggested(&findings.input, &column.values(), &Unwatched)
}

fn list() -> Result<ExitCode> {
    let mut text = String::new();
    for entry in KNOWN {
        text += &format!("{}\n", entry.id());
        text += &format!("  {}.\n", entry.page().summary());
        text += &format!("  {}\n", example_path(entry.item));
        if !entry.countries().is_empty() {
            text += &format!("  by country: {}\n", entry.countries().join(", "));
        }
    }
    // It is a way to make a hierarchy, not a list of what is known, and whoever looks for it looks here.
    text += "dates\n  Days become months, quarters, years and decades, made from the dates themselves.\n  hierarchy = { dates = [\"month\", \"year\"] }\n";
    to_stdout(&text)?;
    say_text(
        "\nhint: `hierarchy = { known = \"countries\" }` in [columns.NAME] chooses one; `shoal explain countries` says what it knows",
    );
    Ok(ExitCode::SUCCESS)
}

fn suggest(table: AsSaid, name: &str, output: Option<&Path>, overwrite: bool) -> Result<ExitCode> {
    let mut intent = Intent::new(overwrite);
    intent.reads("the table itself", file_of(&table.input.path));
    if let Some(path) = output {
        intent.writes("the hierarchy", path, OutputKind::Edited);
    }
    let mut outputs = intent.claim()?;
    // As `init` reads it: titles, an encoding, marks of numbers and missing values are found out where nobody has said them.
    let path = Table::File(table.input.path.clone());
    let mut findings = init::profile_written(&path, table, &Unwatched)?;
    let place = findings.columns.iter().position(|column| column.name == name);
    let dates = place.map_or_else(DateReading::default, |place| findings.columns[place].dates);
    // Where there is no such column, this says so.
    let column = read_column(&findings.input, name, dates, true)?;
    let ProposedHierarchy { suggestion, is_category, .. } = proposed(&mut findings, place, &column)?;
    let built = suggestion.spec.build(&column.values(), Path::new(""))?;
    if let Some(path) = output {
        let csv = built.to_csv();
        outputs.write(path, &csv)?;
        outputs.publish()?;
        if has_formulas(&csv) {
            say!(
                "warning: cells of {} begin like a formula, which a spreadsheet program would run: edit it as a text",
                path.display()
            );
        }
        say!(
            "{} has a row for each of {} values; edit it and put `hierarchy = {{ file = .. }}` into the policy",
            path.display(),
            column.dictionary.len()
        );
        return Ok(ExitCode::SUCCESS);
    }
    let of_codes = if is_category { "type = \"category\"\n" } else { "" };
    let of_dates = place.map_or_else(String::new, |place| reading(&findings.columns[place]));
    to_stdout(&format!("# {}\n{of_codes}{of_dates}hierarchy = {}\n", suggestion.reason, suggestion.spec))?;
    say_text(&format!("\n{}", hierarchy::summary(&built)));
    Ok(ExitCode::SUCCESS)
}
