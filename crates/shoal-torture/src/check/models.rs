//! Does the release keep every requirement, and is what it is said to achieve what it achieves?

use serde_json::Value;

use super::figures::{classes, judged};
use super::whole_people;
use crate::finding::{Finding, is_near};
use crate::oracle::judge;
use crate::oracle::measured::Measured;
use crate::oracle::quantity::Quantity;
use crate::question::Question;
use crate::table::Table;
use crate::trial::{Published, Trial};

/// Every requirement, on the published rows, which came from these rows.
pub fn release(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published, partners: Option<&[usize]>) {
    let Some(release) = &published.release else { return };
    let mut judged = judged(trial, release);
    for row in &mut judged.rows {
        row.iter_mut().for_each(|cell| *cell = trial.case.policy.understood(cell).to_owned());
    }
    let Some(classes) = classes(question, &judged) else { return };
    let people = partners.and_then(|partners| question.people_of(partners));
    if question.people.is_some() && people.is_none() {
        return;
    }
    let mut looks = vec![classes];
    if let Some(people) = people.as_ref().filter(|_| question.knows_all_rows()) {
        looks.push(whole_people::classes(&looks[0], people));
    }
    judge(trial, question, published, &Shown { table: &judged, looks: &looks, people: people.as_deref() });
}

/// What a release shows to whoever judges it.
pub struct Shown<'a> {
    pub table: &'a Table,
    /// Each way in which somebody may look at it: into which classes it falls then.
    pub looks: &'a [Vec<Vec<usize>>],
    /// Whose each row is, where people are counted.
    pub people: Option<&'a [usize]>,
}

/// Every requirement, on the classes of a table.
pub fn judge(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published, shown: &Shown<'_>) {
    let (Some(cells), Some(input)) = (question.sensitive_cells(shown.table), question.sensitive_cells(&question.kept))
    else {
        return;
    };
    let asked = question.asked(&cells, &input, shown.people);
    let Some(models) = published.summary["models"].as_array() else { return };
    if models.len() != asked.len() {
        let came = format!("{}", published.summary["models"]);
        trial.find(Finding::new("models/list", format!("{} results", asked.len()), came));
        return;
    }
    for (asked, reported) in asked.iter().zip(models) {
        let mut looks: Option<Vec<Vec<Measured>>> = shown.looks.iter().map(|classes| asked.achieved(classes)).collect();
        // Whoever knows all rows of a person, and the other sensitive values, knows those of all rows.
        if let (true, [of_rows, _], Some(people)) = (asked.among, shown.looks, shown.people) {
            let alike = whole_people::classes_where(of_rows, people, |row| asked.others(row));
            let both = [asked.achieved(of_rows), asked.achieved_as_they_are(&alike)];
            looks = both.into_iter().collect();
        }
        let Some(achieved) = looks.and_then(|looks| looks.into_iter().reduce(judge::worse)) else { continue };
        compare(trial, asked.model.id(), &achieved, reported, shown.people.is_some());
    }
}

/// What was measured, against what the summary says.
fn compare(trial: &mut Trial<'_>, id: &str, achieved: &[Measured], reported: &Value, of_people: bool) {
    let whom = if of_people { " (people)" } else { "" };
    trial.tally.add("checks", format!("models by their definition{whom}"));
    if of_people {
        trial.tally.add("models of people by their definition", id);
    }
    if let Some(measured) = achieved.iter().find(|measured| !measured.keeps()) {
        let expected = format!("{:?} {}", measured.side, measured.bound);
        let came = format!("{} {:?}", measured.name, measured.quantity);
        trial.find(Finding::new(format!("models/broken/{id}{whom}"), expected, came));
    }
    if reported["model"] != id || reported["holds"] != true {
        trial.find(Finding::new("models/holds", format!("{id} holds"), reported.to_string()));
    }
    for measured in achieved {
        let came = match &reported["achieved"] {
            Value::Object(two) => two.get(measured.name).cloned().unwrap_or(Value::Null),
            other => other.clone(),
        };
        if !is_same(measured, &came) {
            let expected = format!("{} {:?}", measured.name, measured.quantity);
            trial.find(Finding::new(format!("models/achieved/{id}{whom}"), expected, came.to_string()));
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
