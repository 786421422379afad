//! Does everything that is published say so where rows are not people?

use std::fmt::Write as _;

use serde_json::Value;

use crate::page_checker::text_of;
use crate::workbench::Workbench;

/// 240 visits of 60 patients: forty came once, twenty ten times each.
fn visits() -> String {
    let diseases = ["flu", "cancer", "gastritis", "ulcer", "asthma"];
    let mut table = "visit,patient id,age,sex,disease\n".to_owned();
    for visit in 0..240usize {
        let patient = if visit < 40 { visit } else { 40 + visit % 20 };
        let (age, sex) = (20 + patient * 7 % 40, ["female", "male"][patient % 2]);
        let _ = writeln!(table, "{visit},P{patient:03},{age},{sex},{}", diseases[(visit / 3 + visit / 37) % 5]);
    }
    table
}

fn policy(columns: &str) -> String {
    format!(
        "[input]\npath = \"visits.csv\"\n[output]\npath = \"release.csv\"\n{columns}\n\
         [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [10, 20] }}\n\
         [columns.sex]\nrole = \"quasi-identifier\"\nhierarchy = {{ suppress = {{}} }}\n\
         [columns.disease]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 5\n"
    )
}

const IDENTIFIERS: &str = "[columns.visit]\nrole = \"identifier\"\n[columns.\"patient id\"]\nrole = \"identifier\"";

const FOUND: &str = "rows do not seem to be people: `patient id` is named like a number that one person has, and its values repeat (240 \
                     rows hold 60 different values, up to 10 rows each); what is promised counts rows, and several rows of a \
                     class may be one person's; `person` in [input] counts people";

/// What an audit without a policy says of it, where the table shows the column.
fn found_and_counted() -> String {
    FOUND.replace("`person` in [input] counts people", "people are counted by `patient id` besides")
}

fn bench(columns: &str) -> Workbench {
    Workbench::with(&[("visits.csv", &visits()), ("policy.toml", &policy(columns))])
}

/// The texts of the warnings of an object that say that rows are not people.
fn warned(json: &Value) -> Vec<String> {
    let warnings = json["warnings"].as_array().unwrap().iter();
    let about = warnings.filter(|warning| warning["id"] == "rows-are-not-people");
    about.map(|warning| warning["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_release_of_visits_says_so_everywhere() {
    let bench = bench(IDENTIFIERS);
    let ran = bench.must(&["anonymize", "policy.toml", "-q", "--report", "report.html", "--certificate", "c.json"]);
    assert_eq!(ran.stderr, format!("warning: {FOUND}\n"));
    for threads in ["1", "2", "5"] {
        let json = bench.json(&["anonymize", "policy.toml", "--json", "--threads", threads]);
        assert_eq!(warned(&json), [FOUND], "{threads}");
    }

    // What is published tells how many rows a patient has on average, and not what the one with the most has.
    let told = "`patient id` is named like a number that one person has, and its values repeat (about 4 rows each on average); what \
                is promised counts rows, and several rows of a class may be one person's";
    let page = text_of(&bench.text("report.html"));
    assert!(page.contains(told) && page.contains("Rows do not seem to be people."), "{page}");
    assert!(page.find(told) < page.find("promise of its policy"), "it stands above what is promised");
    assert!(!page.contains("Each row is taken for one person") && !page.contains("could be theirs"), "{page}");
    let certificate: Value = serde_json::from_str(&bench.text("c.json")).unwrap();
    assert_eq!(warned(&certificate["stated_by_its_maker"]), [format!("rows do not seem to be people: {told}")]);

    // Who has the certificate and the release is told, too, and so is whoever audits with the original.
    let ran = bench.must(&["audit", "release.csv", "--certificate", "c.json", "-q"]);
    assert!(ran.stderr.contains("warning: the certificate says: rows do not seem to be people"), "{ran}");
    let json = bench.json(&["audit", "release.csv", "--policy", "policy.toml", "--json"]);
    assert!(warned(&json).is_empty(), "the release does not show it");
    let audit = ["audit", "release.csv", "--policy", "policy.toml", "--original", "visits.csv"];
    assert_eq!(warned(&bench.json(&[&audit[..], &["--json"]].concat())), [FOUND]);
    let ran = bench.must(&[&audit[..], &["-q", "--report", "audit.html"]].concat());
    assert!(ran.stderr.ends_with(&format!("warning: {FOUND}\n")), "{ran}");
    assert!(text_of(&bench.text("audit.html")).contains(told));
}

#[test]
fn a_comparison_and_a_recipe_say_so() {
    let bench = bench(IDENTIFIERS);
    let json = bench.json(&["compare", "policy.toml", "--vary", "k=3,5", "--json"]);
    assert_eq!(warned(&json), [FOUND], "once for both");
    bench.must(&["anonymize", "policy.toml", "--recipe", "r.json"]);
    let ran = bench.must(&["apply", "r.json", "visits.csv", "-o", "again.csv", "-q"]);
    assert!(ran.stderr.contains(FOUND), "{ran}");
    let json = bench.json(&["apply", "r.json", "visits.csv", "-o", "again.csv", "--json"]);
    assert_eq!(warned(&json), [FOUND]);
}

#[test]
fn whatever_role_the_column_has_it_is_noticed() {
    for columns in [
        "[columns.visit]\nrole = \"identifier\"\n[columns.\"patient id\"]\nrole = \"insensitive\"",
        "[columns.visit]\nrole = \"identifier\"\n[columns.\"patient id\"]\nrole = \"identifier\"\nreplace = \"random\"",
    ] {
        let bench = bench(columns);
        let json = bench.json(&["anonymize", "policy.toml", "--json"]);
        assert_eq!(warned(&json), [FOUND], "{columns}");
        // A release that shows the column tells whoever has nothing else; its pseudonyms repeat just as often.
        let json = bench.json(&["audit", "release.csv", "--quasi", "age,sex", "--sensitive", "disease", "--json"]);
        assert_eq!(warned(&json), [found_and_counted()], "{columns}");
    }
    let bench = bench("");
    bench.write("policy.toml", policy("").replace("[output]", "other-columns = \"drop\"\n[output]"));
    assert_eq!(warned(&bench.json(&["anonymize", "policy.toml", "--json"])), [FOUND], "unnamed and dropped");
}

#[test]
fn what_an_identifier_is_of_is_a_guess_where_its_name_does_not_say() {
    let bench = Workbench::with(&[
        ("visits.csv", &visits().replace("patient id", "x")),
        ("policy.toml", &policy(IDENTIFIERS).replace("\"patient id\"", "x")),
    ]);
    let json = bench.json(&["anonymize", "policy.toml", "--json"]);
    let said = "rows may not be people: values of the identifier `x` repeat (240 rows hold 60 different values, up to 10 rows \
                each); if each value is one person, several rows of a class may be one person's: what is promised counts rows";
    assert_eq!(warned(&json), [said]);
}

#[test]
fn where_nothing_repeats_each_row_is_taken_for_a_person() {
    // The patients who came once; of one of them, and of another one, the number is missing.
    let once: String = visits().lines().take(41).map(|line| format!("{line}\n")).collect();
    let bench = bench(IDENTIFIERS);
    bench.write("visits.csv", once.replace("P003", "").replace("P004", ""));
    let ran = bench.must(&["anonymize", "policy.toml", "-q", "--report", "report.html", "--certificate", "c.json"]);
    assert_eq!(ran.stderr, "");
    let page = text_of(&bench.text("report.html"));
    assert!(page.contains("Each row is taken for one person.") && !page.contains("be people"), "{page}");
    assert!(bench.text("c.json").contains("\"warnings\": []"));
    // Rows that are left out count for nobody.
    bench.write("visits.csv", format!("{once}40,P001,,male,flu\n"));
    let policy = policy(IDENTIFIERS).replace("[output]", "rows-with-missing = \"drop\"\n[output]");
    bench.write("policy.toml", policy);
    assert!(warned(&bench.json(&["anonymize", "policy.toml", "--json"])).is_empty());
}

#[test]
fn a_large_table_is_told_of_by_a_sample_that_is_the_same_for_any_number_of_threads() {
    let mut table = "patient id,age,disease\n".to_owned();
    for visit in 0..300_000u32 {
        let _ = writeln!(table, "{},{},flu", visit % 150_000, visit % 50);
    }
    let bench = Workbench::with(&[("visits.csv", &table)]);
    bench.write(
        "policy.toml",
        "[input]\npath = \"visits.csv\"\n[columns.\"patient id\"]\nrole = \"identifier\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
         [columns.disease]\nrole = \"insensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 5\n",
    );
    let of =
        |threads: &str| warned(&bench.json(&["anonymize", "policy.toml", "--json", "--threads", threads])).remove(0);
    let text = of("1");
    assert!(text.contains("(300,000 rows hold about 150,000 different values, in a sample of "), "{text}");
    assert!(text.contains(" of them up to 2 rows each)"), "{text}");
    assert_eq!([of("2"), of("7")], [text.clone(), text]);
}

#[test]
fn the_solutions_for_visits_say_so() {
    let bench = bench(IDENTIFIERS);
    assert_eq!(bench.must(&["solutions", "policy.toml", "-q"]).stderr, format!("warning: {FOUND}\n"));
    assert_eq!(warned(&bench.json(&["solutions", "policy.toml", "--json"])), [FOUND]);
}

/// A thousand people, and thirty rows in which nobody is named: what a release shows as it is, it shows with every mark of a missing value.
#[test]
fn a_mark_of_a_missing_value_is_nobody_who_repeats() {
    let named = (0..1000).map(|person| format!("P{person:04}"));
    let rows = named.chain((0..30).map(|_| "NA".to_owned())).enumerate();
    let row = |(visit, patient): (usize, String)| {
        format!(
            "{visit},{patient},{},{},{}\n",
            20 + visit % 40,
            ["female", "male"][visit % 2],
            ["flu", "cold"][visit / 3 % 2]
        )
    };
    let table = "visit,patient id,age,sex,disease\n".to_owned() + &rows.map(row).collect::<String>();
    let policy = policy(&IDENTIFIERS.replace("identifier", "insensitive"))
        .replace("[output]", "missing = [\"\", \"NA\"]\n[output]");
    let bench = Workbench::with(&[("visits.csv", &table), ("policy.toml", &policy)]);
    assert!(warned(&bench.json(&["anonymize", "policy.toml", "--json"])).is_empty());
    assert!(bench.text("release.csv").contains(",NA,"), "it is shown as it is");
    assert!(warned(&bench.json(&["audit", "release.csv", "--policy", "policy.toml", "--json"])).is_empty());
}
