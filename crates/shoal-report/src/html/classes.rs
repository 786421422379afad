//! Among how many is every record hidden?

use super::Subject;
use super::figure::{Described, histogram};
use super::page::{Page, Table, header};
use crate::safe::{Safe, say};

/// Each size has a bar of its own up to so many sizes.
const MOST_BARS: u64 = 12;

/// The histogram of class sizes: all of it can be counted from the release.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    let audit = subject.audit;
    let mean = audit.rows as f64 / audit.measured.classes.max(1) as f64;
    page.paragraph(&say!(
        "Records that look the same to somebody who knows the quasi-identifiers form a class. There are {}, of {} on average; the \
         smallest has {}.",
        Safe::of_release(audit.measured.classes, "class"),
        Safe::of_release(mean.round() as u64, "record"),
        Safe::of_release(audit.measured.smallest, "record"),
    ));
    let ranges = ranges(audit.measured.smallest, audit.measured.largest);
    let bins: Vec<(Safe, u64, u64)> = ranges
        .iter()
        .map(|&(from, to)| {
            let sizes = audit.sizes.range(from..=to);
            let (classes, records) = sizes.fold((0, 0), |(c, r), (size, count)| (c + count, r + size * count));
            let (first, last) = (Safe::whole_of_release(from), Safe::whole_of_release(to));
            (if from == to { first } else { say!("{}–{}", first, last) }, classes, records)
        })
        .collect();
    let described = Described::new(
        "classes",
        0,
        Safe::words("Records by the size of their class"),
        say!(
            "The smallest class has {} and the largest {}; the table below has the numbers.",
            Safe::of_release(audit.measured.smallest, "record"),
            Safe::of_release(audit.measured.largest, "record")
        ),
    );
    let bars: Vec<(Safe, u64)> = bins.iter().map(|(label, _, records)| (label.clone(), *records)).collect();
    if bars.len() < 2 {
        return;
    }
    page.figure(&histogram(&described, ("records in the class", "records"), &bars, None), &Safe::words(""));
    let row = |(label, classes, records): &(Safe, u64, u64)| {
        let share = Safe::share_of_release(*records as f64 / audit.rows.max(1) as f64);
        vec![label.clone(), Safe::whole_of_release(*classes), Safe::whole_of_release(*records), share]
    };
    page.folded_table(
        "The same as a table",
        &Table {
            caption: Safe::words("Classes and records by the size of the class"),
            header: header(&["Size", "#Classes", "#Records", "#Share"]),
            rows: bins.iter().map(row).collect(),
        },
    );
}

/// Ranges of sizes: each by itself if they are few, otherwise growing by about the same factor.
fn ranges(smallest: u64, largest: u64) -> Vec<(u64, u64)> {
    if largest - smallest < MOST_BARS {
        return (smallest..=largest).map(|size| (size, size)).collect();
    }
    let (mut ranges, mut from) = (Vec::new(), smallest);
    for end in (0..).flat_map(|power| [2, 5, 10].map(|times: u64| times.saturating_mul(10u64.saturating_pow(power)))) {
        if end <= from {
            continue;
        }
        let to = (end - 1).min(largest);
        ranges.push((from, to));
        from = end;
        if to == largest {
            break;
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_every_size_once() {
        assert_eq!(ranges(5, 7), [(5, 5), (6, 6), (7, 7)]);
        assert_eq!(ranges(5, 120), [(5, 9), (10, 19), (20, 49), (50, 99), (100, 120)]);
        assert_eq!(ranges(1, 30), [(1, 1), (2, 4), (5, 9), (10, 19), (20, 30)]);
    }
}
