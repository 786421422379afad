//! Which hierarchy does a random column have?

use std::collections::BTreeSet;

use crate::decimal::{self, ONE};
use crate::dice::Dice;
use crate::hierarchy::{Branch, Hierarchy};
use crate::policy::{Column, Meaning};

/// A hierarchy of a quasi-identifier; sometimes none.
pub fn quasi(dice: &mut Dice, column: &Column, cells: &[String], missing: &[String]) -> Option<Hierarchy> {
    if dice.percent(6) {
        return None;
    }
    let values = distinct(cells, missing);
    Some(match column.meaning {
        Meaning::Number => match dice.below(10) {
            0..6 => intervals(dice, &values),
            6..8 => quantiles(dice),
            8 => Hierarchy::Suppress,
            _ => listed(dice, column, &values, missing),
        },
        Meaning::Date(_) if dice.percent(85) => dates(dice),
        Meaning::Date(_) => Hierarchy::Suppress,
        Meaning::NumberCode => listed(dice, column, &values, missing),
        Meaning::Category if values.iter().all(|value| value.starts_with('0')) && dice.percent(75) => {
            mask(dice, &values)
        }
        Meaning::Category if dice.percent(10) => mask(dice, &values),
        Meaning::Category if dice.percent(15) => Hierarchy::Suppress,
        Meaning::Category => listed(dice, column, &values, missing),
    })
}

/// A hierarchy of a sensitive column; often none.
pub fn sensitive(dice: &mut Dice, column: &Column, cells: &[String], missing: &[String]) -> Option<Hierarchy> {
    let values = distinct(cells, missing);
    if column.meaning == Meaning::Category && dice.percent(60) {
        return Some(listed(dice, column, &values, missing));
    }
    (column.meaning == Meaning::Number && dice.percent(25)).then(|| intervals(dice, &values))
}

fn distinct(cells: &[String], missing: &[String]) -> Vec<String> {
    let values: BTreeSet<&String> = cells.iter().filter(|cell| !missing.contains(cell)).collect();
    values.into_iter().cloned().collect()
}

fn intervals(dice: &mut Dice, values: &[String]) -> Hierarchy {
    let mut widths = vec![*dice.pick(&[ONE / 2, ONE, 2 * ONE, 5 * ONE, 10 * ONE])];
    while widths.len() < 3 && dice.percent(60) {
        widths.push(widths[widths.len() - 1] * *dice.pick(&[2, 4, 10]) as i128);
    }
    if dice.percent(60) {
        return Hierarchy::Intervals { widths, origin: None, bottom: None, top: None };
    }
    let mut numbers: Vec<i128> = values.iter().filter_map(|value| decimal::parse(value)).collect();
    numbers.sort_unstable();
    let origin = Some(*dice.pick(&[0, ONE, 3 * ONE, ONE / 4, -2 * ONE]));
    let bound = |dice: &mut Dice, low: bool| {
        let number = *numbers.get(if low { numbers.len() / 4 } else { numbers.len() * 3 / 4 })?;
        dice.percent(50).then_some(number)
    };
    let (bottom, top) = (bound(dice, true), bound(dice, false));
    let top = top.filter(|top| bottom.is_none_or(|bottom| bottom < *top));
    Hierarchy::Intervals { widths, origin, bottom, top }
}

fn quantiles(dice: &mut Dice) -> Hierarchy {
    let mut groups = vec![2 + dice.below(7)];
    while groups[groups.len() - 1] > 2 && dice.percent(60) {
        let last = groups[groups.len() - 1];
        groups.push(2 + dice.below(last - 2));
    }
    Hierarchy::Quantiles(groups)
}

fn dates(dice: &mut Dice) -> Hierarchy {
    let periods = if dice.percent(15) {
        dice.pick(&[vec!["week"], vec!["day", "week"]]).clone()
    } else {
        dice.some(&["day", "month", "quarter", "year", "decade"], 1)
    };
    Hierarchy::Dates { periods, format: None }
}

fn mask(dice: &mut Dice, values: &[String]) -> Hierarchy {
    // No shorter than any code, and short enough for a lattice that can be looked at node by node.
    let longest = values.iter().map(|value| value.chars().count()).max().unwrap_or(0);
    let length = dice.percent(10).then(|| longest.max(1) + dice.below(3));
    Hierarchy::Mask { from_left: dice.percent(30), character: *dice.pick(&['*', '*', '*', 'x', '_']), length }
}

/// A tree or a file over the values; some leaves occur nowhere, some groups are named like a leaf.
fn listed(dice: &mut Dice, column: &Column, values: &[String], missing: &[String]) -> Hierarchy {
    let mut leaves = values.to_vec();
    if leaves.is_empty() {
        return Hierarchy::Suppress;
    }
    for extra in 0..dice.below(3) {
        leaves.push(if column.meaning == Meaning::NumberCode {
            (90 + extra).to_string()
        } else {
            format!("extra{extra}")
        });
    }
    if column.meaning != Meaning::Number {
        dice.shuffle(&mut leaves);
    }
    let collides = dice.percent(25);
    let groups = 1 + dice.below(leaves.len().min(4));
    let mut members: Vec<Vec<String>> = vec![Vec::new(); groups];
    for (place, leaf) in leaves.iter().enumerate() {
        members[if place < groups { place } else { dice.below(groups) }].push(leaf.clone());
    }
    let name = |place: usize, members: &[String]| {
        // A group named like one of its own leaves is nested; named like another's it would not be.
        if collides { members[0].clone() } else { format!("g{place}") }
    };
    let groups: Vec<(String, Vec<String>)> =
        members.into_iter().enumerate().map(|(place, members)| (name(place, &members), members)).collect();
    let lists_missing = dice.percent(10);
    if dice.percent(50) {
        return tree(dice, groups);
    }
    let is_tall = groups.len() > 2 && dice.percent(40);
    let mut rows = Vec::new();
    for (place, (group, members)) in groups.iter().enumerate() {
        for leaf in members {
            let mut row = vec![leaf.clone(), group.clone()];
            if is_tall {
                row.push(if place < 2 { "low".to_owned() } else { "high".to_owned() });
            }
            row.push("*".to_owned());
            rows.push(row);
        }
    }
    if lists_missing && !missing[0].is_empty() {
        let mut row = rows[0].clone();
        row[0] = missing[0].clone();
        rows.push(row);
    }
    // The file is told apart by its delimiter, so no cell may hold one.
    let delimiter =
        if rows.iter().flatten().any(|cell| cell.contains([';', ',', '\t'])) { ';' } else { *dice.pick(&[';', ',']) };
    let name = format!("h{}.csv", dice.below(1 << 30));
    Hierarchy::File { name, rows, delimiter }
}

fn tree(dice: &mut Dice, groups: Vec<(String, Vec<String>)>) -> Hierarchy {
    let is_deep = groups.len() > 2 && dice.percent(40);
    let group =
        |(name, members): (String, Vec<String>)| Branch::Group(name, members.into_iter().map(Branch::Leaf).collect());
    let mut branches: Vec<Branch> = groups.into_iter().map(group).collect();
    if is_deep {
        let rest = branches.split_off(1);
        branches.push(Branch::Group("upper".to_owned(), rest));
    }
    Hierarchy::Tree(branches)
}
