//! Which parts does the name of a table of Spark have?

use shoal_core::{Error, Result};

use super::dialect::SparkSql;
use crate::dialect::SqlDialect;

/// The name of a table, part by part, as it may stand in a query: whatever a policy says, it is a name there and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableName {
    parts: Vec<String>,
}

impl TableName {
    /// Takes a name apart: parts have dots between them, and backquotes around what is no plain word.
    pub(super) fn parse(name: &str) -> Result<Self> {
        let refused = || {
            Error::place(format!("`{name}` is not the name of a table"))
                .hint("write it as in SQL: `schema.table`, with backquotes around what is no plain word")
        };
        let (mut parts, mut rest) = (Vec::new(), name.trim());
        loop {
            let (part, after) = match rest.strip_prefix('`') {
                Some(quoted) => quoted_part(quoted).ok_or_else(refused)?,
                None => {
                    let end = rest.find('.').unwrap_or(rest.len());
                    (rest[..end].trim().to_owned(), &rest[end..])
                }
            };
            // A quote in a plain word would be one that was never opened or closed.
            if part.is_empty() || (!rest.starts_with('`') && part.contains('`')) {
                return Err(refused());
            }
            parts.push(part);
            rest = match after.trim_start().strip_prefix('.') {
                Some(next) => next.trim_start(),
                None if after.trim().is_empty() => return Ok(Self { parts }),
                None => return Err(refused()),
            };
        }
    }

    /// The same place under another name.
    pub(super) fn beside(&self, what: &str) -> Self {
        let mut parts = self.parts.clone();
        if let Some(last) = parts.last_mut() {
            last.push_str(what);
        }
        Self { parts }
    }

    /// The schema that the name says it is in.
    pub(super) fn schema(&self) -> Option<Self> {
        let (_, schema) = self.parts.split_last()?;
        (!schema.is_empty()).then(|| Self { parts: schema.to_vec() })
    }

    /// The table of this name in the same place, if it is called as this one with something behind. Catalogs may keep names in lower case.
    pub(super) fn sibling(&self, name: &str, what: &str) -> Option<Self> {
        let (last, schema) = self.parts.split_last()?;
        let begins = format!("{last}{what}").to_lowercase();
        let parts = schema.iter().cloned().chain([name.to_owned()]).collect();
        name.to_lowercase().starts_with(&begins).then_some(Self { parts })
    }

    /// May both be one table? What a name leaves out, its catalog or its schema, is whichever the session is in.
    pub(super) fn may_be(&self, other: &Self) -> bool {
        self.parts
            .iter()
            .rev()
            .zip(other.parts.iter().rev())
            .all(|(one, other)| one.to_lowercase() == other.to_lowercase())
    }

    /// Is a query likely to read it? It names a table that is called so, in whichever schema.
    pub(super) fn is_in(&self, query: &str) -> bool {
        let (query, name) =
            (query.to_lowercase(), self.parts.last().map(|name| name.to_lowercase()).unwrap_or_default());
        let goes_on = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        query.match_indices(&name).any(|(at, _)| {
            !goes_on(query[..at].chars().next_back()) && !goes_on(query[at + name.len()..].chars().next())
        })
    }

    /// The name as it stands in a query.
    pub(super) fn quoted(&self) -> String {
        self.parts.iter().map(|part| SparkSql.name(part)).collect::<Vec<_>>().join(".")
    }
}

/// The part that ends with the next backquote which is not doubled, and what follows it.
fn quoted_part(text: &str) -> Option<(String, &str)> {
    let mut at = 0;
    loop {
        let quote = at + text[at..].find('`')?;
        match text[quote + 1..].starts_with('`') {
            true => at = quote + 2,
            false => return Some((text[..quote].replace("``", "`"), &text[quote + 1..])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(name: &str) -> String {
        TableName::parse(name).map_or_else(|error| error.message().to_owned(), |name| name.quoted())
    }

    #[test]
    fn one_table_has_several_names() {
        let may_be = |one: &str, other: &str| TableName::parse(one).unwrap().may_be(&TableName::parse(other).unwrap());
        assert!(may_be("patients", "default.patients"));
        assert!(may_be("clinic.`Patients`", "spark_catalog.Clinic.patients"));
        assert!(!may_be("clinic.patients", "default.patients"));
        assert!(!may_be("clinic.patients", "clinic.patients_release"));
        let is_in = |name: &str, query: &str| TableName::parse(name).unwrap().is_in(query);
        assert!(is_in("clinic.patients", "SELECT * FROM Patients"));
        assert!(is_in("patients", "SELECT age FROM `clinic`.`patients` JOIN wards USING (ward)"));
        assert!(!is_in("patients_release", "SELECT * FROM patients"));
        assert!(!is_in("patients", "SELECT patients_seen FROM wards"));
    }

    #[test]
    fn whatever_is_written_is_a_name_and_nothing_else() {
        assert_eq!(quoted("release"), "`release`");
        assert_eq!(quoted("db.release"), "`db`.`release`");
        assert_eq!(quoted(" db . `my.release` "), "`db`.`my.release`");
        assert_eq!(quoted("`a``b`.c"), "`a``b`.`c`");
        assert_eq!(quoted("t; DROP TABLE people --"), "`t; DROP TABLE people --`");
        assert_eq!(quoted("t USING csv"), "`t USING csv`");
        for name in ["", ".", "a.", ".a", "a..b", "`a", "a`b", "a`", "`a`b", "``"] {
            assert_eq!(quoted(name), format!("`{name}` is not the name of a table"), "{name}");
        }
    }
}
