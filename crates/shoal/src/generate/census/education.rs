//! What school did a person finish?

use super::origin::ABROAD;
use crate::generate::draws::Draws;
use crate::generate::shares::{Table, band};

/// A new column of the table below begins at each of these ages; then come those who came from abroad.
const BANDS: [u32; 9] = [18, 19, 20, 22, 25, 35, 45, 55, 65];
const FROM_THE_SOUTH: usize = BANDS.len() + 1;
const FROM_ASIA: usize = FROM_THE_SOUTH + 1;
const FROM_ELSEWHERE: usize = FROM_ASIA + 1;

/// From the age of 25 on it matters more where one was born than how old one is.
const GROWN_UP: u32 = 25;

/// UCI Adult, per mille: by age; at last, from 25 on, those born in Latin America, in Asia, elsewhere abroad.
#[rustfmt::skip]
pub(super) static EDUCATION: Table<16, 13> = Table::new([
    ("Preschool",    [  0,   0,   3,   3,   2,   1,   1,   3,   2,   3,  24,   6,   1]),
    ("1st-4th",      [  0,   0,   3,   1,   3,   2,   2,   4,   8,  10,  88,  10,   6]),
    ("5th-6th",      [  5,   6,   3,   7,  10,   5,   4,   8,  13,  20, 141,  20,  20]),
    ("7th-8th",      [  8,   7,  12,   6,  11,  11,  12,  22,  47,  85,  76,  11,  27]),
    ("9th",          [ 61,  12,  13,  14,  13,  13,  11,  14,  27,  27,  61,   9,  13]),
    ("10th",         [333,  61,  23,  20,  20,  23,  17,  22,  44,  43,  39,  11,  13]),
    ("11th",         [449, 299,  63,  29,  31,  30,  20,  24,  27,  34,  36,  16,  18]),
    ("12th",         [113, 106,  35,  14,  13,  11,   8,   9,  11,   7,  26,   6,  13]),
    ("HS-grad",      [ 24, 289, 369, 318, 299, 336, 319, 323, 350, 333, 241, 201, 285]),
    ("Some-college", [  8, 219, 467, 537, 322, 203, 204, 189, 164, 155, 120, 107, 164]),
    ("Assoc-voc",    [  0,   0,   5,  23,  39,  52,  52,  42,  31,  31,  22,  23,  52]),
    ("Assoc-acdm",   [  0,   0,   2,  22,  38,  39,  42,  32,  19,  18,  15,  24,  48]),
    ("Bachelors",    [  0,   0,   2,   6, 192, 206, 193, 166, 134, 123,  77, 316, 202]),
    ("Masters",      [  0,   0,   0,   1,   9,  42,  71,  89,  70,  52,  22, 130,  82]),
    ("Prof-school",  [  0,   0,   0,   0,   0,  13,  24,  23,  23,  30,  10,  59,  20]),
    ("Doctorate",    [  0,   0,   0,   0,   0,   7,  13,  22,  22,  23,   4,  50,  35]),
]);

/// An education.
pub(super) fn education(age: u32, born_abroad: Option<usize>, draws: &mut Draws) -> usize {
    let condition = match born_abroad {
        Some(country) if age >= GROWN_UP => schools_of(ABROAD.name(country)),
        _ => band(age, &BANDS),
    };
    EDUCATION.draw(condition, draws)
}

fn schools_of(country: &str) -> usize {
    match country {
        "Columbia" | "Cuba" | "Dominican-Republic" | "Ecuador" | "El-Salvador" | "Guatemala" | "Haiti" | "Honduras"
        | "Mexico" | "Nicaragua" | "Peru" | "Puerto-Rico" => FROM_THE_SOUTH,
        "Cambodia" | "China" | "Hong" | "India" | "Iran" | "Japan" | "Laos" | "Philippines" | "South" | "Taiwan"
        | "Thailand" | "Vietnam" => FROM_ASIA,
        _ => FROM_ELSEWHERE,
    }
}
