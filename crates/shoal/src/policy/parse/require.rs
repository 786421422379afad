//! What must the release promise?

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::{Parser, Value};
use crate::policy::sections::Required;
use shoal_core::Result;
use shoal_core::model::{Complaint, DEFINITIONS, Scope};

/// The only value of `among`.
pub(in crate::policy) const AMONG: &str = "all-sensitive";

impl<'a> Parser<'a> {
    pub(super) fn requires(&self, value: Value<'a>) -> Result<Vec<Required>> {
        let span = value.span();
        match value.into_inner() {
            DeValue::Array(requires) => requires.into_iter().map(|value| self.require(value)).collect(),
            _ => Err(self
                .error(span, "`require` must be a list of tables")
                .hint("write [[require]] with double brackets")),
        }
    }

    fn require(&self, value: Value<'a>) -> Result<Required> {
        let span = value.span();
        let DeValue::Table(mut table) = value.into_inner() else {
            return Err(self.error(span, "a requirement must be a table").hint("write [[require]] and its keys below"));
        };
        let mut text_of = |key: &str| -> Result<Option<(String, Range<usize>)>> {
            let Some(value) = table.remove(key) else { return Ok(None) };
            let text = value.get_ref().as_str().map(|text| (text.to_owned(), value.span()));
            text.map(Some).ok_or_else(|| self.error(value.span(), format!("`{key}` must be text")))
        };
        let (model, column, among) = (text_of("model")?, text_of("column")?, text_of("among")?);
        let Some((id, id_span)) = model else {
            return Err(self.error(span, "a requirement without `model`").hint("`shoal explain` lists the models"));
        };
        let Some(definition) = DEFINITIONS.iter().find(|definition| definition.id == id) else {
            let ids: Vec<&str> = DEFINITIONS.iter().map(|definition| definition.id).collect();
            return Err(self.unknown("model", &id, &ids, id_span));
        };
        self.expand_groups(&mut table)?;
        let spans: Vec<(String, Range<usize>)> =
            table.iter().map(|(key, value)| (key.get_ref().to_string(), value.span())).collect();
        let parameters = definition
            .parse(ValueDeserializer::from(Spanned::new(span.clone(), DeValue::Table(table))))
            .map_err(|error| self.toml_error(&error))?;
        parameters.check(self.folder).map_err(|Complaint { key, error }| {
            let place = spans.iter().find(|(name, _)| name == key).map_or(span.clone(), |(_, span)| span.clone());
            error.at(self.place(place))
        })?;
        if let Some((_, span)) = column.as_ref().filter(|_| definition.scope == Scope::Table) {
            return Err(self.error(span.clone(), format!("`{id}` is about the whole table and takes no `column`")));
        }
        if let Some((among, span)) = &among {
            let error = match (among.as_str(), definition.scope) {
                (AMONG, Scope::Diversity) => None,
                (AMONG, _) => Some(format!("`among` is for diversity models, and `{id}` is none")),
                _ => Some("`among` must be \"all-sensitive\"".to_owned()),
            };
            if let Some(message) = error {
                return Err(self.error(span.clone(), message));
            }
        }
        Ok(Required {
            parameters: parameters.into(),
            column: column.map(|pair| pair.0),
            among: among.is_some(),
            place: self.place(span),
        })
    }

    /// Replaces the variables of the environment in the paths of files with groups of sensitive values.
    fn expand_groups(&self, requirement: &mut DeTable<'a>) -> Result<()> {
        let Some(DeValue::Table(groups)) = requirement.get_mut("groups").map(Spanned::get_mut) else { return Ok(()) };
        for key in ["file", "likelihoods"] {
            let Some(value) = groups.get_mut(key) else { continue };
            let span = value.span();
            // The values of a group may be called so; those are a list.
            if let DeValue::String(path) = value.get_mut() {
                let expanded = self.expanded(Path::new(&**path), span)?;
                *path = expanded.to_string_lossy().into_owned().into();
            }
        }
        Ok(())
    }
}
