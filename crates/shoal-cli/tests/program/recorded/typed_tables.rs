//! How does the table of the clinic look in formats that have types?

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    LargeStringArray, RecordBatch, StringArray, TimestampMillisecondArray,
};
use parquet::arrow::ArrowWriter;
use rusqlite::Connection;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};
use serde_json::{Value, json};

/// The cells of a table, each of them text.
struct Texts {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Makes the table of the clinic once more in each of these formats.
pub fn make(tables: &Path) {
    let clinic = Texts::read(&tables.join("clinic.csv"));
    std::fs::write(tables.join("clinic.jsonl"), json_lines(&clinic)).unwrap();
    let typed = typed(&clinic);
    write_parquet(&tables.join("clinic.parquet"), &[typed.clone()]);
    std::fs::create_dir(tables.join("clinic-parquet")).unwrap();
    write_parquet(&tables.join("clinic-parquet/a.parquet"), &[typed.slice(0, 30), typed.slice(30, 20)]);
    write_parquet(&tables.join("clinic-parquet/b.parquet"), &[typed.slice(50, typed.num_rows() - 50)]);
    write_workbook(&tables.join("clinic.xlsx"), &clinic);
    write_sqlite(&tables.join("clinic.sqlite"), &clinic);
}

impl Texts {
    fn read(path: &Path) -> Self {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
        let columns = texts(reader.headers().unwrap());
        Self { columns, rows: reader.records().map(|record| texts(&record.unwrap())).collect() }
    }

    /// The cells of a column; an empty one is missing.
    fn of(&self, column: &str) -> impl Iterator<Item = Option<&str>> {
        let place = self.columns.iter().position(|name| name == column).expect("a column of the table");
        self.rows.iter().map(move |row| Some(row[place].as_str()).filter(|text| !text.is_empty()))
    }

    fn numbers(&self, column: &str) -> Vec<Option<f64>> {
        self.of(column).map(|text| text.map(|text| text.parse().unwrap())).collect()
    }

    fn texts(&self, column: &str) -> ArrayRef {
        Arc::new(self.of(column).collect::<StringArray>())
    }
}

fn is_number(column: &str) -> bool {
    ["age", "weight", "cost"].contains(&column)
}

/// Numbers with the digits that they have, missing values as nulls.
fn json_lines(clinic: &Texts) -> String {
    let cell = |(column, text): (&String, &String)| {
        let value = match text.as_str() {
            "" => Value::Null,
            text if is_number(column) => text.parse().map(Value::Number).unwrap(),
            text => text.into(),
        };
        (column.clone(), value)
    };
    let line = |row: &Vec<String>| {
        let mut object: serde_json::Map<String, Value> = clinic.columns.iter().zip(row).map(cell).collect();
        object.insert("insured".to_owned(), json!(row[0].ends_with(['1', '3', '7'])));
        Value::Object(object).to_string() + "\n"
    };
    clinic.rows.iter().map(line).collect()
}

/// The table with a type of its own for each column, and three columns more.
fn typed(clinic: &Texts) -> RecordBatch {
    let days: Vec<i32> = clinic.of("admitted").map(|day| day_number(day.expect("a day"))).collect();
    let instants = days.iter().zip(0..).map(|(day, row)| i64::from(*day) * 86_400_000 + row * 1_234_567);
    let cents = clinic.of("cost").map(|cost| cost.map(|cost| cost.replace('.', "").parse().unwrap()));
    let cents = cents.collect::<Decimal128Array>().with_precision_and_scale(10, 2).unwrap();
    let numbers = clinic.of("patient").map(|patient| patient.and_then(|patient| patient[1..].parse().ok()));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("patient", clinic.texts("patient")),
        ("number", Arc::new(numbers.collect::<Int64Array>())),
        ("sex", clinic.texts("sex")),
        (
            "age",
            Arc::new(clinic.numbers("age").into_iter().map(|age| age.map(|age| age as i32)).collect::<Int32Array>()),
        ),
        ("zip", clinic.texts("zip")),
        ("nationality", Arc::new(clinic.of("nationality").collect::<LargeStringArray>())),
        ("admitted", Arc::new(Date32Array::from(days.clone()))),
        ("seen", Arc::new(TimestampMillisecondArray::from_iter_values(instants))),
        ("weight", Arc::new(Float64Array::from(clinic.numbers("weight")))),
        ("ward", Arc::new(clinic.of("ward").collect::<DictionaryArray<Int8Type>>())),
        ("insured", Arc::new(BooleanArray::from_iter(days.iter().map(|day| (day % 5 > 0).then_some(day % 3 > 0))))),
        ("diagnosis", clinic.texts("diagnosis")),
        ("cost", Arc::new(cents)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

/// Days since the first of January 1970.
fn day_number(date: &str) -> i32 {
    let [year, month, day]: [i32; 3] =
        date.split('-').map(|part| part.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap();
    // A year that begins in March ends with the day that some years lack.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719_469
}

/// Each batch is a row group of its own.
fn write_parquet(path: &Path, batches: &[RecordBatch]) {
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batches[0].schema(), None).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
        writer.flush().unwrap();
    }
    writer.close().unwrap();
}

/// The table as its second sheet, with numbers and days as such.
fn write_workbook(path: &Path, clinic: &Texts) {
    let mut workbook = Workbook::new();
    workbook.add_worksheet().set_name("notes").unwrap().write(0, 0, "nothing").unwrap();
    let sheet = workbook.add_worksheet().set_name("patients").unwrap();
    let day = Format::new().set_num_format("yyyy-mm-dd");
    for (place, column) in (0..).zip(&clinic.columns) {
        sheet.write(0, place, column).unwrap();
        for (row, text) in (1..).zip(clinic.of(column)) {
            match text {
                None => continue,
                Some(text) if is_number(column) => sheet.write(row, place, text.parse::<f64>().unwrap()),
                Some(text) if column == "admitted" => {
                    sheet.write_with_format(row, place, &ExcelDateTime::parse_from_str(text).unwrap(), &day)
                }
                Some(text) => sheet.write(row, place, text),
            }
            .unwrap();
        }
    }
    workbook.save(path).unwrap();
}

fn write_sqlite(path: &Path, clinic: &Texts) {
    let mut database = Connection::open(path).unwrap();
    let column = |name: &String| {
        let kind = match name.as_str() {
            "age" => "INTEGER",
            "weight" | "cost" => "REAL",
            _ => "TEXT",
        };
        format!("{name} {kind}")
    };
    let columns: Vec<String> = clinic.columns.iter().map(column).collect();
    database.execute_batch(&format!("CREATE TABLE other (x); CREATE TABLE patients ({})", columns.join(", "))).unwrap();
    let places = vec!["?"; clinic.columns.len()].join(", ");
    let transaction = database.transaction().unwrap();
    for row in &clinic.rows {
        let cells = row.iter().map(|text| Some(text).filter(|text| !text.is_empty()));
        let insert = format!("INSERT INTO patients VALUES ({places})");
        transaction.execute(&insert, rusqlite::params_from_iter(cells)).unwrap();
    }
    transaction.commit().unwrap();
}

#[test]
fn days_are_counted_from_1970() {
    assert_eq!(["1970-01-01", "1969-12-31", "2000-02-29", "2000-03-01"].map(day_number), [0, -1, 11_016, 11_017]);
}
