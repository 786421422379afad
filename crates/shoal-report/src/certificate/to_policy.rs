//! How is a release judged by its certificate alone?

use std::path::Path;

use serde_json::{Map, Value, json};

use super::label::{Label, texts};
use super::statements::{CertifiedDates, CertifiedRole, without_control};
use super::{Certificate, CertifiedModel};
use shoal::policy::{ColumnPolicy, Policy};
use shoal_core::hierarchy::{HierarchySpec, Tree};
use shoal_core::method::METHODS;
use shoal_core::{Error, Result};

const NOT_ALONE: &str = "give the policy, too: --policy FILE";

impl Certificate {
    /// A policy that asks for what the certificate says, as far as that can be checked.
    pub fn to_policy(&self) -> Result<Policy> {
        let requirements = self.models.iter().map(|model| self.requirement(model)).collect::<Result<Vec<Value>>>()?;
        self.policy_of(requirements)
    }

    /// The same for one of its models.
    pub(super) fn policy_for(&self, model: &CertifiedModel) -> Result<Policy> {
        self.policy_of(vec![self.requirement(model)?])
    }

    fn policy_of(&self, requirements: Vec<Value>) -> Result<Policy> {
        let stated = &self.stated_by_its_maker;
        let mut input = json!({ "missing": [stated.missing], "other-columns": "insensitive" });
        if stated.decimal_comma {
            input["decimal"] = json!(",");
        }
        if let Some(mark) = &stated.thousands {
            input["thousands"] = json!(mark);
        }
        let requires_nothing = requirements.is_empty();
        let mut policy = json!({
            "input": input,
            "output": { "suppressed": if stated.suppressed_rows_stay { "keep" } else { "drop" } },
            "columns": self.columns(),
            // A policy must ask for something; this is taken out below.
            "require": if requires_nothing { vec![json!({ "model": "k-anonymity", "k": 2 })] } else { requirements },
        });
        if self.is_separated() {
            let name = |role| stated.with_role(role).next().cloned().unwrap_or_default();
            let (class, count) = (name(CertifiedRole::Class), name(CertifiedRole::Count));
            let separating = METHODS.iter().find(|entry| (entry.default)().separates().is_some());
            let method = separating.expect("a release in two tables was made by a method that makes such").id();
            policy["method"] = json!({ "name": method, "class-column": class, "count-column": count });
        }
        let text = toml::to_string(&policy)
            .map_err(|error| Error::policy(format!("the certificate cannot be turned into a policy: {error}")))?;
        let mut policy =
            Policy::parse(&text, "the certificate", Path::new("")).map_err(|error| error.hint(NOT_ALONE))?;
        self.refuse_more_than_it_may_say(&policy)?;
        if requires_nothing {
            policy.requirements.clear();
        }
        for column in &mut policy.columns {
            if let Some(rows) = stated.hierarchies.get(&column.name) {
                let text = texts(rows);
                let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(&text).collect()).collect();
                let tree = HierarchySpec::Tree(Tree::of_rows(&rows));
                tree.check_showing(false).map_err(|error| error.at("the certificate").hint(NOT_ALONE))?;
                column.hierarchy = Some(tree);
            }
        }
        Ok(policy)
    }

    /// Whatever stands in a certificate, it names no file, and a column is to an attacker what its roles say and audits print.
    fn refuse_more_than_it_may_say(&self, policy: &Policy) -> Result<()> {
        if let Some((what, _)) = policy.files().first() {
            return Err(Error::policy(format!("the certificate names a file as {what}")).hint(NOT_ALONE));
        }
        let is_as_stated = |column: &&ColumnPolicy| {
            let role = self.stated_by_its_maker.roles.get(&column.name);
            role == Some(&CertifiedRole::of(column.role)) && column.hierarchy.is_none()
        };
        match policy.columns.iter().find(|column| !is_as_stated(column)) {
            Some(column) => {
                let name = without_control(&column.name);
                Err(Error::policy(format!("the certificate says more of the column `{name}` than its role"))
                    .hint(NOT_ALONE))
            }
            None => Ok(()),
        }
    }

    /// The columns of the release in its order, sensitive ones of a second table behind them.
    fn columns(&self) -> Map<String, Value> {
        let stated = &self.stated_by_its_maker;
        let of_values = self.sensitive_table.iter().flat_map(|table| &table.columns);
        let mut columns = Map::new();
        for name in self.release.columns.iter().chain(of_values) {
            let Some(role) = stated.roles.get(name).copied() else { continue };
            if matches!(role, CertifiedRole::Class | CertifiedRole::Count) {
                continue;
            }
            let mut column = Map::from_iter([("role".to_owned(), json!(role.name()))]);
            if role == CertifiedRole::Identifier {
                column.insert("replace".to_owned(), json!("random"));
            }
            if let Some(CertifiedDates { dates, two_digit_years }) = stated.dates.get(name) {
                column.extend(dates.map(|order| ("dates".to_owned(), json!(order))));
                column.extend(two_digit_years.map(|year| ("two-digit-years".to_owned(), json!(year))));
            }
            columns.insert(name.clone(), Value::Object(column));
        }
        columns
    }

    fn requirement(&self, model: &CertifiedModel) -> Result<Value> {
        let rows = model.column.as_ref().and_then(|column| self.stated_by_its_maker.hierarchies.get(column));
        let text = texts(rows.map_or(&[], Vec::as_slice));
        let mut required = Map::new();
        for (key, value) in &model.parameters {
            // These stand beside the parameters.
            let is_own = !["model", "column", "among"].contains(&key.as_str());
            let value = as_policy(value, &text).filter(|_| is_own).ok_or_else(|| {
                let [key, model] = [key, &model.model].map(|text| without_control(text));
                Error::policy(format!("the certificate has a parameter `{key}` that is none of {model}"))
            })?;
            required.insert(key.clone(), value);
        }
        required.insert("model".into(), json!(model.model));
        required.extend(model.column.as_ref().map(|column| ("column".to_owned(), json!(column))));
        required.extend(model.among_all_sensitive.then(|| ("among".to_owned(), json!("all-sensitive"))));
        Ok(Value::Object(required))
    }
}

/// A parameter as a policy has it. Lists of labels are lists of texts; lists of pairs of a label and a number give each a number;
/// lists of lists are groups, whose names do not matter.
fn as_policy(value: &Value, text: &dyn Fn(&Label) -> String) -> Option<Value> {
    let label = |value: &Value| Label::of_json(value).map(|label| text(&label));
    let Value::Array(list) = value else { return (!value.is_object()).then(|| value.clone()) };
    if list.is_empty() || !list.iter().all(Value::is_array) {
        return list.iter().map(label).collect::<Option<Vec<String>>>().map(|labels| json!(labels));
    }
    if list.iter().all(|entry| entry.get(1).is_some_and(Value::is_number) && entry.get(2).is_none()) {
        let pair = |entry: &Value| Some((label(entry.get(0)?)?, entry.get(1)?.clone()));
        return list.iter().map(pair).collect::<Option<Map<String, Value>>>().map(Value::Object);
    }
    let group = |(place, group): (usize, &Value)| {
        let labels = group.as_array()?.iter().map(label).collect::<Option<Vec<String>>>()?;
        Some(((place + 1).to_string(), json!(labels)))
    };
    list.iter().enumerate().map(group).collect::<Option<Map<String, Value>>>().map(Value::Object)
}

impl Label {
    /// The label that stands in a parameter.
    pub(super) fn of_json(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Shown(text.clone())),
            other => other.as_u64().map(Self::Hidden),
        }
    }

    /// All texts that stand in a parameter as labels: one that is a word of its own is none.
    pub(super) fn texts_in(value: &Value) -> Vec<&str> {
        match value {
            Value::Array(list) => list
                .iter()
                .flat_map(|entry| match entry {
                    Value::String(text) => vec![text.as_str()],
                    other => Self::texts_in(other),
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}
