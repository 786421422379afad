//! What is there to say about a run, to people and to programs?

mod advice_report;
mod application_report;
mod attack_section;
mod audit_report;
mod certificate;
mod companions;
mod comparison_report;
mod grid;
mod households;
mod html;
mod label_order;
mod memory;
mod people_of_release;
pub mod plot;
mod risk_section;
pub mod safe;
mod solutions_report;
mod summary;
mod utility_section;

pub use advice_report::AdviceReport;
pub use application_report::ApplicationReport;
pub use audit_report::AuditReport;
pub use certificate::{
    Certificate, Checked, Found, Hashes, SealedCertificate, SignatureState, check, refuse_two_columns,
};
pub use companions::{CertificateFile, ReportFile};
pub use comparison_report::ComparisonReport;
pub use grid::Grid;
pub use html::{HtmlReport, Run};
pub use memory::peak_memory_bytes;
pub use shoal::publish::Hash;
pub use shoal_core::words::number;
pub use solutions_report::SolutionsReport;
pub use summary::{Summary, bound_in_words};

use serde_json::{Map, Value, json};

use shoal_core::Error;
use shoal_core::lattice::Lattice;
use shoal_core::warning::Warning;

/// The version of all JSON objects; it changes when a key goes or means something else.
const FORMAT_VERSION: u32 = 1;

/// An object for programs, with what all of them have: the version of their keys, and what should be known of the result.
fn document(body: Value, warnings: &[Warning]) -> Value {
    let mut document = Map::from_iter([("format_version".to_owned(), json!(FORMAT_VERSION))]);
    if let Value::Object(body) = body {
        document.extend(body);
    }
    document.insert("warnings".to_owned(), json!(warnings));
    Value::Object(document)
}

/// What went wrong, for programs: the kind of error, the words that people get, and a hint.
pub fn error_to_json(error: &Error) -> Value {
    let body = json!({ "kind": error.kind().id(), "text": error.message(), "details": error.details(), "hint": error.hint_text() });
    document(json!({ "error": body }), &[])
}

/// How many combinations of levels there are, for programs: exact where JSON can be, null where they were not counted to the end.
pub(crate) fn combinations_json(nodes: u128) -> serde_json::Value {
    match u64::try_from(nodes) {
        Ok(nodes) => nodes.into(),
        Err(_) if nodes == Lattice::COUNTED_UP_TO => serde_json::Value::Null,
        Err(_) => (nodes as f64).into(),
    }
}

/// A whole number with its thousands set apart.
pub fn grouped(value: i64) -> String {
    let text = shoal_core::words::grouped(value.unsigned_abs());
    if value < 0 { format!("-{text}") } else { text }
}

/// A count with its noun: `1 row`, `2 rows`.
pub fn plural(count: u64, noun: &str) -> String {
    if noun == "person" && count != 1 {
        return format!("{} people", grouped(count as i64));
    }
    let (stem, ending) = if noun.ends_with("ss") { (noun, "es") } else { (noun, "s") };
    format!("{} {stem}{}", grouped(count as i64), if count == 1 { "" } else { ending })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_its_noun() {
        assert_eq!(plural(1, "row"), "1 row");
        assert_eq!(plural(1200, "class"), "1,200 classes");
        assert_eq!((plural(1, "person"), plural(2, "person")), ("1 person".to_owned(), "2 people".to_owned()));
    }

    #[test]
    fn a_number_of_combinations_is_exact_or_none() {
        assert_eq!(combinations_json(12_960), serde_json::json!(12_960));
        assert_eq!(combinations_json(6u128.pow(40)), serde_json::json!(6f64.powi(40)));
        assert_eq!(combinations_json(Lattice::COUNTED_UP_TO), serde_json::Value::Null);
    }
}
