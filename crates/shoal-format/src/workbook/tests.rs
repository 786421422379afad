//! Are workbooks read as people see them?

use std::io::Write;

use arrow_array::Array;
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
    let (day, moment) = (Format::new().set_num_format("yyyy-mm-dd"), Format::new().set_num_format("yyyy-mm-dd hh:mm"));
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

/// They share the place in the file.
#[test]
fn a_reader_that_is_gone_leaves_an_open_file_to_the_next() {
    let file = workbook(|workbook| {
        let sheet = workbook.add_worksheet();
        sheet.write(0, 0, "age").expect("written");
        (1..=100_000).for_each(|row| _ = sheet.write(row, 0, row % 90).expect("written"));
    });
    let handle = std::sync::Arc::new(std::fs::File::open(&file.path).expect("a file"));
    let held = || crate::open(&file.input().held_by(std::sync::Arc::clone(&handle))).expect("a table");
    for _ in 0..5 {
        held().next_batch().expect("rows").expect("the first of them");
        let (mut reader, mut rows) = (held(), 0);
        while let Some(batch) = reader.next_batch().expect("rows") {
            rows += batch.rows();
        }
        assert_eq!(rows, 100_000);
    }
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
    let said = "FILE, sheet `Sheet1` is empty\nhint: a table has names of columns and a row for each record; was the file written to its end?";
    assert_eq!(empty.refusal(), said);
    let unnamed = workbook(|workbook| {
        let sheet = workbook.add_worksheet();
        for (row, column, text) in [(0, 0, "a"), (0, 2, "c"), (1, 1, "x")] {
            sheet.write(row, column, text).expect("written");
        }
    });
    assert_eq!(unnamed.read().expect("a table").0.join(","), "a,column2,c");
}

#[test]
fn rows_above_the_names_are_left_out_where_somebody_says_so() {
    let file = workbook(|workbook| {
        let sheet = workbook.add_worksheet();
        let cells = [
            (0, 0, "Patients"),
            (1, 0, "as of"),
            (1, 1, "2024"),
            (3, 0, "age"),
            (3, 1, "sex"),
            (3, 2, "zip"),
            (3, 3, "ill"),
            (4, 0, "30"),
            (4, 1, "m"),
            (4, 2, "1"),
            (4, 3, "no"),
            (5, 0, "40"),
            (5, 1, "f"),
            (5, 2, "2"),
            (5, 3, "yes"),
        ];
        for (row, column, text) in cells {
            sheet.write(row, column, text).expect("written");
        }
    });
    assert_eq!(crate::lines_before_table(&file.input()).expect("a number"), 3);
    let (columns, rows) = read(&InputFormat { skip: 3, ..file.input() }).expect("a table");
    assert_eq!((columns.join(","), rows.len()), ("age,sex,zip,ill".to_owned(), 2));
}

#[test]
fn numbers_of_rows_beside_the_names_are_a_column() {
    let file = workbook(|workbook| {
        let sheet = workbook.add_worksheet();
        for (row, column, text) in [(0, 1, "age"), (0, 2, "sex"), (1, 0, "0"), (1, 1, "30"), (1, 2, "m"), (2, 0, "1")] {
            sheet.write(row, column, text).expect("written");
        }
    });
    let (columns, rows) = file.read().expect("a table");
    assert_eq!(columns.join(","), "column1,age,sex");
    assert_eq!(rows[1], [Some("1".to_owned()), None, None]);
}

#[test]
fn of_several_sheets_one_must_be_named() {
    let file = workbook(|workbook| {
        people(workbook);
        workbook.add_worksheet().set_name("blank").expect("a name");
    });
    assert_eq!(file.read().expect("only one has cells").1.len(), 2);
    let file = workbook(|workbook| {
        people(workbook);
        workbook.add_worksheet().set_name("notes").expect("a name").write(0, 0, "by x").expect("written");
    });
    assert_eq!(
        file.refusal(),
        "FILE: the workbook has 2 sheets with something in them: `people`, `notes`\n\
         hint: name one: `table = \"people\"` in [input], or FILE#SHEET on the command line"
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
    archive(parts, zip::CompressionMethod::Deflated)
}

fn archive(parts: &[(&str, &str)], method: zip::CompressionMethod) -> SampleFile {
    let file = SampleFile::named("a.xlsx");
    let mut archive = zip::ZipWriter::new(File::create(&file.path).expect("a file"));
    for (name, text) in parts {
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        archive.start_file(*name, options).expect("a part");
        archive.write_all(text.as_bytes()).expect("written");
    }
    archive.finish().expect("an archive");
    file
}

/// An OpenDocument workbook with these rows in its only sheet.
fn document(rows: &str) -> SampleFile {
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"people\">{rows}\
         </table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
        ("content.xml", content.as_str()),
    ];
    let stored = archive(&parts, zip::CompressionMethod::Stored);
    let file = SampleFile::named("a.ods");
    std::fs::copy(&stored.path, &file.path).expect("copied");
    file
}

fn cell(text: &str, repeats: u32) -> String {
    format!(
        "<table:table-cell office:value-type=\"string\" table:number-columns-repeated=\"{repeats}\">\
         <text:p>{text}</text:p></table:table-cell>"
    )
}

fn row(cells: &str, repeats: u32) -> String {
    format!("<table:table-row table:number-rows-repeated=\"{repeats}\">{cells}</table:table-row>")
}

/// The first batches of a table, each of which must be small enough to be held.
fn first_rows(file: &SampleFile, batches: usize) -> usize {
    let mut reader = crate::open(&file.input()).expect("a table");
    let mut rows = 0;
    for _ in 0..batches {
        let batch = reader.next_batch().expect("a batch").expect("more rows");
        let bytes: usize = batch.columns.iter().map(|cells| cells.text().expect("text").get_array_memory_size()).sum();
        assert!(bytes < 80 << 20, "a batch of {bytes} bytes");
        rows += batch.rows();
    }
    rows
}

#[test]
fn repeated_cells_of_open_documents_are_made_as_they_are_taken() {
    let small = row(&(cell("a", 1) + &cell("b", 1)), 1) + &row(&cell("x", 2), 3);
    let (columns, rows) = document(&small).read().expect("a table");
    assert_eq!((columns.join(","), rows), ("a,b".to_owned(), vec![vec![Some("x".to_owned()); 2]; 3]));
    // A hundred gigabytes, if all were made at once.
    let long = cell("name", 1) + &cell("b", 1);
    let long = document(&(row(&long, 1) + &row(&cell(&"x".repeat(1 << 16), 2), 1_000_000)));
    assert!(first_rows(&long, 8) > 8 * 200);
    let many = row(&(cell("a", 1) + &cell("b", 1)), 1) + &row(&cell("x", 2), 1_000_000);
    assert_eq!(first_rows(&document(&many), 8), 8 * crate::BATCH_ROWS);
}

#[test]
fn a_row_of_a_sheet_that_takes_too_much_is_refused_before_it_is_made() {
    let wide = row(&cell("a", 1), 1) + &row(&cell(&"x".repeat(1 << 20), 16_384), 1_000_000);
    let wide = document(&wide);
    let text = wide
        .shorten(&read(&InputFormat { header: Some(false), ..wide.input() }).expect_err("sixteen gigabytes in a row"));
    assert!(text.starts_with("FILE, sheet `people`, row 2: the row takes more than 64 MiB"), "{text}");
    let beside = document(&(row(&cell("a", 1), 1) + &row(&cell("x", 16_384), 2000))).refusal();
    assert!(beside.contains("row 2: a cell stands beside the columns that have names"), "{beside}");
    let held = row(&cell("a", 1), 1) + &row(&cell(&"x".repeat(1 << 22), 1).repeat(20), 1);
    let held = document(&held).refusal();
    assert!(held.starts_with("FILE is too large to be read: a row of it takes more than 64 MiB"), "{held}");
    let spaces = "<table:table-cell office:value-type=\"string\"><text:p>a<text:s text:c=\"4000000000\"/></text:p>\
                  </table:table-cell>";
    let spaces = document(&row(spaces, 1)).refusal();
    assert!(spaces.starts_with("FILE is too large to be read: a single cell"), "{spaces}");
    let below = document(&(row(&cell("a", 1), 1) + &row(&cell("x", 1), u32::MAX)));
    let mut reader = crate::open(&below.input()).expect("a table");
    let end = loop {
        match reader.next_batch() {
            Ok(batch) => assert!(batch.is_some(), "the rows do not end"),
            Err(error) => break below.shorten(&error),
        }
    };
    assert_eq!(end, "FILE, sheet `people`, row 1048577: a cell beyond what a sheet can have");
    for far in [row("", 2_000_000) + &row(&cell("x", 1), 1), row(&(cell("", 70_000) + &cell("x", 1)), 1)] {
        let far = document(&far).refusal();
        assert!(far.ends_with("a cell beyond what a sheet can have"), "{far}");
    }
}

/// What the library reads, which makes all cells at once, is the same.
#[test]
fn open_documents_read_as_another_reader_reads_them() {
    let typed = |kind: &str, value: &str| {
        format!("<table:table-cell office:value-type=\"{kind}\" {value}><text:p>shown</text:p></table:table-cell>")
    };
    let values = [
        typed("float", "office:value=\"1.5e2\""),
        typed("date", "office:date-value=\"2024-02-29\""),
        typed("time", "office:time-value=\"PT10H\""),
        typed("boolean", "office:boolean-value=\"true\""),
        typed("string", "office:string-value=\"a &amp; b\""),
        typed("string", "calcext:value-type=\"error\" office:string-value=\"\""),
        "<table:table-cell office:value-type=\"string\"><office:annotation><text:p>note</text:p></office:annotation>\
         <text:p>a<text:s text:c=\"2\"/>b &lt;<text:tab/>c</text:p><text:p>d<text:line-break/>&#x65;</text:p>\
         </table:table-cell>"
            .to_owned(),
        "<table:covered-table-cell table:number-columns-repeated=\"2\"/>".to_owned(),
        cell("last", 1),
    ];
    let names: String = (0..10).map(|place| cell(&format!("c{place}"), 1)).collect();
    let blank = row("<table:table-cell table:number-columns-repeated=\"16384\"/>", 2);
    let end = row("<table:table-cell table:number-columns-repeated=\"16384\"/>", 1_048_500);
    let rows = [&blank, &row(&names, 1), &row(&values.concat(), 2), &blank, &row(&cell("x", 10), 1), &end];
    let file = document(&rows.map(String::as_str).concat());
    let (columns, ours) = file.read().expect("a table");
    let mut book: calamine::Ods<_> = calamine::open_workbook(&file.path).expect("a workbook");
    let range = calamine::Reader::worksheet_range(&mut book, "people").expect("a sheet");
    let mut theirs = range.rows().map(|row| row.iter().cloned().map(cell_text::of).collect::<Vec<_>>());
    assert_eq!(theirs.next().expect("names"), columns.into_iter().map(Some).collect::<Vec<_>>());
    assert_eq!(ours, theirs.collect::<Vec<_>>());
    assert_eq!((ours.len(), ours[0][6].as_deref()), (5, Some("a  b <\tc\nd\ne")));
}

#[test]
fn the_second_sheet_of_an_open_document_is_read_and_tables_in_cells_are_not() {
    let inner = "<table:table-cell><table:table><table:table-row><table:table-cell office:value=\"9\"/>\
                 </table:table-row></table:table></table:table-cell>";
    let first = row(&(cell("a", 1) + inner), 1) + &row(&cell("1", 1), 1);
    let second = row(&cell("b", 1), 1) + &row(&cell("2", 1), 1);
    let file = document(&format!("{first}</table:table><table:table table:name=\"other\">{second}"));
    let of = |table: &str| read(&InputFormat { table: Some(table.to_owned()), ..file.input() }).expect("a table");
    assert_eq!(of("people"), (vec!["a".to_owned()], vec![vec![Some("1".to_owned())]]));
    assert_eq!(of("other"), (vec!["b".to_owned()], vec![vec![Some("2".to_owned())]]));
}

/// An .xlsx file with these rows in its only sheet, and these texts that its cells share.
fn sheet(rows: &str, strings: &str, styles: &str) -> SampleFile {
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let parts = [
        (
            "_rels/.rels",
            "<Relationships><Relationship Target=\"xl/workbook.xml\" Type=\"http://schemas.openxmlformats.org/officeDocument\
             /2006/relationships/officeDocument\"/></Relationships>",
        ),
        (
            "xl/workbook.xml",
            "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets>\
             <sheet name=\"s\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\" Type=\"http://schemas.\
             openxmlformats.org/officeDocument/2006/relationships/worksheet\"/></Relationships>",
        ),
        ("xl/sharedStrings.xml", &format!("<sst>{strings}</sst>")),
        ("xl/styles.xml", styles),
        ("xl/worksheets/sheet1.xml", &sheet),
    ];
    archive(&parts, zip::CompressionMethod::Stored)
}

#[test]
fn a_text_that_many_cells_share_is_copied_no_more_often_than_can_be_held() {
    let long = format!("<si><t>name</t></si><si><t>{}</t></si>", "x".repeat(1 << 23));
    let cells = |row: u32, columns: u32| -> String {
        let shared = |_| format!("<c t=\"s\"><v>{}</v></c>", u8::from(row > 1));
        format!("<row r=\"{row}\">{}</row>", (0..columns).map(shared).collect::<String>())
    };
    let none = "<styleSheet></styleSheet>";
    let tall: String = (1..5000).map(|row| cells(row, 1)).collect();
    // Forty gigabytes in all.
    assert!(first_rows(&sheet(&tall, &long, none), 8) >= 8 * 3);
    let wide = sheet(&cells(2, 16_000), &long, none);
    let text = wide.shorten(&read(&InputFormat { header: Some(false), ..wide.input() }).expect_err("too long"));
    assert!(text.starts_with("FILE, sheet `s`, row 2: the row takes more than 64 MiB"), "{text}");
    let again = format!("<row r=\"1\">{}</row>", "<c r=\"A1\"><v>1</v></c>".repeat(3_000_000));
    let text = sheet(&again, &long, none).refusal();
    assert!(text.starts_with("FILE, sheet `s`, row 1: the row takes more than 64 MiB"), "{text}");
}

#[test]
fn sheets_and_the_places_of_sheets_are_counted() {
    let book = |sheets: usize, place: &str| {
        let sheets = "<sheet name=\"s\" r:id=\"r1\"/>".repeat(sheets);
        let relation = format!("<Relationships><Relationship Id=\"r1\" Target=\"{place}\"/></Relationships>");
        packed(&[
            ("xl/workbook.xml", &*format!("<workbook><sheets>{sheets}</sheets></workbook>")),
            ("xl/_rels/workbook.xml.rels", &relation),
        ])
        .refusal()
    };
    let many = book(20_000, "worksheets/sheet1.xml");
    assert!(many.starts_with("FILE is too large to be read: it has more than 16,384 sheets"), "{many}");
    let far = book(1, &"a/".repeat(10_000));
    assert!(far.starts_with("FILE is not a workbook, or it is damaged"), "{far}");
}

#[test]
fn a_cell_in_many_pieces_and_styles_that_are_copied_are_measured() {
    let pieces = format!("<r><t>{}</t></r>", "x".repeat(1 << 20)).repeat(70);
    let cell = format!("<row r=\"1\"><c t=\"inlineStr\"><is>{pieces}</is></c></row>");
    let text = sheet(&cell, "", "<styleSheet></styleSheet>").refusal();
    assert!(text.starts_with("FILE is too large to be read: a single cell or tag in it"), "{text}");
    let styles = format!(
        "<styleSheet><numFmts><numFmt numFmtId=\"200\" formatCode=\"{}\"/></numFmts><cellXfs>{}</cellXfs></styleSheet>",
        "x".repeat(1 << 20),
        "<xf numFmtId=\"200\"/>".repeat(10_000)
    );
    let text = sheet("<row r=\"1\"><c><v>1</v></c></row>", "", &styles).refusal();
    assert!(text.starts_with("FILE is too large to be read: its styles take more than"), "{text}");
    let strings = "<si/>".repeat((1 << 24) + 1);
    let text = sheet("<row r=\"1\"><c><v>1</v></c></row>", &strings, "<styleSheet></styleSheet>").refusal();
    assert!(text.contains("it has more than 16 million texts"), "{text}");
}

/// A record of a binary workbook.
fn binary_record(kind: u16, data: &[u8]) -> Vec<u8> {
    let [low, high] = [kind as u8 | if kind > 0x7f { 0x80 } else { 0 }, (kind >> 7) as u8];
    let kind = if kind > 0x7f { vec![low, high] } else { vec![low] };
    let length = [data.len() as u8 | 0x80, (data.len() >> 7) as u8];
    [&kind[..], &length, data].concat()
}

/// A binary workbook with a sheet of two columns and these shared texts, each of which may claim another length.
fn binary(strings: &[(&str, u32)]) -> SampleFile {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let named = |text: &str| [&(text.len() as u32).to_le_bytes()[..], &wide(text)].concat();
    let bound = [&[0, 0, 0, 0, 1, 0, 0, 0][..], &named("r1"), &named("people")].concat();
    let workbook = [binary_record(0x9c, &bound), binary_record(0x90, &[]), binary_record(0x9d, &[])].concat();
    let count = (strings.len() as u32).to_le_bytes();
    let text =
        |(text, length): &(&str, u32)| binary_record(0x13, &[&[0][..], &length.to_le_bytes(), &wide(text)].concat());
    let texts = strings.iter().map(text).collect::<Vec<_>>().concat();
    let shared = [binary_record(0x9f, &[count, count].concat()), texts].concat();
    let row = |row: u32| binary_record(0, &row.to_le_bytes());
    let cell = |column: u32, text: u32| binary_record(7, &[column, 0, text].map(u32::to_le_bytes).concat());
    let number = [&[1, 0, 0, 0, 0, 0, 0, 0][..], &2.5_f64.to_le_bytes()].concat();
    let sheet = [
        binary_record(0x81, &[]),
        binary_record(0x94, &[0; 16]),
        binary_record(0x91, &[]),
        [row(0), cell(0, 0), cell(1, 1), row(1), cell(0, 2), binary_record(5, &number)].concat(),
        binary_record(0x92, &[]),
    ];
    let relations = "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.bin\"/></Relationships>";
    let file = SampleFile::named("a.xlsb");
    let mut archive = zip::ZipWriter::new(File::create(&file.path).expect("a file"));
    for (name, bytes) in [
        ("xl/workbook.bin", &workbook[..]),
        ("xl/_rels/workbook.bin.rels", relations.as_bytes()),
        ("xl/sharedStrings.bin", &shared),
        ("xl/worksheets/sheet1.bin", &sheet.concat()),
    ] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part");
        archive.write_all(bytes).expect("written");
    }
    archive.finish().expect("an archive");
    file
}

#[test]
fn binary_workbooks_are_read_and_texts_are_no_longer_than_they_are() {
    let (columns, rows) = binary(&[("a", 1), ("b", 1), ("x", 1)]).read().expect("a table");
    assert_eq!((columns.join(","), rows), ("a,b".to_owned(), vec![vec![Some("x".into()), Some("2.5".into())]]));
    // The library would find the rest of a text in what an earlier one left behind.
    let text = binary(&[("a", 1), (&"b".repeat(1000), 1000), ("x", 1000)]).refusal();
    assert!(text.starts_with("FILE is not a workbook, or it is damaged or locked"), "{text}");
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
    assert!(file.refusal().contains("2 sheets with something in them"), "{}", file.refusal());
    let (columns, rows) = read(&InputFormat { table: Some("one".to_owned()), ..file.input() }).expect("a table");
    assert_eq!(columns.join(","), "a,b");
    assert_eq!(rows, [["x", "y"].map(|text| Some(text.to_owned())).to_vec()]);
    let text = {
        let input = InputFormat { table: Some("two".to_owned()), ..file.input() };
        file.shorten(&crate::open(&input).err().expect("too large"))
    };
    assert!(text.contains("is too large to be read: its cells are too far apart"), "{text}");
}
