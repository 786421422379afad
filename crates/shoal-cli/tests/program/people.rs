//! Are people counted, through every command, where a policy names whose rows they are?

use serde_json::Value;

use crate::page_checker::{cells, text_of};
use crate::workbench::Workbench;

const BY_PEOPLE: &str = include_str!("../../../../examples/visits/policy.toml");
const BY_ROWS: &str = include_str!("../../../../examples/visits/by-rows.toml");

/// Some 3,600 visits of 936 patients, and the policies of the example.
fn clinic() -> Workbench {
    let bench = Workbench::with(&[("policy.toml", BY_PEOPLE), ("by-rows.toml", BY_ROWS)]);
    let ran = bench.must(&["generate", "visits", "--rows", "3600", "--seed", "1"]);
    bench.write("visits.csv", &ran.stdout);
    bench
}

fn count(json: &Value, path: &str) -> u64 {
    json.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path} of {json}"))
}

#[test]
fn five_rows_leave_people_alone_and_five_people_do_not() {
    let bench = clinic();
    let by_rows = ["anonymize", "by-rows.toml", "-q", "--report", "by-rows.html"];
    bench.must(&by_rows);
    let audit = bench.json(&["audit", "by-rows.csv", "--policy", "by-rows.toml", "--json"]);
    assert!(count(&audit, "/people/class_size/min") == 1 && count(&audit, "/people/alone") > 0, "{audit}");
    let page = text_of(&bench.text("by-rows.html"));
    assert!(page.contains("have rows of one person only"), "{page}");
    assert!(page.contains("At least 5 were asked for, which counts rows"), "{page}");
    // So they are by a definition that asks for something else as well.
    let (size, with_share) =
        ("model = \"k-anonymity\"\nk = 5", "model = \"alpha-k-anonymity\"\ncolumn = \"diagnosis\"\nalpha = 0.5\nk = 5");
    assert!(BY_ROWS.contains(size));
    bench.write("by-rows.toml", BY_ROWS.replace(size, with_share));
    bench.must(&by_rows);
    let page = text_of(&bench.text("by-rows.html"));
    assert!(page.contains("At least 5 were asked for, which counts rows"), "{page}");
    bench.write("by-rows.toml", BY_ROWS);

    let json = bench.json(&["anonymize", "policy.toml", "--report", "report.html", "--json"]);
    assert!(count(&json, "/people/class_size/min") >= 5 && count(&json, "/people/count") == 936, "{json}");
    assert_eq!(json["people"]["columns_of_row"], serde_json::json!(["visit date"]));
    let page = text_of(&bench.text("report.html"));
    assert!(page.contains("Promises count people, however many rows each has: 3,600 rows of 936 people"), "{page}");
    assert!(!page.contains("Each row is taken for one person"), "{page}");
    assert!(
        page.contains("Everybody has one sex, birth date and zip code in all of their rows; from row to row there"),
        "{page}"
    );
    assert!(page.contains("In no class has everybody a value of ward or diagnosis in common."), "{page}");
}

/// Whoever has only the release cannot count people, and is told so: it is no answer that nothing was found to be broken.
#[test]
fn what_cannot_be_judged_does_not_pass() {
    let bench = clinic();
    let ran = bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    assert!(ran.stderr.contains("next: shoal audit release.csv --certificate c.json\n"), "{ran}");
    let ran = bench.must(&["anonymize", "policy.toml"]);
    assert!(!ran.stderr.contains("next: "), "{ran}");
    let audit = ["audit", "release.csv", "--policy", "policy.toml"];
    let ran = bench.run(&[&audit[..], &["--report", "audit.html"]].concat());
    assert!(ran.code == 1 && ran.stdout.starts_with("3 requirements of the policy could NOT be judged\n"), "{ran}");
    let page = text_of(&bench.text("audit.html"));
    let said = "What its policy requires could NOT be judged by this table.";
    assert!(page.contains(said) && page.contains("5-anonymity (people): required at least 5"), "{page}");
    assert!(!page.contains("Each row is taken for one person"), "{page}");
    let ran = bench.run(&[&audit[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &json["holds"], json["not_measured"].as_array().unwrap().len()), (1, &Value::Null, 3));
    let unjudged: Vec<&Value> =
        json["unjudged"].as_array().unwrap().iter().map(|unjudged| &unjudged["label"]).collect();
    let expected =
        ["5-anonymity (people)", "simple 2-diversity of diagnosis (people)", "distinct 2-diversity of ward (people)"];
    assert_eq!(unjudged, expected);

    // A certificate alone promises nothing that it does not measure, and says so; with the policy it does not pass either.
    let by_certificate = ["audit", "release.csv", "--certificate", "c.json"];
    let ran = bench.must(&by_certificate);
    let said = "the same file, and every count worked out anew, and no model, since the table alone does not tell\n";
    assert!(ran.stdout.contains(said) && ran.stdout.contains("that the release has 5-anonymity (people)"), "{ran}");
    let ran = bench.run(&[&by_certificate[..], &["--policy", "policy.toml"]].concat());
    assert!(ran.code == 1 && ran.stdout.starts_with("the table is what its certificate says"), "{ran}");
}

/// What is compared with the people of the input is judged where these are at hand, whether anybody has several rows or not. Three people in
/// each of two wards, in one of which two of three have the flu and in the other one: half of all, so that each is 1/6 away.
#[test]
fn people_are_compared_with_those_of_the_input_where_that_is_given() {
    let policy = "[input]\npath = \"visits.csv\"\nperson = \"patient id\"\n[output]\npath = \"release.csv\"\n[columns.number]\n\
                  role = \"insensitive\"\n[columns.ward]\nrole = \"quasi-identifier\"\nhierarchy = { suppress = {} }\n[columns.ill]\n\
                  role = \"sensitive\"\n[[require]]\nmodel = \"t-closeness\"\nt = 0.2\nreference = \"table\"\n";
    let visits: Vec<String> = [("north", "flu flu cold"), ("south", "flu cold cold")]
        .iter()
        .flat_map(|(ward, ills)| {
            ills.split(' ').enumerate().map(move |(place, ill)| format!("{ward}{place},{ward},{ill}"))
        })
        .collect();
    let bench = Workbench::with(&[("policy.toml", policy)]);
    for times in [1, 2] {
        let rows: String = visits
            .iter()
            .flat_map(|row| vec![row; times])
            .map(|row| {
                let number = row.split(',').next().unwrap();
                format!("{number},{row}\n")
            })
            .collect();
        bench.write("visits.csv", format!("number,patient id,ward,ill\n{rows}"));
        bench.must(&["anonymize", "policy.toml"]);
        let audit =
            ["audit", "release.csv", "--policy", "policy.toml", "--person", "number", "--original", "visits.csv"];
        let json = bench.json(&[&audit[..], &["--json"]].concat());
        assert!(json["unjudged"].is_null(), "{times}: {json}");
        let asked: Vec<&Value> =
            json["models"].as_array().unwrap().iter().filter(|model| model.get("holds").is_some()).collect();
        assert!(asked.len() == 1 && asked[0]["holds"] == true, "{times}: {json}");
        assert!((asked[0]["achieved"].as_f64().unwrap() - 1.0 / 6.0).abs() < 1e-12, "{times}: {json}");
    }
}

/// Whose visits they are the policy says, and a nurse whose number looks like that of a person is nobody's patient.
#[test]
fn people_are_those_of_the_policy_and_no_others() {
    let policy = "[input]\npath = \"visits.csv\"\nperson = \"patient id\"\n[output]\npath = \"release.csv\"\n[columns.\"employee id\"]\n\
                  role = \"insensitive\"\n[columns.ward]\nrole = \"quasi-identifier\"\nhierarchy = { suppress = {} }\n[columns.ill]\n\
                  role = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 5\n";
    // Of one patient six nurses have seen, and five patients two.
    let of_one: String = (0..12).map(|visit| format!("N{},north,flu\n", visit % 6)).collect();
    let of_two: String = (0..12).map(|visit| format!("N{},north,flu\n", visit % 2)).collect();
    let bench = Workbench::with(&[("policy.toml", policy)]);
    for rows in [of_one, of_two] {
        bench.write("release.csv", format!("employee id,ward,ill\n{rows}"));
        let ran = bench.run(&["audit", "release.csv", "--policy", "policy.toml", "--json"]);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((ran.code, &json["holds"], &json["people"]), (1, &Value::Null, &Value::Null), "{ran}");
        assert!(json["models"].as_array().unwrap().iter().all(|model| model.get("holds").is_none()), "{ran}");
        // Whoever says that it is the one knows.
        let ran = bench.run(&["audit", "release.csv", "--policy", "policy.toml", "--person", "employee id", "--json"]);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(json["people"]["column"], "employee id", "{ran}");
    }
}

/// Of 120 households only one is likely to be found, and nobody can count that in the release.
#[test]
fn a_page_rounds_the_shares_of_people_and_households() {
    let bench = Workbench::with(&[(
        "policy.toml",
        &alone_in_wards("household = \"household\"\n[output]\nreport = \"page.html\"\n", 5),
    )]);
    let visits = |person: usize| {
        let household = if person == 25 { 1 } else { person };
        let visit = |illness| format!("P{person},H{household},W{:02},{illness}\n", person % 24);
        visit("flu") + &visit("cold")
    };
    let table: String = (0..121).map(visits).collect();
    bench.write("visits.csv", format!("patient,household,ward,ill\n{table}"));
    let json = bench.json(&["anonymize", "policy.toml", "-o", "release.csv", "--json"]);
    assert_eq!(count(&json, "/households/count"), 120);
    assert!((json["households"]["share_at_risk"].as_f64().unwrap() - 1.0 / 120.0).abs() < 1e-12, "{json}");
    let shares = cells(&bench.text("page.html"), "The chance that an attacker picks the right record");
    let of = |name: &str| shares.iter().find(|row| row[0].starts_with(name)).unwrap()[1..].to_vec();
    assert_eq!(of("By households"), ["36%", "20%", "0%"]);
    assert_eq!(of("The same by people"), ["20%", "20%", "0%"]);
    assert!(text_of(&bench.text("page.html")).contains("but for how few people share a class"));
}

/// A limit of people is one of people, and is not told where it would give away that one was left out.
#[test]
fn a_page_tells_the_limit_of_people_as_one_of_people() {
    let bench = Workbench::new();
    let page_of = |people: usize, limit: &str| {
        let policy = alone_in_wards("[output]\nreport = \"page.html\"\n", 10);
        bench.write("policy.toml", format!("{policy}[method]\nsuppress = \"people\"\nmax-suppressed = {limit}\n"));
        let ward = |person: usize| if person == 0 { "lone" } else { "north" };
        let visits =
            |person| (0..50).map(move |visit| format!("P{person},{},I{}\n", ward(person), (person + visit) % 7));
        let table: String = (0..people).flat_map(visits).collect();
        bench.write("visits.csv", format!("patient,ward,ill\n{table}"));
        let json = bench.json(&["anonymize", "policy.toml", "-o", "release.csv", "--overwrite", "--json"]);
        assert_eq!(count(&json, "/people/suppressed"), 1);
        text_of(&bench.text("page.html"))
    };
    let page = page_of(21, "0.05");
    assert!(page.contains("few people may be suppressed (how many would tell how many were)"), "{page}");
    assert!(page.contains("some left out") && !page.contains("5% of the"), "{page}");
    assert!(page_of(21, "0.5").contains("at most 50% of the people may be suppressed"));
}

/// Patients of wards that are shown as they are; `more` are lines of `[input]` and sections after it.
fn alone_in_wards(more: &str, k: u32) -> String {
    format!(
        "[input]\npath = \"visits.csv\"\nperson = \"patient\"\n{more}[columns.ward]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ suppress = {{}} }}\nmax-level = 0\n[columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\n\
         k = {k}\n"
    )
}

/// Every method makes a release that is true of people, or refuses.
#[test]
fn every_method_releases_people_truthfully_or_refuses() {
    let bench = clinic();
    let without_local = BY_PEOPLE.replace("local = true # levels of their own for rows that need them\n", "");
    bench.write("policy.toml", &without_local);
    for method in [
        "full-domain",
        "mondrian",
        "microaggregation",
        "best",
        "sweep",
        "one-dimensional",
        "anatomy",
        "similarity-blocks",
    ] {
        let ran = bench.run(&[
            "anonymize",
            "policy.toml",
            "--overwrite",
            "--json",
            "--set",
            &format!("method.name={method}"),
        ]);
        if matches!(method, "full-domain" | "mondrian" | "microaggregation" | "best") {
            let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{method}: {ran}"));
            assert!(count(&json, "/people/class_size/min") >= 5, "{method}: {json}");
        } else {
            assert_eq!(ran.code, 2, "{method}: {ran}");
        }
    }
}

/// What is said of a release that nobody has written is what is said of it once it is.
#[test]
fn a_comparison_counts_people() {
    let bench = clinic();
    for knows in ["one-row", "all-rows"] {
        let knows = format!("input.knows={knows}");
        let asked = ["policy.toml", "--set", &knows, "--set", "max-suppressed=0.5", "--json"];
        let compared = bench.json(&[&["compare", "--vary", "k=5"][..], &asked].concat());
        let made = bench.json(&[&["anonymize", "--overwrite"][..], &asked].concat());
        for key in ["classes", "released_rows", "suppressed_rows", "objectives"] {
            assert_eq!(compared["points"][0][key], made[key], "{key}, {knows}");
        }
    }
}

#[test]
fn all_rows_of_a_person_look_like_those_of_others() {
    let bench = clinic();
    let all_rows = ["--set", "input.knows=all-rows", "--set", "max-suppressed=0.5", "--overwrite", "--json"];
    for local in ["true", "false"] {
        let local = format!("method.local={local}");
        let json = bench.json(&[&["anonymize", "policy.toml", "--set", &local][..], &all_rows].concat());
        assert_eq!(json["people"]["knows"], "all-rows");
        assert!(json["models"].as_array().unwrap().iter().all(|model| model["holds"] == true), "{json}");
    }
    let ran = bench.run(&[&["anonymize", "policy.toml", "--recipe", "r.json"][..], &all_rows].concat());
    assert_eq!(ran.code, 2, "{ran}");
    let ran = bench.run(&["solutions", "policy.toml", "--set", "input.knows=all-rows", "--set", "method.local=false"]);
    assert!(ran.code != 0 && ran.stderr.contains("all-rows"), "{ran}");
}

/// A release that promises all rows finds nobody by any number of them, nor does it tell who they are if a pseudonym says which rows belong together.
#[test]
fn a_release_for_all_rows_finds_nobody() {
    let bench = Workbench::with(&[]);
    let shown = "[columns.\"patient id\"]\nrole = \"identifier\"\nreplace = \"random\"\n\n[columns.doctor]";
    bench.write("shown.toml", BY_PEOPLE.replace("[columns.doctor]", shown));
    for (seed, local) in [("1", "true"), ("1", "false"), ("2", "false"), ("3", "true")] {
        let ran = bench.must(&["generate", "visits", "--rows", "2400", "--seed", seed]);
        bench.write("visits.csv", &ran.stdout);
        let local = format!("method.local={local}");
        let asked =
            ["--set", "input.knows=all-rows", "--set", "max-suppressed=0.6", "--set", &local, "--overwrite", "-q"];
        bench.must(&[&["anonymize", "shown.toml"][..], &asked].concat());
        let names = ["--quasi", "sex,birth date,zip code,visit date", "--sensitive", "diagnosis,ward"];
        let audit = bench.json(&[&["audit", "release.csv", "--person", "patient id", "--json"][..], &names].concat());
        let attacks = audit["attacks"].as_array().unwrap();
        let several: Vec<&Value> = attacks.iter().filter(|found| found["attack"] == "several-rows").collect();
        assert_eq!(several.len(), 3, "{audit}");
        for rows in ["one_row", "two_rows", "three_rows", "all_rows"] {
            assert_eq!(several[0][format!("found_by_{rows}")], 0, "{seed} {rows}");
            assert!(several[0][format!("fewest_left_by_{rows}")].as_u64() >= Some(5), "{seed} {rows}");
            assert!(several[1..].iter().all(|found| found[format!("told_by_{rows}")] == 0), "{seed} {rows}");
        }
    }
}

/// Where a pseudonym tells which rows belong together, several of them find more people than one.
#[test]
fn several_rows_of_a_person_find_more_than_one() {
    let bench = clinic();
    bench.must(&["anonymize", "by-rows.toml", "-q"]);
    let audit = bench.json(&["audit", "by-rows.csv", "--policy", "by-rows.toml", "--json"]);
    let attacks = audit["attacks"].as_array().unwrap();
    let several = attacks.iter().find(|attack| attack["attack"] == "several-rows" && attack["column"].is_null());
    let found = |name: &str| several.and_then(|finding| finding[name].as_u64()).unwrap();
    let by = ["found_by_one_row", "found_by_two_rows", "found_by_three_rows", "found_by_all_rows"].map(found);
    assert!(by.is_sorted() && by[0] > 0 && by[3] > by[0], "{by:?}");
    let left = |name: &str| several.and_then(|finding| finding[name].as_f64()).unwrap();
    let rows = ["one_row", "two_rows", "three_rows", "all_rows"];
    let average = rows.map(|rows| left(&format!("average_left_by_{rows}")));
    assert!(average.is_sorted_by(|a, b| a >= b) && average[0] > average[3] && average[3] >= 1.0, "{average:?}");
    assert!(rows.iter().all(|rows| left(&format!("fewest_left_by_{rows}")) == 1.0));
    let of_diagnosis = attacks.iter().find(|found| found["attack"] == "several-rows" && found["column"] == "diagnosis");
    let told = rows.map(|rows| of_diagnosis.and_then(|found| found[format!("told_by_{rows}")].as_u64()).unwrap());
    // Whoever is found has told what they have.
    assert!(told.is_sorted() && told.iter().zip(by).all(|(&told, found)| told >= found), "{told:?}, {by:?}");
    let households = bench.json(&[
        "audit",
        "visits.csv",
        "--quasi",
        "sex",
        "--sensitive",
        "diagnosis",
        "--person",
        "patient id",
        "--household",
        "household",
        "--json",
    ]);
    assert_eq!(count(&households, "/households/members"), 936);
}

/// Who is counted in households is who is counted beside rows, whoever named the column: the command, the policy, or its own name.
#[test]
fn households_are_of_people_wherever_these_are_counted() {
    let bench = clinic();
    let names = ["--quasi", "sex", "--sensitive", "diagnosis"];
    let household = ["--household", "household"];
    let audit = |table: &str, more: &[&str]| {
        let words = [&["audit", table][..], &names, &household, more].concat();
        (bench.json(&[&words[..], &["--json"]].concat()), bench.must(&words))
    };
    let (named, _) = audit("visits.csv", &["--person", "patient id"]);
    let (likely, said) = audit("visits.csv", &[]);
    assert_eq!(likely["households"], named["households"], "a column that is likely to tell is used for both");
    assert_eq!(likely["households"]["members_are"], "people");
    assert_eq!((count(&likely, "/households/members"), count(&likely, "/people/count")), (936, 936));
    assert_eq!(likely["people"]["column"], "patient id");
    assert!(said.stdout.contains("people are counted by `patient id`: 936 people, of whom"), "{said}");
    assert!(said.stdout.contains(" households with 936 people in all"), "{said}");
    assert!(said.stderr.contains("people are counted by `patient id` besides\n"), "{said}");
    assert!(!said.stderr.contains("[input]"), "there is no policy to change: {said}");

    bench.write("anonymous.csv", bench.text("visits.csv").replacen("patient id", "some", 1));
    let (rows, said) = audit("anonymous.csv", &[]);
    assert_eq!((&rows["households"]["members_are"], &rows["people"]), (&"rows".into(), &Value::Null));
    assert_eq!(count(&rows, "/households/members"), 3600);
    assert!(said.stdout.contains(" households with 3,600 rows in all"), "{said}");
}

/// What is said of households while the release is made is what an audit finds in it, where other names of people and households tell.
#[test]
fn households_are_told_of_the_release_as_an_audit_finds_them() {
    let bench = clinic();
    // Each row has a number, by which it is known afterwards whose it is; a release of people does not show that.
    let visits = bench.text("visits.csv");
    let rows: Vec<&str> = visits.lines().collect();
    let numbered =
        |(place, row): (usize, &&str)| format!("{row},{}\n", if place == 0 { "row".into() } else { place.to_string() });
    bench.write("visits.csv", rows.iter().enumerate().map(numbered).collect::<String>());
    let with_row = "[columns.row]\nrole = \"insensitive\"\n\n[columns.doctor]";
    bench.write("shown.toml", BY_PEOPLE.replace("[columns.doctor]", with_row));
    let told = bench.json(&["anonymize", "shown.toml", "--report", "report.html", "--json"]);
    let header: Vec<&str> = rows[0].split(',').collect();
    let whose = |row: &str| {
        let number = row.rsplit(',').next().and_then(|number| number.parse::<usize>().ok()).unwrap_or(0);
        let cells: Vec<&str> = rows[number].split(',').collect();
        let cell = |name: &str| cells[header.iter().position(|known| *known == name).unwrap()];
        format!("{row},{},{}\n", cell("patient id"), cell("household"))
    };
    let joined = bench.text("release.csv").lines().map(whose).collect::<String>();
    bench.write("release.csv", joined);
    let given = ["audit", "release.csv", "--quasi", "sex,birth date,zip code,visit date", "--sensitive", "diagnosis"];
    let found = bench.json(&[&given[..], &["--person", "patient id", "--household", "household", "--json"]].concat());
    assert_eq!(count(&told, "/households/members"), 936);
    assert!(count(&told, "/households/count") < 936);
    for key in ["count", "members", "members_are"] {
        assert_eq!(told["households"][key], found["households"][key]);
    }
    for key in ["highest", "average", "expected", "average_of_members", "expected_members", "share_at_risk"] {
        let (told, found) = (told["households"][key].as_f64().unwrap(), found["households"][key].as_f64().unwrap());
        assert!((told - found).abs() < 1e-9 * found.max(1.0), "{key}: {told} and {found}");
    }
    assert!(text_of(&bench.text("report.html")).contains("By households: finds any member of one"));

    let without = BY_PEOPLE.replace("person = \"patient id\"\n", "");
    bench.write("nobody.toml", &without);
    let ran = bench.run(&["check", "nobody.toml"]);
    assert!(ran.code == 2 && ran.stderr.contains("`household` says who lives together"), "{ran}");
}

/// Visits of ten people, two each, in one ward; `number` stays with a person and is nobody else's, `price` does not.
fn visits_by_hand(write: impl Fn(u32) -> String) -> String {
    let row = |row: u32| format!("{},n{},{row},north,{}\n", write(row), row / 2, ["flu", "gout"][row as usize % 2]);
    "id,number,price,ward,ill\n".to_owned() + &(0..20).map(row).collect::<String>()
}

const BY_HAND: &str = "[input]\npath = \"t.csv\"\nperson = \"id\"\n[output]\npath = \"r.csv\"\n[columns.number]\nrole = \"identifier\"\n\
                       [columns.price]\nrole = \"insensitive\"\n[columns.ward]\nrole = \"quasi-identifier\"\nhierarchy = { suppress = {} }\n\
                       [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 5\n";

fn warned_of(json: &Value, id: &str) -> Vec<String> {
    let warnings = json["warnings"].as_array().unwrap().iter().filter(|warning| warning["id"] == id);
    warnings.map(|warning| warning["text"].as_str().unwrap().to_owned()).collect()
}

/// One row of somebody leads to all of theirs where each shows the same name.
#[test]
fn another_name_for_people_is_published_only_where_all_rows_are_reckoned_with() {
    let bench = Workbench::with(&[("t.csv", &visits_by_hand(|row| format!("P{}", row / 2)))]);
    let shown = BY_HAND
        .replace("[columns.number]", "[columns.id]\nrole = \"identifier\"\nreplace = \"random\"\n[columns.number]");
    bench.write("p.toml", &shown);
    let ran = bench.run(&["anonymize", "p.toml"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("`id` says whose a row is") && ran.stderr.contains("all-rows"),
        "{ran}"
    );
    let json =
        bench.json(&["anonymize", "p.toml", "--set", "input.knows=all-rows", "--certificate", "c.json", "--json"]);
    assert_eq!((&json["people"]["knows"], warned_of(&json, "linkable-rows").len()), (&"all-rows".into(), 1));
    assert!(bench.text("c.json").contains("\"knows\": \"all-rows\""));
    bench.write("all.toml", shown.replace("person = \"id\"\n", "person = \"id\"\nknows = \"all-rows\"\n"));
    let audit = bench.json(&["audit", "r.csv", "--policy", "all.toml", "--json"]);
    assert_eq!(audit["people"]["knows"], "all-rows");
    assert!(
        bench.json(&["audit", "t.csv", "--quasi", "ward", "--person", "id", "--json"])["people"]["knows"].is_null()
    );
}

#[test]
fn a_column_that_tells_which_rows_are_one_persons_is_told_of() {
    let bench = Workbench::with(&[("t.csv", &visits_by_hand(|row| format!("P{}", row / 2))), ("p.toml", BY_HAND)]);
    assert!(
        warned_of(&bench.json(&["anonymize", "p.toml", "--json"]), "linkable-rows").is_empty(),
        "prices tell nobody"
    );
    bench.write(
        "p.toml",
        BY_HAND.replace("[columns.number]\nrole = \"identifier\"", "[columns.number]\nrole = \"insensitive\""),
    );
    let warned = warned_of(&bench.json(&["anonymize", "p.toml", "--overwrite", "--json"]), "linkable-rows");
    assert!(matches!(&warned[..], [text] if text.starts_with("`number` is published as it is")), "{warned:?}");
}

#[test]
fn ids_of_people_that_are_spelled_alike_are_told_of_without_naming_one() {
    let spelled = |row: u32| if row == 1 { "p0 ".to_owned() } else { format!("P{}", row / 2) };
    let bench = Workbench::with(&[("t.csv", &visits_by_hand(spelled)), ("p.toml", BY_HAND)]);
    let warned = warned_of(&bench.json(&["anonymize", "p.toml", "--json"]), "spellings-of-people");
    assert!(matches!(&warned[..], [text] if text.contains("2 of its values") && !text.contains("0")), "{warned:?}");
}

/// Eight people of four households, three whose household is missing, and two rows in which nobody is named. A release that shows such columns as they
/// are shows all marks of a missing value.
#[test]
fn who_is_missing_is_one_person_and_lives_with_nobody() {
    let policy = "[input]\npath = \"t.csv\"\nmissing = [\"\", \"NA\"]\n[output]\npath = \"release.csv\"\n\
                  [columns.\"patient id\"]\nrole = \"insensitive\"\n[columns.household]\nrole = \"insensitive\"\n\
                  [columns.ward]\nrole = \"quasi-identifier\"\nhierarchy = { suppress = {} }\n\
                  [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let mut table = "patient id,household,ward,ill\n".to_owned();
    (0..8).for_each(|person| table += &format!("p{person},h{},north,flu\n", person / 2));
    (8..11).for_each(|person| table += &format!("p{person},NA,north,gout\n"));
    table += "NA,NA,north,flu\n,,north,flu\n";
    let bench = Workbench::with(&[("t.csv", &table), ("policy.toml", policy)]);
    bench.must(&["anonymize", "policy.toml", "-q"]);
    let given = ["audit", "release.csv", "--policy", "policy.toml", "--household", "household", "--json"];
    let by_people = bench.json(&[&given[..], &["--person", "patient id"]].concat());
    assert_eq!((count(&by_people, "/people/count"), count(&by_people, "/households/members")), (12, 12));
    assert_eq!(count(&by_people, "/households/count"), 8, "four, three people alone, and whoever is not named");
    let by_rows = bench.json(&given);
    assert_eq!((count(&by_rows, "/households/members"), count(&by_rows, "/households/count")), (13, 9));
}

/// Ten people; all four of the ward north have had the flu, of whom one has three rows, and of the six others none.
#[test]
fn what_is_commoner_among_the_people_of_a_class_is_told_by_people() {
    let mut text = "patient,ward,ill\n".to_owned();
    for person in ["a", "b", "c", "d"] {
        text += &format!("{person},north,flu\n{person},north,{person}-ache\n");
    }
    text += "a,north,flu\na,north,gout\n";
    for person in ["e", "f", "g", "h", "i", "j"] {
        text += &format!("{person},south,cold\n");
    }
    let bench = Workbench::with(&[("t.csv", &text)]);
    let audit = |more: &[&str]| {
        let given = ["audit", "t.csv", "--quasi", "ward", "--sensitive", "ill", "--person", "patient", "--json"];
        let ran = bench.must(&[&given[..], more].concat());
        let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        found["people"]["skewness"].clone()
    };
    // Flu: 4 of 4 against 4 of 10, 2.5 times and 0.6 more. Cold: 6 of 6 against 6 of 10, 0.4 more but only 1.67 times.
    assert_eq!(audit(&[]), serde_json::json!([{ "column": "ill", "classes": 1, "people": 4 }]));
    assert_eq!(audit(&["--ratio", "2.5", "--difference", "0.6"])[0]["classes"], 1, "both are reached");
    assert_eq!(audit(&["--ratio", "2.6"])[0]["classes"], 0);
    assert_eq!(audit(&["--difference", "0.61"])[0]["classes"], 0);
    assert_eq!(audit(&["--ratio", "1.5"])[0], serde_json::json!({ "column": "ill", "classes": 2, "people": 10 }));
    assert_eq!(audit(&["--bad", "ill=gout"])[0]["classes"], 0, "one in four has had it, and one in ten overall");
}

/// Nobody knows what values do as classes grow, but people are never fewer: what has too few of them rules out what lies below.
#[test]
fn solutions_for_people_are_found_without_looking_at_everything() {
    let bench = clinic();
    let json =
        bench.json(&["solutions", "policy.toml", "--set", "method.local=false", "--set", "max-suppressed=0", "--json"]);
    let (nodes, checked) = (count(&json, "/nodes"), count(&json, "/checked"));
    assert!(count(&json, "/satisfying") > 0 && 4 * checked < 3 * nodes, "{checked} of {nodes}");
}

/// All rows as one class are the best that people with all of their rows can be, where nobody may be left out: no search is needed to say so.
#[test]
fn what_no_release_of_whole_people_can_be_is_said_at_once() {
    let bench = clinic();
    let asked = ["--set", "input.knows=all-rows", "--set", "max-suppressed=0", "--set", "require[1].l=5"];
    let ran = bench.run(&[&["anonymize", "policy.toml"][..], &asked].concat());
    assert!(ran.code == 1 && ran.stderr.contains("no release of this table can satisfy simple 5-diversity"), "{ran}");
}

/// What came closest is told by the columns of the table, and by no others.
#[test]
fn what_comes_closest_for_whole_people_has_the_columns_of_the_table() {
    let bench = clinic();
    let asked = ["--set", "input.knows=all-rows", "--set", "method.local=false", "--set", "max-suppressed=0.1"];
    let ran = bench.run(&[&["anonymize", "policy.toml"][..], &asked].concat());
    let levels = "  the closest (sex 1, birth date 3, zip code 5, visit date 3) still needs ";
    assert!(ran.code == 1 && ran.stderr.contains(levels), "{ran}");
}

/// Levels do not tell where the rows of somebody go who is left out, but they are what each column shows.
#[test]
fn levels_and_their_height_are_told_where_people_are_taken_as_a_whole() {
    let bench = clinic();
    let as_a_whole = ["input.knows=all-rows", "method.suppress=people"];
    for (whole, objective) in as_a_whole.iter().flat_map(|whole| [(whole, "loss"), (whole, "height")]) {
        let objective = format!("method.objective={objective}");
        let asked = ["--set", whole, "--set", "max-suppressed=0.5", "--set", "method.local=false", "--set", &objective];
        let words = [&["anonymize", "policy.toml", "--overwrite"][..], &asked].concat();
        let json = bench.json(&[&words[..], &["--json"]].concat());
        let levels = json["levels"].as_object().unwrap_or_else(|| panic!("{json}"));
        assert_eq!(levels.len(), 4, "{json}");
        let height: u64 = levels.values().map(|level| level.as_u64().unwrap()).sum();
        assert_eq!(json["objectives"]["height"].as_f64(), Some(height as f64), "{json}");
        assert!(json["objective_value"].is_f64(), "{json}");
        // Nobody is left out where that loses more.
        let leaves_out = count(&json, "/people/suppressed") > 0;
        assert_eq!(leaves_out, *whole == as_a_whole[0] || objective.ends_with("height"), "{whole} {objective} {json}");
        assert!(bench.must(&words).stderr.contains("column      level   shown as"), "{whole}");
    }
}

/// Of three patients `a` was in the north twice and in the south once, `b` in the north, and `c` in the east twice.
#[test]
fn whoever_has_the_original_links_people_and_not_rows() {
    let original = "patient,ward,ill\na,north,flu\na,north,flu\na,south,cold\nb,north,gout\nc,east,flu\nc,east,cold\n";
    let release = original.replace("south", "east").replace("a,", "x,");
    let bench = Workbench::with(&[("original.csv", original), ("release.csv", &release)]);
    let linked = |release: &str, more: &[&str]| {
        let given = ["audit", release, "--quasi", "ward", "--sensitive", "ill", "--original", "original.csv", "--json"];
        bench.json(&[&given[..], more].concat())["people"]["linkage"].clone()
    };
    // By rows nobody is alone. In the north are a and b, in the south a only, in the east c only.
    let by_itself =
        serde_json::json!({ "people": 3, "linked_to_one": 2, "linked_to_few": 1, "few": 4, "linked_to_none": 0 });
    assert_eq!(linked("original.csv", &["--person", "patient"]), by_itself);
    // The south is in the east: a's row there fits nobody's label any more, but that of the north is one of two people's.
    let of_release =
        serde_json::json!({ "people": 3, "linked_to_one": 0, "linked_to_few": 3, "few": 4, "linked_to_none": 0 });
    let labels = ["--person", "patient", "--hierarchy", "ward=places.csv"];
    bench.write("places.csv", "north,north,*\nsouth,east,*\neast,east,*\n");
    assert_eq!(linked("release.csv", &labels), of_release);
    let few = linked("release.csv", &[&labels[..], &["--few", "1"]].concat());
    assert_eq!((&few["linked_to_one"], &few["linked_to_few"]), (&0.into(), &0.into()));
    let none = linked("original.csv", &["--person", "patient", "--few", "0"]);
    assert_eq!((&none["linked_to_one"], &none["linked_to_few"]), (&2.into(), &0.into()), "b has a row like one of a");
    let said = bench.must(&[
        "audit",
        "original.csv",
        "--quasi",
        "ward",
        "--sensitive",
        "ill",
        "--original",
        "original.csv",
        "--person",
        "patient",
    ]);
    assert!(
        said.stdout.contains("whoever has the original links 2 of 3 people, by some row, to records of one person only, and 1 to those of at most 4\n"),
        "{said}"
    );
}

/// Who lives together a column says that is called so and has many values; with few, it says how a household is made up.
#[test]
fn numbers_of_households_are_proposed_as_such() {
    let bench = clinic();
    bench.must(&["init", "visits.csv", "--yes", "-o", "p.toml"]);
    let policy = bench.text("p.toml");
    assert!(policy.contains("\nhousehold = \"household\" # as it seems: who lives together\n"), "{policy}");
    assert!(policy.contains("[columns.household]\nrole = \"identifier\"\n"), "{policy}");
    let sizes: String = (0..200).map(|row| format!("{},{},{}\n", row / 2, row % 7, ["flu", "cold"][row % 2])).collect();
    bench.write("sizes.csv", format!("patient id,household,ill\n{sizes}"));
    bench.must(&["init", "sizes.csv", "--yes", "-o", "s.toml"]);
    let policy = bench.text("s.toml");
    assert!(policy.contains("[columns.household]\nrole = \"quasi-identifier\"\n"), "{policy}");
}
