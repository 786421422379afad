//! What is it still good for?

use super::Subject;
use super::page::{Page, Table, header};
use crate::safe::{Safe, say};
use shoal::utility::Utility;
use shoal_core::objective::{Information, Loss, Objective, Precision};

/// What was lost, column by column, in answers and in predictions.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    let Some(utility) = &subject.audit.utility else { return };
    if subject.rule.hides_left_out() {
        page.say(
            "The release is not compared with its original here: what was left out is, or may be, of so few that their number is \
             not told, and it would follow from almost any figure of the original.",
        );
        return;
    }
    if !subject.rule.tells_figures(utility.rows) {
        page.say("The original has too few rows to compare the release with it without telling about single rows.");
        return;
    }
    learners(subject, utility, page);
    columns(subject, utility, page);
    let figure = |value: f64| subject.rule.figure(value, utility.rows);
    page.paragraph(&say!(
        "Count queries, such as how many are of some age, sex and occupation, are off by {}% of the right answer in the median \
         and by {}% at the 90th percentile, over {} random ones.",
        figure(utility.queries.median * 100.0),
        figure(utility.queries.ninth_decile * 100.0),
        Safe::whole_of_release(utility.queries.queries as u64)
    ));
    let losses = utility.losses.table.iter().map(|(id, value)| vec![Safe::words(id), figure(*value)]);
    page.folded_table(
        "What was lost, by every measure",
        &Table {
            caption: Safe::words("Loss of information over all columns; `shoal explain ID` says what each measures"),
            header: header(&["Measure", "#Value"]),
            rows: losses.collect(),
        },
    );
}

fn learners(subject: &Subject<'_>, utility: &Utility, page: &mut Page) {
    if utility.learned.is_empty() {
        return;
    }
    let row = |learned: &shoal::utility::Learned| {
        let share = |share: f64| subject.rule.share(share, learned.tested);
        vec![
            say!("{} of {}", Safe::words(learned.learner), Safe::of_policy(learned.target.clone())),
            share(learned.original),
            share(learned.release),
            share(learned.majority),
        ]
    };
    page.table(&Table {
        caption: Safe::words(
            "Right predictions for rows of the original that nobody has learned from, by somebody who learned from the rest of \
             the original, from the rest of the release, or who always says what is most frequent",
        ),
        header: header(&["Prediction", "#From the original", "#From the release", "#Most frequent"]),
        rows: utility.learned.iter().map(row).collect(),
    });
}

fn columns(subject: &Subject<'_>, utility: &Utility, page: &mut Page) {
    let rows = utility.losses.columns.iter().zip(&utility.marginals).map(|((name, losses), (_, distance))| {
        let figure = |value: f64| subject.rule.figure(value, utility.rows);
        let loss = |objective: &dyn Objective| {
            losses.iter().find(|(id, _)| *id == objective.id()).map_or(f64::NAN, |(_, value)| *value)
        };
        vec![
            Safe::of_policy(name.clone()),
            figure(loss(&Loss)),
            figure(loss(&Precision)),
            figure(loss(&Information)),
            figure(distance.map_or(f64::NAN, |distance| distance.total_variation)),
        ]
    });
    page.table_in_short("What each column has lost", &Table {
        caption: Safe::words(
            "What each column by itself has lost, from 0 (nothing) to 1 (everything), and how far its distribution has moved",
        ),
        header: header(&["Column", "#Loss", "#Precision", "#Information", "#Total variation"]),
        rows: rows.collect(),
    });
}
