//! Is the loss of a release what its labels say, a leaf being a value that occurs?

use super::figures::{classes, judged};
use super::stand_ins::StandIns;
use crate::cover::Label;
use crate::finding::{Finding, is_near};
use crate::question::Question;
use crate::trial::{Published, Trial};

/// The loss, from the text of the release alone; where a mean or a most frequent value stands for others, from those of its class.
pub fn release(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published, partners: Option<&[usize]>) {
    let stands_in = published.method(trial.case) == "microaggregation";
    let (Some(release), Some(came)) = (&published.release, published.objective("loss")) else { return };
    let judged = judged(trial, release);
    let stand_ins = match (stands_in, partners, classes(question, &judged)) {
        (false, ..) => None,
        (true, Some(partners), Some(classes)) => Some(StandIns::new(question, partners, &classes)),
        // Whom they stand for is not known.
        (true, ..) => return,
    };
    let rows = question.kept.rows.len() as f64;
    let suppressed = rows - judged.rows.len() as f64;
    let mut product = 1.0;
    for (column, levels) in question.quasi.iter().zip(&question.levels) {
        let (Some(levels), Some(place)) = (levels, judged.place(&column.name)) else { return };
        let domain = levels.domain() as f64;
        let mut sum = suppressed;
        for (number, row) in judged.rows.iter().enumerate() {
            let stood_for = stand_ins.as_ref().and_then(|stand_ins| stand_ins.leaves(column, levels, number));
            let by_text = || (Label { text: &row[place], column, levels: Some(levels) }).leaves();
            let Some(leaves) = stood_for.or_else(by_text) else { return };
            sum += leaves as f64 / domain;
        }
        let least = rows / domain;
        let share = if domain <= 1.0 { 0.0 } else { ((sum - least) / (rows - least)).max(0.0) };
        product *= share * column.weight.map_or(1.0, |weight| weight.0 as f64 / 1000.0) + 1.0;
    }
    let expected = product.powf(1.0 / question.quasi.len() as f64) - 1.0;
    trial
        .tally
        .add("checks", if stands_in { "loss from what stands for others" } else { "loss from the text of labels" });
    if !is_near(expected, came) {
        let check = if stands_in { "loss/stand-ins" } else { "loss" };
        trial.find(Finding::new(check, format!("loss {expected}"), format!("loss {came}")));
    }
}
