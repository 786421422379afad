//! How is a release judged by its certificate alone?

use std::path::Path;

use serde_json::{Map, Value, json};

use super::Certificate;
use crate::policy::Policy;
use crate::{Error, Result};

impl Certificate {
    /// A policy that asks for what the certificate says, as far as it says it.
    pub fn to_policy(&self) -> Result<Policy> {
        let mut columns = Map::new();
        let names = |names: &[String], role: &str| {
            names.iter().map(|name| (name.clone(), json!({ "role": role }))).collect::<Vec<_>>()
        };
        columns.extend(names(&self.columns.quasi_identifiers, "quasi-identifier"));
        columns.extend(names(&self.columns.sensitive, "sensitive"));
        for (name, keys) in &self.columns.dates {
            if let Some(Value::Object(column)) = columns.get_mut(name) {
                column.extend(keys.clone());
            }
        }
        let mut input = json!({ "missing": [self.columns.missing], "other-columns": "insensitive" });
        if self.columns.decimal_comma {
            input["decimal"] = json!(",");
        }
        let requirements = self.models.iter().map(|model| {
            let mut required = model.parameters.clone().ok_or_else(|| {
                Error::new(format!("the certificate does not say which values {} is about", model.label))
                    .hint("give the policy, too: --policy FILE")
            })?;
            required.insert("model".into(), json!(model.model));
            required.extend(model.column.as_ref().map(|column| ("column".to_owned(), json!(column))));
            required.extend(model.among_all_sensitive.then(|| ("among".to_owned(), json!("all-sensitive"))));
            Ok(Value::Object(required))
        });
        let mut policy = json!({
            "input": input,
            "output": { "suppressed": if self.columns.suppressed_rows_stay { "keep" } else { "drop" } },
            "columns": columns,
            "require": requirements.collect::<Result<Vec<Value>>>()?,
        });
        if let Some(table) = &self.sensitive_table {
            let (class, count) = (&table.class_column, &table.count_column);
            policy["method"] = json!({ "name": "anatomy", "class-column": class, "count-column": count });
        }
        let text = toml::to_string(&policy)
            .map_err(|error| Error::new(format!("the certificate cannot be turned into a policy: {error}")))?;
        Policy::parse(&text, "the certificate", Path::new(""))
            .map_err(|error| error.hint("give the policy, too: --policy FILE"))
    }
}
