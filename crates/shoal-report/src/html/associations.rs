//! Do columns that belonged together still do?

use super::Subject;
use super::figure::{Described, heat_map};
use super::page::Page;
use crate::safe::{Safe, say};
use shoal::utility::Association;

/// Heat maps of association, before and after.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    let Some(utility) = &subject.audit.utility else { return };
    let names = most_telling(subject, &utility.associations);
    let columns: Vec<Safe> = names.iter().map(|name| Safe::of_policy(name.clone())).collect();
    page.say(
        "How much each two columns tell about one another (Cramér's V): 0 means nothing, 1 that one tells the other. What is lost \
         between the two maps is what analyses of the release can no longer find.",
    );
    if names.len() < subject.audit.shown.len() {
        page.paragraph(&say!(
            "Shown are the {} of {} columns that belong to the strongest pairs of the two tables.",
            Safe::whole_of_release(names.len() as u64),
            Safe::whole_of_release(subject.audit.shown.len() as u64)
        ));
    }
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

/// A map of more columns cannot be read.
const MOST_COLUMNS: usize = 12;

/// The columns, in their order; of too many, those of the strongest pairs. What is told of the original is told by its rounded figures
/// alone, and so they decide.
fn most_telling(subject: &Subject<'_>, all: &[Association]) -> Vec<String> {
    let shown = || subject.audit.shown.iter().map(|column| column.name.clone());
    if subject.audit.shown.len() <= MOST_COLUMNS {
        return shown().collect();
    }
    let rows = subject.audit.utility.as_ref().map_or(0, |utility| utility.rows);
    let strength = |found: &Association| subject.rule.value(found.original, rows).max(found.release);
    let mut pairs: Vec<&Association> = all.iter().filter(|found| !strength(found).is_nan()).collect();
    pairs.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let mut telling: Vec<&String> = Vec::new();
    for column in pairs.iter().flat_map(|found| &found.columns) {
        if telling.len() < MOST_COLUMNS && !telling.contains(&column) {
            telling.push(column);
        }
    }
    shown().filter(|name| telling.contains(&name)).collect()
}

/// The strongest association in a sentence.
fn strongest(all: &[Association], value: impl Fn(&Association) -> f64) -> Safe {
    let Some(most) = all.iter().max_by(|a, b| value(a).total_cmp(&value(b))) else { return Safe::words("") };
    let [a, b] = most.columns.clone().map(Safe::of_policy);
    say!("Strongest between {} and {}: {}.", a, b, Safe::number_of_release((value(most) * 100.0).round() / 100.0))
}
