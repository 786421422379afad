//! What is known about Apache Parquet, which brings its own compression?

use super::{Code, Format, Holds, NumberForm, Signature};

pub(super) static FORMAT: Format = Format {
    name: "Parquet",
    one_file: "a Parquet file",
    extensions: &["parquet"],
    is_text: false,
    signatures: &[Signature { bytes: b"PAR1", what: "a Parquet file", extensions: &["parquet"], otherwise: None }],
    holds: Holds::Table,
    numbers: NumberForm::Typed,
    written: &["parquet"],
    feature: Some("parquet"),
    code: CODE,
};

#[cfg(feature = "parquet")]
const CODE: Option<Code> = Some(Code {
    open: |input, _| crate::guard::opened(input, crate::parquet::ParquetReader::open),
    create: Some(|new| Ok(Box::new(crate::parquet::ParquetWriter::create(new)?))),
    titles: None,
});
#[cfg(not(feature = "parquet"))]
const CODE: Option<Code> = None;
