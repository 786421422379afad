//! Are several releases of one table compared by the right figures?

use serde_json::Value;

use crate::workbench::Workbench;

/// Twelve people of four ages and two sexes.
const TABLE: &str =
    "age,sex,ill\n20,m,a\n20,m,b\n20,f,a\n21,m,b\n21,f,a\n21,f,b\n40,m,a\n40,m,b\n40,f,b\n41,m,a\n41,f,b\n41,f,a\n";

const POLICY: &str = "[input]\npath = \"table.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
                      hierarchy = { intervals = [10] }\n[columns.sex]\nrole = \"quasi-identifier\"\n\
                      hierarchy = { suppress = {} }\n[columns.ill]\nrole = \"sensitive\"\n\
                      [[require]]\nmodel = \"k-anonymity\"\nk = 2\n[method]\nname = \"full-domain\"\n";

fn bench() -> Workbench {
    Workbench::with(&[("policy.toml", POLICY), ("table.csv", TABLE)])
}

fn points(json: &Value) -> &Vec<Value> {
    json["points"].as_array().unwrap()
}

#[test]
fn every_combination_is_a_point_and_agrees_with_anonymize() {
    let bench = bench();
    let json =
        bench.json(&["compare", "policy.toml", "--vary", "k=2,3,6", "--vary", "method=full-domain,mondrian", "--json"]);
    assert_eq!(points(&json).len(), 6);
    for point in points(&json) {
        let (k, method) = (point["settings"]["k"].as_str().unwrap(), point["settings"]["method"].as_str().unwrap());
        let policy = POLICY.replace("k = 2", &format!("k = {k}")).replace("full-domain", method);
        bench.write("one.toml", policy);
        let one = bench.json(&["anonymize", "one.toml", "-o", "one.csv", "--json"]);
        for key in ["classes", "released_rows", "suppressed_rows", "objectives"] {
            assert_eq!(point[key], one[key], "{key} of {k} {method}");
        }
        let audit = bench.run(&["audit", "one.csv", "--policy", "one.toml", "--original", "table.csv", "--json"]);
        let audit: Value = serde_json::from_str(&audit.stdout).unwrap();
        assert_eq!(point["highest_risk"], audit["risk"]["prosecutor"]["highest"], "{k} {method}");
        let found = audit["attacks"]["found"].as_array().or(audit["attacks"].as_array()).unwrap();
        for finding in found {
            let exposed = &point["exposed_records"][finding["attack"].as_str().unwrap()];
            assert_eq!(*exposed, finding["exposed_records"], "{} of {k} {method}", finding["attack"]);
        }
        for learned in point["learners"].as_array().unwrap() {
            let same = |other: &&Value| other["learner"] == learned["learner"] && other["target"] == learned["target"];
            let others = audit["utility"]["learners"].as_array().unwrap();
            match others.iter().find(same) {
                Some(other) => assert_eq!(learned["release"], other["release"], "{k} {method}"),
                None => {
                    assert!(others.is_empty() && method == "mondrian", "{k} {method}");
                    let notes = audit["notes"].as_array().unwrap();
                    assert!(notes.iter().any(|note| note.as_str().unwrap().starts_with("no learner was asked")));
                }
            }
        }
    }
    assert!(!bench.path("table.release.csv").exists(), "nothing is published");
}

#[test]
fn the_frontier_holds_what_none_beats() {
    let bench = bench();
    let json = bench.json(&["compare", "policy.toml", "--vary", "k=2,3,6,12", "--json"]);
    let figures = |point: &Value| (point["highest_risk"].as_f64().unwrap(), point["loss"].as_f64().unwrap());
    let all: Vec<(f64, f64)> = points(&json).iter().map(figures).collect();
    for (point, own) in points(&json).iter().zip(&all) {
        let beaten = all.iter().any(|other| other.0 <= own.0 && other.1 <= own.1 && other != own);
        assert_eq!(point["on_frontier"], !beaten, "{point}");
    }
    // For k = 2 and for k = 3 the best is ages in tens: four classes of three.
    assert_eq!(all[0], all[1]);
    assert_eq!(all[3].0, 1.0 / 12.0);
    assert!((all[3].1 - 1.0).abs() < 1e-12, "nothing is left at k = 12: {}", all[3].1);
}

#[test]
fn policies_that_have_no_release_say_why() {
    let bench = bench();
    let ran = bench.run(&["compare", "policy.toml", "--vary", "k=2,13"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.contains("no release for k = 13: "), "{ran}");
    let ran = bench.run(&["compare", "policy.toml", "--vary", "k=13,14"]);
    assert_eq!(ran.code, 1, "none has one\n{ran}");
}

#[test]
fn several_files_are_named_and_wrong_requests_refused() {
    let bench = bench();
    bench.write("other.toml", POLICY.replace("k = 2", "k = 6"));
    let json = bench.json(&["compare", "policy.toml", "other.toml", "--json"]);
    let labels: Vec<&str> = points(&json).iter().map(|point| point["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["policy", "other"]);
    for (vary, said) in [
        ("l=3", "no requirement of the policy has `l` to set"),
        ("max-supressed=0.1", "did you mean `max-suppressed`?"),
        ("k", "`k` is not KEY=VALUE"),
        ("method=magic", "there is no method `magic`"),
        ("k=x", "policy.toml with k = x"),
    ] {
        let ran = bench.run(&["compare", "policy.toml", "--vary", vary]);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{vary}\n{ran}");
    }
}

/// 1500 people, of whom nothing tells the noise.
fn noise() -> String {
    let mut state = 1u64;
    let mut below = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let row = |_| {
        let (age, zip, job, noise) = (20 + below(60), 10_000 + below(900), below(4), below(3));
        format!("{age},{zip},{},{}\n", ["a", "b", "c", "d"][job as usize], ["x", "y", "z"][noise as usize])
    };
    format!("age,zip,job,noise\n{}", (0..1500).map(row).collect::<String>())
}

const NOISE_POLICY: &str = "[input]\npath = \"noise.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
                            hierarchy = { intervals = [5, 10, 20] }\n[columns.zip]\nrole = \"quasi-identifier\"\n\
                            hierarchy = { intervals = [10, 100] }\n[columns.job]\nrole = \"quasi-identifier\"\n\
                            hierarchy = { suppress = {} }\n[columns.noise]\nrole = \"sensitive\"\n\
                            hierarchy = { tree = { p = [\"x\", \"y\"], q = [\"z\"] } }\n[[require]]\n";

/// Whoever is asked about rows they have learned from knows most of them by heart.
#[test]
fn no_method_predicts_noise() {
    let bench = Workbench::with(&[("noise.csv", &noise())]);
    let all = "method=full-domain,mondrian,microaggregation,one-dimensional,sweep,anatomy";
    let (mut originals, mut asked) = (Vec::new(), 0);
    for required in ["model = \"k-anonymity\"\nk = 2\n", "model = \"tau-l-diversity\"\ntau = 0.6\nl = 3\n"] {
        bench.write("noise.toml", format!("{NOISE_POLICY}{required}[method]\nmax-suppressed = 0.05\n"));
        let json = bench.json(&["compare", "noise.toml", "--vary", all, "--json"]);
        for point in points(&json).iter().filter(|point| point["released"] == true) {
            let learners = point["learners"].as_array().unwrap();
            assert_eq!(learners.len(), 2, "{point}");
            for learned in learners {
                let share = |key: &str| learned[key].as_f64().unwrap();
                let tested = share("tested_rows");
                assert!((400.0..600.0).contains(&tested) && learned["held_out"] == true, "{learned}");
                // Three standard deviations of a share near one third.
                let chance = 3.0 * (2.0 / 9.0 / tested).sqrt();
                assert!(share("release") < share("majority") + chance, "{} {learned}", point["method"]);
                assert!(share("original") < share("majority") + chance, "{} {learned}", point["method"]);
            }
            originals.push((point["original_accuracy"].as_f64().unwrap(), learners[0]["tested_rows"].clone()));
            asked += 1;
        }
    }
    assert!(asked >= 10, "every method but one that separates has both releases: {asked}");
    assert!(originals.iter().all(|original| *original == originals[0]), "the same rows are asked about: {originals:?}");
}

#[test]
fn the_table_says_how_accuracy_was_measured() {
    let bench = bench();
    let ran = bench.run(&["compare", "policy.toml", "--vary", "method=full-domain,mondrian"]);
    assert!(
        ran.stdout.contains("the same third of the original's rows everywhere, which no learner has seen"),
        "{ran}"
    );
}
