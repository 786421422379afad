//! Which columns and cells does a random table have?

use super::hierarchies;
use crate::calendar::Day;
use crate::dice::Dice;
use crate::hierarchy::Hierarchy;
use crate::policy::{Column, Meaning, Publish, Role};
use crate::requirement::Milli;

/// What all columns of a table share.
pub struct Style<'a> {
    pub rows: usize,
    pub missing: &'a [String],
    pub is_messy: bool,
}

/// Stands in every sensitive text and nowhere else: no message may show it.
pub const SECRET: &str = "zq";

const PLAIN: [&str; 12] = ["a", "b", "c", "ab", "B", "d", "clerk", "smith", "mason", "x y", "north", "south"];
const MESSY: [&str; 22] = [
    "a,b",
    "a;b",
    "say \"hi\"",
    "line\nbreak",
    "ä",
    "e\u{301}",
    "é",
    "日本",
    "tab\there",
    "[1, 2]",
    "{a}",
    "{a, b}",
    "#",
    "=1+1",
    "'",
    "null",
    "true",
    "NaN",
    "a ",
    "\u{1F41F}",
    "\r\n",
    "[5, 10)",
];

/// More names than a table has columns.
pub fn names(dice: &mut Dice, is_messy: bool) -> Vec<String> {
    let plain = ["age", "zip code", "job", "born", "income", "sex", "condition", "note", "id", "region", "h"];
    let messy = ["âge", "zip, code", "a \"b\"", "born;on", "日", "in.come", "sex ", "x=y", "#1", "[r]", "new\nline"];
    let mut names: Vec<String> = (if is_messy { messy } else { plain }).iter().map(|&name| name.to_owned()).collect();
    dice.shuffle(&mut names);
    names
}

/// A quasi-identifier: its column and its cells.
pub fn quasi(dice: &mut Dice, style: &Style<'_>, name: String) -> (Column, Vec<String>) {
    let (meaning, pool) = match dice.below(12) {
        0..3 => (Meaning::Number, whole_numbers(dice)),
        3..5 => (Meaning::Number, odd_numbers(dice)),
        5..7 => dates(dice),
        7..9 => (Meaning::Category, zip_codes(dice)),
        9 => (Meaning::NumberCode, (1..=2 + dice.below(6)).map(|code| code.to_string()).collect()),
        _ => (Meaning::Category, categories(dice, style, "")),
    };
    let mut cells = cells(dice, style, &pool);
    if meaning == Meaning::Number && dice.percent(20) {
        let place = dice.below(cells.len());
        cells[place] = dice.pick(&["1000000", "999999999", "-50000"]).to_string();
    }
    add_missing(dice, style, &mut cells, 25);
    let mut column = column(name, Role::Quasi, meaning);
    column.hierarchy = hierarchies::quasi(dice, &column, &cells, style.missing);
    let is_listed = matches!(column.hierarchy, Some(Hierarchy::File { .. } | Hierarchy::Tree(_)));
    if is_listed && matches!(column.meaning, Meaning::Number | Meaning::NumberCode) && dice.percent(20) {
        column.kind = Some(*dice.pick(&["number", "category"]));
    }
    column.weight = weight(dice);
    (column, cells)
}

/// A column like another, so that nodes lose equally much: the same cells, or the same in another order.
pub fn twin(dice: &mut Dice, (like, mut cells): (Column, Vec<String>), name: String) -> (Column, Vec<String>) {
    if dice.percent(60) {
        dice.shuffle(&mut cells);
    }
    (Column { name, ..like }, cells)
}

/// A sensitive column: its column and its cells.
pub fn sensitive(dice: &mut Dice, style: &Style<'_>, name: String, place: usize) -> (Column, Vec<String>) {
    let (meaning, pool) = match dice.below(10) {
        0..2 => (Meaning::Number, whole_numbers(dice)),
        2 => (Meaning::Number, odd_numbers(dice)),
        _ => (Meaning::Category, categories(dice, style, if place == 0 { SECRET } else { "zqq" })),
    };
    let pool = if pool.len() > 6 && dice.percent(70) { pool[..6].to_vec() } else { pool };
    let mut cells = cells(dice, style, &pool);
    add_missing(dice, style, &mut cells, 20);
    let mut column = column(name, Role::Sensitive, meaning);
    column.publish = publish(dice, &column.meaning);
    let is_missing = |cell: &String| style.missing.contains(cell);
    let shown: Vec<String> = cells
        .iter()
        .map(|cell| match column.publish.filter(|_| !is_missing(cell)) {
            Some(publish) => publish.of(cell).unwrap_or_else(|| cell.clone()),
            None => cell.clone(),
        })
        .collect();
    column.hierarchy = hierarchies::sensitive(dice, &column, &shown, style.missing);
    column.weight = weight(dice).filter(|_| dice.percent(30));
    (column, cells)
}

/// A column that tells every row apart, so that it is known which row became which.
pub fn row_number(rows: usize, name: String) -> (Column, Vec<String>) {
    (column(name, Role::Insensitive, Meaning::Category), (0..rows).map(|row| format!("r{row}")).collect())
}

/// A column of any texts.
pub fn other(dice: &mut Dice, style: &Style<'_>, name: String, role: Role) -> (Column, Vec<String>) {
    let pool = categories(dice, style, "");
    let mut cells = cells(dice, style, &pool);
    add_missing(dice, style, &mut cells, 20);
    (column(name, role, Meaning::Category), cells)
}

/// A column of which nothing is said but what it is.
pub fn column(name: String, role: Role, meaning: Meaning) -> Column {
    Column {
        name,
        role,
        meaning,
        hierarchy: None,
        kind: None,
        min_level: None,
        max_level: None,
        weight: None,
        publish: None,
    }
}

fn publish(dice: &mut Dice, meaning: &Meaning) -> Option<Publish> {
    if *meaning != Meaning::Number || !dice.percent(40) {
        return None;
    }
    let some = |dice: &mut Dice, from: i64, to: i64| dice.percent(50).then(|| dice.between(from, to));
    let publish = Publish {
        round: dice.percent(60).then(|| *dice.pick(&[1, 2, 5, 7, 10, 100])),
        top: some(dice, 5, 60),
        bottom: some(dice, -30, 4),
    };
    Some(publish).filter(|publish| *publish != Publish::default())
}

fn weight(dice: &mut Dice) -> Option<Milli> {
    dice.percent(15).then(|| Milli(*dice.pick(&[0, 100, 250, 500, 2000, 3500])))
}

fn whole_numbers(dice: &mut Dice) -> Vec<String> {
    let (first, step) = (dice.between(-20, 40), *dice.pick(&[1, 1, 2, 5, 10]));
    let count = 3 + dice.below(25) as i64;
    (0..count).map(|place| (first + place * step).to_string()).collect()
}

/// One number in several spellings, exponents, signs, halves.
fn odd_numbers(dice: &mut Dice) -> Vec<String> {
    let all = [
        "2.1",
        "2.10",
        "2.5",
        "1e3",
        "1000",
        "-3",
        "+4",
        "4",
        ".5",
        "0.5",
        "0",
        "-0.25",
        "7",
        "7.0",
        "12.125",
        "100",
        "250000000000",
        "3",
        "5",
        "6.75",
    ];
    let all: Vec<String> = all.iter().map(|&number| number.to_owned()).collect();
    dice.some(&all, 3)
}

fn dates(dice: &mut Dice) -> (Meaning, Vec<String>) {
    let format = *dice.pick(&["%Y-%m-%d", "%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d"]);
    let (first, spread) = (dice.between(-8000, 18_000), *dice.pick(&[5, 40, 400, 9000]));
    let count = 3 + dice.below(15);
    let pool = (0..count).map(|_| Day::after_1970(first + dice.between(0, spread)).write(format)).collect();
    (Meaning::Date(format), pool)
}

fn zip_codes(dice: &mut Dice) -> Vec<String> {
    let count = 3 + dice.below(15);
    let is_ragged = dice.percent(30);
    let mut pool = Vec::new();
    for _ in 0..count {
        let code = format!("0{:04}", dice.below(40) * *dice.pick(&[1, 7, 101]));
        pool.push(if is_ragged { code[..2 + dice.below(4)].to_owned() } else { code });
    }
    pool
}

fn categories(dice: &mut Dice, style: &Style<'_>, prefix: &str) -> Vec<String> {
    let mut all: Vec<String> = PLAIN.iter().map(|&text| text.to_owned()).collect();
    if style.is_messy {
        all.extend(MESSY.iter().map(|&text| text.to_owned()));
    }
    dice.shuffle(&mut all);
    all.truncate(2 + dice.below(7));
    all.iter().map(|text| format!("{prefix}{text}")).collect()
}

/// Cells from a pool, some values far more frequent than others.
fn cells(dice: &mut Dice, style: &Style<'_>, pool: &[String]) -> Vec<String> {
    let is_skewed = dice.percent(50);
    let mut cell = || {
        let mut place = dice.below(pool.len());
        if is_skewed {
            place = place.min(dice.below(pool.len()));
        }
        pool[place].clone()
    };
    (0..style.rows).map(|_| cell()).collect()
}

fn add_missing(dice: &mut Dice, style: &Style<'_>, cells: &mut [String], percent: usize) {
    if !dice.percent(percent) {
        return;
    }
    for _ in 0..1 + cells.len() / 8 {
        let place = dice.below(cells.len());
        cells[place] = dice.pick(style.missing).clone();
    }
}
