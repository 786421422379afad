//! Does a table in which people have several rows give the release that it gives as a file?

use std::path::Path;

use serde_json::Value;
use shoal::generate::write_csv;
use shoal::run::anonymize;
use shoal::study::{Study, Writing};
use shoal_core::watch::Unwatched;
use tempfile::TempDir;

use crate::database::{Database, address};
use crate::run::{Rest, locally, on_server, policy, refusal};
use crate::visits::{COLUMNS, METHODS, PERSON};

const VISITS: &str = "\"patient id\" text, household text, sex text, \"birth date\" date, \"zip code\" char(5), \
    \"visit date\" date, ward text, doctor int, diagnosis text, price int";

type Rows = Vec<Vec<Option<String>>>;

/// A schema with these visits, and a folder with the same in `in.csv`.
struct Clinic {
    folder: TempDir,
    database: Database,
}

impl Clinic {
    fn new(schema: &str, csv: &[u8]) -> Self {
        let (folder, mut database) = (TempDir::new().unwrap(), Database::new(schema));
        std::fs::write(folder.path().join("in.csv"), csv).unwrap();
        database.load("visits", VISITS, csv);
        Self { folder, database }
    }

    fn from(&self) -> String {
        format!("table = \"{}.visits\"", self.database.schema)
    }

    fn to(&self) -> String {
        format!("{}.release", self.database.schema)
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The summary and the rows of the release that the server makes.
    fn released(&mut self, rest: Rest<'_>) -> (Value, Rows) {
        let (from, to) = (self.from(), self.to());
        let summary = on_server(self.folder(), &address(), &from, &to, rest, true);
        let summary = summary.unwrap_or_else(|error| panic!("{}{}\n{error}", rest.input, rest.columns));
        (summary, self.database.rows(&format!("SELECT * FROM {to}")))
    }

    /// Both say the same, and the releases are the same.
    fn assert_same(&mut self, rest: Rest<'_>) -> Value {
        let (local_summary, local) = locally(self.folder(), rest);
        let (summary, rows) = self.released(rest);
        let what = format!("{}{}", rest.input, rest.columns);
        assert_eq!(summary, local_summary, "{what}");
        assert!(rows == local, "{what}\n{} and {} rows, which differ", rows.len(), local.len());
        assert_eq!(self.database.tables(), ["release", "visits"], "nothing else is left");
        summary
    }
}

fn visits(rows: u64) -> Vec<u8> {
    let mut csv = Vec::new();
    write_csv("visits", rows, 5, &mut csv).unwrap();
    csv
}

/// The same with some rows of which nobody knows whose they are, marked in two ways.
fn some_unknown(csv: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8(csv).unwrap();
    let line = |(at, line): (usize, &str)| match (at % 50, line.split_once(',')) {
        (7, Some((_, rest))) => format!(",{rest}\n"),
        (9, Some((_, rest))) => format!("unknown,{rest}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().enumerate().map(line).collect::<String>().into_bytes()
}

fn method(method: &str) -> String {
    format!(
        "{COLUMNS}[[require]]\nmodel = \"k-anonymity\"\nk = 5\n[[require]]\nmodel = \"distinct-l-diversity\"\nl = 3\n\
         [method]\nmax-suppressed = 0.1\n{method}\n"
    )
}

#[test]
fn every_method_that_counts_people_gives_the_release_of_the_file() {
    let mut clinic = Clinic::new("people_methods", &visits(3000));
    let input = format!("{PERSON}other-columns = \"drop\"\n");
    for name in METHODS {
        let columns = method(name);
        let summary = clinic.assert_same(Rest { input: &input, output: "", columns: &columns });
        assert!(summary["people"].is_object(), "{summary:#}");
    }
}

#[test]
fn people_are_left_out_and_known_by_all_of_their_rows_as_in_a_file() {
    let mut clinic = Clinic::new("people_whole", &visits(2000));
    let input = format!("{PERSON}other-columns = \"drop\"\n");
    for (knows, given) in [
        ("", "suppress = \"people\"\nname = \"full-domain\""),
        ("", "suppress = \"people\"\nname = \"full-domain\"\nlocal = true"),
        ("", "suppress = \"people\"\nname = \"mondrian\""),
        ("knows = \"all-rows\"\n", "max-suppressed = 0.9\nname = \"full-domain\""),
        ("knows = \"all-rows\"\n", "max-suppressed = 0.9\nname = \"full-domain\"\nlocal = true"),
    ] {
        let columns = match given.starts_with("max-suppressed") {
            true => method(given).replace("max-suppressed = 0.1\n", ""),
            false => method(given),
        };
        let input = format!("{input}{knows}");
        clinic.assert_same(Rest { input: &input, output: "", columns: &columns });
    }
}

#[test]
fn other_columns_are_released_with_the_rows_of_their_people_and_whose_they_are_is_not() {
    let mut clinic = Clinic::new("people_others", &visits(2000));
    let input = format!("{PERSON}other-columns = \"insensitive\"\n");
    let columns = method("name = \"full-domain\"");
    for output in ["", "suppressed = \"keep\"", "shuffle = false"] {
        clinic.assert_same(Rest { input: &input, output, columns: &columns });
        let schema = clinic.database.schema.clone();
        // Also columns that were dropped are still in the pages of a table.
        let names = clinic.database.rows_in_order(&format!(
            "SELECT attname FROM pg_attribute WHERE attrelid = '{schema}.release'::regclass AND attnum > 0 ORDER BY attnum"
        ));
        let names: Vec<String> = names.into_iter().flatten().flatten().collect();
        let expected =
            ["household", "sex", "birth date", "zip code", "visit date", "ward", "doctor", "diagnosis", "price"];
        assert_eq!(names, expected);
    }
}

#[test]
fn whoever_is_not_known_is_one_person_or_left_out_as_in_a_file() {
    let mut clinic = Clinic::new("people_unknown", &some_unknown(visits(2000)));
    for name in ["full-domain", "mondrian"] {
        let columns = method(&format!("name = \"{name}\""));
        let mut people = Vec::new();
        for rows_with_missing in ["keep", "drop"] {
            // Numbers are no names, and none of them is a missing one.
            let input = format!(
                "{PERSON}other-columns = \"drop\"\nmissing = [\"\", \"unknown\", \"0\", \"1\"]\nrows-with-missing = \"{rows_with_missing}\"\n"
            );
            let summary = clinic.assert_same(Rest { input: &input, output: "", columns: &columns });
            people.push(summary["people"].clone());
        }
        assert!(people[0] != people[1], "{people:?}");
    }
}

#[test]
fn where_everybody_has_one_row_all_is_as_without_people() {
    let text = String::from_utf8(visits(2000)).unwrap();
    let line = |(at, line): (usize, &str)| match (at, line.split_once(',')) {
        (1.., Some((_, rest))) => format!("P{at},{rest}\n"),
        _ => format!("{line}\n"),
    };
    let csv: String = text.lines().enumerate().map(line).collect();
    let mut clinic = Clinic::new("people_alone", csv.as_bytes());
    let drops = "[columns.\"patient id\"]\nrole = \"identifier\"\n";
    for name in ["full-domain", "mondrian"] {
        let columns = method(&format!("name = \"{name}\"")) + drops;
        let with = format!("{PERSON}other-columns = \"drop\"\n");
        clinic.assert_same(Rest { input: &with, output: "", columns: &columns });
        let in_order = format!("SELECT * FROM {}", clinic.to());
        let counted = clinic.database.rows_in_order(&in_order);
        clinic.released(Rest { input: "other-columns = \"drop\"\n", output: "", columns: &columns });
        assert!(counted == clinic.database.rows_in_order(&in_order), "{name}: the releases differ");
    }
}

/// Between counting and staging others may be let in; whose rows they are is then looked at once more, too.
#[test]
fn a_table_whose_people_changed_meanwhile_is_refused() {
    let mut clinic = Clinic::new("people_changed", &visits(1000));
    let input = format!("{PERSON}other-columns = \"drop\"\n");
    let columns = method("name = \"full-domain\"");
    let (from, to) = (clinic.from(), clinic.to());
    let rest = Rest { input: &input, output: "", columns: &columns };
    let policy = policy(clinic.folder(), &address(), &from, &to, rest).unwrap();
    let released = |meanwhile: &mut dyn FnMut()| {
        let study = Study::count(shoal_engine::open(&policy, true).unwrap(), &policy, &Unwatched).unwrap();
        meanwhile();
        let candidate = study.best(&Unwatched).unwrap();
        study.write(&candidate, Writing::new(), &Unwatched).map(|_| ())
    };
    released(&mut || ()).unwrap_or_else(|error| panic!("{error}"));
    let give = format!(
        "UPDATE {0}.visits SET \"patient id\" = (SELECT max(\"patient id\") FROM {0}.visits) \
         WHERE ctid = (SELECT min(ctid) FROM {0}.visits)",
        clinic.database.schema
    );
    let error = released(&mut || clinic.database.run(&give)).unwrap_err().to_string();
    assert!(error.contains("changed while it was being anonymized"), "{error}");
}

#[test]
fn a_column_that_cannot_name_people_is_refused() {
    let mut database = Database::new("people_refused");
    database.load("visits", "patient jsonb, age int", b"patient,age\n1,30\n2,30\n");
    let columns = "[columns.age]\nrole = \"quasi-identifier\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let rest = Rest { input: "person = \"patient\"\n", output: "", columns };
    let (from, to) = (format!("table = \"{}.visits\"", database.schema), format!("{}.release", database.schema));
    let folder = TempDir::new().unwrap();
    let error = refusal(on_server(folder.path(), &address(), &from, &to, rest, false)).to_string();
    assert!(error.contains("column `patient` of table") && error.contains("cannot be `person`"), "{error}");
    assert!(error.contains("hint: name another column"), "{error}");
}

#[test]
fn a_person_of_any_type_is_counted() {
    let csv = b"patient,visit,age\n10,1,30\n10,2,30\n9,3,30\n8,4,31\n8,5,31\n7,6,31\n,7,30\n";
    let columns = "[columns.age]\nrole = \"quasi-identifier\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n[method]\nname = \"mondrian\"\n";
    let rest = Rest { input: "person = \"patient\"\nother-columns = \"drop\"\n", output: "", columns };
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("in.csv"), csv).unwrap();
    let (local, rows) = locally(folder.path(), rest);
    for (at, kind) in
        ["int", "bigint", "numeric", "numeric(5,0)", "text", "varchar(5)", "double precision"].iter().enumerate()
    {
        let mut database = Database::new(&format!("people_type_{at}"));
        database.load("visits", &format!("patient {kind}, visit int, age int"), csv);
        let (from, to) = (format!("table = \"{}.visits\"", database.schema), format!("{}.release", database.schema));
        let policy = policy(folder.path(), &address(), &from, &to, rest).unwrap();
        let release =
            anonymize(shoal_engine::open(&policy, false).unwrap(), &policy, Writing::new(), &Unwatched).unwrap();
        assert_eq!(shoal_report::Summary::new(&release).to_json()["people"], local["people"], "{kind}");
        assert_eq!(database.rows(&format!("SELECT * FROM {to}")), rows, "{kind}");
    }
}
