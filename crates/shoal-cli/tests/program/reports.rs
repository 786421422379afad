//! Does a report say what it should, and nothing that the release does not?

use std::fmt::Write as _;

use crate::page_checker::{PageChecker, cells, text_of};
use crate::workbench::{Ran, Workbench, rows};

/// 296 people who are much alike, and four who are like nobody: they are suppressed.
fn people() -> String {
    let (zips, diseases) = (["13053", "13068", "14850", "14853"], ["flu", "cancer", "gastritis", "ulcer", "asthma"]);
    let mut table = "name,age,sex,zip,disease\n".to_owned();
    for at in 0..296usize {
        let (sex, age) = (["female", "male"][at % 2], 20 + at * 7 % 40);
        let _ = writeln!(table, "Person{at:03},{age},{sex},{},{}", zips[at / 2 % 4], diseases[(at / 3 + at / 37) % 5]);
    }
    for (at, zip) in ["99501", "99577", "96701", "96898"].iter().enumerate() {
        let _ = writeln!(table, "Outlier{at},{},male,{zip},Kuru", 85 + at);
    }
    table
}

const POLICY: &str = r#"
[input]
path = "people.csv"
[output]
path = "release.csv"
report = "report.html"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = { widths = [10, 20], origin = 0 } }
max-level = 2
[columns.sex]
role = "quasi-identifier"
hierarchy = { suppress = {} }
[columns.zip]
role = "quasi-identifier"
hierarchy = { mask = { from = "right" } }
min-level = 2
max-level = 4
[columns.disease]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 5
[[require]]
model = "distinct-l-diversity"
column = "disease"
l = 2
[method]
max-suppressed = 0.02
"#;

fn reported() -> (Workbench, String, PageChecker) {
    let bench = Workbench::with(&[("people.csv", &people()), ("policy.toml", POLICY)]);
    let ran: Ran = bench.must(&["anonymize", "policy.toml"]);
    assert!(ran.stderr.contains("296 of 300 rows"), "{ran}");
    assert!(ran.stderr.contains("report.html: the report"), "{ran}");
    let checker = PageChecker::new(&people(), &bench.text("release.csv"), 10, &[5]);
    let html = bench.text("report.html");
    (bench, html, checker)
}

#[test]
fn a_report_says_first_what_is_promised() {
    // Nobody is left out, so that the release may be compared with its original.
    let table: String =
        people().lines().filter(|row| !row.starts_with("Outlier")).map(|row| format!("{row}\n")).collect();
    let bench = Workbench::with(&[("people.csv", &table), ("policy.toml", POLICY)]);
    bench.must(&["anonymize", "policy.toml"]);
    let text = text_of(&bench.text("report.html"));
    let promise = "Anyone who knows the age, sex and zip of a record finds at least 5 records that look the same, and cannot tell which one it is.";
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("it does not say: {words}"));
    let order = [
        "This release keeps every promise of its policy",
        promise,
        "What was asked for",
        "Each column before and after",
        "How many share a class",
        "What belongs together",
        "How likely a record is found again",
        "What an attacker could do",
        "What else was possible",
        "What it is still good for",
        "Versions, hashes and seconds",
    ];
    assert!(order.map(place).is_sorted(), "{:?}", order.map(place));
}

#[test]
fn a_report_tells_nothing_that_the_release_does_not() {
    let (_bench, html, checker) = reported();
    assert_eq!(checker.complaints(&html), Vec::<String>::new());
}

#[test]
fn whatever_is_put_into_a_report_on_purpose_is_found() {
    let (_bench, html, checker) = reported();
    for planted in ["Kuru", "Outlier3", "Person017", "99501", "13068", "4 people", "3 records of the original"] {
        for place in ["</h1>", "</caption>", "</desc>", "</figcaption>", "</text>"] {
            let sabotaged = html.replacen(place, &format!(" {planted} {place}"), 1);
            if sabotaged != html {
                assert_eq!(checker.complaints(&sabotaged).len(), 1, "{planted} at {place} was not found");
            }
        }
    }
    let sabotaged = html.replacen("<h2 ", "<h2 title=\"Kuru\" ", 1);
    assert_eq!(checker.complaints(&sabotaged).len(), 1, "in an attribute");
}

/// The least and the most that a cell says of a share, in percent; one number is rounded.
fn bounds(cell: &str) -> Option<(f64, f64)> {
    let said = cell.strip_suffix('%')?;
    let Some((low, high)) = said.split_once('–') else {
        let (number, half) = (said.parse::<f64>().ok()?, if said.contains('.') { 0.05 } else { 0.5 });
        return Some((number - half, number + half));
    };
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// Is a cell in a group of this name: a label, or numbers from here up to there?
fn is_in(group: &str, cell: &str) -> bool {
    let (words, number) = (group.split(' ').collect::<Vec<&str>>(), |text: &str| text.parse::<f64>().ok());
    match (&words[..], number(cell)) {
        (["below", end], Some(value)) => Some(value) < number(end),
        ([start, "or", "more"], Some(value)) => Some(value) >= number(start),
        ([start, "to", end], Some(value)) => Some(value) >= number(start) && Some(value) < number(end),
        _ => group == cell,
    }
}

#[test]
fn before_and_after_do_not_tell_who_was_suppressed() {
    let (bench, html, _) = reported();
    let release = rows(&bench.text("release.csv"));
    for column in ["age", "sex", "disease"] {
        let shares = cells(&html, &format!("Share of rows by {column}"));
        assert!(shares.len() > 1, "{column}: {shares:?}");
        let place = release[0].iter().position(|name| name == column).unwrap();
        for row in &shares {
            // Four men were left out, who all had one disease: of every label it is said that any of them may have had it, and that
            // they may have been up to nine.
            let released = release[1..].iter().filter(|cells| is_in(&row[0], &cells[place])).count() as f64;
            let (low, high) = bounds(&row[1]).unwrap_or_else(|| panic!("{row:?}"));
            let [least, most] = [released, released + 9.0].map(|rows| rows / 3.05);
            assert!(low <= least && least < low + 1.0, "{column}: {row:?}");
            assert!(most <= high && high < most + 1.0, "{column}: {row:?}");
        }
    }
    assert!(text_of(&html).contains("fewer than 10 left out"));
}

/// Four hundred numbers from 0 to 120, most of them small, and a policy that makes overlapping ranges of them.
fn numbers() -> Workbench {
    let mut table = "a,b,ill\n".to_owned();
    for row in 0..400_u64 {
        let random = |by: u64| (row + 1).wrapping_mul(by).rotate_left(29).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 33;
        let (a, b) =
            (random(0x9e37_79b9_7f4a_7c15) % 121 * (random(77) % 121) / 120, random(0xbf58_476d_1ce4_e5b9) % 121);
        let _ = writeln!(table, "{a},{b},{}", ["flu", "gout", "cold"][row as usize % 3]);
    }
    let mut policy = "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n".to_owned();
    for name in ["a", "b"] {
        let _ = writeln!(
            policy,
            "[columns.{name}]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [2, 10, 20] }}"
        );
    }
    policy += "[columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 5\n[method]\nname = \"mondrian\"\n";
    Workbench::with(&[("table.csv", &table), ("policy.toml", &policy)])
}

#[test]
fn what_is_said_of_the_original_is_true() {
    let bench = numbers();
    bench.must(&["anonymize", "policy.toml", "--report", "report.html"]);
    let (html, original) = (bench.text("report.html"), rows(&bench.text("table.csv")));
    let (mut told, mut untold) = (0, 0);
    for (place, column) in ["a", "b"].into_iter().enumerate() {
        for row in cells(&html, &format!("Share of rows by {column}")) {
            let truth = original[1..].iter().filter(|cells| is_in(&row[0], &cells[place])).count() as f64 / 4.0;
            let Some((low, high)) = bounds(&row[1]) else {
                assert_eq!(row[1], "–");
                untold += 1;
                continue;
            };
            assert!(low <= truth && truth <= high, "{column}: {row:?}, in truth {truth}%");
            told += 1;
        }
    }
    assert!(told > 5, "{told} told, {untold} not");
    let text = text_of(&html);
    assert!(
        text.contains("within which bounds a share lies") && text.contains("A range that reaches into several groups")
    );
    assert_eq!(untold > 0, text.contains("of the original no more can be told than the release itself leaves open"));
}

#[test]
fn a_small_table_says_that_nothing_more_is_told_of_its_original() {
    let bench = numbers();
    let table: Vec<String> = bench.text("table.csv").lines().take(31).map(str::to_owned).collect();
    bench.write("table.csv", table.join("\n"));
    bench.must(&["anonymize", "policy.toml", "--report", "report.html"]);
    let html = bench.text("report.html");
    let said = text_of(&html).to_lowercase();
    assert!(said.contains("of the original no more can be told than the release itself leaves open"), "{said}");
    for row in cells(&html, "Share of rows by a") {
        assert!(
            row.len() == 2 || row[1] == "–" || bounds(&row[1]).is_some_and(|(low, high)| high - low <= 5.2),
            "{row:?}"
        );
    }
}

#[test]
fn a_table_that_is_too_small_gives_no_figures_of_its_original() {
    let bench = Workbench::with_example("inpatients");
    bench.must(&["anonymize", "policy.toml", "--report", "report.html"]);
    let html = bench.text("report.html");
    assert!(html.contains("too few rows to compare"), "{html}");
    let checker = PageChecker::new(&bench.text("inpatients.csv"), &bench.text("release.csv"), 10, &[4]);
    assert_eq!(checker.complaints(&html), Vec::<String>::new());
    // The lattice is small enough to be drawn: 90 combinations.
    assert!(html.contains("<title id=\"lattice-0-title\">The lattice of levels</title>"));
}

#[test]
fn an_audit_explains_any_table() {
    let bench = Workbench::with_example("inpatients");
    bench.must(&["anonymize", "policy.toml"]);
    let quasi = ["--quasi", "Zip Code,Age,Nationality", "--sensitive", "Condition"];
    bench.must(&[&["audit", "release.csv", "--report", "audit.html"][..], &quasi].concat());
    let text = text_of(&bench.text("audit.html"));
    assert!(
        text.contains("Anyone who knows the Zip Code, Age and Nationality of a record finds at least 4 records"),
        "{text}"
    );
    assert!(text.contains("No policy was given"), "{text}");
    let original = ["--policy", "policy.toml", "--original", "inpatients.csv"];
    bench.must(&[&["audit", "release.csv", "--report", "audit.html"][..], &original].concat());
    assert!(text_of(&bench.text("audit.html")).contains("This release keeps every promise of its policy"));
}

#[test]
fn a_release_in_two_tables_is_reported_too() {
    let policy = POLICY
        .replace("model = \"k-anonymity\"\nk = 5\n[[require]]\n", "")
        .replace("[method]", "[method]\nname = \"anatomy\"");
    let policy = policy.replace("max-suppressed = 0.02", "").replace("min-level = 2\n", "");
    let bench = Workbench::with(&[("people.csv", &people()), ("policy.toml", &policy)]);
    bench.must(&["anonymize", "policy.toml"]);
    let text = text_of(&bench.text("report.html"));
    assert!(text.contains("Sensitive values stand in a second table, by class."), "{text}");
    assert!(!text.contains("Person017") && !text.contains("Outlier3"));
}

#[test]
fn a_report_replaces_neither_the_release_nor_the_input() {
    let bench = Workbench::with_example("inpatients");
    for path in ["release.csv", "inpatients.csv", "policy.toml"] {
        let before = bench.everything();
        let ran = bench.run(&["anonymize", "policy.toml", "--report", path]);
        assert_eq!(
            (ran.code, ran.stderr.contains("would replace") || ran.stderr.contains("would be one file")),
            (2, true),
            "{ran}"
        );
        assert_eq!(bench.everything(), before);
    }
}

/// The card and the list of attacks agree on which is the worst, also where several are equally bad.
#[test]
fn the_worst_attack_is_the_first_of_the_list() {
    let table = "x,ill\nA,flu\nA,flu\nA,flu\nB,hiv\nB,hiv\nB,hiv\n";
    let bench = Workbench::with(&[("table.csv", table)]);
    bench.must(&["audit", "table.csv", "--quasi", "x", "--sensitive", "ill", "--report", "page.html"]);
    let text = text_of(&bench.text("page.html"));
    let card = text.split("Worst attack").nth(1).unwrap().split_whitespace().nth(1).unwrap().to_owned();
    let (_, list) = text.split_once("the worst first").expect("a list of attacks");
    let place = |attack: &str| list.find(&format!("{attack} of ill"));
    assert!(place("homogeneity") < place("background-knowledge"), "{text}");
    assert_eq!(card, "homogeneity");
}

/// A page of 52 columns folds what nobody reads, puts labels in the order of their numbers and says nothing three times.
#[test]
fn a_page_of_many_columns_stays_readable() {
    let (mut table, mut policy) = (String::new(), String::new());
    for column in 0..52 {
        let _ = write!(table, "{}c{column}", if column > 0 { "," } else { "" });
        let _ =
            writeln!(policy, "[columns.c{column}]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [10] }}");
    }
    for row in 0..60u32 {
        let cells: Vec<String> = (0..52).map(|column| (row % 3 * 50 + column % 10).to_string()).collect();
        let _ = write!(table, "\n{}", cells.join(","));
    }
    policy += "[input]\npath = \"table.csv\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 5\n[method]\nname = \"mondrian\"\nnumbers = \"hierarchy\"\n";
    let bench = Workbench::with(&[("table.csv", &table), ("policy.toml", &policy)]);
    bench.must(&["anonymize", "policy.toml", "-o", "release.csv", "--report", "report.html"]);
    let page = bench.text("report.html");
    assert!(page.contains("<summary>40 more columns</summary>"), "columns are folded");
    let place = |label: &str| page.find(&format!("<th scope=\"row\">{label}</th>")).unwrap();
    assert!(["0", "50", "100"].map(place).is_sorted(), "labels are in the order of numbers");
    let sentences: Vec<&str> = page.split("<p>").skip(1).filter_map(|rest| rest.split("</p>").next()).collect();
    let times = |sentence: &str| sentences.iter().filter(|other| **other == sentence).count();
    let repeated: Vec<&&str> = sentences.iter().filter(|sentence| times(sentence) > 1).collect();
    assert!(repeated.is_empty(), "said more than once: {repeated:?}");
}
