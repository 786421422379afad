//! Whose rows are those of a random table, and what does its policy ask for them?

use super::{columns, methods};
use crate::case::{Case, Law};
use crate::dice::Dice;
use crate::people::{METHODS, METHODS_OF_ALL_ROWS, People};
use crate::policy::{Column, Meaning, Policy, Role};
use crate::requirement::Model;

/// Lets the rows of a case be those of people, whom its policy counts.
pub fn add(dice: &mut Dice, case: &mut Case) {
    let whose = whose(dice, case.table.rows.len());
    share_cells(dice, case, &whose);
    let names = names(dice, case, &whose);
    let mut people = People { column: "whose row".to_owned(), has_section: dice.percent(30), ..People::default() };
    add_column(case, columns::column(people.column.clone(), Role::Identifier, Meaning::Category), names.clone());
    // Whose a row of the release is, it does not tell; which row it was, does.
    if !tells_rows_apart(case) && dice.percent(90) {
        let (column, cells) = columns::row_number(case.table.rows.len(), "row".to_owned());
        add_column(case, column, cells);
    }
    if dice.percent(30) {
        let name = "pseudonym".to_owned();
        add_column(case, columns::column(name.clone(), Role::Insensitive, Meaning::Category), names);
        people.told_by = Some(name);
    }
    choose_method(dice, &mut case.policy);
    people.knows = knows(dice, &case.policy);
    people.suppress = *dice.pick(&[None, None, None, Some("rows"), Some("people"), Some("people")]);
    case.policy.people = Some(people);
    ask_for_fewer(dice, &mut case.policy);
    if dice.percent(30) {
        case.plan.law = Some(*dice.pick(&Law::OF_PEOPLE));
    }
    // Little enough that what is counted is put away into files and merged.
    let limit = *dice.pick(&[None, None, None, Some("30KB"), Some("200KB"), Some("1GiB")]);
    if let Some(people) = &mut case.policy.people {
        people.memory_limit = limit;
    }
}

/// A number of a person for each row: one row each, or few people with many rows, or something between.
fn whose(dice: &mut Dice, rows: usize) -> Vec<usize> {
    let (people, is_skewed) = match dice.below(10) {
        0..2 => {
            let mut all: Vec<usize> = (0..rows).collect();
            dice.shuffle(&mut all);
            return all;
        }
        2 => (2 + dice.below(4), false),
        3..7 => (1 + rows / 2, false),
        7..9 => (1 + rows / 2, true),
        _ => (rows, true),
    };
    let mut person = || {
        let first = dice.below(people);
        if is_skewed { first.min(dice.below(people)) } else { first }
    };
    (0..rows).map(|_| person()).collect()
}

/// Some columns belong to the person, and are the same in all of their rows.
fn share_cells(dice: &mut Dice, case: &mut Case, whose: &[usize]) {
    let of_person = *dice.pick(&[0, 40, 40, 100]);
    for column in &case.policy.columns {
        let percent = match column.role {
            Role::Quasi => of_person,
            Role::Sensitive => 15,
            _ => 0,
        };
        let Some(place) = case.table.place(&column.name).filter(|_| dice.percent(percent)) else { continue };
        for row in 0..whose.len() {
            let first = whose.iter().position(|&other| other == whose[row]).unwrap_or(row);
            case.table.rows[row][place] = case.table.rows[first][place].clone();
        }
    }
}

/// How people are called, so that numbers and texts stand in one order; of some it is not known, and those are taken for one.
fn names(dice: &mut Dice, case: &Case, whose: &[usize]) -> Vec<String> {
    let style = dice.below(4);
    let name = |person: usize| match style {
        0 => format!("p{person}"),
        1 => (1000 + person).to_string(),
        2 => format!("{:05}", (person * 7919) % 10_007),
        _ => format!("O'Néill, \"{person:04}\""),
    };
    let mut names: Vec<String> = whose.iter().map(|&person| name(person)).collect();
    if dice.percent(25) {
        for _ in 0..*dice.pick(&[1, 1, 2, 1 + names.len() / 6]) {
            let row = dice.below(names.len());
            names[row] = dice.pick(&case.policy.missing).clone();
        }
    }
    names
}

fn add_column(case: &mut Case, column: Column, cells: Vec<String>) {
    case.table.names.push(column.name.clone());
    case.table.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    case.policy.columns.push(column);
}

fn tells_rows_apart(case: &Case) -> bool {
    case.policy.with_role(Role::Insensitive).any(|column| {
        case.table.place(&column.name).is_some_and(|place| {
            let mut cells: Vec<&String> = case.table.rows.iter().map(|row| &row[place]).collect();
            cells.sort_unstable();
            cells.dedup();
            cells.len() == case.table.rows.len()
        })
    })
}

/// Mostly a method that counts people.
fn choose_method(dice: &mut Dice, policy: &mut Policy) {
    if dice.percent(15) {
        return;
    }
    while !METHODS.contains(&policy.method.name) {
        policy.method = methods::draw(dice);
    }
}

/// Mostly what the method can do.
fn knows(dice: &mut Dice, policy: &Policy) -> Option<&'static str> {
    let knows = *dice.pick(&[None, None, None, Some("one-row"), Some("all-rows"), Some("all-rows")]);
    let is_refused = knows == Some("all-rows") && !METHODS_OF_ALL_ROWS.contains(&policy.method.name);
    if is_refused && dice.percent(85) { None } else { knows }
}

/// There are fewer people than rows.
fn ask_for_fewer(dice: &mut Dice, policy: &mut Policy) {
    if dice.percent(30) {
        return;
    }
    for requirement in &mut policy.requirements {
        if let Model::KAnonymity { k } | Model::AlphaK { k, .. } = &mut requirement.model {
            *k = (*k).min(3);
        }
    }
}
