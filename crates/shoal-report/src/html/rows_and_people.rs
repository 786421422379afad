//! Are the rows that are counted people?

use super::Subject;
use super::page::Page;
use crate::safe::Safe;
use shoal::meaning::repeats::Repeats;
use shoal_core::page::EACH_ROW_IS_ONE_PERSON;

/// What speaks against it, before anything is promised.
pub(super) fn warn(subject: &Subject<'_>, page: &mut Page) {
    let repeats = &subject.audit.repeats;
    if repeats.is_empty() {
        return;
    }
    let is_likely = repeats.iter().any(Repeats::is_likely);
    page.raw("<div class=\"verdict no\">\n<p>")
        .raw(if is_likely { "Rows do not seem to be people." } else { "Rows may not be people." })
        .raw("</p>\n<ul>\n");
    for repeats in repeats {
        page.raw("<li>").text(&Safe::of_repeats(repeats, subject.rule)).raw(".</li>\n");
    }
    page.raw("</ul>\n</div>\n");
}

/// What all that is said of people rests on, where nothing speaks against it.
pub(super) fn say(subject: &Subject<'_>, page: &mut Page) {
    if subject.audit.repeats.is_empty() {
        page.say(EACH_ROW_IS_ONE_PERSON);
    }
}
