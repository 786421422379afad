//! What do the risks of a table come to, for somebody who has to decide?

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::attack_section::percent;
use super::{Grid, grouped, number, plural};
use shoal::risk::{Known, Reidentification, Risk, Subset};
use shoal_core::printable;

/// The section of an audit report about risks.
#[derive(Debug)]
pub(super) struct RiskSection<'a> {
    risk: &'a Risk,
}

/// How many subsets are shown on a terminal: the most telling of each number of columns.
const SHOWN: usize = 5;

impl<'a> RiskSection<'a> {
    pub(super) fn new(risk: &'a Risk) -> Self {
        Self { risk }
    }

    /// For programs: the most telling subset of each number of columns, or all of them.
    pub(super) fn to_json(&self, has_all_subsets: bool) -> Value {
        let Risk { quasi, threshold, known, population_size, prosecutor, journalist, marketer, .. } = self.risk;
        let subset = |subset: &Subset| {
            json!({
                "columns": self.names(subset),
                "distinction": subset.grouping.distinction(),
                "separation": subset.grouping.separation(),
                "unique_records": subset.grouping.alone,
            })
        };
        let found = &self.risk.subsets.found;
        let subsets: Vec<Value> = match has_all_subsets {
            true => found.iter().map(subset).collect(),
            false => (1..=quasi.len()).filter_map(|size| self.most_telling(size)).map(subset).collect(),
        };
        let mut suda = json!(self.risk.suda);
        let contributions = quasi.iter().cloned().zip(self.risk.suda.contributions.iter().map(|share| json!(share)));
        suda["contributions"] = Value::Object(contributions.collect::<Map<String, Value>>());
        json!({
            "at_risk": threshold,
            "population": { "known": known, "size": population_size },
            "prosecutor": prosecutor,
            "journalist": journalist,
            "marketer": marketer,
            "uniqueness": self.risk.uniqueness,
            "subsets": subsets,
            "subsets_looked_at": self.risk.subsets.found.len(),
            "subsets_up_to": self.risk.subsets.largest,
            "suda": suda,
            "safe_harbor": self.risk.safe_harbor,
        })
    }

    /// The subset of so many columns that tells most.
    fn most_telling(&self, size: usize) -> Option<&Subset> {
        self.risk.subsets.found.iter().find(|subset| subset.columns.len() == size)
    }

    fn names(&self, subset: &Subset) -> Vec<&str> {
        subset.columns.iter().map(|&column| self.risk.quasi[column].as_str()).collect()
    }

    /// For people.
    pub(super) fn to_text(&self) -> String {
        self.attackers() + &self.alone() + &self.subsets() + &self.identifiers() + &self.hint()
    }

    fn attackers(&self) -> String {
        let Risk { threshold, prosecutor, journalist, marketer, uniqueness, .. } = self.risk;
        let above = format!("above {}", number(*threshold));
        let mut grid = Grid::new(&["attacker", "highest", "average", &above], &[]);
        let mut row = |name: &str, risk: &Reidentification| {
            let share = (risk.share_at_risk > 0.0).then(|| percent_of(risk.share_at_risk));
            let above = share.map_or_else(
                || "no record".to_owned(),
                |share| format!("{} ({share})", plural(risk.records_at_risk, "record")),
            );
            grid.row(vec![name.to_owned(), number(risk.highest), number(risk.average), above]);
        };
        row("prosecutor (knows that it is in the table)", prosecutor);
        // Without a population they are bounds, and the same as the prosecutor's.
        if self.risk.known != Known::Nothing {
            row("journalist (looks for anybody in the population)", journalist);
            row("marketer (matches everybody)", marketer);
        }
        let mut text = grid.render();
        if self.risk.known == Known::Nothing {
            text +=
                "journalist and marketer: no more than that; --population or --population-size tells how much less\n";
        }
        let population = &uniqueness.population;
        if let (Some(dankar), Some(size)) = (population.dankar, self.risk.population_size) {
            let by = population.dankar_model.map_or_else(String::new, |model| format!(", {model}"));
            let of = grouped(i64::try_from(size).unwrap_or(i64::MAX));
            let _ = writeln!(
                text,
                "unique in the population of {of}: {} of the people (estimated by Dankar's rule{by})",
                percent_of(dankar)
            );
        }
        text
    }

    fn alone(&self) -> String {
        let suda = &self.risk.suda;
        if suda.records == 0 {
            return String::new();
        }
        let named = self.risk.quasi.iter().zip(&suda.contributions);
        let most = named.max_by(|a, b| a.1.total_cmp(b.1)).map_or("".into(), |pair| printable::line(pair.0));
        let (are, rows) = (if suda.records == 1 { "is" } else { "are" }, plural(suda.records, "record"));
        let columns = plural(suda.max_size as u64, "column");
        format!("{rows} {are} singled out by the values of at most {columns}, mostly with {most}\n")
    }

    fn subsets(&self) -> String {
        let mut grid = Grid::new(&["most telling columns", "distinction", "separation", "unique"], &[]);
        let all = self.risk.quasi.len();
        let of_size = |size: usize| self.most_telling(size);
        for subset in (1..=all).filter(|&size| size < SHOWN || size == all).filter_map(of_size) {
            let names = self.names(subset);
            let name = if names.len() > SHOWN { format!("all {}", names.len()) } else { names.join(" + ") };
            let separation = subset.grouping.separation().map_or_else(|| "–".to_owned(), number);
            let unique = percent(subset.grouping.alone, subset.grouping.rows);
            grid.row(vec![name, number(subset.grouping.distinction()), separation, unique]);
        }
        let mut text = format!("\n{}", grid.render());
        if let Some(largest) = self.risk.subsets.largest {
            let _ = writeln!(
                text,
                "subsets of up to {} were looked at, and all together",
                plural(largest as u64, "column")
            );
        }
        text
    }

    fn identifiers(&self) -> String {
        let mut text = String::new();
        for found in &self.risk.safe_harbor {
            let (column, item, what, by) = (&found.column, found.item, found.what, found.by);
            let by = if by == "name" { "is named like" } else { "has values like" };
            let _ = writeln!(text, "warning: `{column}` {by} item ({item}) of HIPAA's Safe Harbor: {what}");
        }
        if text.is_empty() { text } else { format!("\n{text}") }
    }

    fn hint(&self) -> String {
        let Risk { threshold, prosecutor, .. } = self.risk;
        if prosecutor.records_at_risk > 0 && *threshold > 0.0 {
            let k = (1.0 / threshold - 1e-9).ceil().max(2.0);
            return format!(
                "\nhint: k-anonymity with k = {} keeps every risk at or below {}; generalize the most telling columns first\n",
                number(k),
                number(*threshold)
            );
        }
        String::new()
    }
}

fn percent_of(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 10.0 { format!("{percent:.0}%") } else { format!("{}%", number(percent)) }
}
