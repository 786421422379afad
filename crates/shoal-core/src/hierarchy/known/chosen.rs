//! Which known hierarchy does a policy choose, and what does it become over a column?

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

use super::{Cell, KNOWN, KnownHierarchy, OTHER, by_id};
use crate::error::nearest;
use crate::hierarchy::generated::assemble;
use crate::hierarchy::{ColumnValues, Hierarchy, HierarchySpec};
use crate::table::ColumnType;
use crate::{Error, Result, listed, schema};

/// A hierarchy that is built in, by its name: countries, diagnoses, occupations and others; `shoal hierarchy list` shows them all.
///
/// The table form `{ name = "countries", levels = ["region"], unknown = "other" }` chooses some of its levels, and says what is to become of values that
/// it does not know.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(with = "NameOrTable")]
pub struct Known {
    name: Name,
    levels: Option<Vec<String>>,
    country: Option<String>,
    unknown: Unknown,
}

/// The id of a known hierarchy.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Name(&'static str);

/// What becomes of values that are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Unknown {
    /// They are an error.
    #[default]
    Refuse,
    /// They are a group of their own, `other`, on every level between the values and the root.
    Other,
}

/// Either the name, the short form, or a table with all parameters.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "it is there for its schema: what is read is told apart by hand, with better messages")]
enum NameOrTable {
    Name(Name),
    Table(Table),
}

/// A known hierarchy, and how it is used.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    /// Which one it is.
    name: Name,
    /// Its levels between the values and the root, fine to coarse; by default all that it has.
    #[schemars(length(min = 1), example = vec!["subregion", "region"])]
    levels: Option<Vec<String>>,
    /// The country by whose rules values are read, as two letters, for `states` and `postal-codes`.
    #[schemars(example = &"US")]
    country: Option<String>,
    /// What becomes of values that it does not know.
    #[serde(default)]
    unknown: Unknown,
}

impl JsonSchema for Name {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema::words(KNOWN.iter().map(|entry| (entry.id().to_owned(), entry.page().summary() + ".")))
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Name::of(&String::deserialize(deserializer)?)
    }
}

impl Name {
    fn of<E: de::Error>(id: &str) -> Result<Self, E> {
        let known = by_id(id).map(|hierarchy| Name(hierarchy.id()));
        known.ok_or_else(|| {
            let meant = match nearest(id, listed::ids(KNOWN)) {
                Some(known) => format!("did you mean `{known}`?"),
                None => "`shoal hierarchy list` shows those that there are".to_owned(),
            };
            E::custom(format!("there is no hierarchy `{id}` among the known ones: {meant}"))
        })
    }
}

impl<'de> Deserialize<'de> for Known {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KnownVisitor)
    }
}

struct KnownVisitor;

impl<'de> Visitor<'de> for KnownVisitor {
    type Value = Known;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a known hierarchy, or a table of parameters")
    }

    fn visit_str<E: de::Error>(self, id: &str) -> Result<Known, E> {
        Ok(Known { name: Name::of(id)?, levels: None, country: None, unknown: Unknown::Refuse })
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Known, A::Error> {
        let Table { name, levels, country, unknown } = Table::deserialize(MapAccessDeserializer::new(table))?;
        Ok(Known { name, levels, country, unknown })
    }
}

impl Known {
    /// A known hierarchy with all its levels.
    pub fn new(hierarchy: &'static dyn KnownHierarchy) -> Self {
        Self { name: Name(hierarchy.id()), levels: None, country: None, unknown: Unknown::Refuse }
    }

    /// The same by the rules of a country.
    #[must_use]
    pub(super) fn in_country(self, country: &str) -> Self {
        Self { country: Some(country.to_owned()), ..self }
    }

    /// The same with these levels only.
    #[must_use]
    pub(super) fn with_levels(self, levels: &[&str]) -> Self {
        let levels: Vec<String> = levels.iter().map(|&level| level.to_owned()).collect();
        Self { levels: (levels != self.hierarchy().levels()).then_some(levels), ..self }
    }

    /// The same where values that it does not know are a group of their own.
    #[must_use]
    pub(super) fn with_other(self) -> Self {
        Self { unknown: Unknown::Other, ..self }
    }

    /// The hierarchy that it names.
    pub fn hierarchy(&self) -> &'static dyn KnownHierarchy {
        by_id(self.name.0).expect("only names that there are can be read")
    }

    /// Are its values numbers, which ranges and means make sense of?
    pub fn is_of_numbers(&self) -> bool {
        self.hierarchy().is_of_numbers()
    }

    pub(in crate::hierarchy) fn check(&self) -> Result<()> {
        let (id, there) = (self.name.0, self.hierarchy().levels());
        let places = self.places().map_err(|level| {
            Error::policy(format!("the known hierarchy `{id}` has no level `{level}`"))
                .hint(format!("its levels are {}", ticked(there)))
        })?;
        if places.is_empty() {
            return Err(Error::policy(format!("the known hierarchy `{id}` is left without levels"))
                .hint(format!("its levels are {}", ticked(there))));
        }
        if places.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Error::policy(format!("the levels of the known hierarchy `{id}` are not in order"))
                .hint(format!("order them from fine to coarse, each once: {}", ticked(there))));
        }
        let Some(country) = &self.country else { return Ok(()) };
        let countries = self.hierarchy().countries();
        match countries {
            [] => Err(Error::policy(format!("the known hierarchy `{id}` takes no `country`"))),
            _ if countries.iter().any(|known| known.eq_ignore_ascii_case(country)) => Ok(()),
            _ => Err(Error::policy(format!("the known hierarchy `{id}` has no country `{country}`"))
                .hint(format!("it has {}", countries.join(", ")))),
        }
    }

    /// Which of the hierarchy's levels it has, by their places; or the first that there is not.
    fn places(&self) -> Result<Vec<usize>, &str> {
        let there = self.hierarchy().levels();
        let place = |level: &String| there.iter().position(|known| known == level);
        match &self.levels {
            Some(levels) => levels.iter().map(|level| place(level).ok_or(level.as_str())).collect(),
            None => Ok((0..there.len()).collect()),
        }
    }

    /// The labels of a value on all levels of the hierarchy, if it is known.
    pub(super) fn labels(&self, value: &str, column_type: &ColumnType) -> Option<Vec<String>> {
        self.hierarchy().labels(&Cell::new(value, column_type, self.country.as_deref()))
    }

    /// Does a value have labels, of its own or as one of the others?
    pub(in crate::hierarchy) fn reads(&self, value: &str, column_type: &ColumnType) -> bool {
        self.unknown == Unknown::Other || self.labels(value, column_type).is_some()
    }

    pub(in crate::hierarchy) fn build(&self, column: &ColumnValues<'_>) -> Result<Hierarchy> {
        let column_type = column.dictionary.column_type();
        let present = column.dictionary.present();
        let mut labels: Vec<Option<Vec<String>>> =
            present.iter().map(|value| self.labels(value, column_type)).collect();
        if self.unknown == Unknown::Refuse {
            self.refuse_unknown(column, &labels)?;
        }
        let places = self.places().map_err(|level| Error::policy(format!("there is no level `{level}`")))?;
        let mut level = |place: usize| -> Vec<String> {
            let label = |labels: &mut Option<Vec<String>>| match labels {
                Some(labels) => std::mem::take(&mut labels[place]),
                None => OTHER.to_owned(),
            };
            labels.iter_mut().map(label).collect()
        };
        let levels: Vec<Vec<String>> = places.into_iter().map(&mut level).collect();
        assemble(column, levels)
    }

    fn refuse_unknown(&self, column: &ColumnValues<'_>, labels: &[Option<Vec<String>>]) -> Result<()> {
        let Some(first) = labels.iter().position(Option::is_none) else { return Ok(()) };
        let (unknown, all) = (labels.iter().filter(|labels| labels.is_none()).count(), labels.len());
        let id = self.name.0;
        let error = Error::table(format!(
            "{unknown} of the {all} values of column `{}` are not known to the hierarchy `{id}`",
            column.name
        ))
        .detail(column.which(&column.dictionary.present()[first]));
        let with_others = HierarchySpec::Known(self.clone().with_other());
        let mut ways = vec![format!("`hierarchy = {with_others}` makes a group of them")];
        let countries = self.countries_that_know_more(column, labels.len() - unknown);
        if let [one, others @ ..] = countries.as_slice() {
            let which =
                if others.is_empty() { format!("`\"{one}\"`") } else { format!("one of {}", countries.join(", ")) };
            ways.insert(
                0,
                format!(
                    "say of which `country` they are: {which} {} more of them",
                    if others.is_empty() { "knows" } else { "know" }
                ),
            );
        }
        ways.push(format!("`shoal explain {id}` says what is known"));
        Err(error.hint(ways.join("; ")))
    }

    /// The countries by whose rules most values are known, if those are more than so many.
    fn countries_that_know_more(&self, column: &ColumnValues<'_>, known: usize) -> Vec<&'static str> {
        if self.country.is_some() {
            return Vec::new();
        }
        let column_type = column.dictionary.column_type();
        let count = |country: &&'static str| {
            let there = self.clone().in_country(country);
            column.dictionary.present().iter().filter(|value| there.labels(value, column_type).is_some()).count()
        };
        let counts: Vec<(usize, &'static str)> =
            self.hierarchy().countries().iter().map(|name| (count(name), *name)).collect();
        let most = counts.iter().map(|(count, _)| *count).max().filter(|most| *most > known);
        counts.into_iter().filter(|(count, _)| Some(*count) == most).map(|(_, name)| name).collect()
    }

    pub(in crate::hierarchy) fn to_toml(&self) -> toml::Value {
        if self.levels.is_none() && self.country.is_none() && self.unknown == Unknown::Refuse {
            return self.name.0.into();
        }
        let mut table = toml::Table::new();
        table.insert("name".to_owned(), self.name.0.into());
        if let Some(levels) = &self.levels {
            table.insert("levels".to_owned(), levels.clone().into());
        }
        if let Some(country) = &self.country {
            table.insert("country".to_owned(), country.clone().into());
        }
        if self.unknown == Unknown::Other {
            table.insert("unknown".to_owned(), OTHER.into());
        }
        table.into()
    }
}

/// Words in backticks, one after the other.
fn ticked(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::testing::{build, dictionary, leaves, path, spec};

    #[test]
    fn codes_and_names_meet_on_the_level_of_countries() {
        let dictionary = dictionary(&["DE", "Germany", "FR", "jp"], Some("?"));
        let hierarchy = build("known = \"countries\"", &dictionary).unwrap();
        let code = |value: &str| dictionary.code(value).unwrap();
        assert_eq!(path(&hierarchy, code("DE")), ["DE", "Germany", "Western Europe", "Europe", "*"]);
        assert_eq!(path(&hierarchy, code("Germany")), ["Germany", "Germany", "Western Europe", "Europe", "*"]);
        assert_eq!(path(&hierarchy, dictionary.missing().unwrap()), ["?", "?", "?", "?", "*"]);
        // Leaves are the values that occur.
        assert_eq!(leaves(&hierarchy, code("DE")), [1, 2, 3, 3, 5]);
    }

    #[test]
    fn levels_may_be_left_out() {
        let dictionary = dictionary(&["DE", "FR", "JP"], None);
        let text = "known = { name = 'countries', levels = ['region'] }";
        assert_eq!(path(&build(text, &dictionary).unwrap(), 0), ["DE", "Europe", "*"]);
    }

    #[test]
    fn what_is_not_known_is_refused_or_a_group() {
        let dictionary = dictionary(&["DE", "Narnia", "Oz"], None);
        let error = build("known = 'countries'", &dictionary).unwrap_err().to_string();
        assert!(
            error.starts_with("2 of the 3 values of column `c` are not known to the hierarchy `countries`"),
            "{error}"
        );
        let hierarchy = build("known = { name = 'countries', unknown = 'other' }", &dictionary).unwrap();
        assert_eq!(path(&hierarchy, 1), ["Narnia", "other", "other", "other", "*"]);
        assert_eq!(leaves(&hierarchy, 2), [1, 2, 2, 2, 3]);
    }

    /// A hint is followed word by word: what it proposes must not be refused.
    #[test]
    fn hints_name_only_what_would_know_more() {
        let error = |text: &str, values: &[&str]| build(text, &dictionary(values, None)).unwrap_err().to_string();
        let british = error("known = 'postal-codes'", &["SW1A 1AA", "N1 2AB", "E14"]);
        assert!(
            !british.contains("country") && british.contains("unknown = \"other\" } }` makes a group"),
            "{british}"
        );
        let digits = error("known = 'postal-codes'", &["1010-123", "2040-567"]);
        assert!(digits.contains("hint: say of which `country` they are: one of ") && digits.contains("JP"), "{digits}");
        let swiss = error("known = { name = 'postal-codes', country = 'CH' }", &["8001", "80011"]);
        assert!(
            swiss.contains(
                "`hierarchy = { known = { name = \"postal-codes\", country = \"CH\", unknown = \"other\" } }`"
            ),
            "{swiss}"
        );
    }

    #[test]
    fn no_sensitive_value_is_shown() {
        let dictionary = dictionary(&["DE", "Narnia"], None);
        let column =
            crate::hierarchy::ColumnValues { name: "c", dictionary: &dictionary, counts: &[1, 1], may_print: false };
        let error = spec("known = 'countries'").build(&column, std::path::Path::new("")).unwrap_err().to_string();
        assert!(!error.contains("Narnia"), "{error}");
    }

    #[test]
    fn parameters_are_checked() {
        let refused = |text: &str| spec(text).check().unwrap_err().to_string();
        assert!(
            refused("known = { name = 'countries', levels = ['continent'] }")
                .starts_with("the known hierarchy `countries` has no level `continent`")
        );
        assert!(refused("known = { name = 'countries', levels = ['region', 'country'] }").contains("not in order"));
        assert!(refused("known = { name = 'countries', levels = [] }").contains("without levels"));
        assert!(refused("known = { name = 'atc', country = 'US' }").contains("takes no `country`"));
        assert!(refused("known = { name = 'states', country = 'XX' }").contains("has no country `XX`"));
        assert!(spec("known = { name = 'states', country = 'us' }").check().is_ok());
    }

    #[test]
    fn names_that_there_are_not_name_the_nearest() {
        let parse =
            |text: &str| toml::from_str::<crate::hierarchy::HierarchySpec>(text).unwrap_err().message().to_owned();
        assert_eq!(
            parse("known = 'contries'"),
            "there is no hierarchy `contries` among the known ones: did you mean `countries`?"
        );
        assert!(parse("known = { name = 'zzzzzz' }").contains("`shoal hierarchy list`"));
        assert!(parse("known = 5").contains("the name of a known hierarchy, or a table of parameters"));
        assert!(parse("known = {}").contains("missing field `name`"));
    }
}
