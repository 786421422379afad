//! What is the program asked to do, and how does that look as a policy?

use crate::decimal;
use crate::hierarchy::Hierarchy;
use crate::people::People;
use crate::requirement::{Milli, Model, Requirement};
use crate::toml_text;

/// What a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Identifier,
    Quasi,
    Sensitive,
    Insensitive,
}

/// What the values of a column mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    Number,
    /// Written like this.
    Date(&'static str),
    /// Codes that look like numbers but have a hierarchy of categories.
    NumberCode,
    Category,
}

/// A column of a policy.
#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    pub role: Role,
    pub meaning: Meaning,
    pub hierarchy: Option<Hierarchy>,
    /// `number` or `category`, where the policy says it.
    pub kind: Option<&'static str>,
    pub min_level: Option<usize>,
    pub max_level: Option<usize>,
    pub weight: Option<Milli>,
    pub publish: Option<Publish>,
}

/// What becomes of whole and other numbers before they are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Publish {
    pub round: Option<i64>,
    pub top: Option<i64>,
    pub bottom: Option<i64>,
}

impl Publish {
    /// What is published for a cell, from the definition: the nearest multiple, away from zero between two, then the bounds.
    pub fn of(self, cell: &str) -> Option<String> {
        let mut number = decimal::parse(cell)?;
        if let Some(round) = self.round {
            let step = i128::from(round) * decimal::ONE;
            let steps = (2 * number.abs() + step) / (2 * step);
            number = number.signum() * steps * step;
        }
        let bound = |bound: i64| i128::from(bound) * decimal::ONE;
        number = self.bottom.map_or(number, |bottom| number.max(bound(bottom)));
        number = self.top.map_or(number, |top| number.min(bound(top)));
        Some(decimal::write(number))
    }

    fn to_toml(self) -> String {
        let keys = [("round", self.round), ("top", self.top), ("bottom", self.bottom)];
        let said = keys.iter().filter_map(|(key, value)| value.map(|value| format!("{key} = {value}")));
        format!("publish = {{ {} }}\n", said.collect::<Vec<_>>().join(", "))
    }
}

/// How classes are to be found.
#[derive(Debug, Clone)]
pub struct Method {
    pub name: &'static str,
    /// Keys and values as they stand in a policy.
    pub options: Vec<(&'static str, String)>,
    pub objective: &'static str,
    /// In thousandths of the rows.
    pub max_suppressed: Milli,
}

impl Method {
    /// Is this option set to this?
    pub fn has(&self, key: &str, value: &str) -> bool {
        self.options.iter().any(|(known, set)| *known == key && set == value)
    }

    /// Is an option set, whatever to?
    pub fn sets(&self, key: &str) -> bool {
        self.options.iter().any(|(known, _)| *known == key)
    }

    /// Has every column one level for all rows?
    pub fn is_global(&self) -> bool {
        self.name == "full-domain" && !self.has("local", "true")
    }

    /// Is the least objective of the whole lattice promised?
    pub fn is_optimal(&self) -> bool {
        self.is_global() && !self.sets("budget")
    }
}

/// A policy.
#[derive(Debug, Clone)]
pub struct Policy {
    pub columns: Vec<Column>,
    pub requirements: Vec<Requirement>,
    pub method: Method,
    pub missing: Vec<String>,
    pub drop_missing: bool,
    pub keep_suppressed: bool,
    pub shuffle: bool,
    pub delimiter: char,
    /// `csv` or `jsonl`.
    pub input: &'static str,
    /// `csv`, `jsonl` or `parquet`.
    pub output: &'static str,
    /// Do ranges of numbers stand in two columns?
    pub two_columns: bool,
    /// Whose rows are counted, where people are.
    pub people: Option<People>,
}

impl Policy {
    /// The columns with a role, in their order.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |column| column.role == role)
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// How a missing value is written.
    pub fn marker(&self) -> &str {
        &self.missing[0]
    }

    /// What separates the cells of a release: as in the input, if that has any.
    pub fn release_delimiter(&self) -> char {
        if self.input == "csv" { self.delimiter } else { ',' }
    }

    /// Takes ranges in two columns back where they are refused: by a method, or because a name is taken.
    pub fn fit_two_columns(&mut self, names: &[String]) {
        let is_taken = |pair: [String; 2]| pair.iter().any(|name| names.contains(name));
        let has_taken = self.columns.iter().filter_map(|column| self.pair_of(column)).any(is_taken);
        let has_exact_ends = self.method.options.iter().any(|(key, value)| *key == "ends" && value.contains("exact"));
        // In other formats one number has one spelling.
        self.two_columns &= !has_taken && !has_exact_ends && self.method.name != "anatomy" && self.output == "csv";
    }

    /// The names of both columns that a column of ranges becomes, where it does.
    pub fn pair_of(&self, column: &Column) -> Option<[String; 2]> {
        let is_of_numbers = match &column.hierarchy {
            Some(hierarchy) => matches!(hierarchy.kind(), "intervals" | "quantiles"),
            None => column.kind == Some("number"),
        };
        let name = &column.name;
        let stands_so = self.two_columns && column.role == Role::Quasi && is_of_numbers;
        stands_so.then(|| [format!("{name}_low"), format!("{name}_high")])
    }

    /// A cell as it is counted: numbers as they are published.
    pub fn counted(&self, column: &str, cell: &str) -> String {
        let cell = self.understood(cell);
        let publish = self.column(column).and_then(|column| column.publish).filter(|_| cell != self.marker());
        publish.and_then(|publish| publish.of(cell)).unwrap_or_else(|| cell.to_owned())
    }

    /// A cell as the program understands it: all markers are one value.
    pub fn understood<'a>(&'a self, cell: &'a str) -> &'a str {
        if self.missing.iter().any(|marker| marker == cell) { self.marker() } else { cell }
    }

    /// Each requirement with the sensitive column it is about: without a name, each of them.
    pub fn resolved(&self) -> Vec<(&Model, Option<&str>, bool)> {
        let mut resolved = Vec::new();
        for requirement in &self.requirements {
            match (&requirement.column, requirement.model.is_about_table()) {
                (_, true) => resolved.push((&requirement.model, None, false)),
                (Some(name), _) => resolved.push((&requirement.model, Some(name.as_str()), requirement.among)),
                (None, _) => resolved.extend(
                    self.with_role(Role::Sensitive)
                        .map(|column| (&requirement.model, Some(column.name.as_str()), requirement.among)),
                ),
            }
        }
        resolved
    }

    /// As a file.
    pub fn to_toml(&self) -> String {
        let mut text = format!("[input]\npath = \"table.{}\"\n", self.input);
        if self.input == "csv" {
            text += &format!("header = true\ndelimiter = {}\n", toml_text::text(&self.delimiter.to_string()));
        }
        text += &format!("missing = {}\n", toml_text::texts(&self.missing));
        text += &format!("rows-with-missing = \"{}\"\n", if self.drop_missing { "drop" } else { "keep" });
        text += &self.people.as_ref().map_or_else(String::new, People::to_toml);
        let suppressed = if self.keep_suppressed { "keep" } else { "drop" };
        text += &format!(
            "\n[output]\npath = \"release.{}\"\nsuppressed = \"{suppressed}\"\nshuffle = {}\n",
            self.output, self.shuffle
        );
        if self.two_columns {
            text += "ranges = \"two-columns\"\n";
        }
        let is_implied = |column: &&Column| {
            self.people.as_ref().is_some_and(|people| people.column == column.name && !people.has_section)
        };
        for column in self.columns.iter().filter(|column| !is_implied(column)) {
            text += &column.to_toml();
        }
        for requirement in &self.requirements {
            text += &format!("\n{}", requirement.to_toml());
        }
        let Method { name, options, objective, max_suppressed } = &self.method;
        text += &format!("\n[method]\nname = \"{name}\"\nobjective = \"{objective}\"\n");
        if max_suppressed.0 > 0 {
            text += &format!("max-suppressed = {max_suppressed}\n");
        }
        if let Some(suppress) = self.people.as_ref().and_then(|people| people.suppress) {
            text += &format!("suppress = \"{suppress}\"\n");
        }
        for (key, value) in options {
            text += &format!("{key} = {value}\n");
        }
        text
    }
}

impl Column {
    fn to_toml(&self) -> String {
        let role = match self.role {
            Role::Identifier => "identifier",
            Role::Quasi => "quasi-identifier",
            Role::Sensitive => "sensitive",
            Role::Insensitive => "insensitive",
        };
        let mut text = format!("\n[columns.{}]\nrole = \"{role}\"\n", toml_text::text(&self.name));
        if let Some(hierarchy) = &self.hierarchy {
            text += &format!("hierarchy = {}\n", hierarchy.to_toml());
        }
        text += &self.kind.map_or_else(String::new, |kind| format!("type = \"{kind}\"\n"));
        for (key, level) in [("min-level", self.min_level), ("max-level", self.max_level)] {
            text += &level.map_or_else(String::new, |level| format!("{key} = {level}\n"));
        }
        text += &self.weight.map_or_else(String::new, |weight| format!("weight = {weight}\n"));
        text += &self.publish.map_or_else(String::new, Publish::to_toml);
        text
    }

    /// The ways its dates are written, for reading them.
    pub fn date_format(&self) -> &'static str {
        match self.meaning {
            Meaning::Date(format) => format,
            _ => "%Y-%m-%d",
        }
    }
}
