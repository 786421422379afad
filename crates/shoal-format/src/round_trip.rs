//! Does a table that is written read back as it was?

use std::sync::Arc;

use arrow_array::{
    BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array, Int64Array, StringArray,
    TimestampMillisecondArray, types::Int32Type,
};
use proptest::prelude::*;

use super::sample_files::{Rows, SampleFile, read, text_columns};
use super::{Cells, Dialect, FORMATS, Formulas, InputFormat, LineEnding, OutputColumn, TableReader, open};

/// Characters that mean something to a format, and some that take several bytes; the first 17 are in windows-1252.
const ALPHABET: [char; 20] = [
    'a', '1', ' ', '=', '-', ',', ';', '\t', '|', '"', '\'', '\n', '\r', '\\', 'é', '€', '\u{7f}', '漢', '😀',
    '\u{2028}',
];

fn cell(characters: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&ALPHABET[..characters]), 0..6).prop_map(String::from_iter)
}

/// Rows of equal length, at least one.
fn table(characters: usize) -> impl Strategy<Value = Vec<Vec<String>>> {
    (1..5_usize)
        .prop_flat_map(move |columns| prop::collection::vec(prop::collection::vec(cell(characters), columns), 1..12))
}

fn dialect_and_table() -> impl Strategy<Value = (Dialect, Vec<Vec<String>>)> {
    let encodings = prop::sample::select(vec![
        (encoding_rs::UTF_8, true),
        (encoding_rs::UTF_8, false),
        (encoding_rs::UTF_16LE, true),
        (encoding_rs::UTF_16LE, false),
        (encoding_rs::UTF_16BE, true),
        (encoding_rs::WINDOWS_1252, false),
        (encoding_rs::GB18030, false),
    ]);
    let delimiter = prop::sample::select(b",;\t|:".as_slice());
    let quote = prop::sample::select(b"\"'".as_slice());
    let line_ending = prop::sample::select(vec![LineEnding::Lf, LineEnding::CrLf]);
    (encodings, delimiter, quote, any::<bool>(), line_ending, any::<bool>()).prop_flat_map(
        |((encoding, byte_order_mark), delimiter, quote, header, line_ending, escapes)| {
            let formulas = Formulas::new(escapes);
            let dialect =
                Dialect { delimiter, quote, header, line_ending, encoding, byte_order_mark, formulas, pandas: None };
            let characters = if encoding == encoding_rs::WINDOWS_1252 { 17 } else { ALPHABET.len() };
            (Just(dialect), table(characters))
        },
    )
}

fn column_names(count: usize) -> Vec<String> {
    (1..=count).map(|place| format!("column{place}")).collect()
}

fn text_cells(rows: &[Vec<Option<String>>]) -> Vec<Cells> {
    let column = |at: usize| Cells::Text(rows.iter().map(|row| row[at].as_deref()).collect());
    (0..rows[0].len()).map(column).collect()
}

fn all_there(rows: &[Vec<String>]) -> Rows {
    rows.iter().map(|row| row.iter().cloned().map(Some).collect()).collect()
}

fn untyped(names: &[String]) -> Vec<OutputColumn> {
    text_columns(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Copies a table the way a release is made from its input.
fn copy(reader: &mut dyn TableReader, name: &str) -> SampleFile {
    let batch = reader.next_batch().expect("a batch").expect("a small table is one batch");
    let columns: Vec<OutputColumn> = reader
        .columns()
        .iter()
        .enumerate()
        .map(|(at, name)| OutputColumn { name: name.clone(), data_type: reader.data_type(at) })
        .collect();
    SampleFile::written(name, &columns, &batch.columns, &reader.dialect())
}

proptest! {
    #[test]
    fn csv_of_every_dialect(
        (dialect, cells) in dialect_and_table(),
        extension in prop::sample::select(vec!["csv", "txt", "tsv", "csv.gz", "tsv.zst"]),
    ) {
        let names = column_names(cells[0].len());
        let rows = all_there(&cells);
        let name = format!("a.{extension}");
        let file = SampleFile::written(&name, &untyped(&names), &text_cells(&rows), &dialect);
        let input = InputFormat::written_like(&file.path, &dialect);
        prop_assert_eq!(read(&input).expect("a table"), (names, rows));

        let mut reader = open(&input).expect("a table");
        prop_assert_eq!(reader.dialect(), dialect.for_name(&file.path));
        prop_assert_eq!(copy(reader.as_mut(), &name).bytes(), file.bytes());
    }

    #[test]
    fn json_lines(
        cells in table(ALPHABET.len()).prop_map(|cells| all_there(&cells)),
        numbers in prop::collection::vec(prop::sample::select(vec!["1.0", "-0", "1e400", "true", "null", "\"1\""]), 12),
        extension in prop::sample::select(vec!["jsonl", "ndjson.gz", "jsonl.zst"]),
    ) {
        let mut names = column_names(cells[0].len());
        names.push("\"quoted\"\n".to_owned());
        let mut columns = text_cells(&cells);
        let numbers: StringArray = numbers[..cells.len()].iter().copied().map(Some).collect();
        columns.push(Cells::Json(numbers.clone()));
        let name = format!("a.{extension}");
        let file = SampleFile::written(&name, &untyped(&names), &columns, &Dialect::default());
        let mut reader = open(&file.input()).expect("a table");
        prop_assert_eq!(reader.columns(), names);
        let batch = reader.next_batch().expect("a batch").expect("a batch");
        let Some(Cells::Json(read_numbers)) = batch.columns.last() else { panic!("the cells of JSON are JSON") };
        prop_assert_eq!(read_numbers, &numbers);
        let (_, read_rows) = file.read().expect("a table");
        prop_assert!(read_rows.iter().zip(&cells).all(|(read, row)| read[..row.len()] == row[..]));
        prop_assert_eq!(copy(open(&file.input()).expect("a table").as_mut(), &name).bytes(), file.bytes());
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn parquet(
        cells in table(ALPHABET.len()).prop_map(|cells| all_there(&cells)),
        numbers in prop::collection::vec(any::<Option<i64>>(), 12),
        floats in prop::collection::vec(any::<Option<f64>>(), 12),
        words in prop::collection::vec(prop::option::of(cell(ALPHABET.len())), 12),
    ) {
        let rows = cells.len();
        let dictionary: DictionaryArray<Int32Type> = words[..rows].iter().map(Option::as_deref).collect();
        let typed: [arrow_array::ArrayRef; 3] = [
            Arc::new(Int64Array::from(numbers[..rows].to_vec())),
            Arc::new(Float64Array::from(floats[..rows].to_vec())),
            Arc::new(dictionary),
        ];
        let mut columns = untyped(&column_names(cells[0].len()));
        let mut all = text_cells(&cells);
        for (at, array) in typed.iter().enumerate() {
            columns.push(OutputColumn { name: format!("typed{at}"), data_type: Some(array.data_type().clone()) });
            all.push(Cells::Typed(array.clone()));
        }
        let file = SampleFile::written("a.parquet", &columns, &all, &Dialect::default());
        let mut reader = open(&file.input()).expect("a table");
        let types: Vec<_> = (0..columns.len()).map(|at| reader.data_type(at)).collect();
        prop_assert_eq!(&types[columns.len() - 3..], typed.each_ref().map(|array| Some(array.data_type().clone())));
        let batch = reader.next_batch().expect("a batch").expect("a batch");
        for (read, written) in batch.columns.iter().zip(&all) {
            prop_assert_eq!(read.text().expect("text"), written.text().expect("text"));
        }
    }
}

/// A column of each kind, with a missing value in the second row, and how the cells read.
fn every_kind() -> (Vec<Cells>, [[Option<&'static str>; 8]; 2]) {
    let decimals = Decimal128Array::from(vec![Some(150), None]).with_precision_and_scale(9, 2).expect("decimals");
    let words: DictionaryArray<Int32Type> = [Some("w"), None].into_iter().collect();
    let cells = vec![
        Cells::Text(StringArray::from(vec![Some("t\"x"), None])),
        Cells::Json(StringArray::from(vec![Some("1.0"), Some("null")])),
        Cells::Typed(Arc::new(Int64Array::from(vec![Some(7), None]))),
        Cells::Typed(Arc::new(decimals)),
        Cells::Typed(Arc::new(Date32Array::from(vec![Some(19_783), None]))),
        Cells::Typed(Arc::new(BooleanArray::from(vec![Some(true), None]))),
        Cells::Typed(Arc::new(TimestampMillisecondArray::from(vec![Some(0), None]))),
        Cells::Typed(Arc::new(words)),
    ];
    let texts = ["t\"x", "1.0", "7", "1.50", "2024-03-01", "true", "1970-01-01T00:00:00", "w"].map(Some);
    (cells, [texts, [None; 8]])
}

/// Characters, rows and quoted cells lie across the borders of every buffer and batch.
#[test]
fn a_table_larger_than_all_buffers() {
    let rows: Rows = (0..40_000).map(|n| vec![Some(format!("é\"{n}漢,\n")), Some("x".repeat(n % 40))]).collect();
    let names = ["a".to_owned(), "b".to_owned()];
    for encoding in [encoding_rs::UTF_8, encoding_rs::UTF_16LE, encoding_rs::GB18030] {
        for name in ["a.csv", "a.csv.gz", "a.csv.zst"] {
            let like = Dialect { encoding, line_ending: LineEnding::CrLf, ..Dialect::default() };
            let file = SampleFile::written(name, &untyped(&names), &text_cells(&rows), &like);
            let (_, read_rows) = read(&InputFormat::written_like(&file.path, &like)).expect("a table");
            // Not by assert_eq, which would print it all.
            assert!(read_rows == rows, "{name} in {}", encoding.name());
        }
    }
}

#[test]
fn cells_of_every_kind_go_into_every_format() {
    let (cells, expected) = every_kind();
    let types = cells.iter().map(|cells| match cells {
        Cells::Typed(array) => Some(array.data_type().clone()),
        _ => None,
    });
    let columns: Vec<OutputColumn> =
        column_names(8).into_iter().zip(types).map(|(name, data_type)| OutputColumn { name, data_type }).collect();
    let written = FORMATS.iter().filter(|format| format.is_built_in());
    for (format, extension) in written.flat_map(|format| format.written.iter().map(move |end| (format, end))) {
        let name = &*format!("a.{extension}");
        let marker = |cell: &Option<&str>| match cell {
            // Only CSV has nothing to write for it.
            None if format.name != "CSV" => None,
            cell => Some(cell.unwrap_or("?").to_owned()),
        };
        // A row without any value could not be seen in a sheet.
        let rows = if format.name == "workbooks" { 1 } else { 2 };
        let cells: Vec<Cells> =
            cells.iter().map(|cells| cells.picked(&(0..rows).map(Some).collect::<Vec<_>>())).collect();
        let expected: Rows = expected[..rows].iter().map(|row| row.iter().map(marker).collect()).collect();
        for columns in [&columns, &untyped(&column_names(8))] {
            let file = SampleFile::written(name, columns, &cells, &Dialect::default());
            assert_eq!(file.read().expect("a table"), (column_names(8), expected.clone()), "{name}");
        }
    }
}

#[test]
fn json_has_literals_for_numbers_and_truths() {
    let (cells, _) = every_kind();
    let file = SampleFile::written("a.jsonl", &untyped(&column_names(8)), &cells, &Dialect::default());
    let text = String::from_utf8(file.bytes()).expect("text");
    assert_eq!(
        text.lines().next(),
        Some(concat!(
            r#"{"column1":"t\"x","column2":1.0,"column3":7,"column4":1.50,"column5":"2024-03-01","column6":true,"#,
            r#""column7":"1970-01-01T00:00:00","column8":"w"}"#
        ))
    );
    let floats = Cells::Typed(Arc::new(Float64Array::from(vec![f64::NAN, f64::INFINITY, 1e300, -0.5])));
    let file = SampleFile::written("a.jsonl", &text_columns(&["x"]), &[floats], &Dialect::default());
    assert_eq!(file.bytes(), b"{\"x\":\"NaN\"}\n{\"x\":\"inf\"}\n{\"x\":1e300}\n{\"x\":-0.5}\n");
}

#[test]
fn a_copy_with_everything_detected_has_the_same_bytes() {
    let utf_16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    for (name, bytes) in [
        ("a.csv", b"age,name\r\n30,ann\r\n40,\"b, ob\"\r\n".to_vec()),
        ("a.csv", "\u{feff}age;name\n30,5;ann\n".into()),
        ("a.csv", utf_16("\u{feff}age;name\r\n30;ann\r\n")),
        ("a.txt", b"30|ann\n40|bob\n50|ann\n".to_vec()),
        ("a.tsv", b"age\n30\n\"\"\n40\n".to_vec()),
        ("a.csv", b"age,name\n30,'a,nn'\n".to_vec()),
        ("a.jsonl", b"{\"age\":30.0,\"name\":\"\\u00e4\"}\n{\"age\":null,\"name\":\"\"}\n".to_vec()),
    ] {
        let file = SampleFile::with(name, &bytes);
        let mut reader = open(&file.input()).expect("a table");
        assert_eq!(copy(reader.as_mut(), name).bytes(), bytes);
    }
}
