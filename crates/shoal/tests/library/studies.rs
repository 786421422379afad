//! Does a study answer as runs do, from what was counted once, wherever the rows are?

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use shoal::compare::{PrivacyAxis, Rival, UtilityAxis, mark_frontier};
use shoal::policy::{Policy, Setting};
use shoal::source::{LocalSource, OpenRows, Table};
use shoal::study::{Origin, Release, Study, WhyNot, Writing};
use shoal_core::Result;
use shoal_core::error::Kind;
use shoal_core::hierarchy;
use shoal_core::lattice::Node;
use shoal_core::watch::Unwatched;
use shoal_format::{Batch, Cells, MemoryTable, TableReader};

/// Ages from 20 to 49, two sexes, three diseases, twelve rows each.
fn people() -> MemoryTable {
    let rows = 0..360;
    let age: ArrayRef = Arc::new(Int64Array::from_iter_values(rows.clone().map(|row| 20 + row % 30)));
    let sex: ArrayRef =
        Arc::new(StringArray::from_iter_values(rows.clone().map(|row| ["f", "m"][row as usize / 7 % 2])));
    let ill: ArrayRef =
        Arc::new(StringArray::from_iter_values(rows.map(|row| ["flu", "gout", "measles"][row as usize / 5 % 3])));
    let batch = RecordBatch::try_from_iter([("age", age), ("sex", sex), ("ill", ill)]).unwrap();
    let halves = vec![batch.slice(0, 100), batch.slice(100, 260)];
    MemoryTable::new(batch.schema(), halves).unwrap()
}

fn policy(k: i64) -> Policy {
    Policy::builder()
        .quasi("age", hierarchy::intervals([5, 10, 30]))
        .quasi("sex", hierarchy::suppress())
        .sensitive("ill")
        .require("k-anonymity", [("k", k)])
        .build()
        .unwrap()
}

/// Rows that are opened by whoever keeps them, and how often.
struct Opened {
    table: MemoryTable,
    times: AtomicUsize,
}

impl OpenRows for Opened {
    fn name(&self) -> String {
        "a list of people".to_owned()
    }

    fn open(self: Arc<Self>) -> Result<Box<dyn TableReader>> {
        self.times.fetch_add(1, Ordering::Relaxed);
        Ok(self.table.reader())
    }
}

fn opened() -> (Arc<Opened>, LocalSource) {
    let rows = Arc::new(Opened { table: people(), times: AtomicUsize::new(0) });
    let source = LocalSource::to_read(Table::Rows(Arc::clone(&rows) as Arc<dyn OpenRows>)).into_memory();
    (rows, source)
}

fn released(release: &Release) -> Vec<RecordBatch> {
    release.in_memory.as_ref().unwrap().rows.batches().to_vec()
}

#[test]
fn the_frontier_over_k_needs_one_count() {
    let (rows, source) = opened();
    let study = Study::count(source, &policy(2), &Unwatched).unwrap();
    let mut losses = Vec::new();
    for k in [2, 5, 10, 50, 100, 180] {
        let other = study.with(&policy(k), &Unwatched).unwrap();
        assert_eq!(other.origin(), Origin::Shared);
        let best = other.best(&Unwatched).unwrap();
        let smallest = best.measure().unwrap().smallest;
        assert!(smallest >= k as u64, "{smallest} for k = {k}");
        losses.push(best.objective_value());
    }
    assert!(losses.is_sorted() && losses[0] < losses[5], "{losses:?}");
    assert_eq!(rows.times.load(Ordering::Relaxed), 1);
}

#[test]
fn other_roles_of_counted_columns_need_no_count_either_and_give_what_a_run_gives() {
    let (rows, source) = opened();
    let study = Study::count(source, &policy(5), &Unwatched).unwrap();
    let other = Policy::builder()
        .quasi("ill", hierarchy::suppress())
        .quasi("age", hierarchy::intervals([10, 30]))
        .column("sex", "role", "insensitive")
        .require("k-anonymity", [("k", 30)])
        .build()
        .unwrap();
    let regrouped = study.with(&other, &Unwatched).unwrap();
    assert_eq!(regrouped.origin(), Origin::Regrouped);
    assert_eq!(rows.times.load(Ordering::Relaxed), 1);
    let made = regrouped.write(&regrouped.best(&Unwatched).unwrap(), Writing::new(), &Unwatched).unwrap();
    let (_, source) = opened();
    let run = shoal::run::anonymize(source, &other, Writing::new(), &Unwatched).unwrap();
    assert_eq!(released(&made), released(&run));
    assert_eq!(made.candidate.objectives(), run.candidate.objectives());
    // And the first study still writes its own release.
    let first = study.write(&study.best(&Unwatched).unwrap(), Writing::new(), &Unwatched).unwrap();
    let (_, source) = opened();
    let alone = shoal::run::anonymize(source, &policy(5), Writing::new(), &Unwatched).unwrap();
    assert_eq!(released(&first), released(&alone));
}

#[test]
fn a_candidate_says_before_it_is_written_what_its_release_says() {
    let study = Study::count(LocalSource::in_memory(people()), &policy(12), &Unwatched).unwrap();
    let candidate = study.best(&Unwatched).unwrap();
    let (measured, audit) = (candidate.measure().unwrap(), candidate.audit(&Unwatched).unwrap());
    let release = study.write(&candidate, Writing::new(), &Unwatched).unwrap();
    assert_eq!(format!("{:?}", measured.achieved), format!("{:?}", release.measured.achieved));
    assert_eq!((measured.classes, measured.smallest), (release.measured.classes, release.measured.smallest));
    assert_eq!(audit.rows, release.candidate.released_rows());
    assert!(audit.holds());
}

/// Sixty people with two or three visits each, some of them in two towns.
fn visits() -> MemoryTable {
    let rows = 0..150;
    let text =
        |cell: &dyn Fn(i64) -> String| -> ArrayRef { Arc::new(StringArray::from_iter_values(rows.clone().map(cell))) };
    let columns = [
        ("who", text(&|row| format!("P{}", row % 60))),
        ("town", text(&|row| ["a", "b", "c"][(row % 60 / 20 + row / 140) as usize % 3].to_owned())),
        ("age", text(&|row| (20 + row % 60 / 6).to_string())),
        ("ill", text(&|row| ["flu", "gout", "cold"][(row % 7 % 3) as usize].to_owned())),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    MemoryTable::new(batch.schema(), vec![batch]).unwrap()
}

#[test]
fn a_candidate_of_people_says_what_its_release_says_of_them() {
    for (knows, suppress) in [("one-row", "rows"), ("one-row", "people"), ("all-rows", "people")] {
        let policy = Policy::builder()
            .identifier("who")
            .quasi("town", hierarchy::suppress())
            .quasi("age", hierarchy::intervals([2, 10]))
            .sensitive("ill")
            .require("k-anonymity", [("k", 4)])
            .require("distinct-l-diversity", [("l", 2)])
            .max_suppressed(0.3)
            .set("input.person", "who")
            .set("input.knows", knows)
            .set("method.suppress", suppress)
            .build()
            .unwrap();
        let study = Study::count(LocalSource::in_memory(visits()), &policy, &Unwatched).unwrap();
        let candidate = study.best(&Unwatched).unwrap();
        let (measured, audit) = (candidate.measure().unwrap(), candidate.audit(&Unwatched).unwrap());
        let release = study.write(&candidate, Writing::new(), &Unwatched).unwrap();
        let what = format!("{knows}, {suppress}");
        assert!(release.measured.people.is_some(), "{what}");
        assert_eq!(measured.people, release.measured.people, "{what}");
        assert_eq!(format!("{:?}", measured.achieved), format!("{:?}", release.measured.achieved), "{what}");
        let written = release.audit(&Unwatched).unwrap();
        assert!(audit.holds() && audit.required == 2, "{what}");
        assert_eq!(format!("{:?}", audit.measured.achieved), format!("{:?}", written.measured.achieved), "{what}");
    }
}

#[test]
fn levels_that_do_not_satisfy_are_said_to_and_are_not_written() {
    let study = Study::count(LocalSource::in_memory(people()), &policy(30), &Unwatched).unwrap();
    let candidate = study.at(&Node::new(vec![0, 1])).unwrap();
    let shortcoming = candidate.shortcoming().unwrap();
    assert!(shortcoming.message().contains("30-anonymity"), "{shortcoming}");
    assert!(study.write(&candidate, Writing::new(), &Unwatched).is_err());
    // Twelve of each age, thirty of which make 360.
    assert!(study.at(&Node::new(vec![3, 1])).unwrap().shortcoming().is_none());
}

#[test]
fn levels_that_do_not_satisfy_are_explained() {
    let study = Study::count(LocalSource::in_memory(people()), &policy(30), &Unwatched).unwrap();
    // Twelve of each of thirty ages: none is thirty. Without the age there is one class of all; the sex is hidden already.
    let why = study.why_not(&Node::new(vec![0, 1])).unwrap().unwrap();
    assert_eq!((why.rows, why.classes, why.allowed), (360, 30, 0));
    assert_eq!(why.by_requirement, [("30-anonymity".to_owned(), 360)]);
    assert_eq!(why.rare_by, [("age".to_owned(), 360)]);
    assert_eq!(study.why_not(&Node::new(vec![3, 1])).unwrap(), None);
    // And levels that there are not are refused.
    assert!(study.why_not(&Node::new(vec![9, 1])).unwrap_err().message().contains("level 9 of `age`"));
}

/// Three people with two rows each, of whom one alone was in both wards.
#[test]
fn rows_do_not_tell_whether_levels_are_enough_for_whole_people() {
    let who: ArrayRef = Arc::new(StringArray::from_iter_values(["A", "A", "B", "B", "C", "C"]));
    let ward: ArrayRef = Arc::new(Int64Array::from_iter_values([1, 2, 1, 1, 2, 2]));
    let batch = RecordBatch::try_from_iter([("who", who), ("ward", ward)]).unwrap();
    let table = MemoryTable::new(batch.schema(), vec![batch]).unwrap();
    let why_not = |k: i64, knows: &str, suppress: &str, limit: f64| {
        let policy = Policy::builder()
            .identifier("who")
            .quasi("ward", hierarchy::suppress())
            .require("k-anonymity", [("k", k)])
            .max_suppressed(limit)
            .set("input.person", "who")
            .set("input.knows", knows)
            .set("method.suppress", suppress)
            .build()
            .unwrap();
        let study = Study::count(LocalSource::in_memory(table.clone()), &policy, &Unwatched).unwrap();
        study.why_not(&Node::new(vec![0]))
    };
    let is_refused =
        |told: Result<Option<WhyNot>>| told.is_err_and(|error| error.message().contains("levels are enough"));
    // In both wards there are two people.
    assert_eq!(why_not(2, "one-row", "rows", 0.0).unwrap(), None);
    assert!(is_refused(why_not(2, "all-rows", "rows", 0.0)));
    // What rows lack, people lack, too, unless it is people who may be left out.
    assert_eq!(why_not(3, "all-rows", "rows", 0.0).unwrap().unwrap().rows, 6);
    assert!(is_refused(why_not(3, "one-row", "people", 0.4)));
}

#[test]
fn a_search_keeps_no_more_than_a_quarter_of_what_counting_may_hold() {
    for (limit, kept) in [("40MB", 10_000_000), ("8GB", 512 << 20)] {
        let policy = Policy::builder()
            .quasi("age", hierarchy::intervals([5, 10, 30]))
            .quasi("sex", hierarchy::suppress())
            .sensitive("ill")
            .require("k-anonymity", [("k", 2)])
            .set("input.memory-limit", limit)
            .build()
            .unwrap();
        let study = Study::count(LocalSource::in_memory(people()), &policy, &Unwatched).unwrap();
        assert_eq!(study.task().search_memory, kept, "{limit}");
    }
}

#[test]
fn a_study_is_shared_between_threads() {
    fn is_shared<T: Send + Sync + Clone>(_: &T) {}
    let study = Study::count(LocalSource::in_memory(people()), &policy(2), &Unwatched).unwrap();
    is_shared(&study);
    let losses: Vec<f64> = std::thread::scope(|scope| {
        let ask = |k: i64| {
            let study = study.clone();
            scope.spawn(move || study.with(&policy(k), &Unwatched).unwrap().best(&Unwatched).unwrap().objective_value())
        };
        let asked: Vec<_> = [2, 50, 2, 50].into_iter().map(ask).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert_eq!(losses[..2], losses[2..]);
}

#[test]
fn several_policies_are_compared_in_one_count() {
    let (rows, source) = opened();
    let study = Study::count(source, &policy(2), &Unwatched).unwrap();
    let times = rows.times.load(Ordering::Relaxed);
    let rival = |k: i64| {
        let settings = vec![Setting::new("k", k.to_string())];
        Rival { file: "policy.toml".into(), settings, policy: policy(k) }
    };
    let mut points = study.compare([2, 6, 50, 400].map(rival).into(), &Unwatched).unwrap();
    mark_frontier(&mut points, PrivacyAxis::HighestRisk, UtilityAxis::Loss);
    assert_eq!(rows.times.load(Ordering::Relaxed), times, "nothing is read again");
    let is_on: Vec<bool> = points.iter().map(|point| point.is_on_frontier).collect();
    assert!(is_on[2] && !is_on[3] && points[3].release.is_err(), "{points:?}");
    assert_eq!(points[1].label(false), "k = 6");
}

/// Whoever asks a study knows what whoever writes a release is told: afterwards may be too late.
#[test]
fn whoever_asks_is_warned_as_whoever_writes() {
    let table = people();
    let batch = &table.batches()[1];
    let mails: ArrayRef = Arc::new(StringArray::from_iter_values((0..260).map(|row| format!("p{row}@example.org"))));
    let columns = [("sex", batch.column(1).clone()), ("ill", batch.column(2).clone()), ("mail", mails)];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let policy =
        Policy::builder().quasi("sex", hierarchy::suppress()).sensitive("ill").column("mail", "role", "insensitive");
    let policy = policy.require("k-anonymity", [("k", 2)]).build().unwrap();
    let source = LocalSource::in_memory(MemoryTable::new(batch.schema(), vec![batch]).unwrap());
    let study = Study::count(source, &policy, &Unwatched).unwrap();
    assert!(study.warnings().iter().any(|warning| warning.id == "identifying-values"), "{:?}", study.warnings());
    let rival = Rival { file: "policy.toml".into(), settings: Vec::new(), policy };
    let points = study.compare(vec![rival], &Unwatched).unwrap();
    assert_eq!(points[0].warnings, study.warnings());
    let release = study.write(&study.best(&Unwatched).unwrap(), Writing::new(), &Unwatched).unwrap();
    assert_eq!(release.warnings(), study.warnings());
}

/// A copy of a release tells no more than the release; another release has names of its own.
#[test]
fn a_release_that_is_written_again_has_the_same_names() {
    let policy = Policy::builder()
        .quasi("sex", hierarchy::suppress())
        .sensitive("ill")
        .column("age", "role", "identifier")
        .column("age", "replace", "random")
        .require("k-anonymity", [("k", 2)])
        .build()
        .unwrap();
    let study = Study::count(LocalSource::in_memory(people()), &policy, &Unwatched).unwrap();
    let best = study.best(&Unwatched).unwrap();
    let write = |candidate| study.write(candidate, Writing::new(), &Unwatched).unwrap();
    let release = write(&best);
    assert_eq!(released(&release), released(&write(&release.candidate)));
    assert_ne!(released(&release), released(&write(&best)));
}

#[test]
fn no_recipe_names_a_file_that_is_another_by_now() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[columns.sex]\nrole = \"quasi-identifier\"\nhierarchy = { file = \"sexes.csv\" }\n\
                [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [30] }\n\
                [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"a-d-diversity\"\na = 1\nd = 1\n\
                groups = { file = \"groups.csv\" }\n";
    let files = [("sexes.csv", "f;any;*\nm;any;*\n"), ("groups.csv", "flu;air\ngout;other\nmeasles;air\n")];
    for (changed, _) in files {
        for (name, written) in files {
            std::fs::write(folder.path().join(name), written).unwrap();
        }
        let policy = Policy::parse(text, "policy.toml", folder.path()).unwrap();
        let study = Study::count(LocalSource::in_memory(people()), &policy, &Unwatched).unwrap();
        let candidate = study.best(&Unwatched).unwrap();
        candidate.recipe().unwrap();
        let path = folder.path().join(changed);
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap().replace('a', "A")).unwrap();
        let error = candidate.recipe().unwrap_err();
        assert_eq!(error.kind(), Kind::Changed);
        assert!(error.message().contains(changed), "{error}");
    }
}

/// A reader whose last column is a row short.
struct Short(Box<dyn TableReader>);

impl TableReader for Short {
    fn columns(&self) -> &[String] {
        self.0.columns()
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let Some(mut batch) = self.0.next_batch()? else { return Ok(None) };
        if let Some(Cells::Typed(cells)) = batch.columns.last_mut() {
            *cells = cells.slice(1, cells.len() - 1);
        }
        Ok(Some(batch))
    }
}

struct ShortRows;

impl OpenRows for ShortRows {
    fn name(&self) -> String {
        "a list of people".to_owned()
    }

    fn open(self: Arc<Self>) -> Result<Box<dyn TableReader>> {
        Ok(Box::new(Short(people().reader())))
    }
}

#[test]
fn values_that_are_no_longer_beside_their_own_are_refused() {
    let source = LocalSource::to_read(Table::Rows(Arc::new(ShortRows))).into_memory();
    let error = Study::count(source, &policy(2), &Unwatched).unwrap_err();
    assert_eq!(error.message(), "a list of people: column `ill` of a batch of 100 rows has 99");
}

#[test]
fn what_is_left_as_it_is_keeps_its_type_in_memory() {
    let policy = Policy::builder()
        .quasi("sex", hierarchy::suppress())
        .column("age", "role", "insensitive")
        .sensitive("ill")
        .require("k-anonymity", [("k", 2)])
        .build()
        .unwrap();
    let source = LocalSource::in_memory(people());
    let release = shoal::run::anonymize(source, &policy, Writing::new(), &Unwatched).unwrap();
    let schema = release.in_memory.as_ref().unwrap().rows.schema().clone();
    assert_eq!(schema.field(0).data_type(), &arrow_schema::DataType::Int64);
    assert_eq!(released(&release).iter().map(RecordBatch::num_rows).sum::<usize>(), 360);
}

/// Thirty-two columns of four values: the keys of their tuples take 64 bits, and the last column ends with the last of them.
#[test]
fn keys_may_fill_a_word_to_its_last_bit() {
    let row = |row: u64, column: u64| ["a", "b", "c", "d"][(row / 2 * (column + 3) + row / 8) as usize % 4];
    let column = |at: u64| -> (String, ArrayRef) {
        (format!("c{at}"), Arc::new(StringArray::from_iter_values((0..64).map(|number| row(number, at)))))
    };
    let batch = RecordBatch::try_from_iter((0..32).map(column)).unwrap();
    let table = MemoryTable::new(batch.schema(), vec![batch]).unwrap();
    // All but a few stay as they are: so large a lattice is not searched through.
    let columns = (0..32).fold(Policy::builder(), |policy, at| {
        let name = format!("c{at}");
        policy.quasi(&name, hierarchy::suppress()).column(&name, "max-level", i64::from(at % 8 == 0))
    });
    let policy = columns.require("k-anonymity", [("k", 2)]).build().unwrap();
    let study = Study::count(LocalSource::in_memory(table), &policy, &Unwatched).unwrap();
    assert_eq!(study.best(&Unwatched).unwrap().objective_value(), 0.0, "every row is there twice");
}
