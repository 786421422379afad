//! What is a run asked to do?
//!
//! A policy is read and checked completely before any data is touched: `parse/` has a file for each section, and `sections`
//! what becomes of it. `schema/` says what may stand in a policy, `document/` changes its text, `outline` says what it asks for.

mod document;
mod engine_input;
pub mod engines;
mod formats;
mod hierarchies;
mod identifiers;
mod noise_keys;
mod outline;
mod parse;
mod published_number;
pub(crate) mod range_pairs;
mod schema;
mod sections;

use std::path::{Path, PathBuf};

pub(crate) use document::split;
pub use document::{PolicyBuilder, PolicyDocument, Setting, column_key};
pub use engine_input::{EngineAddress, EngineInput, EngineRows};
pub use identifiers::{KEY_VARIABLE, Replacement};
pub use noise_keys::NoiseKeys;
pub use published_number::{Noise, PublishedNumber};
pub use schema::{Key, chapter, key_pages, keys, pages, schema};
pub use sections::{
    ColumnPolicy, FormulaCells, Input, MethodPolicy, NamedColumn, OtherColumns, Output, Ranges, Required, Role,
    RowsWithMissing, Suppressed,
};

use parse::Parser;
use shoal_core::error::nearest;
use shoal_core::frequency::{CountedTable, SensitiveColumn, TablePeople};
use shoal_core::hierarchy::HierarchySpec;
use shoal_core::method::Knows;
use shoal_core::model::{Among, OfPeople, Requirement, Scope, Subject};
use shoal_core::recode::Layout;
use shoal_core::table::Reading;
use shoal_core::warning::Warning;
use shoal_core::{Error, Result, text_file};
use shoal_format::{InputFormat, file_of, is_named_as_table};

/// # policy
///
/// A policy says in TOML which columns of a table could identify someone and which are sensitive, and what an attacker must
/// not be able to learn.
/// **Sections.** `[input]` names the table, `[output]` its release; `[columns.NAME]` says what each column is to an attacker and
/// what its values may become; each `[[require]]` is a promise of the release; `[method]` says how to find it. Only columns
/// and requirements are needed. Paths are relative to the folder of the policy.
/// **Example.** Every record is to be one of five that look alike, and each five have three diagnoses or more:
/// ```toml
/// [input]
/// path = "patients.csv"
///
/// [columns.name]
/// role = "identifier"
///
/// [columns.age]
/// role = "quasi-identifier"
/// hierarchy = { intervals = [5, 10, 20] }
///
/// [columns."zip code"]
/// role = "quasi-identifier"
/// hierarchy = { mask = { from = "right" } }
///
/// [columns.diagnosis]
/// role = "sensitive"
///
/// [[require]]
/// model = "k-anonymity"
/// k = 5
///
/// [[require]]
/// model = "distinct-l-diversity"
/// column = "diagnosis"
/// l = 3
///
/// [method]
/// name = "full-domain"
/// max-suppressed = 0.02
/// ```
/// **Is it right?** `shoal check POLICY` says so, or what is wrong and where, without reading the table; and what a run by it would do.
/// **Editors.** `shoal schema` prints all of this as a JSON Schema. With it in a file beside the policy, and
/// `#:schema policy.schema.json` as the policy's first line, editors that know TOML (taplo, Even Better TOML) complete its keys, say
/// what they mean and mark what is wrong.
/// **For one run.** `--set KEY=VALUE` of every command that takes a policy changes a key without changing the file:
/// `--set k=10`, `--set columns.age.min-level=1`, `--set require[0].k=3`; `--set require[1]=none` leaves a requirement out.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The policy as it was written.
    pub text: String,
    /// Where relative paths begin: the folder of the policy file.
    pub folder: PathBuf,
    /// What to read.
    pub input: Input,
    /// What to write.
    pub output: Output,
    /// The columns, in the policy's order.
    pub columns: Vec<ColumnPolicy>,
    /// What a release must promise.
    pub requirements: Vec<Required>,
    /// How to find it.
    pub method: MethodPolicy,
    /// What is allowed but probably not meant.
    pub warnings: Vec<Warning>,
}

impl Policy {
    /// Reads and checks a policy file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = text_of(path)?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Self::parse(&text, &path.display().to_string(), &folder)
    }

    /// Checks the text of a policy; `name` stands in messages.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Self> {
        Parser::new(text, name, folder).policy()
    }

    /// The policy as TOML, as it was read.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let policy = Policy::builder().quasi("sex", suppress()).require("k-anonymity", [("k", 5)]).build()?;
    /// assert!(policy.to_toml().ends_with("[[require]]\nmodel = \"k-anonymity\"\nk = 5\n"));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn to_toml(&self) -> &str {
        &self.text
    }

    /// The columns with a role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &ColumnPolicy> {
        self.columns.iter().filter(move |column| column.role == role)
    }

    /// What the policy says of a column.
    pub fn column(&self, name: &str) -> Option<&ColumnPolicy> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// How the values of a column are to be read.
    pub fn reading_of(&self, column: &ColumnPolicy) -> Reading {
        Reading { marks: self.input.marks, dates: column.date_reading() }
    }

    /// How the input is to be opened.
    pub fn input_format(&self, path: &Path) -> InputFormat {
        InputFormat {
            delimiter: self.input.delimiter,
            quote: self.input.quote,
            header: self.input.header,
            encoding: self.input.encoding.clone(),
            marks: self.input.marks,
            skip: self.input.skip,
            names: self.columns.iter().map(|column| column.name.clone()).collect(),
            missing: self.input.missing.clone(),
            table: self.input.table.clone(),
            query: self.input.query.clone(),
            release_escapes_formulas: self.output.formulas == FormulaCells::Escape,
            ..InputFormat::new(path)
        }
    }

    /// The files that the policy names to be read, and what each is.
    pub fn files(&self) -> Vec<(&'static str, PathBuf)> {
        let table = self.input.path.iter().map(|path| ("the input of the policy", path.clone()));
        let keys = self.columns.iter().filter_map(|column| match &column.replace {
            Some(Replacement::Pseudonym { key_file: Some(file), .. }) => Some(("the key of pseudonyms", file.into())),
            _ => None,
        });
        let noise = self.columns.iter().filter_map(|column| Some(("the key of noise", column.noise_key.clone()?)));
        let placed = table.chain(keys).chain(noise).map(|(what, path)| (what, file_of(&self.folder.join(path))));
        placed.chain(self.value_files()).collect()
    }

    /// Those of them that say what values become, or which are alike.
    pub(crate) fn value_files(&self) -> impl Iterator<Item = (&'static str, PathBuf)> {
        let hierarchies = self.columns.iter().filter_map(|column| match &column.hierarchy {
            Some(HierarchySpec::File(file)) => Some(("the hierarchy", file.path().to_owned())),
            _ => None,
        });
        let groups = self.requirements.iter().flat_map(|required| required.parameters.files());
        let groups = groups.map(|path| ("the list of groups", path));
        hierarchies.chain(groups).map(|(what, path)| (what, file_of(&self.folder.join(path))))
    }

    /// The requirements, resolved against the sensitive columns of an input, or of a release.
    pub fn resolve(&self, table: Resolving<'_>) -> Result<Vec<Requirement>> {
        let mut resolved = Vec::new();
        for required in &self.requirements {
            resolved.extend(self.resolve_one(required, table)?);
        }
        Ok(resolved)
    }

    /// One of the requirements, or one that could stand in the place of it: for each column that it is about.
    pub(crate) fn resolve_one(&self, required: &Required, table: Resolving<'_>) -> Result<Vec<Requirement>> {
        let Resolving { sensitive, people, is_release } = table;
        let resolve = |index: usize| {
            let subject = Subject { columns: sensitive, index, folder: &self.folder, is_release };
            let mut model = required.parameters.resolve(subject).map_err(|error| error.at(&required.place))?;
            if required.among {
                model = Box::new(Among::new(model, index));
            }
            if let Some(people) = people {
                // Whoever knows all rows is protected by classes of whole people.
                let stay_together = people.stay_together() || self.input.knows == Knows::AllRows;
                model = Box::new(OfPeople::new(model, stay_together));
            }
            let is_of_table = required.parameters.scope() == Scope::Table;
            let column = (!is_of_table).then(|| sensitive[index].name().to_owned());
            Ok(Requirement::new(required.parameters.id(), column, required.parameters.to_json(), model))
        };
        required.columns_meant(sensitive).into_iter().map(resolve).collect()
    }

    /// Matches the columns of a table with the policy's.
    pub fn check_columns(&self, table: &[String], place: &dyn std::fmt::Display) -> Result<()> {
        for column in &self.columns {
            if !table.contains(&column.name) {
                let error = Error::table(format!("{place} has no column `{}`", column.name));
                return Err(match nearest(&column.name, table.iter().map(String::as_str)) {
                    Some(near) => error.hint(format!("did you mean `{near}`?")),
                    None => error.hint(format!("it has {}", quoted(table))),
                });
            }
        }
        self.refuse_link_columns(table.iter().filter(|name| self.role_of(name).is_some()))?;
        let released = table.iter().filter(|name| self.role_of(name).is_some()).cloned().collect::<Vec<_>>();
        let split = self.split_names(&released);
        if let Some(twice) = split.iter().enumerate().find_map(|(at, name)| split[..at].contains(name).then_some(name))
        {
            return Err(Error::policy(format!(
                "`ranges = \"two-columns\"` makes a column `{twice}`, and {place} has one"
            ))
            .hint("rename the column in the table, or say `ranges = \"labels\"`"));
        }
        let unnamed: Vec<String> = table.iter().filter(|name| self.column(name).is_none()).cloned().collect();
        if self.input.other_columns == OtherColumns::Refuse && !unnamed.is_empty() {
            return Err(Error::policy(format!(
                "the policy does not say what to do with {} of {place}",
                quoted(&unnamed)
            ))
            .hint("give each a role, or set `other-columns = \"drop\"` (or \"insensitive\") in [input]"));
        }
        Ok(())
    }

    /// Refuses a column that has the name of one that the method adds.
    fn refuse_link_columns<'a>(&self, mut names: impl Iterator<Item = &'a String>) -> Result<()> {
        let Some(link) = self.method.method.separates() else { return Ok(()) };
        match names.find(|name| *name == link.class || *name == link.count) {
            None => Ok(()),
            Some(name) => {
                let key = if name == link.class { "class-column" } else { "count-column" };
                let id = self.method.method.id();
                Err(Error::policy(format!("`{id}` adds a column `{name}`, and there is one already"))
                    .hint(format!("give `{key}` in [method] another name")))
            }
        }
    }

    /// Where the columns of the policy stand in a table with these, which were checked, and what becomes of each.
    pub fn layout(&self, names: &[String]) -> Layout {
        let place =
            |name: &str| names.iter().position(|known| known == name).expect("the policy's columns were checked");
        let of_role = |role| self.with_role(role).map(|column| place(&column.name)).collect::<Vec<_>>();
        let mut counted = of_role(Role::QuasiIdentifier);
        let quasi = counted.len();
        counted.extend(of_role(Role::Sensitive));
        let person = self.input.person.as_ref().map(|person| place(&person.column));
        counted.extend(person);
        let class_column = self.method.method.separates().map(|columns| columns.class.to_owned());
        let is_replaced = |name: &str| self.column(name).is_some_and(|column| column.replace.is_some());
        let is_released = |index: &usize| match self.role_of(&names[*index]) {
            None => false,
            Some(Role::Identifier) => is_replaced(&names[*index]),
            Some(Role::Sensitive) => class_column.is_none(),
            Some(Role::QuasiIdentifier | Role::Insensitive) => true,
        };
        let released: Vec<usize> = (0..names.len()).filter(is_released).collect();
        let is_identifier = |index: &usize| self.role_of(&names[*index]) == Some(Role::Identifier);
        let replaced = released.iter().copied().filter(is_identifier).collect();
        Layout { names: names.to_vec(), counted, quasi, person: person.is_some(), released, replaced, class_column }
    }

    /// The role of a column of the table, named by the policy or not; `None` if it is to be left out unread.
    pub fn role_of(&self, column: &str) -> Option<Role> {
        match (self.column(column), self.input.other_columns) {
            (Some(named), _) => Some(named.role),
            (None, OtherColumns::Insensitive) => Some(Role::Insensitive),
            (None, OtherColumns::Drop | OtherColumns::Refuse) => None,
        }
    }
}

/// What requirements are resolved against.
#[derive(Debug, Clone, Copy)]
pub struct Resolving<'a> {
    /// The sensitive columns.
    pub sensitive: &'a [SensitiveColumn],
    /// The people, where those are counted.
    pub people: Option<&'a TablePeople>,
    /// Is it a release rather than an input? Values that the policy names may then have been suppressed.
    pub is_release: bool,
}

impl<'a> Resolving<'a> {
    /// A table that was counted.
    pub fn input(table: &'a CountedTable) -> Self {
        Self { sensitive: &table.sensitive, people: table.people.as_ref(), is_release: false }
    }

    /// A release with these sensitive columns, and people if they are known.
    pub fn release(sensitive: &'a [SensitiveColumn], people: Option<&'a TablePeople>) -> Self {
        Self { sensitive, people, is_release: true }
    }
}

/// The text of a policy file. Whoever names a table instead is told what to do with it.
fn text_of(path: &Path) -> Result<String> {
    if is_named_as_table(path) && path.is_file() {
        return Err(Error::policy(format!(
            "{} is a table by its name, and a policy is asked for here",
            path.display()
        ))
        .hint(format!("`shoal init {}` proposes a policy for it", path.display())));
    }
    text_file::text("read", path)
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [one] => format!("column {one}"),
        _ => format!("the columns {}", names.join(", ")),
    }
}
