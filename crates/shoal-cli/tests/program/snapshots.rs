//! What do people see? Exit code, stdout and stderr of every command.

use std::fmt::Display;

use crate::workbench::Workbench;

/// Compares with the snapshot of this name; what differs from run to run is masked.
fn snapshot(name: &str, seen: &impl Display) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"; [0-9.]+ s\n", "; [seconds] s\n");
    settings.add_filter(
        r#""(read|count|hierarchies|search|recode|verify|write|total)": [0-9.e-]+"#,
        r#""$1": "[seconds]""#,
    );
    settings.add_filter(r#""peak_memory_bytes": [0-9]+"#, r#""peak_memory_bytes": "[bytes]""#);
    settings.bind(|| insta::assert_snapshot!(name, seen.to_string()));
}

fn with_figure_2a() -> Workbench {
    Workbench::with(&[
        ("figure-2a.csv", include_str!("data/figure-2a.csv")),
        ("disease.csv", include_str!("data/disease-taxonomy.csv")),
    ])
}

#[test]
fn anonymize() {
    let inpatients = Workbench::with_example("inpatients");
    snapshot("anonymize_inpatients", &inpatients.run(&["anonymize", "policy.toml"]));
    snapshot("anonymize_inpatients_release", &inpatients.text("release.csv"));
    snapshot("anonymize_inpatients_json", &inpatients.run(&["anonymize", "policy.toml", "--json"]));
    snapshot("anonymize_inpatients_quiet", &inpatients.run(&["anonymize", "policy.toml", "--quiet"]));
    let patients = Workbench::with_example("patients");
    snapshot("anonymize_patients", &patients.run(&["anonymize", "policy.toml"]));
    snapshot("anonymize_patients_release", &patients.text("release.csv"));
    snapshot("anonymize_patients_json", &patients.run(&["anonymize", "policy.toml", "--json"]));
}

#[test]
fn anonymize_with_everything_there_is_to_remark_on() {
    let bench = Workbench::with_example("census");
    bench.must(&["generate", "census", "--rows", "2000", "--seed", "7", "-o", "census.csv"]);
    bench.write(
        "policy.toml",
        bench
            .text("policy.toml")
            .replace("missing = [\"\"]", "rows-with-missing = \"drop\"")
            .replace("path = \"release.csv\"", "path = \"release.csv\"\nreport = \"report.html\"")
            .replace("hierarchy = { suppress = {} }", "")
            .replace("max-suppressed = 0.02", "max-suppressed = 0.2"),
    );
    snapshot("anonymize_census", &bench.run(&["anonymize", "policy.toml"]));
    snapshot("audit_census", &bench.run(&["audit", "release.csv", "--policy", "policy.toml"]));
}

#[test]
fn init() {
    let bench = Workbench::with_example("inpatients");
    snapshot("init_stdout", &bench.run(&["init", "inpatients.csv", "--quiet"]));
    snapshot("init_file", &bench.run(&["init", "inpatients.csv", "-o", "proposed.toml"]));
    snapshot("init_exists", &bench.run(&["init", "inpatients.csv", "-o", "proposed.toml"]));
    bench.must(&["init", "inpatients.csv", "-o", "proposed.toml", "--overwrite"]);
    snapshot("init_then_anonymize", &bench.run(&["anonymize", "proposed.toml"]));
    snapshot("init_missing_table", &bench.run(&["init", "no-such.csv"]));

    let census = Workbench::new();
    census.write("tables/.keep", "");
    census.write("policies/.keep", "");
    census.must(&["generate", "census", "--rows", "3000", "-o", "tables/census.csv"]);
    census.must(&["init", "tables/census.csv", "-o", "policies/census.toml"]);
    assert!(census.text("policies/census.toml").contains("path = \"../tables/census.csv\""));
    census.must(&["anonymize", "policies/census.toml"]);
    census.must(&["audit", "tables/census.release.csv", "--policy", "policies/census.toml"]);
}

#[test]
fn a_search_within_a_budget() {
    let bench = Workbench::with_example("inpatients");
    bench.write("policy.toml", bench.text("policy.toml").replace("search = \"optimal\"", "budget = 2"));
    let json = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!(json["guarantee"], "best-effort");
    assert!(json["gap"].as_f64().is_some_and(|gap| gap > 0.0));
    bench.write("policy.toml", bench.text("policy.toml").replace("budget = 2", "budget = \"1h\""));
    let json = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!((json["guarantee"].as_str(), json["gap"].as_f64()), (Some("optimal"), Some(0.0)));
}

#[test]
fn anonymize_says_no() {
    let bench = Workbench::with_example("inpatients");
    let policy = bench.text("policy.toml");
    bench.write("strict.toml", policy.replace("k = 4", "k = 13"));
    snapshot("anonymize_whole_table_too_small", &bench.run(&["anonymize", "strict.toml"]));
    bench.write("diverse.toml", policy.replace("l = 2.5", "l = 2.9"));
    snapshot("anonymize_whole_table_not_diverse_enough", &bench.run(&["anonymize", "diverse.toml"]));
    bench.write("narrow.toml", policy.replace("intervals = [5, 10, 20] }", "intervals = [5, 10, 20] }\nmax-level = 1"));
    snapshot("anonymize_no_release", &bench.run(&["anonymize", "narrow.toml"]));
    snapshot("solutions_none", &bench.run(&["solutions", "narrow.toml"]));
    bench.write("sparse.toml", bench.text("narrow.toml").replace("max-suppressed = 0 ", "max-suppressed = 0.25 "));
    snapshot("anonymize_no_release_with_suppression", &bench.run(&["anonymize", "sparse.toml"]));
}

#[test]
fn advise() {
    let bench = Workbench::with_example("inpatients");
    snapshot("advise_inpatients", &bench.run(&["advise", "policy.toml"]));
    snapshot("advise_inpatients_json", &bench.run(&["advise", "policy.toml", "--json"]));
    let policy = bench.text("policy.toml");
    bench.write("narrow.toml", policy.replace("intervals = [5, 10, 20] }", "intervals = [5, 10, 20] }\nmax-level = 1"));
    snapshot("advise_no_release", &bench.run(&["advise", "narrow.toml"]));
    snapshot("advise_no_release_json", &bench.run(&["advise", "narrow.toml", "--json"]));
}

#[test]
fn audit() {
    let bench = Workbench::with_example("inpatients");
    bench.must(&["anonymize", "policy.toml"]);
    let without_policy = ["audit", "release.csv", "--quasi", "Zip Code,Age,Nationality", "--sensitive", "Condition"];
    snapshot("audit_inpatients", &bench.run(&without_policy));
    snapshot("audit_inpatients_json", &bench.run(&[&without_policy[..], &["--json"]].concat()));
    snapshot("audit_without_sensitive", &bench.run(&["audit", "release.csv", "--quasi", "Age"]));
    let with_policy = ["audit", "release.csv", "--policy", "policy.toml"];
    snapshot("audit_inpatients_policy", &bench.run(&with_policy));
    snapshot("audit_inpatients_policy_json", &bench.run(&[&with_policy[..], &["--json"]].concat()));
    let input = ["audit", "inpatients.csv", "--policy", "policy.toml"];
    snapshot("audit_input_fails", &bench.run(&input));
    snapshot("audit_input_fails_json", &bench.run(&[&input[..], &["--json"]].concat()));
}

#[test]
fn audit_compares_with_the_original() {
    let bench = Workbench::with_example("inpatients");
    let closeness = "model = \"t-closeness\"\ndistance = \"equal\"\nreference = \"table\"\nt = 0.5\n";
    let policy = bench.text("policy.toml").replace("model = \"entropy-l-diversity\"", closeness).replace("l = 2.5", "");
    bench.write("policy.toml", policy);
    bench.must(&["anonymize", "policy.toml"]);
    snapshot("audit_needs_original", &bench.run(&["audit", "release.csv", "--policy", "policy.toml"]));
    let with_original = ["audit", "release.csv", "--policy", "policy.toml", "--original", "inpatients.csv"];
    snapshot("audit_with_original", &bench.run(&with_original));
}

#[test]
fn audit_with_a_hierarchy() {
    let patients = Workbench::with_example("patients");
    patients.must(&["anonymize", "policy.toml"]);
    let columns = ["--quasi", "ZIP Code,Age", "--sensitive", "Salary,Disease"];
    let command = [&["audit", "release.csv"], &columns[..], &["--hierarchy", "Disease=disease.csv"]].concat();
    snapshot("audit_patients_hierarchy", &patients.run(&command));
}

/// Figure 2(a) of (tau,l)-diversity shows `hemal disease` for two people: each counts half for either disease below.
#[test]
fn audit_of_generalized_sensitive_values() {
    let bench = with_figure_2a();
    let columns = ["--quasi", "Age,Zipcode", "--sensitive", "Disease", "--hierarchy", "Disease=disease.csv"];
    snapshot("audit_figure_2a", &bench.run(&[&["audit", "figure-2a.csv"], &columns[..]].concat()));
    bench.write(
        "policy.toml",
        r#"[columns.id]
role = "insensitive"
[columns.Age]
role = "quasi-identifier"
[columns.Zipcode]
role = "quasi-identifier"
[columns.Disease]
role = "sensitive"
hierarchy = { file = "disease.csv" }
[[require]]
model = "tau-l-diversity"
tau = 0.5
l = 3
"#,
    );
    snapshot("audit_figure_2a_policy", &bench.run(&["audit", "figure-2a.csv", "--policy", "policy.toml"]));
    bench.write("strict.toml", bench.text("policy.toml").replace("0.5", "0.49"));
    snapshot("audit_figure_2a_fails", &bench.run(&["audit", "figure-2a.csv", "--policy", "strict.toml"]));
    let distinct = "model = \"distinct-l-diversity\"\nl = 2\n";
    let (kept, _) = bench.text("policy.toml").split_once("model =").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    bench.write("distinct.toml", kept + distinct);
    snapshot("audit_figure_2a_cannot_judge", &bench.run(&["audit", "figure-2a.csv", "--policy", "distinct.toml"]));
}

#[test]
fn audit_asked_wrongly() {
    let bench = Workbench::with_example("inpatients");
    let audit = |arguments: &[&str]| bench.run(&[&["audit", "inpatients.csv"], arguments].concat());
    snapshot("audit_of_nothing", &audit(&[]));
    snapshot("audit_unknown_column", &audit(&["--quasi", "Zip Kode"]));
    let hierarchy = ["--quasi", "Age", "--sensitive", "Condition", "--hierarchy"];
    snapshot("audit_hierarchy_without_column", &audit(&[&hierarchy[..], &["disease.csv"]].concat()));
    snapshot("audit_hierarchy_of_another_column", &audit(&[&hierarchy[..], &["Age=disease.csv"]].concat()));
    snapshot("audit_twice_the_same_column", &audit(&["--quasi", "Age,Condition", "--sensitive", "Condition"]));
    bench.write("named.csv", "Name,Zip Code,Age,Nationality,Condition\nBob,1****,*,*,Cancer\n");
    let named = bench.text("policy.toml") + "[columns.Name]\nrole = \"identifier\"\n";
    bench.write("named.toml", named);
    snapshot("audit_of_a_table_with_names", &bench.run(&["audit", "named.csv", "--policy", "named.toml"]));
    bench.write("empty.csv", "Zip Code,Age,Nationality,Condition\n");
    snapshot("audit_of_no_rows", &bench.run(&["audit", "empty.csv", "--policy", "policy.toml"]));
}

#[test]
fn solutions() {
    let bench = Workbench::with_example("inpatients");
    snapshot("solutions", &bench.run(&["solutions", "policy.toml"]));
    snapshot("solutions_json", &bench.run(&["solutions", "policy.toml", "--json"]));
    snapshot("solutions_all", &bench.run(&["solutions", "policy.toml", "--all"]));
    bench.write("one.toml", bench.text("policy.toml").replace("k = 4", "k = 12"));
    snapshot("solutions_all_json", &bench.run(&["solutions", "one.toml", "--all", "--json"]));
}

/// Figures 2 and 3 of l-diversity, and what Alice knows of Bob and Umeko.
#[test]
fn audit_attacks() {
    let bench = Workbench::with_example("inpatients");
    bench.write("figure-2.csv", include_str!("../../../shoal-core/tests/data/l_diversity_fig2_4anonymous.csv"));
    bench.write("figure-3.csv", include_str!("../../../shoal-core/tests/data/l_diversity_fig3_3diverse.csv"));
    bench.write(
        "knowledge.toml",
        "[[know]]\nwhere = { Nationality = \"Japanese\" }\ntimes = { \"Heart Disease\" = 0.01 }\n",
    );
    let columns = ["--quasi", "Zip Code,Age,Nationality", "--sensitive", "Condition"];
    let audit = |file: &str, more: &[&str]| bench.run(&[&["audit", file], &columns[..], more].concat());
    let knowing = ["--knowledge", "knowledge.toml", "--original", "inpatients.csv"];
    snapshot("audit_figure_2", &audit("figure-2.csv", &knowing));
    snapshot("audit_figure_2_revealed", &audit("figure-2.csv", &[&knowing[..], &["--reveal"]].concat()));
    snapshot("audit_figure_2_json", &audit("figure-2.csv", &[&knowing[..], &["--json"]].concat()));
    snapshot("audit_figure_3", &audit("figure-3.csv", &knowing));
    snapshot("audit_figure_3_with_figure_2", &audit("figure-3.csv", &["--with", "figure-2.csv"]));
    let limits = ["--fail-on", "homogeneity", "--fail-on", "skewness>0.9"];
    snapshot("audit_limit_broken", &audit("figure-2.csv", &limits));
    snapshot("audit_limit_kept", &audit("figure-3.csv", &limits));
    snapshot("audit_limit_not_tried", &audit("figure-3.csv", &["--fail-on", "linkage"]));
    snapshot("audit_limit_unknown", &audit("figure-3.csv", &["--fail-on", "homogenity"]));
    snapshot("audit_bad_near", &audit("figure-3.csv", &["--near", "Salary"]));
    snapshot("audit_bad_confidence", &audit("figure-3.csv", &["--confidence", "90"]));
    bench.write("names.csv", "name\nBob\n");
    snapshot("audit_outsider_without_columns", &audit("figure-3.csv", &["--outsider", "names.csv"]));
}

#[test]
fn hierarchy_check() {
    let bench = Workbench::with_example("patients");
    snapshot("hierarchy_check_file", &bench.run(&["hierarchy", "check", "disease.csv"]));
    snapshot("hierarchy_check_policy", &bench.run(&["hierarchy", "check", "policy.toml"]));
    let [loud, quiet] =
        [&[][..], &["--quiet"]].map(|more| bench.run(&[&["hierarchy", "check", "policy.toml"], more].concat()));
    assert_eq!(quiet.stdout, loud.stdout, "all of it is results and warnings");
    snapshot("hierarchy_check_column", &bench.run(&["hierarchy", "check", "policy.toml", "--column", "Age"]));
    snapshot("hierarchy_check_no_such", &bench.run(&["hierarchy", "check", "policy.toml", "--column", "Salary"]));
    bench.write("crossed.csv", "a;x;top\nb;x;bottom\nc;y;bottom\n");
    snapshot("hierarchy_check_defects", &bench.run(&["hierarchy", "check", "crossed.csv"]));
    bench.write("partial.csv", "flu;*\nbronchitis;*\n");
    let against = ["hierarchy", "check", "partial.csv", "--table", "patients.csv", "--column", "Disease"];
    snapshot("hierarchy_check_against_a_column", &bench.run(&against));
    snapshot("hierarchy_check_half_asked", &bench.run(&against[..5]));
}

#[test]
fn hierarchy_show() {
    let bench = Workbench::with_example("patients");
    snapshot("hierarchy_show_file", &bench.run(&["hierarchy", "show", "disease.csv"]));
    snapshot("hierarchy_show_policy", &bench.run(&["hierarchy", "show", "policy.toml"]));
    snapshot("hierarchy_show_few_lines", &bench.run(&["hierarchy", "show", "disease.csv", "--lines", "6"]));
    bench.write("generated.toml", bench.text("policy.toml").replace("path = \"patients.csv\"", ""));
    snapshot("hierarchy_show_needs_values", &bench.run(&["hierarchy", "show", "generated.toml", "--column", "Age"]));
}

#[test]
fn hierarchy_suggest() {
    let bench = Workbench::with_example("patients");
    for (name, column) in [("numbers", "Age"), ("codes", "ZIP Code"), ("words", "Disease")] {
        let ran = bench.run(&["hierarchy", "suggest", "patients.csv", "--column", column]);
        snapshot(&format!("hierarchy_suggest_{name}"), &ran);
    }
    let to_file = ["hierarchy", "suggest", "patients.csv", "--column", "Age", "-o", "age.csv"];
    snapshot("hierarchy_suggest_to_file", &bench.run(&to_file));
    snapshot("hierarchy_suggest_the_file", &bench.text("age.csv"));
    let unknown = ["hierarchy", "suggest", "patients.csv", "--column", "age"];
    snapshot("hierarchy_suggest_unknown_column", &bench.run(&unknown));
}

#[test]
fn explain() {
    let bench = Workbench::new();
    snapshot("explain", &bench.run(&["explain"]));
    snapshot("explain_model", &bench.run(&["explain", "tau-l-diversity"]));
    snapshot("explain_objective", &bench.run(&["explain", "loss"]));
    snapshot("explain_method", &bench.run(&["explain", "full-domain"]));
    snapshot("explain_attack", &bench.run(&["explain", "background-knowledge"]));
    snapshot("explain_misspelled", &bench.run(&["explain", "t-closness"]));
    snapshot("explain_a_family", &bench.run(&["explain", "l-diversity"]));
    snapshot("explain_unknown", &bench.run(&["explain", "differential-privacy"]));
    snapshot("explain_key", &bench.run(&["explain", "input.missing"]));
    snapshot("explain_key_of_several_models", &bench.run(&["explain", "require.l"]));
    snapshot("explain_key_misspelled", &bench.run(&["explain", "input.mising"]));
    snapshot("explain_key_without_its_section", &bench.run(&["explain", "table"]));
    snapshot("explain_key_by_a_part_of_its_name", &bench.run(&["explain", "level"]));
    snapshot("explain_hierarchies", &bench.run(&["explain", "hierarchy"]));
}

/// With the keys of all engines.
#[cfg(feature = "engines")]
#[test]
fn explain_policy() {
    snapshot("explain_policy", &Workbench::new().run(&["explain", "policy"]));
}

#[test]
fn check() {
    let bench = Workbench::with_example("inpatients");
    std::fs::remove_file(bench.path("inpatients.csv")).unwrap();
    snapshot("check_inpatients", &bench.run(&["check", "policy.toml"]));
    snapshot("check_with_a_setting", &bench.run(&["check", "policy.toml", "--set", "method=anatomy"]));
    snapshot("check_census", &Workbench::with_example("census").run(&["check", "policy.toml"]));
    bench.write("wrong.toml", bench.text("policy.toml").replace("role", "rolle"));
    snapshot("check_misspelled", &bench.run(&["check", "wrong.toml"]));
}

#[test]
fn settings() {
    let bench = Workbench::with_example("inpatients");
    let set = |setting: &str| bench.run(&["solutions", "policy.toml", "--set", setting]);
    snapshot("set_k", &set("k=3"));
    snapshot("set_a_hierarchy", &set("columns.Age.hierarchy={ intervals = [20] }"));
    snapshot("set_misspelled", &set("max-supressed=0.1"));
    snapshot("set_a_wrong_value", &set("method=mondrain"));
    snapshot("set_nothing", &set("k"));
}

#[test]
fn generate() {
    let bench = Workbench::new();
    snapshot("generate", &bench.run(&["generate", "census", "--rows", "5"]));
    snapshot("generate_another_seed", &bench.run(&["generate", "census", "--rows", "2", "--seed", "2"]));
    snapshot("generate_unknown", &bench.run(&["generate", "cenus", "--rows", "5"]));
    snapshot("generate_without_rows", &bench.run(&["generate", "census"]));
    bench.must(&["generate", "census", "--rows", "5", "-o", "census.csv"]);
    assert_eq!(bench.text("census.csv"), bench.must(&["generate", "census", "--rows", "5"]).stdout);
    snapshot("generate_nowhere", &bench.run(&["generate", "census", "--rows", "5", "-o", "no/such/folder.csv"]));
}

#[test]
fn version_and_help() {
    let bench = Workbench::new();
    snapshot("no_arguments", &bench.run(&[]));
    snapshot("version", &bench.run(&["--version"]));
    snapshot("help", &bench.run(&["--help"]));
    snapshot("help_short", &bench.run(&["-h"]));
    for command in ["anonymize", "check", "audit", "solutions", "hierarchy", "explain", "schema", "generate"] {
        snapshot(&format!("help_{command}"), &bench.run(&[command, "--help"]));
    }
    for action in ["check", "show", "suggest"] {
        snapshot(&format!("help_hierarchy_{action}"), &bench.run(&["hierarchy", action, "--help"]));
    }
    snapshot("unknown_command", &bench.run(&["anonymise", "policy.toml"]));
}

#[test]
fn a_reader_who_closes_the_pipe_has_seen_enough() {
    let bench = Workbench::new();
    let ran = bench.run_in_shell("\"$SHOAL\" generate census --rows 20000 | head -n 1; exit ${PIPESTATUS[0]}");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
}
