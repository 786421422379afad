//! Is the loss of a release what its labels say, a leaf being a value that occurs?

use super::figures::judged;
use crate::cover::Label;
use crate::finding::{Finding, is_near};
use crate::question::Question;
use crate::trial::{Published, Trial};

/// The loss, from the text of the release alone.
pub fn release(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published) {
    // A mean does not say for whom it stands.
    if published.method(trial.case) == "microaggregation" {
        return;
    }
    let (Some(release), Some(came)) = (&published.release, published.objective("loss")) else { return };
    let judged = judged(trial, release);
    let rows = question.kept.rows.len() as f64;
    let suppressed = rows - judged.rows.len() as f64;
    let mut product = 1.0;
    for (column, levels) in question.quasi.iter().zip(&question.levels) {
        let (Some(levels), Some(place)) = (levels, judged.place(&column.name)) else { return };
        let domain = levels.domain() as f64;
        let mut sum = suppressed;
        for row in &judged.rows {
            let Some(leaves) = (Label { text: &row[place], column, levels: Some(levels) }).leaves() else { return };
            sum += leaves as f64 / domain;
        }
        let least = rows / domain;
        let share = if domain <= 1.0 { 0.0 } else { ((sum - least) / (rows - least)).max(0.0) };
        product *= share * column.weight.map_or(1.0, |weight| weight.0 as f64 / 1000.0) + 1.0;
    }
    let expected = product.powf(1.0 / question.quasi.len() as f64) - 1.0;
    trial.tally.add("checks", "loss from the text of labels");
    if !is_near(expected, came) {
        trial.find(Finding::new("loss", format!("loss {expected}"), format!("loss {came}")));
    }
}
