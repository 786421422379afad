//! Are the rows that are counted people?

use super::Subject;
use super::page::Page;
use crate::safe::{Safe, say};
use shoal::audit::AuditedPeople;
use shoal::meaning::repeats::Repeats;
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
    said
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
        }
        _ if subject.audit.repeats.is_empty() => {
            page.say(EACH_ROW_IS_ONE_PERSON);
        }
        _ => {}
    }
}
