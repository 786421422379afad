//! How likely is somebody found again?

use super::Subject;
use super::page::{Page, Table, header};
use crate::safe::{Safe, say};
use shoal::risk::{Known, Reidentification, Risk};

/// The risk figures. Those of records can be worked out from the release; who belongs together it need not show, so that of people and
/// households shares are told as of the original. The highest risk says how few share a class, and that is told anyway.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    let Some(risk) = &subject.audit.risk else {
        page.say("Quasi-identifiers are published as they are: every record can be found, by design. What is hidden is which sensitive value belongs to which.");
        return;
    };
    let row = |name: &'static str, risk: &Reidentification| {
        let share = Safe::share_of_release;
        vec![Safe::words(name), share(risk.highest), share(risk.average), share(risk.share_at_risk)]
    };
    let mut rows = vec![row("Prosecutor: knows that the record is in the table", &risk.prosecutor)];
    if risk.known != Known::Nothing {
        rows.push(row("Journalist: looks for anybody of the population", &risk.journalist));
        rows.push(row("Marketer: matches as many as possible", &risk.marketer));
    }
    if let Some(people) = &subject.audit.people {
        let (highest, average) = people.risk();
        let share = |share| subject.rule.share(share, people.count);
        rows.push(vec![
            Safe::words("The same by people: knows one row of somebody, and that they are in the table"),
            Safe::share_of_release(highest),
            share(average),
            share(people.share_above(risk.threshold)),
        ]);
    }
    if let Some(households) = &subject.audit.households {
        let share = |share| subject.rule.share(share, households.count);
        rows.push(vec![
            Safe::words("By households: finds any member of one"),
            Safe::share_of_release(households.highest),
            share(households.average),
            share(households.share_at_risk),
        ]);
    }
    let threshold = Safe::share_of_release(risk.threshold);
    let mut names = header(&["Attacker", "#Highest", "#Average"]);
    names.push((say!("Records above {}", threshold), true));
    page.table(&Table {
        caption: Safe::words("The chance that an attacker picks the right record"),
        header: names,
        rows,
    });
    if risk.known == Known::Nothing {
        page.say("Somebody who does not know whether the table has the record has no more than that.");
    }
    alone(risk, page);
    subsets(risk, page);
    safe_harbor(risk, page);
}

/// The columns of each item that is not to be in a release under that rule.
fn safe_harbor(risk: &Risk, page: &mut Page) {
    let mut items: Vec<(char, &'static str, Vec<Safe>)> = Vec::new();
    for found in &risk.safe_harbor {
        let column = Safe::of_policy(found.column.clone());
        match items.iter_mut().find(|(item, ..)| *item == found.item) {
            Some((_, _, columns)) => columns.push(column),
            None => items.push((found.item, found.what, vec![column])),
        }
    }
    if items.is_empty() {
        return;
    }
    let row = |(item, what, columns): (char, &'static str, Vec<Safe>)| {
        vec![say!("({}) {}", Safe::of_policy(item.to_string()), Safe::words(what)), Safe::listed(&columns)]
    };
    page.table(&Table {
        caption: Safe::words("Warning: columns that look like identifiers of HIPAA's Safe Harbor, which are not to be in a release under that rule"),
        header: header(&["Identifier", "Columns"]),
        rows: items.into_iter().map(row).collect(),
    });
}

fn alone(risk: &Risk, page: &mut Page) {
    let alone = risk.uniqueness.sample_records;
    match alone {
        0 => page.say("No record is alone with its combination of quasi-identifiers."),
        _ => page.paragraph(&say!("Alone in its class: {}.", Safe::of_release(alone, "record"))),
    };
}

fn subsets(risk: &Risk, page: &mut Page) {
    let all = risk.quasi.len();
    let of_size = |size: usize| risk.subsets.found.iter().find(|subset| subset.columns.len() == size);
    let rows = (1..=all).filter(|&size| size <= 4 || size == all).filter_map(of_size).map(|subset| {
        let names: Vec<Safe> =
            subset.columns.iter().map(|&column| Safe::of_policy(risk.quasi[column].clone())).collect();
        let name = if names.len() > 4 {
            say!("all {}", Safe::whole_of_release(names.len() as u64))
        } else {
            Safe::joined(&names, " + ")
        };
        let separation = subset.grouping.separation().map_or(Safe::words("–"), Safe::share_of_release);
        let unique = subset.grouping.alone as f64 / subset.grouping.rows.max(1) as f64;
        vec![name, separation, Safe::share_of_release(unique)]
    });
    page.table(&Table {
        caption: Safe::words("The most telling columns of the release: how many pairs of records they tell apart, and how many they single out"),
        header: header(&["Columns", "#Pairs told apart", "#Unique records"]),
        rows: rows.collect(),
    });
}
