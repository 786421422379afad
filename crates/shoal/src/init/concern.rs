//! What should the owner of a table think about, and does it still hold once roles are others than the proposed ones?

use std::fmt;

use super::for_people::grouped;
use crate::policy::Role;

/// More columns are counted, not named.
const NAMED: usize = 3;

/// Something to think about. As text it is about the starter policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Concern {
    /// There is nobody to hide among.
    SingleRow,
    /// So many of the last rows look like what stands below a table.
    Below(usize),
    /// Each value of a column seems to be one person, and some have several rows.
    Repeats {
        /// The column.
        column: String,
        /// The rows that have a value.
        rows: u64,
        /// How many people they are of.
        people: u64,
        /// Does the policy count people by it?
        is_counted: bool,
    },
    /// All values of these columns are hidden.
    Hidden(Vec<String>),
    /// These columns look like free text, and are left out.
    FreeText(Vec<String>),
    /// These columns look like answers to the questions of a survey, and are left out.
    Answers(Vec<String>),
    /// These columns look like identifiers of Safe Harbor, each beside the item of its list.
    SafeHarbor(Vec<(String, String)>),
    /// No column is sensitive.
    NothingSensitive,
}

/// What a policy says of a column by now.
#[derive(Debug, Clone)]
pub struct ColumnNow {
    /// Its name.
    pub name: String,
    /// Its role; none where the policy says none.
    pub role: Option<Role>,
    /// Is the highest level the only one that it may have?
    pub is_hidden: bool,
}

impl Concern {
    /// What is left of it under a policy, if anything is; `person` is the column that people are counted by.
    pub fn under(&self, columns: &[ColumnNow], person: Option<&str>) -> Option<String> {
        let now = |name: &String| columns.iter().find(|column| column.name == *name);
        let role = |name: &String| now(name).and_then(|column| column.role);
        let some = |names: Vec<String>| (!names.is_empty()).then_some(names);
        let kept = |names: &[String], holds: &dyn Fn(&&String) -> bool| {
            some(names.iter().filter(holds).cloned().collect::<Vec<_>>())
        };
        let is_left_out = |name: &&String| matches!(role(name), None | Some(Role::Identifier));
        let left = match self {
            Concern::SingleRow => Concern::SingleRow,
            Concern::Below(rows) => Concern::Below(*rows),
            Concern::Repeats { column, rows, people, .. } => {
                let is_counted = person == Some(column.as_str());
                Concern::Repeats { column: column.clone(), rows: *rows, people: *people, is_counted }
            }
            Concern::Hidden(names) => {
                let is_hidden = |name: &&String| now(name).is_some_and(|column| column.is_hidden);
                Concern::Hidden(kept(names, &is_hidden)?)
            }
            Concern::FreeText(names) => Concern::FreeText(kept(names, &is_left_out)?),
            Concern::Answers(names) => Concern::Answers(kept(names, &is_left_out)?),
            Concern::SafeHarbor(found) => {
                let is_released = |(name, _): &&(String, String)| role(name) != Some(Role::Identifier);
                let found: Vec<_> = found.iter().filter(is_released).cloned().collect();
                Concern::SafeHarbor(Some(found).filter(|found| !found.is_empty())?)
            }
            Concern::NothingSensitive => {
                let is_sensitive = |column: &ColumnNow| column.role == Some(Role::Sensitive);
                Some(Concern::NothingSensitive).filter(|_| !columns.iter().any(is_sensitive))?
            }
        };
        Some(left.said_of("the policy"))
    }

    fn said_of(&self, policy: &str) -> String {
        match self {
            Concern::SingleRow => "the table has a single row, and no release can hide it among others".to_owned(),
            Concern::Below(rows) => {
                let (rows, verb) = match rows {
                    1 => ("row does".to_owned(), "it counts as a person"),
                    more => (format!("{} rows do", grouped(*more as u64)), "they count as people"),
                };
                format!(
                    "the last {rows} not look like people but like what stands below a table (a total, a source, blank rows): {verb}, and a word \
                     among numbers makes text of them; delete what is no row of the table"
                )
            }
            Concern::Repeats { column, rows, people, is_counted } => {
                let counts = match is_counted {
                    true => format!("so {policy} counts people (`person` in [input])"),
                    false => "and k-anonymity counts rows".to_owned(),
                };
                format!(
                    "values of `{column}` repeat: if each is one person, {} rows are those of {} people, {counts}",
                    grouped(*rows),
                    grouped(*people)
                )
            }
            Concern::Hidden(names) => {
                let which = named(names);
                format!(
                    "{policy} hides all values of {which}; leave out what nobody needs, then show some of them again"
                )
            }
            Concern::FreeText(names) => {
                let (looks, is) = if names.len() == 1 { ("looks", "is") } else { ("look", "are") };
                format!(
                    "{} {looks} like free text, in which anybody may be named, and {is} left out; no method makes such text vaguer",
                    named(names)
                )
            }
            Concern::Answers(names) => {
                let look = match names.as_slice() {
                    [only] => format!("`{only}` looks like an answer to a question of a survey and is left out"),
                    [first, ..] => {
                        let count = names.len();
                        format!(
                            "{count} columns look like answers to the questions of a survey (`{first}`, ..) and are left out"
                        )
                    }
                    [] => unreachable!("nobody thinks about no column"),
                };
                format!(
                    "{look}: whoever knows a few of them of a person would find that person's row. Make those `sensitive` that nobody else can \
                     know, which publishes them as they are, and those `quasi-identifier` that others could know and users need"
                )
            }
            Concern::SafeHarbor(found) => {
                let named: Vec<String> = found.iter().map(|(column, item)| format!("`{column}` ({item})")).collect();
                let looks = if found.len() == 1 { "looks like an identifier" } else { "look like identifiers" };
                format!(
                    "{} {looks} of HIPAA's Safe Harbor, which must not be in a release under that rule (`shoal explain safe-harbor`)",
                    named.join(", ")
                )
            }
            Concern::NothingSensitive => format!(
                "no column looks sensitive, so {policy} asks for k-anonymity only; make what nobody must learn about a person `sensitive`"
            ),
        }
    }
}

/// Some columns, of which the first are named.
fn named(columns: &[String]) -> String {
    let quoted: Vec<String> = columns.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    match columns.len() {
        ..=NAMED => quoted.join(", "),
        count => format!("{count} columns ({}, ..)", quoted.join(", ")),
    }
}

impl fmt::Display for Concern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said_of("the starter policy"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, role: Role, is_hidden: bool) -> ColumnNow {
        ColumnNow { name: name.to_owned(), role: Some(role), is_hidden }
    }

    #[test]
    fn what_another_role_has_settled_is_not_said_any_more() {
        let born = ("born".to_owned(), "C".to_owned());
        let zip = ("zip".to_owned(), "B".to_owned());
        let harbor = Concern::SafeHarbor(vec![born, zip]);
        let as_proposed = [column("born", Role::QuasiIdentifier, true), column("zip", Role::QuasiIdentifier, false)];
        assert!(harbor.under(&as_proposed, None).unwrap().starts_with("`born` (C), `zip` (B) look like identifiers"));
        let changed = [column("born", Role::Identifier, false), column("zip", Role::QuasiIdentifier, false)];
        assert!(harbor.under(&changed, None).unwrap().starts_with("`zip` (B) looks like an identifier"));
        let hidden = Concern::Hidden(vec!["born".to_owned()]);
        assert!(hidden.under(&as_proposed, None).unwrap().starts_with("the policy hides all values of `born`;"));
        assert_eq!(hidden.under(&changed, None), None);
        assert!(Concern::NothingSensitive.under(&changed, None).is_some());
        assert_eq!(Concern::NothingSensitive.under(&[column("ill", Role::Sensitive, false)], None), None);
        let answers = Concern::Answers(vec!["q1".to_owned(), "q2".to_owned()]);
        let one_is_published = [column("q2", Role::Sensitive, false)];
        assert!(answers.under(&one_is_published, None).unwrap().starts_with("`q1` looks like an answer to a question"));
        let repeats = Concern::Repeats { column: "id".to_owned(), rows: 1200, people: 600, is_counted: true };
        assert!(repeats.to_string().ends_with(
            "1,200 rows are those of 600 people, so the starter policy counts people (`person` in [input])"
        ));
        assert!(repeats.under(&[], Some("id")).unwrap().contains("so the policy counts people"));
        assert!(repeats.under(&[], None).unwrap().ends_with("and k-anonymity counts rows"));
    }
}
