//! What does the text of a policy say, and at which line is it wrong?

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::Policy;
use super::engine_keys::{InputPlace, OutputPlace};
use super::identifiers::{Replace, Replacement};
use super::sections::{
    ColumnPolicy, FormulaCells, Input, MethodPolicy, OtherColumns, Output, Required, Role, RowsWithMissing, Suppressed,
};
use shoal_core::error::nearest;
use shoal_core::exact::Ratio;
use shoal_core::hierarchy::{HierarchySpec, Measure};
use shoal_core::method::{Categories, Ends, LabelStyle, METHODS, Method, MethodEntry, Numbers};
use shoal_core::model::{Complaint, DEFINITIONS, Scope};
use shoal_core::objective::{self, OBJECTIVES};
use shoal_core::table::{DateOrder, DateReading};
use shoal_core::warning::Warning;
use shoal_core::{Error, Result};

/// The text of a policy and what is needed to say where something stands in it.
pub(super) struct Document<'a> {
    text: &'a str,
    pub(super) name: &'a str,
    folder: &'a Path,
}

type Value<'a> = Spanned<DeValue<'a>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct InputSection {
    path: Option<Spanned<PathBuf>>,
    spark: Option<Spanned<String>>,
    postgres: Option<Spanned<String>>,
    table: Option<Spanned<String>>,
    query: Option<Spanned<String>>,
    format: Option<Spanned<String>>,
    delimiter: Option<Spanned<String>>,
    quote: Option<Spanned<String>>,
    header: Option<Spanned<bool>>,
    encoding: Option<Spanned<String>>,
    decimal: Option<Spanned<String>>,
    missing: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    rows_with_missing: RowsWithMissing,
    #[serde(default)]
    other_columns: OtherColumns,
    memory_limit: Option<Spanned<MemoryText>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct OutputSection {
    path: Option<Spanned<PathBuf>>,
    table: Option<Spanned<String>>,
    sensitive_path: Option<PathBuf>,
    report: Option<PathBuf>,
    formulas: Option<Spanned<FormulaCells>>,
    #[serde(default)]
    suppressed: Suppressed,
    shuffle: Option<bool>,
    seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ColumnSection {
    role: Role,
    hierarchy: Option<Spanned<HierarchySpec>>,
    r#type: Option<Spanned<Measure>>,
    min_level: Option<Spanned<u64>>,
    max_level: Option<Spanned<u64>>,
    weight: Option<Spanned<f64>>,
    dates: Option<DateOrder>,
    two_digit_years: Option<Spanned<i32>>,
    replace: Option<Spanned<Replace>>,
    key_file: Option<Spanned<PathBuf>>,
    domain: Option<Spanned<String>>,
}

/// What every method takes; its own parameters are read by the method itself.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct MethodSection {
    name: Option<Spanned<String>>,
    objective: Option<Spanned<String>>,
    max_suppressed: Option<Spanned<f64>>,
    numbers: Option<Spanned<Numbers>>,
    categories: Option<Spanned<Categories>>,
    ends: Option<Spanned<Ends>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected an amount of memory such as `2GB`, or a number of bytes")]
enum MemoryText {
    Bytes(u64),
    Text(String),
}

const SECTIONS: [&str; 5] = ["input", "output", "columns", "require", "method"];
/// What every method takes beside its own parameters.
const METHOD_KEYS: [&str; 6] = ["name", "objective", "max-suppressed", "numbers", "categories", "ends"];

impl<'a> Document<'a> {
    pub(super) fn new(text: &'a str, name: &'a str, folder: &'a Path) -> Self {
        Self { text, name, folder }
    }

    pub(super) fn policy(&self) -> Result<Policy> {
        let root = DeTable::parse(self.text).map_err(|error| self.toml_error(&error))?.into_inner();
        let (mut input, mut output, mut columns, mut requires, mut method) = (None, None, Vec::new(), Vec::new(), None);
        for (key, value) in root {
            match key.get_ref().as_ref() {
                "input" => input = Some(self.section::<InputSection>(value)?),
                "output" => output = Some(self.section::<OutputSection>(value)?),
                "columns" => columns = self.columns(value)?,
                "require" => requires = self.requires(value)?,
                "method" => method = Some(self.method(value)?),
                unknown => return Err(self.unknown("section", unknown, &SECTIONS, key.span())),
            }
        }
        let mut warnings = Vec::new();
        let output = output.unwrap_or_default();
        let shuffle = output.shuffle.unwrap_or(true);
        if !shuffle {
            warnings.push(Warning::new(
                "order-of-rows",
                "`shuffle = false` leaves rows in the order of the table: whoever knows that order finds records by their place, and \
                 two releases of the table can be laid side by side, row by row",
            ));
            if output.seed.is_some() {
                warnings.push(Warning::new("unused-key", "`seed` does nothing with `shuffle = false`"));
            }
        }
        let input = self.input(input.unwrap_or_else(no_input))?;
        self.check_output(&OutputPlace { path: &output.path, table: &output.table }, input.engine.as_ref())?;
        if let (Some(formulas), Some(engine)) = (&output.formulas, &input.engine) {
            let kind = engine.address.kind();
            self.refuse_keys_of_files(&[("formulas", Some(formulas.span()))], kind)?;
        }
        let policy = Policy {
            text: self.text.to_owned(),
            folder: self.folder.to_path_buf(),
            input,
            output: Output {
                path: output.path.map(Spanned::into_inner),
                table: output.table.map(Spanned::into_inner),
                sensitive_path: output.sensitive_path,
                report: output.report,
                formulas: output.formulas.map(Spanned::into_inner).unwrap_or_default(),
                suppressed: output.suppressed,
                shuffle,
                seed: output.seed.unwrap_or(0),
            },
            columns,
            requirements: requires,
            method: method.unwrap_or_default(),
            warnings,
        };
        self.check_whole(policy)
    }

    fn section<T: Deserialize<'a>>(&self, value: Value<'a>) -> Result<T> {
        T::deserialize(ValueDeserializer::from(value)).map_err(|error| self.toml_error(&error))
    }

    fn input(&self, section: InputSection) -> Result<Input> {
        let engine = self.engine(&InputPlace {
            spark: &section.spark,
            postgres: &section.postgres,
            table: &section.table,
            query: &section.query,
            path: &section.path,
            format: &section.format,
        })?;
        if let Some(engine) = &engine {
            let of_files = [
                ("delimiter", section.delimiter.as_ref().map(Spanned::span)),
                ("quote", section.quote.as_ref().map(Spanned::span)),
                ("header", section.header.as_ref().map(Spanned::span)),
                ("encoding", section.encoding.as_ref().map(Spanned::span)),
                ("decimal", section.decimal.as_ref().map(Spanned::span)),
            ];
            self.refuse_keys_of_files(&of_files, engine.address.kind())?;
        }
        let byte = |key: &str, text: Option<Spanned<String>>| match text {
            None => Ok(None),
            Some(text) => match text.get_ref().as_bytes() {
                &[byte] if byte.is_ascii() => Ok(Some(byte)),
                _ => Err(self.error(text.span(), format!("`{key}` must be one ASCII character"))),
            },
        };
        let decimal_comma = match &section.decimal {
            None => false,
            Some(decimal) => match decimal.get_ref().as_str() {
                "." => false,
                "," => true,
                _ => return Err(self.error(decimal.span(), "`decimal` must be \".\" or \",\"")),
            },
        };
        let missing = section.missing.as_ref().map_or_else(|| vec![String::new()], |missing| missing.get_ref().clone());
        if let Some(list) = section.missing.as_ref().filter(|list| list.get_ref().is_empty()) {
            let error = self.error(list.span(), "`missing` lists no marker");
            return Err(error.hint("leave it out, and an empty cell is a missing value"));
        }
        if let Some(list) = section.missing.as_ref().filter(|list| list.get_ref().iter().any(|marker| marker == "*")) {
            let error = self
                .error(list.span(), "`*` cannot mark missing values: it stands for generalized and suppressed ones");
            return Err(error.hint("replace it in the table by something else, such as an empty cell"));
        }
        Ok(Input {
            path: section.path.map(Spanned::into_inner).filter(|_| engine.is_none()),
            table: section.table.map(Spanned::into_inner).filter(|_| engine.is_none()),
            query: section.query.map(Spanned::into_inner).filter(|_| engine.is_none()),
            engine,
            delimiter: byte("delimiter", section.delimiter)?,
            quote: byte("quote", section.quote)?,
            header: section.header.map(Spanned::into_inner),
            encoding: section.encoding.map(Spanned::into_inner),
            decimal_comma,
            missing,
            rows_with_missing: section.rows_with_missing,
            other_columns: section.other_columns,
            memory_limit: section.memory_limit.map(|limit| self.memory_limit(&limit)).transpose()?,
        })
    }

    fn columns(&self, value: Value<'a>) -> Result<Vec<ColumnPolicy>> {
        let span = value.span();
        let DeValue::Table(table) = value.into_inner() else {
            return Err(self.error(span, "`columns` must be a table: [columns.NAME]"));
        };
        table.into_iter().map(|(name, value)| self.column(name.get_ref().as_ref(), name.span(), value)).collect()
    }

    fn column(&self, name: &str, span: Range<usize>, value: Value<'a>) -> Result<ColumnPolicy> {
        let section: ColumnSection = self.section(value)?;
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
        let replace = self.replacement(name, &section)?;
        Ok(ColumnPolicy {
            name: name.to_owned(),
            role: section.role,
            replace,
            measure,
            hierarchy: section.hierarchy.map(Spanned::into_inner),
            min_level: section.min_level.map(Spanned::into_inner),
            max_level: section.max_level.map(Spanned::into_inner),
            weight: section.weight.map_or(1.0, Spanned::into_inner),
            dates: DateReading { order: section.dates, first_year: section.two_digit_years.map(Spanned::into_inner) },
            place: self.place(span),
        })
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
            ("key-file", section.key_file.as_ref().map(Spanned::span)),
            ("domain", section.domain.as_ref().map(Spanned::span)),
        ];
        let is_keyed = matches!(replace, Some((Replace::Pseudonym, _)));
        if let Some((key, Some(span))) = keys.into_iter().find(|(_, span)| span.is_some() && !is_keyed) {
            let hint = if key == "domain" {
                "random names are others in every column anyway"
            } else {
                "nothing else takes a key"
            };
            return Err(self.error(span, format!("`{key}` of `{name}` is for `replace = \"pseudonym\"`")).hint(hint));
        }
        if let Some(domain) = section.domain.as_ref().filter(|domain| domain.get_ref().is_empty()) {
            let error = self.error(domain.span(), format!("`domain` of `{name}` is empty"));
            return Err(error.hint("name whose identifiers they are, such as \"patients\", or leave it out"));
        }
        Ok(replace.map(|(replace, _)| match replace {
            Replace::Pseudonym => Replacement::Pseudonym {
                key_file: section.key_file.as_ref().map(|file| file.get_ref().clone()),
                domain: section.domain.as_ref().map(|domain| domain.get_ref().clone()),
            },
            Replace::Random => Replacement::Random,
        }))
    }

    fn requires(&self, value: Value<'a>) -> Result<Vec<Required>> {
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
                ("all-sensitive", Scope::Diversity) => None,
                ("all-sensitive", _) => Some(format!("`among` is for diversity models, and `{id}` is none")),
                _ => Some("`among` must be \"all-sensitive\"".to_owned()),
            };
            if let Some(message) = error {
                return Err(self.error(span.clone(), message));
            }
        }
        Ok(Required { parameters: parameters.into(), column: column.map(|pair| pair.0), among: among.is_some(), place: self.place(span) })
    }

    fn method(&self, value: Value<'a>) -> Result<MethodPolicy> {
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
        let section: MethodSection = self.section(Spanned::new(span.clone(), DeValue::Table(shared)))?;
        let entry = match &section.name {
            None => &METHODS[0],
            Some(name) => METHODS.iter().find(|entry| entry.id() == name.get_ref()).ok_or_else(|| {
                let ids: Vec<&str> = METHODS.iter().map(MethodEntry::id).collect();
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
        let objective = match section.objective {
            None => OBJECTIVES[0].objective,
            Some(id) => objective::by_id(id.get_ref()).ok_or_else(|| {
                let ids: Vec<&str> = OBJECTIVES.iter().map(|entry| entry.objective.id()).collect();
                self.unknown("objective", id.get_ref(), &ids, id.span())
            })?,
        };
        let max_suppressed = match section.max_suppressed {
            None => Ratio::ZERO,
            Some(fraction) => match Ratio::written(*fraction.get_ref()) {
                Some(ratio) if ratio <= Ratio::from(1) => ratio,
                _ => {
                    let number = fraction.get_ref();
                    let error =
                        self.error(fraction.span(), format!("`max-suppressed` must be from 0 to 1, not {number}"));
                    return Err(error.hint("it is a fraction of the rows: 0.05 is 5%"));
                }
            },
        };
        Ok(MethodPolicy { method, objective, max_suppressed, style })
    }

    fn style(&self, section: &MethodSection, method: &dyn Method) -> Result<LabelStyle> {
        let spans = [
            section.numbers.as_ref().map(Spanned::span),
            section.categories.as_ref().map(Spanned::span),
            section.ends.as_ref().map(Spanned::span),
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

    fn memory_limit(&self, limit: &Spanned<MemoryText>) -> Result<u64> {
        let bytes = match limit.get_ref() {
            MemoryText::Bytes(bytes) => Some(*bytes),
            MemoryText::Text(text) => bytes(text),
        };
        bytes.filter(|bytes| *bytes > 0).ok_or_else(|| {
            let error = self.error(limit.span(), "`memory-limit` must be an amount of memory");
            error.hint("write \"2GB\" or \"500MB\" (or KB, KiB, MiB, GiB), or a number of bytes")
        })
    }

    /// What can only be said of the policy as a whole.
    fn check_whole(&self, mut policy: Policy) -> Result<Policy> {
        if policy.with_role(Role::QuasiIdentifier).next().is_none() {
            return Err(Error::policy(format!("{}: no column is a quasi-identifier", self.name)).hint(
                "give `role = \"quasi-identifier\"` to what somebody could know of a person, such as age or zip code",
            ));
        }
        if policy.requirements.is_empty() {
            return Err(Error::policy(format!("{}: the policy requires nothing", self.name))
                .hint("add [[require]] with model = \"k-anonymity\" and k = 5; `shoal explain` lists the models"));
        }
        let sensitive: Vec<String> = policy.with_role(Role::Sensitive).map(|column| column.name.clone()).collect();
        for required in policy.requirements.iter().filter(|required| required.parameters.scope() != Scope::Table) {
            if let Some(error) = self.wrong_column(&policy, &sensitive, required) {
                return Err(error.at(&required.place));
            }
        }
        let LabelStyle { numbers, ends, .. } = policy.method.style;
        if ends == Ends::Exact && numbers == Numbers::Ranges {
            let text = "`ends = \"exact\"`: where a class shows a range, it begins and ends with somebody's own value";
            policy.warnings.push(Warning::new("exact-ends", text));
        }
        policy.warnings.extend(policy.method.method.warning());
        if policy.output.sensitive_path.is_some() && policy.method.method.separates().is_none() {
            let method = policy.method.method.id();
            policy.warnings.push(Warning::new(
                "unused-key",
                format!("`sensitive-path` does nothing: `{method}` leaves sensitive values in their rows"),
            ));
        }
        policy.refuse_link_columns(policy.columns.iter().map(|column| &column.name)).map_err(|e| e.at(self.name))?;
        for column in &policy.columns {
            match (column.role, &column.hierarchy) {
                (Role::QuasiIdentifier, None) if policy.method.method.separates().is_some() => {}
                (Role::QuasiIdentifier, None) => {
                    // Local methods make ranges, sets and means of what has an order.
                    let shown = match policy.method.method.is_local() {
                        true => "texts are shown as they are or not at all, numbers and dates as the method makes them",
                        false => "its values are shown as they are or not at all",
                    };
                    let text = format!("column `{}` has no hierarchy: {shown}", column.name);
                    policy.warnings.push(Warning::new("no-hierarchy", text));
                }
                (Role::Identifier | Role::Insensitive, Some(_)) => policy.warnings.push(Warning::new(
                    "unused-key",
                    format!(
                        "the hierarchy of column `{}` is not used: only quasi-identifiers and sensitive columns need one",
                        column.name
                    ),
                )),
                _ => {}
            }
        }
        policy.warnings.extend(policy.columns.iter().filter_map(replacement_warning));
        policy.warnings.extend(policy.readable_keys());
        let of_models = policy.requirements.iter().filter_map(|required| {
            let text = required.parameters.warning()?;
            Some(Warning::new("weak-requirement", format!("{}: {text}", required.place)))
        });
        policy.warnings.extend(of_models);
        Ok(policy)
    }

    fn wrong_column(&self, policy: &Policy, sensitive: &[String], required: &Required) -> Option<Error> {
        let id = required.parameters.id();
        let Some(name) = &required.column else {
            return sensitive.is_empty().then(|| {
                Error::policy(format!("`{id}` needs a sensitive column, and the policy has none"))
                    .hint("give a column `role = \"sensitive\"`")
            });
        };
        if sensitive.contains(name) {
            return None;
        }
        if policy.column(name).is_some() {
            let error = Error::policy(format!("`{id}` is about a sensitive column, and `{name}` is none"));
            return Some(
                error.hint(format!("give [columns.\"{name}\"] `role = \"sensitive\"`, or name another column")),
            );
        }
        let error = Error::table(format!("the policy has no column `{name}`"));
        Some(match nearest(name, sensitive.iter().map(String::as_str)) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        })
    }

    fn unknown(&self, what: &str, word: &str, known: &[&str], span: Range<usize>) -> Error {
        let error = self.error(span, format!("there is no {what} `{word}`"));
        match nearest(word, known.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("expected one of {}", known.join(", "))),
        }
    }

    pub(super) fn error(&self, span: Range<usize>, message: impl Into<String>) -> Error {
        Error::policy(message).at(self.place(span))
    }

    fn place(&self, span: Range<usize>) -> String {
        let line = self.text[..span.start.min(self.text.len())].matches('\n').count() + 1;
        format!("{}, line {line}", self.name)
    }

    fn toml_error(&self, error: &toml::de::Error) -> Error {
        self.toml_error_among(error, &[])
    }

    /// The same where more keys are known than the parser could see.
    fn toml_error_among(&self, error: &toml::de::Error, more_keys: &[&str]) -> Error {
        let span = error.span().unwrap_or(0..0);
        let text = self.text.get(span.clone()).unwrap_or_default();
        let before = self.text.get(..span.start).unwrap_or_default();
        let (message, hint) = in_plain_words(error.message(), text, before, more_keys);
        let error = self.error(span, message);
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

/// What everybody should know who publishes a name in place of an identifier.
fn replacement_warning(column: &ColumnPolicy) -> Option<Warning> {
    let name = &column.name;
    let rows = "requirements count rows, not people: somebody with several rows is several records to them";
    let text = match column.replace.as_ref()? {
        Replacement::Pseudonym { domain, .. } => {
            let (domain, columns) = match domain {
                Some(_) => (" and domain", ""),
                None => ("", " and in every column without a `domain`"),
            };
            format!(
                "pseudonyms of `{name}` are the same in every release with the same key{domain}{columns}, so that whoever has two \
                 of them can join their rows; and {rows}"
            )
        }
        Replacement::Random => format!("`{name}` shows which rows had the same value; and {rows}"),
    };
    Some(Warning::new("linkable-rows", text))
}

/// An amount of memory such as `2GB`.
fn bytes(text: &str) -> Option<u64> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let factor: u64 = match unit.trim() {
        "" | "B" => 1,
        "KB" | "kB" => 1000,
        "MB" => 1000 * 1000,
        "GB" => 1000 * 1000 * 1000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    let number: f64 = text[..text.len() - unit.len()].parse().ok()?;
    // Amounts beyond what a machine can have are as good as the largest number.
    number.is_finite().then_some((number * factor as f64) as u64)
}

fn no_input() -> InputSection {
    InputSection {
        path: None,
        spark: None,
        postgres: None,
        table: None,
        query: None,
        format: None,
        delimiter: None,
        quote: None,
        header: None,
        encoding: None,
        decimal: None,
        missing: None,
        rows_with_missing: RowsWithMissing::default(),
        other_columns: OtherColumns::default(),
        memory_limit: None,
    }
}

/// A message of the parser without what stands in double quotes: a text of the policy may be a sensitive value.
fn without_text(message: &str) -> String {
    match (message.find(" \""), message.rfind('"')) {
        (Some(begin), Some(end)) if begin + 1 < end => format!("{}{}", &message[..begin], &message[end + 1..]),
        _ => message.to_owned(),
    }
}

/// Does a key stand where only Shoal's own words and names of columns do, given the policy up to it? In tables within a
/// section, such as `weights` and `tree`, keys can be sensitive values.
fn is_own_key(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    let is_section = |header: &str| match header.trim_matches(['[', ']', ' ']).strip_prefix("columns.") {
        // A name in quotes may have dots of its own.
        Some(name) => name.is_empty() || name.starts_with(['"', '\'']) || !name.contains('.'),
        None => !header.contains('.'),
    };
    let header = || before.lines().rev().map(str::trim).find(|line| line.starts_with('['));
    if line.is_empty() { header().is_none_or(is_section) } else { line.starts_with('[') && is_section(line) }
}

/// Is this an element of a list of texts that was written as a number? It may be a sensitive one.
fn is_listed_number(message: &str, before: &str) -> bool {
    let is_text = ["expected a string", "expected a value in quotes"].iter().any(|words| message.contains(words));
    is_text && before.trim_end().ends_with(['[', ','])
}

/// A message of the parser for people who do not write Rust, and what they may have meant; `before` is the policy up to
/// the `text` it is about.
fn in_plain_words(message: &str, text: &str, before: &str, more_keys: &[&str]) -> (String, Option<String>) {
    if message.starts_with("duplicate key") {
        let key = if is_own_key(before) { format!("`{}`", text.trim()) } else { "a key".to_owned() };
        return (format!("{key} is given twice"), Some("keep one of the two".to_owned()));
    }
    let message = message.lines().next().unwrap_or(message);
    let mut words = message.split('`').skip(1).step_by(2);
    if let Some(word) = words.next().filter(|_| message.starts_with("unknown ")) {
        let known: Vec<&str> = words.chain(more_keys.iter().copied()).collect();
        let what = if message.starts_with("unknown variant") { "value" } else { "key" };
        let hint = match nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "remove it".to_owned(),
            None => format!("expected one of {}", known.join(", ")),
        };
        return (format!("there is no {what} `{word}` here"), Some(hint));
    }
    let plain = [
        ("missing field", "missing key"),
        ("u64", "a whole number, not negative"),
        ("u32", "a whole number, not negative"),
        ("i32", "a whole number"),
        ("f64", "a number"),
        ("a sequence", "a list"),
        ("a map", "a table"),
        ("a string", "text"),
        ("path string", "text"),
        ("string", "text"),
        ("floating point", "the number"),
        ("invalid type: ", "found "),
        ("invalid value: ", "found "),
        ("integer", "the number"),
        ("a boolean", "true or false"),
    ];
    let mut message = without_text(message);
    if let (true, Some(begin), Some(end)) = (is_listed_number(&message, before), message.find(" `"), message.rfind('`'))
    {
        message.replace_range(begin..=end, "");
    }
    for (rust, words) in plain {
        message = message.replace(rust, words);
    }
    (message, None)
}
