//! How are classes found, and what is to be lost least?

use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::{Parser, Placed, Value};
use crate::policy::sections::MethodPolicy;
use shoal_core::exact::Ratio;
use shoal_core::method::{Categories, Ends, LabelStyle, METHODS, Method, Numbers, Suppress};
use shoal_core::model::Complaint;
use shoal_core::objective::{self, OBJECTIVES, Objective};
use shoal_core::{Result, schema};

/// How classes are found, and what is to be lost least. Each method has further keys of its own.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(in crate::policy) struct MethodSection {
    /// How classes are found: a method.
    #[schemars(extend("default" = "full-domain"))]
    name: Option<Placed<String>>,
    /// What is to be as small as possible.
    #[serde(default)]
    #[schemars(schema_with = "objectives", extend("default" = "loss"))]
    objective: Option<Placed<String>>,
    /// The fraction of rows that may be suppressed, or of people where `suppress` says so: 0.05 is 5%.
    #[schemars(range(min = 0, max = 1), extend("default" = 0), example = 0.05)]
    max_suppressed: Option<Placed<f64>>,
    /// What is suppressed where `person` is named in [input]: rows, or people with all of theirs.
    #[schemars(extend("default" = "rows"))]
    suppress: Option<Placed<Suppress>>,
    /// What becomes of numbers and dates that differ within a class.
    #[schemars(extend("default" = "ranges"))]
    numbers: Option<Placed<Numbers>>,
    /// What becomes of values without an order that differ within a class.
    #[schemars(extend("default" = "hierarchy"))]
    categories: Option<Placed<Categories>>,
    /// Where ranges begin and end.
    #[schemars(extend("default" = "rounded"))]
    ends: Option<Placed<Ends>>,
}

/// What every method takes beside its own parameters.
pub(in crate::policy) const METHOD_KEYS: [&str; 7] =
    ["name", "objective", "max-suppressed", "suppress", "numbers", "categories", "ends"];

/// Of these, what only methods take that give each class labels of its own.
pub(in crate::policy) const STYLE_KEYS: [&str; 3] = ["numbers", "categories", "ends"];

fn objectives(_: &mut SchemaGenerator) -> Schema {
    schema::words(OBJECTIVES.iter().map(|entry| (entry.item.id().to_owned(), entry.page().summary() + ".")))
}

impl<'a> Parser<'a> {
    pub(super) fn method(&self, value: Value<'a>) -> Result<MethodPolicy> {
        let span = value.span();
        let DeValue::Table(mut own) = value.into_inner() else {
            return Err(self.error(span, "`method` must be a table").hint("write [method] and its keys below"));
        };
        let mut shared = DeTable::new();
        for key in METHOD_KEYS {
            if let Some((name, value)) = own.remove_entry(key) {
                shared.insert(name, value);
            }
        }
        let section: MethodSection = self.section("method", Spanned::new(span.clone(), DeValue::Table(shared)))?;
        let entry = match &section.name {
            None => &METHODS[0],
            Some(name) => METHODS.iter().find(|entry| entry.id() == name.get_ref()).ok_or_else(|| {
                let ids: Vec<&str> = METHODS.iter().map(|entry| entry.id()).collect();
                self.unknown("method", name.get_ref(), &ids, name.span())
            })?,
        };
        let spans: Vec<(String, Range<usize>)> =
            own.iter().map(|(key, value)| (key.get_ref().to_string(), value.span())).collect();
        let method = entry
            .parse(ValueDeserializer::from(Spanned::new(span.clone(), DeValue::Table(own))))
            .map_err(|error| self.toml_error_among(&error, &METHOD_KEYS))?;
        method.check().map_err(|Complaint { key, error }| {
            let place = spans.iter().find(|(name, _)| name == key).map_or(span.clone(), |(_, span)| span.clone());
            error.at(self.place(place))
        })?;
        let style = self.style(&section, method.as_ref())?;
        let objective = self.objective(section.objective.as_ref())?;
        let max_suppressed = self.max_suppressed(section.max_suppressed.as_ref())?;
        let suppress = section.suppress.map(|suppress| *suppress.get_ref()).unwrap_or_default();
        Ok(MethodPolicy { method, objective, max_suppressed, suppress, style })
    }

    fn objective(&self, id: Option<&Placed<String>>) -> Result<&'static dyn Objective> {
        let Some(id) = id else { return Ok(OBJECTIVES[0].item) };
        objective::by_id(id.get_ref()).ok_or_else(|| {
            let ids: Vec<&str> = OBJECTIVES.iter().map(|entry| entry.item.id()).collect();
            self.unknown("objective", id.get_ref(), &ids, id.span())
        })
    }

    fn max_suppressed(&self, fraction: Option<&Placed<f64>>) -> Result<Ratio> {
        let Some(fraction) = fraction else { return Ok(Ratio::ZERO) };
        match Ratio::written(*fraction.get_ref()) {
            Some(ratio) if ratio <= Ratio::from(1) => Ok(ratio),
            _ => {
                let message = format!("`max-suppressed` must be from 0 to 1, not {}", fraction.get_ref());
                Err(self.error(fraction.span(), message).hint("it is a fraction of the rows: 0.05 is 5%"))
            }
        }
    }

    fn style(&self, section: &MethodSection, method: &dyn Method) -> Result<LabelStyle> {
        let spans = [
            section.numbers.as_ref().map(Placed::span),
            section.categories.as_ref().map(Placed::span),
            section.ends.as_ref().map(Placed::span),
        ];
        if let Some(span) = spans.into_iter().flatten().next().filter(|_| !method.is_local()) {
            let shown = match method.separates() {
                Some(_) => "as it is",
                None => "at one level of its hierarchy",
            };
            let message = format!("`{}` shows every column {shown}", method.id());
            return Err(self.error(span, message).hint("ranges and sets are for local recoding, `mondrian` for one"));
        }
        Ok(LabelStyle {
            numbers: section.numbers.as_ref().map(|numbers| *numbers.get_ref()).unwrap_or_default(),
            categories: section.categories.as_ref().map(|categories| *categories.get_ref()).unwrap_or_default(),
            ends: section.ends.as_ref().map(|ends| *ends.get_ref()).unwrap_or_default(),
        })
    }
}
