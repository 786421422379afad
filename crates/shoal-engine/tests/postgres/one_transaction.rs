//! Does a run see one state of the table, and does everybody else see a whole release or none?

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::database::{Database, address};
use crate::run::{Rest, policy};
use shoal::policy::Policy;
use shoal::publish::Outputs;
use shoal::run::anonymize;
use shoal::source::{Counted, Source, Staged};
use shoal::study::Writing;
use shoal_core::recode::Recoding;
use shoal_core::watch::{Unwatched, Watch};

const COLUMNS: &str = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10, 100] }\n\
    [[require]]\nmodel = \"k-anonymity\"\nk = 2\n";

/// A source that lets something happen between counting and recoding, and before publishing.
struct Meanwhile {
    inner: Box<dyn Source>,
    between: Box<dyn FnMut() + Send>,
}

impl Source for Meanwhile {
    fn count(&mut self, policy: &Policy, watch: &dyn Watch) -> shoal_core::Result<Counted> {
        self.inner.count(policy, watch)
    }

    fn stage(
        &mut self,
        policy: &Policy,
        counted: &Counted,
        recoding: &Recoding<'_>,
        outputs: &mut Outputs,
        watch: &dyn Watch,
    ) -> shoal_core::Result<Box<dyn Staged>> {
        (self.between)();
        let staged = self.inner.stage(policy, counted, recoding, outputs, watch)?;
        (self.between)();
        Ok(staged)
    }

    fn some_values(&mut self, policy: &Policy, watch: &dyn Watch) -> shoal_core::Result<Vec<(String, Vec<String>)>> {
        self.inner.some_values(policy, watch)
    }
}

fn people(schema: &str) -> Database {
    let mut database = Database::new(schema);
    database.load("people", "age int", b"age\n30\n30\n31\n31\n");
    database
}

#[test]
fn rows_that_others_add_meanwhile_are_in_the_next_release() {
    let folder = TempDir::new().unwrap();
    let database = people("meanwhile");
    let schema = database.schema.clone();
    let (from, to) = (format!("table = \"{schema}.people\""), format!("{schema}.release"));
    let policy =
        policy(folder.path(), &address(), &from, &to, Rest { input: "", output: "", columns: COLUMNS }).unwrap();
    let (database, seen) = (Arc::new(Mutex::new(database)), Arc::new(Mutex::new(Vec::new())));
    let (theirs, told) = (Arc::clone(&database), Arc::clone(&seen));
    let between = Box::new(move || {
        let mut database = theirs.lock().unwrap();
        database.run(&format!("INSERT INTO {schema}.people VALUES (77)"));
        told.lock().unwrap().push(database.tables());
    });
    let source = Meanwhile { inner: shoal_engine::open(&policy, false).unwrap(), between };
    anonymize(source, &policy, Writing::new(), &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(*seen.lock().unwrap(), [["people"], ["people"]], "nobody sees a release before it is published");
    let mut database = database.lock().unwrap();
    assert_eq!(
        database.rows(&format!("SELECT count(*), min(age), max(age) FROM {to}")),
        [["4", "30", "31"].map(|text| Some(text.to_owned()))]
    );
    assert_eq!(database.tables(), ["people", "release"], "nothing else is left");
}

#[test]
fn an_earlier_release_can_be_read_until_the_moment_it_is_replaced() {
    let folder = TempDir::new().unwrap();
    let mut database = people("replaced");
    let schema = database.schema.clone();
    database.run(&format!("CREATE TABLE {schema}.release AS SELECT 'earlier' AS age"));
    let (from, to) = (format!("table = \"{schema}.people\""), format!("{schema}.release"));
    let policy =
        policy(folder.path(), &address(), &from, &to, Rest { input: "", output: "", columns: COLUMNS }).unwrap();
    let (database, seen) = (Arc::new(Mutex::new(database)), Arc::new(Mutex::new(Vec::new())));
    let (theirs, told, query) = (Arc::clone(&database), Arc::clone(&seen), format!("SELECT * FROM {to}"));
    let between = Box::new(move || told.lock().unwrap().push(theirs.lock().unwrap().rows(&query)));
    let source = Meanwhile { inner: shoal_engine::open(&policy, true).unwrap(), between };
    anonymize(source, &policy, Writing::new(), &Unwatched).unwrap();
    let earlier = vec![vec![Some("earlier".to_owned())]];
    assert_eq!(*seen.lock().unwrap(), [earlier.clone(), earlier]);
    let mut database = database.lock().unwrap();
    assert_eq!(database.rows(&format!("SELECT count(*) FROM {to}")), [[Some("4".to_owned())]]);
}

#[test]
fn a_run_that_stops_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let mut database = people("stopped");
    let schema = database.schema.clone();
    let (from, to) = (format!("table = \"{schema}.people\""), format!("{schema}.release"));
    let columns = COLUMNS.replace("k = 2", "k = 5");
    let policy =
        policy(folder.path(), &address(), &from, &to, Rest { input: "", output: "", columns: &columns }).unwrap();
    let source = shoal_engine::open(&policy, false).unwrap();
    anonymize(source, &policy, Writing::new(), &Unwatched).expect_err("four people cannot be five");
    assert_eq!(database.tables(), ["people"]);
    let connections = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'shoal' AND state LIKE 'idle in%' \
                       AND query LIKE '%test_stopped%'";
    let begin = Instant::now();
    while database.rows(connections) != [[Some("0".to_owned())]] {
        assert!(begin.elapsed() < Duration::from_secs(10), "the transaction is still open");
    }
}

#[test]
fn whether_a_release_is_there_is_not_claimed_where_the_connection_broke() {
    let folder = TempDir::new().unwrap();
    let database = people("broken");
    let schema = database.schema.clone();
    let (from, to) = (format!("table = \"{schema}.people\""), format!("{schema}.release"));
    let policy =
        policy(folder.path(), &address(), &from, &to, Rest { input: "", output: "", columns: COLUMNS }).unwrap();
    let (mut database, mut is_staged) = (database, false);
    let between = Box::new(move || {
        if std::mem::replace(&mut is_staged, true) {
            database.run(&format!(
                "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) \
                 WHERE relation = '{schema}.people'::regclass AND application_name = 'shoal'"
            ));
        }
    });
    let source = Meanwhile { inner: shoal_engine::open(&policy, false).unwrap(), between };
    let error =
        anonymize(source, &policy, Writing::new(), &Unwatched).expect_err("nobody is there any more").to_string();
    assert!(
        error.contains("broke while the release was published") || error.contains("nothing was published"),
        "{error}"
    );
}
