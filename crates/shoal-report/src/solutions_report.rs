//! What did `solutions` find?

use serde_json::{Map, Value, json};

use super::{Grid, combinations_json, document, grouped, number};
use shoal::policy::Policy;
use shoal_core::frequency::CountedTable;
use shoal_core::method::full_domain::{Solution, Solutions};
use shoal_core::warning::Warning;
use shoal_core::words::combinations;
use shoal_core::{Error, printable};

/// So many labels tell what a level looks like.
const EXAMPLES: usize = 4;

/// The report of all solutions.
#[derive(Debug)]
pub struct SolutionsReport<'a> {
    table: &'a CountedTable,
    solutions: &'a Solutions,
    objective: &'static str,
    /// So many are listed.
    top: usize,
    warnings: &'a [Warning],
    /// Why there are none, and what would be enough.
    why_none: Option<&'a Error>,
}

impl<'a> SolutionsReport<'a> {
    /// The report of these solutions to a policy, whose objective people are shown, with what its readers should know.
    pub fn new(policy: &Policy, table: &'a CountedTable, solutions: &'a Solutions, warnings: &'a [Warning]) -> Self {
        Self { table, solutions, objective: policy.method.objective.id(), top: usize::MAX, warnings, why_none: None }
    }

    /// The same with what stands in the way, where there are none.
    #[must_use]
    pub fn explained_by(self, why_none: Option<&'a Error>) -> Self {
        Self { why_none, ..self }
    }

    /// The same with only so many of the solutions, those that lose least.
    #[must_use]
    pub fn only(self, top: usize) -> Self {
        Self { top, ..self }
    }

    /// One object for programs.
    pub fn to_json(&self) -> Value {
        let list = |solutions: &[Solution]| {
            solutions.iter().take(self.top).map(|solution| self.solution(solution)).collect::<Vec<_>>()
        };
        let mut object = json!({
            "rows": self.table.rows,
            "nodes": combinations_json(self.solutions.nodes),
            "satisfying": self.solutions.satisfying,
            "checked": self.solutions.checked,
            "minimal": list(&self.solutions.minimal),
        });
        if let Some(all) = &self.solutions.all {
            object["all"] = json!(list(all));
        }
        if let Some(error) = self.why_none {
            object["in_the_way"] = json!({ "details": error.details(), "hint": error.hint_text() });
        }
        document(object, self.warnings)
    }

    fn solution(&self, solution: &Solution) -> Value {
        let levels: Map<String, Value> = self
            .table
            .quasi
            .iter()
            .zip(solution.node.levels())
            .map(|(column, level)| (column.name.clone(), json!(level)))
            .collect();
        let objectives: Map<String, Value> =
            solution.objectives.iter().map(|(id, value)| ((*id).to_owned(), json!(value))).collect();
        json!({
            "levels": levels,
            "classes": solution.classes,
            "suppressed_rows": solution.suppressed,
            "objectives": objectives,
        })
    }

    fn in_the_way(&self) -> String {
        const OTHERWISE: &str = "`shoal anonymize` says which comes closest, and `shoal advise` what would be enough";
        let details = self.why_none.map_or(&[][..], Error::details);
        let lines: String = details.iter().map(|line| format!("  {}\n", printable::line(line))).collect();
        let hint = self.why_none.and_then(Error::hint_text).unwrap_or(OTHERWISE);
        format!("{lines}hint: {}\n", printable::line(hint))
    }

    /// For people, on a terminal.
    pub fn to_text(&self) -> String {
        let Solutions { nodes, satisfying, checked, minimal, all } = self.solutions;
        let mut text = format!(
            "{} of {} combinations of levels satisfy every requirement, {} of them minimal ({} looked at)\n",
            grouped(*satisfying as i64),
            combinations(*nodes),
            grouped(minimal.len() as i64),
            grouped(*checked as i64)
        );
        let listed = all.as_ref().unwrap_or(minimal);
        if listed.is_empty() {
            return text + &self.in_the_way();
        }
        // `shoal anonymize --solution` takes the numbers of the minimal ones.
        let is_numbered = all.is_none();
        let mut header: Vec<&str> = is_numbered.then_some("solution").into_iter().collect();
        header.extend(self.table.quasi.iter().map(|column| column.name.as_str()));
        header.extend(["classes", "suppressed", self.objective]);
        let mut grid = Grid::new(&header, &(0..header.len()).collect::<Vec<_>>());
        let listed = &listed[..listed.len().min(self.top)];
        for (place, solution) in listed.iter().enumerate() {
            let mut row: Vec<String> = is_numbered.then(|| (place + 1).to_string()).into_iter().collect();
            row.extend(solution.node.levels().iter().map(u8::to_string));
            let value = solution.lost(self.objective);
            row.extend([grouped(solution.classes as i64), grouped(solution.suppressed as i64), number(value)]);
            grid.row(row);
        }
        text.push('\n');
        text + &grid.render() + "\n" + &self.what_levels_show(listed)
    }

    /// A line for each level that is listed, with some of its labels.
    fn what_levels_show(&self, listed: &[Solution]) -> String {
        let mut grid = Grid::new(&["column", "level", "shows"], &[1]);
        for (column, quasi) in self.table.quasi.iter().enumerate() {
            let mut levels: Vec<u8> = listed.iter().map(|solution| solution.node.levels()[column]).collect();
            levels.sort_unstable();
            levels.dedup();
            for level in levels {
                let labels = quasi.hierarchy.level(usize::from(level)).labels();
                let more = if labels.len() > EXAMPLES { "  \u{2026}" } else { "" };
                let examples: Vec<&str> = labels.iter().take(EXAMPLES).map(String::as_str).collect();
                grid.row(vec![quasi.name.clone(), level.to_string(), examples.join("  ") + more]);
            }
        }
        grid.render()
    }
}
