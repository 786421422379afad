//! Is every label the one that the summary and the method promise?

use std::collections::BTreeSet;

use super::figures::{classes, judged};
use crate::calendar::Day;
use crate::cover::Label;
use crate::decimal;
use crate::finding::Finding;
use crate::hierarchy::Hierarchy;
use crate::levels::Levels;
use crate::policy::{Column, Meaning};
use crate::question::Question;
use crate::trial::{Published, Trial};

/// With known partners: one level for all rows, and means that lie within their class.
pub fn in_classes(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published, partners: Option<&[usize]>) {
    let (Some(release), Some(partners)) = (&published.release, partners) else { return };
    trial.tally.add("checks", "rows matched one by one");
    let judged = judged(trial, release);
    if trial.case.policy.method.is_global() {
        let finding = one_level(question, published, &judged.rows, &judged.names, partners);
        finding.into_iter().for_each(|finding| trial.find(finding));
        return;
    }
    if trial.case.policy.method.name != "microaggregation" {
        return;
    }
    let Some(classes) = classes(question, &judged) else { return };
    for column in &question.quasi {
        let (Some(place), Some(original)) = (judged.place(&column.name), question.kept.place(&column.name)) else {
            return;
        };
        for class in &classes {
            let label = &judged.rows[class[0]][place];
            let values: Vec<&str> =
                class.iter().map(|&row| question.kept.rows[partners[row]][original].as_str()).collect();
            let levels = question.levels_of(&column.name);
            let covers_all = values.iter().all(|value| Label { text: label, column, levels }.covers(value));
            if !covers_all && !stands_for(label, &values, &column.meaning) {
                let expected = format!("a label, mean or most frequent value of {values:?}");
                trial.find(Finding::new("labels/microaggregation", expected, label.clone()));
                return;
            }
        }
    }
}

/// Could a number or value stand for these?
fn stands_for(label: &str, values: &[&str], meaning: &Meaning) -> bool {
    if values.contains(&label) {
        return true;
    }
    if matches!(meaning, Meaning::Number | Meaning::NumberCode) {
        let numbers: Vec<f64> = values
            .iter()
            .filter_map(|value| decimal::parse(value))
            .map(|number| number as f64 / decimal::ONE as f64)
            .collect();
        let (least, most) = numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
        let slack = 1e-9 * least.abs().max(most.abs());
        return label.parse::<f64>().is_ok_and(|mean| mean >= least - slack && mean <= most + slack);
    }
    if let Meaning::Date(format) = meaning {
        let days: Vec<Day> = values.iter().filter_map(|value| Day::parse(value, format)).collect();
        return Day::parse(label, format)
            .is_some_and(|mean| days.iter().any(|day| *day <= mean) && days.iter().any(|day| mean <= *day));
    }
    false
}

/// Every row shows for each column what its value is on the level of the summary.
fn one_level(
    question: &Question<'_>,
    published: &Published,
    rows: &[Vec<String>],
    names: &[String],
    partners: &[usize],
) -> Option<Finding> {
    for (column, levels) in question.quasi.iter().zip(&question.levels) {
        let (Some(levels), Some(level)) = (levels, published.summary["levels"][&column.name].as_u64()) else {
            continue;
        };
        let place = names.iter().position(|name| *name == column.name)?;
        let original = question.kept.place(&column.name)?;
        for (row, &partner) in rows.iter().zip(partners) {
            let value = &question.kept.rows[partner][original];
            if level as usize > levels.height() || !is_label(&row[place], value, column, levels, level as usize) {
                let expected = format!("level {level} of {value:?}: {:?}", levels.path(value));
                return Some(Finding::new("labels/level", expected, row[place].clone()));
            }
        }
    }
    None
}

/// Is this the label of a value on a level? What groups of equal frequency are called is not told beforehand: it covers the values of
/// the group, and no others, by what it says itself.
fn is_label(text: &str, value: &str, column: &Column, levels: &Levels, level: usize) -> bool {
    let has_name = text == levels.label(value, level);
    if has_name || !matches!(column.hierarchy, Some(Hierarchy::Quantiles(_))) || level == 0 || text == "*" {
        return has_name;
    }
    let (said, is_in_group) = (Label { text, column, levels: None }, levels.group(value, level));
    levels.paths().all(|(leaf, _)| said.covers(leaf) == is_in_group(leaf))
}

/// Of two ranges of equal frequency, one lies within the other, or they share nothing: wherever labels come from the hierarchy.
pub fn nested(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published) {
    let Some(release) = &published.release else { return };
    let method = &trial.case.policy.method;
    if method.name != "full-domain" && !method.has("numbers", "\"hierarchy\"") {
        return;
    }
    for column in &question.quasi {
        let (true, Some(place)) =
            (matches!(column.hierarchy, Some(Hierarchy::Quantiles(_))), release.place(&column.name))
        else {
            continue;
        };
        let shown: BTreeSet<&String> = release.rows.iter().map(|row| &row[place]).collect();
        let ranges: Vec<(i128, i128)> =
            shown.iter().filter_map(|text| (Label { text, column, levels: None }).half_open()).collect();
        trial.tally.add("checks", "ranges of equal frequency nest");
        let overlap = |a: &(i128, i128), b: &(i128, i128)| a.0 < b.0 && b.0 < a.1 && a.1 < b.1;
        if let Some((a, b)) =
            ranges.iter().flat_map(|a| ranges.iter().map(move |b| (a, b))).find(|(a, b)| overlap(a, b))
        {
            let written = |range: &(i128, i128)| format!("[{}, {})", decimal::write(range.0), decimal::write(range.1));
            trial.find(Finding::new("labels/nested", "ranges within each other or apart", written(a) + &written(b)));
            return;
        }
    }
}
