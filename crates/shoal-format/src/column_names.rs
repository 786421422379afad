//! Can these be the names of a table's columns?

use hashbrown::HashMap;

use super::MOST_COLUMNS;
use shoal_core::{Error, Result};

/// Refuses names by which a column could not be found again.
pub(super) fn check(names: &[String]) -> Result<()> {
    check_count(names.len())?;
    let mut places = HashMap::new();
    for (at, name) in names.iter().enumerate() {
        let place = at + 1;
        if name.trim().is_empty() {
            return Err(Error::table(format!("column {place} of {} has no name", names.len())));
        }
        if let Some(earlier) = places.insert(name.as_str(), place) {
            return Err(Error::table(format!("columns {earlier} and {place} are both named `{name}`")));
        }
    }
    Ok(())
}

/// Gives a name to each column that has none: that of its place, as in files without a header. R and pandas write the numbers of
/// rows into such a column.
pub(super) fn completed(mut names: Vec<String>) -> Result<Vec<String>> {
    for (at, name) in names.iter_mut().enumerate().filter(|(_, name)| name.trim().is_empty()) {
        *name = format!("column{}", at + 1);
    }
    check(&names)?;
    Ok(names)
}

/// Refuses more columns than a table of records can have.
pub(super) fn check_count(columns: usize) -> Result<()> {
    match columns {
        ..=MOST_COLUMNS => Ok(()),
        _ => Err(Error::table(format!("there are more than {MOST_COLUMNS} columns"))
            .hint("one row is one record; is the table turned on its side, or its delimiter another one?")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        check(&names).expect_err("refused").message().to_owned()
    }

    #[test]
    fn a_column_without_a_name_is_called_after_its_place() {
        let completed = |names: [&str; 3]| completed(names.map(str::to_owned).to_vec());
        assert_eq!(completed(["", "age", " "]).expect("names"), ["column1", "age", "column3"]);
        let error = completed(["", "column1", "age"]).expect_err("both have one name");
        assert_eq!(error.message(), "columns 1 and 2 are both named `column1`");
    }

    #[test]
    fn names_must_be_there_and_differ() {
        assert!(check(&["age".to_owned(), "Age".to_owned()]).is_ok());
        assert_eq!(refusal(&["age", "zip", "age"]), "columns 1 and 3 are both named `age`");
        assert_eq!(refusal(&["age", " "]), "column 2 of 2 has no name");
        let many: Vec<String> = (0..=MOST_COLUMNS).map(|at| at.to_string()).collect();
        assert!(check(&many[1..]).is_ok());
        assert_eq!(check(&many).expect_err("too many").message(), "there are more than 65536 columns");
    }
}
