//! How is a policy made by a program, rather than written?

use std::path::{Path, PathBuf};

use super::PolicyDocument;
use super::key_path::KeyPath;
use crate::policy::Policy;
use shoal_core::{Error, Result};

/// A policy in the making. It is written as text and read like any other, so that nothing is checked in two ways.
///
/// What goes wrong on the way is told by [`PolicyBuilder::build`].
///
/// ```
/// use shoal::hierarchy;
/// use shoal::policy::Policy;
///
/// let policy = Policy::builder()
///     .input("patients.csv")
///     .quasi("age", hierarchy::intervals([5, 10, 20]))
///     .quasi("zip code", hierarchy::mask("right"))
///     .sensitive("diagnosis")
///     .require("k-anonymity", [("k", 5)])
///     .require("t-closeness", [("t", 0.2)])
///     .method("mondrian")
///     .max_suppressed(0.05)
///     .build()?;
/// assert_eq!(policy.columns.len(), 3);
/// assert!(policy.to_toml().contains("[columns.\"zip code\"]\nrole = \"quasi-identifier\"\nhierarchy = { mask = "));
/// # Ok::<(), shoal::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct PolicyBuilder {
    document: PolicyDocument,
    error: Option<Error>,
}

impl Policy {
    /// A policy that says nothing yet.
    ///
    /// ```
    /// use shoal::policy::Policy;
    ///
    /// assert!(Policy::builder().build().unwrap_err().message().contains("no column is a quasi-identifier"));
    /// ```
    pub fn builder() -> PolicyBuilder {
        PolicyBuilder::default()
    }
}

impl PolicyBuilder {
    /// Where relative paths begin; the current folder, unless this says otherwise.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let builder = Policy::builder().in_folder("data").quasi("sex", suppress()).require("k-anonymity", [("k", 5)]);
    /// assert_eq!(builder.build()?.folder, std::path::Path::new("data"));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.document.folder = folder.into();
        self
    }

    /// The table to read.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let builder = Policy::builder().input("a.csv").quasi("sex", suppress()).require("k-anonymity", [("k", 5)]);
    /// assert_eq!(builder.build()?.input.path.as_deref(), Some("a.csv".as_ref()));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn input(self, path: impl AsRef<Path>) -> Self {
        self.path(["input", "path"], path.as_ref())
    }

    /// Where the release goes.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let builder = Policy::builder().output("b.csv").quasi("sex", suppress()).require("k-anonymity", [("k", 5)]);
    /// assert_eq!(builder.build()?.output.path.as_deref(), Some("b.csv".as_ref()));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn output(self, path: impl AsRef<Path>) -> Self {
        self.path(["output", "path"], path.as_ref())
    }

    /// A column that somebody could know of a person, and what its values may become (see [`shoal_core::hierarchy`]).
    ///
    /// ```
    /// # use shoal::{hierarchy, policy::Policy};
    /// let builder = Policy::builder().quasi("born", hierarchy::dates(["month", "year"])).require("k-anonymity", [("k", 5)]);
    /// assert_eq!(builder.build()?.columns[0].hierarchy.as_ref().unwrap().to_string(), "{ dates = [\"month\", \"year\"] }");
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn quasi(self, column: &str, hierarchy: impl Into<toml::Value>) -> Self {
        self.role(column, "quasi-identifier").column(column, "hierarchy", hierarchy)
    }

    /// A column that nobody must learn about a person.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let builder = Policy::builder().quasi("sex", suppress()).sensitive("diagnosis");
    /// let policy = builder.require("distinct-l-diversity", [("l", 3)]).build()?;
    /// assert!(policy.to_toml().contains("[columns.diagnosis]\nrole = \"sensitive\"\n"));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn sensitive(self, column: &str) -> Self {
        self.role(column, "sensitive")
    }

    /// A column that names a person; it is dropped.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::{Policy, Role}};
    /// let builder = Policy::builder().identifier("name").quasi("sex", suppress()).require("k-anonymity", [("k", 5)]);
    /// assert_eq!(builder.build()?.role_of("name"), Some(Role::Identifier));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn identifier(self, column: &str) -> Self {
        self.role(column, "identifier")
    }

    /// A column that tells nothing about anybody; it is passed through.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::{Policy, Role}};
    /// let builder = Policy::builder().insensitive("ward").quasi("sex", suppress()).require("k-anonymity", [("k", 5)]);
    /// assert_eq!(builder.build()?.role_of("ward"), Some(Role::Insensitive));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn insensitive(self, column: &str) -> Self {
        self.role(column, "insensitive")
    }

    /// Another key of a column.
    ///
    /// ```
    /// # use shoal::{hierarchy, policy::Policy};
    /// let builder = Policy::builder().quasi("age", hierarchy::intervals([5, 10])).column("age", "min-level", 1);
    /// assert_eq!(builder.require("k-anonymity", [("k", 5)]).build()?.columns[0].min_level, Some(1));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn column(self, column: &str, key: &str, value: impl Into<toml::Value>) -> Self {
        self.at(&KeyPath::of(["columns", column, key]), &value.into())
    }

    /// What the release must promise, and the parameters of that.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let builder = Policy::builder().quasi("sex", suppress()).sensitive("pay");
    /// let policy = builder.require("t-closeness", [("t", toml::Value::from(0.2)), ("distance", "ordered".into())]).build()?;
    /// assert_eq!(policy.requirements[0].parameters.to_json()["distance"], "ordered");
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn require<'a, V: Into<toml::Value>>(
        self,
        model: &str,
        parameters: impl IntoIterator<Item = (&'a str, V)>,
    ) -> Self {
        self.and(|document| document.require(model, parameters))
    }

    /// How classes are found.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let builder = Policy::builder().quasi("sex", suppress()).require("k-anonymity", [("k", 5)]).method("mondrian");
    /// assert_eq!(builder.build()?.method.method.id(), "mondrian");
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn method(self, name: &str) -> Self {
        self.set("method.name", name)
    }

    /// What is to be as small as possible.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let builder = Policy::builder().quasi("sex", suppress()).require("k-anonymity", [("k", 5)]).objective("precision");
    /// assert_eq!(builder.build()?.method.objective.id(), "precision");
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn objective(self, id: &str) -> Self {
        self.set("method.objective", id)
    }

    /// The fraction of rows that may be suppressed.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let builder = Policy::builder().quasi("sex", suppress()).require("k-anonymity", [("k", 5)]).max_suppressed(1.5);
    /// assert!(builder.build().unwrap_err().message().contains("`max-suppressed` must be from 0 to 1, not 1.5"));
    /// ```
    pub fn max_suppressed(self, fraction: f64) -> Self {
        self.set("method.max-suppressed", fraction)
    }

    /// Any other key, by its path (see [`PolicyDocument::set`]).
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::{Policy, Suppressed}};
    /// let builder = Policy::builder().quasi("sex", suppress()).require("k-anonymity", [("k", 5)]);
    /// assert_eq!(builder.set("output.suppressed", "keep").build()?.output.suppressed, Suppressed::Keep);
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn set(self, key: &str, value: impl Into<toml::Value>) -> Self {
        self.and(|document| document.set(key, value))
    }

    /// The policy, or the first thing that is wrong with it.
    ///
    /// ```
    /// # use shoal::{hierarchy::suppress, policy::Policy};
    /// let error = Policy::builder().quasi("sex", suppress()).set("output.sead", 1).build().unwrap_err();
    /// assert_eq!(error.hint_text(), Some("did you mean `seed`?"));
    /// ```
    pub fn build(self) -> Result<Policy> {
        match self.error {
            Some(error) => Err(error),
            None => self.document.policy(),
        }
    }

    fn role(self, column: &str, role: &str) -> Self {
        self.column(column, "role", role)
    }

    fn path(self, names: [&str; 2], path: &Path) -> Self {
        match path.to_str() {
            Some(text) => self.at(&KeyPath::of(names), &text.into()),
            None => self.and(|_| Err(Error::policy(format!("the path {} is not UTF-8", path.display())))),
        }
    }

    fn at(self, path: &KeyPath, value: &toml::Value) -> Self {
        self.and(|document| {
            path.known()?;
            document.set_at(path, value)
        })
    }

    /// The first thing that goes wrong is what is told.
    fn and(mut self, change: impl FnOnce(&mut PolicyDocument) -> Result<()>) -> Self {
        if self.error.is_none() {
            self.error = change(&mut self.document).err();
        }
        self
    }
}
