//! Do pseudonyms stand in place of identifiers, the same everywhere, and does nobody see the key?

use std::collections::HashSet;

use shoal_format::{self as format, InputFormat};

use crate::workbench::{Workbench, rows};

const KEY: &str = "3f0c9a71b2d84e56a7c81f02e9d4b6537a1e5c08d2f94b36";

const POLICY: &str = "[columns.patient]\nrole = \"identifier\"\nreplace = \"pseudonym\"\nkey-file = \"secret.key\"\n\
                      [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10] }\n\
                      [columns.ward]\nrole = \"insensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n\
                      [output]\nshuffle = false\n";

/// Patient 4711 is there twice, and one row names nobody.
const TABLE: &str = "patient,age,ward\n4711,31,A\n4712,35,B\n,42,A\n4711,47,B\n4713,38,A\n";

fn bench() -> Workbench {
    Workbench::with(&[("policy.toml", POLICY), ("table.csv", TABLE), ("secret.key", &format!("{KEY}\n"))])
}

fn anonymize(bench: &Workbench, output: &str) {
    bench.must(&["anonymize", "policy.toml", "--input", "table.csv", "-o", output]);
}

fn column(bench: &Workbench, name: &str, wanted: &str) -> Vec<String> {
    let mut reader = format::open(&InputFormat { header: Some(true), ..InputFormat::new(bench.path(name)) }).unwrap();
    let place = reader.columns().iter().position(|column| column == wanted).unwrap();
    let mut cells = Vec::new();
    while let Some(batch) = reader.next_batch().unwrap() {
        let texts = batch.columns[place].text().unwrap();
        cells.extend(texts.iter().map(|cell| cell.unwrap_or_default().to_owned()));
    }
    cells
}

#[test]
fn equal_identifiers_have_equal_names_and_missing_ones_none() {
    let bench = bench();
    anonymize(&bench, "release.csv");
    let released = rows(&bench.text("release.csv"));
    assert_eq!(released[0], ["patient", "age", "ward"]);
    let names = column(&bench, "release.csv", "patient");
    assert_eq!(names[0], names[3]);
    assert_eq!(names[2], "", "a missing one stays missing");
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), 4);
    // Worked out by another program: the first 128 bits of HMAC-SHA-256, to the base of 32.
    assert_eq!(names[0], EXPECTED_4711);
    assert!(!bench.text("release.csv").contains("471"));
    bench.must(&["audit", "release.csv", "--policy", "policy.toml"]);
}

const EXPECTED_4711: &str = "dy5dxynsfqvfxx6zvnpplaxtfq";

#[test]
fn names_are_the_same_in_every_format_order_and_number_of_threads() {
    let bench = bench();
    anonymize(&bench, "release.csv");
    let names = column(&bench, "release.csv", "patient");
    for kind in ["csv.gz", "jsonl", "parquet"] {
        let (copy, release) = (format!("copy.{kind}"), format!("release.{kind}"));
        bench.write("copy.toml", COPY);
        bench.must(&["anonymize", "copy.toml", "--input", "table.csv", "-o", &copy]);
        for threads in ["1", "3"] {
            bench.must(&["anonymize", "policy.toml", "--input", &copy, "-o", &release, "--threads", threads]);
            assert_eq!(column(&bench, &release, "patient"), names, "{kind} with {threads} threads");
        }
    }
    bench.write("policy.toml", POLICY.replace("shuffle = false", "suppressed = \"keep\""));
    for output in ["shuffled.csv", "shuffled.parquet"] {
        anonymize(&bench, output);
        let shuffled: HashSet<String> = column(&bench, output, "patient").into_iter().collect();
        assert_eq!(shuffled, names.iter().cloned().collect(), "{output}");
    }
}

/// Passes everything through, so that it turns one format into another.
const COPY: &str = "[columns.patient]\nrole = \"insensitive\"\n[columns.age]\nrole = \"insensitive\"\n\
                    [columns.ward]\nrole = \"quasi-identifier\"\nmax-level = 0\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n[output]\nshuffle = false\n";

#[test]
fn a_key_from_the_environment_gives_the_same_names_and_another_key_others() {
    let bench = bench();
    anonymize(&bench, "release.csv");
    bench.write("policy.toml", POLICY.replace("key-file = \"secret.key\"\n", ""));
    let run = |key: &str| {
        let script = format!("SHOAL_PSEUDONYM_KEY={key} $SHOAL anonymize policy.toml --input table.csv -o other.csv");
        let ran = bench.run_in_shell(&script);
        assert_eq!(ran.code, 0, "{ran}");
        assert!(!ran.stderr.contains(key), "{ran}");
        column(&bench, "other.csv", "patient")
    };
    assert_eq!(run(KEY), column(&bench, "release.csv", "patient"));
    let others = run(&KEY.replace('3', "4"));
    assert!(others.iter().zip(column(&bench, "release.csv", "patient")).all(|(a, b)| a.is_empty() || *a != b));
}

#[test]
fn random_names_are_others_in_every_run_and_all_else_is_the_same() {
    let bench = bench();
    bench.write(
        "policy.toml",
        POLICY.replace("replace = \"pseudonym\"\nkey-file = \"secret.key\"", "replace = \"random\""),
    );
    let [first, second] = ["first.csv", "second.csv"].map(|output| {
        anonymize(&bench, output);
        column(&bench, output, "patient")
    });
    assert_eq!(first[0], first[3]);
    assert_eq!(first[2], "");
    let (first, second): (HashSet<_>, HashSet<_>) = (first.into_iter().collect(), second.into_iter().collect());
    assert_eq!(first.intersection(&second).collect::<Vec<_>>(), [""]);
    for column_name in ["age", "ward"] {
        assert_eq!(column(&bench, "first.csv", column_name), column(&bench, "second.csv", column_name));
    }
}

#[test]
fn a_missing_or_weak_key_is_refused_before_anything_is_read() {
    let bench = bench();
    for (key, said) in [
        ("short", "the key can be guessed"),
        ("correct horse battery staple", "it is a text, and not random bytes"),
        ("c2hvcnQ=", "it is shorter than 16 bytes"),
        ("abababababababababababababababababab", "the key can be guessed"),
        ("hospitalhospitalhospitalhospitalhospital", "the key can be guessed"),
        ("0123456789abcdef0123456789abcdef", "the key can be guessed"),
        ("Sommer2024!Sommer2024!Sommer2024!Sommer2024!", "the key can be guessed"),
    ] {
        bench.write("secret.key", key);
        let ran = bench.run(&["anonymize", "policy.toml", "--input", "nowhere.csv"]);
        assert_eq!(ran.code, 2, "{ran}");
        assert!(ran.stderr.contains(said) && ran.stderr.contains("`shoal keys pseudonym -o pseudonym.key`"), "{ran}");
        assert!(!ran.stderr.contains(key), "{ran}");
    }
    std::fs::remove_file(bench.path("secret.key")).unwrap();
    let ran = bench.run(&["anonymize", "policy.toml", "--input", "table.csv"]);
    assert!(ran.code == 2 && ran.stderr.contains("cannot read the key secret.key"), "{ran}");
    bench.write("policy.toml", POLICY.replace("key-file = \"secret.key\"\n", ""));
    let ran = bench.run(&["anonymize", "policy.toml", "--input", "table.csv"]);
    assert!(ran.code == 2 && ran.stderr.contains("SHOAL_PSEUDONYM_KEY"), "{ran}");
    assert!(!bench.path("table.release.csv").exists());
}

#[test]
fn the_policy_says_what_does_not_go_together() {
    let bench = bench();
    for (wrong, said) in [
        (POLICY.replace("role = \"identifier\"", "role = \"insensitive\""), "line 3: `replace` is for identifiers"),
        (POLICY.replace("\"pseudonym\"", "\"random\""), "line 4: `key-file` of `patient` is for"),
        (POLICY.replace("\"pseudonym\"", "\"hash\""), "there is no value `hash` here"),
        (POLICY.replace("key-file", "key"), "there is no key `key` here"),
        (
            POLICY.replace("\"pseudonym\"\nkey-file = \"secret.key\"", "\"random\"\ndomain = \"x\""),
            "line 4: `domain` of `patient` is for",
        ),
        (POLICY.replace("key-file", "domain = \"\"\nkey-file"), "line 4: `domain` of `patient` is empty"),
    ] {
        bench.write("policy.toml", wrong);
        let ran = bench.run(&["anonymize", "policy.toml", "--input", "table.csv"]);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{said}\n{ran}");
    }
}

#[test]
fn the_reader_is_warned_and_the_key_is_not_overwritten() {
    let bench = bench();
    let ran = bench.must(&["anonymize", "policy.toml", "--input", "table.csv"]);
    assert!(ran.stderr.contains("whoever has two of them can join their rows"), "{ran}");
    assert!(ran.stderr.contains("requirements count rows, not people"), "{ran}");
    let ran = bench.run(&["anonymize", "policy.toml", "--input", "table.csv", "-o", "secret.key"]);
    assert!(ran.code == 2 && ran.stderr.contains("would replace the key of pseudonyms"), "{ran}");
    assert_eq!(bench.text("secret.key"), format!("{KEY}\n"));
}

/// Doctors and patients have numbers of their own, and some are the same.
const TWO: &str = "[output]\nshuffle = false\n[columns.patient]\nrole = \"identifier\"\nreplace = \"pseudonym\"\nkey-file = \"secret.key\"\n\
                   [columns.doctor]\nrole = \"identifier\"\nreplace = \"pseudonym\"\nkey-file = \"secret.key\"\n\
                   [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10] }\n\
                   [[require]]\nmodel = \"k-anonymity\"\nk = 2\n";

#[test]
fn a_domain_separates_columns_and_those_without_share_their_names() {
    let table = "patient,doctor,age\n4711,4711,31\n4712,4711,35\n4711,4712,38\n";
    let bench = Workbench::with(&[("table.csv", table), ("secret.key", KEY), ("policy.toml", TWO)]);
    let names = |policy: &str| {
        bench.write("policy.toml", policy);
        let ran = bench.must(&["anonymize", "policy.toml", "--input", "table.csv", "-o", "release.csv"]);
        (column(&bench, "release.csv", "patient"), column(&bench, "release.csv", "doctor"), ran)
    };
    let (patients, doctors, ran) = names(TWO);
    assert_eq!(patients[0], EXPECTED_4711);
    assert_eq!(patients[0], doctors[0], "the same value has the same name in every column");
    assert!(ran.stderr.contains("in every column without a `domain`"), "{ran}");
    let doctors_apart = TWO.replace("[columns.age]", "domain = \"doctors\"\n[columns.age]");
    let (same, apart, _) = names(&doctors_apart);
    assert_eq!(same, patients, "without a domain nothing changes");
    assert!(apart.iter().all(|name| !patients.contains(name)), "{apart:?}");
    assert_eq!(apart[0], apart[1]);
    assert_eq!(apart[0], EXPECTED_4711_OF_DOCTORS);
    let both = doctors_apart.replacen("key-file", "domain = \"doctors\"\nkey-file", 1);
    let (patients, doctors, _) = names(&both);
    assert_eq!((&patients[0], &doctors), (&doctors[0], &apart), "one domain is one world of names");
}

/// Worked out by another program: HMAC-SHA-256 of the byte 255, the length 7 in eight bytes, `doctors` and `4711`.
const EXPECTED_4711_OF_DOCTORS: &str = "hkhxj3t4ua2uykkszvsux7fy4r";

#[cfg(unix)]
#[test]
fn a_key_that_others_can_read_is_warned_about() {
    use std::os::unix::fs::PermissionsExt;

    let bench = bench();
    let warnings = |mode: u32| {
        std::fs::set_permissions(bench.path("secret.key"), std::fs::Permissions::from_mode(mode)).unwrap();
        let summary = bench.json(&["anonymize", "policy.toml", "--input", "table.csv", "--json"]);
        let ids =
            summary["warnings"].as_array().unwrap().iter().map(|warning| warning["id"].as_str().unwrap().to_owned());
        ids.filter(|id| id == "key-readable").count()
    };
    assert_eq!([0o600, 0o400, 0o640, 0o604, 0o644].map(warnings), [0, 0, 1, 1, 1]);
    let ran = bench.must(&["anonymize", "policy.toml", "--input", "table.csv"]);
    assert!(ran.stderr.contains("chmod 600 secret.key"), "{ran}");
}

/// Names that were numbered in the order of rows would tell which row of one release is which of another.
#[test]
fn random_names_do_not_follow_the_order_of_rows() {
    let mut table = "patient,age,ward\n".to_owned();
    (0..200).for_each(|row| table += &format!("{},3{},A\n", 1000 + row, row % 10));
    let bench = Workbench::with(&[("table.csv", &table)]);
    bench.write("policy.toml", POLICY.replace("\"pseudonym\"\nkey-file = \"secret.key\"", "\"random\""));
    let ranks = |output: &str| {
        anonymize(&bench, output);
        let names = column(&bench, output, "patient");
        let mut sorted = names.clone();
        sorted.sort();
        names.iter().map(|name| sorted.binary_search(name).unwrap() as f64).collect::<Vec<f64>>()
    };
    let correlation = |a: &[f64], b: &[f64]| {
        let mean = (a.len() - 1) as f64 / 2.0;
        let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
        sum(a, b) / (sum(a, a) * sum(b, b)).sqrt()
    };
    let (first, second) = (ranks("first.csv"), ranks("second.csv"));
    let rows: Vec<f64> = (0..200).map(f64::from).collect();
    // Of 200 ranks that have nothing to do with one another, a correlation of 0.4 has a chance of 10^-8.
    for (a, b) in [(&first, &second), (&first, &rows), (&second, &rows)] {
        assert!(correlation(a, b).abs() < 0.4, "{}", correlation(a, b));
    }
}
