//! Whose are the rows of a release, where people are counted?

use serde_json::{Value, json};

use super::{grouped, plural};
use shoal::outsider::MeasuredPeople;
use shoal::study::Release;
use shoal_core::method::Knows;

/// The people of a release beside those of its table.
pub(super) struct PeopleOfRelease<'a> {
    /// How many the table has.
    count: u64,
    measured: MeasuredPeople,
    /// The quasi-identifiers in which everybody has one value, and the others.
    of_person: Vec<&'a str>,
    of_row: Vec<&'a str>,
    /// What somebody is taken to know of them.
    knows: Knows,
}

impl<'a> PeopleOfRelease<'a> {
    /// Nothing, unless people are counted.
    pub(super) fn new(release: &'a Release) -> Option<Self> {
        let measured = release.measured.people?;
        let table = release.table();
        // Where everybody has one row, rows are people, and all that is known of one belongs to both.
        let count = table.people.as_ref().map_or(table.rows, |people| people.count);
        let is_of_person = |place: usize| table.people.as_ref().is_none_or(|people| people.constant[place]);
        let (of_person, of_row): (Vec<_>, Vec<_>) =
            table.quasi.iter().enumerate().partition(|(place, _)| is_of_person(*place));
        let names = |columns: Vec<(usize, &'a shoal_core::frequency::QuasiColumn)>| {
            columns.into_iter().map(|(_, column)| column.name.as_str()).collect()
        };
        let knows = release.policy().input.knows;
        Some(Self { count, measured, of_person: names(of_person), of_row: names(of_row), knows })
    }

    /// For programs.
    pub(super) fn to_json(&self) -> Value {
        let MeasuredPeople { count: released, fewest, most, classes_of_one } = self.measured;
        json!({
            "count": self.count,
            "released": released,
            "suppressed": self.count - released,
            "class_size": { "min": fewest, "max": most },
            "classes_of_one": classes_of_one,
            "columns_of_person": self.of_person,
            "columns_of_row": self.of_row,
            "knows": self.knows,
        })
    }

    /// Behind the number of rows.
    pub(super) fn headline(&self) -> String {
        match self.count - self.measured.count {
            0 => format!(" of all {}", plural(self.count, "person")),
            _ => format!(" of {} of {}", grouped(self.measured.count as i64), plural(self.count, "person")),
        }
    }

    /// What is said besides: which columns belong to the person and which to the row, as the table tells, and whether more is promised
    /// than to people of whom one row is known.
    pub(super) fn remarks(&self) -> String {
        let columns = self.columns();
        match self.knows {
            Knows::OneRow => columns,
            Knows::AllRows => {
                format!("{columns}\nrequirements hold, too, among people all of whose rows look the same")
            }
        }
    }

    fn columns(&self) -> String {
        match (self.of_person.as_slice(), self.of_row.as_slice()) {
            (of_person, []) => format!("everybody has one {} in all of their rows", of_person.join(", ")),
            ([], of_row) => format!("people have rows with different {}", of_row.join(", ")),
            (of_person, of_row) => format!(
                "everybody has one {} in all of their rows; {} {} from row to row",
                of_person.join(", "),
                of_row.join(", "),
                if of_row.len() == 1 { "differs" } else { "differ" }
            ),
        }
    }
}
