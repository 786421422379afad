//! What does somebody set on the command line?

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use super::PolicyDocument;
use super::key_path::KeyPath;
use crate::policy::schema::is_text;
use shoal_core::{Error, Result};

/// `KEY=VALUE`: a key of a policy and what it is to say.
///
/// The value is read as TOML, and what is no TOML as text; where nothing but text can stand, it is text in any case.
/// `require[1]=none` leaves out a requirement, counted from 0.
///
/// ```
/// use shoal::policy::{PolicyDocument, Setting};
///
/// let setting: Setting = "columns.age.hierarchy={ intervals = [5, 10] }".parse()?;
/// let document = PolicyDocument::default().with(&[setting, "method=mondrian".parse()?])?;
/// assert_eq!(document.to_string(), "[method]\nname = \"mondrian\"\n\n[columns.age]\nhierarchy = { intervals = [5, 10] }\n");
/// assert!("k".parse::<Setting>().is_err());
/// # Ok::<(), shoal::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    key: String,
    value: String,
}

impl Setting {
    /// This value for this key.
    ///
    /// ```
    /// use shoal::policy::Setting;
    ///
    /// assert_eq!(Setting::new("k", "5"), "k=5".parse()?);
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn new(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self { key: key.into(), value: value.into() }
    }

    /// The key as it was written.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The value as it was written.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Which requirement it leaves out, if it leaves out one: `require[1]=none`.
    ///
    /// ```
    /// use shoal::policy::Setting;
    ///
    /// assert_eq!(Setting::new("require[1]", "none").left_out(), Some(1));
    /// assert_eq!(Setting::new("require[1].k", "5").left_out(), None);
    /// ```
    pub fn left_out(&self) -> Option<usize> {
        let number = self.key.strip_prefix("require[")?.strip_suffix(']')?;
        number.trim().parse().ok().filter(|_| self.value.trim_matches(['"', '\'']) == NONE)
    }

    /// The value, or two dots in its place where it may be a secret: only numbers and Shoal's own words are none.
    ///
    /// ```
    /// use shoal::policy::Setting;
    ///
    /// assert_eq!(Setting::new("k", "5").shown_value(), "5");
    /// assert_eq!(Setting::new("output.suppressed", "keep").shown_value(), "keep");
    /// assert_eq!(Setting::new("disclosable", "[\"flu\"]").shown_value(), "..");
    /// ```
    pub fn shown_value(&self) -> &str {
        if self.left_out().is_some() {
            return NONE;
        }
        let key = KeyPath::read(&self.key).and_then(|path| Ok((path.known()?.schema, path)));
        match key {
            Ok((schema, path)) if path.is_whole() && is_own_word(&schema) => &self.value,
            _ => "..",
        }
    }

    /// The section that the key stands in, if there is such a key.
    ///
    /// ```
    /// use shoal::policy::Setting;
    ///
    /// assert_eq!(Setting::new("k", "5").section()?, "require");
    /// assert_eq!(Setting::new("output.seed", "1").section()?, "output");
    /// assert!(Setting::new("output.sead", "1").section().is_err());
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn section(&self) -> Result<&'static str> {
        if self.left_out().is_some() {
            return Ok("require");
        }
        KeyPath::read(&self.key)?.known().map(|key| key.section)
    }

    fn toml_value(&self, schema: &Value) -> toml::Value {
        let as_toml = self.value.parse::<toml::Value>().ok();
        let is_quoted = as_toml.as_ref().is_some_and(toml::Value::is_str);
        // No key of a policy is a moment in time.
        let as_toml = as_toml.filter(|value| !value.is_datetime() && (is_quoted || !is_text(schema)));
        as_toml.unwrap_or_else(|| toml::Value::String(self.value.clone()))
    }
}

/// What a requirement is set to that is to be left out.
const NONE: &str = "none";

/// Is this a number, true or false, or one of the words that a policy knows?
fn is_own_word(schema: &Value) -> bool {
    let is_constant = |one: &Value| one.get("const").is_some();
    let has_words = schema["oneOf"].as_array().is_some_and(|words| words.iter().all(is_constant));
    let is_number = ["integer", "number", "boolean"].iter().any(|kind| schema["type"] == *kind);
    is_number || has_words || is_constant(schema) || schema.get("enum").is_some()
}

impl FromStr for Setting {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            Error::policy(format!("`{text}` is not KEY=VALUE"))
                .hint("for example k=5, max-suppressed=0.05 or output.seed=1")
        };
        let (key, value) = split(text, '=').ok_or_else(wrong)?;
        match (key.trim(), value.trim()) {
            ("", _) | (_, "") => Err(wrong()),
            (key, value) => Ok(Self::new(key, value)),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.key, self.value)
    }
}

/// The texts before and after the first `mark` that stands in no quotes and no brackets.
pub(crate) fn split(text: &str, mark: char) -> Option<(&str, &str)> {
    let (mut quote, mut depth) = (None, 0_usize);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, _) if character == mark && depth == 0 => return Some((&text[..at], &text[at + mark.len_utf8()..])),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    None
}

impl PolicyDocument {
    /// The same with other settings. Which method it is is set first, since it decides what else can be; requirements are left out
    /// last, so that all are counted as the policy has them.
    ///
    /// ```
    /// use shoal::policy::{PolicyDocument, Setting};
    ///
    /// let text = "[columns.age]\nrole = 'quasi-identifier'\n[[require]]\nmodel = 'k-anonymity'\nk = 5\n";
    /// let document = PolicyDocument::parse(text, "policy.toml", "".as_ref())?;
    /// let error = document.with(&[Setting::new("k", "many")])?.policy().unwrap_err();
    /// assert!(error.message().starts_with("policy.toml with k = many, line 5: "));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn with(mut self, settings: &[Setting]) -> Result<Self> {
        let (methods, others): (Vec<_>, Vec<_>) =
            settings.iter().partition(|setting| matches!(setting.key.as_str(), "method" | "method.name"));
        let (mut shown, mut left_out) = (Vec::new(), Vec::new());
        for setting in methods.into_iter().chain(others) {
            shown.push(format!("{} = {}", setting.key, setting.shown_value()));
            if let Some(number) = setting.left_out() {
                left_out.push(number);
                continue;
            }
            let path = KeyPath::read(&setting.key)?;
            let schema = path.known()?.schema;
            // What is inside of a key has a type of its own.
            let schema = if path.is_whole() { schema } else { Value::Null };
            self.set_at(&path, &setting.toml_value(&schema)).map_err(|error| match self.name.as_str() {
                "" => error,
                name => error.at(name),
            })?;
        }
        self.leave_out(left_out).map_err(|error| match self.name.as_str() {
            "" => error,
            name => error.at(name),
        })?;
        if !shown.is_empty() {
            let name = if self.name.is_empty() { "the policy" } else { &self.name };
            self.name = format!("{name} with {}", shown.join(", "));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_ends_at_the_first_mark_outside_of_quotes() {
        assert_eq!(split("k=5", '='), Some(("k", "5")));
        assert_eq!(split("columns.\"a=b\".role=sensitive", '='), Some(("columns.\"a=b\".role", "sensitive")));
        assert_eq!(split("{ a = [1, 2] }, 3", ','), Some(("{ a = [1, 2] }", " 3")));
        assert_eq!(split("'k=5'", '='), None);
        for wrong in ["k", "k=", "=2", " = "] {
            assert!(wrong.parse::<Setting>().unwrap_err().to_string().contains("is not KEY=VALUE"), "{wrong}");
        }
    }

    #[test]
    fn values_are_toml_where_text_is_not_all_that_can_stand() {
        let set = |text: &str| {
            let setting: Setting = text.parse().unwrap();
            let document = PolicyDocument::default().with(std::slice::from_ref(&setting)).unwrap();
            document.get(setting.key()).unwrap().unwrap()
        };
        assert_eq!(set("output.seed=7"), 7.into());
        assert_eq!(set("output.shuffle=false"), false.into());
        assert_eq!(set("input.path=2024"), "2024".into());
        assert_eq!(set("input.path='2024'"), "2024".into());
        assert_eq!(set("input.table=2024-01-01"), "2024-01-01".into());
        assert_eq!(set("input.missing=[\"?\"]"), vec!["?"].into());
        assert_eq!(set("input.memory-limit=2GB"), "2GB".into());
        assert_eq!(set("input.memory-limit=2000"), 2000.into());
        assert_eq!(set("columns.age.hierarchy.mask.from=left"), "left".into());
        assert_eq!(set("method=mondrian"), "mondrian".into());
    }

    #[test]
    fn requirements_are_left_out_by_their_number_in_the_policy() {
        let both = "[columns.age]\nrole = 'quasi-identifier'\n[columns.s]\nrole = 'sensitive'\n";
        let tables = "# few\n[[require]]\nmodel = 'k-anonymity'\nk = 5\n\n# diverse\n[[require]]\n\
                      model = 'distinct-l-diversity'\nl = 3\n\n[[require]]\nmodel = 'k-anonymity'\nk = 7\n";
        let braces = "require = [{ model = 'k-anonymity', k = 5 }, { model = 'distinct-l-diversity', l = 3 }, \
                      { model = 'k-anonymity', k = 7 }]\n";
        for text in [format!("{both}{tables}"), format!("{braces}{both}")] {
            let without = |settings: &[&str]| {
                let settings: Vec<Setting> = settings.iter().map(|text| text.parse().unwrap()).collect();
                PolicyDocument::parse(&text, "p.toml", "".as_ref()).unwrap().with(&settings)
            };
            let left = |settings: &[&str]| {
                let policy = without(settings).unwrap().policy().unwrap();
                policy.requirements.iter().map(|required| required.parameters.to_json().to_string()).collect::<Vec<_>>()
            };
            assert_eq!(left(&["require[0]=none"]), [r#"{"l":3}"#, r#"{"k":7}"#]);
            assert_eq!(left(&["require[0]=none", "require[2].k=9", "require[1]=none"]), [r#"{"k":9}"#]);
            assert_eq!(left(&["require[2]=none", "require[2]=none"]), [r#"{"k":5}"#, r#"{"l":3}"#]);
            let error = without(&["require[3]=none"]).unwrap_err().to_string();
            assert!(error.contains("p.toml: there is no `require[3]`"), "{error}");
            let none_left = without(&["require[0]=none", "require[1]=none", "require[2]=none"]).unwrap();
            let error = none_left.policy().unwrap_err().to_string();
            assert!(error.contains("require[2] = none: the policy requires nothing"), "{error}");
            assert!(without(&["require[0]=5"]).is_err());
        }
    }

    #[test]
    fn no_message_shows_values_of_the_table_or_secrets() {
        let text = "[columns.age]\nrole = 'quasi-identifier'\n[[require]]\nmodel = 'pd-recursive-cl-diversity'\nc = 2\nl = 2\ndisclosable = []\n";
        let document = PolicyDocument::parse(text, "p.toml", "".as_ref()).unwrap();
        let error =
            document.with(&["disclosable=[\"Yaws\"]".parse().unwrap()]).unwrap().policy().unwrap_err().to_string();
        assert!(error.contains("p.toml with disclosable = ..") && !error.contains("Yaws"), "{error}");
        for hidden in
            ["input.path", "columns.age.hierarchy", "columns.age.hierarchy.tree.a", "input.memory-limit", "nonsense"]
        {
            assert_eq!(Setting::new(hidden, "secret").shown_value(), "..", "{hidden}");
        }
        for shown in ["k", "method", "objective", "method.local", "input.decimal", "among", "columns.age.role"] {
            assert_eq!(Setting::new(shown, "x").shown_value(), "x", "{shown}");
        }
    }
}
