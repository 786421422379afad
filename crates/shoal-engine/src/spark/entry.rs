//! What does a policy say about a table on a Spark cluster, and what to do with its release?

use shoal::policy::engines::{EngineEntry, EngineKey, Released};
use shoal::policy::{EngineInput, EngineRows};
use shoal_core::Result;
use shoal_core::model::Complaint;

/// Spark, as far as a policy is concerned.
pub(crate) static ENTRY: EngineEntry = EngineEntry {
    name: "Spark",
    address: EngineKey {
        name: "spark",
        description: "The address of a Spark Connect server: the table is on its cluster, a table, a query or files at `path`.",
        example: "sc://localhost:15002",
    },
    schemes: &["sc://"],
    more_keys: &[FORMAT],
    reads_files: true,
    check,
    next_step: |Released { release, judge, .. }| {
        format!("look at {release}, and audit a copy of it: shoal audit COPY {judge}")
    },
};

/// The key that says what files are.
pub(super) const FORMAT: EngineKey = EngineKey {
    name: "format",
    description: "The format of files that Spark reads at `path`, where their names do not tell.",
    example: "parquet",
};

fn check(input: &EngineInput) -> Result<(), Complaint> {
    match (&input.rows, input.option(FORMAT.name)) {
        (EngineRows::Table(_) | EngineRows::Query(_), Some(_)) => {
            Err(Complaint::new(FORMAT.name, "`format` is the format of files, and there is no `path`")
                .hint("remove it, or set `path`"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use shoal::policy::EngineAddress;

    use super::*;

    #[test]
    fn a_format_is_one_of_files() {
        let input = |rows| EngineInput {
            address: EngineAddress::new(&ENTRY, "sc://localhost"),
            rows,
            options: vec![(FORMAT.name, "csv".to_owned())],
        };
        assert!(check(&input(EngineRows::Path("a.csv".to_owned()))).is_ok());
        let complaint = check(&input(EngineRows::Table("people".to_owned()))).unwrap_err();
        assert_eq!(complaint.key, "format");
    }
}
