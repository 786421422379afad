//! Which method does a random policy name, with which options?

use crate::dice::Dice;
use crate::hierarchy::Hierarchy;
use crate::policy::{Method, Policy, Role};
use crate::requirement::Milli;

const OBJECTIVES: [&str; 7] =
    ["loss", "height", "average-class-size", "discernibility", "precision", "non-uniform-entropy", "information"];

/// A method and its options.
pub fn draw(dice: &mut Dice) -> Method {
    let name = *dice.pick(&[
        "full-domain",
        "full-domain",
        "full-domain",
        "full-domain",
        "full-domain",
        "full-domain",
        "mondrian",
        "mondrian",
        "microaggregation",
        "sweep",
        "sweep",
        "one-dimensional",
        "one-dimensional",
        "similarity-blocks",
        "anatomy",
        "best",
    ]);
    let mut options: Vec<(&'static str, String)> = Vec::new();
    let quoted = |text: &&str| format!("\"{text}\"");
    match name {
        "full-domain" => {
            if dice.percent(50) {
                options.push(("search", quoted(dice.pick(&["optimal", "incognito", "exhaustive"]))));
            }
            if dice.percent(20) {
                options.retain(|(key, _)| *key != "search");
                options.push(("local", "true".to_owned()));
            } else if dice.percent(6) && options.is_empty() {
                options.push(("budget", (1 + dice.below(5)).to_string()));
            }
        }
        "mondrian" => {
            if dice.percent(40) {
                options.push(("cuts", quoted(dice.pick(&["strict", "relaxed"]))));
            }
            if dice.percent(40) {
                options.push(("choose", quoted(dice.pick(&["objective", "width"]))));
            }
            if dice.percent(40) {
                options.push(("refine", "false".to_owned()));
            }
        }
        "microaggregation" => {
            if dice.percent(40) {
                options.push(("numbers-by", quoted(dice.pick(&["mean", "median"]))));
            }
            if dice.percent(40) {
                options.push(("categories-by", quoted(dice.pick(&["ancestor", "mode"]))));
            }
            if dice.percent(30) {
                options.push(("size", (2 + dice.below(4)).to_string()));
            }
            if dice.percent(20) {
                options.push(("block", (16 + dice.below(30)).to_string()));
            }
        }
        "sweep" if dice.percent(35) => options.push(("generalize-sensitive", "false".to_owned())),
        "similarity-blocks" if dice.percent(30) => options.push(("effort", (1 + dice.below(50)).to_string())),
        "anatomy" if dice.percent(50) => options.push(("seed", dice.below(1000).to_string())),
        _ => {}
    }
    if !matches!(name, "full-domain" | "anatomy") {
        if dice.percent(25) {
            options.push(("numbers", quoted(dice.pick(&["ranges", "hierarchy"]))));
        }
        if dice.percent(25) {
            options.push(("ends", quoted(dice.pick(&["rounded", "exact"]))));
        }
        if dice.percent(25) {
            options.push(("categories", quoted(dice.pick(&["hierarchy", "sets"]))));
        }
    }
    let max_suppressed = Milli(*dice.pick(&[0, 0, 0, 50, 100, 100, 200, 250, 333, 500, 1000]));
    let objective = if dice.percent(40) { "loss" } else { dice.pick(&OBJECTIVES) };
    Method { name, options, objective, max_suppressed }
}

/// Takes back what the method cannot do together with what was drawn before, and bounds levels where it can.
pub fn fit(dice: &mut Dice, policy: &mut Policy) {
    if policy.with_role(Role::Sensitive).next().is_none()
        && matches!(policy.method.name, "anatomy" | "similarity-blocks")
    {
        policy.method.name = "mondrian";
        policy.method.options.clear();
    }
    let is_global = policy.method.name == "full-domain";
    let may_have_least = policy.method.name != "anatomy";
    for column in policy.columns.iter_mut().filter(|column| column.role == Role::Quasi) {
        let height = match &column.hierarchy {
            Some(Hierarchy::Intervals { widths, .. }) => widths.len() + 1,
            Some(Hierarchy::Dates { periods, .. }) => periods.len() + 1,
            Some(hierarchy) => hierarchy.listed_rows().map_or(1, |rows| rows[0].len() - 1),
            None => 1,
        };
        if may_have_least && dice.percent(8) {
            column.min_level = Some(1 + dice.below(height));
        }
        if is_global && dice.percent(8) {
            column.max_level = Some(column.min_level.unwrap_or(0).max(dice.below(height + 1)));
        }
    }
}
