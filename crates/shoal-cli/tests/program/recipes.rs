//! Does a recipe recode another table just as the first was, and refuse what it cannot?

use crate::workbench::{Workbench, rows};

const HEADER: &str = "Zip Code,Age,Nationality,Condition\n";

fn inpatients_with_recipe() -> Workbench {
    let bench = Workbench::with_example("inpatients");
    bench.must(&["anonymize", "policy.toml", "--recipe", "recipe.json"]);
    bench
}

/// Four who are in one class of Figure 3, with values that the table of the recipe does not have.
const NEW: &str = "13051,22,Canadian,Flu\n13059,39,Indian,Cancer\n13050,20,German,Asthma\n13058,31,Russian,Gout\n";

#[test]
fn the_table_it_was_made_from_gives_the_same_bytes() {
    let bench = inpatients_with_recipe();
    bench.must(&["apply", "recipe.json", "inpatients.csv", "-o", "again.csv"]);
    assert_eq!(bench.bytes("again.csv"), bench.bytes("release.csv"));

    let census = Workbench::with_example("census");
    census.must(&["generate", "census", "--rows", "3000", "-o", "census.csv"]);
    let policy = census.text("policy.toml").replace("max-suppressed = 0.02", "max-suppressed = 0.1");
    census.write("policy.toml", policy);
    census.must(&["anonymize", "policy.toml", "--recipe", "recipe.json"]);
    census.must(&["apply", "recipe.json", "census.csv", "-o", "again.csv"]);
    assert_eq!(census.bytes("again.csv"), census.bytes("release.csv"), "also suppressed and shuffled");
}

#[test]
fn every_format_is_written_as_before() {
    let policy = "[columns.id]\nrole = \"insensitive\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
                  hierarchy = { quantiles = [4, 2] }\nmin-level = 1\nmax-level = 1\n[columns.group]\n\
                  role = \"quasi-identifier\"\nhierarchy = { mask = {} }\nmax-level = 0\n\
                  [[require]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\nmax-suppressed = 0.3\n[output]\nsuppressed = \"keep\"\n";
    let bench = Workbench::with(&[("policy.toml", policy)]);
    let mut table = String::from("id,age,group\n");
    (0..24).for_each(|row| table += &format!("{row},{},{}\n", 20 + row * 2, if row >= 22 { 99 } else { row % 2 }));
    bench.write("table.csv", table);
    let copy = "[columns.id]\nrole = \"insensitive\"\n[columns.age]\nrole = \"insensitive\"\n\
                [columns.group]\nrole = \"quasi-identifier\"\nmax-level = 0\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    bench.write("copy.toml", copy);
    for kind in ["csv.gz", "jsonl", "parquet"] {
        let name = format!("table.{kind}");
        bench.must(&["anonymize", "copy.toml", "--input", "table.csv", "--output", &name]);
        let (release, again) = (format!("release.{kind}"), format!("again.{kind}"));
        bench.must(&["anonymize", "policy.toml", "--input", &name, "-o", &release, "--recipe", "recipe.json"]);
        // All rows of the highest range are suppressed, so that the recipe does not know it.
        for unknown in [&[][..], &["--suppress-unknown"]] {
            bench.must(&[&["apply", "recipe.json", &name, "-o", &again], unknown].concat());
            assert_eq!(bench.bytes(&again), bench.bytes(&release), "{kind} {unknown:?}");
        }
    }
}

#[test]
fn values_that_the_hierarchy_covers_are_recoded_though_they_were_never_seen() {
    let bench = inpatients_with_recipe();
    bench.write("new.csv", format!("{HEADER}{NEW}"));
    let ran = bench.must(&["apply", "recipe.json", "new.csv"]);
    assert!(ran.stderr.contains("new.release.csv: 4 of 4 rows"), "{ran}");
    let released = rows(&bench.text("new.release.csv"));
    let expected = ["Flu", "Cancer", "Asthma", "Gout"].map(|condition| ["1305*", "[20, 40)", "*", condition]);
    let sorted = |mut rows: Vec<Vec<String>>| {
        rows.sort();
        rows
    };
    let expected = expected.map(|row| row.map(str::to_owned).to_vec()).to_vec();
    assert_eq!(sorted(released[1..].to_vec()), sorted(expected));
}

#[test]
fn unknown_values_are_named_and_refused_or_left_out() {
    let bench = inpatients_with_recipe();
    bench.write("new.csv", format!("{HEADER}{NEW}130532,thirty,Martian,Flu\n13052,31 years,Russian,Flu\n"));
    let before = bench.everything();
    let ran = bench.run(&["apply", "recipe.json", "new.csv"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert_eq!(bench.everything(), before, "nothing is left behind");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines[0], "error: 2 of 6 rows have values that the recipe does not know");
    assert_eq!(lines[1], "  column `Zip Code`: `130532`", "longer than a zip code was");
    assert_eq!(lines[2], "  column `Age`: `31 years` and 1 more");
    assert!(ran.stderr.contains("--suppress-unknown"), "{ran}");
    // What is hidden altogether may be anything.
    assert!(!ran.stderr.contains("Martian"), "{ran}");

    let json = bench.json(&["apply", "recipe.json", "new.csv", "--suppress-unknown", "--json"]);
    assert_eq!([&json["unknown_rows"], &json["suppressed_rows"], &json["released_rows"]], [2, 2, 4]);
    assert_eq!(rows(&bench.text("new.release.csv")).len(), 5);
}

#[test]
fn a_table_that_would_not_satisfy_is_not_published() {
    let bench = inpatients_with_recipe();
    bench.write("new.csv", format!("{HEADER}{NEW}14850,50,Indian,Flu\n"));
    let before = bench.everything();
    let ran = bench.run(&["apply", "recipe.json", "new.csv"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("does not satisfy 4-anonymity and entropy 2.5-diversity of Condition"), "{ran}");
    assert!(ran.stderr.contains("1 of 5 rows are in classes that fail; the recipe may suppress 0"), "{ran}");
    assert_eq!(bench.everything(), before);
}

#[test]
fn classes_that_fail_are_suppressed_as_far_as_the_policy_allows() {
    let bench = Workbench::with_example("inpatients");
    bench.write("policy.toml", bench.text("policy.toml").replace("max-suppressed = 0 ", "max-suppressed = 0.2 "));
    bench.must(&["anonymize", "policy.toml", "--recipe", "recipe.json"]);
    bench.write("new.csv", format!("{HEADER}{NEW}14850,50,Indian,Flu\n"));
    let json = bench.json(&["apply", "recipe.json", "new.csv", "--json"]);
    assert_eq!([&json["released_rows"], &json["suppressed_rows"], &json["classes"]], [4, 1, 1]);
}

#[test]
fn a_release_of_mondrian_has_a_recipe_where_its_classes_do_not_overlap() {
    let bench = Workbench::with_example("inpatients");
    let mondrian = "name = \"mondrian\"\nrefine = false\ncategories = \"sets\"\n";
    let policy = bench.text("policy.toml").replace("name = \"full-domain\"\nsearch = \"optimal\"\n", mondrian);
    bench.write("policy.toml", policy);
    bench.must(&["anonymize", "policy.toml", "--recipe", "recipe.json"]);
    bench.must(&["apply", "recipe.json", "inpatients.csv", "-o", "again.csv"]);
    assert_eq!(bench.bytes("again.csv"), bench.bytes("release.csv"));
    let nowhere = bench.run(&["apply", "recipe.json", "new.csv"]);
    assert_eq!(nowhere.code, 2, "there is no such table\n{nowhere}");
    bench.write("new.csv", format!("{HEADER}99999,99,American,Flu\n{}", &bench.text("inpatients.csv")[HEADER.len()..]));
    let ran = bench.run(&["apply", "recipe.json", "new.csv"]);
    assert!(ran.stderr.starts_with("error: 1 of 13 rows have values that the recipe does not know"), "{ran}");
    bench.must(&["apply", "recipe.json", "new.csv", "-o", "known.csv", "--suppress-unknown"]);
    assert_eq!(bench.bytes("known.csv"), bench.bytes("release.csv"));
}

/// A table of whose rows the last two fit nowhere, and the start of a policy for it.
const LONERS: &str = "age,job,ill\n20,clerk,flu\n21,clerk,gout\n20,clerk,gout\n21,clerk,flu\n40,smith,flu\n41,smith,gout\n\
                      40,smith,gout\n41,smith,flu\n70,miner,flu\n90,pilot,flu\n";
const OF_LONERS: &str = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10, 50] }\n[columns.job]\n\
                         role = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\n\
                         k = 2\n[[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n[method]\nmax-suppressed = 0.2\n";

#[test]
fn rows_in_no_class_are_suppressed_as_far_as_the_policy_allows() {
    for method in ["sweep", "sweep\"\nnumbers = \"hierarchy"] {
        let policy = format!("{OF_LONERS}name = \"{method}\"\n");
        let bench = Workbench::with(&[("policy.toml", policy.as_str()), ("table.csv", LONERS)]);
        let run = bench.json(&[
            "anonymize",
            "policy.toml",
            "--input",
            "table.csv",
            "-o",
            "release.csv",
            "--recipe",
            "recipe.json",
            "--json",
        ]);
        assert_eq!(run["suppressed_rows"], 2, "{method}");
        let recipe = bench.text("recipe.json");
        assert!(["miner", "pilot", "70", "90"].iter().all(|hidden| !recipe.contains(hidden)), "{method}\n{recipe}");
        let json = bench.json(&["apply", "recipe.json", "table.csv", "-o", "again.csv", "--json"]);
        assert_eq!([&json["suppressed_rows"], &json["unknown_rows"]], [2, 2], "{method}");
        assert_eq!(bench.bytes("again.csv"), bench.bytes("release.csv"), "{method}");

        // One more than the policy allows: 2 of 11 rows.
        bench.write("more.csv", format!("{LONERS}30,clerk,flu\n"));
        let before = bench.everything();
        let ran = bench.run(&["apply", "recipe.json", "more.csv"]);
        assert_eq!(ran.code, 2, "{method}\n{ran}");
        assert!(
            ran.stderr.contains("\nerror: 3 of 11 rows have values that the recipe does not know\n"),
            "{method}\n{ran}"
        );
        assert!(ran.stderr.contains("column `job`: `miner` and 1 more"), "{method}\n{ran}");
        assert!(ran.stderr.contains("the recipe may suppress 2"), "{method}\n{ran}");
        assert_eq!(bench.everything(), before, "{method}");
        bench.must(&["apply", "recipe.json", "more.csv", "-o", "known.csv", "--suppress-unknown"]);
        assert_eq!(bench.bytes("known.csv"), bench.bytes("release.csv"), "{method}");
    }
}

/// Whatever has a recipe: applied to its own table it gives the same release, whoever was suppressed.
#[test]
fn every_recipe_gives_its_own_release_again() {
    let methods = [
        "name = \"full-domain\"\n",
        "name = \"full-domain\"\nlocal = true\n",
        "name = \"mondrian\"\nrefine = false\ncategories = \"sets\"\n",
        "name = \"one-dimensional\"\n",
        "name = \"sweep\"\n",
        "name = \"sweep\"\nnumbers = \"hierarchy\"\n",
        "name = \"best\"\n",
    ];
    let requirements = [
        "[[require]]\nmodel = \"k-anonymity\"\nk = 3\n",
        "[[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n",
        "[[require]]\nmodel = \"k-anonymity\"\nk = 2\n[[require]]\nmodel = \"t-closeness\"\nt = 0.3\ndistance = \"equal\"\n",
    ];
    let hierarchies = ["quantiles = [8, 4, 2]", "intervals = [10, 40]"];
    let mut random = 1_u64;
    let mut below = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let (mut recipes, mut with_suppressed) = (0, 0);
    let bench = Workbench::with(&[]);
    for case in 0..36 {
        let mut table = String::from("age,job,ill\n");
        let rows = 8 + below(20);
        for _ in 0..rows {
            let job = ["clerk", "smith", "diver", "mason"][(below(4) * below(4) / 3) as usize];
            table += &format!("{},{job},{}\n", 20 + below(7) * below(10), ["flu", "gout", "cold"][below(3) as usize]);
        }
        bench.write("table.csv", &table);
        let (hierarchy, required) = (hierarchies[case % 2], requirements[case % 3]);
        for method in methods {
            let policy = format!(
                "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = {{ {hierarchy} }}\n[columns.job]\n\
                 role = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n{required}[method]\n\
                 max-suppressed = 0.25\n{method}"
            );
            bench.write("policy.toml", &policy);
            let made =
                ["anonymize", "policy.toml", "--input", "table.csv", "-o", "release.csv", "--recipe", "recipe.json"];
            if bench.run(&made).code != 0 {
                continue;
            }
            bench.must(&["apply", "recipe.json", "table.csv", "-o", "again.csv"]);
            assert_eq!(bench.text("again.csv"), bench.text("release.csv"), "{policy}\n{table}");
            recipes += 1;
            with_suppressed += u64::from(bench.text("release.csv").lines().count() as u64 <= rows);
        }
    }
    assert!(recipes > 50 && with_suppressed > 20, "{recipes} recipes, {with_suppressed} of them with rows suppressed");
}

#[test]
fn known_values_that_lie_together_in_no_class_are_told_apart_from_unknown_ones() {
    let bench = Workbench::with(&[("policy.toml", &format!("{OF_LONERS}name = \"sweep\"\n")), ("table.csv", LONERS)]);
    bench.must(&["anonymize", "policy.toml", "--input", "table.csv", "-o", "release.csv", "--recipe", "recipe.json"]);
    let known = LONERS.trim_end_matches("70,miner,flu\n90,pilot,flu\n");
    bench.write("crossed.csv", format!("{known}20,smith,flu\n41,clerk,flu\n40,clerk,flu\n"));
    let ran = bench.run(&["apply", "recipe.json", "crossed.csv"]);
    assert!(ran.stderr.contains("\nerror: 3 of 11 rows lie in none of the recipe's classes\n"), "{ran}");
    bench.write("crossed.csv", format!("{known}20,smith,flu\n41,clerk,flu\n"));
    let json = bench.json(&["apply", "recipe.json", "crossed.csv", "--json"]);
    assert_eq!([&json["released_rows"], &json["suppressed_rows"], &json["unknown_rows"]], [8, 2, 2]);
}

#[test]
fn methods_without_rules_for_single_rows_refuse_before_anything_is_published() {
    for (method, reason) in [("anatomy", "made of these very records"), ("microaggregation", "one value for many")] {
        let bench = Workbench::with_example("inpatients");
        let named = format!("name = \"{method}\"\n");
        let policy = bench.text("policy.toml").replace("name = \"full-domain\"\nsearch = \"optimal\"\n", &named);
        let policy = policy.replace("entropy-l-diversity", "distinct-l-diversity").replace("l = 2.5", "l = 2");
        let k_anonymity = "[[require]]\nmodel = \"k-anonymity\"\nk = 4\n";
        // It leaves quasi-identifiers as they are.
        let policy = if method == "anatomy" { policy.replace(k_anonymity, "") } else { policy };
        bench.write("policy.toml", policy);
        let before = bench.everything();
        let ran = bench.run(&["anonymize", "policy.toml", "--recipe", "recipe.json"]);
        assert_eq!(ran.code, 2, "{method}\n{ran}");
        assert!(ran.stderr.contains(reason) && ran.stderr.contains("nothing was published"), "{method}\n{ran}");
        assert_eq!(bench.everything(), before, "{method}");
    }
}

#[test]
fn where_classes_overlap_no_rule_tells_which_a_row_is_in() {
    let mut table = String::from("x,y,ill\n");
    let group = |row: usize| &"abcdefg"[row * row * 29 % 7..][..1];
    (0..90).for_each(|row| table += &format!("{},{},{}\n", row * 37 % 53, group(row), row % 3));
    let policy = "[columns.x]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10] }\n[columns.y]\n\
                  role = \"quasi-identifier\"\nhierarchy = { tree = { p = [\"a\", \"b\"], q = [\"c\", \"d\"], r = [\"e\", \"f\", \"g\"] } }\n\
                  [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 3\n\
                  [[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n[method]\nname = \"one-dimensional\"\n";
    let bench = Workbench::with(&[("table.csv", &table), ("policy.toml", policy)]);
    let before = bench.everything();
    let ran = bench.run(&["anonymize", "policy.toml", "--input", "table.csv", "--recipe", "recipe.json"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("classes overlap") && ran.stderr.contains("nothing was published"), "{ran}");
    assert_eq!(bench.everything(), before);
}

#[test]
fn it_holds_nothing_but_the_policy_and_what_the_release_shows() {
    let policy = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { quantiles = [16, 4] }\nmin-level = 1\nmax-level = 1\n\
                  [columns.job]\nrole = \"quasi-identifier\"\nhierarchy = { file = \"job.csv\" }\nmin-level = 1\n\
                  [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n\
                  [method]\nmax-suppressed = 0.2\n";
    let jobs = "smith;crafts;*\nmason;crafts;*\nclerk;office;*\nmanager;office;*\nastronaut;office;*\n";
    let bench = Workbench::with(&[("policy.toml", policy), ("job.csv", jobs)]);
    let mut table = String::from("age,job,ill\n");
    (0..30).for_each(|row| table += &format!("{},{},secret-{row}\n", 20 + row / 2, ["smith", "clerk"][row / 2 % 2]));
    table += "87,astronaut,secret-99\n";
    bench.write("table.csv", &table);
    bench.must(&["anonymize", "policy.toml", "--input", "table.csv", "-o", "release.csv", "--recipe", "recipe.json"]);
    let (recipe, release) = (bench.text("recipe.json"), bench.text("release.csv"));
    assert!(!release.contains("87"), "the old astronaut is suppressed\n{release}");
    for hidden in ["secret", "astronaut", "smith", "87"] {
        let without_digests: String = recipe.lines().filter(|line| !line.contains("\"job.csv\": ")).collect();
        assert!(!without_digests.contains(hidden), "{hidden}\n{recipe}");
    }
    bench.must(&["apply", "recipe.json", "table.csv", "-o", "again.csv", "--suppress-unknown"]);
    assert_eq!(bench.text("again.csv"), release);
    // A hierarchy that says something else now is not the recipe's.
    bench.write("job.csv", jobs.replace("mason;crafts", "mason;trades"));
    let ran = bench.run(&["apply", "recipe.json", "table.csv"]);
    assert!(ran.code == 2 && ran.stderr.contains("job.csv is not the file that the recipe was made with"), "{ran}");
}

#[test]
fn files_are_beside_the_recipe_or_where_somebody_says() {
    let bench = Workbench::with_example("patients");
    std::fs::create_dir(bench.path("recipes")).unwrap();
    bench.must(&["anonymize", "policy.toml", "--recipe", "recipes/recipe.json"]);
    let ran = bench.run(&["apply", "recipes/recipe.json", "patients.csv", "-o", "again.csv"]);
    assert!(ran.code == 2 && ran.stderr.contains("say where it is: --file disease.csv=PATH"), "{ran}");
    let given =
        ["apply", "recipes/recipe.json", "patients.csv", "-o", "again.csv", "--file", "disease.csv=disease.csv"];
    bench.must(&given);
    assert_eq!(bench.bytes("again.csv"), bench.bytes("release.csv"));
    std::fs::copy(bench.path("disease.csv"), bench.path("recipes/disease.csv")).unwrap();
    bench.must(&["apply", "recipes/recipe.json", "patients.csv", "-o", "again.csv"]);
    assert_eq!(bench.bytes("again.csv"), bench.bytes("release.csv"));
    let ran = bench.run(&["apply", "recipes/recipe.json", "patients.csv", "--file", "job.csv=disease.csv"]);
    assert!(ran.code == 2 && ran.stderr.contains("the recipe needs no file `job.csv`"), "{ran}");
}

/// A recipe, and what somebody else makes of it.
fn forged(bench: &Workbench, forge: impl FnOnce(&mut serde_json::Value)) -> String {
    let mut recipe: serde_json::Value = serde_json::from_str(&bench.text("recipe.json")).unwrap();
    forge(&mut recipe);
    bench.write("forged.json", recipe.to_string());
    let before = bench.everything();
    let ran = bench.run(&["apply", "forged.json", "patients.csv", "-o", "again.csv"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(bench.everything() == before, "something was written");
    ran.stderr
}

#[test]
fn a_recipe_from_somebody_else_decides_about_no_file() {
    let bench = Workbench::with_example("patients");
    bench.must(&["anonymize", "policy.toml", "--recipe", "recipe.json"]);
    for (section, key, value) in [
        ("output", "path", "policy.toml"),
        ("output", "sensitive-path", "policy.toml"),
        ("output", "report", "policy.toml"),
        ("output", "table", "people"),
        ("input", "path", "/etc/passwd"),
        ("input", "spark", "sc://example.org"),
        ("input", "postgres", "postgres://example.org"),
        ("input", "table", "salaries"),
        ("input", "query", "SELECT * FROM salaries"),
    ] {
        let said = forged(&bench, |recipe| recipe["policy"][section][key] = value.into());
        assert!(said.contains(&format!("the recipe has the key `{section}.{key}`")), "{said}");
    }
    let said = forged(&bench, |recipe| recipe["policy"]["columns"]["age"]["key-file"] = "/etc/shadow".into());
    assert!(said.contains("the recipe has the key `key-file`"), "{said}");
    let hierarchy = |file: &str| serde_json::json!({ "file": file });
    let said = forged(&bench, |recipe| recipe["policy"]["columns"]["disease"]["hierarchy"] = hierarchy("/etc/passwd"));
    assert!(said.contains("does not say which file `/etc/passwd` is"), "{said}");
    for outside in ["/etc/passwd", "../disease.csv", "a/disease.csv", ".."] {
        let said = forged(&bench, |recipe| {
            recipe["policy"]["columns"]["disease"]["hierarchy"] = hierarchy(outside);
            recipe["files"][outside] = "00".into();
        });
        assert!(said.contains("the recipe looks for a file outside of its folder"), "{said}");
    }
    let said = forged(&bench, |recipe| recipe["folder"] = "/".into());
    assert!(said.contains("unknown field `folder`"), "{said}");
}

#[test]
fn the_key_of_pseudonyms_is_given_by_whoever_applies() {
    let bench = Workbench::new();
    bench.write("a.key", "3f0c9a71b2d84e56a7c81f02e9d4b6537a1e5c08d2f94b36");
    make_private(&bench.path("a.key"));
    bench.write("table.csv", "name,age\nann,20\nbob,20\neve,20\n");
    bench.write(
        "policy.toml",
        "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.name]\nrole = \"identifier\"\n\
         replace = \"pseudonym\"\nkey-file = \"a.key\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
         [[require]]\nmodel = \"k-anonymity\"\nk = 2\n",
    );
    bench.must(&["anonymize", "policy.toml", "--recipe", "recipe.json"]);
    assert!(!bench.text("recipe.json").contains("a.key"));
    let ran = bench.run(&["apply", "recipe.json", "table.csv", "-o", "again.csv"]);
    assert!(ran.code == 2 && ran.stderr.contains("carries no key") && ran.stderr.contains("--key-file FILE"), "{ran}");
    bench.must(&["apply", "recipe.json", "table.csv", "-o", "again.csv", "--key-file", "a.key"]);
    assert_eq!(bench.bytes("again.csv"), bench.bytes("release.csv"));
}

fn make_private(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn what_is_no_recipe_is_refused_in_plain_words() {
    let bench = inpatients_with_recipe();
    let recipe = bench.text("recipe.json");
    for (text, said) in [
        ("not JSON".to_owned(), "is no JSON"),
        ("{}".to_owned(), "this is not a recipe"),
        (recipe.replace("\"recipe\": 2", "\"recipe\": 9"), "a recipe of version 9"),
        (recipe.replace("\"shown\"", "\"shwon\""), "is not a recipe: unknown field `shwon`"),
    ] {
        bench.write("broken.json", text);
        let ran = bench.run(&["apply", "broken.json", "inpatients.csv"]);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{said}\n{ran}");
    }
    let ran = bench.run(&["anonymize", "policy.toml", "--recipe", "policy.toml"]);
    assert!(ran.code == 2 && ran.stderr.contains("the recipe would replace the policy, policy.toml"), "{ran}");
}
