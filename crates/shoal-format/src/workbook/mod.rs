//! How is a table read from a sheet of an Excel or OpenDocument workbook?

mod book;
mod cell_text;
mod old_excel;
mod open_document;
mod package;
mod rows;
mod unreadable;
mod xml_pieces;

use std::fs::File;
use std::sync::mpsc::{Receiver, sync_channel};

use super::guard::guarded;
use super::{Batch, InputFormat, TableReader, open_file};
use shoal_core::error::nearest;
use shoal_core::{Error, Result};
use book::Book;
use rows::{Columns, SheetRows};

/// Reads a sheet row by row. Memory is needed for its texts, which workbooks keep apart, and not for cells that are blank.
pub(super) struct WorkbookReader {
    columns: Vec<String>,
    /// What the thread that reads the sheet has read. A sheet cannot be kept beside the workbook it borrows.
    parts: Receiver<Result<Part>>,
    /// Was the last one taken? Several threads find that out, each for itself.
    is_read: bool,
}

/// What a sheet consists of, in this order.
enum Part {
    Columns(Vec<String>),
    Rows(Batch),
    End,
}

/// Batches that wait to be taken: enough to keep both sides busy.
const AHEAD: usize = 2;

impl WorkbookReader {
    /// Opens a workbook and begins to read a sheet: the one that is asked for, or the first.
    pub(super) fn open(input: &InputFormat) -> Result<Self> {
        let file = open_file(&input.path)?;
        let (sender, parts) = sync_channel(AHEAD);
        let input = input.clone();
        std::thread::spawn(move || {
            let end = guarded(&input.path, || read_sheet(file, &input, &mut |part| sender.send(Ok(part)).is_ok()));
            // Nobody listens any more if the reader is gone.
            let _ = sender.send(end.map(|()| Part::End));
        });
        let mut reader = Self { columns: Vec::new(), parts, is_read: false };
        match reader.next_part()? {
            Part::Columns(columns) => reader.columns = columns,
            Part::Rows(_) | Part::End => return Err(cut_off()),
        }
        Ok(reader)
    }

    fn next_part(&mut self) -> Result<Part> {
        self.parts.recv().unwrap_or_else(|_| Err(cut_off()))
    }
}

fn cut_off() -> Error {
    Error::table("reading the workbook ended before the sheet did")
}

/// Reads a sheet and hands over its parts, until all are read or nobody takes them.
fn read_sheet(file: File, input: &InputFormat, send: &mut dyn FnMut(Part) -> bool) -> Result<()> {
    let at_path = |error: Error| error.at(input.path.display());
    let mut book = Book::open(&input.path, file)?;
    let names = book.sheet_names();
    let sheet = sheet_place(&names, input.table.as_deref()).map_err(at_path)?;
    let columns = match input.header.unwrap_or(true) {
        true => Columns::Named,
        false => extent(&mut book, sheet)?,
    };
    let place = format!("{}, sheet `{}`", input.path.display(), names[sheet]);
    let mut rows = SheetRows::new(place, columns, send);
    book.each_cell(sheet, &mut |position, text| rows.take(position, text))?;
    rows.finish()
}

/// How many columns there are without a header: that is known only when every row was seen.
fn extent(book: &mut Book, sheet: usize) -> Result<Columns> {
    let mut found = None;
    book.each_cell(sheet, &mut |(_, column), _| {
        let (first, last) = found.unwrap_or((column, column));
        found = Some((column.min(first), column.max(last)));
        Ok(true)
    })?;
    Ok(found.map_or(Columns::Named, |(first, last)| Columns::Numbered { first, last }))
}

/// The place of the sheet that is asked for, or of the first.
fn sheet_place(names: &[String], wanted: Option<&str>) -> Result<usize> {
    let Some(wanted) = wanted else {
        return names.first().map(|_| 0).ok_or_else(|| Error::table("the workbook has no sheets"));
    };
    if let Some(place) = names.iter().position(|name| name == wanted) {
        return Ok(place);
    }
    let hint = match nearest(wanted, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            format!("its sheets are {}", names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
        }
    };
    Err(Error::table(format!("there is no sheet `{wanted}`")).hint(hint))
}

impl TableReader for WorkbookReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        if self.is_read {
            return Ok(None);
        }
        match self.next_part()? {
            Part::Rows(batch) => Ok(Some(batch)),
            Part::Columns(_) => Err(cut_off()),
            Part::End => {
                self.is_read = true;
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};

    use super::*;
    use crate::sample_files::{SampleFile, read};

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
        assert!(crate::open(&sheet("people")).is_ok());
        let refusal = |name: &str| file.shorten(&crate::open(&sheet(name)).err().expect("no table"));
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

    #[test]
    fn a_cell_far_from_the_table_costs_nothing_and_is_named() {
        let with = |row: u32, column: u16| {
            workbook(move |workbook| {
                let sheet = workbook.add_worksheet();
                for (row, column, text) in [(0, 0, "a"), (0, 1, "b"), (1, 0, "x"), (row, column, "stray")] {
                    sheet.write(row, column, text).expect("written");
                }
            })
        };
        let corner = with(1_048_575, 16_383).refusal();
        assert!(
            corner.starts_with("FILE, sheet `Sheet1`, row 1048576: a cell stands 1048573 blank rows below the table"),
            "{corner}"
        );
        let beside = with(1, 16_383).refusal();
        assert!(
            beside.starts_with("FILE, sheet `Sheet1`, row 2: a cell stands beside the columns that have names"),
            "{beside}"
        );
        assert_eq!(with(4, 1).read().expect("a table").1.len(), 4, "blank rows are rows");
    }

    #[test]
    fn without_a_header_columns_are_as_many_as_any_row_has() {
        let file = workbook(|workbook| {
            let sheet = workbook.add_worksheet();
            for (row, column, text) in [(2, 2, "a"), (3, 1, "b"), (3, 4, "c")] {
                sheet.write(row, column, text).expect("written");
            }
        });
        let (columns, rows) = read(&InputFormat { header: Some(false), ..file.input() }).expect("a table");
        assert_eq!(columns.join(","), "column1,column2,column3,column4");
        let cell = |text: &str| Some(text.to_owned());
        assert_eq!(rows, [vec![None, cell("a"), None, None], vec![cell("b"), None, None, cell("c")]]);
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused_before_it_is_held() {
        let strings = |count: &str, text: &str| {
            let part = format!("<sst uniqueCount=\"{count}\"><si><t>{text}</t></si></sst>");
            packed(&[("xl/workbook.xml", "<workbook/>"), ("xl/sharedStrings.xml", &part)]).refusal()
        };
        let many = strings("1", &"<t/>".repeat(20 << 20));
        assert!(many.starts_with("FILE is too large to be read: a part of it unpacks to more"), "{many}");
        let claimed = strings("999999999999", "x");
        assert!(claimed.starts_with("FILE is too large to be read: it says that it has"), "{claimed}");
    }

    /// A zip archive of some parts.
    fn packed(parts: &[(&str, &str)]) -> SampleFile {
        let file = SampleFile::named("a.xlsx");
        let mut archive = zip::ZipWriter::new(File::create(&file.path).expect("a file"));
        for (name, text) in parts {
            let options = zip::write::SimpleFileOptions::default();
            archive.start_file(*name, options).expect("a part");
            archive.write_all(text.as_bytes()).expect("written");
        }
        archive.finish().expect("an archive");
        file
    }

    #[test]
    fn open_documents_are_read_and_their_repeated_cells_counted() {
        let document = |rows: &str| {
            let content = format!(
                "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"people\">{rows}\
                 </table:table></office:spreadsheet></office:body></office:document-content>"
            );
            let packed = packed(&[
                ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
                ("META-INF/manifest.xml", "<manifest:manifest/>"),
                ("content.xml", &content),
            ]);
            let file = SampleFile::named("a.ods");
            std::fs::copy(&packed.path, &file.path).expect("copied");
            file
        };
        let cell = |text: &str, repeats: u32| {
            format!(
                "<table:table-cell office:value-type=\"string\" table:number-columns-repeated=\"{repeats}\">\
                 <text:p>{text}</text:p></table:table-cell>"
            )
        };
        let row = |cells: &str| format!("<table:table-row>{cells}</table:table-row>");
        let small = row(&(cell("a", 1) + &cell("b", 1))) + &row(&cell("x", 2));
        let (columns, rows) = document(&small).read().expect("a table");
        assert_eq!((columns.join(","), rows), ("a,b".to_owned(), vec![vec![Some("x".to_owned()); 2]]));
        let large = document(&(row(&cell("a", 1)) + &row(&cell("x", 16_384)).repeat(2000))).refusal();
        assert!(large.starts_with("FILE is too large to be read: its cells, repeated"), "{large}");
    }

    /// A record of an old workbook.
    fn record(kind: u16, data: &[u8]) -> Vec<u8> {
        [&kind.to_le_bytes(), &(data.len() as u16).to_le_bytes(), data].concat()
    }

    /// An old workbook with sheets of texts.
    fn old(sheets: &[&[(u16, u16, &str)]]) -> SampleFile {
        let begin = |kind: u8| record(0x809, &[0, 6, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let sheet = |cells: &[(u16, u16, &str)]| {
            let label = |&(row, column, text): &(u16, u16, &str)| {
                let place = [row, column, 0, text.len() as u16].map(u16::to_le_bytes).concat();
                record(0x204, &[&place[..], &[0], text.as_bytes()].concat())
            };
            // It says that it has as many rows and columns as can be written down.
            let claimed = record(0x200, &[0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 255, 255, 0, 0]);
            [begin(0x10), claimed, cells.iter().flat_map(label).collect(), record(0x0a, &[])].concat()
        };
        let bound = |place: usize, name: &str| {
            let place = u32::try_from(place).expect("a small file").to_le_bytes();
            record(0x85, &[&place[..], &[0, 0, name.len() as u8, 0], name.as_bytes()].concat())
        };
        let names = ["one", "two", "six"];
        let globals = begin(5).len() + sheets.len() * bound(0, "one").len() + 4;
        let (mut stream, mut rest) = (begin(5), Vec::new());
        for (cells, name) in sheets.iter().zip(names) {
            stream.extend(bound(globals + rest.len(), name));
            rest.extend(sheet(cells));
        }
        stream.extend(record(0x0a, &[]));
        stream.extend(rest);
        let file = SampleFile::named("a.xls");
        let mut compound = cfb::create(&file.path).expect("a file");
        compound.create_stream("Workbook").and_then(|mut made| made.write_all(&stream)).expect("written");
        compound.flush().expect("written");
        file
    }

    #[test]
    fn old_workbooks_are_read_and_what_they_claim_is_not_believed() {
        let people: &[(u16, u16, &str)] = &[(0, 0, "a"), (0, 1, "b"), (1, 0, "x"), (1, 1, "y")];
        let far: &[(u16, u16, &str)] = &[(0, 0, "a"), (65_535, 65_535, "x")];
        let file = old(&[people, far]);
        let (columns, rows) = file.read().expect("a table");
        assert_eq!(columns.join(","), "a,b");
        assert_eq!(rows, [["x", "y"].map(|text| Some(text.to_owned())).to_vec()]);
        let text = {
            let input = InputFormat { table: Some("two".to_owned()), ..file.input() };
            file.shorten(&crate::open(&input).err().expect("too large"))
        };
        assert!(text.contains("is too large to be read: its cells are too far apart"), "{text}");
    }
}
