//! Which policies are refused, and does the message say where and what instead?

use crate::refusal::{POLICY, bench, must_refuse};

/// A change of the sound policy, the line that the message names, and what else it says.
struct Case {
    replace: &'static str,
    with: &'static str,
    line: Option<u32>,
    parts: &'static [&'static str],
}

const fn case(replace: &'static str, with: &'static str, line: u32, parts: &'static [&'static str]) -> Case {
    Case { replace, with, line: Some(line), parts }
}

const fn case_of_data(replace: &'static str, with: &'static str, parts: &'static [&'static str]) -> Case {
    Case { replace, with, line: None, parts }
}

const K: &str = "model = \"k-anonymity\"\nk = 2";
const SEX: &str = "[columns.sex]\nrole = \"quasi-identifier\"";
const SENSITIVE: &str = "role = \"sensitive\"";

const SPELLING: &[Case] = &[
    case("[method]", "[metod]", 17, &["there is no section `metod`", "did you mean `method`?"]),
    case("[method]", "[whatever]", 17, &["`whatever`", "expected one of input, output, columns, require, method"]),
    case(
        "objective = \"loss\"",
        "objectiv = \"loss\"",
        18,
        &["there is no key `objectiv`", "did you mean `objective`?"],
    ),
    case("path = \"table.csv\"", "paht = \"table.csv\"", 2, &["there is no key `paht`", "did you mean `path`?"]),
    case("\"loss\"", "\"los\"", 18, &["there is no objective `los`", "did you mean `loss`?"]),
    case("\"loss\"", "\"pretty\"", 18, &["`pretty`", "expected one of loss, height, average-class-size"]),
    case("\"k-anonymity\"", "\"k-anonimity\"", 15, &["there is no model `k-anonimity`", "did you mean `k-anonymity`?"]),
    case(
        "\"k-anonymity\"",
        "\"k\"",
        15,
        &["there is no model `k`", "did you mean `k-anonymity`, `p-sensitive-k-anonymity` or"],
    ),
    case(
        "\"k-anonymity\"",
        "\"l-diversity\"",
        15,
        &["there is no model `l-diversity`", "did you mean `distinct-l-diversity`, `entropy-l-diversity`,"],
    ),
    case(
        SENSITIVE,
        "role = \"sensitive\"\npublish = true",
        14,
        &["expected a table", "hint: `publish = { round = 100 }`"],
    ),
    case(
        SENSITIVE,
        "role = \"sensitive\"\npublish = \"yes\"",
        14,
        &["expected a table", "hint: `publish = { round = 100 }`"],
    ),
    case(
        "role = \"sensitive\"",
        "role = \"sensitiv\"",
        13,
        &["there is no value `sensitiv`", "did you mean `sensitive`?"],
    ),
    case("role = \"identifier\"", "rolle = \"identifier\"", 6, &["there is no key `rolle`", "did you mean `role`?"]),
    case(
        "objective",
        "search = \"optimum\"\nobjective",
        18,
        &["there is no value `optimum`", "did you mean `optimal`?"],
    ),
    case("objective", "name = \"full\"\nobjective", 18, &["there is no method `full`", "full-domain"]),
    case("intervals", "interval", 9, &["`interval`", "did you mean `intervals`?"]),
    case("k = 2", "k = 2\nl = 3", 17, &["there is no key `l`"]),
    case(K, "k = 2", 14, &["a requirement without `model`", "shoal explain"]),
    case("k = 2", "", 14, &["missing key `k`"]),
    case("role = \"identifier\"", "", 5, &["missing key `role`"]),
    case("[input]\n", "[input]\nother-columns = \"refuze\"\n", 2, &["`refuze`", "did you mean `refuse`?"]),
    case("[output]\n", "[output]\nsuppressed = \"kept\"\n", 4, &["`kept`", "expected one of drop, keep"]),
];

const TYPES: &[Case] = &[
    case("k = 2", "k = \"two\"", 16, &["found text, expected a whole number"]),
    case("k = 2", "k = 2.5", 16, &["2.5", "a whole number"]),
    case("k = 2", "k = -2", 16, &["-2", "a whole number"]),
    case("path = \"table.csv\"", "path = 1", 2, &["found the number `1`", "text"]),
    case("\"loss\"", "true", 18, &["found boolean `true`", "text"]),
    case("[output]\n", "[output]\nshuffle = \"yes\"\n", 4, &["true or false"]),
    case("[[require]]", "[require]", 14, &["`require` must be a list of tables", "[[require]]"]),
    case("[input]\n", "[input]\nmissing = \"?\"\n", 2, &["a list"]),
    case("[input]\n", "[input]\nmissing = []\n", 2, &["`missing` lists no marker"]),
    case("[input]\n", "[input]\ndelimiter = \"||\"\n", 2, &["`delimiter` must be one ASCII character"]),
    case("[input]\n", "[input]\ndecimal = \";\"\n", 2, &["`decimal` must be \".\" or \",\""]),
    case("[columns.name]", "[columns.name", 5, &[]),
    case("k = 2", "k = 2\nmodel = \"k-anonymity\"", 17, &["`model` is given twice"]),
    case("[columns.sex]", "[columns.age]", 10, &["`age` is given twice"]),
    case("model = \"k-anonymity\"", "model = 1", 15, &["`model` must be text"]),
];

/// Policies with a mistake beside a value, which no message may show.
const SECRETS: &[Case] = &[
    case(
        K,
        "model = \"tau-l-diversity\"\ntau = 0.5\nl = 2\nweights = { Yaws = 1, Yaws = 2 }",
        18,
        &["a key is given twice"],
    ),
    case(
        K,
        "model = \"tau-l-diversity\"\ntau = 0.5\nl = 2\n[require.weights]\nYaws = 1\nYaws = 2",
        20,
        &["a key is given twice"],
    ),
    case(
        K,
        "model = \"alpha-k-anonymity\"\nalpha = 0.5\nk = 2\nvalues = [47]",
        18,
        &["found the number, expected text"],
    ),
    case(
        K,
        "model = \"a-d-diversity\"\na = 1\nd = 2\ngroups = { Yaws = [\"Yaws\"], x = [\"Yaws\"] }",
        18,
        &["a value stands in two groups"],
    ),
    case(
        SENSITIVE,
        "role = \"sensitive\"\nhierarchy = { tree = { a = 47 } }",
        14,
        &["found the number, expected a list of values, or a table of further groups"],
    ),
    case(
        SENSITIVE,
        "role = \"sensitive\"\nhierarchy = { tree = { Yaws = [] } }",
        14,
        &["a group of the tree has no values"],
    ),
    case(
        SENSITIVE,
        "role = \"sensitive\"\nhierarchy = { tree = { a = [{ Yaws = [\"x\"] }], b = [{ Yaws = [\"y\"] }] } }",
        14,
        &["a label on level 1 has two parents"],
    ),
];

const RANGES: &[Case] = &[
    case("k = 2", "k = 0", 16, &["`k` must be at least", "not 0"]),
    case("k = 2", "k = 1", 16, &["`k` must be at least 2, not 1"]),
    case(K, "model = \"distinct-l-diversity\"\nl = 0", 16, &["`l` must be at least", "not 0"]),
    case(K, "model = \"entropy-l-diversity\"\nl = 0.5", 16, &["`l` must be", "not 0.5"]),
    case(K, "model = \"entropy-l-diversity\"\nl = nan", 16, &["`l` must be"]),
    case(K, "model = \"simple-l-diversity\"\nl = 0.9", 16, &["`l` must be", "not 0.9"]),
    case(K, "model = \"recursive-cl-diversity\"\nc = 2\nl = 0", 17, &["`l` must be at least 1, not 0"]),
    case(K, "model = \"recursive-cl-diversity\"\nc = 0\nl = 2", 16, &["`c` must be", "not 0"]),
    case(K, "model = \"t-closeness\"\ndistance = \"equal\"\nt = -0.1", 17, &["`t` must be between 0 and 1, not -0.1"]),
    case(K, "model = \"t-closeness\"\ndistance = \"equal\"\nt = 1.1", 17, &["`t` must be between 0 and 1, not 1.1"]),
    case(K, "model = \"t-closeness\"\ndistance = \"euqal\"\nt = 1", 16, &["`euqal`", "did you mean `equal`?"]),
    case(K, "model = \"alpha-k-anonymity\"\nalpha = 0\nk = 2", 16, &["`alpha` must be above 0 and at most 1, not 0"]),
    case(
        K,
        "model = \"alpha-k-anonymity\"\nalpha = 1.5\nk = 2",
        16,
        &["`alpha` must be above 0 and at most 1, not 1.5"],
    ),
    case(K, "model = \"tau-l-diversity\"\ntau = 0\nl = 2", 16, &["`tau` must be above 0 and at most 1, not 0"]),
    case(K, "model = \"tau-l-diversity\"\ntau = 0.5\nl = 1", 17, &["`l` must be at least 2, not 1"]),
    case(K, "model = \"p-sensitive-k-anonymity\"\nk = 2\np = 0", 17, &["`p` must be between 1 and 2, not 0"]),
    case(
        "objective",
        "max-suppressed = 2\nobjective",
        18,
        &["`max-suppressed` must be from 0 to 1, not 2", "0.05 is 5%"],
    ),
    case("objective", "max-suppressed = -0.1\nobjective", 18, &["`max-suppressed` must be from 0 to 1, not -0.1"]),
    case(SEX, "[columns.sex]\nrole = \"quasi-identifier\"\nweight = -1", 12, &["`weight` must be at least 0, not -1"]),
    case(
        SEX,
        "[columns.sex]\nrole = \"quasi-identifier\"\nmin-level = 2\nmax-level = 1",
        12,
        &["`min-level` of `sex` is above"],
    ),
    case(
        SEX,
        "[columns.sex]\nrole = \"quasi-identifier\"\nmin-level = 2",
        10,
        &["`min-level` of column `sex` is above its hierarchy", "0 to 1"],
    ),
    case(
        SEX,
        "[columns.sex]\nrole = \"quasi-identifier\"\nmax-level = 9",
        10,
        &["`max-level` of column `sex` is above its hierarchy"],
    ),
    case(
        SENSITIVE,
        "role = \"sensitive\"\nmin-level = 1",
        14,
        &["`min-level` is for quasi-identifiers, and `disease` is none"],
    ),
    case("[input]\n", "[input]\nmemory-limit = \"2 parsecs\"\n", 2, &["`memory-limit` must be", "2GB"]),
    case("[input]\n", "[input]\nmemory-limit = 0\n", 2, &["`memory-limit` must be", "a number of bytes"]),
    case("[input]\n", "[input]\nmemory-limit = \"GB\"\n", 2, &["`memory-limit` must be"]),
    case("[input]\n", "[input]\nmemory-limit = true\n", 2, &["such as `2GB`", "a number of bytes"]),
    case("[input]\n", "[input]\nmemory-limt = 1\n", 2, &["`memory-limt`", "did you mean `memory-limit`?"]),
    case("[5, 10]", "[]", 9, &["intervals"]),
    case("[5, 10]", "[10, 5]", 9, &["intervals"]),
    case("[5, 10]", "[4, 10]", 9, &["intervals"]),
];

const COLUMNS: &[Case] = &[
    case(
        K,
        "model = \"distinct-l-diversity\"\nl = 2\ncolumn = \"age\"",
        14,
        &["about a sensitive column, and `age` is none"],
    ),
    case(
        K,
        "model = \"distinct-l-diversity\"\nl = 2\ncolumn = \"diseases\"",
        14,
        &["no column `diseases`", "did you mean `disease`?"],
    ),
    case(
        SENSITIVE,
        "role = \"insensitive\"\n[[require]]\nmodel = \"distinct-l-diversity\"\nl = 2",
        14,
        &["needs a sensitive column, and the policy has none"],
    ),
    case("k = 2", "k = 2\ncolumn = \"disease\"", 17, &["`k-anonymity` is about the whole table and takes no `column`"]),
    case(
        "k = 2",
        "k = 2\namong = \"all-sensitive\"",
        17,
        &["`among` is for diversity models, and `k-anonymity` is none"],
    ),
    case(K, "model = \"distinct-l-diversity\"\nl = 2\namong = \"all\"", 17, &["`among` must be \"all-sensitive\""]),
    case(
        K,
        "model = \"t-closeness\"\ndistance = \"equal\"\nt = 0.5\namong = \"all-sensitive\"",
        18,
        &["`among` is for diversity models"],
    ),
    case_of_data("[[require]]\nmodel = \"k-anonymity\"\nk = 2", "", &["policy.toml: the policy requires nothing"]),
    case(
        K,
        "model = \"t-closeness\"\ndistance = \"hierarchical\"\nt = 0.5",
        14,
        &["hierarch", "`disease`", "hint: give [columns.\"disease\"] a `hierarchy`"],
    ),
    case(K, "model = \"t-closeness\"\ndistance = \"ordered\"\nt = 0.5", 14, &["`disease`", "order"]),
    case(
        K,
        "model = \"a-d-diversity\"\na = 1\nd = 1\ngroups = { skin = [\"Xanthoma\", \"Yaws\"] }",
        14,
        &["`groups` leaves out 1 of the values", "column `disease`"],
    ),
    case(
        K,
        "model = \"a-d-diversity\"\na = 1\nd = 1\ngroups = { a = [\"Yaws\"], b = [\"Yaws\"] }",
        18,
        &["a value stands in the groups `a` and `b`"],
    ),
    case(
        K,
        "model = \"a-d-diversity\"\na = 1\nd = 1\ngroups = { level = 1 }",
        14,
        &["needs a hierarchy for column `disease`"],
    ),
    case(
        K,
        "model = \"a-d-diversity\"\na = 1\nd = 1\ngroups = { file = \"none.csv\" }",
        18,
        &["none.csv", "no such file"],
    ),
    case(
        K,
        "model = \"npd-recursive-cl-diversity\"\nc1 = 2\nc2 = 10\nl = 2\nguarded = [\"Yaws\", \"Quinsy\"]",
        14,
        &["entry 2 of `guarded` is not a value of column `disease`"],
    ),
    case(K, "model = \"npd-recursive-cl-diversity\"\nc1 = 2\nc2 = 10\nl = 2\nguarded = \"Yaws\"", 19, &["a list"]),
    case(
        K,
        "model = \"pd-recursive-cl-diversity\"\nc = 2\nl = 2\ndisclosable = [\"Quinsy\"]",
        14,
        &["entry 1 of `disclosable`"],
    ),
    case(K, "model = \"alpha-k-anonymity\"\nalpha = 0.5\nk = 2\nvalues = [\"Quinsy\"]", 14, &["entry 1 of `values`"]),
    case(
        K,
        "model = \"tau-l-diversity\"\ntau = 0.5\nl = 2\nweights = { Yaws = 1 }",
        14,
        &["`weights` leaves out 2 of the values", "`disease`"],
    ),
    case(K, "model = \"tau-l-diversity\"\ntau = 0.5\nl = 2\nweights = { Yaws = \"much\" }", 18, &["a number"]),
    case(
        K,
        "model = \"tau-l-diversity\"\ntau = 0.5\nl = 2\nweights = { Yaws = -1 }",
        18,
        &["a weight must be between 0 and a million, with at most six decimals, not -1"],
    ),
    case(SENSITIVE, "role = \"sensitive\"\nhierarchy = { tree = { a = [\"Yaws\"], b = [\"Yaws\"] } }", 14, &[]),
    case(SENSITIVE, "role = \"sensitive\"\nhierarchy = { tree = { skin = \"Yaws\" } }", 14, &[]),
];

/// The messages of these cases, one after the other, for the eye.
fn gallery(cases: &[Case]) -> String {
    let mut gallery = String::new();
    for Case { replace, with, line, parts } in cases {
        assert_eq!(POLICY.matches(replace).count().min(2), 1, "`{replace}` is not unique");
        let bench = bench();
        bench.write("policy.toml", POLICY.replace(replace, with));
        let place = line.map(|line| format!("policy.toml, line {line}: "));
        let parts: Vec<&str> = parts.iter().copied().chain(place.as_deref()).collect();
        let message = must_refuse(&bench, &["anonymize", "policy.toml"], 2, &parts);
        // What can be told without the table is told without it, in the same words.
        let checked = bench.run(&["check", "policy.toml"]);
        assert!(checked.code == 0 || checked.code == 2 && checked.stderr == message, "{with}: {message}\n{checked}");
        gallery += &format!("{}\n{message}\n", with.replace('\n', "\n  "));
    }
    gallery
}

fn snapshot(name: &str, cases: &[Case]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, gallery(cases)));
}

#[test]
fn misspelled() {
    snapshot("policies_misspelled", SPELLING);
}

#[test]
fn of_the_wrong_type() {
    snapshot("policies_of_the_wrong_type", TYPES);
}

#[test]
fn with_a_mistake_beside_a_sensitive_value() {
    let gallery = gallery(SECRETS);
    let messages: Vec<&str> = gallery.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(!messages.iter().any(|message| message.contains("47")), "{messages:?}");
}

#[test]
fn out_of_range() {
    snapshot("policies_out_of_range", RANGES);
}

#[test]
fn about_the_wrong_columns_or_values() {
    snapshot("policies_about_the_wrong_columns", COLUMNS);
}

#[test]
fn a_mistake_of_spelling_or_type_is_found_without_the_table() {
    for Case { replace, with, .. } in SPELLING.iter().chain(TYPES) {
        let bench = bench();
        std::fs::remove_file(bench.path("table.csv")).unwrap();
        bench.write("policy.toml", POLICY.replace(replace, with));
        must_refuse(&bench, &["check", "policy.toml"], 2, &[]);
    }
}

#[test]
fn not_there_or_not_text() {
    let bench = bench();
    must_refuse(&bench, &["anonymize", "polcy.toml"], 2, &["cannot read polcy.toml", "no such file"]);
    bench.write("binary.toml", [0xFF, 0xFE, 0x00]);
    must_refuse(&bench, &["anonymize", "binary.toml"], 2, &["binary.toml", "UTF-8"]);
    must_refuse(&bench, &["anonymize", "table.csv"], 2, &["table.csv is a table by its name", "shoal init table.csv"]);
}
