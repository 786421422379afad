//! Does a certificate tell a release that was changed from one that was not, and does it claim nothing that is not so?

use serde_json::{Value, json};
use shoal_report::Hash;

use crate::workbench::Workbench;

fn certified() -> Workbench {
    let bench = Workbench::with_example("inpatients");
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    bench
}

const AUDIT: [&str; 4] = ["audit", "release.csv", "--certificate", "c.json"];

fn certificate(bench: &Workbench) -> Value {
    serde_json::from_str(&bench.text("c.json")).unwrap()
}

/// Writes a certificate as Shoal would.
fn forge(bench: &Workbench, certificate: &Value) {
    bench.write("c.json", format!("{certificate:#}\n"));
}

/// Replaces the release, and what the certificate says of the file.
fn forge_release(bench: &Workbench, release: &str, certificate: &mut Value) {
    bench.write("release.csv", release);
    certificate["release"]["sha256"] = json!(Hash::of(release.as_bytes()).to_string());
    forge(bench, certificate);
}

#[test]
fn a_release_is_what_its_certificate_says() {
    let bench = certified();
    let ran = bench.must(&AUDIT);
    assert!(ran.stdout.starts_with("the table is what its certificate says: the same file"), "{ran}");
    assert!(ran.stdout.contains("not signed: it proves nothing about who made it"), "{ran}");
    let trusted = "not checked, said by whoever made it:\n  what columns are to an attacker: quasi-identifier Age, Nationality, Zip \
                   Code; sensitive Condition\n";
    assert!(ran.stdout.contains(trusted), "{ran}");
    assert!(ran.stdout.contains("entropy 2.5-diversity of Condition     ≥ 2.5     2.828  holds"), "{ran}");
    let json = bench.json(&[&AUDIT[..], &["--json", "--policy", "policy.toml"]].concat());
    assert_eq!(json["certificate"]["holds"], true, "{json:#}");
    assert_eq!(json["certificate"]["signature"], "absent", "{json:#}");
}

#[test]
fn the_same_run_gives_the_same_certificate_and_says_nothing_of_the_input() {
    let bench = certified();
    let first = bench.text("c.json");
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json", "--threads", "1"]);
    assert_eq!(bench.text("c.json"), first);
    let certificate = certificate(&bench);
    assert_eq!(certificate["release"]["rows"], 12);
    assert_eq!(certificate["release"]["columns"], json!(["Zip Code", "Age", "Nationality", "Condition"]));
    assert_eq!(certificate["stated_by_its_maker"]["levels"]["Age"], 3);
    assert!(!first.contains("Cancer") && !first.contains("13053"), "{first}");
}

#[test]
fn one_changed_byte_is_found() {
    let bench = certified();
    let release = bench.text("release.csv");
    // Somebody moves to another class.
    let changed = release.replacen("1305*", "1306*", 1);
    assert_ne!(release, changed);
    bench.write("release.csv", &changed);
    let ran = bench.run(&AUDIT);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(
        ran.stdout.starts_with("the table is NOT what its certificate says\n  the release is another file"),
        "{ran}"
    );
    // What differs in what it promises is said, too.
    assert!(ran.stdout.contains("4-anonymity does not hold now, unlike in the certificate"), "{ran}");
    assert!(!ran.stdout.contains("the same file"), "{ran}");
}

#[test]
fn a_file_that_is_no_table_any_more_is_found() {
    let bench = certified();
    bench.write("release.csv", bench.text("release.csv") + "x");
    let ran = bench.run(&AUDIT);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("the release is another file"), "{ran}");
}

#[test]
fn a_changed_policy_is_found() {
    let bench = certified();
    bench.write("policy.toml", bench.text("policy.toml") + "\n# a remark\n");
    let ran = bench.run(&[&AUDIT[..], &["--policy", "policy.toml"]].concat());
    assert_eq!((ran.code, ran.stdout.contains("the policy is another file")), (1, true), "{ran}");
}

#[test]
fn both_tables_of_a_release_are_certified() {
    let bench = Workbench::with_example("inpatients");
    let policy =
        bench.text("policy.toml").replace("name = \"full-domain\"\nsearch = \"optimal\"\n", "name = \"anatomy\"\n");
    let (start, end) = (policy.find("[[require]]").unwrap(), policy.rfind("[[require]]").unwrap());
    bench.write("policy.toml", format!("{}{}", &policy[..start], &policy[end..]));
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    let audit = [&AUDIT[..], &["--sensitive-table", "release.sensitive.csv"]].concat();
    bench.must(&audit);
    let table = bench.text("release.sensitive.csv");
    bench.write("release.sensitive.csv", table.replacen("Cancer", "cancer", 1));
    let ran = bench.run(&audit);
    assert_eq!((ran.code, ran.stdout.contains("the table of sensitive values is another file")), (1, true), "{ran}");
    // Without its hash the two are not the same files, whatever the other one is.
    bench.write("release.sensitive.csv", table);
    let mut certificate = certificate(&bench);
    certificate["sensitive_table"]["sha256"] = Value::Null;
    forge(&bench, &certificate);
    let ran = bench.must(&audit);
    assert!(!ran.stdout.contains("the same file"), "{ran}");
}

#[test]
fn what_is_no_certificate_is_refused() {
    let bench = certified();
    for text in ["{}", "not json", "{\"certificate\": 99}", "{\"certificate\": 1}", "", "\u{0}", "[]"] {
        bench.write("c.json", text);
        let ran = bench.run(&AUDIT);
        assert_eq!((ran.code, ran.stderr.contains("c.json is")), (2, true), "{ran}");
    }
}

#[test]
fn without_a_hash_it_is_not_the_same_file() {
    let bench = certified();
    let mut certificate = certificate(&bench);
    certificate["release"]["sha256"] = Value::Null;
    forge(&bench, &certificate);
    let ran = bench.must(&AUDIT);
    assert!(!ran.stdout.contains("the same file") && ran.stdout.contains("it may be another file"), "{ran}");
    assert_eq!(bench.json(&[&AUDIT[..], &["--json"]].concat())["certificate"]["same_file"], false);
    certificate["release"].as_object_mut().unwrap().remove("sha256");
    forge(&bench, &certificate);
    let ran = bench.run(&AUDIT);
    assert!(ran.code == 2 && ran.stderr.contains("missing field `sha256`"), "{ran}");
}

/// A copy of what a cluster has written is a folder.
#[test]
fn a_folder_is_audited_and_is_not_the_file_of_a_certificate() {
    let bench = certified();
    bench.write("copy/part-0.csv", bench.text("release.csv"));
    let audit = ["audit", "copy", "--certificate", "c.json"];
    let ran = bench.run(&audit);
    assert!(ran.code == 1, "{ran}");
    assert!(ran.stdout.contains("the release is a folder, and the certificate is about one file"), "{ran}");
    assert!(!ran.stdout.contains("the same file"), "{ran}");
    bench.must(&["audit", "copy", "--quasi", "Age", "--report", "r.html"]);
    assert!(bench.text("r.html").contains("<html"));
    let mut certificate = certificate(&bench);
    certificate["release"]["sha256"] = Value::Null;
    forge(&bench, &certificate);
    bench.must(&audit);
}

/// A table that is read rightly only by what its policy says of it.
fn certified_as_said() -> (Workbench, String) {
    let bench = Workbench::with_example("inpatients");
    let table = bench.text("inpatients.csv").replace(',', "^").replace("Cancer", "Kr\u{e4}bs");
    bench.write("inpatients.csv", table.chars().map(|letter| letter as u8).collect::<Vec<u8>>());
    let said = "[input]\ndelimiter = \"^\"\nencoding = \"windows-1252\"\n";
    bench.write("policy.toml", bench.text("policy.toml").replacen("[input]\n", said, 1));
    let ran = bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    (bench, ran.stderr)
}

#[test]
fn the_next_step_says_what_a_certificate_does_not() {
    let (bench, said) = certified_as_said();
    let next = said.lines().find_map(|line| line.strip_prefix("next: shoal ")).unwrap();
    assert_eq!(next, "audit release.csv --certificate c.json --encoding windows-1252 --delimiter '^'");
    let ran = bench.run_in_shell(&format!("$SHOAL {next}"));
    assert!(ran.code == 0 && ran.stdout.contains("the same file"), "{ran}");
}

/// Nothing has changed; it would only be read otherwise without what the policy says.
#[test]
fn another_file_that_is_missing_says_nothing_about_the_release() {
    let (bench, _) = certified_as_said();
    let audit = [&AUDIT[..], &["--policy", "policy.toml", "--original", "nowhere.csv"]].concat();
    let ran = bench.run(&audit);
    assert!(ran.code == 2 && ran.stderr.contains("nowhere.csv") && !ran.stderr.contains("certificate"), "{ran}");
}

#[test]
fn what_a_certificate_tells_is_not_said_again() {
    let ran = certified().run(&[&AUDIT[..], &["--skip", "1"]].concat());
    let said =
        "the certificate says how its table is written, but for `--encoding` and `--delimiter`, and so does `--skip`";
    assert!(ran.code == 2 && ran.stderr.contains(said) && !ran.stderr.contains("--set"), "{ran}");
}

/// Whoever changes the release and gives the certificate its new hash.
#[test]
fn columns_are_those_of_the_certificate() {
    let bench = certified();
    let (release, certified) = (bench.text("release.csv"), certificate(&bench));
    let with_names: Vec<String> = release.lines().enumerate().map(|(row, line)| format!("Name {row},{line}")).collect();
    let without_last = |text: &str, keep: usize| {
        let line = |line: &str| line.split(',').take(keep).collect::<Vec<_>>().join(",") + "\n";
        text.lines().map(line).collect::<String>()
    };
    let reordered: String = release
        .lines()
        .map(|line| line.rsplit_once(',').map(|(rest, last)| format!("{last},{rest}\n")).unwrap())
        .collect();
    for (changed, said) in [
        (with_names.join("\n") + "\n", "the release has a column `Name 0` that the certificate does not have"),
        (reordered, "in another order"),
        (without_last(&release, 3), "the release lacks the column `Condition` of the certificate"),
    ] {
        forge_release(&bench, &changed, &mut certified.clone());
        let ran = bench.run(&AUDIT);
        assert!(ran.code == 1 && ran.to_string().contains(said), "{said}\n{ran}");
    }
}

/// Whoever changes what the certificate says, and leaves the release.
#[test]
fn claims_that_are_not_so_are_found() {
    let bench = certified();
    let original = certificate(&bench);
    let mut invented = original["models"][0].clone();
    invented["label"] = json!("400-anonymity");
    let mut consistent = invented.clone();
    (consistent["parameters"]["k"], consistent["required"]) = (json!(400), json!(400.0));
    type Change<'a> = Box<dyn Fn(&mut Value) + 'a>;
    let stated = "stated_by_its_maker";
    let changes: Vec<(&str, i32, Change<'_>)> = vec![
        ("4-anonymity requires 4, the certificate has 400", 1, Box::new(|c| c["models"][0]["required"] = json!(400))),
        ("reaches 4, the certificate has 400", 1, Box::new(|c| c["models"][0]["achieved"] = json!(400))),
        (
            "4-anonymity was measured, the certificate has 400-anonymity",
            1,
            Box::new(|c| c["models"][0]["label"] = json!("400-anonymity")),
        ),
        ("4-anonymity was measured", 1, Box::new(|c| c["models"].as_array_mut().unwrap().push(invented.clone()))),
        (
            "400-anonymity does not hold now",
            1,
            Box::new(|c| c["models"].as_array_mut().unwrap().push(consistent.clone())),
        ),
        ("there is no model", 2, Box::new(|c| c["models"][0]["model"] = json!("perfect-privacy"))),
        ("there is no guarantee `perfect`", 2, Box::new(|c| c[stated]["guarantee"] = json!("perfect"))),
        ("there is no method `magic`", 2, Box::new(|c| c[stated]["method"] = json!("magic"))),
        ("unknown field `guarantees`", 2, Box::new(|c| c["guarantees"] = json!("absolute anonymity"))),
        (
            "does not say what the column `Nationality` is",
            2,
            Box::new(|c| {
                c[stated]["roles"].as_object_mut().unwrap().shift_remove("Nationality");
            }),
        ),
        (
            "says what the column `Name` is, which is not released",
            2,
            Box::new(|c| c[stated]["roles"]["Name"] = json!("identifier")),
        ),
        (
            "says something about the column `x`",
            2,
            Box::new(|c| c[stated]["dates"] = json!({ "x": { "dates": "day-first" } })),
        ),
        (
            "has rows of different lengths",
            2,
            Box::new(|c| c[stated]["hierarchies"] = json!({ "Condition": [["Cancer", 1], ["Flu"]] })),
        ),
        (
            "a parameter `model` that is none",
            2,
            Box::new(|c| c["models"][0]["parameters"]["model"] = json!("t-closeness")),
        ),
        ("there is no key `m` here", 2, Box::new(|c| c["models"][0]["parameters"]["m"] = json!(7))),
        ("it certifies nothing", 2, Box::new(|c| c["models"] = json!([]))),
        ("the threshold of small counts is 10", 1, Box::new(|c| c["threshold"] = json!(2))),
        ("12 were released", 1, Box::new(|c| c[stated]["input_rows"] = json!(1000))),
        ("has only one of the rows of the input", 2, Box::new(|c| c[stated]["suppressed_rows"] = Value::Null)),
        ("has only one of the rows of the input", 2, Box::new(|c| c[stated]["input_rows"] = Value::Null)),
        (
            "names values of `Condition` that the release does not show",
            1,
            Box::new(|c| {
                c[stated]["hierarchies"] =
                    json!({ "Condition": [["Cancer", 1], ["Heart Disease", 2], ["Viral Infection", 2], ["Kuru", 1]] });
            }),
        ),
    ];
    for (said, code, change) in changes {
        let mut changed = original.clone();
        change(&mut changed);
        assert_ne!(changed, original);
        forge(&bench, &changed);
        let ran = bench.run(&AUDIT);
        assert!(ran.code == code && ran.to_string().contains(said), "{said}\n{ran}");
    }
}

/// A quasi-identifier that is said to be something else makes other classes; the columns of the policy are compared, too.
#[test]
fn a_shortened_list_of_quasi_identifiers_is_found() {
    let bench = Workbench::with_example("inpatients");
    let policy = bench.text("policy.toml").replace("k = 4", "k = 2").replace("l = 2.5", "l = 1.2");
    bench.write("policy.toml", policy);
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    let original = certificate(&bench);
    for column in ["Age", "Zip Code", "Nationality"] {
        let mut changed = original.clone();
        changed["stated_by_its_maker"]["roles"][column] = json!("insensitive");
        forge(&bench, &changed);
        let ran = bench.run(&AUDIT);
        assert!(
            ran.code == 2 && ran.stderr.contains(&format!("agree on whether `{column}` is a quasi-identifier")),
            "{ran}"
        );
    }
    // Without levels, the classes tell.
    let mut changed = original.clone();
    changed["stated_by_its_maker"]["roles"]["Zip Code"] = json!("insensitive");
    changed["stated_by_its_maker"]["levels"] = Value::Null;
    forge(&bench, &changed);
    let ran = bench.run(&AUDIT);
    assert!(ran.code == 1 && ran.stdout.contains("classes, the certificate has"), "{ran}");
    let ran = bench.run(&[&AUDIT[..], &["--policy", "policy.toml"]].concat());
    assert!(ran.code == 1 && ran.stdout.contains("the column `Zip Code` is insensitive in the certificate"), "{ran}");
}

/// Every place of the certificate outside the statements: what is left out, is of another type, or has another value is found.
#[test]
fn nothing_outside_the_statements_can_be_changed() {
    let bench = certified();
    let original = certificate(&bench);
    let mut paths = Vec::new();
    collect(&original, "", &mut paths);
    paths.retain(|path| !path.starts_with("/stated_by_its_maker/") && !path.is_empty());
    assert!(paths.len() > 30, "{paths:?}");
    for path in &paths {
        let (parent, key) = path.rsplit_once('/').unwrap();
        for change in ["remove", "null", "text", "number", "other"] {
            let mut changed = original.clone();
            match (change, changed.pointer_mut(parent).unwrap()) {
                ("remove", Value::Object(parent)) => drop(parent.shift_remove(&key.replace("~1", "/"))),
                ("remove", Value::Array(parent)) => drop(parent.remove(key.parse().unwrap())),
                _ => {
                    let value = changed.pointer_mut(path).unwrap();
                    *value = match (change, &*value) {
                        ("null", _) => Value::Null,
                        ("text", _) => json!("text"),
                        ("number", _) => json!(7),
                        (_, Value::Bool(value)) => json!(!value),
                        (_, Value::Number(value)) => json!(value.as_f64().unwrap() * 1.5),
                        (_, Value::String(value)) => json!(format!("{value}x")),
                        (_, Value::Array(list)) => json!([list, []]),
                        (_, Value::Object(_)) => json!({ "unknown": 1 }),
                        (_, Value::Null) => json!({}),
                    };
                }
            }
            // It says less then, and nothing that is not so.
            let is_no_hash = path == "/release/sha256" && change == "null";
            let is_no_claim = parent == "/models" && change == "remove";
            if changed == original || is_no_hash || is_no_claim {
                continue;
            }
            forge(&bench, &changed);
            let ran = bench.run(&AUDIT);
            assert!([1, 2].contains(&ran.code), "{change} {path}\n{ran}");
        }
    }
}

fn collect(value: &Value, path: &str, paths: &mut Vec<String>) {
    paths.push(path.to_owned());
    match value {
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| collect(value, &format!("{path}/{}", key.replace('/', "~1")), paths));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, value)| collect(value, &format!("{path}/{at}"), paths));
        }
        _ => {}
    }
}

/// What a certificate leaves out unless there is something to say, nobody misses who gets it without.
#[test]
fn every_key_is_written_always() {
    let bench = certified();
    let original = certificate(&bench);
    for place in ["", "/release", "/models/0", "/stated_by_its_maker"] {
        let mut changed = original.clone();
        let keys = changed.pointer_mut(place).unwrap().as_object_mut().unwrap();
        let mut written: Vec<String> = keys.keys().cloned().collect();
        keys.insert("none such".to_owned(), json!(1));
        forge(&bench, &changed);
        let ran = bench.run(&AUDIT);
        assert_eq!(ran.code, 2, "{place}\n{ran}");
        // Whoever reads a key that is not known names all that are.
        let (_, known) = ran.stderr.split_once("unknown field `none such`, expected one of ").unwrap();
        let known = known.split_once(" at line").unwrap().0;
        let mut known: Vec<String> = known.split(", ").map(|key| key.trim_matches('`').to_owned()).collect();
        written.sort();
        known.sort();
        assert_eq!(written, known, "{place}");
    }
}

#[test]
fn every_statement_must_be_there_and_be_of_its_kind() {
    let bench = certified();
    let original = certificate(&bench);
    let stated = original["stated_by_its_maker"].as_object().unwrap();
    assert!(stated.contains_key("thousands") && stated.contains_key("published_numbers"), "{original:#}");
    for key in stated.keys() {
        let mut changed = original.clone();
        changed["stated_by_its_maker"].as_object_mut().unwrap().shift_remove(key);
        forge(&bench, &changed);
        let ran = bench.run(&AUDIT);
        assert!(ran.code == 2 && ran.stderr.contains(&format!("missing field `{key}`")), "{ran}");
        changed["stated_by_its_maker"][key] = json!([[true]]);
        forge(&bench, &changed);
        assert_eq!(bench.run(&AUDIT).code, 2, "{key}");
    }
    let twice = bench.text("c.json").replacen("\"certificate\": 2,", "\"certificate\": 2,\n  \"threshold\": 10,", 1);
    bench.write("c.json", twice);
    assert_eq!(bench.run(&AUDIT).code, 2);
}

#[test]
fn how_numbers_are_published_is_taken_on_trust_and_about_released_columns() {
    let bench = certified();
    let mut changed = certificate(&bench);
    let column = changed["release"]["columns"][0].as_str().unwrap().to_owned();
    changed["stated_by_its_maker"]["published_numbers"] = json!({ &column: "rounded to multiples of 5" });
    forge(&bench, &changed);
    let ran = bench.must(&AUDIT);
    assert!(ran.stdout.contains(&format!("that the numbers of {column} are rounded to multiples of 5")), "{ran}");
    changed["stated_by_its_maker"]["published_numbers"] = json!({ "none such": "rounded to multiples of 5" });
    forge(&bench, &changed);
    let ran = bench.run(&AUDIT);
    assert!(ran.code == 2 && ran.stderr.contains("the column `none such`, which is not released"), "{ran}");
}

/// How dates are read must not decide anything else: not which columns tell who somebody is, and not which files are read.
#[test]
fn what_is_said_of_dates_says_nothing_else() {
    let bench = certified();
    let original = certificate(&bench);
    bench.write("outside.csv", "28;*\n");
    for said in [
        json!({ "role": "insensitive" }),
        json!({ "hierarchy": { "file": "outside.csv" } }),
        json!({ "publish": { "round": 5 } }),
    ] {
        let mut changed = original.clone();
        changed["stated_by_its_maker"]["dates"] = json!({ "Age": said });
        forge(&bench, &changed);
        let ran = bench.run(&AUDIT);
        let key = said.as_object().unwrap().keys().next().unwrap();
        assert!(ran.code == 2 && ran.stderr.contains(&format!("unknown field `{key}`")), "{ran}");
    }
    let mut changed = original;
    changed["stated_by_its_maker"]["dates"] = json!({ "Age": { "dates": "day-first", "two-digit-years": 1930 } });
    forge(&bench, &changed);
    bench.must(&AUDIT);
}

/// What a stranger's certificate says must not reach the terminal as it is.
#[test]
fn texts_of_a_certificate_do_nothing_to_a_terminal() {
    let bench = certified();
    let mut certificate = certificate(&bench);
    certificate["stated_by_its_maker"]["warnings"] = json!([{ "id": "x", "text": "\u{1b}[2Jgone" }]);
    certificate["stated_by_its_maker"]["shoal"] = json!("\u{1b}]0;x\u{7}");
    certificate["models"][0]["label"] = json!("\u{1b}[31m");
    forge(&bench, &certificate);
    let ran = bench.run(&AUDIT);
    assert!(!ran.to_string().contains('\u{1b}'), "{ran}");
}

const ILLNESSES: &str = "{ tree = { infection = [\"flu\", \"mumps\", \"measles\"], organ = [{ heart = [\"angina\"] }, { stomach = [\"ulcer\", \"gastritis\"] }] } }";

/// Twelve people, and a requirement about the hierarchy of what they have.
fn hierarchical(require: &str) -> Workbench {
    let mut table = "age,ill\n".to_owned();
    let ills =
        ["flu", "angina", "ulcer", "mumps", "gastritis", "flu", "angina", "flu", "ulcer", "mumps", "gastritis", "flu"];
    ills.iter().enumerate().for_each(|(at, ill)| table += &format!("{},{ill}\n", 20 + at));
    let policy = format!(
        "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ intervals = [4, 8] }}\n[columns.ill]\nrole = \"sensitive\"\nhierarchy = {ILLNESSES}\n\
         [[require]]\nmodel = \"k-anonymity\"\nk = 3\n[[require]]\n{require}\n"
    );
    Workbench::with(&[("table.csv", &table), ("policy.toml", &policy)])
}

#[test]
fn hierarchies_travel_without_what_the_release_does_not_show() {
    for require in [
        "model = \"t-closeness\"\ncolumn = \"ill\"\nt = 0.4\ndistance = \"hierarchical\"",
        "model = \"a-d-diversity\"\ncolumn = \"ill\"\na = 1\nd = 2\ngroups = { level = 1 }",
        "model = \"alpha-k-anonymity\"\ncolumn = \"ill\"\nalpha = 0.7\nk = 2\nvalues = [\"flu\", \"measles\"]",
        "model = \"tau-l-diversity\"\ncolumn = \"ill\"\ntau = 0.8\nl = 2\nweights = { flu = 1, mumps = 2, measles = 3, angina = 1, ulcer = 1, gastritis = 1 }",
    ] {
        let bench = hierarchical(require);
        let ran = bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
        // The advice is followed to the letter.
        let advice = ran.stderr.lines().find_map(|line| line.strip_prefix("next: shoal ")).expect("advice").to_owned();
        assert_eq!(advice, "audit release.csv --certificate c.json");
        let ran = bench.must(&advice.split(' ').collect::<Vec<_>>());
        assert!(ran.stdout.starts_with("the table is what its certificate says: the same file"), "{ran}");
        let text = bench.text("c.json");
        for hidden in ["infection", "organ", "heart", "stomach", "measles"] {
            assert!(!text.contains(hidden), "{hidden}\n{text}");
        }
        let certificate = certificate(&bench);
        assert_eq!(certificate["models"].as_array().unwrap().len(), 2, "{text}");
        assert_eq!(certificate["stated_by_its_maker"]["models"], json!([]), "{text}");
    }
}

#[test]
fn a_forged_hierarchy_gives_another_distance() {
    let bench = hierarchical("model = \"t-closeness\"\ncolumn = \"ill\"\nt = 0.4\ndistance = \"hierarchical\"");
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    let mut certificate = certificate(&bench);
    let rows = certificate["stated_by_its_maker"]["hierarchies"]["ill"].as_array_mut().unwrap();
    assert_eq!(rows.len(), 5);
    // All of them are alike now.
    rows.iter_mut().for_each(|row| (row[1], row[2]) = (json!(1), json!(2)));
    forge(&bench, &certificate);
    let ran = bench.run(&AUDIT);
    assert!(ran.code == 1 && ran.stdout.contains("the certificate has"), "{ran}");
}

/// What needs the original to be checked is said to be said.
#[test]
fn what_the_release_does_not_tell_is_a_statement() {
    let bench = hierarchical("model = \"t-closeness\"\ncolumn = \"ill\"\nt = 0.4\nreference = \"table\"");
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    let ran = bench.must(&AUDIT);
    let said = "the same file, and every count worked out anew, and every model but those below\n";
    assert!(ran.stdout.contains(said) && ran.stdout.contains("not checked, said by whoever made it:"), "{ran}");
    let said = "that the release has 0.4-closeness of ill (equal distance, against the input)";
    assert!(ran.stdout.contains(said), "{ran}");
    let stated = &certificate(&bench)["stated_by_its_maker"]["models"][0];
    let of_model = (&stated["model"]["holds"], &stated["model"]["achieved"]);
    assert_eq!(of_model, (&json!(true), &Value::Null), "of so few rows no figure is told");
    assert_eq!(stated["takes"], "original");
    let ran = bench.must(&[&AUDIT[..], &["--policy", "policy.toml", "--original", "table.csv"]].concat());
    assert!(ran.stdout.contains("every count and model worked out anew\n") && !ran.stdout.contains(said), "{ran}");
    let mut certificate = certificate(&bench);
    certificate["stated_by_its_maker"]["models"][0]["model"]["required"] = json!(0.1);
    forge(&bench, &certificate);
    let ran = bench.run(&[&AUDIT[..], &["--policy", "policy.toml", "--original", "table.csv"]].concat());
    assert!(ran.code == 1 && ran.stdout.contains("is not as the certificate says"), "{ran}");
    // What contradicts itself, or the other models, needs no original.
    let says = |key: &str, value: Value, code: i32, said: &str| {
        let mut forged = certificate.clone();
        match key {
            "threshold" => forged["threshold"] = value,
            key => forged["stated_by_its_maker"]["models"][0]["model"][key] = value,
        }
        forge(&bench, &forged);
        let ran = bench.run(&AUDIT);
        assert!(ran.code == code && format!("{ran}").contains(said), "{ran}");
    };
    says("holds", json!(false), 1, "it says itself that this does not hold");
    says("required", json!({ "anything": ["goes"] }), 1, "its parameters ask for something else");
    says("required", json!(0.1), 1, "its parameters ask for something else");
    says("threshold", json!(0), 1, "the threshold of small counts");
    says("threshold", json!(1000), 1, "the threshold of small counts is 10, the certificate has 1000");
}

/// The hierarchical table with two rows for each person, released by a policy that counts people.
fn of_people(require: &str) -> Workbench {
    let bench = hierarchical(require);
    let twice = |(row, line): (usize, &str)| format!("{line},P{row}\n").repeat(2);
    let table: String = bench.text("table.csv").lines().skip(1).enumerate().map(twice).collect();
    bench.write("table.csv", format!("age,ill,who\n{table}"));
    bench.write("policy.toml", bench.text("policy.toml").replacen("[output]", "person = \"who\"\n[output]", 1));
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    bench
}

/// Nobody who has the release alone can count its people, and what is said of them may still contradict what everybody sees.
#[test]
fn a_stated_model_says_what_its_parameters_say_and_what_the_release_allows() {
    let bench = of_people("model = \"distinct-l-diversity\"\ncolumn = \"ill\"\nl = 2");
    let original = certificate(&bench);
    let stated = original["stated_by_its_maker"]["models"].as_array().unwrap();
    let labels: Vec<&Value> = stated.iter().map(|stated| &stated["model"]["label"]).collect();
    assert_eq!(labels, ["3-anonymity (people)", "distinct 2-diversity of ill (people)"]);
    assert!(stated.iter().all(|stated| stated["takes"] == "people"), "{stated:?}");
    let ran = bench.must(&AUDIT);
    assert!(ran.stdout.contains("that the release has 3-anonymity (people)"), "{ran}");
    let smallest = original["release"]["smallest_class"].as_u64().unwrap();
    let asked = |model: &mut Value, key: &str, number: u64, label: String| {
        model["parameters"][key] = json!(number);
        (model["required"], model["label"], model["achieved"]) = (json!(number), json!(label), Value::Null);
    };
    type Forgery<'f> = Box<dyn Fn(&mut Value) + 'f>;
    let forgeries: [(&str, Forgery<'_>); 9] = [
        ("its parameters ask for something else", Box::new(|s| s[0]["model"]["label"] = json!("perfect privacy"))),
        ("its parameters ask for something else", Box::new(|s| s[0]["model"]["required"] = json!(7))),
        ("its parameters ask for something else", Box::new(|s| s[0]["model"]["parameters"]["k"] = json!(2))),
        ("what is reached is not what is required", Box::new(|s| s[0]["model"]["achieved"] = json!(1))),
        (
            "this takes no original",
            Box::new(|s| {
                s[0]["takes"] = json!("original");
                s[0]["model"]["label"] = json!("3-anonymity");
            }),
        ),
        (
            "its smallest class has fewer records",
            Box::new(|s| {
                asked(&mut s[0]["model"], "k", smallest + 1, format!("{}-anonymity (people)", smallest + 1));
            }),
        ),
        (
            "one of its classes has fewer values",
            Box::new(|s| {
                asked(&mut s[1]["model"], "l", 6, "distinct 6-diversity of ill (people)".to_owned());
            }),
        ),
        ("more of this than there is to say", Box::new(|s| s[0]["takes"] = json!("untold-parameters"))),
        ("there is no model `magic`", Box::new(|s| s[0]["model"]["model"] = json!("magic"))),
    ];
    for (said, forgery) in forgeries {
        let mut forged = original.clone();
        forgery(&mut forged["stated_by_its_maker"]["models"]);
        forge(&bench, &forged);
        let ran = bench.run(&AUDIT);
        assert!(ran.code == 1 && ran.stdout.contains(said), "{said}\n{ran}");
    }
    // As many as there are may be people, and nobody can tell.
    let mut possible = original.clone();
    let models = &mut possible["stated_by_its_maker"]["models"];
    asked(&mut models[0]["model"], "k", smallest, format!("{smallest}-anonymity (people)"));
    forge(&bench, &possible);
    bench.must(&AUDIT);
}

/// A threshold that only the people explain of whom a model is stated.
#[test]
fn a_threshold_is_one_that_a_stated_model_asks_for() {
    let bench = of_people("model = \"k-anonymity\"\nk = 12");
    let original = certificate(&bench);
    assert_eq!((&original["threshold"], &original["models"]), (&json!(12), &json!([])));
    bench.must(&AUDIT);
    for threshold in [1000, 11, 3] {
        let mut forged = original.clone();
        forged["threshold"] = json!(threshold);
        forge(&bench, &forged);
        let ran = bench.run(&AUDIT);
        assert!(ran.code == 1 && ran.stdout.contains("threshold of small counts"), "{threshold}\n{ran}");
    }
}
