//! Is a release stopped whose rows are staged as those of somebody else?

use std::path::Path;

use shoal::policy::Policy;
use shoal::run::anonymize;
use shoal::study::Writing;
use shoal_core::Result;
use shoal_core::watch::Unwatched;

use crate::column::EngineColumn;
use crate::dialect::SqlDialect;
use crate::engine::{EachGroup, Engine};
use crate::mapping::MappingTable;
use crate::postgres::Postgres;
use crate::source::EngineSource;
use crate::spark::Spark;

/// An engine that stages other people than it is told: this expression instead of their numbers.
struct Meddling<E> {
    engine: E,
    people: &'static str,
}

impl<E: Engine> Engine for Meddling<E> {
    fn stage(&mut self, query: &str, has_people: bool) -> Result<()> {
        assert!(has_people, "whose rows they are is staged beside them");
        let meddled = format!("SELECT m.ward, m.diagnosis, {} AS shoal_person FROM ({query}) AS m", self.people);
        self.engine.stage(&meddled, has_people)
    }

    fn dialect(&self) -> &dyn SqlDialect {
        self.engine.dialect()
    }

    fn place(&self) -> String {
        self.engine.place()
    }

    fn input(&self) -> String {
        self.engine.input()
    }

    fn columns(&mut self, relation: &str) -> Result<Vec<EngineColumn>> {
        self.engine.columns(relation)
    }

    fn groups(&mut self, query: &str, keys: usize, each: EachGroup<'_>) -> Result<()> {
        self.engine.groups(query, keys, each)
    }

    fn send(&mut self, mapping: &MappingTable) -> Result<()> {
        self.engine.send(mapping)
    }

    fn keep(&mut self, name: &str, query: &str) -> Result<()> {
        self.engine.keep(name, query)
    }

    fn staged(&self) -> String {
        self.engine.staged()
    }

    fn publish(&mut self, release: Option<&str>) -> Result<()> {
        self.engine.publish(release)
    }

    fn release(&self) -> String {
        self.engine.release()
    }

    fn sees_one_state(&self) -> bool {
        self.engine.sees_one_state()
    }

    fn wake(&mut self) -> Result<()> {
        self.engine.wake()
    }

    fn discard(&mut self) {
        self.engine.discard();
    }

    fn stopper(&self) -> Box<dyn Fn() + Send + Sync> {
        self.engine.stopper()
    }
}

/// Two wards of three people with two rows each.
fn rows() -> String {
    let row = |row: usize| {
        let (ward, diagnosis) = (["north", "south"][row / 6], ["flu", "gout", "cold"][row % 3]);
        format!("('{ward}', '{diagnosis}', 'P{}')", row / 2)
    };
    let rows: Vec<String> = (0..12).map(row).collect();
    format!("SELECT * FROM (VALUES {}) AS v(ward, diagnosis, patient)", rows.join(", "))
}

fn policy(folder: &Path, place: &str, output: &str, knows: &str) -> Policy {
    let text = format!(
        "[input]\n{place}\nquery = \"{}\"\nperson = \"patient\"\nknows = \"{knows}\"\n[output]\n{output}\n[columns.ward]\n\
         role = \"quasi-identifier\"\n[columns.diagnosis]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 3\n",
        rows()
    );
    crate::register();
    Policy::parse(&text, "policy.toml", folder).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What comes of other people than those whose rows they are: an error, or that there is none.
fn assert_noticed(mut run: impl FnMut(&str, &'static str) -> Result<()>) {
    assert!(run("one-row", "m.shoal_person").is_ok(), "nobody was moved");
    assert!(run("all-rows", "m.shoal_person").is_ok(), "nobody was moved");
    // 2 and 3 change places in one row each: both wards have four people then, as many as asked, but not those whose rows they are; and whoever
    // knows both of their rows finds them.
    let swapped = "CASE WHEN m.shoal_person = 2 AND m.diagnosis = 'cold' THEN 3 \
                   WHEN m.shoal_person = 3 AND m.diagnosis = 'flu' THEN 2 ELSE m.shoal_person END";
    let fails = [
        ("one-row", swapped, "some class has rows of other people than it should"),
        ("all-rows", swapped, "it does not satisfy 3-anonymity (people)"),
        // As many people as before, but only two in one ward.
        (
            "one-row",
            "CASE WHEN m.shoal_person IN (2, 3, 4) OR m.shoal_person = 5 AND m.diagnosis = 'gout' THEN m.shoal_person - 1 \
             ELSE m.shoal_person END",
            "it does not satisfy 3-anonymity (people)",
        ),
        ("one-row", "CASE WHEN m.shoal_person = 5 THEN 4 ELSE m.shoal_person END", "it has rows of 5 people, not of 6"),
        ("one-row", "CASE WHEN m.shoal_person = 5 THEN NULL ELSE m.shoal_person END", "whose it is"),
    ];
    for (knows, people, said) in fails {
        let error = run(knows, people).expect_err("rows that were moved should be noticed").to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn rows_of_one_person_that_were_moved_are_noticed_in_postgres() {
    let address = std::env::var("SHOAL_TEST_POSTGRES").expect("services/run says where PostgreSQL is");
    let folder = tempfile::tempdir().unwrap();
    assert_noticed(|knows, people| {
        let place = format!("postgres = \"{address}\"");
        let policy = policy(folder.path(), &place, "table = \"public.moved_people\"", knows);
        let engine = Meddling { engine: Postgres::connect(&policy, true)?, people };
        anonymize(EngineSource::new(engine), &policy, Writing::new(), &Unwatched).map(|_| ())
    });
}

#[test]
fn rows_of_one_person_that_were_moved_are_noticed_in_spark() {
    let address = std::env::var("SHOAL_TEST_SPARK").expect("services/run says where Spark is");
    let folder = tempfile::tempdir().unwrap();
    assert_noticed(|knows, people| {
        let place = format!("spark = \"{address}\"");
        let policy = policy(folder.path(), &place, "path = \"release.parquet\"", knows);
        let engine = Meddling { engine: Spark::connect(&policy, true)?, people };
        anonymize(EngineSource::new(engine), &policy, Writing::new(), &Unwatched).map(|_| ())
    });
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["release.parquet"], "nothing else is left");
}
