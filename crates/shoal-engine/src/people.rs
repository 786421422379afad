//! Whose is a row of an engine's table? Everybody gets a number where the table is, and nothing else is told of them.

use shoal_core::Result;

use crate::column::{EngineColumn, ValueKind};
use crate::count::has_value;
use crate::dialect::SqlDialect;
use crate::engine::Engine;

/// What following queries know everybody's number by: a table with the columns `value` and `number`.
const PEOPLE: &str = "shoal_people";

/// The people of a table, each under a number.
#[derive(Debug, Clone)]
pub struct NumberedPeople {
    /// The column that says whose row it is.
    column: EngineColumn,
    /// The texts that mark a missing value.
    missing: Vec<String>,
    /// The column of their numbers, wherever rows have one: in what is read and in what is staged.
    pub number: EngineColumn,
}

impl NumberedPeople {
    /// The people that a column names, in a table with these columns.
    pub fn new(column: &EngineColumn, all: &[EngineColumn], missing: &[String]) -> Self {
        let mut name = "shoal_person".to_owned();
        // Some engines tell names apart by more than their case, and some do not.
        while all.iter().any(|column| column.name.eq_ignore_ascii_case(&name)) {
            name.push('_');
        }
        let number = EngineColumn { name, type_name: "bigint".to_owned(), kind: Some(ValueKind::Integer) };
        Self { column: column.clone(), missing: missing.to_vec(), number }
    }

    /// Lets an engine give everybody a number.
    pub fn send(&self, engine: &mut dyn Engine, input: &str) -> Result<()> {
        let query = self.numbers(engine.dialect(), input);
        engine.keep(PEOPLE, &query)
    }

    /// Everybody who is named, and their number: 0, 1, .. in the order of their names, as a dictionary has them. So the numbers do not depend on
    /// where rows are stored, and neither does a release.
    fn numbers(&self, dialect: &dyn SqlDialect, input: &str) -> String {
        let expression = format!("s.{}", dialect.name(&self.column.name));
        let (key, is_named) = (dialect.key(&self.column, &expression), has_value(dialect, &expression, &self.missing));
        format!(
            "SELECT d.value, CAST(row_number() OVER (ORDER BY d.value) - 1 AS bigint) AS number \
             FROM (SELECT DISTINCT {key} AS value FROM {input} AS s WHERE {is_named}) AS d"
        )
    }

    /// The table with everybody's number behind its columns, as it stands after FROM; there is none where it is missing whose row it is.
    pub fn numbered(&self, dialect: &dyn SqlDialect, input: &str) -> String {
        let key = dialect.key(&self.column, &format!("t.{}", dialect.name(&self.column.name)));
        let number = dialect.name(&self.number.name);
        format!("(SELECT t.*, w.number AS {number} FROM {input} AS t LEFT JOIN {PEOPLE} AS w ON {key} = w.value)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_of_numbers_takes_nobodys_name() {
        let column = |name: &str| EngineColumn { name: name.to_owned(), type_name: "text".to_owned(), kind: None };
        let name = |names: &[&str]| {
            let all: Vec<EngineColumn> = names.iter().map(|name| column(name)).collect();
            NumberedPeople::new(&all[0], &all, &[]).number.name
        };
        assert_eq!(name(&["patient"]), "shoal_person");
        assert_eq!(name(&["patient", "Shoal_Person", "shoal_person_"]), "shoal_person__");
    }
}
