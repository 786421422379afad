//! How is a policy changed, and its comments kept?

mod builder;
mod key_path;
mod requirements;
mod setting;
mod tables;

pub use builder::PolicyBuilder;
pub use key_path::column_key;
pub use setting::Setting;
pub(crate) use setting::split;

use std::fmt;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Value};

use super::Policy;
use super::parse::{METHOD_KEYS, Parser, STYLE_KEYS};
use key_path::{KeyPath, Place};
use shoal_core::method::METHODS;
use shoal_core::{Error, Result};
use tables::{remove_in, section_in, set_in, written};

/// The text of a policy, to be changed key by key. What is not changed stays as it was written: order, comments and all.
///
/// ```
/// use shoal::policy::PolicyDocument;
///
/// let text = "[columns.age] # in years\nrole = \"quasi-identifier\"\n\n[[require]]\nmodel = \"k-anonymity\"\nk = 5 # at least\n";
/// let mut document = PolicyDocument::parse(text, "policy.toml", "".as_ref())?;
/// document.set("k", 10)?;
/// document.set("max-suppressed", 0.05)?;
/// assert_eq!(
///     document.to_string(),
///     "[columns.age] # in years\nrole = \"quasi-identifier\"\n\n[[require]]\nmodel = \"k-anonymity\"\nk = 10 # at least\n\n\
///      [method]\nmax-suppressed = 0.05\n"
/// );
/// let policy = document.policy()?;
/// assert_eq!(policy.method.max_suppressed.to_f64(), 0.05);
/// # Ok::<(), shoal::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PolicyDocument {
    document: DocumentMut,
    /// The text as it was read, as long as nothing was changed.
    unchanged: Option<String>,
    name: String,
    folder: PathBuf,
}

impl PolicyDocument {
    /// Reads a policy file, of which nothing is checked but that it is TOML.
    ///
    /// ```no_run
    /// # use shoal::policy::PolicyDocument;
    /// let document = PolicyDocument::read("policy.toml".as_ref())?;
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn read(path: &Path) -> Result<Self> {
        let text = super::text_of(path)?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Self::parse(&text, &path.display().to_string(), &folder)
    }

    /// The same with this text; `name` stands in messages, and paths begin in `folder`.
    ///
    /// ```
    /// use shoal::policy::PolicyDocument;
    ///
    /// let error = PolicyDocument::parse("[input", "policy.toml", "".as_ref()).unwrap_err();
    /// assert!(error.message().starts_with("policy.toml, line 1: "));
    /// ```
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Self> {
        // The parser of policies has the plainer words.
        Parser::new(text, name, folder).root()?;
        let document = text.parse::<DocumentMut>().map_err(|error| Error::policy(error.message()).at(name))?;
        let (name, folder) = (name.to_owned(), folder.to_path_buf());
        Ok(Self { document, unchanged: Some(text.to_owned()), name, folder })
    }

    /// The text of a policy that was read before.
    ///
    /// ```
    /// use shoal::policy::{Policy, PolicyDocument};
    ///
    /// let policy = Policy::builder().quasi("age", shoal::hierarchy::intervals([5, 10])).require("k-anonymity", [("k", 5)]).build()?;
    /// let mut document = PolicyDocument::of(&policy, "another policy")?;
    /// document.set("k", 7)?;
    /// assert!(document.to_string().contains("k = 7"));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn of(policy: &Policy, name: &str) -> Result<Self> {
        Self::parse(&policy.text, name, &policy.folder)
    }

    /// What stands at a key, if it is there; `k` and the like stand for the first requirement that has it.
    ///
    /// ```
    /// # use shoal::policy::PolicyDocument;
    /// let document = PolicyDocument::parse("[input]\nmissing = ['', '?']", "policy.toml", "".as_ref())?;
    /// assert_eq!(document.get("input.missing")?, Some(vec!["", "?"].into()));
    /// assert_eq!(document.get("input.path")?, None);
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn get(&self, key: &str) -> Result<Option<toml::Value>> {
        let path = KeyPath::parse(key)?;
        let root: toml::Table = toml::from_str(&self.to_string()).map_err(|error| Error::policy(error.message()))?;
        let inner = |table: &toml::Value, names: &[String]| {
            names.iter().try_fold(table.clone(), |value, name| value.get(name).cloned())
        };
        let requirements = || root.get("require").and_then(toml::Value::as_array).into_iter().flatten();
        Ok(match &path.place {
            Place::Section(names) => inner(&root.into(), &[&names[..], &path.keys].concat()),
            Place::Method => inner(&root.into(), &["method".to_owned(), "name".to_owned()]),
            Place::Requirement(number) => requirements().nth(*number).and_then(|table| inner(table, &path.keys)),
            Place::EveryRequirement => requirements().find_map(|table| inner(table, &path.keys)),
        })
    }

    /// Puts a value in the place of what a key says, or adds the key. `k` and the like are set in every requirement that has them;
    /// `method` alone also removes the parameters of the method before. Whether the policy as a whole is right is for
    /// [`PolicyDocument::policy`] to say.
    ///
    /// ```
    /// # use shoal::policy::PolicyDocument;
    /// let mut document = PolicyDocument::default();
    /// document.set("columns.\"zip code\".role", "quasi-identifier")?;
    /// document.set("columns.\"zip code\".hierarchy", shoal::hierarchy::mask("right"))?;
    /// assert_eq!(
    ///     document.to_string(),
    ///     "[columns.\"zip code\"]\nrole = \"quasi-identifier\"\nhierarchy = { mask = { from = \"right\" } }\n"
    /// );
    /// let error = document.set("columns.age.rolle", "sensitive").unwrap_err();
    /// assert_eq!(error.hint_text(), Some("did you mean `role`?"));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn set(&mut self, key: &str, value: impl Into<toml::Value>) -> Result<()> {
        self.set_at(&KeyPath::parse(key)?, &value.into())
    }

    /// Removes a key, and the comments that are its own; was it there?
    ///
    /// ```
    /// # use shoal::policy::PolicyDocument;
    /// let mut document = PolicyDocument::parse("[input]\nheader = true\n# the file\npath = 'a.csv'\n", "p", "".as_ref())?;
    /// assert!(document.remove("input.header")?);
    /// assert!(!document.remove("input.header")?);
    /// assert_eq!(document.to_string(), "[input]\n# the file\npath = 'a.csv'\n");
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn remove(&mut self, key: &str) -> Result<bool> {
        let path = KeyPath::parse(key)?;
        self.unchanged = None;
        Ok(match &path.place {
            Place::Section(names) => {
                let names: Vec<String> = [&names[..], &path.keys].concat();
                remove_in(self.document.as_table_mut(), &names)
            }
            Place::Method => remove_in(self.document.as_table_mut(), &["method".to_owned(), "name".to_owned()]),
            Place::Requirement(number) => remove_in(self.requirement(*number)?, &path.keys),
            Place::EveryRequirement => {
                let removed = self.requirements().into_iter().map(|table| remove_in(table, &path.keys));
                removed.fold(false, |any, one| any | one)
            }
        })
    }

    /// Sets a key of a column, whatever characters its name has.
    ///
    /// ```
    /// # use shoal::policy::PolicyDocument;
    /// let mut document = PolicyDocument::default();
    /// document.set_column("a.b", "role", "sensitive")?;
    /// assert_eq!(document.to_string(), "[columns.\"a.b\"]\nrole = \"sensitive\"\n");
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn set_column(&mut self, column: &str, key: &str, value: impl Into<toml::Value>) -> Result<()> {
        let path = KeyPath::of(["columns", column, key]);
        path.known()?;
        self.set_at(&path, &value.into())
    }

    /// Says of a column just this; it stays in its place.
    ///
    /// ```
    /// # use shoal::policy::PolicyDocument;
    /// let text = "[columns.age] # in years\nrole = 'sensitive'\nweight = 2\n\n[columns.sex]\nrole = 'sensitive'\n";
    /// let mut document = PolicyDocument::parse(text, "p", "".as_ref())?;
    /// document.replace_column("age", [("role".to_owned(), "identifier".into())])?;
    /// let expected = "[columns.age] # in years\nrole = \"identifier\"\n\n[columns.sex]\nrole = 'sensitive'\n";
    /// assert_eq!(document.to_string(), expected);
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn replace_column(
        &mut self,
        column: &str,
        keys: impl IntoIterator<Item = (String, toml::Value)>,
    ) -> Result<()> {
        let keys: Vec<(String, toml::Value)> = keys.into_iter().collect();
        let names = ["columns".to_owned(), column.to_owned()];
        let section = section_in(self.document.as_table_mut(), &names)?;
        let is_said = |name: &str| keys.iter().any(|(key, _)| key == name);
        let others: Vec<String> =
            section.iter().map(|(name, _)| name.to_owned()).filter(|name| !is_said(name)).collect();
        others.iter().for_each(|name| drop(section.remove(name)));
        keys.into_iter().try_for_each(|(key, value)| self.set_column(column, &key, value))
    }

    /// Removes all that is said of a column; was it there?
    ///
    /// ```
    /// # use shoal::policy::PolicyDocument;
    /// let mut document = PolicyDocument::parse("[columns.age]\nrole = 'sensitive'\n", "p", "".as_ref())?;
    /// assert!(document.remove_column("age") && !document.remove_column("age"));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn remove_column(&mut self, column: &str) -> bool {
        self.unchanged = None;
        remove_in(self.document.as_table_mut(), &["columns".to_owned(), column.to_owned()])
    }

    /// The policy that this is the text of, if it is right.
    ///
    /// ```
    /// # use shoal::policy::PolicyDocument;
    /// let error = PolicyDocument::default().policy().unwrap_err();
    /// assert!(error.message().contains("no column is a quasi-identifier"));
    /// ```
    pub fn policy(&self) -> Result<Policy> {
        let name = if self.name.is_empty() { "the policy" } else { &self.name };
        Policy::parse(&self.to_string(), name, &self.folder)
    }

    fn set_at(&mut self, path: &KeyPath, value: &toml::Value) -> Result<()> {
        let value = written(value)?;
        self.unchanged = None;
        match &path.place {
            Place::Section(names) => {
                let section = section_in(self.document.as_table_mut(), names)?;
                set_in(section, &path.keys, value)
            }
            Place::Method => self.set_method(value),
            Place::Requirement(number) => set_in(self.requirement(*number)?, &path.keys, value),
            Place::EveryRequirement => self.set_in_requirements(&path.keys, &value),
        }
    }

    /// Names another method, which would refuse what was meant for the one before.
    fn set_method(&mut self, name: Value) -> Result<()> {
        let section = section_in(self.document.as_table_mut(), &["method".to_owned()])?;
        if section.get("name").and_then(Item::as_str) != name.as_str() {
            let entry = METHODS.iter().find(|entry| Some(entry.id()) == name.as_str());
            let is_local = entry.is_some_and(|entry| (entry.default)().is_local());
            let stays = |key: &str| METHOD_KEYS.contains(&key) && (is_local || !STYLE_KEYS.contains(&key));
            let keys: Vec<String> = section.iter().map(|(key, _)| key.to_owned()).collect();
            keys.iter().filter(|key| !stays(key)).for_each(|key| drop(section.remove(key)));
        }
        set_in(section, &["name".to_owned()], name)
    }
}

impl fmt::Display for PolicyDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.unchanged {
            Some(text) => f.write_str(text),
            None => fmt::Display::fmt(&self.document, f),
        }
    }
}

#[cfg(test)]
mod tests;
