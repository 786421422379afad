//! Does a run give the same release on any number of threads, and is it what goes row by row would give?

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use proptest::prelude::*;
use shoal::policy::{Policy, Resolving};
use shoal::prepare::task;
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::Writing;
use shoal_core::method::full_domain::FullDomain;
use shoal_core::method::{Assignment, Method, Partition};
use shoal_core::watch::Unwatched;

use crate::counted::Counted;
use crate::names_of_releases;

/// A policy over three columns of the table that [`rows`] makes; `{extra}` goes into [input] and [output].
fn policy(folder: &Path, output: &str, input_extra: &str, output_extra: &str) -> Policy {
    let text = format!(
        r#"
[input]
path = "table.csv"
missing = ["?", "NA"]
{input_extra}
[output]
path = "{output}"
{output_extra}
[columns.id]
role = "identifier"
[columns.zip]
role = "quasi-identifier"
hierarchy = {{ mask = {{ from = "right" }} }}
[columns.town]
role = "quasi-identifier"
hierarchy = {{ suppress = {{}} }}
[columns.note]
role = "insensitive"
[columns.disease]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 3
[method]
name = "full-domain"
search = "optimal"
max-suppressed = 0.2
"#
    );
    let path = folder.join("policy.toml");
    std::fs::write(&path, text).unwrap();
    Policy::read(&path).unwrap()
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Publishes a release and returns its bytes and its levels, or the message.
fn release(policy: &Policy, threads: usize) -> Result<(Vec<u8>, BTreeMap<String, u8>), String> {
    on_threads(threads, || {
        let source = LocalSource::new(policy, None, None).unwrap();
        let output = source.output().unwrap().to_path_buf();
        let made = anonymize(source, policy, Writing::new(), &Unwatched).map_err(|error| error.to_string())?;
        let levels = made.partition().node.as_ref().unwrap().levels().to_vec();
        let names = made.table().quasi.iter().map(|column| column.name.clone());
        Ok((std::fs::read(output).unwrap(), names.zip(levels).collect()))
    })
}

/// The release of a partition that is told another way than the method tells it.
fn release_of(policy: &Policy, threads: usize, retell: impl Fn(&mut Partition) + Sync) -> Vec<u8> {
    on_threads(threads, || {
        let mut counted = Counted::of(policy);
        let requirements = policy.resolve(Resolving::input(&counted.table)).unwrap();
        let task = task(policy, &counted.table, &requirements);
        let mut partition = FullDomain::default().partition(&task, &Unwatched).unwrap();
        retell(&mut partition);
        counted.publish(policy, &partition, &[])
    })
}

/// Says nothing of levels, so that rows have to be found by their tuples.
fn without_node(partition: &mut Partition) {
    partition.node = None;
}

/// Gives the first row of each tuple an assignment of its own, so that places have to be dealt in the order of the table.
fn in_two_parts(partition: &mut Partition) {
    let parts = |whole: &Assignment| {
        let rest = Assignment { count: whole.count - 1, ..*whole };
        std::iter::once(Assignment { count: 1, ..*whole }).chain((rest.count > 0).then_some(rest))
    };
    partition.assignments = partition.assignments.iter().flat_map(parts).collect();
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

const HEADER: [&str; 5] = ["id", "zip", "town", "note", "disease"];

fn text(rows: &[Vec<String>]) -> String {
    let mut text = HEADER.join(",") + "\n";
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        writeln!(text, "{}", cells.join(",")).unwrap();
    }
    text
}

/// The release made row by row: counted in a map of texts, shown cell by cell, written by the `csv` crate.
fn naive(rows: &[Vec<String>], levels: &BTreeMap<String, u8>, keeps: bool) -> Vec<u8> {
    let is_missing = |cell: &str| cell == "?" || cell == "NA";
    let shown = |name: &str, cell: &str| -> String {
        match (name, levels.get(name).copied()) {
            _ if is_missing(cell) && levels.get(name).is_none_or(|&level| level == 0) && name != "note" => {
                "?".to_owned()
            }
            ("zip", Some(level)) => {
                // A missing value has no digits: it stays a value of its own until the last level.
                if is_missing(cell) {
                    return if level < 3 { "?".to_owned() } else { "*".to_owned() };
                }
                let kept = 3 - usize::from(level);
                if kept == 0 { "*".to_owned() } else { cell[..kept].to_owned() + &"*".repeat(3 - kept) }
            }
            ("town", Some(1)) => "*".to_owned(),
            _ => cell.to_owned(),
        }
    };
    let recoded: Vec<Vec<String>> =
        rows.iter().map(|row| (1..HEADER.len()).map(|column| shown(HEADER[column], &row[column])).collect()).collect();
    let mut sizes: BTreeMap<&[String], usize> = BTreeMap::new();
    recoded.iter().for_each(|row| *sizes.entry(&row[..2]).or_default() += 1);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&HEADER[1..]).unwrap();
    for row in &recoded {
        if sizes[&row[..2]] >= 3 {
            writer.write_record(row).unwrap();
        } else if keeps {
            writer.write_record(["*"; 4]).unwrap();
        }
    }
    writer.into_inner().unwrap()
}

fn rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    let zip = prop_oneof![9 => "[12]{2}[0-3]", 1 => prop::sample::select(vec!["?".to_owned(), "NA".to_owned()])];
    let town = prop::sample::select(vec!["Rome", "San José, CA", "the \"old\" town", "?", "x"]).prop_map(str::to_owned);
    let note = prop::sample::select(vec!["", "a,b", "two\nlines", "say \"hi\"", "NA", "é"]).prop_map(str::to_owned);
    let disease = prop::sample::select(vec!["flu", "cold", "NA"]).prop_map(str::to_owned);
    let row = ("[a-z]{1,3}", zip, town, note, disease);
    prop::collection::vec(row.prop_map(|(id, zip, town, note, disease)| vec![id, zip, town, note, disease]), 12..60)
}

/// Enough rows for many blocks.
fn long_table(count: usize) -> Vec<Vec<String>> {
    let row = |n: usize| {
        let (zip, town) = (format!("{}{}{}", 1 + n % 2, 1 + n / 3 % 2, n * 7 % 4), ["Rome", "x", "?"][n % 3]);
        let note = format!("note number {n}, to make the row longer than it would have to be");
        vec![n.to_string(), zip, town.to_owned(), note, ["flu", "cold", "NA"][n / 5 % 3].to_owned()]
    };
    (0..count).map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn a_release_is_what_going_row_by_row_gives(rows in rows(), keeps in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("table.csv"), text(&rows)).unwrap();
        let extra = if keeps { "shuffle = false\nsuppressed = \"keep\"" } else { "shuffle = false" };
        let policy = policy(folder.path(), "release.csv", "delimiter = \",\"\nheader = true", extra);
        match (release(&policy, 1), release(&policy, 3)) {
            (Ok((bytes, levels)), Ok((others, _))) => {
                prop_assert_eq!(&bytes, &others);
                let expected = naive(&rows, &levels, keeps);
                prop_assert_eq!(String::from_utf8(bytes).unwrap(), String::from_utf8(expected).unwrap());
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }
}

#[test]
fn many_blocks_give_the_same_release_on_any_number_of_threads_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let rows = long_table(20_000);
    std::fs::write(folder.path().join("table.csv"), text(&rows)).unwrap();
    for output in names_of_releases().iter().map(String::as_str).chain(["release.csv.gz"]) {
        for extra in ["shuffle = false", "", "suppressed = \"keep\""] {
            let policy = policy(folder.path(), output, "", extra);
            let one = release(&policy, 1).unwrap();
            for threads in [2, 5] {
                assert!(release(&policy, threads).unwrap() == one, "{output} {extra} on {threads} threads");
            }
            if (output, extra) == ("release.csv", "shuffle = false") {
                assert!(one.0 == naive(&rows, &one.1, false), "not the rows one by one");
            }
        }
    }
}

#[test]
fn it_does_not_matter_how_a_partition_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("table.csv"), text(&long_table(20_000))).unwrap();
    for output in ["release.csv", "release.jsonl"] {
        for extra in ["", "suppressed = \"keep\""] {
            let policy = policy(folder.path(), output, "", extra);
            let (expected, _) = release(&policy, 1).unwrap();
            for threads in [1, 3] {
                assert!(release_of(&policy, threads, without_node) == expected, "{output} {extra} by tuple");
                assert!(release_of(&policy, threads, in_two_parts) == expected, "{output} {extra} dealt");
                let both = |partition: &mut Partition| {
                    without_node(partition);
                    in_two_parts(partition);
                };
                assert!(release_of(&policy, threads, both) == expected, "{output} {extra} dealt by tuple");
            }
        }
    }
}

/// Of equal rows the first goes into the other class, whichever thread meets it.
#[test]
fn equal_rows_are_dealt_in_the_order_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("table.csv"), text(&long_table(20_000))).unwrap();
    let policy = policy(folder.path(), "release.csv", "", "shuffle = false");
    let swap = |partition: &mut Partition| {
        without_node(partition);
        in_two_parts(partition);
        let classes = partition.classes.len() as u32;
        let mut previous = None;
        for assignment in &mut partition.assignments {
            let is_first = previous.replace(assignment.tuple) != Some(assignment.tuple);
            assignment.class = assignment.class.map(|class| if is_first { (class + 1) % classes } else { class });
        }
    };
    let one = release_of(&policy, 1, swap);
    assert!(one != release(&policy, 1).unwrap().0 || one.is_empty(), "some rows are shown differently");
    for threads in [2, 4] {
        assert!(release_of(&policy, threads, swap) == one, "on {threads} threads");
    }
}

/// A row more, a row less, a known value elsewhere: all are noticed before anything is published.
#[test]
fn a_table_that_changes_between_the_passes_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rows = long_table(5_000);
    let path = folder.path().join("table.csv");
    let mut more = rows.clone();
    more.push(rows[0].clone());
    let less = rows[1..].to_vec();
    let mut swapped = rows.clone();
    swapped[0][1] = rows[1][1].clone();
    let mut new_value = rows.clone();
    new_value[77][4] = "plague".to_owned();
    let policy = policy(folder.path(), "release.csv", "", "");
    for changed in [more, less, swapped, new_value] {
        std::fs::write(&path, text(&rows)).unwrap();
        let mut counted = Counted::of(&policy);
        let requirements = policy.resolve(Resolving::input(&counted.table)).unwrap();
        let task = task(&policy, &counted.table, &requirements);
        let mut partition = FullDomain::default().partition(&task, &Unwatched).unwrap();
        std::fs::write(&path, text(&changed)).unwrap();
        for retell in [|_: &mut Partition| (), without_node, in_two_parts] {
            retell(&mut partition);
            let mut outputs = counted.outputs(&policy);
            let staged = counted.stage(&policy, &partition, &[], &mut outputs);
            let message = staged.err().expect("it changed").to_string();
            assert!(message.contains("the table changed while it was being anonymized"), "{message}");
        }
        assert!(!counted.source.output().unwrap().exists());
    }
}

#[test]
fn what_is_wrong_is_placed_in_its_row_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.csv");
    let good = text(&long_table(20_000));
    let line_of = |row: usize| good.match_indices('\n').nth(row - 1).unwrap().0 + 1;
    // The first of two bad rows is reported, though the second is in a block of its own.
    for (bad, message) in [
        ("1,2\n", "row 15001 (line 15002): 2 cells where the header has 5"),
        ("1,122,x,\"a\"b,flu\n", "row 15001 (line 15002), column `note`: text follows a closing quote"),
        ("1,122,x,\0,flu\n", "row 15001 (line 15002), column `note`: a zero byte"),
    ] {
        let mut text = good.clone();
        text.insert_str(line_of(19_001), "1,2,3\n");
        text.insert_str(line_of(15_001), bad);
        std::fs::write(&table, &text).unwrap();
        let policy = policy(folder.path(), "release.csv", "", "");
        let one = release(&policy, 1).unwrap_err();
        assert!(one.contains(message), "{one}");
        for threads in [2, 4] {
            assert_eq!(release(&policy, threads).unwrap_err(), one);
        }
    }
}
