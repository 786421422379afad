//! What did a change take with it that nobody named?

use toml::{Table, Value};

use crate::wire::Edit;

/// What is gone from the policy beside what somebody asked to be otherwise: requirements, hierarchies, and how people are counted.
pub fn dropped(before: &str, after: &str, edit: &Edit) -> Vec<String> {
    let (Edit::Role { .. } | Edit::Person { .. }) = edit else { return Vec::new() };
    let (Ok(before), Ok(after)) = (toml::from_str::<Table>(before), toml::from_str::<Table>(after)) else {
        return Vec::new();
    };
    let mut gone = Vec::new();
    let kept = requirements(&after);
    gone.extend(requirements(&before).into_iter().filter(|one| !kept.contains(one)).map(promise));
    if let Edit::Role { column, .. } = edit {
        let keys =
            |policy: &Table| policy.get("columns").and_then(|all| all.get(column)).and_then(Value::as_table).cloned();
        let (before, after) = (keys(&before).unwrap_or_default(), keys(&after).unwrap_or_default());
        gone.extend(
            before
                .iter()
                .filter(|(key, _)| !after.contains_key(*key))
                .map(|(key, value)| of_column(column, key, value)),
        );
    }
    for (section, key, words) in [
        ("input", "person", "that people are counted"),
        ("input", "knows", "what somebody knows of a person"),
        ("input", "household", "who lives together"),
        ("method", "suppress", "that people are left out as a whole"),
    ] {
        let says = |policy: &Table| policy.get(section).and_then(|all| all.get(key)).is_some();
        // Whoever ticks a box away has named it.
        let is_named = key == "person" && matches!(edit, Edit::Person { .. });
        if says(&before) && !says(&after) && !is_named {
            gone.push(words.to_owned());
        }
    }
    gone
}

fn requirements(policy: &Table) -> Vec<&Table> {
    policy.get("require").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table).collect()
}

fn promise(requirement: &Table) -> String {
    let word = |key: &str| requirement.get(key).and_then(Value::as_str);
    let of = word("column").map(|column| format!(" of `{column}`")).unwrap_or_default();
    format!("the promise `{}`{of}", word("model").unwrap_or_default())
}

fn of_column(column: &str, key: &str, value: &Value) -> String {
    match key {
        "hierarchy" => format!("the hierarchy `{value}` of `{column}`"),
        key => format!("`{key}` of `{column}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "[input]\nperson = \"id\"\nknows = \"all-rows\"\n[columns.id]\nrole = \"identifier\"\n[columns.age]\n\
                          role = \"quasi-identifier\"\nhierarchy = { intervals = [5] }\nmin-level = 1\n[columns.ill]\nrole = \"sensitive\"\n\
                          [[require]]\nmodel = \"k-anonymity\"\nk = 5\n[[require]]\nmodel = \"t-closeness\"\ncolumn = \"ill\"\nt = 0.2\n";

    fn role(column: &str) -> Edit {
        Edit::Role { column: column.to_owned(), role: "identifier".to_owned() }
    }

    #[test]
    fn what_goes_with_a_role_is_said() {
        let without = BEFORE.replace("hierarchy = { intervals = [5] }\nmin-level = 1\n", "");
        assert_eq!(
            dropped(BEFORE, &without, &role("age")),
            ["the hierarchy `{ intervals = [5] }` of `age`", "`min-level` of `age`"]
        );
        let without = BEFORE.replace("[[require]]\nmodel = \"t-closeness\"\ncolumn = \"ill\"\nt = 0.2\n", "");
        assert_eq!(dropped(BEFORE, &without, &role("ill")), ["the promise `t-closeness` of `ill`"]);
        let rows = BEFORE.replace("person = \"id\"\nknows = \"all-rows\"\n", "");
        assert_eq!(dropped(BEFORE, &rows, &role("id")), ["that people are counted", "what somebody knows of a person"]);
        let edit = Edit::Person { column: None };
        assert_eq!(dropped(BEFORE, &rows, &edit), ["what somebody knows of a person"]);
    }

    #[test]
    fn what_somebody_asked_for_is_no_news() {
        let other = BEFORE.replace("role = \"sensitive\"", "role = \"insensitive\"");
        assert!(dropped(BEFORE, &other, &role("ill")).is_empty());
        let text = Edit::Text { text: String::new(), before: None };
        assert!(dropped(BEFORE, "", &text).is_empty());
    }
}
