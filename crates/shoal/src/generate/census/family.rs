//! How old are people, of which sex, and are they married?

use crate::generate::draws::Draws;
use crate::generate::shares::{Shares, Table, band};

const YOUNGEST: u32 = 17;

/// Ages from 17 to 95, per ten thousand: UCI Adult, smoothed over five years; its last age, `90`, means 90 and
/// more and is spread out here.
#[rustfmt::skip]
static AGES: Shares<79> = Shares::new([
    122, 185, 193, // 17
    217, 236, 242, 246, 248, 250, 248, 249, 252, 260, // 20
    260, 263, 266, 268, 269, 270, 267, 264, 257, 253, // 30
    248, 241, 236, 232, 226, 223, 212, 203, 194, 185, // 40
    171, 165, 156, 146, 133, 125, 119, 115, 108, 104, // 50
     97,  88,  81,  74,  65,  59,  52,  44,  38,  33, // 60
     29,  26,  23,  20,  18,  16,  12,  11,   9,   8, // 70
      6,   5,   5,   4,   4,   4,   4,   4,   3,   3, // 80
      3,   2,   2,   2,   1,   1, // 90
]);

/// An age in whole years.
pub(super) fn age(draws: &mut Draws) -> u32 {
    YOUNGEST + AGES.draw(draws) as u32
}

/// A new column of the tables below begins at each of these ages.
const BANDS: [u32; 8] = [20, 25, 30, 35, 45, 55, 65, 75];

/// How many of a thousand workers are women (Census-Income KDD): Adult's sample has too few of them.
const WOMEN: [u32; 9] = [485, 469, 454, 455, 466, 471, 453, 435, 398];

pub(super) const FEMALE: usize = 0;
pub(super) const MALE: usize = 1;
pub(super) const SEXES: [&str; 2] = ["Female", "Male"];

/// A sex.
pub(super) fn sex(age: u32, draws: &mut Draws) -> usize {
    if draws.chance(WOMEN[band(age, &BANDS)]) { FEMALE } else { MALE }
}

/// Workers of Census-Income KDD, per mille: women from young to old, then men.
#[rustfmt::skip]
pub(super) static MARITAL_STATUS: Table<7, 18> = Table::new([
    ("Never-married",         [939, 685, 381, 204, 110,  62,  46,  48,  81, 974, 795, 501, 277, 149,  67,  38,  40,  65]),
    ("Married-civ-spouse",    [ 42, 244, 493, 610, 658, 672, 626, 449, 350,  20, 178, 425, 602, 692, 782, 817, 825, 707]),
    ("Married-AF-spouse",     [  5,  14,  12,  12,   9,   2,   0,   1,   0,   0,   1,   1,   2,   0,   0,   0,   0,   0]),
    ("Married-spouse-absent", [  4,  10,  11,   9,  10,  10,   7,   7,  11,   3,   7,  10,  14,  11,  11,   9,  10,  24]),
    ("Separated",             [  5,  19,  31,  44,  39,  34,  28,  13,   1,   3,   8,  18,  25,  30,  16,  16,  15,   6]),
    ("Divorced",              [  5,  28,  71, 117, 162, 180, 171, 136,  77,   1,  12,  43,  80, 115, 114,  97,  56,  47]),
    ("Widowed",               [  0,   1,   1,   5,  12,  39, 123, 347, 479,   0,   0,   1,   1,   3,   9,  23,  55, 151]),
]);

/// A marital status.
pub(super) fn marital_status(age: u32, sex: usize, draws: &mut Draws) -> usize {
    MARITAL_STATUS.draw(sex * WOMEN.len() + band(age, &BANDS), draws)
}
