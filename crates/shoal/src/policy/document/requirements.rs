//! Which requirements does the text of a policy have, and how do they change?

use toml_edit::{ArrayOfTables, Item, Table, TableLike, Value};

use super::PolicyDocument;
use super::key_path::with_nearest;
use super::tables::{set_in, written};
use crate::policy::{Key, keys};
use shoal_core::model::DEFINITIONS;
use shoal_core::{Error, Result};

/// Refuses a model that there is not, and parameters that it does not have. What they may be is asked when the policy is whole.
fn check_words<'a>(model: &str, mut parameters: impl Iterator<Item = &'a str>) -> Result<()> {
    let models: Vec<&str> = DEFINITIONS.iter().map(|definition| definition.id).collect();
    if !models.contains(&model) {
        return Err(with_nearest(Error::policy(format!("there is no model `{model}`")), model, &models));
    }
    let is_of_model = |key: &Key| key.section == "require" && key.of.as_deref().is_none_or(|of| of == model);
    let known: Vec<String> =
        keys().into_iter().filter(is_of_model).map(|key| key.name).filter(|name| name != "model").collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    match parameters.find(|key| !known.contains(key)) {
        None => Ok(()),
        Some(key) => Err(with_nearest(Error::policy(format!("`{model}` has no `{key}`")), key, &known)),
    }
}

impl PolicyDocument {
    /// The requirements, however they are written: as `[[require]]`, or as a list of tables in braces.
    pub(super) fn requirements(&mut self) -> Vec<&mut dyn TableLike> {
        match self.document.get_mut("require") {
            Some(Item::ArrayOfTables(tables)) => tables.iter_mut().map(|table| table as &mut dyn TableLike).collect(),
            Some(Item::Value(Value::Array(list))) => {
                let tables = list.iter_mut().filter_map(Value::as_inline_table_mut);
                tables.map(|table| table as &mut dyn TableLike).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn requirement(&mut self, number: usize) -> Result<&mut dyn TableLike> {
        let mut requirements = self.requirements();
        let count = requirements.len();
        if number < count {
            return Ok(requirements.swap_remove(number));
        }
        let there_are = match count {
            0 => "the policy has no requirements".to_owned(),
            1 => "the policy has one requirement, `require[0]`".to_owned(),
            _ => format!("the policy has {count} requirements, `require[0]` to `require[{}]`", count - 1),
        };
        Err(Error::policy(format!("there is no `require[{number}]`")).hint(there_are))
    }

    /// Sets a parameter in every requirement that has it.
    pub(super) fn set_in_requirements(&mut self, keys: &[String], value: &Value) -> Result<()> {
        let name = keys.first().map_or("", String::as_str);
        let mut requirements = self.requirements();
        let known: Vec<String> = requirements
            .iter()
            .flat_map(|table| table.iter().map(|(key, _)| key.to_owned()).collect::<Vec<_>>())
            .collect();
        if known.iter().any(|known| known == name) {
            let mut with_key = requirements.iter_mut().filter(|table| table.contains_key(name));
            return with_key.try_for_each(|table| set_in(*table, keys, value.clone()));
        }
        let mut parameters: Vec<&str> =
            known.iter().map(String::as_str).filter(|key| !["model", "column"].contains(key)).collect();
        parameters.sort_unstable();
        parameters.dedup();
        let keys: Vec<&str> = parameters.into_iter().chain(["objective", "max-suppressed", "method"]).collect();
        Err(Error::policy(format!("no requirement of the policy has `{name}` to set")).hint(format!(
            "set one of {}, or name another key with its section, as in require[0].{name} or method.refine",
            keys.join(", ")
        )))
    }

    /// Removes these requirements, counted as they are now.
    pub(super) fn leave_out(&mut self, mut numbers: Vec<usize>) -> Result<()> {
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers.into_iter().rev() {
            self.requirement(number)?;
            self.unchanged = None;
            match self.document.get_mut("require") {
                Some(Item::ArrayOfTables(tables)) => drop(tables.remove(number)),
                Some(Item::Value(Value::Array(list))) => drop(list.remove(number)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds a requirement after the others: its model and the parameters of that.
    ///
    /// ```
    /// # use shoal::policy::PolicyDocument;
    /// let mut document = PolicyDocument::default();
    /// document.require("k-anonymity", [("k", 5)])?;
    /// assert_eq!(document.to_string(), "[[require]]\nmodel = \"k-anonymity\"\nk = 5\n");
    /// let error = document.require("k-anonymty", [("k", 5)]).unwrap_err();
    /// assert_eq!(error.to_string(), "there is no model `k-anonymty`\nhint: did you mean `k-anonymity`?");
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn require<K: Into<String>, V: Into<toml::Value>>(
        &mut self,
        model: &str,
        parameters: impl IntoIterator<Item = (K, V)>,
    ) -> Result<()> {
        let parameters: Vec<(String, toml::Value)> =
            parameters.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        check_words(model, parameters.iter().map(|(key, _)| key.as_str()))?;
        let keys = std::iter::once(("model".to_owned(), model.into())).chain(parameters);
        let keys = keys.map(|(key, value)| Ok((key, written(&value)?))).collect::<Result<Vec<_>>>()?;
        self.push_requirement(&keys)
    }

    /// Removes a requirement, counted from 0.
    ///
    /// ```
    /// # use shoal::policy::PolicyDocument;
    /// let mut document = PolicyDocument::parse("[[require]]\nmodel = 'k-anonymity'\nk = 5\n", "p", "".as_ref())?;
    /// document.remove_requirement(0)?;
    /// assert!(document.remove_requirement(0).is_err());
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn remove_requirement(&mut self, number: usize) -> Result<()> {
        self.leave_out(vec![number])
    }

    /// Adds a requirement after the others, as it is written.
    fn push_requirement(&mut self, keys: &[(String, Value)]) -> Result<()> {
        self.unchanged = None;
        let mut table = Table::new();
        keys.iter().for_each(|(key, value)| drop(table.insert(key, Item::Value(value.clone()))));
        match self.document.entry("require").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new())) {
            Item::ArrayOfTables(tables) => tables.push(table),
            _ => {
                return Err(
                    Error::policy("`require` must be a list of tables").hint("write [[require]] with double brackets")
                );
            }
        }
        Ok(())
    }
}
