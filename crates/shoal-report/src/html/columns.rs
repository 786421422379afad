//! What has become of each column?

use super::distribution::Distribution;
use super::figure::{Described, bars, has_open};
use super::page::{Page, Table, header};
use super::{MOST_NAMED, Subject};
use crate::safe::{Safe, ShareWithin, say};
use crate::summary::published_numbers;

/// Bars of every column, the original beside the release where the rule allows it.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    if subject.is_separated() {
        page.say("All quasi-identifiers are published as they are; of sensitive columns, the second table says how often each value occurs in each class.");
    }
    for (name, publish) in subject.report.policy.into_iter().flat_map(published_numbers) {
        page.paragraph(&say!(
            "Numbers of {} are published {}. This was done before anything was counted, and what is said of the original is said of them.",
            Safe::of_policy(name.to_owned()),
            Safe::of_policy(publish.to_string())
        ));
    }
    let quasi = subject.audit.shown.len() - subject.sensitive_count();
    let drawn: Vec<(usize, Distribution)> = (0..subject.audit.shown.len())
        .filter(|&column| !(subject.is_separated() && column < quasi))
        .map(|column| (column, Distribution::new(subject, column)))
        .collect();
    explain(subject, page, &drawn);
    let (same, drawn): (Vec<_>, Vec<_>) = drawn.into_iter().partition(|(_, distribution)| distribution.bars.len() == 1);
    same_everywhere(subject, page, &same);
    let (first, more) = drawn.split_at(drawn.len().min(MOST_DRAWN));
    figures(subject, page, first);
    if !more.is_empty() {
        page.raw("<details><summary>").text(&say!("{} more columns", Safe::whole_of_release(more.len() as u64)));
        page.raw("</summary>\n");
        figures(subject, page, more);
        page.raw("</details>\n");
    }
}

/// The columns that show one label in every row, by that label.
fn same_everywhere(subject: &Subject<'_>, page: &mut Page, same: &[(usize, Distribution)]) {
    let mut by_label: Vec<(&Safe, Vec<Safe>)> = Vec::new();
    for (column, distribution) in same {
        let name = Safe::of_policy(subject.audit.shown[*column].name.clone());
        let label = &distribution.bars[0].0;
        match by_label.iter_mut().find(|(known, _)| *known == label) {
            Some((_, names)) => names.push(name),
            None => by_label.push((label, vec![name])),
        }
    }
    for (label, names) in by_label {
        if names.len() <= MOST_NAMED {
            page.paragraph(&say!("{} in every row: {}.", label.clone(), Safe::listed(&names)));
            continue;
        }
        let count = Safe::whole_of_release(names.len() as u64);
        page.raw("<details><summary>").text(&say!("{} in every row: {} columns", label.clone(), count));
        page.raw("</summary>\n").paragraph(&Safe::listed(&names)).raw("</details>\n");
    }
}

/// More columns than that are folded.
const MOST_DRAWN: usize = 12;

fn figures(subject: &Subject<'_>, page: &mut Page, drawn: &[(usize, Distribution)]) {
    page.raw("<div class=\"pair\">\n");
    for (column, distribution) in drawn {
        page.raw("<div>\n");
        one(subject, page, *column, distribution);
        page.raw("</div>\n");
    }
    page.raw("</div>\n");
}

fn explain(subject: &Subject<'_>, page: &mut Page, drawn: &[(usize, Distribution)]) {
    let bars = || drawn.iter().map(|(_, distribution)| distribution.bars.as_slice());
    if !bars().flatten().any(|bar| bar.1.is_some()) {
        page.say("The share of rows with each label of the release.");
        return;
    }
    page.raw("<ul class=\"legend\"><li><span class=\"original\"></span>");
    page.raw(match bars().any(has_open) {
        true => "original, at least</li><li><span class=\"open\"></span>original, at most</li>",
        false => "original</li>",
    });
    page.raw("<li><span class=\"release\"></span>release</li></ul>\n");
    let threshold = Safe::whole_of_release(subject.rule.threshold());
    page.paragraph(&say!(
        "The share of rows with each label of the release, and the share of original rows that the label stands for. Of the \
         original a page may tell only within which bounds a share lies, such as 15–20%, and these leave at least {} counts possible, or \
         all that the release itself does: so a difference never tells about a few suppressed rows. Original values that the \
         release does not show are not listed.",
        threshold
    ));
}

fn one(subject: &Subject<'_>, page: &mut Page, column: usize, distribution: &Distribution) {
    let name = Safe::of_policy(subject.audit.shown[column].name.clone());
    page.element("h3", &name).raw("\n");
    let described = Described::new(
        "column",
        column,
        say!("Distribution of {}", name),
        say!(
            "Bars for {} labels; the table below has the numbers.",
            Safe::whole_of_release(distribution.bars.len() as u64)
        ),
    );
    page.figure(&bars(&described, &distribution.bars), &distribution.note);
    let has_before = distribution.bars.iter().any(|bar| bar.1.is_some());
    let row = |(label, before, after): &super::figure::Bar| {
        let before = before.map_or(Safe::words("–"), ShareWithin::text);
        match has_before {
            true => vec![label.clone(), before, after.text()],
            false => vec![label.clone(), after.text()],
        }
    };
    page.folded_table(
        "The same as a table",
        &Table {
            caption: say!("Share of rows by {}", name),
            header: if has_before {
                header(&["Label", "#Original", "#Release"])
            } else {
                header(&["Label", "#Release"])
            },
            rows: distribution.bars.iter().map(row).collect(),
        },
    );
}
