//! What can only be said of a policy as a whole?

use super::Parser;
use crate::policy::Policy;
use crate::policy::identifiers::Replacement;
use crate::policy::sections::{ColumnPolicy, Required, Role};
use shoal_core::error::nearest;
use shoal_core::method::{Ends, Knows, LabelStyle, Method, Numbers, Suppress};
use shoal_core::model::Scope;
use shoal_core::warning::Warning;
use shoal_core::{Error, Result};

impl Parser<'_> {
    /// Refuses what does not go together, and warns of what is allowed but probably not meant.
    pub(super) fn check_whole(&self, mut policy: Policy) -> Result<Policy> {
        if policy.with_role(Role::QuasiIdentifier).next().is_none() {
            return Err(Error::policy(format!("{}: no column is a quasi-identifier", self.name)).hint(
                "give `role = \"quasi-identifier\"` to what somebody could know of a person, such as age or zip code",
            ));
        }
        if policy.requirements.is_empty() {
            return Err(Error::policy(format!("{}: the policy requires nothing", self.name))
                .hint("add [[require]] with model = \"k-anonymity\" and k = 5; `shoal explain` lists the models"));
        }
        if policy.method.suppress == Suppress::People && policy.input.person.is_none() {
            return Err(Error::policy(format!(
                "{}: `suppress = \"people\"`, and nothing says whose a row is",
                self.name
            ))
            .hint("name the column that does as `person` in [input]"));
        }
        if let Some(error) = self.shown_people(&policy) {
            return Err(error);
        }
        let sensitive: Vec<String> = policy.with_role(Role::Sensitive).map(|column| column.name.clone()).collect();
        for required in policy.requirements.iter().filter(|required| required.parameters.scope() != Scope::Table) {
            if let Some(error) = self.wrong_column(&policy, &sensitive, required) {
                return Err(error.at(&required.place));
            }
        }
        policy.refuse_link_columns(policy.columns.iter().map(|column| &column.name)).map_err(|e| e.at(self.name))?;
        if let Some((engine, column)) =
            policy.input.engine.as_ref().zip(policy.columns.iter().find(|column| column.publish.is_some()))
        {
            let name = engine.address.engine().name;
            return Err(Error::policy(format!(
                "`publish` of `{}` is for tables that are read here, and this one is in {name}",
                column.name
            ))
            .at(&column.place)
            .hint(format!("round or bound the numbers in a query or view of {name}, and leave `publish` out")));
        }
        if let Some((engine, household)) = policy.input.engine.as_ref().zip(policy.input.household.as_ref()) {
            let name = engine.address.engine().name;
            return Err(Error::policy(format!(
                "`household` is for tables that are read here, and this one is in {name}"
            ))
            .at(&household.place)
            .hint("leave it out, and ask `shoal audit --household` about a table that shows people and households"));
        }
        let of_ranges = self.check_two_columns(&policy)?;
        policy.warnings.extend(warnings(&policy));
        policy.warnings.extend(of_ranges);
        Ok(policy)
    }

    /// Whoever finds one row of somebody finds them all, where each shows the same name: no promise about one row is true then.
    fn shown_people(&self, policy: &Policy) -> Option<Error> {
        let person = policy.input.person.as_ref().filter(|_| policy.input.knows == Knows::OneRow)?;
        let column = policy.column(&person.column).filter(|column| column.replace.is_some())?;
        let name = &column.name;
        let error = Error::policy(format!(
            "`{name}` says whose a row is, and a name in its place would show which rows are one person's"
        ));
        let found = "whoever finds one row of somebody would find all of theirs, with the sensitive values of each";
        let hint = format!(
            "leave `replace` of `{name}` out, and the release does not show it; or say `knows = \"all-rows\"` in [input], and requirements \
             reckon with whoever knows all rows of a person"
        );
        Some(error.at(&column.place).detail(found).hint(hint))
    }

    fn wrong_column(&self, policy: &Policy, sensitive: &[String], required: &Required) -> Option<Error> {
        let id = required.parameters.id();
        let Some(name) = &required.column else {
            return sensitive.is_empty().then(|| {
                Error::policy(format!("`{id}` needs a sensitive column, and the policy has none"))
                    .hint("give a column `role = \"sensitive\"`")
            });
        };
        if sensitive.contains(name) {
            return None;
        }
        if policy.column(name).is_some() {
            let error = Error::policy(format!("`{id}` is about a sensitive column, and `{name}` is none"));
            return Some(
                error.hint(format!("give [columns.\"{name}\"] `role = \"sensitive\"`, or name another column")),
            );
        }
        let error = Error::policy(format!("the policy has no column `{name}`"));
        Some(match nearest(name, sensitive.iter().map(String::as_str)) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        })
    }
}

/// What is allowed but probably not meant.
fn warnings(policy: &Policy) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let (method, LabelStyle { numbers, ends, .. }) = (&policy.method.method, policy.method.style);
    if ends == Ends::Exact && numbers == Numbers::Ranges {
        let text = "`ends = \"exact\"`: where a class shows a range, it begins and ends with somebody's own value";
        warnings.push(Warning::new("exact-ends", text));
    }
    warnings.extend(method.warning());
    if policy.output.sensitive_path.is_some() && method.separates().is_none() {
        let id = method.id();
        let text = format!("`sensitive-path` does nothing: `{id}` leaves sensitive values in their rows");
        warnings.push(Warning::new("unused-key", text));
    }
    warnings.extend(policy.columns.iter().filter_map(|column| hierarchy_warning(column, method.as_ref())));
    warnings.extend(policy.columns.iter().filter_map(|column| replacement_warning(policy, column)));
    warnings.extend(policy.readable_keys());
    warnings.extend(policy.requirements.iter().filter_map(|required| {
        let text = required.parameters.warning()?;
        Some(Warning::new("weak-requirement", format!("{}: {text}", required.place)))
    }));
    warnings
}

/// A hierarchy that is missing, or that nothing needs.
fn hierarchy_warning(column: &ColumnPolicy, method: &dyn Method) -> Option<Warning> {
    let name = &column.name;
    match (column.role, &column.hierarchy) {
        (Role::QuasiIdentifier, None) if method.separates().is_none() => {
            // Local methods make ranges, sets and means of what has an order.
            let shown = match method.is_local() {
                true => "texts are shown as they are or not at all, numbers and dates as the method makes them",
                false => "its values are shown as they are or not at all",
            };
            Some(Warning::new("no-hierarchy", format!("column `{name}` has no hierarchy: {shown}")))
        }
        (Role::Identifier | Role::Insensitive, Some(_)) => Some(Warning::new(
            "unused-key",
            format!(
                "the hierarchy of column `{name}` is not used: only quasi-identifiers and sensitive columns need one"
            ),
        )),
        _ => None,
    }
}

/// What everybody should know who publishes a name in place of an identifier.
fn replacement_warning(policy: &Policy, column: &ColumnPolicy) -> Option<Warning> {
    let name = &column.name;
    let rows = match (&policy.input.person, policy.input.knows) {
        (None, _) => "requirements count rows, not people: somebody with several rows is several records to them",
        (Some(_), Knows::OneRow) => {
            "whoever finds one row of somebody finds all of them: requirements count people in each class, not who has the same rows"
        }
        (Some(person), Knows::AllRows) if person.column == *name => {
            "requirements reckon with whoever knows the quasi-identifiers of all rows of a person, and of one release alone"
        }
        (Some(_), Knows::AllRows) => {
            "requirements reckon with whoever knows which rows are one person's, and with no other rows that belong together"
        }
    };
    let text = match column.replace.as_ref()? {
        Replacement::Pseudonym { domain, .. } => {
            let (domain, columns) = match domain {
                Some(_) => (" and domain", ""),
                None => ("", " and in every column without a `domain`"),
            };
            format!(
                "pseudonyms of `{name}` are the same in every release with the same key{domain}{columns}, so that whoever has two \
                 of them can join their rows; and {rows}"
            )
        }
        Replacement::Random => format!("`{name}` shows which rows had the same value; and {rows}"),
    };
    Some(Warning::new("linkable-rows", text))
}
