//! Does a release say what it lost, with labels that are nobody's own value, and categories that are not averaged?

use std::fmt::Write;

use serde_json::Value;

use crate::workbench::{Workbench, rows};

/// A policy with these columns, k = 2, and a method.
fn policy(columns: &[(&str, &str)], method: &str) -> String {
    let mut text = "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n".to_owned();
    for (name, more) in columns {
        writeln!(text, "[columns.{name}]\nrole = \"quasi-identifier\"\n{more}").unwrap();
    }
    text + "[[require]]\nmodel = \"k-anonymity\"\nk = 2\n[method]\n" + method
}

fn loss(json: &Value) -> f64 {
    json["objectives"]["loss"].as_f64().unwrap()
}

/// The loss that an audit reads from the text of the release.
fn audited_loss(bench: &Workbench) -> f64 {
    loss(&bench.json(&AUDIT)["utility"])
}

const AUDIT: [&str; 7] = ["audit", "release.csv", "--policy", "policy.toml", "--original", "table.csv", "--json"];

#[test]
fn a_beginning_that_all_zip_codes_share_is_a_total_loss() {
    let table = (0..300).fold("zip\n".to_owned(), |table, code| table + &format!("01{code:03}\n"));
    let policy = policy(&[("zip", "hierarchy = { mask = {} }\nmin-level = 3")], "");
    let bench = Workbench::with(&[("table.csv", &table), ("policy.toml", &policy)]);
    let made = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert!(bench.text("release.csv").lines().skip(1).all(|zip| zip == "01***"));
    assert_eq!([loss(&made), audited_loss(&bench)], [1.0, 1.0]);
}

#[test]
fn one_outlier_does_not_make_an_interval_of_all_others_cheap() {
    let incomes = (0..2_999).map(|row| row * 7 % 997).chain([1_000_000]);
    let table = incomes.fold("income\n".to_owned(), |table, income| table + &format!("{income}\n"));
    let columns = [("income", "hierarchy = { intervals = [1000] }\nmin-level = 1")];
    let policy = policy(&columns, "max-suppressed = 0.001\n");
    let bench = Workbench::with(&[("table.csv", &table), ("policy.toml", &policy)]);
    let made = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert!(bench.text("release.csv").lines().skip(1).all(|income| income == "\"[0, 1000)\""));
    // 2,999 rows show 997 of 998 leaves, and one shows nothing.
    let (rows, leaves) = (3_000.0, 998.0);
    let expected = (2_999.0 * 997.0 / leaves + 1.0 - rows / leaves) / (rows - rows / leaves);
    assert!((loss(&made) - expected).abs() < 1e-12 && expected > 0.99, "{}", loss(&made));
    assert_eq!(audited_loss(&bench), loss(&made));
}

/// People of one sex and another, by a code, with numbers that differ.
fn people() -> String {
    let mut text = "sex,age,north\n".to_owned();
    for row in 0..60_u64 {
        let north = row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 14;
        writeln!(text, "{},{},48.{north:015}", 1 + row * row % 3 % 2, 20 + row * 11 % 53).unwrap();
    }
    text
}

/// What a column of the release shows.
fn shown(bench: &Workbench, column: usize) -> Vec<String> {
    rows(&bench.text("release.csv")).into_iter().skip(1).map(|mut row| row.swap_remove(column)).collect()
}

#[test]
fn codes_of_categories_are_not_averaged() {
    let others = [("age", "hierarchy = { intervals = [5] }"), ("north", "")];
    let tree = "hierarchy = { tree = { known = [\"1\", \"2\"] } }";
    for sex in ["hierarchy = { suppress = {} }", tree, "hierarchy = { mask = {} }", "type = \"category\""] {
        let columns = [("sex", sex), others[0], others[1]];
        let policy = policy(&columns, "name = \"microaggregation\"\nsize = 3\n");
        let bench = Workbench::with(&[("table.csv", &people()), ("policy.toml", &policy)]);
        bench.must(&["anonymize", "policy.toml"]);
        let sexes = shown(&bench, 0);
        assert!(sexes.iter().all(|sex| ["1", "2", "known", "*"].contains(&sex.as_str())), "{sex}: {sexes:?}");
        assert!(shown(&bench, 1).iter().all(|age| age.parse::<f64>().is_ok()), "ages are numbers");
    }
    // A plain number, or one that the policy calls so, is one.
    for sex in ["", "hierarchy = { suppress = {} }\ntype = \"number\""] {
        let columns = [("sex", sex), others[0], others[1]];
        let policy = policy(&columns, "name = \"microaggregation\"\nsize = 3\n");
        let bench = Workbench::with(&[("table.csv", &people()), ("policy.toml", &policy)]);
        bench.must(&["anonymize", "policy.toml"]);
        assert!(shown(&bench, 0).iter().any(|sex| sex.contains('.')), "{sex}");
    }
}

#[test]
fn the_type_of_a_column_must_suit_it() {
    let refused = |columns: &[(&str, &str)], message: &str| {
        let policy = policy(columns, "name = \"mondrian\"\n");
        let bench = Workbench::with(&[("table.csv", "sex\nf\nf\nm\nm\n"), ("policy.toml", &policy)]);
        let ran = bench.run(&["anonymize", "policy.toml"]);
        assert_eq!(ran.code, 2, "{ran}");
        assert!(ran.stderr.contains(message), "{ran}");
    };
    refused(&[("sex", "type = \"number\"")], "column `sex` holds text, so its `type` cannot be \"number\"");
    let contradiction = "type = \"category\"\nhierarchy = { intervals = [5] }";
    refused(&[("sex", contradiction)], "cannot be a category and have `intervals`");
    refused(&[("sex", "type = \"colour\"")], "there is no value `colour` here");
}

#[test]
fn ranges_end_at_round_numbers_unless_exact_ones_are_asked_for() {
    let columns = [("sex", "hierarchy = { suppress = {} }"), ("age", "hierarchy = { intervals = [5] }"), ("north", "")];
    for method in ["mondrian", "one-dimensional", "sweep", "best"] {
        let ended = |ends: &str| {
            let policy = policy(&columns, &format!("name = \"{method}\"\n{ends}"));
            let bench = Workbench::with(&[("table.csv", &people()), ("policy.toml", &policy)]);
            let ran = bench.must(&["anonymize", "policy.toml", "--json"]);
            let made: Value = serde_json::from_str(&ran.stdout).unwrap();
            // Whether `best` shows means cannot always be told from the text.
            match bench.json(&AUDIT)["utility"]["objectives"]["loss"].as_f64() {
                Some(read) => assert_eq!(read, loss(&made), "{method} {ends}"),
                None => assert_eq!(method, "best", "{ends}"),
            }
            let north: Vec<String> = rows(&people()).into_iter().map(|mut row| row.swap_remove(2)).collect();
            let range = |label: &String| Some(label.strip_prefix('[')?.split_once(", ")?.0.to_owned());
            let lows: Vec<String> = shown(&bench, 2).iter().filter_map(range).collect();
            assert!(!lows.is_empty(), "{method} shows no range");
            (lows.iter().filter(|low| north.contains(low)).count(), lows.len(), ran.stderr)
        };
        let (somebodys, _, warnings) = ended("");
        assert_eq!(somebodys, 0, "{method}");
        assert!(!warnings.contains("exact"), "{warnings}");
        let (somebodys, all, warnings) = ended("ends = \"exact\"\n");
        assert_eq!(somebodys, all, "{method}");
        assert!(warnings.contains("warning: `ends = \"exact\"`: where a class shows a range, it begins"), "{warnings}");
    }
}

/// A mean of days is a day, and a median is warned of: it is somebody's own.
#[test]
fn a_cluster_of_dates_shows_a_day_between_them() {
    let table = "born\n1954-03-01\n1954-03-02\n1954-03-06\n1980-07-01\n1980-07-02\n1980-07-12\n";
    let columns = [("born", "hierarchy = { dates = [\"year\"] }")];
    let with = |method: &str| {
        let policy = policy(&columns, &format!("name = \"microaggregation\"\nsize = 3\n{method}"));
        let bench = Workbench::with(&[("table.csv", table), ("policy.toml", &policy)]);
        let ran = bench.must(&["anonymize", "policy.toml"]);
        let mut shown: Vec<String> = bench.text("release.csv").lines().skip(1).map(str::to_owned).collect();
        shown.sort();
        shown.dedup();
        (shown, ran.stderr)
    };
    let (means, said) = with("");
    assert_eq!(means, ["1954-03-03", "1980-07-05"]);
    assert!(!said.contains("somebody's own"), "{said}");
    let (medians, said) = with("numbers-by = \"median\"");
    assert_eq!(medians, ["1954-03-02", "1980-07-02"]);
    assert!(
        said.contains("warning: `numbers-by = \"median\"`: the number or date that a class shows is somebody's own"),
        "{said}"
    );
}

/// What a warning says of a column without a hierarchy is true of the method.
#[test]
fn without_a_hierarchy_local_methods_still_make_ranges() {
    let table = "code\n1\n2\n3\n4\n";
    let columns = [("code", "")];
    for (method, said) in [
        ("", "its values are shown as they are or not at all"),
        ("name = \"mondrian\"", "numbers and dates as the method makes them"),
    ] {
        let bench = Workbench::with(&[("table.csv", table), ("policy.toml", &policy(&columns, method))]);
        let ran = bench.must(&["anonymize", "policy.toml"]);
        assert!(ran.stderr.contains(said), "{ran}");
    }
}

/// `1e3` is a leaf that nobody has, and lies in a range up to 1000.
#[test]
fn another_way_to_write_the_end_of_a_range_is_covered() {
    let hierarchy = r#"hierarchy = { tree = { low = ["4", "6.75", "2.5"], high = ["1000", "1e3", "9000", "-3"] } }
type = "number""#;
    let method = "name = \"one-dimensional\"\nends = \"exact\"\n";
    let bench = Workbench::with(&[
        ("table.csv", "age\n1000\n1000\n4\n"),
        ("policy.toml", &policy(&[("age", hierarchy)], method)),
    ]);
    bench.write("policy.toml", bench.text("policy.toml").replace("k = 2", "k = 3"));
    let made = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert!(bench.text("release.csv").contains("[4, 1000]"));
    // 4, 6.75, 1000 and 1e3 of seven leaves: (4/7 - 1/7) / (1 - 1/7).
    for loss in [loss(&made), audited_loss(&bench)] {
        assert!((loss - 0.5).abs() < 1e-9, "{loss}");
    }
}

/// The budget ends at a level whose labels are those of the values: they are shown as they are, and nothing is lost.
#[test]
fn a_search_that_ends_early_does_not_count_levels_that_show_nothing_else() {
    let hierarchy = r#"hierarchy = { tree = { "31" = ["31", "extra"], "32" = ["32"] } }"#;
    let bench = Workbench::with(&[
        ("table.csv", "id\n32\n31\n32\n31\n"),
        ("policy.toml", &policy(&[("id", hierarchy)], "budget = 2\n")),
    ]);
    let made = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!([loss(&made), audited_loss(&bench)], [0.0, 0.0]);
}

/// With levels of their own, too, rows show no level above the highest.
#[test]
fn rows_with_levels_of_their_own_keep_to_the_highest_level() {
    let bench = Workbench::with(&[
        ("table.csv", "zip\n00098\n00005\n10026\n"),
        (
            "policy.toml",
            &policy(&[("zip", "hierarchy = { mask = {} }\nmax-level = 1")], "local = true\nmax-suppressed = 0\n"),
        ),
    ]);
    let ran = bench.run(&["anonymize", "policy.toml"]);
    assert_eq!(ran.code, 1, "{ran}");
}

/// With suppression allowed, a sweep finds one class of all rows; without, it finds more: that is kept.
#[test]
fn what_a_sweep_finds_without_suppression_is_tried_where_another_way_suppresses_nobody() {
    let table = "condition,born\n103,smith\n123,south\n153,south\n153,south\n999999999,south\n153,south\n73,\n103,south\n103,\n";
    let policy = |limit: &str| {
        format!(
            "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.condition]\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [2, 20, 80] }}\n[columns.born]\nrole = \"sensitive\"\n\
             hierarchy = {{ tree = {{ g0 = [\"south\", \"extra1\", \"extra0\", \"smith\"] }} }}\n\
             [[require]]\nmodel = \"bayes-optimal-privacy\"\ncolumn = \"born\"\ndifference = 0.4\n\
             [method]\nname = \"sweep\"\nmax-suppressed = {limit}\n"
        )
    };
    let loss_with = |limit: &str| {
        let bench = Workbench::with(&[("table.csv", table), ("policy.toml", &policy(limit))]);
        loss(&bench.json(&["anonymize", "policy.toml", "--json"]))
    };
    let without = loss_with("0");
    assert!(without < 1.0);
    assert!(loss_with("0.333") <= without);
}

/// A set has two members at least: `{a}` is the value of that name, not `a`.
#[test]
fn a_value_in_braces_is_not_read_as_a_set() {
    let hierarchy = r#"hierarchy = { tree = { g = ["a", "b"], h = ["{a}", "c"] } }"#;
    let bench = Workbench::with(&[
        ("table.csv", "id\na\na\na\n{a}\n{a}\nb\nc\n"),
        ("policy.toml", &policy(&[("id", hierarchy)], "name = \"mondrian\"\ncategories = \"sets\"\n")),
    ]);
    let made = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert!(bench.text("release.csv").contains("{a}\n"), "{}", bench.text("release.csv"));
    assert_eq!(audited_loss(&bench), loss(&made));
}

/// Three values a class give classes that fail the other requirement; four do not.
#[test]
fn anatomy_finds_for_fewer_values_what_it_finds_for_more() {
    let table =
        "sex,id\n-15,2\n?,2\n-11,4\n-19,1\n-11,4\n-20,1\n-19,3\n-7,3\n?,2\n-7,3\n-13,7\n-4,2\n-12,3\n-4,4\n?,4\n";
    for values in [4, 3] {
        let policy = format!(
            "[input]\npath = \"table.csv\"\nmissing = [\"?\"]\n[output]\npath = \"release.csv\"\n[columns.id]\nrole = \"quasi-identifier\"\n\
             [columns.sex]\nrole = \"sensitive\"\n[[require]]\nmodel = \"epsilon-m-anonymity\"\nepsilon = 5\nm = 2\n\
             [[require]]\nmodel = \"distinct-l-diversity\"\nl = {values}\n[method]\nname = \"anatomy\"\nmax-suppressed = 0.5\n"
        );
        let bench = Workbench::with(&[("table.csv", table), ("policy.toml", &policy)]);
        bench.must(&["anonymize", "policy.toml"]);
    }
}

/// Three of four values are near one another, so that two of these rows must go; nobody says how many values a class needs.
#[test]
fn anatomy_leaves_out_rows_where_no_model_says_how_many_values_a_class_needs() {
    let policy = "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
                  [columns.pay]\nrole = \"sensitive\"\n[[require]]\nmodel = \"epsilon-m-anonymity\"\nepsilon = 5\nm = 2\n\
                  [method]\nname = \"anatomy\"\nmax-suppressed = 0.5\n";
    let bench = Workbench::with(&[("table.csv", "age,pay\n31,1\n32,1\n33,1\n34,100\n"), ("policy.toml", policy)]);
    let made = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!([&made["released_rows"], &made["classes"]], [2, 1]);
}

/// On both levels the release shows `a` alone. On the lower one a run would have released `c` and `d`, too, in larger classes;
/// together they fail, since most of them are near 5.
#[test]
fn an_audit_takes_the_levels_at_which_a_run_releases_these_rows() {
    let policy = "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.town]\nrole = \"quasi-identifier\"\n\
                  hierarchy = { file = \"town.csv\" }\n[columns.pay]\nrole = \"sensitive\"\n[[require]]\n\
                  model = \"epsilon-m-anonymity\"\nepsilon = 5\nm = 2\n\
                  [method]\nobjective = \"average-class-size\"\nmax-suppressed = 0.8\n";
    let table = "town,pay\na,0\na,100\nc,0\nc,10\nc,0\nc,10\nd,5\nd,100\nd,5\nd,100\n";
    let files = [("table.csv", table), ("town.csv", "a;a;*\nc;g;*\nd;g;*\n"), ("policy.toml", policy)];
    let bench = Workbench::with(&files);
    let made = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!([&made["levels"]["town"], &made["released_rows"]], [1, 2]);
    assert_eq!(bench.json(&AUDIT)["utility"]["objectives"], made["objectives"]);
}

/// Two values a class leave out 0 and 1, which are near one another; three give {0, 2, 8} and {1, 2, 5, 8}, with everybody in.
#[test]
fn anatomy_loses_no_more_where_rows_may_be_left_out() {
    let table = "age,pay\n30,0\n31,1\n32,2\n33,2\n34,5\n35,8\n36,8\n";
    for most in ["0", "0.5"] {
        let policy = format!(
            "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
             [columns.pay]\nrole = \"sensitive\"\n[[require]]\nmodel = \"epsilon-m-anonymity\"\nepsilon = 1\nm = 2\n\
             [[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n[method]\nname = \"anatomy\"\nmax-suppressed = {most}\n"
        );
        let bench = Workbench::with(&[("table.csv", table), ("policy.toml", &policy)]);
        let made = bench.json(&["anonymize", "policy.toml", "--json"]);
        assert_eq!([&made["released_rows"], &made["classes"]], [7, 2], "max-suppressed = {most}");
    }
}

/// One of three in each class has another sex than is shown: that is as much lost as with the set of both.
#[test]
fn a_most_frequent_value_is_no_exact_one() {
    let table = "sex,town\nf,A\nf,A\nm,A\nm,B\nm,B\nf,B\n";
    let columns = [("sex", "hierarchy = { suppress = {} }"), ("town", "hierarchy = { suppress = {} }")];
    let loss_with = |method: &str| {
        let policy = policy(&columns, &format!("name = \"microaggregation\"\n{method}")).replace("k = 2", "k = 3");
        let bench = Workbench::with(&[("table.csv", table), ("policy.toml", &policy)]);
        let made = bench.json(&["anonymize", "policy.toml", "--json"]);
        (loss(&made), bench)
    };
    let (by_mode, bench) = loss_with("categories-by = \"mode\"");
    assert_eq!(shown(&bench, 0).iter().filter(|sex| *sex == "f" || *sex == "m").count(), 6);
    assert_eq!(by_mode, loss_with("categories = \"sets\"").0);
    // Whoever reads the release cannot tell whom a value stands for, whether or not the policy says that it may.
    for how in [["--policy", "policy.toml"], ["--quasi", "sex,town"]] {
        let audit = bench.json(&[&["audit", "release.csv", "--original", "table.csv", "--json"], &how[..]].concat());
        assert_eq!(audit["utility"]["objectives"]["loss"], Value::Null, "{how:?}");
    }
}

/// Four of seven have the same pay; without one of them it is half, and no class may have more.
#[test]
fn local_methods_leave_out_a_few_rows_rather_than_refuse() {
    let table = "age,pay\n30,1\n31,1\n32,1\n33,1\n34,100\n35,100\n36,100\n";
    for method in ["one-dimensional", "microaggregation"] {
        let policy = format!(
            "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
             [columns.pay]\nrole = \"sensitive\"\n[[require]]\nmodel = \"tau-l-diversity\"\ntau = 0.5\nl = 2\n\
             [method]\nname = \"{method}\"\nmax-suppressed = 0.2\n"
        );
        let bench = Workbench::with(&[("table.csv", table), ("policy.toml", &policy)]);
        let made = bench.json(&["anonymize", "policy.toml", "--json"]);
        assert_eq!(made["released_rows"], 6, "{method} {made:#}");
    }
}
