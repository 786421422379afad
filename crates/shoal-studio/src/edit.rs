//! How does a change that somebody makes in a room change the text of the policy?

use std::path::Path;

use shoal::policy::column_key;
use shoal::{Error, PolicyDocument, Result, Setting};
use shoal_core::hierarchy::{ColumnValues, suggest};

use crate::sheet::Sheet;
use crate::wire::{ColumnLevel, Edit, SettingWords};

/// Keys that a column with a role has no use for, and that another may have left.
fn useless_for(role: &str) -> &'static [&'static str] {
    match role {
        "quasi-identifier" => &["publish", "replace", "domain"],
        "identifier" => &["hierarchy", "type", "min-level", "max-level", "weight", "publish"],
        _ => &["hierarchy", "type", "min-level", "max-level", "weight", "replace", "domain"],
    }
}

/// Keys that have a key.
const KEYED: [&str; 2] = ["publish", "replace"];

/// The text with a change; what was not changed stays as it was written. `earlier` are the texts before it, the latest first.
pub fn edited(
    text: &str,
    earlier: &[&str],
    (name, folder): (&str, &Path),
    edit: &Edit,
    sheet: Option<&Sheet>,
) -> Result<String> {
    if let Edit::Text { text: whole, before } = edit {
        return match before {
            Some(before) if before != text => {
                Err(Error::changed("the policy was changed meanwhile, and this text knows nothing of that")
                    .hint("keep yours, which undoes what was changed, or take what is there now"))
            }
            _ => Ok(whole.clone()),
        };
    }
    let mut document = PolicyDocument::parse(text, name, folder)?;
    match edit {
        Edit::Text { .. } => {}
        Edit::Settings { settings } => return Ok(document.with(&settings_of(settings))?.to_string()),
        Edit::Remove { key } => {
            document.remove(key)?;
        }
        Edit::Field { key, value } => return with_field(document, key, value.as_deref()),
        Edit::Role { column, role } => return with_role(document, column, role, sheet),
        Edit::Person { column } => by_people(&mut document, column.as_deref())?,
        Edit::Require { model, column, parameters } => require(&mut document, model, column.as_deref(), parameters)?,
        Edit::Levels { levels } => set_levels(&mut document, levels, &allowed_before(text, earlier, levels))?,
    }
    Ok(document.to_string())
}

/// What somebody typed takes the place of what was there, unless nothing but that is wrong with the policy then.
fn with_field(mut document: PolicyDocument, key: &str, value: Option<&str>) -> Result<String> {
    let is_right = document.policy().is_ok();
    match value {
        Some(value) => document = document.with(&[Setting::new(key, value)])?,
        None => _ = document.remove(key)?,
    }
    if is_right {
        document.policy()?;
    }
    Ok(document.to_string())
}

fn settings_of(words: &[SettingWords]) -> Vec<Setting> {
    words.iter().map(|SettingWords { key, value }| Setting::new(key.as_str(), value.as_str())).collect()
}

/// A column with another role: what would not make sense with it goes, and what it needs comes.
fn with_role(mut document: PolicyDocument, column: &str, role: &str, sheet: Option<&Sheet>) -> Result<String> {
    let role_key = column_key(column, "role");
    if document.get(&role_key)?.as_ref().and_then(toml::Value::as_str) == Some(role) {
        return Ok(document.to_string());
    }
    document.set(&role_key, role)?;
    if role != "identifier" {
        if says(&document, "input.person", column) {
            by_people(&mut document, None)?;
        } else if says(&document, "input.household", column) {
            document.remove("input.household")?;
        }
    }
    for key in useless_for(role) {
        if document.remove(&column_key(column, key))? && KEYED.contains(key) {
            document.remove(&column_key(column, "key-file"))?;
        }
    }
    let hierarchy = column_key(column, "hierarchy");
    if let ("quasi-identifier", None, Some(sheet)) = (role, document.get(&hierarchy)?, sheet) {
        let column = sheet.column(column)?;
        let (name, dictionary, counts) = (&*column.name, &column.dictionary, &*column.counts);
        let suggestion = suggest(&ColumnValues { name, dictionary, counts, may_print: false });
        return Ok(document.with(&[Setting::new(hierarchy, suggestion.spec.to_string())])?.to_string());
    }
    if role != "sensitive" {
        return without_promises_about(document, column);
    }
    Ok(document.to_string())
}

/// Does a key name this column?
fn says(document: &PolicyDocument, key: &str, column: &str) -> bool {
    document.get(key).ok().flatten().as_ref().and_then(toml::Value::as_str) == Some(column)
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

/// The lowest and the highest level that a policy allows a column, where it says so.
type Bounds = [Option<i64>; 2];

const BOUNDS: [&str; 2] = ["min-level", "max-level"];

/// What the policy allowed columns before it allowed each of them a single level; without any such text, all that there is.
fn allowed_before(text: &str, earlier: &[&str], columns: &[ColumnLevel]) -> Vec<Bounds> {
    let bounds = |text: &str| -> Option<Vec<Bounds>> {
        let policy: toml::Table = toml::from_str(text).ok()?;
        let of = |column: &str, key: &str| policy.get("columns")?.get(column)?.get(key)?.as_integer();
        Some(columns.iter().map(|ColumnLevel { column, .. }| BOUNDS.map(|key| of(column, key))).collect())
    };
    let leaves_a_choice = |bounds: &Vec<Bounds>| !bounds.iter().all(|[min, max]| min.is_some() && min == max);
    let now = bounds(text);
    let mut before = earlier.iter().filter_map(|text| bounds(text));
    let before = before.find(|before| leaves_a_choice(before) && now.as_ref() != Some(before));
    before.unwrap_or_else(|| vec![[None; 2]; columns.len()])
}

fn set_levels(document: &mut PolicyDocument, levels: &[ColumnLevel], before: &[Bounds]) -> Result<()> {
    for (ColumnLevel { column, level }, before) in levels.iter().zip(before) {
        let bounds = level.map_or(*before, |level| [Some(level.into()); 2]);
        for (key, bound) in BOUNDS.iter().zip(bounds) {
            let key = column_key(column, key);
            match bound {
                Some(bound) => document.set(&key, bound)?,
                None => document.remove(&key).map(drop)?,
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
        edited(POLICY, &[], ("p.toml", Path::new("")), &serde_json::from_str(edit).unwrap(), Some(&sheet))
    }

    /// The same of another policy, without a table.
    fn changed_of(text: &str, edit: &str) -> String {
        edited(text, &[], ("p.toml", Path::new("")), &serde_json::from_str(edit).unwrap(), None).unwrap()
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
        assert_eq!(changed_of(&text, r#"{"change":"levels","levels":[{"column":"age","level":null}]}"#), POLICY);
    }

    #[test]
    fn whoever_takes_levels_and_lets_go_of_them_has_the_bounds_of_before() {
        let of = |text: &str, earlier: &[&str], level: Option<u8>| {
            let levels = Edit::Levels { levels: vec![ColumnLevel { column: "age".into(), level }] };
            edited(text, earlier, ("p", Path::new("")), &levels, None).unwrap()
        };
        let own = POLICY.replace("[5, 10] }\n", "[5, 10] }\nmin-level = 1 # hides ages\n");
        let taken = of(&own, &[], Some(2));
        assert!(taken.contains("min-level = 2") && taken.contains("max-level = 2"), "{taken}");
        let others = of(&taken, &[&own], Some(1)).replace("k = 5", "k = 6");
        assert_eq!(of(&others, &[&taken, &own], None), own.replace("k = 5", "k = 6"));
        // Of levels that the owner has taken from the first, nothing is known but that there are others.
        assert_eq!(of(&taken, &[], None), own.replace("min-level = 1 # hides ages\n", ""));
    }

    #[test]
    fn a_part_of_a_hierarchy_changes_and_the_rest_stays() {
        let with =
            |hierarchy: &str, edit: &str| changed_of(&POLICY.replace("{ intervals = [5, 10] }", hierarchy), edit);
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
        for text in [
            changed_of(&people, r#"{"change":"person","column":null}"#),
            changed_of(&people, r#"{"change":"role","column":"zip code","role":"sensitive"}"#),
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

    /// One click on another role leaves a policy that can be followed.
    #[test]
    fn what_only_another_role_has_goes_with_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.key"), "3f0c9a71b2d84e56a7c81f02e9d4b6537a1e5c08d2f94b36\n").unwrap();
        for said in [
            "role = \"identifier\"\nreplace = \"pseudonym\"\nkey-file = \"a.key\"\ndomain = \"wards\"\n",
            "role = \"quasi-identifier\"\ntype = \"category\"\nmin-level = 1\nmax-level = 1\n",
            "role = \"sensitive\"\npublish = { round = 10, noise = { laplace = 2 } }\nkey-file = \"a.key\"\n",
            "role = \"insensitive\"\npublish = { round = 10 }\n",
        ] {
            let text = format!("{POLICY}\n[columns.ward]\ndates = \"day-first\"\n{said}");
            for role in ["identifier", "quasi-identifier", "sensitive", "insensitive"] {
                let edit = format!(r#"{{"change":"role","column":"ward","role":"{role}"}}"#);
                let changed = changed_of(&text, &edit);
                let policy = shoal::Policy::parse(&changed, "p.toml", folder.path());
                assert!(policy.is_ok(), "{said} {role}: {}", policy.unwrap_err());
                assert!(changed.contains("day-first"), "{changed}");
                let stays = said.contains(&format!("\"{role}\""));
                assert_eq!(changed == text, stays, "{changed}");
                let is_published = said.contains("publish") && role.ends_with("sensitive");
                assert_eq!(changed.contains("publish"), is_published, "{changed}");
            }
        }
    }

    #[test]
    fn a_role_that_a_column_has_already_changes_nothing() {
        let text = POLICY.replace(
            "role = \"sensitive\"\n",
            "role = \"sensitive\"\nhierarchy = { file = \"ill.csv\" } # two kinds\n",
        );
        assert_eq!(changed_of(&text, r#"{"change":"role","column":"pay","role":"sensitive"}"#), text);
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
