//! Does the release keep every requirement, and is what it is said to achieve what it achieves?

use serde_json::Value;

use super::figures::{classes, judged};
use crate::finding::{Finding, is_near};
use crate::oracle::judge::Measured;
use crate::oracle::quantity::Quantity;
use crate::question::Question;
use crate::table::Table;
use crate::trial::{Published, Trial};

/// Every requirement, on the published rows.
pub fn release(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published) {
    let Some(release) = &published.release else { return };
    let mut judged = judged(trial, release);
    for row in &mut judged.rows {
        row.iter_mut().for_each(|cell| *cell = trial.case.policy.understood(cell).to_owned());
    }
    let Some(classes) = classes(question, &judged) else { return };
    judge(trial, question, published, &judged, &classes);
}

/// Every requirement, on these classes of a table.
pub fn judge(
    trial: &mut Trial<'_>,
    question: &Question<'_>,
    published: &Published,
    table: &Table,
    classes: &[Vec<usize>],
) {
    let (Some(cells), Some(input)) = (question.sensitive_cells(table), question.sensitive_cells(&question.kept)) else {
        return;
    };
    let asked = question.asked(&cells, &input);
    let Some(models) = published.summary["models"].as_array() else { return };
    if models.len() != asked.len() {
        let came = format!("{}", published.summary["models"]);
        trial.find(Finding::new("models/list", format!("{} results", asked.len()), came));
        return;
    }
    for (asked, reported) in asked.iter().zip(models) {
        let id = asked.model.id();
        let Some(achieved) = asked.achieved(classes) else { continue };
        trial.tally.add("checks", "models by their definition");
        let fails = achieved
            .iter()
            .find(|measured| measured.quantity.is_some_and(|quantity| !quantity.keeps(measured.side, measured.bound)));
        if let Some(measured) = fails {
            let expected = format!("{:?} {}", measured.side, measured.bound);
            let came = format!("{} {:?}", measured.name, measured.quantity);
            trial.find(Finding::new(format!("models/broken/{id}"), expected, came));
        }
        if reported["model"] != id || reported["holds"] != true {
            trial.find(Finding::new("models/holds", format!("{id} holds"), reported.to_string()));
        }
        for measured in &achieved {
            let came = match &reported["achieved"] {
                Value::Object(two) => two.get(measured.name).cloned().unwrap_or(Value::Null),
                other => other.clone(),
            };
            if !is_same(measured, &came) {
                let expected = format!("{} {:?}", measured.name, measured.quantity);
                trial.find(Finding::new(format!("models/achieved/{id}"), expected, came.to_string()));
            }
        }
    }
}

fn is_same(measured: &Measured, came: &Value) -> bool {
    // Nothing is asked, or the summary says more than yes or no.
    let Some(quantity) = measured.quantity.filter(|_| measured.name != "breach") else { return true };
    match (quantity, quantity.to_f64(), came.as_f64()) {
        (_, None, None) => true,
        // The JSON reader may miss the last bit.
        (Quantity::Ratio(..), Some(expected), Some(came)) => (expected - came).abs() <= 4e-16 * expected.abs(),
        (Quantity::Real(_), Some(expected), Some(came)) => is_near(expected, came),
        _ => false,
    }
}
