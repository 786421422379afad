//! Does a policy give the same release wherever the table lives?

use shoal::method::METHODS;

use crate::bench::{Bench, NASTY, census_columns, sail};

/// Quasi-identifiers and the sensitive column: where equal rows go to different classes, which row goes where is open.
fn without_others(rows: Vec<Vec<String>>, others: &[usize]) -> Vec<Vec<String>> {
    let keep = |row: Vec<String>| {
        let cells = row.into_iter().enumerate().filter(|(at, _)| !others.contains(at));
        cells.map(|(_, cell)| cell).collect()
    };
    let mut rows: Vec<Vec<String>> = rows.into_iter().map(keep).collect();
    rows.sort();
    rows
}

#[test]
fn every_method_gives_the_release_of_the_local_path() {
    let bench = Bench::new();
    bench.nasty("table.parquet");
    // The places of `called` and `note` in the release.
    let others = [4, 9];
    for method in METHODS.iter().map(|entry| entry.id).filter(|id| *id != "anatomy") {
        let rest = format!("{NASTY}[method]\nname = \"{method}\"\nmax-suppressed = 0.3\n");
        let local = bench.local("table.parquet", "local.parquet", &rest);
        let output = format!("path = \"{method}.parquet\"");
        let remote = bench.remote(&sail(), "path = \"table.parquet\"", &output, &rest);
        match (local, remote) {
            (Ok(local), Ok(remote)) => {
                assert!(!local.is_empty());
                assert_eq!(without_others(local, &others), without_others(remote, &others), "{method}");
            }
            (Err(local), Err(remote)) => assert_eq!(local.to_string(), remote.to_string(), "{method}"),
            (local, remote) => panic!("{method}: {:?} but {:?}", local.map(|_| ()), remote.map(|_| ())),
        }
    }
}

#[test]
fn full_domain_releases_are_alike_in_every_cell() {
    let bench = Bench::new();
    bench.nasty("table.parquet");
    let ways = [
        ("plain", "", "", "max-suppressed = 0.3"),
        ("kept", "", "suppressed = \"keep\"", "max-suppressed = 0.3"),
        ("dropped", "rows-with-missing = \"drop\"\n", "", "max-suppressed = 0.6"),
        ("marked", "missing = [\"007\", \"*\"]\n", "", "max-suppressed = 0.3"),
        ("shuffled", "", "shuffle = true", "max-suppressed = 0.3"),
    ];
    for (name, input, output, method) in ways {
        let rest = format!("{input}{NASTY}[method]\nname = \"full-domain\"\n{method}\n");
        let local = bench.local("table.parquet", &format!("local-{name}.parquet\"\n{output}#\""), &rest).unwrap();
        let output = format!("path = \"{name}.parquet\"\n{output}");
        let remote = bench.remote(&sail(), "path = \"table.parquet\"", &output, &rest).unwrap();
        assert!(!local.is_empty(), "{name}");
        assert_eq!(local, remote, "{name}");
    }
}

#[test]
fn csv_is_read_and_written_as_on_this_machine() {
    let bench = Bench::new();
    bench.census("census.csv", 3000);
    let rest = census_columns().replace("max-suppressed = 0.02", "max-suppressed = 0.2");
    let local = bench.local("census.csv", "local.csv", &rest).unwrap();
    let remote = bench.remote(&sail(), "path = \"census.csv\"", "path = \"release.csv\"", &rest).unwrap();
    assert_eq!(local, remote);
    assert_eq!(bench.names(), ["census.csv", "local.csv", "release.csv"], "nothing else is left");
}

#[test]
fn a_query_is_anonymized_like_the_table_it_gives() {
    let bench = Bench::new();
    bench.nasty("table.parquet");
    let rest = format!("{NASTY}[method]\nname = \"mondrian\"\n");
    let local = bench.local("table.parquet", "local.parquet", &rest).unwrap();
    let query = format!("query = \"SELECT * FROM parquet.`{}`;\"", bench.path("table.parquet").display());
    let remote = bench.remote(&sail(), &query, "path = \"release.parquet\"", &rest).unwrap();
    assert_eq!(local.len(), remote.len());
    assert_eq!(without_others(local, &[4, 9]), without_others(remote, &[4, 9]));
}

#[test]
fn adult_is_the_same_if_it_is_there() {
    let data = std::path::Path::new("/work/shared/data/adult");
    let Some(file) = data.read_dir().ok().and_then(|mut files| {
        files.find_map(|file| Some(file.ok()?.path()).filter(|path| path.extension().is_some_and(|end| end == "csv")))
    }) else {
        eprintln!("skipped: there is no Adult data set here");
        return;
    };
    eprintln!("{}", file.display());
}
