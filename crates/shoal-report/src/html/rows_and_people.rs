//! Are the rows that are counted people?

use super::Subject;
use super::page::Page;
use crate::safe::{Safe, say};
use shoal::audit::{AuditedPeople, LinkedPeople};
use shoal::meaning::repeats::Repeats;
use shoal_core::frequency::QuasiColumn;
use shoal_core::page::EACH_ROW_IS_ONE_PERSON;

/// What speaks against it, before anything is promised.
pub(super) fn warn(subject: &Subject<'_>, page: &mut Page) {
    let repeats = &subject.audit.repeats;
    if repeats.is_empty() || subject.counts_people() {
        return;
    }
    let is_likely = repeats.iter().any(Repeats::is_likely);
    page.raw("<div class=\"verdict no\">\n<p>")
        .raw(if is_likely { "Rows do not seem to be people." } else { "Rows may not be people." })
        .raw("</p>\n<ul>\n");
    for repeats in repeats {
        page.raw("<li>").text(&Safe::of_repeats(repeats, subject.rule)).raw(".</li>\n");
    }
    for sentence in subject.audit.people.iter().flat_map(|people| by_people(subject, people)) {
        page.raw("<li>").text(&sentence).raw("</li>\n");
    }
    page.raw("</ul>\n</div>\n");
}

/// What classes of rows are worth to people.
fn by_people(subject: &Subject<'_>, people: &AuditedPeople) -> Vec<Safe> {
    let fewer_than = |count: u64| people.sizes.range(..count).map(|(_, classes)| classes).sum::<u64>();
    let classes = people.sizes.values().sum::<u64>();
    let mut said = vec![say!(
        "If so, {} of {} have rows of one person only; in such a class: {}.",
        Safe::whole_of_release(fewer_than(2)),
        Safe::of_release(classes, "class"),
        Safe::of_release(people.alone, "person")
    )];
    if let Some(k) = subject.smallest_k() {
        said.push(say!(
            "At least {} were asked for, which counts rows: {} of {} have rows of fewer than {} people.",
            Safe::whole_of_release(k),
            Safe::whole_of_release(fewer_than(k)),
            Safe::of_release(classes, "class"),
            Safe::whole_of_release(k)
        ));
    }
    said.extend(in_common(subject, people));
    said
}

/// In which classes everybody has a value, and in which some value is far commoner than among all.
fn in_common(subject: &Subject<'_>, people: &AuditedPeople) -> Vec<Safe> {
    let column = |name: &String| Safe::of_policy(name.clone());
    let (certain, none): (Vec<_>, Vec<_>) = people.homogeneous.iter().partition(|found| found.classes > 0);
    let certain = certain.into_iter().map(|found| {
        say!(
            "In {} everybody has some {} in common: that of {} is certain.",
            Safe::of_release(found.classes, "class"),
            column(&found.column),
            subject.rule.counted(found.people, "person")
        )
    });
    let none: Vec<Safe> = none.into_iter().map(|found| column(&found.column)).collect();
    let none = (!none.is_empty())
        .then(|| say!("In no class has everybody a value of {} in common.", Safe::joined(&none, " or ")));
    let skewed = people.skewed.iter().filter(|found| found.classes > 0).map(|found| {
        say!(
            "In {} some {} is far commoner than among all people: {} are in one of them.",
            Safe::of_release(found.classes, "class"),
            column(&found.column),
            subject.rule.counted(found.people, "person")
        )
    });
    // Whoever was left out has a part in what the original says.
    let linked = people.linked.iter().filter(|linked| subject.rule.tells_figures(linked.people));
    certain.chain(none).chain(skewed).chain(linked.map(|linked| linked_people(subject, linked))).collect()
}

/// How many people whoever has the original finds by a row of theirs.
fn linked_people(subject: &Subject<'_>, linked: &LinkedPeople) -> Safe {
    match linked.linked_to_one {
        0 => say!("Nobody of the original has a row that fits records of one person only."),
        found => say!(
            "Whoever has the original links {} to records of one person only, by a row of theirs.",
            subject.rule.counted(found, "person")
        ),
    }
}

/// Which columns belong to the person and which to the row, as the table tells: a yes or no about all of its people.
fn columns_of_people(subject: &Subject<'_>) -> Option<Safe> {
    let table = subject.report.run.as_ref()?.release.table();
    let constant = &table.people.as_ref()?.constant;
    let (of_person, of_row): (Vec<_>, Vec<_>) = table.quasi.iter().zip(constant).partition(|(_, constant)| **constant);
    let names = |columns: Vec<(&QuasiColumn, &bool)>| -> Vec<Safe> {
        columns.into_iter().map(|(column, _)| Safe::of_policy(column.name.clone())).collect()
    };
    Some(match (names(of_person).as_slice(), names(of_row).as_slice()) {
        (of_person, []) => say!("Everybody has one {} in all of their rows.", Safe::listed(of_person)),
        ([], of_row) => say!("People have rows with different {}.", Safe::listed(of_row)),
        (of_person, of_row) => say!(
            "Everybody has one {} in all of their rows; from row to row there are different values of {}.",
            Safe::listed(of_person),
            Safe::listed(of_row)
        ),
    })
}

/// What all that is said of people rests on.
pub(super) fn say(subject: &Subject<'_>, page: &mut Page) {
    match &subject.audit.people {
        Some(people) if subject.counts_people() => {
            let fewest = people.sizes.keys().next().copied().unwrap_or(0);
            page.paragraph(&say!(
                "Promises count people, however many rows each has: {} of {}, at least {} in each class. What is said of records is about rows.",
                Safe::of_release(subject.audit.rows, "row"),
                Safe::of_release(people.count, "person"),
                Safe::whole_of_release(fewest)
            ));
            for sentence in columns_of_people(subject).into_iter().chain(in_common(subject, people)) {
                page.paragraph(&sentence);
            }
        }
        _ if subject.audit.repeats.is_empty() && !subject.counts_people() => {
            page.say(EACH_ROW_IS_ONE_PERSON);
        }
        _ => {}
    }
}
