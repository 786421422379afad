//! Is the release the best of its lattice, and is there none where none is given?

use super::whole_people;
use crate::finding::{Finding, is_near};
use crate::lattice::{Lattice, TIE};
use crate::oracle::judge;
use crate::question::Question;
use crate::requirement::Model;
use crate::trial::{Published, Trial};

/// The node of a release, against every node.
pub fn released(trial: &mut Trial<'_>, question: &Question<'_>, lattice: &Lattice, published: &Published) {
    trial.tally.add("checks", "every node of the lattice");
    let level = |name: &str| published.summary["levels"][name].as_u64().map(|level| level as usize);
    let Some(levels) = question.quasi.iter().map(|column| level(&column.name)).collect::<Option<Vec<_>>>() else {
        trial.find(Finding::new(
            "optimum/levels",
            "a level for each quasi-identifier",
            published.summary["levels"].to_string(),
        ));
        return;
    };
    let Some(solution) = lattice.solutions.iter().find(|solution| solution.levels == levels) else {
        trial.find(Finding::new(
            "optimum/no-solution",
            "a node that satisfies every requirement",
            format!("{levels:?}"),
        ));
        return;
    };
    let suppressed = solution.released.iter().filter(|&&released| !released).count();
    if published.whole("suppressed_rows") != Some(suppressed) || published.whole("classes") != Some(solution.classes) {
        let came = format!("{:?} and {:?}", published.whole("suppressed_rows"), published.whole("classes"));
        let expected = format!("{suppressed} suppressed, {} classes", solution.classes);
        trial.find(Finding::new("optimum/classes", expected, came));
        return;
    }
    for &(id, expected) in solution.objectives.all() {
        let came = published.objective(id);
        if !came.is_some_and(|came| is_near(came, expected)) {
            trial.find(Finding::new(
                format!("objective/{id}"),
                format!("{expected} at {levels:?}"),
                format!("{came:?}"),
            ));
        }
    }
    let objective = trial.case.policy.method.objective;
    let Some(best) = lattice.best(objective).filter(|_| trial.case.policy.method.is_optimal()) else { return };
    if best.levels != levels {
        let (expected, came) = (best.objectives.get(objective), solution.objectives.get(objective));
        let is_tie = came <= expected + TIE * expected.abs().max(1.0);
        let check = if is_tie { "optimum/tie" } else { "optimum/not-least" };
        trial.find(Finding::new(
            check,
            format!("{:?} with {objective} {expected}", best.levels),
            format!("{levels:?} with {objective} {came} (it says {:?})", published.objective(objective)),
        ));
    }
}

/// Where nothing was released: is there really nothing to release?
pub fn refused(trial: &mut Trial<'_>, question: &Question<'_>, lattice: Option<&Lattice>) {
    if trial.case.policy.method.sets("budget") {
        return;
    }
    if let Some(lattice) = lattice {
        trial.tally.add("checks", "refusals against every node");
        if let Some(best) = lattice.best(trial.case.policy.method.objective) {
            let expected = format!("a release with the levels {:?}", best.levels);
            trial.find(Finding::new("refused/lattice", expected, "exit code 1"));
        }
        return;
    }
    // All rows in one class, which every method can fall back on where no level is forbidden.
    let rows = question.kept.rows.len();
    if rows == 0 || question.quasi.iter().any(|column| column.max_level.is_some()) {
        return;
    }
    let Some(cells) = question.sensitive_cells(&question.kept) else { return };
    let mut whole = vec![(0..rows).collect::<Vec<_>>()];
    if let Some(people) = question.people.as_ref().filter(|_| question.knows_all_rows()) {
        // With more of the same, only the number of people can never become worse.
        if !trial.case.policy.requirements.iter().all(|required| matches!(required.model, Model::KAnonymity { .. })) {
            return;
        }
        whole.extend(whole_people::classes(&whole, people));
    }
    let asked = question.asked_of_input(&cells);
    trial.tally.add("checks", "refusals against the whole table");
    let method = trial.case.policy.method.name;
    if judge::satisfies(&asked, &whole) == Some(true) {
        let expected = "a release: all rows in one class satisfy every requirement";
        trial.find(Finding::new(format!("refused/whole-table/{method}"), expected, "exit code 1"));
    }
    if matches!(method, "one-dimensional" | "microaggregation")
        && !question.takes_people_whole()
        && let Some(left_out) = few_to_leave_out(&asked, rows, question.most_suppressed())
    {
        let expected = format!("a release: all rows but {left_out:?} in one class satisfy every requirement");
        trial.find(Finding::new(format!("refused/but-a-few/{method}"), expected, "exit code 1"));
    }
}

/// More sets of rows than this are not looked at.
const MOST_SETS: usize = 2000;

/// The fewest rows that may be left out so that all others together satisfy, as far as there are few enough sets of rows to look at.
fn few_to_leave_out(asked: &[judge::Asked<'_>], rows: usize, most: usize) -> Option<Vec<usize>> {
    let (mut sets, mut looked_at) = (vec![Vec::new()], 0);
    for _ in 0..most.min(rows.saturating_sub(1)) {
        let larger = |set: &Vec<usize>| {
            let next = set.last().map_or(0, |last| last + 1);
            (next..rows).map(|row| [set.as_slice(), &[row]].concat()).collect::<Vec<_>>()
        };
        looked_at += sets.len() * rows;
        if looked_at > MOST_SETS {
            return None;
        }
        sets = sets.iter().flat_map(larger).collect();
        let is_enough = |set: &&Vec<usize>| {
            let stay = (0..rows).filter(|row| !set.contains(row)).collect();
            judge::satisfies(asked, &[stay]) == Some(true)
        };
        if let Some(found) = sets.iter().find(is_enough) {
            return Some(found.clone());
        }
    }
    None
}
