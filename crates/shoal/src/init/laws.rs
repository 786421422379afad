//! Does every starter policy, of whatever table, fit it and have a release?

use std::path::Path;

use proptest::prelude::*;
use serde_json::json;

use super::tests::Sample;
use super::*;
use crate::policy::{Policy, Resolving};
use crate::source::LocalSource;
use crate::study::Study;
use shoal_core::frequency::{CountedTable, QuasiColumn, SensitiveColumn, TupleCounter};
use shoal_core::hierarchy::ColumnValues;
use shoal_core::method::Task;
use shoal_core::table::{Dictionary, DictionaryBuilder};
use shoal_core::watch::Unwatched;
use shoal_format::open;

/// Counts a table as a policy asks for it.
fn count(policy: &Policy) -> CountedTable {
    let path = policy.folder.join(policy.input.path.as_ref().unwrap());
    let mut reader = open(&policy.input_format(&path)).unwrap();
    let (quasi, sensitive): (Vec<_>, Vec<_>) =
        (policy.with_role(Role::QuasiIdentifier).collect(), policy.with_role(Role::Sensitive).collect());
    let columns = || quasi.iter().chain(&sensitive);
    let place = |name: &str| reader.columns().iter().position(|column| column == name).unwrap();
    let places: Vec<usize> = columns().map(|column| place(&column.name)).collect();
    let mut builders: Vec<DictionaryBuilder> = places.iter().map(|_| DictionaryBuilder::default()).collect();
    let mut counts: Vec<Vec<u64>> = vec![Vec::new(); places.len()];
    let (mut counter, mut rows) = (TupleCounter::new(places.len()), 0);
    while let Some(batch) = reader.next_batch().unwrap() {
        let texts: Vec<_> = places.iter().map(|&place| batch.columns[place].text().unwrap()).collect();
        for row in 0..batch.rows() {
            let mut tuple = Vec::new();
            for ((text, builder), counts) in texts.iter().zip(&mut builders).zip(&mut counts) {
                let cell = text.iter().nth(row).unwrap();
                let code = match cell.filter(|cell| !policy.input.missing.iter().any(|marker| marker == cell)) {
                    Some(value) => builder.code(value),
                    None => builder.missing_code(),
                };
                counts.resize(builder.len(), 0);
                counts[code as usize] += 1;
                tuple.push(code);
            }
            counter.add(&tuple);
            rows += 1;
        }
    }
    let finish = |(builder, column): (DictionaryBuilder, &&crate::policy::ColumnPolicy)| {
        builder.finish(&policy.input.missing[0], policy.reading_of(column))
    };
    let (dictionaries, renamed): (Vec<Dictionary>, Vec<Vec<u32>>) =
        builders.into_iter().zip(columns()).map(finish).unzip();
    let sorted = |(counts, renamed): (&Vec<u64>, &Vec<u32>)| {
        let mut sorted = vec![0; counts.len()];
        renamed.iter().zip(counts).for_each(|(&code, &count)| sorted[code as usize] = count);
        sorted
    };
    let counts: Vec<Vec<u64>> = counts.iter().zip(&renamed).map(sorted).collect();
    let sizes: Vec<usize> = dictionaries.iter().map(Dictionary::len).collect();
    let quasi_column = |(at, column): (usize, &&crate::policy::ColumnPolicy)| {
        let (dictionary, counts) = (&dictionaries[at], &counts[at]);
        let values = ColumnValues { name: &column.name, dictionary, counts, may_print: true };
        let hierarchy = column.hierarchy.as_ref().unwrap().build(&values, &policy.folder).unwrap();
        let (min_level, max_level) = (column.min_level.unwrap_or(0) as u8, hierarchy.height() as u8);
        assert!(min_level <= max_level);
        QuasiColumn {
            name: column.name.clone(),
            dictionary: dictionary.clone().into(),
            hierarchy,
            counts: counts.clone(),
            weight: 1.0,
            min_level,
            max_level,
            ordered: false,
            round_ends: std::sync::OnceLock::new(),
        }
    };
    let sensitive_column = |(at, column): (usize, &&crate::policy::ColumnPolicy)| {
        SensitiveColumn::new(&column.name, &dictionaries[quasi.len() + at], None, counts[quasi.len() + at].clone())
    };
    CountedTable::new(
        quasi.iter().enumerate().map(quasi_column).collect(),
        sensitive.iter().enumerate().map(sensitive_column).collect(),
        vec![1.0; sensitive.len()],
        counter.finish(quasi.len(), &renamed, &sizes).into(),
        rows,
    )
}

/// Every way through the proposals ends in a release, unless there is but one row.
fn check(sample: &Sample, input: &InputFormat) {
    let findings = profile(input, &Unwatched).unwrap();
    let policy = sample.policy(&findings);
    summary(&findings);
    let table = count(&policy);
    assert_eq!(table.rows, findings.rows);
    let requirements = policy.resolve(Resolving::input(&table)).unwrap();
    let (objective, max_suppressed) = (policy.method.objective, policy.method.max_suppressed);
    let task = Task::new(&table, &requirements, objective, max_suppressed);
    let released = policy.method.method.partition(&task, &Unwatched);
    assert_eq!(
        released.is_ok(),
        findings.rows > 1,
        "{:?}\n{}",
        released.err(),
        starter_policy(&findings, &Choices::proposed(&findings), &policy.folder)
    );
}

/// What is proposed after trying has a release that loses no more than what was tried.
fn check_proposed(input: &InputFormat) {
    let findings = profile(input, &Unwatched).unwrap();
    let table = Table::File(input.path.clone());
    let (choices, trials) = propose(&table, &findings, Choices::proposed(&findings), &Unwatched).unwrap();
    let text = starter_policy(&findings, &choices, Path::new("/"));
    assert_eq!(trials.best().is_some(), findings.rows > 1, "{}\n{text}", trials.to_text());
    // Nobody is left to wonder.
    let said = trials.to_text().replace("\n  ", " ");
    let is_explained = ["does not lose least", "These losses are those"].iter().any(|words| said.contains(words));
    assert_eq!(trials.losing_less().next().is_some(), is_explained, "{said}");
    assert_eq!(trials.all_alike.is_some(), choices.weights_are_proposed);
    assert_eq!(
        text.replace("\n# ", " ").contains("Nobody has said that it matters"),
        choices.weights_are_proposed,
        "{text}"
    );
    let policy = Policy::parse(&text, "policy.toml", Path::new("/")).unwrap();
    let study = Study::count(LocalSource::to_read(table), &policy, &Unwatched).unwrap();
    if let Some((_, kept)) = trials.best() {
        let lost = study.best(&Unwatched).unwrap_or_else(|error| panic!("{error}\n{text}")).objective_value();
        // Both by the policy's weights: an age may count more than other columns.
        let tried = kept.objective_value;
        assert!(lost <= tried + 1e-9, "{lost} {tried} {}\n{text}", trials.to_text());
    }
}

fn name() -> impl Strategy<Value = String> {
    let known =
        ["age", "name", "zip code", "diagnosis", "income", "patient id", "Geburtsdatum", "id", "a.b", "\"", "'"];
    prop_oneof![
        prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        any::<String>().prop_map(|name| format!("{}x", name.replace('\0', ""))),
    ]
}

fn cell() -> impl Strategy<Value = String> {
    let odd = ["", "?", "NA", "-", " ", "3,5", "1e5", "02139", "a@b.org", "\"", "*", "2024-02-29", "x\ny", "é", "7K"];
    prop_oneof![
        3 => prop::sample::select(odd.to_vec()).prop_map(str::to_owned),
        3 => (0..50u32).prop_map(|number| number.to_string()),
        1 => any::<String>().prop_map(|text| text.replace('\0', "")),
    ]
}

/// A column of cells of any kind, of numbers, of dates, of one value, or of none.
fn column(rows: usize) -> impl Strategy<Value = Vec<String>> {
    prop_oneof![
        prop::collection::vec(cell(), rows),
        prop::collection::vec((0..200_000u32).prop_map(|number| number.to_string()), rows),
        prop::collection::vec((1..29, 1..13, 1900..2025).prop_map(|(d, m, y)| format!("{d:02}.{m:02}.{y}")), rows),
        cell().prop_map(move |cell| vec![cell; rows]),
        Just(vec![String::new(); rows]),
        Just((0..rows).map(|row| row.to_string()).collect()),
    ]
}

fn table() -> impl Strategy<Value = Vec<(String, Vec<String>)>> {
    prop_oneof![Just(1usize), 2usize..6, 15usize..40].prop_flat_map(|rows| {
        prop::collection::btree_map(name(), column(rows), 1..5).prop_map(|columns| columns.into_iter().collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_starter_of_any_csv_has_a_release(table in table()) {
        let mut writer = ::csv::WriterBuilder::new().quote_style(::csv::QuoteStyle::Always).from_writer(Vec::new());
        writer.write_record(table.iter().map(|(name, _)| name)).unwrap();
        for row in 0..table[0].1.len() {
            writer.write_record(table.iter().map(|(_, cells)| &cells[row])).unwrap();
        }
        let sample = Sample::new("a b.csv", writer.into_inner().unwrap());
        let input = InputFormat { delimiter: Some(b','), quote: Some(b'"'), header: Some(true), ..sample.input() };
        check(&sample, &input);
        check_proposed(&input);
    }

    #[test]
    fn the_starter_of_any_json_lines_has_a_release(table in table()) {
        let line = |row: usize| {
            let cell = |cell: &String| match cell.as_str() {
                "?" => json!(null),
                text => text.parse::<u32>().map_or_else(|_| json!(text), |number| json!(number)),
            };
            let object: serde_json::Map<_, _> = table.iter().map(|(name, cells)| (name.clone(), cell(&cells[row]))).collect();
            serde_json::Value::from(object).to_string() + "\n"
        };
        let sample = Sample::new("a.jsonl", (0..table[0].1.len()).map(line).collect::<String>());
        check(&sample, &sample.input());
    }
}
