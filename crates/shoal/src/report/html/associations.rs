//! Do columns that belonged together still do?

use super::Subject;
use super::figure::{Described, heat_map};
use super::page::Page;
use crate::report::safe::{Safe, say};
use crate::utility::Association;

/// Heat maps of association, before and after.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    let Some(utility) = &subject.audit.utility else { return };
    let names: Vec<String> = subject.audit.shown.iter().map(|column| column.name.clone()).collect();
    let columns: Vec<Safe> = names.iter().map(|name| Safe::of_policy(name.clone())).collect();
    page.say(
        "How much each two columns tell about one another (Cramér's V): 0 means nothing, 1 that one tells the other. What is lost \
         between the two maps is what analyses of the release can no longer find.",
    );
    let matrix = |value: &dyn Fn(&Association) -> f64| {
        let of_pair = |a: &String, b: &String| {
            let found = utility.associations.iter().find(|found| {
                (found.columns[0] == *a && found.columns[1] == *b) || (found.columns[0] == *b && found.columns[1] == *a)
            });
            if a == b { 1.0 } else { found.map_or(f64::NAN, value) }
        };
        names.iter().map(|a| names.iter().map(|b| of_pair(a, b)).collect()).collect::<Vec<Vec<f64>>>()
    };
    page.raw("<div class=\"pair\">\n");
    let before = matrix(&|found| subject.rule.value(found.original, utility.rows));
    let described = Described::new(
        "association",
        0,
        Safe::words("Association of each two columns in the original"),
        strongest(&utility.associations, |found| subject.rule.value(found.original, utility.rows)),
    );
    page.raw("<div>\n<h3>Original</h3>\n");
    page.figure(&heat_map(&described, &columns, before), &Safe::words("")).raw("</div>\n");
    let described = Described::new(
        "association",
        1,
        Safe::words("Association of each two columns in the release"),
        strongest(&utility.associations, |found| found.release),
    );
    page.raw("<div>\n<h3>Release</h3>\n");
    page.figure(&heat_map(&described, &columns, matrix(&|found| found.release)), &Safe::words(""))
        .raw("</div>\n</div>\n");
}

/// The strongest association in a sentence.
fn strongest(all: &[Association], value: impl Fn(&Association) -> f64) -> Safe {
    let Some(most) = all.iter().max_by(|a, b| value(a).total_cmp(&value(b))) else { return Safe::words("") };
    let [a, b] = most.columns.clone().map(Safe::of_policy);
    say!("Strongest between {} and {}: {}.", a, b, Safe::number_of_release((value(most) * 100.0).round() / 100.0))
}
