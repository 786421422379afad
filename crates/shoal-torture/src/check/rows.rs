//! Which row of the original became which row of the release, if any could?

use super::figures::judged;
use crate::cover::Label;
use crate::finding::Finding;
use crate::policy::{Column, Role};
use crate::question::Question;
use crate::table::Table;
use crate::trial::{Published, Trial};

/// How many rows are matched without an order at most.
const MOST_UNORDERED: usize = 90;

/// For each judged row of the release its row among the kept ones, where there is only one way to match them.
pub fn matched(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published) -> Option<Vec<usize>> {
    let release = published.release.as_ref()?;
    let policy = &trial.case.policy;
    let fits = Fits::new(question, release, policy.method.name)?;
    let (kept, rows) = (question.kept.rows.len(), &release.rows);
    let is_exempt = |row: &[String]| policy.keep_suppressed && row.iter().all(|cell| cell == "*");
    if policy.keep_suppressed && !policy.shuffle {
        let wrong = (0..rows.len().min(kept)).find(|&row| !is_exempt(&rows[row]) && !fits.fit(&rows[row], row));
        if let Some(row) = wrong {
            trial.find(fits.finding("rows/in-place", &rows[row], Some(row)));
            return None;
        }
        return Some((0..rows.len().min(kept)).filter(|&row| !is_exempt(&rows[row])).collect());
    }
    let judged = judged(trial, release).rows;
    if policy.shuffle {
        if judged.len() > MOST_UNORDERED {
            return None;
        }
        let edges: Vec<Vec<usize>> =
            judged.iter().map(|row| (0..kept).filter(|&original| fits.fit(row, original)).collect()).collect();
        if let Some(row) = unmatched(&edges, kept) {
            trial.find(fits.finding("rows/shuffled", &judged[row], None));
            return None;
        }
        return edges.iter().all(|edges| edges.len() == 1).then(|| edges.iter().map(|edges| edges[0]).collect());
    }
    let mut places = Vec::new();
    let mut next = 0;
    for row in &judged {
        let Some(place) = (next..kept).find(|&original| fits.fit(row, original)) else {
            trial.find(fits.finding("rows/in-order", row, None));
            return None;
        };
        places.push(place);
        next = place + 1;
    }
    (places.len() == kept || fits.tells_rows_apart).then_some(places)
}

/// Could a row of the release come from a row of the original?
struct Fits<'a> {
    question: &'a Question<'a>,
    /// For each shown column: its place among the kept rows, and what it is.
    columns: Vec<(usize, &'a Column)>,
    method: &'a str,
    tells_rows_apart: bool,
}

impl<'a> Fits<'a> {
    fn new(question: &'a Question<'a>, release: &Table, method: &'a str) -> Option<Self> {
        let column = |name: &String| Some((question.kept.place(name)?, question.case.policy.column(name)?));
        let columns: Vec<(usize, &Column)> = release.names.iter().map(column).collect::<Option<_>>()?;
        let tells_rows_apart = columns.iter().any(|(place, column)| {
            let mut cells: Vec<&String> = question.kept.rows.iter().map(|row| &row[*place]).collect();
            cells.sort_unstable();
            cells.dedup();
            column.role == Role::Insensitive && cells.len() == question.kept.rows.len()
        });
        Some(Self { question, columns, method, tells_rows_apart })
    }

    fn fit(&self, row: &[String], original: usize) -> bool {
        let original = &self.question.kept.rows[original];
        self.columns.iter().zip(row).all(|((place, column), cell)| self.cell_fits(column, cell, &original[*place]))
    }

    fn cell_fits(&self, column: &Column, cell: &str, original: &str) -> bool {
        let understood = self.question.case.policy.understood(cell);
        match column.role {
            Role::Insensitive | Role::Identifier => understood == original,
            Role::Sensitive => {
                let generalizes = matches!(self.method, "sweep" | "best");
                let levels = self.question.sensitive_levels_of(&column.name);
                understood == original || (generalizes && Label { text: cell, column, levels }.covers(original))
            }
            // A mean or a most frequent value stands for others; what it may stand for is checked class by class.
            Role::Quasi if matches!(self.method, "microaggregation" | "best") => true,
            Role::Quasi => {
                let levels = self.question.levels_of(&column.name);
                Label { text: understood, column, levels }.covers(original)
            }
        }
    }

    fn finding(&self, check: &str, row: &[String], original: Option<usize>) -> Finding {
        let original = original.map(|row| format!(": {:?}", self.question.kept.rows[row])).unwrap_or_default();
        Finding::new(
            check,
            format!("every row of the release covers a row of the original{original}"),
            format!("{row:?}"),
        )
    }
}

/// A row that cannot be matched if every row is to have a partner of its own.
fn unmatched(edges: &[Vec<usize>], originals: usize) -> Option<usize> {
    let mut partner: Vec<Option<usize>> = vec![None; originals];
    (0..edges.len()).find(|&row| !augment(row, edges, &mut partner, &mut vec![false; originals]))
}

fn augment(row: usize, edges: &[Vec<usize>], partner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &original in &edges[row] {
        if std::mem::replace(&mut seen[original], true) {
            continue;
        }
        if partner[original].is_none_or(|other| augment(other, edges, partner, seen)) {
            partner[original] = Some(row);
            return true;
        }
    }
    false
}
