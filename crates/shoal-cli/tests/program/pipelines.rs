//! Does the program fit into a pipeline?

use serde_json::{Value, json};

use crate::workbench::{Workbench, rows};

const POLICY: &str = r#"[input]
path = "table.csv"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 20] }
[columns.zip]
role = "quasi-identifier"
hierarchy = { mask = {} }
[columns.ill]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
"#;

fn table() -> String {
    let row = |n: u32| format!("{},1{}{},{}\n", 20 + n % 40, n % 3, n % 5, ["flu", "cold", "none"][n as usize % 3]);
    "age,zip,ill\n".to_owned() + &(0..120).map(row).collect::<String>()
}

fn bench() -> Workbench {
    Workbench::with(&[("policy.toml", POLICY), ("table.csv", &table())])
}

#[test]
fn a_table_goes_through_pipes() {
    let bench = bench();
    bench.must(&["anonymize", "policy.toml", "-o", "release.csv"]);
    let ran = bench.run_in_shell("cat table.csv | $SHOAL anonymize policy.toml --input - --output -");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, bench.text("release.csv").as_str()), "{ran}");
    assert!(ran.stderr.starts_with("stdout: 120 of 120 rows"), "{ran}");
    let ran = bench.run_in_shell("$SHOAL audit - --policy policy.toml < release.csv");
    assert_eq!(ran.code, 0, "{ran}");
    let ran = bench.run_in_shell("$SHOAL init - --yes < table.csv");
    assert!(ran.code == 0 && ran.stdout.contains("[columns.age]") && !ran.stdout.contains("path ="), "{ran}");
    let ran = bench.run_in_shell("$SHOAL solutions policy.toml --input - --json < table.csv | head -c 10");
    assert_eq!(ran.code, 0, "{ran}");
    // What came from stdin is not there for the next step.
    let ran = bench.run_in_shell("$SHOAL solutions policy.toml --input - < table.csv");
    assert!(ran.code == 0 && !ran.stdout.is_empty() && !ran.stderr.contains("next:"), "{ran}");
}

#[test]
fn formats_are_named() {
    let bench = bench();
    let ran = bench.run_in_shell(
        "$SHOAL anonymize policy.toml --output - --format jsonl -q > r.jsonl && $SHOAL audit - --format jsonl --policy policy.toml < r.jsonl",
    );
    assert_eq!(ran.code, 0, "{ran}");
    assert!(bench.text("r.jsonl").starts_with('{'));
    let ran = bench.run_in_shell("$SHOAL anonymize policy.toml --output - --format parquet -q | head -c 4");
    assert_eq!(ran.stdout, "PAR1", "{ran}");
    for (words, expected) in [
        ("anonymize policy.toml --output - --json", "the release and --json would both go to stdout"),
        ("anonymize policy.toml --output - --format sqlite", "a release cannot be written as release.sqlite"),
        (
            "anonymize policy.toml --input - --output r.csv --format xlsx < table.csv",
            "a table in xlsx cannot come from stdin",
        ),
        ("audit - --quasi age --report r.html < table.csv", "a certificate or a report is about a file"),
    ] {
        let ran = bench.run_in_shell(&format!("$SHOAL {words}"));
        assert!(ran.code == 2 && ran.stderr.contains(expected), "{words}\n{ran}");
    }
}

#[test]
fn a_file_is_what_its_name_says() {
    let bench = bench();
    bench.write("table.data", table());
    let ran = bench.run(&["init", "table.data", "--yes", "--format", "csv"]);
    assert!(ran.code == 2 && ran.stderr.contains("`- --format csv < table.data`"), "{ran}");
    let ran = bench.run_in_shell("$SHOAL init - --format csv --yes < table.data");
    assert!(ran.code == 0 && ran.stdout.contains("[columns.age]"), "{ran}");
}

#[test]
fn a_table_from_stdin_needs_a_place_for_its_release() {
    let bench = bench();
    let ran = bench.run_in_shell("$SHOAL anonymize policy.toml --input - < table.csv");
    assert!(ran.code == 2 && ran.stderr.contains("say `--output FILE`, `--output -` for stdout"), "{ran}");
}

#[test]
fn levels_are_chosen() {
    let bench = bench();
    let summary = bench.json(&["anonymize", "policy.toml", "--levels", "age=1,zip=3", "--json"]);
    assert_eq!(summary["levels"], json!({ "age": 1, "zip": 3 }));
    let found = bench.json(&["solutions", "policy.toml", "--json"]);
    let second = &found["minimal"][1]["levels"];
    assert_eq!(&bench.json(&["anonymize", "policy.toml", "--solution", "2", "--json"])["levels"], second);
    bench.must(&["audit", "table.release.csv", "--policy", "policy.toml"]);
    for (words, code, expected) in [
        (&["--levels", "age=0"][..], 1, "no class of these levels satisfies 2-anonymity"),
        (&["--levels", "agee=1"], 2, "did you mean `age`?"),
        (&["--levels", "age=9"], 2, "levels go from 0, its values as they are, to 3"),
        (&["--solution", "99"], 2, "and no number 99"),
        (&["--levels", "age=1", "--set", "method=mondrian"], 2, "one level for all rows"),
    ] {
        let ran = bench.run(&[&["anonymize", "policy.toml"], words].concat());
        assert!(ran.code == code && ran.stderr.contains(expected), "{words:?}\n{ran}");
    }
}

/// As the starter policy has it, whose keys the method of the hint would refuse.
#[test]
fn what_is_said_of_another_method_can_be_followed() {
    let bench = bench();
    let cutting = bench.text("policy.toml") + "[method]\nname = 'mondrian'\ncategories = 'sets'\n";
    bench.write("policy.toml", cutting);
    let ran = bench.run(&["anonymize", "policy.toml", "--solution", "1"]);
    assert!(ran.stderr.contains("say `--set method=full-domain --set method.local=false`, or"), "{ran}");
    let found = bench.must(&["solutions", "policy.toml"]);
    let next = found.stderr.lines().find_map(|line| line.strip_prefix("next: shoal ")).unwrap();
    assert_eq!(next, "anonymize policy.toml --set method=full-domain --set method.local=false --solution 1");
    bench.must(&next.split(' ').collect::<Vec<_>>());
    bench.must(&["anonymize", "policy.toml", "--set", "method.name=full-domain", "--levels", "age=1,zip=3"]);
}

#[test]
fn json_is_of_a_sane_size_and_mistakes_are_json_too() {
    let bench = bench();
    let audit = |more: &[&str]| {
        bench.json(&[&["audit", "table.csv", "--quasi", "age,zip,ill", "--json"], more].concat())["risk"].clone()
    };
    let (few, all) = (audit(&[]), audit(&["--subsets"]));
    let count = |risk: &Value| risk["subsets"].as_array().unwrap().len();
    assert_eq!((count(&few), count(&all), &few["subsets_looked_at"]), (3, 7, &json!(7)));
    let ran = bench.run(&["anonymize", "policy.toml", "--json", "--nonsense"]);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &object["error"]["kind"]), (2, &json!("policy")), "{ran}");
    assert!(object["format_version"].is_number(), "{ran}");
    let ran = bench.run(&["apply", "--json"]);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(object["error"]["text"], "the following required arguments were not provided", "{ran}");
    assert_eq!(object["error"]["details"], json!(["<RECIPE>", "<TABLE>"]), "{ran}");
    let ran = bench.run(&["audit", "table.csv", "--json"]);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(object["error"]["text"], "nothing says which columns could identify someone", "{ran}");
    assert!(object["error"]["hint"].as_str().unwrap().contains("--policy POLICY"), "{ran}");
}

#[test]
fn what_is_done_is_said_on_request() {
    let bench = bench();
    let ran = bench.must(&["anonymize", "policy.toml", "-v"]);
    assert!(ran.stderr.contains("recoding: 120, "), "{ran}");
    let ran = bench.must(&["anonymize", "policy.toml"]);
    assert!(!ran.stderr.contains("recoding"), "a short run needs no line\n{ran}");
    let ran = bench.must(&["--help"]);
    assert!(ran.stdout.contains("129, 130, 143"), "{ran}");
}

/// What stdin is redirected from is read like any other file.
#[test]
fn nothing_is_written_over_the_file_that_stdin_is() {
    let bench = bench();
    let table = bench.text("table.csv");
    bench.must(&["anonymize", "policy.toml", "--recipe", "recipe.json"]);
    for command in [
        "anonymize policy.toml --input - -o own.csv",
        "anonymize policy.toml --input - -o own.csv --overwrite",
        "anonymize policy.toml --input - -o other.csv --report own.csv --overwrite",
        "apply recipe.json - -o own.csv --overwrite",
        "init - --yes -o own.csv --overwrite",
    ] {
        bench.write("own.csv", &table);
        let ran = bench.run_in_shell(&format!("$SHOAL {command} < own.csv"));
        assert!(ran.code == 2 && ran.stderr.contains("would replace"), "{command}\n{ran}");
        assert_eq!(bench.text("own.csv"), table, "{command}");
        // From a pipe it is another file.
        let ran = bench.run_in_shell(&format!("cat table.csv | $SHOAL {command}"));
        assert!(!ran.stderr.contains("would replace"), "{command}\n{ran}");
    }
}

/// Whoever has a certificate of what did not arrive takes it for that of another release.
#[test]
fn what_is_said_of_a_release_that_cannot_be_printed_is_not_published() {
    let bench = bench();
    bench.write("c.json", "");
    let all = "--certificate c.json --report r.html --recipe k.json --overwrite";
    let ran = bench.run_in_shell(&format!("$SHOAL anonymize policy.toml --output - {all} > /dev/full"));
    assert!(ran.code == 2 && ran.stderr.contains("cannot write to stdout"), "{ran}");
    assert!(ran.stderr.contains("nothing was published"), "{ran}");
    assert_eq!(
        (bench.text("c.json").as_str(), bench.path("r.html").exists(), bench.path("k.json").exists()),
        ("", false, false)
    );
    let ran = bench.run_in_shell(&format!("$SHOAL anonymize policy.toml --output - {all} > printed.csv"));
    assert_eq!(ran.code, 0, "{ran}");
    bench.must(&["audit", "printed.csv", "--certificate", "c.json"]);
}

#[test]
fn paths_have_variables_of_the_environment() {
    let bench = bench();
    bench.write("policy.toml", POLICY.replace("table.csv", "${SHOAL_TEST_FOLDER}/table.csv"));
    let ran =
        bench.run_in_shell("mkdir data && mv table.csv data && SHOAL_TEST_FOLDER=data $SHOAL anonymize policy.toml");
    assert_eq!(ran.code, 0, "{ran}");
    assert!(bench.path("data/table.release.csv").exists());
    let ran = bench.run(&["anonymize", "policy.toml"]);
    assert!(ran.code == 2 && ran.stderr.contains("`SHOAL_TEST_FOLDER` in a path is no variable"), "{ran}");
}

#[test]
fn the_groups_of_sensitive_values_have_variables_too() {
    let bench = bench();
    let ills: std::collections::BTreeSet<String> =
        rows(&bench.text("table.csv"))[1..].iter().map(|row| row[2].clone()).collect();
    let groups: String = ills.iter().enumerate().map(|(place, ill)| format!("{ill},{}\n", place % 2)).collect();
    bench.write("lists/groups.csv", groups);
    let likelihoods: String = ills.iter().enumerate().map(|(place, ill)| format!("{ill},0.{place}\n")).collect();
    bench.write("lists/likelihoods.csv", likelihoods);
    for groups in [
        "{ file = \"${SHOAL_LISTS}/groups.csv\" }",
        "{ likelihoods = \"${SHOAL_LISTS}/likelihoods.csv\", delta = 0.1 }",
    ] {
        let require =
            format!("[[require]]\nmodel = \"a-d-diversity\"\ncolumn = \"ill\"\na = 1\nd = 1\ngroups = {groups}\n");
        bench.write("policy.toml", POLICY.to_owned() + &require);
        let ran = bench.run_in_shell("SHOAL_LISTS=lists $SHOAL anonymize policy.toml --overwrite");
        assert_eq!(ran.code, 0, "{ran}");
        let ran = bench.run(&["anonymize", "policy.toml"]);
        assert!(ran.code == 2 && ran.stderr.contains("`SHOAL_LISTS` in a path is no variable"), "{ran}");
    }
}

/// Four people cannot be among six that look the same.
#[test]
fn solutions_and_comparisons_say_what_would_be_enough() {
    let bench = Workbench::with(&[
        ("policy.toml", POLICY),
        ("table.csv", "age,zip,ill\n20,1,flu\n31,2,flu\n42,3,cold\n53,4,none\n"),
    ]);
    let ran = bench.run(&["solutions", "policy.toml", "--set", "require[0].k=6"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(!ran.stdout.contains("`shoal anonymize` says which comes closest"), "{ran}");
    let ran = bench.run(&["solutions", "policy.toml", "--set", "require[0].k=6", "--json"]);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(object["in_the_way"]["hint"].is_string(), "{ran}");
    let ran = bench.run(&["compare", "policy.toml", "--vary", "k=2,6"]);
    assert!(ran.stdout.contains("no release for") && ran.stdout.contains("hint: "), "{ran}");
}

#[test]
fn what_only_the_header_tells_is_warned_of_too() {
    let bench = Workbench::new();
    let word = |n: usize| char::from(b'a' + (n % 26) as u8).to_string().repeat(2 + n / 26);
    let row = |n: usize| format!("{},{},{n},Ann{} Lee{}\n", 20 + n % 40, n / 2, word(n), word(n * 3));
    bench.write("table.csv", format!("age,hhid,shoe,who\n{}", (0..120).map(row).collect::<String>()));
    let policy = |role: &str| {
        format!(
            "[input]\npath = \"table.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [10, 20] }}\n\
             [columns.shoe]\nrole = \"identifier\"\n[columns.hhid]\nrole = \"{role}\"\n[columns.who]\nrole = \"{role}\"\n\
             [[require]]\nmodel = \"k-anonymity\"\nk = 2\n"
        )
    };
    bench.write("policy.toml", policy("insensitive"));
    let ran = bench.run(&["anonymize", "policy.toml", "--strict"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("`hhid` is published, and it is named like"), "{ran}");
    assert!(ran.stderr.contains("`who` is published") && ran.stderr.contains("could be names of people"), "{ran}");
    assert!(!bench.path("table.release.csv").exists() && !ran.stderr.contains("Annaa"), "{ran}");
    bench.write("policy.toml", policy("identifier"));
    bench.must(&["anonymize", "policy.toml", "--strict"]);
}

#[test]
fn ranges_stand_in_two_columns() {
    let bench = bench();
    bench.write("policy.toml", POLICY.to_owned() + "[output]\nranges = \"two-columns\"\n");
    bench.must(&["anonymize", "policy.toml", "--recipe", "r.json"]);
    let release = rows(&bench.text("table.release.csv"));
    assert_eq!(release[0], ["age_low", "age_high", "zip", "ill"]);
    for row in &release[1..] {
        let (low, high): (f64, f64) = (row[0].parse().unwrap(), row[1].parse().unwrap());
        assert!(low <= high, "{row:?}");
    }
    bench.must(&["audit", "table.release.csv", "--policy", "policy.toml", "--original", "table.csv"]);
    bench.must(&["apply", "r.json", "table.csv", "-o", "again.csv"]);
    assert_eq!(bench.text("again.csv"), bench.text("table.release.csv"));
    for ending in ["parquet", "jsonl", "xlsx"] {
        let name = format!("r.{ending}");
        bench.must(&["anonymize", "policy.toml", "-o", &name]);
        bench.must(&["audit", &name, "--policy", "policy.toml"]);
    }
    bench.must(&["anonymize", "policy.toml", "--set", "method.name=mondrian", "-o", "m.csv"]);
    let ran = bench.run(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    assert!(ran.code == 2 && ran.stderr.contains("there is no certificate of a release with `ranges"), "{ran}");
    let ran = bench.run(&["check", "policy.toml", "--set", "method.name=anatomy"]);
    assert!(ran.code == 2 && ran.stderr.contains("`ranges = \"two-columns\"` is for ranges"), "{ran}");
}

/// What the audit reads from two columns is what the run made, to the last digit.
#[test]
fn two_columns_tell_what_labels_tell() {
    let bench = bench();
    let audit = |ranges: &str| {
        let set = format!("output.ranges={ranges}");
        bench.must(&["anonymize", "policy.toml", "--set", &set, "-o", "r.csv", "--overwrite"]);
        let mut found = bench.json(&[
            "audit",
            "r.csv",
            "--policy",
            "policy.toml",
            "--set",
            &set,
            "--original",
            "table.csv",
            "--json",
        ]);
        found.as_object_mut().unwrap().remove("warnings");
        found
    };
    assert_eq!(audit("labels"), audit("two-columns"));
}

#[test]
fn a_workbook_is_written_and_verified() {
    let bench = bench();
    bench.must(&["anonymize", "policy.toml", "-o", "a.xlsx"]);
    bench.must(&["anonymize", "policy.toml", "-o", "b.xlsx"]);
    assert_eq!(bench.bytes("a.xlsx"), bench.bytes("b.xlsx"));
    bench.must(&["audit", "a.xlsx", "--policy", "policy.toml", "--original", "table.csv"]);
}
