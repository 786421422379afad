//! Does an audit tell how likely somebody is found again?

use serde_json::{Value, json};

use crate::workbench::Workbench;

/// Classes of 1, 2 and 5 records.
const TABLE: &str = "age,sex,e-mail,illness\n30,f,a@example.org,flu\n40,f,b@example.org,flu\n40,f,c@example.org,cold\n\
                     50,m,d@example.org,flu\n50,m,e@example.org,cold\n50,m,f@example.org,cold\n50,m,g@example.org,flu\n\
                     50,m,h@example.org,flu\n";

fn risk(bench: &Workbench, options: &[&str]) -> Value {
    let arguments = ["audit", "table.csv", "--quasi", "age,sex", "--sensitive", "illness", "--json"];
    bench.json(&[&arguments[..], options].concat())["risk"].take()
}

fn near(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() < 1e-9)
}

#[test]
fn figures_by_hand() {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    // One of each size unless somebody asks for all of them.
    assert_eq!(risk(&bench, &[])["subsets"].as_array().unwrap().len(), 2);
    let found = risk(&bench, &["--subsets"]);
    assert_eq!(found["prosecutor"]["highest"], json!(1.0));
    assert_eq!(found["prosecutor"]["average"], json!(0.375));
    assert_eq!(found["prosecutor"]["records_at_risk"], json!(3), "one of five is not above 0.2");
    assert_eq!(found["journalist"]["records_at_risk"], json!(3), "no more is known");
    assert_eq!(found["uniqueness"]["sample"], json!(0.125));
    assert_eq!(found["uniqueness"]["population"]["dankar"], Value::Null);
    // age alone tells the three classes apart: 17 of 28 pairs; sex 15 of them.
    let subsets = found["subsets"].as_array().unwrap();
    assert_eq!(subsets.len(), 3);
    assert_eq!(subsets[0]["columns"], json!(["age"]));
    assert_eq!(subsets[0]["distinction"], json!(0.375));
    assert!(near(&subsets[0]["separation"], 17.0 / 28.0));
    assert_eq!(subsets[2]["columns"], json!(["sex"]));
    assert!(near(&subsets[2]["separation"], 15.0 / 28.0));
    assert_eq!(found["suda"]["minimal_uniques"], json!([1, 0]));
    assert_eq!(found["suda"]["contributions"]["age"], json!(1.0));
    assert_eq!(found["safe_harbor"][0]["column"], "e-mail");
    assert_eq!(found["safe_harbor"][0]["item"], "F");
    assert_eq!(found["safe_harbor"].as_array().unwrap().len(), 1);
}

#[test]
fn a_population_lowers_the_journalist_s_risk() {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    let mut register = "age,sex\n".to_owned();
    [("30,f\n", 4), ("40,f\n", 4), ("50,m\n", 10)].iter().for_each(|(row, times)| register += &row.repeat(*times));
    bench.write("register.csv", register);
    let found = risk(&bench, &["--population", "register.csv"]);
    assert_eq!(found["population"], json!({"known": "table", "size": 18}));
    assert_eq!(found["journalist"]["highest"], json!(0.25));
    assert_eq!(found["journalist"]["records_at_risk"], json!(3));
    // 1/4 + 2/4 + 5/10 of eight records; 3 classes of 18 people are less.
    assert!(near(&found["marketer"]["average"], 1.25 / 8.0));
    assert!(near(&found["journalist"]["average"], 3.0 / 18.0));
    let found = risk(&bench, &["--population-size", "80"]);
    assert!(near(&found["journalist"]["highest"], 10f64.ln() / 9.0));
    assert!(found["uniqueness"]["population"]["zayatz"].is_number());
    let ran = bench.run(&["audit", "table.csv", "--quasi", "age", "--population-size", "7"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("is less than the 8 rows of the table"), "{ran}");
}

#[test]
fn a_limit_on_a_risk() {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    let code = |quasi: &str, limit: &str| bench.run(&["audit", "table.csv", "--quasi", quasi, "--fail-on", limit]).code;
    assert_eq!(code("age,sex", "risk>0.2"), 1);
    assert_eq!(code("age,sex", "risk"), 1);
    assert_eq!(code("sex", "risk>0.4"), 0);
    // Classes of 3 and 5 records.
    assert_eq!(code("sex", "prosecutor-risk>0.3333333333333333"), 0);
    assert_eq!(code("sex", "risk>0.333"), 1);
    assert_eq!(code("sex", "marketer-risk>0.25"), 0);
    assert_eq!(code("sex", "marketer-risk>0.2"), 1);
    assert_eq!(code("sex", "safe-harbor"), 1);
    assert_eq!(code("sex", "risk>2"), 2);
    assert_eq!(code("sex", "safe-harbor>0.1"), 2);
}

#[test]
fn a_quiet_threshold() {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    let found = risk(&bench, &["--at-risk", "0.5", "--suda-size", "1"]);
    assert_eq!(found["prosecutor"]["records_at_risk"], json!(1));
    assert_eq!(found["suda"]["max_size"], json!(1));
    assert_eq!(bench.run(&["audit", "table.csv", "--quasi", "age", "--at-risk", "2"]).code, 2);
}

#[test]
fn safe_harbor_looks_at_what_labels_show() {
    let fails = |column: &str, label: &str| {
        let table = format!("\"{column}\",sex\n{}", format!("\"{label}\",f\n").repeat(6));
        let bench = Workbench::with(&[("release.csv", &table)]);
        let of_quasi = bench.run(&["audit", "release.csv", "--quasi", column, "--fail-on", "safe-harbor"]).code;
        let of_other = bench.run(&["audit", "release.csv", "--quasi", "sex", "--fail-on", "safe-harbor"]).code;
        assert_eq!(of_quasi, of_other, "{column} {label}");
        of_quasi == 1
    };
    assert!(fails("birth date", "[1980-01-03, 1980-02-01)") && fails("birth date", "[1979-06-30, 1981-07-01]"));
    assert!(fails("age", "[85, 95)") && fails("zip code", "[13053, 13068]"));
    assert!(!fails("birth date", "[1970, 1980)") && !fails("age", "[80, 90)") && !fails("zip code", "130**"));
}

#[test]
fn safe_harbor_looks_at_every_row_where_one_value_decides() {
    let table = format!("age,sex\n{}92,f\n", "30,f\n".repeat(1500));
    let bench = Workbench::with(&[("release.csv", &table)]);
    assert_eq!(bench.run(&["audit", "release.csv", "--quasi", "sex", "--fail-on", "safe-harbor"]).code, 1);
}
