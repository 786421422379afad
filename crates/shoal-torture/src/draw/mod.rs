//! Which random case has this number?

mod columns;

mod hierarchies;
mod methods;
mod people;
mod requirements;

pub use columns::SECRET;

use crate::case::{Audit, Case, Law, Plan};
use crate::dice::Dice;
use crate::policy::{Column, Policy, Role};
use crate::table::Table;

/// The case with a number, under a seed.
pub fn case(seed: u64, number: u64) -> Case {
    let dice = &mut Dice::new(seed, number);
    let rows = rows(dice);
    let missing = missing_markers(dice);
    let is_messy = dice.percent(15);
    let style = columns::Style { rows, missing: &missing, is_messy };
    let names = columns::names(dice, is_messy);
    let mut names = names.into_iter();
    let mut drawn: Vec<(Column, Vec<String>)> = Vec::new();
    let quasi = *dice.pick(&[1, 1, 2, 2, 2, 3, 3, 4]);
    let sensitive = *dice.pick(&[0, 1, 1, 1, 1, 2]);
    let name = |names: &mut std::vec::IntoIter<String>| names.next().expect("there are more names than columns");
    for _ in 0..quasi {
        drawn.push(columns::quasi(dice, &style, name(&mut names)));
    }
    if quasi < 4 && dice.percent(20) {
        let like = drawn[dice.below(quasi)].clone();
        drawn.push(columns::twin(dice, like, name(&mut names)));
    }
    for place in 0..sensitive {
        drawn.push(columns::sensitive(dice, &style, name(&mut names), place));
    }
    if dice.percent(35) {
        drawn.push(columns::row_number(rows, name(&mut names)));
    }
    if dice.percent(15) {
        drawn.push(columns::other(dice, &style, name(&mut names), Role::Insensitive));
    }
    if dice.percent(15) {
        drawn.push(columns::other(dice, &style, name(&mut names), Role::Identifier));
    }
    add_duplicates(dice, &mut drawn, rows);
    let mut in_table: Vec<usize> = (0..drawn.len()).collect();
    if dice.percent(50) {
        dice.shuffle(&mut in_table);
    }
    let table = Table {
        names: in_table.iter().map(|&place| drawn[place].0.name.clone()).collect(),
        rows: (0..rows).map(|row| in_table.iter().map(|&place| drawn[place].1[row].clone()).collect()).collect(),
    };
    let (columns, mut values): (Vec<Column>, Vec<Vec<String>>) = drawn.into_iter().unzip();
    let mut policy = Policy {
        columns,
        requirements: Vec::new(),
        method: methods::draw(dice),
        missing,
        drop_missing: dice.percent(15),
        keep_suppressed: dice.percent(30),
        shuffle: dice.percent(60),
        delimiter: *dice.pick(&[',', ',', ';', '\t']),
        input: if dice.percent(12) { "jsonl" } else { "csv" },
        output: match dice.below(12) {
            0..9 => "csv",
            9..11 => "jsonl",
            _ => "parquet",
        },
        two_columns: dice.percent(8),
        people: None,
    };
    policy.fit_two_columns(&table.names);
    for (column, cells) in policy.columns.iter().zip(&mut values) {
        cells.iter_mut().for_each(|cell| *cell = policy.counted(&column.name, cell));
    }
    policy.requirements = requirements::draw(dice, &policy, &values, policy.method.name);
    methods::fit(dice, &mut policy);
    let plan = plan(dice, &policy);
    let mut case = Case { table, policy, plan };
    if dice.percent(20) {
        people::add(dice, &mut case);
    }
    case
}

/// Mostly small, so that a naive look at everything is quick.
fn rows(dice: &mut Dice) -> usize {
    match dice.below(100) {
        0..60 => 5 + dice.below(20),
        60..92 => 20 + dice.below(41),
        92..99 => 60 + dice.below(140),
        _ => 300 + dice.below(900),
    }
}

fn missing_markers(dice: &mut Dice) -> Vec<String> {
    let lists: [&[&str]; 6] = [&[""], &["", "?"], &["?"], &["NA", ""], &["?", "", "n/a"], &["-"]];
    dice.pick(&lists).iter().map(|&marker| marker.to_owned()).collect()
}

/// Copies whole rows, so that classes can be large without generalizing.
fn add_duplicates(dice: &mut Dice, drawn: &mut [(Column, Vec<String>)], rows: usize) {
    if !dice.percent(60) {
        return;
    }
    for _ in 0..rows / 2 {
        let (from, to) = (dice.below(rows), dice.below(rows));
        for (_, cells) in drawn.iter_mut().filter(|(column, _)| column.role == Role::Quasi) {
            cells[to] = cells[from].clone();
        }
    }
}

fn plan(dice: &mut Dice, policy: &Policy) -> Plan {
    let law = dice.percent(45).then(|| *dice.pick(&Law::ALL));
    let audit = match dice.below(100) {
        0..12 => Some(Audit::Alone),
        12..45 => Some(Audit::WithOriginal),
        _ => None,
    };
    Plan {
        seed: dice.bits(),
        threads: 1 + dice.below(2),
        audit,
        law,
        recipe: dice.percent(12),
        solutions: policy.method.is_global() && dice.percent(15),
    }
}
