//! How is a table read from a sheet of an Excel or OpenDocument workbook?

use arrow_array::builder::StringBuilder;
use calamine::{Data, Range, Reader, open_workbook_auto};

use super::{BATCH_ROWS, Batch, Cells, InputFormat, TableReader, column_names, open_file};
use crate::error::nearest;
use crate::{Error, Result};

/// Reads a sheet, which is in memory as a whole: that is how workbooks are made.
pub(super) struct WorkbookReader {
    columns: Vec<String>,
    sheet: Range<Data>,
    /// The row of the sheet that is handed out next, and the one after the last.
    next: usize,
    end: usize,
    rows: u64,
}

impl WorkbookReader {
    /// Opens a workbook and reads a sheet: the one that is asked for, or the first.
    pub(super) fn open(input: &InputFormat) -> Result<Self> {
        let path = &input.path;
        drop(open_file(path)?);
        // The reason that the library gives is left out: it speaks of the inside of the file.
        let damaged = || Error::new(format!("{} is not a workbook, or it is damaged or locked", path.display()));
        let mut workbook = open_workbook_auto(path)
            .map_err(|_| damaged().hint("save it anew as .xlsx without a password, or as .csv"))?;
        let names = workbook.sheet_names();
        let name = sheet_name(&names, input.table.as_deref()).map_err(|error| error.at(path.display()))?;
        let sheet = workbook.worksheet_range(&name).map_err(|_| damaged())?;
        let place = format!("{}, sheet `{name}`", path.display());
        let Some(first) = sheet.rows().next() else { return Err(Error::new(format!("{place} is empty"))) };
        let has_header = input.header.unwrap_or(true);
        let columns: Vec<String> = match has_header {
            true => first.iter().map(|cell| text_of(cell).unwrap_or_default()).collect(),
            false => (1..=first.len()).map(|place| format!("column{place}")).collect(),
        };
        let hint = "a table begins with one row of names; put titles and notes elsewhere, or set `header = false`";
        column_names::check(&columns).map_err(|error| error.at(&place).hint(hint))?;
        // Formatted cells without a value reach far below the last row.
        let is_empty = |row: &[Data]| row.iter().all(|cell| *cell == Data::Empty);
        let end = sheet.rows().rposition(|row| !is_empty(row)).map_or(0, |last| last + 1);
        let next = usize::from(has_header);
        if end <= next {
            return Err(Error::new(format!("{place} has names of columns but no rows")));
        }
        Ok(Self { columns, sheet, next, end, rows: 0 })
    }
}

fn sheet_name(names: &[String], wanted: Option<&str>) -> Result<String> {
    let Some(wanted) = wanted else {
        return names.first().cloned().ok_or_else(|| Error::new("the workbook has no sheets"));
    };
    if names.iter().any(|name| name == wanted) {
        return Ok(wanted.to_owned());
    }
    let hint = match nearest(wanted, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            format!("its sheets are {}", names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
        }
    };
    Err(Error::new(format!("there is no sheet `{wanted}`")).hint(hint))
}

/// What a cell reads: whole numbers without a decimal point, dates as 2024-03-01, and nothing for an empty one.
fn text_of(cell: &Data) -> Option<String> {
    Some(match cell {
        Data::Empty => return None,
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Bool(value) => value.to_string(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number_text(*number),
        Data::DateTime(moment) => match moment.as_datetime().filter(|_| moment.is_datetime()) {
            Some(moment) => date_text(moment),
            None => number_text(moment.as_f64()),
        },
        other => other.to_string(),
    })
}

/// Workbooks keep every number as a floating point one; up to 2^53 a whole one is meant as such.
fn number_text(number: f64) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT { format!("{number:.0}") } else { number.to_string() }
}

/// Midnight is left out, as a date has none.
fn date_text(moment: chrono::NaiveDateTime) -> String {
    let text = moment.format("%Y-%m-%dT%H:%M:%S%.f").to_string();
    text.strip_suffix("T00:00:00").map(str::to_owned).unwrap_or(text)
}

impl TableReader for WorkbookReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let end = self.end.min(self.next + BATCH_ROWS);
        if self.next == end {
            return Ok(None);
        }
        let first_row = self.rows + 1;
        let width = self.columns.len();
        let mut columns: Vec<StringBuilder> = (0..width).map(|_| StringBuilder::new()).collect();
        for row in self.next..end {
            for (column, cells) in columns.iter_mut().enumerate() {
                cells.append_option(self.sheet.get((row, column)).and_then(text_of));
            }
        }
        self.rows += (end - self.next) as u64;
        self.next = end;
        Ok(Some(Batch { first_row, columns: columns.iter_mut().map(|cells| Cells::Text(cells.finish())).collect() }))
    }
}

#[cfg(test)]
mod tests {
    use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};

    use super::*;
    use crate::format::sample_files::SampleFile;

    fn workbook(fill: impl FnOnce(&mut Workbook)) -> SampleFile {
        let file = SampleFile::named("a.xlsx");
        let mut workbook = Workbook::new();
        fill(&mut workbook);
        workbook.save(&file.path).expect("a workbook");
        file
    }

    fn people(workbook: &mut Workbook) {
        let sheet = workbook.add_worksheet().set_name("people").expect("a name");
        let date = |text: &str| ExcelDateTime::parse_from_str(text).expect("a date");
        for (column, name) in ["age", "born", "seen", "smokes", "weight"].into_iter().enumerate() {
            sheet.write(1, 1 + column as u16, name).expect("written");
        }
        let (day, moment) =
            (Format::new().set_num_format("yyyy-mm-dd"), Format::new().set_num_format("yyyy-mm-dd hh:mm"));
        sheet.write(2, 1, 30).expect("written");
        sheet.write_with_format(2, 2, date("1994-02-28"), &day).expect("written");
        sheet.write_with_format(2, 3, date("2024-03-01T10:30:00"), &moment).expect("written");
        sheet.write(2, 4, true).expect("written");
        sheet.write(2, 5, 70.25).expect("written");
        sheet.write(3, 1, "thirty").expect("written");
        sheet.write_blank(90, 5, &day).expect("written");
    }

    #[test]
    fn cells_read_as_people_see_them_and_the_table_ends_with_its_last_value() {
        let (columns, rows) = workbook(people).read().expect("a table");
        assert_eq!(columns.join(","), "age,born,seen,smokes,weight");
        let some = |texts: [&str; 5]| texts.map(|text| Some(text.to_owned())).to_vec();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0], some(["30", "1994-02-28", "2024-03-01T10:30:00", "true", "70.25"]));
        assert_eq!(rows[1], [Some("thirty".to_owned()), None, None, None, None]);
    }

    #[test]
    fn a_sheet_is_found_by_name() {
        let file = workbook(|workbook| {
            people(workbook);
            workbook.add_worksheet().set_name("notes").expect("a name").write(0, 0, "only a header").expect("written");
        });
        let sheet = |name: &str| InputFormat { table: Some(name.to_owned()), ..file.input() };
        assert!(crate::format::open(&sheet("people")).is_ok());
        let refusal = |name: &str| file.shorten(&crate::format::open(&sheet(name)).err().expect("no table"));
        assert_eq!(refusal("notes"), "FILE, sheet `notes` has names of columns but no rows");
        assert_eq!(refusal("peple"), "FILE: there is no sheet `peple`\nhint: did you mean `people`?");
        assert_eq!(refusal("x"), "FILE: there is no sheet `x`\nhint: its sheets are `people`, `notes`");
    }

    #[test]
    fn what_is_no_workbook_is_refused() {
        let text = SampleFile::with("a.xlsx", "age,zip\n1,2\n").refusal();
        assert!(text.starts_with("FILE is not a workbook, or it is damaged or locked"), "{text}");
        let empty = workbook(|workbook| {
            workbook.add_worksheet();
        });
        assert_eq!(empty.refusal(), "FILE, sheet `Sheet1` is empty");
        let unnamed = workbook(|workbook| {
            let sheet = workbook.add_worksheet();
            for (row, column, text) in [(0, 0, "a"), (0, 2, "c"), (1, 1, "x")] {
                sheet.write(row, column, text).expect("written");
            }
        });
        assert!(
            unnamed.refusal().starts_with("FILE, sheet `Sheet1`: column 2 of 3 has no name"),
            "{}",
            unnamed.refusal()
        );
    }
}
