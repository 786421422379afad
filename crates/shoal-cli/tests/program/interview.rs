//! Does `init` ask on a real terminal, and write only what was agreed to?
#![cfg(unix)]

use std::process::Command;

use rexpect::session::{PtySession, spawn_command};

use crate::stopped::Draws;
use crate::workbench::Workbench;

const TABLE: &str =
    "name,age,sex,diagnosis\nAnn,31,f,flu\nBob,35,m,gout\nCid,42,m,flu\nDee,47,f,asthma\nEve,38,f,gout\nFay,33,f,flu\n";

/// Long enough for a machine with other things to do.
const PATIENCE: Option<u64> = Some(60_000);

fn interview(bench: &Workbench, arguments: &[&str]) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shoal"));
    command.arg("init").args(arguments).current_dir(bench.path("")).env("NO_COLOR", "1").env("TERM", "xterm");
    spawn_command(command, PATIENCE).unwrap()
}

/// Waits for a question and presses some keys.
fn answer(terminal: &mut PtySession, question: &str, keys: &str) {
    terminal.exp_string(question).unwrap_or_else(|error| panic!("{question}: {error}"));
    terminal.send(keys).unwrap();
    terminal.flush().unwrap();
}

const ENTER: &str = "\r";
const DOWN: &str = "\x1b[B";

#[test]
fn whoever_agrees_to_everything_gets_the_proposal() {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    let mut terminal = interview(&bench, &["table.csv"]);
    for column in ["`name`", "`age`", "`sex`", "`diagnosis`"] {
        answer(&mut terminal, &format!("{column} ("), ENTER);
    }
    answer(&mut terminal, "must look the same", ENTER);
    answer(&mut terminal, "what must rows have that look the same?", ENTER);
    answer(&mut terminal, "How many different values", ENTER);
    answer(&mut terminal, "may be left out", ENTER);
    answer(&mut terminal, "Which columns matter most", ENTER);
    terminal.exp_string("Tried on all 6 rows").unwrap();
    answer(&mut terminal, "How are values made vaguer?", ENTER);
    answer(&mut terminal, "Where will the release", ENTER);
    answer(&mut terminal, "Which file is the policy", ENTER);
    terminal.exp_string("Rows of the release would show").unwrap();
    assert!(!bench.path("policy.toml").exists(), "nothing is written before the last answer");
    answer(&mut terminal, "Write policy.toml?", ENTER);
    terminal.exp_string("next: shoal anonymize policy.toml").unwrap();
    terminal.exp_eof().unwrap();
    let proposed = bench.must(&["init", "table.csv", "--quiet"]).stdout;
    let written = bench.text("policy.toml").replace("\n[output]\npath = \"table.release.csv\"\n", "");
    assert_eq!(written, proposed);
    bench.must(&["anonymize", "policy.toml"]);
    assert!(bench.path("table.release.csv").exists());
}

#[test]
fn a_policy_that_is_there_is_left_alone() {
    let bench = Workbench::with(&[("table.csv", TABLE), ("policy.toml", "# mine\n")]);
    let mut terminal = interview(&bench, &["table.csv"]);
    for column in ["`name`", "`age`", "`sex`", "`diagnosis`"] {
        answer(&mut terminal, &format!("{column} ("), ENTER);
    }
    answer(&mut terminal, "must look the same", ENTER);
    answer(&mut terminal, "what must rows have that look the same?", ENTER);
    answer(&mut terminal, "How many different values", ENTER);
    answer(&mut terminal, "may be left out", ENTER);
    answer(&mut terminal, "Which columns matter most", ENTER);
    answer(&mut terminal, "How are values made vaguer?", ENTER);
    answer(&mut terminal, "Where will the release", ENTER);
    answer(&mut terminal, "Which file is the policy", ENTER);
    answer(&mut terminal, "Write policy-2.toml?", ENTER);
    terminal.exp_string("next: shoal anonymize policy-2.toml").unwrap();
    terminal.exp_eof().unwrap();
    assert_eq!(bench.text("policy.toml"), "# mine\n");
    bench.must(&["check", "policy-2.toml"]);
}

#[test]
fn answers_change_the_policy_and_it_runs() {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    let mut terminal = interview(&bench, &["table.csv", "-o", "mine.toml"]);
    answer(&mut terminal, "`name` (", ENTER);
    answer(&mut terminal, "`age` (", ENTER);
    // From quasi-identifier down to insensitive, then back again and to sensitive.
    answer(&mut terminal, "`sex` (", &format!("{DOWN}{DOWN}{DOWN}{ENTER}"));
    answer(&mut terminal, "`diagnosis` (", "\x1b");
    answer(&mut terminal, "`sex` (", &format!("{DOWN}{DOWN}{ENTER}"));
    answer(&mut terminal, "`diagnosis` (", ENTER);
    // Seven are more than there are; backspace removes it again.
    answer(&mut terminal, "must look the same", "\x7f7\r");
    terminal.exp_string("the table has only 6 rows").unwrap();
    answer(&mut terminal, "must look the same", "\x7f3\r");
    answer(&mut terminal, "`sex` (", &format!("{DOWN}{DOWN}{DOWN}{ENTER}"));
    answer(&mut terminal, "`diagnosis` (", &format!("{DOWN}{DOWN}{ENTER}"));
    answer(&mut terminal, "How far at most", "\x7f\x7f\x7f0.5\r");
    answer(&mut terminal, "may be left out", ENTER);
    // One quasi-identifier is left: none matters more than others.
    answer(&mut terminal, "How are values made vaguer?", ENTER);
    answer(&mut terminal, "Where will the release", ENTER);
    answer(&mut terminal, "Write mine.toml?", ENTER);
    terminal.exp_eof().unwrap();
    let policy = bench.text("mine.toml");
    for line in ["k = 3", "model = \"t-closeness\"", "t = 0.5", "# Tried on all 6 rows", "# Its owner said so."] {
        assert!(policy.contains(line), "{line}\n{policy}");
    }
    assert!(policy.contains("[columns.sex]\nrole = \"sensitive\""), "{policy}");
    bench.must(&["anonymize", "mine.toml"]);
}

#[test]
fn dates_that_can_be_read_in_two_ways_are_asked_about() {
    let table = "born,visit,diagnosis\n03/04/2024,31.12.55,flu\n05/06/2023,30.11.49,gout\n07/08/2022,14.02.61,flu\n\
                 02/03/2021,15.01.44,gout\n04/05/2020,16.06.58,flu\n06/07/2019,17.07.37,gout\n";
    let bench = Workbench::with(&[("table.csv", table)]);
    let mut terminal = interview(&bench, &["table.csv", "-o", "mine.toml"]);
    for column in ["`born`", "`visit`", "`diagnosis`"] {
        answer(&mut terminal, &format!("{column} ("), ENTER);
    }
    answer(&mut terminal, "which part of its dates comes first?", &format!("{DOWN}{ENTER}"));
    answer(&mut terminal, "its years have two digits", "\x7f\x7f\x7f\x7f1940\r");
    for question in [
        "must look the same",
        "what must rows have",
        "How many different",
        "may be left out",
        "matter most",
        "How are values",
    ] {
        answer(&mut terminal, question, ENTER);
    }
    answer(&mut terminal, "Where will the release", ENTER);
    answer(&mut terminal, "Write mine.toml?", ENTER);
    terminal.exp_eof().unwrap();
    let policy = bench.text("mine.toml");
    assert!(policy.contains("dates = \"month-first\"") && policy.contains("two-digit-years = 1940"), "{policy}");
    assert!(!policy.contains("is a guess"), "{policy}");
    bench.must(&["anonymize", "mine.toml"]);
}

/// Seven columns for which the same is proposed, and an age.
fn alike() -> String {
    let mut table = "age,hobby,shoe,car,pet,drink,song,illness\n".to_owned();
    for row in 0..60 {
        let words = |place: usize| format!("w{}", (row * (place + 3) + row / 7) % 6);
        let cells: Vec<String> = (0..6).map(words).collect();
        table += &format!("{},{},{}\n", 20 + row % 50, cells.join(","), ["flu", "gout", "cold"][row % 3]);
    }
    table
}

#[test]
fn columns_for_which_the_same_is_proposed_are_asked_about_at_once() {
    let bench = Workbench::with(&[("table.csv", &alike())]);
    let mut terminal = interview(&bench, &["table.csv", "-o", "mine.toml"]);
    answer(&mut terminal, "`age` (", ENTER);
    // The third answer: each is sensitive.
    answer(&mut terminal, "6 columns: `hobby`, `shoe`", &format!("{DOWN}{DOWN}{ENTER}"));
    answer(&mut terminal, "`illness` (", "\x1b");
    // Back again: they are asked about one by one, and the first stays as it was proposed.
    answer(&mut terminal, "6 columns: `hobby`, `shoe`", &format!("{DOWN}{ENTER}"));
    for column in ["`hobby`", "`shoe`", "`car`", "`pet`", "`drink`", "`song`"] {
        answer(&mut terminal, &format!("{column} ("), ENTER);
    }
    answer(&mut terminal, "`illness` (", "\x03");
    terminal.exp_string("nothing was written").unwrap();
    terminal.exp_eof().unwrap();
}

#[test]
fn answers_of_a_survey_are_published_only_if_somebody_says_so_and_with_a_promise() {
    let questions: Vec<String> = (1..=9).map(|n| format!("q{n}")).collect();
    let mut table = format!("age,{}\n", questions.join(","));
    for row in 0..90 {
        let answers: Vec<String> = (0..9).map(|place| ((row * (place + 3) + row / 7) % 5 + 1).to_string()).collect();
        table += &format!("{},{}\n", 20 + row % 50, answers.join(","));
    }
    let bench = Workbench::with(&[("table.csv", &table)]);
    let mut terminal = interview(&bench, &["table.csv", "-o", "mine.toml"]);
    answer(&mut terminal, "`age` (", ENTER);
    // The fourth answer: each is sensitive.
    answer(&mut terminal, "9 columns: `q1`, `q2`", &format!("{DOWN}{DOWN}{DOWN}{ENTER}"));
    answer(&mut terminal, "must look the same", ENTER);
    answer(&mut terminal, "9 answers of a survey", ENTER);
    answer(&mut terminal, "may be left out", ENTER);
    answer(&mut terminal, "How are values made vaguer?", ENTER);
    answer(&mut terminal, "Where will the release", ENTER);
    answer(&mut terminal, "Write mine.toml?", ENTER);
    terminal.exp_eof().unwrap();
    let policy = bench.text("mine.toml");
    assert_eq!(policy.matches("model = \"distinct-l-diversity\"").count(), 9, "{policy}");
    bench.must(&["anonymize", "mine.toml"]);
    // Whoever says nothing gets none of them.
    bench.must(&["init", "table.csv", "--yes", "-o", "theirs.toml"]);
    bench.must(&["anonymize", "theirs.toml", "-o", "theirs.csv"]);
    assert!(bench.text("theirs.csv").starts_with("age\n"), "{}", bench.text("theirs.csv"));
}

#[test]
fn what_matters_most_becomes_a_weight_and_a_limit() {
    let row = |n: usize| format!("{},{},{}\n", 20 + n % 50, ["f", "m"][n % 2], ["flu", "gout", "cold"][n % 3]);
    let rows: String = (0..90).map(row).collect();
    let bench = Workbench::with(&[("table.csv", &format!("age,sex,diagnosis\n{rows}"))]);
    let mut terminal = interview(&bench, &["table.csv", "-o", "mine.toml"]);
    for column in ["`age`", "`sex`", "`diagnosis`"] {
        answer(&mut terminal, &format!("{column} ("), ENTER);
    }
    for question in ["must look the same", "what must rows have", "How many different", "may be left out"] {
        answer(&mut terminal, question, ENTER);
    }
    // Space marks the first, which is the age; the third answer is its second level.
    answer(&mut terminal, "Which columns matter most", " \r");
    answer(&mut terminal, "how vague may it become?", &format!("{DOWN}{DOWN}{ENTER}"));
    answer(&mut terminal, "How are values made vaguer?", ENTER);
    answer(&mut terminal, "Where will the release", ENTER);
    answer(&mut terminal, "Write mine.toml?", ENTER);
    terminal.exp_eof().unwrap();
    let policy = bench.text("mine.toml");
    assert!(policy.contains("weight = 5") && policy.contains("max-level = 2"), "{policy}");
    bench.must(&["anonymize", "mine.toml"]);
}

#[test]
fn the_release_that_is_proposed_can_be_written_whatever_the_table_is() {
    let bench = Workbench::with(&[("data/part-0.csv", TABLE)]);
    let mut terminal = interview(&bench, &["data", "-o", "mine.toml"]);
    for column in ["`name`", "`age`", "`sex`", "`diagnosis`"] {
        answer(&mut terminal, &format!("{column} ("), ENTER);
    }
    for question in
        ["must look the same", "what must rows have", "How many different", "may be left out", "matter most"]
    {
        answer(&mut terminal, question, ENTER);
    }
    answer(&mut terminal, "How are values made vaguer?", ENTER);
    // Backspaces that are too many do no harm.
    let erased = "\x7f".repeat(40);
    answer(&mut terminal, "Where will the release", &format!("{erased}release.ods\r"));
    terminal.exp_string("a release cannot be written as").unwrap();
    answer(&mut terminal, "Where will the release", &format!("{erased}data.release.csv\r"));
    answer(&mut terminal, "Write mine.toml?", ENTER);
    terminal.exp_eof().unwrap();
    bench.must(&["anonymize", "mine.toml"]);
    assert!(bench.path("data.release.csv").is_file());
}

#[test]
fn a_folder_becomes_a_file_where_everything_is_agreed_to() {
    let bench = Workbench::with(&[("data/part-0.csv", TABLE)]);
    let mut terminal = interview(&bench, &["data", "-o", "mine.toml"]);
    for column in ["`name`", "`age`", "`sex`", "`diagnosis`"] {
        answer(&mut terminal, &format!("{column} ("), ENTER);
    }
    for question in
        ["must look the same", "what must rows have", "How many different", "may be left out", "matter most"]
    {
        answer(&mut terminal, question, ENTER);
    }
    answer(&mut terminal, "How are values made vaguer?", ENTER);
    answer(&mut terminal, "Where will the release", ENTER);
    answer(&mut terminal, "Write mine.toml?", ENTER);
    terminal.exp_eof().unwrap();
    bench.must(&["anonymize", "mine.toml"]);
    assert!(bench.path("data.release.csv").is_file());
}

#[test]
fn whoever_stops_leaves_nothing_behind() {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    let before = bench.everything();
    let mut terminal = interview(&bench, &["table.csv"]);
    answer(&mut terminal, "`name` (", ENTER);
    terminal.exp_string("`age` (").unwrap();
    terminal.send_control('c').unwrap();
    terminal.exp_string("nothing was written").unwrap();
    terminal.exp_eof().unwrap();
    assert_eq!(bench.everything(), before);
}

/// Groups of jobs are made by what the building tells of them, until its owner says that nobody must learn the building.
#[test]
fn no_group_follows_from_a_column_that_is_called_sensitive() {
    let jobs = ["nurse", "doctor", "surgeon", "clerk", "banker", "lawyer"];
    let row = |n: usize| format!("{},{}\n", jobs[n % 6], if n % 6 < 3 { "hospital" } else { "office" });
    let bench = Workbench::with(&[("table.csv", &format!("job,building\n{}", (0..300).map(row).collect::<String>()))]);
    assert!(bench.must(&["init", "table.csv", "--quiet"]).stdout.contains("hierarchy = { tree"));
    let mut terminal = interview(&bench, &["table.csv", "-o", "mine.toml"]);
    answer(&mut terminal, "`job` (", ENTER);
    answer(&mut terminal, "`building` (", &format!("{DOWN}{ENTER}"));
    for question in ["must look the same", "what must rows have", "How many different", "may be left out"] {
        answer(&mut terminal, question, ENTER);
    }
    answer(&mut terminal, "How are values made vaguer?", ENTER);
    answer(&mut terminal, "Where will the release", ENTER);
    answer(&mut terminal, "Write mine.toml?", ENTER);
    terminal.exp_eof().unwrap();
    let policy = bench.text("mine.toml");
    assert!(policy.contains("[columns.building]\nrole = \"sensitive\""), "{policy}");
    assert!(policy.contains("[columns.job]\nrole = \"quasi-identifier\"\nhierarchy = { suppress = {} }"), "{policy}");
}

#[test]
fn whoever_stops_between_two_questions_does_not_wait_for_the_next() {
    // Enough rows that hardly any two are alike: the ways to a release take a while.
    let mut draws = Draws(7);
    let row = |n: u32| {
        let words: Vec<String> = (0..6).map(|_| format!("w{}", (draws.share() * 40.0) as u32)).collect();
        format!("{},{}\n", 20 + n % 50, words.join(","))
    };
    let table = "age,hobby,shoe,car,pet,drink,song\n".to_owned() + &(0..80_000).map(row).collect::<String>();
    let bench = Workbench::with(&[("table.csv", &table)]);
    let mut terminal = interview(&bench, &["table.csv", "-o", "mine.toml"]);
    for question in ["`age` (", "6 columns: `hobby`", "must look the same", "may be left out", "matter most"] {
        answer(&mut terminal, question, ENTER);
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    terminal.send_control('c').unwrap();
    let said = terminal.exp_eof().unwrap();
    assert!(said.contains("interrupted: nothing was published") && !said.contains("How are values"), "{said}");
}

#[test]
fn without_a_terminal_or_with_yes_nothing_is_asked() {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    let mut terminal = interview(&bench, &["table.csv", "--yes", "-o", "policy.toml"]);
    terminal.exp_string("next: shoal anonymize policy.toml").unwrap();
    terminal.exp_eof().unwrap();
    assert_eq!(bench.text("policy.toml"), bench.must(&["init", "table.csv", "--quiet"]).stdout);
}
