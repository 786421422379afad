//! What does the comparison with the original say, to people and to programs?

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Grid, grouped, number};
use shoal::utility::{DistributionDistance, Utility};
use shoal_core::objective::{Information, Loss, Objective, Precision};
use shoal_core::printable;

/// The section of an audit report about utility.
#[derive(Debug)]
pub(super) struct UtilitySection<'a> {
    utility: &'a Utility,
}

impl<'a> UtilitySection<'a> {
    pub(super) fn new(utility: &'a Utility) -> Self {
        Self { utility }
    }

    /// For programs.
    pub(super) fn to_json(&self) -> Value {
        let Utility { losses, marginals, pairs, queries, squared_errors, learned, excessive, .. } = self.utility;
        let values = |values: &[(&str, f64)]| -> Map<String, Value> {
            values.iter().map(|(id, value)| ((*id).to_owned(), json!(value))).collect()
        };
        let columns: Map<String, Value> =
            losses.columns.iter().map(|(name, losses)| (name.clone(), Value::Object(values(losses)))).collect();
        let marginals: Map<String, Value> =
            marginals.iter().map(|(name, distance)| (name.clone(), distance_json(distance.as_ref()).into())).collect();
        let pairs: Vec<Value> = pairs
            .iter()
            .map(|(columns, distance)| {
                let mut entry = distance.as_ref().map(|distance| distance_json(Some(distance))).unwrap_or_default();
                entry.insert("columns".into(), json!(columns));
                entry.into()
            })
            .collect();
        let errors = squared_errors.iter().map(|error| {
            let entry = json!({ "relative": error.relative, "root_mean": error.root_mean, "matched": error.matched });
            (error.column.clone(), entry)
        });
        let learners = learned.iter().map(|learned| {
            json!({
                "learner": learned.learner,
                "target": learned.target,
                "original": learned.original,
                "release": learned.release,
                "majority": learned.majority,
                "tested_rows": learned.tested,
                "held_out": true,
            })
        });
        let excessive = excessive.iter().map(
            |excess| json!({ "column": excess.column, "tau": excess.tau, "l": excess.l, "smallest": excess.smallest }),
        );
        let associations = self
            .utility
            .associations
            .iter()
            .map(|found| json!({ "columns": found.columns, "original": found.original, "release": found.release }));
        json!({
            "original_rows": self.utility.rows,
            "objectives": values(&losses.table),
            "columns": columns,
            "marginals": marginals,
            "pairs": pairs,
            "associations": associations.collect::<Vec<_>>(),
            "queries": {
                "queries": queries.queries,
                "median_relative_error": queries.median,
                "ninth_decile_relative_error": queries.ninth_decile,
            },
            "squared_error": errors.collect::<Map<_, _>>(),
            "learners": learners.collect::<Vec<_>>(),
            "excessive_protection": excessive.collect::<Vec<_>>(),
        })
    }

    /// For people.
    pub(super) fn to_text(&self) -> String {
        let Utility { losses, pairs, queries, learned, excessive, rows, .. } = self.utility;
        let mut text =
            format!("what it is still good for, compared with the {} rows of the original\n\n", grouped(*rows as i64));
        text += &self.columns().render();
        let values = losses.table.iter().map(|(id, value)| format!("{id} {}", number(*value)));
        let _ = writeln!(text, "\nwhat all columns have lost: {}", values.collect::<Vec<_>>().join(", "));
        let known: Vec<_> = pairs.iter().filter_map(|(names, distance)| Some((names, (*distance)?))).collect();
        if let Some((names, worst)) = known.iter().max_by(|a, b| a.1.total_variation.total_cmp(&b.1.total_variation)) {
            let mean = known.iter().map(|pair| pair.1.total_variation).sum::<f64>() / known.len() as f64;
            let (mean, most) = (number(mean), number(worst.total_variation));
            let _ = writeln!(
                text,
                "two columns together: total variation {mean} on average, at most {most} ({})",
                printable::line(&names.join(", "))
            );
        }
        let (median, decile) = (number(queries.median), number(queries.ninth_decile));
        let _ = writeln!(
            text,
            "count queries: relative error {median} (median), {decile} (90th percentile) of {}",
            queries.queries
        );
        for excess in excessive {
            let (tau, l) = (excess.tau, excess.l);
            let _ = writeln!(
                text,
                "({tau}, {l})-diversity of {}: protected in excess by {}",
                excess.column,
                number(excess.smallest)
            );
        }
        if let Some(first) = learned.first() {
            let mut grid = Grid::new(&["learner", "predicts", "original", "release", "majority"], &[2, 3, 4]);
            for learned in learned {
                let mut cells = vec![learned.learner.to_owned(), learned.target.clone()];
                let shares = [learned.original, learned.release, learned.majority];
                cells.extend(shares.map(|share| format!("{:.1}%", share * 100.0)));
                grid.row(cells);
            }
            let tested = grouped(first.tested as i64);
            let _ = write!(
                text,
                "\n{}right answers for {tested} rows of the original that no learner has seen\n",
                grid.render()
            );
        }
        text
    }

    fn columns(&self) -> Grid {
        let header = ["column", "loss", "precision", "information", "total variation", "squared error"];
        let mut grid = Grid::new(&header, &[1, 2, 3, 4, 5]);
        for ((name, losses), (_, distance)) in self.utility.losses.columns.iter().zip(&self.utility.marginals) {
            let loss = |objective: &dyn Objective| {
                losses.iter().find(|(id, _)| *id == objective.id()).map_or(f64::NAN, |(_, value)| *value)
            };
            let error = self.utility.squared_errors.iter().find(|error| error.column == *name);
            let moved = distance.map_or(f64::NAN, |distance| distance.total_variation);
            let numbers = [loss(&Loss), loss(&Precision), loss(&Information), moved];
            let mut cells = vec![name.clone()];
            cells.extend(numbers.map(number));
            cells.push(error.map_or_else(String::new, |error| {
                let least = if error.matched == "at-least" { "≥ " } else { "" };
                format!("{least}{}", number(error.relative))
            }));
            grid.row(cells);
        }
        grid
    }
}

fn distance_json(distance: Option<&DistributionDistance>) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert("total_variation".into(), json!(distance.map(|distance| distance.total_variation)));
    entry.insert("hellinger".into(), json!(distance.map(|distance| distance.hellinger)));
    entry
}
