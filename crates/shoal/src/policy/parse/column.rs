//! What is a column to an attacker, and what may become of its values?

use std::ops::Range;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::de::DeValue;

use super::{OfTable, Parser, Placed, Value};
use crate::policy::identifiers::{Replace, Replacement};
use crate::policy::published_number::PublishedNumber;
use crate::policy::sections::{ColumnPolicy, Input, NamedColumn, Role};
use shoal_core::exact::Ratio;
use shoal_core::hierarchy::{File, HierarchySpec, Measure};
use shoal_core::table::{DateOrder, DateReading};
use shoal_core::{Error, Result};

/// What a column is to an attacker, and what may become of its values. A section for each column: `[columns.age]`,
/// `[columns."zip code"]`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::policy) struct ColumnSection {
    /// What it is to an attacker.
    role: Role,
    /// What its values may become, level by level, up to `*`. A quasi-identifier without one is shown as it is or not at all (a
    /// warning says so); local methods make ranges, sets and means of numbers and dates without one. `shoal explain hierarchy` has
    /// all ways to make one.
    #[schemars(extend("examples" = [{ "intervals": [5, 10, 20] }]))]
    hierarchy: Option<Placed<HierarchySpec>>,
    /// Are the values of a quasi-identifier numbers or only names? By default numbers and dates with `intervals`, `quantiles`,
    /// `dates` or no hierarchy are put in order, and those with another one are categories.
    r#type: Option<Placed<Measure>>,
    /// The lowest level that a quasi-identifier may have.
    #[schemars(extend("default" = 0), example = 1)]
    min_level: Option<Placed<u64>>,
    /// The highest level that a quasi-identifier may have; by default its root. Local methods cannot keep to one below it.
    #[schemars(example = 3)]
    max_level: Option<Placed<u64>>,
    /// How much what is lost of this column weighs, beside the others.
    #[schemars(range(min = 0), extend("default" = 1), example = 0.5)]
    weight: Option<Placed<f64>>,
    /// The order of day, month and year in its dates, where values can be read in several ways.
    #[serde(default)]
    dates: Option<DateOrder>,
    /// The first of the hundred years that two digits mean: 1930 is 1930 to 2029.
    #[schemars(range(min = 1000, max = 9900), example = 1930)]
    two_digit_years: Option<Placed<i32>>,
    /// What stands in place of an identifier, which is dropped otherwise.
    replace: Option<Placed<Replace>>,
    /// What becomes of the numbers of a sensitive or insensitive column before anything is counted: `round`, `top`, `bottom` and `noise`.
    #[schemars(extend("examples" = [{ "round": 100, "top": 200000 }]))]
    publish: Option<Placed<OfTable<PublishedNumber>>>,
    /// The file with the key of pseudonyms, relative to the folder of the policy. Without it the environment variable
    /// SHOAL_PSEUDONYM_KEY has the key. With `noise` in `publish`, the key that it is drawn with, so that it is the same in every run; without
    /// it, noise is drawn afresh.
    #[schemars(example = &"hospital.key")]
    key_file: Option<Placed<PathBuf>>,
    /// Whose identifiers these are: a value has another pseudonym in every domain. Columns without one share their
    /// pseudonyms.
    #[schemars(length(min = 1), example = &"patients")]
    domain: Option<Placed<String>>,
}

impl<'a> Parser<'a> {
    pub(super) fn columns(&self, value: Value<'a>) -> Result<Vec<ColumnPolicy>> {
        let span = value.span();
        let DeValue::Table(table) = value.into_inner() else {
            return Err(self.error(span, "`columns` must be a table: [columns.NAME]"));
        };
        table.into_iter().map(|(name, value)| self.column(name.get_ref().as_ref(), name.span(), value)).collect()
    }

    /// The columns that say whose row it is and who lives together, where no section is about them: identifiers, and dropped. An error if one is
    /// anything else.
    pub(super) fn unnamed_of_people(&self, input: &Input, columns: &[ColumnPolicy]) -> Result<Vec<ColumnPolicy>> {
        let mut unnamed = Vec::new();
        let says = [(&input.person, "whose row it is"), (&input.household, "who lives together")];
        for (NamedColumn { column: name, place }, what) in
            says.iter().filter_map(|(column, what)| Some((column.as_ref()?, what)))
        {
            match columns.iter().find(|column| column.name == *name) {
                None => unnamed.push(ColumnPolicy::identifier(name, place)),
                Some(column) if column.role == Role::Identifier => {}
                Some(column) => {
                    return Err(Error::policy(format!("`{name}` says {what}, and so it is an identifier"))
                        .at(&column.place)
                        .hint(format!("give [columns.\"{name}\"] `role = \"identifier\"`, or leave the section out")));
                }
            }
        }
        Ok(unnamed)
    }

    fn column(&self, name: &str, span: Range<usize>, value: Value<'a>) -> Result<ColumnPolicy> {
        let section: ColumnSection = self.section(&format!("columns.{name}"), value)?;
        let is_quasi = section.role == Role::QuasiIdentifier;
        for (key, level) in [("min-level", &section.min_level), ("max-level", &section.max_level)] {
            if let Some(level) = level.as_ref().filter(|_| !is_quasi) {
                let error = self.error(level.span(), format!("`{key}` is for quasi-identifiers, and `{name}` is none"));
                return Err(error.hint("only quasi-identifiers are generalized"));
            }
        }
        if let (Some(min), Some(max)) = (&section.min_level, &section.max_level)
            && min.get_ref() > max.get_ref()
        {
            return Err(self.error(min.span(), format!("`min-level` of `{name}` is above its `max-level`")));
        }
        if let Some(weight) = section.weight.as_ref().filter(|weight| Ratio::written(*weight.get_ref()).is_none()) {
            return Err(self.error(weight.span(), format!("`weight` must be at least 0, not {}", weight.get_ref())));
        }
        if let Some(hierarchy) = &section.hierarchy {
            let may_print = section.role != Role::Sensitive;
            hierarchy.get_ref().check_showing(may_print).map_err(|error| error.at(self.place(hierarchy.span())))?;
        }
        if let Some(year) = section.two_digit_years.as_ref().filter(|year| !(1000..=9900).contains(year.get_ref())) {
            let error = self.error(year.span(), format!("`two-digit-years` must be a year, not {}", year.get_ref()));
            return Err(error.hint("it is the first of the hundred years that two digits mean: 1930 is 1930 to 2029"));
        }
        let measure = self.measure(name, &section)?;
        let publish = self.published(name, &section)?;
        let replace = self.replacement(name, &section)?;
        let has_noise = publish.as_ref().is_some_and(|publish| publish.noise.is_some());
        let noise_key = if has_noise { self.path(section.key_file.clone())? } else { None };
        Ok(ColumnPolicy {
            name: name.to_owned(),
            role: section.role,
            replace,
            publish,
            noise_key,
            measure,
            hierarchy: section.hierarchy.map(|spec| self.with_path(spec)).transpose()?,
            min_level: section.min_level.map(Placed::into_inner),
            max_level: section.max_level.map(Placed::into_inner),
            weight: section.weight.map_or(1.0, Placed::into_inner),
            dates: DateReading { order: section.dates, first_year: section.two_digit_years.map(Placed::into_inner) },
            place: self.place(span),
        })
    }

    /// What becomes of the numbers of a column before anything is counted.
    fn published(&self, name: &str, section: &ColumnSection) -> Result<Option<PublishedNumber>> {
        let Some(publish) = &section.publish else { return Ok(None) };
        if !matches!(section.role, Role::Sensitive | Role::Insensitive) {
            let error = self.error(
                publish.span(),
                format!("`publish` is for sensitive and insensitive columns, and `{name}` is none"),
            );
            return Err(error.hint(
                "quasi-identifiers are generalized: `intervals` with `min-level`, `bottom` and `top` do the like",
            ));
        }
        let written = &publish.get_ref().0;
        match written.mistake() {
            Some(mistake) => Err(self.error(publish.span(), format!("`publish` of `{name}`: {mistake}"))),
            None => Ok(Some(written.clone())),
        }
    }

    /// A hierarchy, with the path of its file as it is meant.
    fn with_path(&self, spec: Placed<HierarchySpec>) -> Result<HierarchySpec> {
        match spec.get_ref() {
            HierarchySpec::File(file) => Ok(HierarchySpec::File(File::new(self.expanded(file.path(), spec.span())?))),
            _ => Ok(spec.into_inner()),
        }
    }

    /// Whether the values of a column are numbers or only names.
    fn measure(&self, name: &str, section: &ColumnSection) -> Result<Option<Measure>> {
        let Some(measure) = &section.r#type else { return Ok(None) };
        if section.role != Role::QuasiIdentifier {
            let error = self.error(measure.span(), format!("`type` is for quasi-identifiers, and `{name}` is none"));
            return Err(error.hint("only quasi-identifiers become ranges, cuts and means"));
        }
        let way = section.hierarchy.as_ref().map(|spec| spec.get_ref().name());
        match (measure.get_ref(), way) {
            (Measure::Category, Some(way @ ("intervals" | "quantiles"))) => Err(self
                .error(measure.span(), format!("`{name}` cannot be a category and have `{way}`, which are of numbers"))
                .hint("use `file`, `tree`, `mask` or `suppress`, or leave out `type`")),
            (measure, _) => Ok(Some(*measure)),
        }
    }

    /// What stands in place of an identifier.
    fn replacement(&self, name: &str, section: &ColumnSection) -> Result<Option<Replacement>> {
        let replace = section.replace.as_ref().map(|replace| (*replace.get_ref(), replace.span()));
        if let Some((_, span)) = replace.as_ref().filter(|_| section.role != Role::Identifier) {
            let error = self.error(span.clone(), format!("`replace` is for identifiers, and `{name}` is none"));
            return Err(error.hint("give it `role = \"identifier\"`, or leave out `replace`"));
        }
        let keys = [
            ("key-file", section.key_file.as_ref().map(Placed::span)),
            ("domain", section.domain.as_ref().map(Placed::span)),
        ];
        let is_keyed = matches!(replace, Some((Replace::Pseudonym, _)));
        let has_noise = section.publish.as_ref().is_some_and(|publish| publish.get_ref().0.noise.is_some());
        let is_in_place = |key: &str| is_keyed || has_noise && key == "key-file";
        if let Some((key, Some(span))) = keys.into_iter().find(|(key, span)| span.is_some() && !is_in_place(key)) {
            let hint = if key == "domain" {
                "random names are others in every column anyway"
            } else {
                "noise takes a key, too, and nothing else does"
            };
            return Err(self.error(span, format!("`{key}` of `{name}` is for `replace = \"pseudonym\"`")).hint(hint));
        }
        if let Some(domain) = section.domain.as_ref().filter(|domain| domain.get_ref().is_empty()) {
            let error = self.error(domain.span(), format!("`domain` of `{name}` is empty"));
            return Err(error.hint("name whose identifiers they are, such as \"patients\", or leave it out"));
        }
        let key_file = self.path(section.key_file.clone())?;
        Ok(replace.map(|(replace, _)| match replace {
            Replace::Pseudonym => Replacement::Pseudonym {
                key_file: key_file.clone(),
                domain: section.domain.as_ref().map(|domain| domain.get_ref().clone()),
            },
            Replace::Random => Replacement::Random,
        }))
    }
}
