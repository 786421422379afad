//! Is a recipe refused whose rules do not fit, before anything is read or written?

use serde_json::{Value, json};

use crate::workbench::Workbench;

const TABLE: &str = "age,job,seen,ill\n20,clerk,01.02.2024,flu\n21,clerk,03.02.2024,cold\n22,clerk,05.02.2024,flu\n23,clerk,07.02.2024,gout\n\
                     40,smith,01.02.2024,flu\n41,smith,03.02.2024,cold\n42,smith,05.02.2024,flu\n43,smith,17.02.2024,gout\n";

const COLUMNS: &str = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { AGE }\n[columns.job]\nrole = \"quasi-identifier\"\n\
                       hierarchy = { tree = { office = [\"clerk\", \"manager\"], field = [\"smith\"] } }\n[columns.seen]\n\
                       role = \"quasi-identifier\"\ndates = \"day-first\"\nhierarchy = { dates = [\"month\", \"year\"] }\n[columns.ill]\n\
                       role = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n[method]\n";

/// A recipe of this method, and of the ages in these ranges.
fn bench(age: &str, method: &str) -> Workbench {
    let policy = format!("{}{method}\n", COLUMNS.replace("AGE", age));
    let bench = Workbench::with(&[("policy.toml", &policy), ("table.csv", TABLE)]);
    bench.must(&["anonymize", "policy.toml", "--input", "table.csv", "-o", "release.csv", "--recipe", "recipe.json"]);
    bench.must(&["apply", "recipe.json", "table.csv", "-o", "again.csv"]);
    assert_eq!(bench.bytes("again.csv"), bench.bytes("release.csv"), "what is not forged is applied");
    bench
}

/// What is said of a recipe that somebody has changed so.
#[track_caller]
fn assert_refused(bench: &Workbench, forge: impl FnOnce(&mut Value), expected: &str) {
    let mut recipe: Value = serde_json::from_str(&bench.text("recipe.json")).unwrap();
    forge(&mut recipe);
    bench.write("forged.json", recipe.to_string());
    let before = bench.everything();
    // Without a table: nothing of it is needed to see that.
    for table in ["table.csv", "no-table.csv"] {
        let ran = bench.run(&["apply", "forged.json", table, "-o", "forged.csv", "--suppress-unknown"]);
        assert_eq!(ran.code, 2, "{expected}\n{ran}");
        assert!(ran.stderr.contains(expected) && !ran.stderr.contains("panicked"), "{expected}\n{ran}");
        assert!(bench.everything() == before, "something was written");
    }
}

#[test]
fn rules_of_columns_that_do_not_exist_or_are_there_twice() {
    let bench = bench("intervals = [10, 40]", "name = \"full-domain\"");
    let rule = json!({ "column": "shoe size", "type": { "kind": "integer" }, "shown": "as-it-is" });
    let push = |recipe: &mut Value, rule: Value| recipe["columns"].as_array_mut().unwrap().push(rule);
    assert_refused(
        &bench,
        |recipe| push(recipe, rule),
        "a rule for column `shoe size`, no quasi-identifier of its policy",
    );
    let of_sensitive = json!({ "column": "ill", "type": { "kind": "text" }, "shown": "nothing" });
    assert_refused(&bench, |recipe| push(recipe, of_sensitive), "a rule for column `ill`, no quasi-identifier");
    let twice = |recipe: &mut Value| {
        let again = recipe["columns"][0].clone();
        push(recipe, again);
    };
    assert_refused(&bench, twice, "not one for each quasi-identifier");
    let other_order = |recipe: &mut Value| recipe["columns"].as_array_mut().unwrap().reverse();
    assert_refused(&bench, other_order, "not one for each quasi-identifier, in the order of its policy");
    let none = |recipe: &mut Value| drop(recipe["columns"].as_array_mut().unwrap().remove(1));
    assert_refused(&bench, none, "no rule for column `job`, a quasi-identifier of its policy");
}

#[test]
fn levels_that_there_are_not_or_that_the_policy_forbids() {
    let bench = bench("intervals = [10, 40]", "name = \"full-domain\"");
    let level = |column: usize, level: u64| {
        move |recipe: &mut Value| recipe["columns"][column]["shown"] = json!({ "level": level })
    };
    assert_refused(&bench, level(1, 7), "level 7 of `job`, which has no level above 2");
    assert_refused(&bench, level(1, 0), "level 0 of `job` are its values");
    assert_refused(&bench, level(1, 300), "is not a recipe");
    let forbidden = |recipe: &mut Value| {
        recipe["policy"]["columns"]["job"]["min-level"] = 1.into();
        recipe["columns"][1]["shown"] = "as-it-is".into();
    };
    assert_refused(&bench, forbidden, "level 0 of `job`, and its policy none below 1");
    let too_high = |recipe: &mut Value| {
        recipe["policy"]["columns"]["age"]["max-level"] = 1.into();
        recipe["columns"][0]["shown"] = json!({ "level": 2 });
    };
    assert_refused(&bench, too_high, "level 2 of `age`, and its policy none above 1");
    let by_class = |recipe: &mut Value| recipe["columns"][1]["shown"] = "by-class".into();
    assert_refused(&bench, by_class, "column `job` is shown by class, and it has no classes");
    // How high a generated hierarchy is, is seen with a table.
    let mut recipe: Value = serde_json::from_str(&bench.text("recipe.json")).unwrap();
    recipe["columns"][0]["shown"] = json!({ "level": 9 });
    bench.write("forged.json", recipe.to_string());
    let before = bench.everything();
    let ran = bench.run(&["apply", "forged.json", "table.csv", "-o", "forged.csv"]);
    assert!(ran.code == 2 && ran.stderr.contains("level 9 of `age`, which it does not have"), "{ran}");
    assert!(bench.everything() == before);
}

#[test]
fn dates_that_are_read_in_two_ways_and_values_under_ranges_that_do_not_cover_them() {
    let bench = bench("intervals = [10, 40]", "name = \"full-domain\"");
    let month_first = |recipe: &mut Value| recipe["policy"]["columns"]["seen"]["dates"] = "month-first".into();
    assert_refused(&bench, month_first, "reads the dates of `seen` as `day-first`, and its policy as `month-first`");
    let elsewhere = |recipe: &mut Value| {
        recipe["policy"]["columns"]["age"]["hierarchy"] =
            json!({ "tree": { "[20, 30)": ["20", "21", "22", "43"], "[40, 50)": ["40", "41", "42", "23"] } });
        recipe["columns"][0]["shown"] = json!({ "level": 1 });
    };
    assert_refused(&bench, elsewhere, "shows `43` of `age` as `[20, 30)`, which does not cover it");
    let file = |recipe: &mut Value| recipe["files"]["more.csv"] = "00".into();
    assert_refused(&bench, file, "names the file `more.csv`, which its policy does not read");
    let anatomy = |recipe: &mut Value| {
        recipe["policy"]["method"] = json!({ "name": "anatomy" });
        recipe["policy"]["require"] = json!([{ "model": "distinct-l-diversity", "l": 2 }]);
    };
    assert_refused(&bench, anatomy, "its method is `anatomy`, of which there are no recipes");
}

#[test]
fn ranges_that_overlap_or_end_before_they_begin() {
    let bench = bench("quantiles = [2]", "name = \"full-domain\"");
    let recipe: Value = serde_json::from_str(&bench.text("recipe.json")).unwrap();
    assert!(recipe["columns"][0]["shown"]["labels"].is_array(), "{recipe:#}");
    let labels = |labels: &[&str]| {
        let labels = json!({ "labels": labels });
        move |recipe: &mut Value| recipe["columns"][0]["shown"] = labels
    };
    assert_refused(
        &bench,
        labels(&["[20, 30]", "[30, 50]"]),
        "`[20, 30]` and `[30, 50]` of `age` have values in common",
    );
    assert_refused(&bench, labels(&["[40, 50]", "[0, 99]", "[20, 30]"]), "have values in common");
    assert_refused(&bench, labels(&["[20, 30]", "[20, 30]"]), "have values in common");
    assert_refused(
        &bench,
        labels(&["[50, 20]", "[0, 10]"]),
        "label `[50, 20]` stands for no value that `age` could have",
    );
    assert_refused(&bench, labels(&["[20, 50]", "?"]), "label `?` stands for no value that `age` could have");
    assert_refused(&bench, labels(&["young", "old"]), "label `young` stands for no value");
    assert_refused(&bench, labels(&[]), "no labels for `age`");
    let of_job = |recipe: &mut Value| recipe["columns"][1]["shown"] = json!({ "labels": ["office"] });
    assert_refused(&bench, of_job, "labels for `job`, whose hierarchy makes no ranges of its own");
}

#[test]
fn classes_that_do_not_fit_their_columns() {
    let bench = bench("intervals = [10, 40]", "name = \"mondrian\"\nrefine = false\ncategories = \"sets\"");
    let class = |class: Value| move |recipe: &mut Value| recipe["classes"][0] = class;
    assert_refused(&bench, class(json!(["*", "*"])), "its class 1 has 2 labels, and there are 3 columns");
    assert_refused(&bench, class(json!(["*", "*", "*", "*"])), "its class 1 has 4 labels");
    assert_refused(
        &bench,
        class(json!(["[43, 20]", "*", "*"])),
        "label `[43, 20]` stands for no value that `age` could have",
    );
    assert_refused(
        &bench,
        class(json!(["*", "pilot", "*"])),
        "label `pilot` stands for no value that `job` could have",
    );
    assert_refused(&bench, class(json!(["*", "{clerk, pilot}", "*"])), "label `{clerk, pilot}` stands for no value");
    assert_refused(&bench, class(json!(["?", "*", "*"])), "label `?` stands for no value that `age` could have");
    assert_refused(&bench, class(json!(["*", "*", "32.01.2024"])), "stands for no value that `seen` could have");
    assert_refused(
        &bench,
        class(json!(["{{".repeat(200_000) + &"}}".repeat(200_000), "*", "*"])),
        "stands for no value",
    );
    let twice = |recipe: &mut Value| recipe["classes"][1] = recipe["classes"][0].clone();
    assert_refused(&bench, twice, "its class 2 is there twice");
    assert_refused(&bench, |recipe| recipe["classes"] = json!([]), "has no classes");
    let half = |recipe: &mut Value| recipe["columns"][1]["shown"] = "as-it-is".into();
    assert_refused(&bench, half, "it has classes, and columns that are not shown by them");
}
