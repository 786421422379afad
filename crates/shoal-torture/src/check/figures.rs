//! Are the figures of the summary those of the published file?

use crate::case::Case;
use crate::finding::{Finding, is_near};
use crate::people::People;
use crate::question::{Question, grouped};
use crate::table::Table;
use crate::trial::{Published, Trial};

impl Published {
    /// A whole number of the summary.
    pub fn whole(&self, key: &str) -> Option<usize> {
        self.summary.get(key)?.as_u64().map(|number| number as usize)
    }

    /// The value of an objective.
    pub fn objective(&self, id: &str) -> Option<f64> {
        self.summary.get("objectives")?.get(id)?.as_f64()
    }

    /// Is it judged by the labels of its rows, though a search took one level for each column? So it is where people are released or
    /// left out as a whole: nobody says then how far it is from the best.
    pub fn is_valued_by_labels(&self, case: &Case) -> bool {
        case.policy.method.is_global() && self.summary["gap"].is_null()
    }

    /// The method that made it: the one that was chosen where several were tried.
    pub fn method<'a>(&'a self, case: &'a Case) -> &'a str {
        self.summary["best"]["chosen"].as_str().unwrap_or(case.policy.method.name)
    }
}

/// The rows of a release that models judge: not those that are all `*` because they were suppressed.
pub fn judged(trial: &Trial<'_>, release: &Table) -> Table {
    let is_exempt = |row: &Vec<String>| trial.case.policy.keep_suppressed && row.iter().all(|cell| cell == "*");
    let rows = release.rows.iter().filter(|row| !is_exempt(row)).cloned().collect();
    Table { names: release.names.clone(), rows }
}

/// The classes of a table: rows that show the same for every quasi-identifier.
pub fn classes(question: &Question<'_>, table: &Table) -> Option<Vec<Vec<usize>>> {
    let places: Vec<usize> = question.quasi.iter().map(|column| table.place(&column.name)).collect::<Option<_>>()?;
    let key = |row: &Vec<String>| places.iter().map(|&place| row[place].clone()).collect::<Vec<_>>();
    Some(grouped(&table.rows.iter().map(key).collect::<Vec<_>>()))
}

/// Rows, columns and classes.
pub fn counts(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published) {
    let Some(release) = &published.release else { return };
    if release.names != trial.case.shown() && !release.rows.is_empty() {
        trial.find(Finding::new("columns", format!("{:?}", trial.case.shown()), format!("{:?}", release.names)));
        return;
    }
    let judged = judged(trial, release);
    let Some(classes) = classes(question, &judged) else { return };
    let (kept, all) = (question.kept.rows.len(), trial.case.table.rows.len());
    let sizes: Vec<usize> = classes.iter().map(Vec::len).collect();
    let suppressed = kept.saturating_sub(judged.rows.len());
    let expected = [
        ("rows", kept),
        ("dropped_rows", all - kept),
        ("released_rows", judged.rows.len()),
        ("suppressed_rows", suppressed),
        ("classes", sizes.len()),
    ];
    for (key, expected) in expected {
        if published.whole(key) != Some(expected) {
            let came = format!("{key} {:?}", published.summary.get(key));
            trial.find(Finding::new(format!("counts/{key}"), format!("{key} {expected}"), came));
        }
    }
    let in_file = if trial.case.policy.keep_suppressed { kept } else { judged.rows.len() };
    if release.rows.len() != in_file {
        trial.find(Finding::new("counts/file", format!("{in_file} rows"), format!("{} rows", release.rows.len())));
    }
    let counts_people = trial.case.policy.people.as_ref().is_some_and(People::suppress_people);
    if suppressed > question.most_suppressed() && !counts_people {
        let most = question.most_suppressed();
        trial.find(Finding::new("counts/limit", format!("at most {most} suppressed"), format!("{suppressed} are")));
    }
    let mean = judged.rows.len() as f64 / sizes.len().max(1) as f64;
    let sizes = [("min", sizes.iter().min()), ("max", sizes.iter().max())];
    let class_size = |key: &str| published.summary["class_size"][key].as_f64();
    for (key, expected) in sizes {
        if class_size(key) != expected.map(|&size| size as f64) {
            trial.find(Finding::new(
                "counts/class_size",
                format!("{key} {expected:?}"),
                format!("{:?}", class_size(key)),
            ));
        }
    }
    if !class_size("mean").is_some_and(|came| is_near(came, mean)) {
        trial.find(Finding::new("counts/class_size", format!("mean {mean}"), format!("{:?}", class_size("mean"))));
    }
}
