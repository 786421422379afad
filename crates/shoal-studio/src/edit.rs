//! How does a change that somebody makes in a room change the text of the policy?

use std::path::Path;

use shoal::policy::column_key;
use shoal::{Error, PolicyDocument, Result, Setting};
use shoal_core::hierarchy::{ColumnValues, suggest};

use crate::sheet::Sheet;
use crate::wire::{ColumnLevel, Edit, SettingWords};

/// Keys of a column that only a quasi-identifier has.
const OF_QUASI: [&str; 4] = ["hierarchy", "min-level", "max-level", "weight"];

/// The text with a change; what was not changed stays as it was written.
pub fn edited(text: &str, (name, folder): (&str, &Path), edit: &Edit, sheet: Option<&Sheet>) -> Result<String> {
    if let Edit::Text { text } = edit {
        return Ok(text.clone());
    }
    let mut document = PolicyDocument::parse(text, name, folder)?;
    match edit {
        Edit::Text { .. } => {}
        Edit::Settings { settings } => return Ok(document.with(&settings_of(settings))?.to_string()),
        Edit::Remove { key } => {
            document.remove(key)?;
        }
        Edit::Role { column, role } => return with_role(document, column, role, sheet),
        Edit::Person { column } => by_people(&mut document, column.as_deref())?,
        Edit::Require { model, column, parameters } => require(&mut document, model, column.as_deref(), parameters)?,
        Edit::Levels { levels } => levels.iter().try_for_each(|level| set_level(&mut document, level))?,
    }
    Ok(document.to_string())
}

fn settings_of(words: &[SettingWords]) -> Vec<Setting> {
    words.iter().map(|SettingWords { key, value }| Setting::new(key.as_str(), value.as_str())).collect()
}

/// A column with another role: what would not make sense with it goes, and what it needs comes.
fn with_role(mut document: PolicyDocument, column: &str, role: &str, sheet: Option<&Sheet>) -> Result<String> {
    document.set(&column_key(column, "role"), role)?;
    if role != "identifier" && counts_people_by(&document, column) {
        by_people(&mut document, None)?;
    }
    let hierarchy = column_key(column, "hierarchy");
    match role {
        "quasi-identifier" => {
            if let (None, Some(sheet)) = (document.get(&hierarchy)?, sheet) {
                let column = sheet.column(column)?;
                let (name, dictionary, counts) = (&*column.name, &column.dictionary, &*column.counts);
                let suggestion = suggest(&ColumnValues { name, dictionary, counts, may_print: false });
                return Ok(document.with(&[Setting::new(hierarchy, suggestion.spec.to_string())])?.to_string());
            }
        }
        _ => {
            for key in OF_QUASI {
                document.remove(&column_key(column, key))?;
            }
        }
    }
    if role != "sensitive" {
        return without_promises_about(document, column);
    }
    Ok(document.to_string())
}

/// Are people counted by this column?
fn counts_people_by(document: &PolicyDocument, column: &str) -> bool {
    document.get("input.person").ok().flatten().as_ref().and_then(toml::Value::as_str) == Some(column)
}

/// Counts people by a column, or rows again: what only people have goes then.
fn by_people(document: &mut PolicyDocument, column: Option<&str>) -> Result<()> {
    match column {
        Some(column) => document.set("input.person", column),
        None => ["input.person", "input.knows", "input.household", "method.suppress"]
            .iter()
            .try_for_each(|key| document.remove(key).map(|_| ())),
    }
}

/// Leaves out what is required of a column that is not sensitive any more.
fn without_promises_about(document: PolicyDocument, column: &str) -> Result<String> {
    let mut left_out = Vec::new();
    let count = requirements(&document)?;
    for index in 0..count {
        let of = document.get(&format!("require[{index}].column"))?;
        if of.as_ref().and_then(toml::Value::as_str) == Some(column) {
            left_out.push(Setting::new(format!("require[{index}]"), "none"));
        }
    }
    // A policy without any promise is none; what is wrong with it then is said.
    if left_out.is_empty() || left_out.len() == count {
        return Ok(document.to_string());
    }
    Ok(document.with(&left_out)?.to_string())
}

/// How many requirements there are.
fn requirements(document: &PolicyDocument) -> Result<usize> {
    let table: toml::Table = toml::from_str(&document.to_string()).map_err(|error| Error::policy(error.message()))?;
    Ok(table.get("require").and_then(toml::Value::as_array).map_or(0, Vec::len))
}

fn require(
    document: &mut PolicyDocument,
    model: &str,
    column: Option<&str>,
    parameters: &[SettingWords],
) -> Result<()> {
    let column = column.map(|column| ("column", toml::Value::from(column)));
    let parameters = parameters.iter().map(|SettingWords { key, value }| (key.as_str(), value_of(value)));
    document.require(model, column.into_iter().chain(parameters))
}

/// A value as it would be written in TOML; words need no quotes.
fn value_of(text: &str) -> toml::Value {
    let parsed = toml::from_str::<toml::Table>(&format!("value = {text}"));
    parsed.ok().and_then(|mut table| table.remove("value")).unwrap_or_else(|| text.into())
}

fn set_level(document: &mut PolicyDocument, ColumnLevel { column, level }: &ColumnLevel) -> Result<()> {
    for key in ["min-level", "max-level"] {
        let key = column_key(column, key);
        match level {
            Some(level) => document.set(&key, i64::from(*level))?,
            None => {
                document.remove(&key)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shoal::Unwatched;
    use shoal_format::InputFormat;

    const POLICY: &str = "# mine\n[columns.age] # in years\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [5, 10] }\n\
                          [columns.\"zip code\"]\nrole = \"insensitive\"\n\n[columns.pay]\nrole = \"sensitive\"\n\n[[require]]\n\
                          model = \"k-anonymity\"\nk = 5 # at least\n\n[[require]]\nmodel = \"distinct-l-diversity\"\ncolumn = \"pay\"\nl = 2\n";

    fn changed(edit: &str) -> Result<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(
            &path,
            "age,zip code,pay\n31,13053,1\n32,13068,2\n33,14850,3\n34,14853,4\n35,14860,1\n36,13070,2\n",
        )
        .unwrap();
        let sheet = Sheet::read(&InputFormat::new(&path), &Unwatched).unwrap();
        edited(POLICY, ("p.toml", Path::new("")), &serde_json::from_str(edit).unwrap(), Some(&sheet))
    }

    #[test]
    fn comments_are_kept() {
        let text = changed(r#"{"change":"settings","settings":[{"key":"k","value":"11"}]}"#).unwrap();
        assert_eq!(text, POLICY.replace("k = 5", "k = 11"));
        let text = changed(r#"{"change":"levels","levels":[{"column":"age","level":1}]}"#).unwrap();
        assert!(
            text.starts_with("# mine\n[columns.age] # in years\n") && text.contains("min-level = 1\nmax-level = 1"),
            "{text}"
        );
        let pinned = Edit::Levels { levels: vec![ColumnLevel { column: "age".into(), level: None }] };
        assert_eq!(edited(&text, ("p", Path::new("")), &pinned, None).unwrap(), POLICY);
    }

    #[test]
    fn a_part_of_a_hierarchy_changes_and_the_rest_stays() {
        let with = |hierarchy: &str, edit: &str| {
            let text = POLICY.replace("{ intervals = [5, 10] }", hierarchy);
            edited(&text, ("p", Path::new("")), &serde_json::from_str(edit).unwrap(), None).unwrap()
        };
        let dates = "{ dates = { levels = [\"month\", \"year\"], format = \"%Y%m%d\" } }";
        let text = with(
            dates,
            r#"{"change":"settings","settings":[{"key":"columns.age.hierarchy.dates.levels","value":"[\"week\"]"}]}"#,
        );
        assert!(text.contains("levels = [\"week\"], format = \"%Y%m%d\""), "{text}");
        let mask = "{ mask = { from = \"right\", character = \"#\", length = 5 } }";
        let text = with(
            mask,
            r#"{"change":"settings","settings":[{"key":"columns.age.hierarchy.mask.from","value":"\"left\""}]}"#,
        );
        assert!(text.contains("from = \"left\", character = \"#\", length = 5"), "{text}");
        let text = with(mask, r#"{"change":"remove","key":"columns.age.hierarchy.mask.length"}"#);
        assert!(text.contains("character = \"#\"") && !text.contains("length"), "{text}");
    }

    #[test]
    fn people_are_counted_by_an_identifier_and_rows_otherwise() {
        let text = changed(r#"{"change":"person","column":"zip code"}"#).unwrap();
        assert!(text.contains("person = \"zip code\""), "{text}");
        let people = text.replace("person = \"zip code\"", "person = \"zip code\"\nknows = \"all-rows\"");
        let edit = |edit: &str| {
            let edit: Edit = serde_json::from_str(edit).unwrap();
            edited(&people, ("policy.toml", Path::new("")), &edit, None).unwrap()
        };
        for text in [
            edit(r#"{"change":"person","column":null}"#),
            edit(r#"{"change":"role","column":"zip code","role":"insensitive"}"#),
        ] {
            assert!(!text.contains("person") && !text.contains("knows"), "{text}");
        }
    }

    #[test]
    fn a_role_brings_what_it_needs_and_takes_what_it_does_not() {
        let text = changed(r#"{"change":"role","column":"zip code","role":"quasi-identifier"}"#).unwrap();
        assert!(text.contains("hierarchy = { mask = "), "{text}");
        let text = changed(r#"{"change":"role","column":"age","role":"identifier"}"#).unwrap();
        assert!(!text.contains("intervals") && text.contains("role = \"identifier\""), "{text}");
        let text = changed(r#"{"change":"role","column":"pay","role":"insensitive"}"#).unwrap();
        assert!(!text.contains("distinct-l-diversity") && text.contains("k-anonymity"), "{text}");
    }

    #[test]
    fn a_promise_can_be_added_and_taken_back() {
        let edit = r#"{"change":"require","model":"t-closeness","column":"pay","parameters":[{"key":"t","value":"0.2"},{"key":"distance","value":"ordered"}]}"#;
        let text = changed(edit).unwrap();
        assert!(
            text.ends_with("[[require]]\nmodel = \"t-closeness\"\ncolumn = \"pay\"\nt = 0.2\ndistance = \"ordered\"\n"),
            "{text}"
        );
        let text = changed(r#"{"change":"settings","settings":[{"key":"require[1]","value":"none"}]}"#).unwrap();
        assert!(!text.contains("distinct-l-diversity"), "{text}");
    }

    #[test]
    fn nonsense_changes_nothing() {
        for edit in [
            r#"{"change":"settings","settings":[{"key":"columns.age.rolle","value":"x"}]}"#,
            r#"{"change":"settings","settings":[{"key":"require[7].k","value":"2"}]}"#,
            r#"{"change":"remove","key":"nonsense.key"}"#,
            r#"{"change":"role","column":"nobody","role":"quasi-identifier"}"#,
        ] {
            assert!(changed(edit).is_err(), "{edit}");
        }
    }
}
