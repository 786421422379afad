//! Does a table go from `init` to an audited release without help, however it was written?

use std::collections::HashSet;

use rust_xlsxwriter::Workbook;

use crate::workbench::Workbench;

/// Made-up people: age, a day of birth, a sex, a salary in cents, an illness.
type Person = (u32, (u32, u32, u32), char, u64, &'static str);

fn people() -> Vec<Person> {
    let person = |n: u32| {
        let age = 20 + n * 7 % 60;
        let born = (1 + n * 5 % 28, 1 + n * 3 % 12, 2024 - age);
        let salary = 98_000 + u64::from(n * n * 137 % 400_000);
        (
            age,
            born,
            if n.is_multiple_of(2) { 'm' } else { 'w' },
            salary,
            ["Grippe", "Röteln", "Husten", "keine"][n as usize * 3 % 4],
        )
    };
    (0..120).map(person).collect()
}

/// From a table to a policy, a release that tells ages apart, and an audit; the policy.
#[track_caller]
fn goes_through(bench: &Workbench, table: &str, age: &str) -> String {
    bench.must(&["init", table, "--yes", "-o", "policy.toml"]);
    bench.must(&["anonymize", "policy.toml", "--output", "release.csv"]);
    bench.must(&["audit", "release.csv", "--policy", "policy.toml"]);
    let release: String = bench.bytes("release.csv").into_iter().map(char::from).collect();
    let delimiter = ";\t|,".chars().find(|mark| release.lines().next().unwrap().contains(*mark)).unwrap();
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter as u8).from_reader(release.as_bytes());
    let place = reader.headers().unwrap().iter().position(|name| name == age).expect("the age is released");
    let ages: HashSet<String> = reader.records().map(|record| record.unwrap()[place].to_owned()).collect();
    assert!(ages.iter().filter(|age| *age != "*").count() >= 2, "{ages:?}");
    bench.text("policy.toml")
}

#[track_caller]
fn says(policy: &str, lines: &[&str]) {
    for line in lines {
        assert!(policy.lines().any(|other| other.starts_with(line)), "no line `{line}`\n{policy}");
    }
}

/// `1.234,56 €`.
fn euros(cents: u64) -> String {
    let whole = (cents / 100).to_string();
    let grouped = match whole.len() {
        4.. => format!("{}.{}", &whole[..whole.len() - 3], &whole[whole.len() - 3..]),
        _ => whole,
    };
    format!("{grouped},{:02} €", cents % 100)
}

fn latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|c| if c == '€' { 0x80 } else { u8::try_from(u32::from(c)).unwrap() }).collect()
}

#[test]
fn a_german_export_of_excel() {
    let mut text = "Größe;geboren;Geschlecht;Gehalt;Krankheit\r\n".to_owned();
    for (n, (age, (day, month, year), sex, cents, ill)) in people().into_iter().enumerate() {
        let size = if n % 40 == 7 { "k.A.".to_owned() } else { format!("1,{:02}", 50 + age / 2) };
        text += &format!("{size};{day:02}.{month:02}.{:02};{sex};{};{ill}\r\n", year % 100, euros(cents));
    }
    let bench = Workbench::new();
    bench.write("Patienten.csv", latin_1(&text));
    let policy = goes_through(&bench, "Patienten.csv", "geboren");
    says(&policy, &["encoding = \"windows-1252\"", "decimal = \",\"", "thousands = \".\"", "two-digit-years = 1930"]);
    says(&policy, &["missing = [\"k.A.\", \"\"]"]);
    assert!(policy.contains("[columns.\"Größe\"]"), "{policy}");
    let release = bench.bytes("release.csv");
    assert!(release.windows(4).any(|bytes| bytes == b"Gr\xf6\xdf"), "the release is encoded as its input");
    assert!(!policy.contains("Mind: `geboren`: the dates can be read in several ways"), "{policy}");
    // Whoever has the certificate alone is told what to say.
    bench.must(&["anonymize", "policy.toml", "--output", "release.csv", "--certificate", "c.json"]);
    let audit = ["audit", "release.csv", "--certificate", "c.json"];
    let ran = bench.run(&audit);
    assert!(ran.code == 2 && ran.stderr.contains("`--encoding windows-1252`"), "{ran}");
    bench.must(&[&audit[..], &["--encoding", "windows-1252"]].concat());
    let ran = bench.run(&[&audit[..], &["--decimal", ","]].concat());
    assert!(ran.code == 2 && ran.stderr.contains("the certificate says how its table is written"), "{ran}");
}

#[test]
fn a_table_of_which_somebody_says_that_it_has_no_header() {
    let text: String = (0..60).map(|n| format!("{},{}\n", ["f", "m"][n % 2], ["flu", "gout", "none"][n % 3])).collect();
    let bench = Workbench::with(&[("people.csv", &text)]);
    let ran = bench.run(&["init", "people.csv", "--yes", "--header", "false"]);
    assert!(ran.code == 0 && ran.stdout.contains("\nheader = false\n"), "{ran}");
    bench.write("people.csv", "age,sex,age\n31,f,2\n32,m,3\n");
    let ran = bench.run(&["init", "people.csv", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("let every column have a name of its own"), "{ran}");
}

#[test]
fn a_table_that_r_wrote() {
    let mut text = "\"\",\"age\",\"sex\",\"salary\",\"illness\"\n".to_owned();
    for (n, (age, _, sex, cents, ill)) in people().into_iter().enumerate() {
        let age = if n % 30 == 3 { "NA".to_owned() } else { age.to_string() };
        text += &format!("\"{}\",{age},\"{sex}\",{},\"{ill}\"\n", n + 1, cents as f64 / 100.0);
    }
    let bench = Workbench::with(&[("people.csv", &text)]);
    let policy = goes_through(&bench, "people.csv", "age");
    says(&policy, &["[columns.column1]", "missing = [\"NA\", \"\"]"]);
    assert!(policy.contains("[columns.column1]\nrole = \"identifier\""), "{policy}");
    assert!(bench.text("release.csv").starts_with("age,sex,"), "{}", bench.text("release.csv"));
}

#[test]
fn a_table_that_r_wrote_without_a_name_for_its_rows() {
    let mut text = "\"age\"\t\"sex\"\t\"illness\"\n".to_owned();
    for (n, (age, _, sex, _, ill)) in people().into_iter().enumerate() {
        text += &format!("\"{}\"\t{age}\t\"{sex}\"\t\"{ill}\"\n", n + 1);
    }
    let bench = Workbench::with(&[("people.txt", &text)]);
    let policy = goes_through(&bench, "people.txt", "age");
    assert!(policy.contains("[columns.column1]\nrole = \"identifier\""), "{policy}");
    says(&policy, &["[columns.age]"]);
}

#[test]
fn a_table_that_pandas_wrote() {
    let mut text = ",age,admitted,sex,bmi,illness\n".to_owned();
    for (n, (age, (day, month, _), sex, cents, ill)) in people().into_iter().enumerate() {
        let bmi = if n % 25 == 4 { String::new() } else { format!("{}.0", 18 + cents % 17) };
        text += &format!("{n},{age},2023-{month:02}-{day:02} {:02}:30:00,{sex},{bmi},{ill}\n", n % 24);
    }
    let bench = Workbench::with(&[("people.csv", &text)]);
    let policy = goes_through(&bench, "people.csv", "age");
    assert!(policy.contains("[columns.column1]\nrole = \"identifier\""), "{policy}");
    assert!(policy.contains("hierarchy = { dates = "), "time stamps are dates\n{policy}");
}

#[test]
fn a_sheet_with_two_rows_of_titles() {
    let bench = Workbench::new();
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write(0, 0, "Patients of the clinic").unwrap();
    sheet.write(1, 0, "as of").unwrap().write(1, 1, "2024-01-31").unwrap();
    for (column, name) in ["age", "sex", "salary", "ward", "illness"].into_iter().enumerate() {
        sheet.write(2, column as u16, name).unwrap();
    }
    for (n, (age, _, sex, cents, ill)) in people().into_iter().enumerate() {
        let row = 3 + n as u32;
        sheet.write(row, 0, age).unwrap().write(row, 1, sex.to_string()).unwrap();
        sheet.write(row, 2, cents as f64 / 100.0).unwrap().write(row, 3, 1 + n as u32 % 9).unwrap();
        sheet.write(row, 4, ill).unwrap();
    }
    book.add_worksheet();
    book.save(bench.path("clinic.xlsx")).unwrap();
    let policy = goes_through(&bench, "clinic.xlsx", "age");
    says(&policy, &["skip = 2", "[columns.age]", "type = \"category\""]);
}

#[test]
fn comments_codes_and_delimiters_at_the_end_of_rows() {
    let mut text =
        "# made by the register\n# on 2024-01-31, for nobody\nage|sex|occupation code|score|illness|\n".to_owned();
    for (n, (age, _, sex, cents, ill)) in people().into_iter().enumerate() {
        let score = if n % 20 == 3 { "-99".to_owned() } else { (cents % 50).to_string() };
        text += &format!("{age}|{sex}|{}|{score}|{ill}|\n", 11 + n * n % 83);
    }
    let bench = Workbench::with(&[("people.csv", &text)]);
    let policy = goes_through(&bench, "people.csv", "age");
    says(&policy, &["skip = 2", "missing = [\"\", \"-99\"]", "type = \"category\"", "delimiter = \"|\""]);
    assert!(!policy.contains("column6"), "what follows the last delimiter is no column\n{policy}");
}

#[test]
fn of_several_sheets_one_is_named() {
    let bench = Workbench::new();
    let mut book = Workbook::new();
    for name in ["2023", "2024"] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        sheet.write(0, 0, "age").unwrap().write(0, 1, "illness").unwrap();
        for (row, (age, _, _, _, ill)) in people().into_iter().enumerate() {
            sheet.write(row as u32 + 1, 0, age).unwrap().write(row as u32 + 1, 1, ill).unwrap();
        }
    }
    book.save(bench.path("clinic.xlsx")).unwrap();
    let ran = bench.run(&["init", "clinic.xlsx", "--yes"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("2 sheets with something in them: `2023`, `2024`"), "{ran}");
    bench.must(&["init", "clinic.xlsx", "--yes", "--table-name", "2024", "-o", "policy.toml"]);
    says(&bench.text("policy.toml"), &["table = \"2024\""]);
    bench.must(&["anonymize", "policy.toml", "--output", "release.csv"]);
    bench.must(&["init", "clinic.xlsx#2023", "--yes"]);
    // As the program itself says to name it.
    bench.must(&["audit", "clinic.xlsx#2023", "--quasi", "age", "--report", "report.html"]);
}

/// What `init` may be told is what `audit` and `hierarchy` may be told.
#[test]
fn what_is_said_of_a_table_is_not_detected() {
    let mut text = "a title\nage;pay\n".to_owned();
    people().iter().for_each(|(age, _, _, cents, _)| text += &format!("{age};{}\n", euros(*cents)));
    let bench = Workbench::new();
    bench.write("t.csv", latin_1(&text));
    let said = [
        "--encoding",
        "latin1",
        "--skip",
        "1",
        "--thousands",
        ".",
        "--delimiter",
        ";",
        "--missing",
        "-",
        "--missing",
        "",
    ];
    let with = |command: &[&'static str]| [command, &said].concat();
    bench.must(&with(&["init", "t.csv", "--yes", "-o", "policy.toml"]));
    says(
        &bench.text("policy.toml"),
        &["encoding = \"windows-1252\"", "skip = 1", "decimal = \",\"", "thousands = \".\""],
    );
    let audit = bench.must(&with(&["audit", "t.csv", "--quasi", "age,pay"]));
    assert!(audit.stdout.contains("120 rows"), "{audit}");
    let suggested = bench.must(&with(&["hierarchy", "suggest", "t.csv", "--column", "pay"]));
    assert!(suggested.stdout.contains("intervals") || suggested.stdout.contains("quantiles"), "{suggested}");
    let ran = bench.run(&["audit", "t.csv", "--policy", "policy.toml", "--skip", "1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("`--set input.skip=..`"), "{ran}");
}

/// What the owner says is no guess, even where it is what a policy does not have to say.
#[test]
fn the_usual_can_be_said_too() {
    let bench = Workbench::new();
    // Without a word, the first two lines are titles, and the numbers have decimal commas.
    let rows: String = (0..40).map(|n| format!("{};{},5\n", 20 + n, 900 + n * 7)).collect();
    bench.write("titled.csv", format!("Survey of 2024\n\nage;pay\n{rows}"));
    bench.write("plain.csv", format!("age;pay\n{rows}"));
    bench.must(&["init", "titled.csv", "--yes", "-o", "guessed.toml"]);
    assert!(bench.text("guessed.toml").contains("skip = "), "{}", bench.text("guessed.toml"));
    let said = bench.run(&["init", "titled.csv", "--skip", "0", "--yes", "-o", "said.toml"]);
    let policy = if said.code == 0 { bench.text("said.toml") } else { String::new() };
    assert!(!policy.contains("skip = "), "{policy}");
    bench.must(&["init", "plain.csv", "--yes", "-o", "commas.toml"]);
    says(&bench.text("commas.toml"), &["decimal = \",\""]);
    bench.must(&["init", "plain.csv", "--decimal", ".", "--yes", "-o", "points.toml"]);
    assert!(!bench.text("points.toml").contains("decimal = "), "{}", bench.text("points.toml"));
}

/// A German export goes through `hierarchy suggest` without help, as it goes through `init`.
#[test]
fn a_hierarchy_is_suggested_for_files_as_they_come() {
    let bench = Workbench::new();
    let rows: String = (0..60)
        .map(|n| {
            format!("{};{},5;{}\n", 20 + n, 900 + n * 7, if n % 9 == 0 { "k.A.".to_owned() } else { n.to_string() })
        })
        .collect();
    bench.write("t.csv", latin_1(&format!("Übersicht 2024\n\nage;pay;tage\n{rows}")));
    let policy = bench.must(&["init", "t.csv", "--yes", "-o", "policy.toml"]);
    for column in ["age", "pay", "tage"] {
        let ran = bench.must(&["hierarchy", "suggest", "t.csv", "--column", column]);
        let line = ran.stdout.lines().find(|line| line.starts_with("hierarchy = ")).unwrap();
        assert!(line.contains("intervals") || line.contains("quantiles"), "{column}: {ran}\n{policy}");
    }
    let ran = bench.run(&["hierarchy", "suggest", "t.csv", "--column", "agee"]);
    assert!(ran.code == 2 && ran.stderr.contains("did you mean `age`?"), "{ran}");
}
