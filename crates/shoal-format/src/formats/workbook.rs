//! What is known about workbooks of Excel and OpenDocument, of which one sheet is the table?

use super::{Code, Format, Holds, NumberForm, Signature};

pub(super) static FORMAT: Format = Format {
    name: "workbooks",
    one_file: "a workbook",
    extensions: &["xlsx", "xlsm", "xlsb", "xls", "ods"],
    is_text: false,
    signatures: &[
        Signature {
            bytes: b"PK\x03\x04",
            what: "a workbook or another zip archive",
            extensions: &["xlsx", "xlsm", "xlsb", "ods"],
            otherwise: Some("unpack it"),
        },
        Signature {
            bytes: b"\xd0\xcf\x11\xe0",
            what: "an old workbook or another old Office document",
            extensions: &["xls"],
            otherwise: Some("save its table as CSV"),
        },
    ],
    holds: Holds::Named("sheets"),
    numbers: NumberForm::Text,
    written: &["xlsx"],
    feature: Some("workbook"),
    code: CODE,
};

#[cfg(feature = "workbook")]
const CODE: Option<Code> = Some(Code {
    open: |input, _| crate::guard::opened(input, crate::workbook::WorkbookReader::open),
    create: Some(|new| Ok(Box::new(crate::workbook::WorkbookWriter::create(new)?))),
    titles: Some(|input, _| crate::workbook::rows_before(input)),
});
#[cfg(not(feature = "workbook"))]
const CODE: Option<Code> = None;
