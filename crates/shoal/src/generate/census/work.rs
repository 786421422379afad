//! What does a person work as, and for whom?

use super::family::FEMALE;
use crate::generate::draws::Draws;
use crate::generate::shares::{Table, band};

/// What is known of a person's work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// An occupation and a work class.
    Job { occupation: usize, class: usize },
    /// Has not worked yet: a work class of its own, and no occupation.
    Never,
    /// Out of the labour force: neither is known.
    None,
}

/// What those are classed as who have not worked yet.
pub(super) const NEVER_WORKED: &str = "Never-worked";

/// A new column of the next two begins at each of these ages.
const BANDS: [u32; 10] = [18, 20, 25, 35, 45, 55, 60, 65, 70, 75];
/// Out of the labour force, per mille: `?` in UCI Adult.
const WOMEN_WITHOUT_WORK: [u32; 11] = [163, 179, 118, 58, 39, 36, 70, 110, 203, 238, 278];
const MEN_WITHOUT_WORK: [u32; 11] = [163, 174, 86, 20, 14, 21, 41, 132, 231, 264, 259];
/// Of a thousand young people without work so many never had any.
const NEVER: u32 = 20;
const YOUNG: u32 = 25;
/// Hardly anybody has a business before that age: whoever drew one draws again.
const BUSINESS: u32 = 30;

/// The columns of the next table by education: up to 8th grade, up to 12th, HS-grad, Some-college, associate degrees,
/// Bachelors, Masters, Prof-school and Doctorate.
const SCHOOLING: [usize; 16] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7];

/// UCI Adult, per mille: women from the least to the most schooling, then men. There are so few soldiers that they
/// are rounded up.
#[rustfmt::skip]
pub(super) static OCCUPATION: Table<14, 16> = Table::new([
    ("Exec-managerial",   [ 15,  31,  81, 117, 134, 211, 217, 112,  29,  33,  79, 135, 136, 283, 340, 110]),
    ("Prof-specialty",    [ 13,  23,  30,  67, 192, 362, 625, 804,  12,  12,  20,  61,  92, 255, 446, 806]),
    ("Tech-support",      [ 13,   8,  22,  50,  92,  49,  18,  12,   2,   4,  16,  38,  80,  42,  26,  13]),
    ("Sales",             [ 48, 219, 134, 153,  87, 114,  47,  25,  39,  63,  92, 148, 117, 185,  94,  29]),
    ("Adm-clerical",      [ 30, 116, 307, 346, 304, 175,  57,  17,  21,  27,  58,  89,  72,  65,  33,  12]),
    ("Craft-repair",      [ 25,  28,  34,  17,  24,   8,   4,   4, 219, 250, 268, 190, 229,  58,  18,  10]),
    ("Machine-op-inspct", [252, 106,  84,  32,  20,   8,   4,   4, 141, 116, 111,  59,  54,  15,   5,   1]),
    ("Transport-moving",  [  5,  14,  15,   7,   5,   2,   0,   0, 113, 128, 112,  61,  38,  16,   8,   4]),
    ("Handlers-cleaners", [ 38,  32,  29,  11,   7,   3,   0,   0, 116, 131,  79,  57,  31,  13,   3,   0]),
    ("Farming-fishing",   [ 28,  11,   5,   8,   5,   3,   0,   4, 162,  69,  54,  36,  47,  19,   8,   6]),
    ("Other-service",     [401, 368, 233, 174, 117,  51,  26,  12, 136, 152,  82,  82,  54,  25,   8,   5]),
    ("Priv-house-serv",   [131,  33,  19,   7,   5,   4,   1,   4,   1,   2,   0,   0,   0,   0,   0,   0]),
    ("Protective-serv",   [  3,  11,   7,  11,   7,  10,   1,   0,  10,  13,  29,  43,  48,  23,  11,   2]),
    ("Armed-Forces",      [  0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   1,   1,   1,   1,   1,   1]),
]);

/// UCI Adult, per mille: the work class in each occupation, in the order above.
#[rustfmt::skip]
pub(super) static WORK_CLASS: Table<7, 14> = Table::new([
    ("Private",          [656, 552, 798, 807, 750, 777, 954, 798, 928, 450, 824, 1000, 304,    0]),
    ("Self-emp-not-inc", [ 96,  93,  29, 107,  12, 131,  20,  78,  10, 438,  56,    0,   7,    0]),
    ("Self-emp-inc",     [101,  40,   6,  76,   8,  27,   6,  16,   3,  55,   9,    0,   5,    0]),
    ("Federal-gov",      [ 44,  41,  66,   3,  87,  15,   6,  16,  17,   6,  11,    0,  48, 1000]),
    ("State-gov",        [ 47, 102,  60,   4,  67,  15,   6,  25,   9,  17,  39,    0, 178,    0]),
    ("Local-gov",        [ 54, 172,  40,   3,  75,  35,   8,  66,  31,  29,  61,    0, 458,    0]),
    ("Without-pay",      [  0,   0,   0,   0,   1,   0,   1,   0,   1,   5,   0,    0,   0,    0]),
]);
const OWN_BUSINESS: std::ops::RangeInclusive<usize> = 1..=2;

/// A person's work.
pub(super) fn work(age: u32, sex: usize, education: usize, draws: &mut Draws) -> Work {
    let without_work = if sex == FEMALE { WOMEN_WITHOUT_WORK } else { MEN_WITHOUT_WORK };
    if draws.chance(without_work[band(age, &BANDS)]) {
        return if age < YOUNG && draws.chance(NEVER) { Work::Never } else { Work::None };
    }
    let occupation = OCCUPATION.draw(sex * 8 + SCHOOLING[education], draws);
    let mut class = WORK_CLASS.draw(occupation, draws);
    if age < BUSINESS && OWN_BUSINESS.contains(&class) {
        class = WORK_CLASS.draw(occupation, draws);
    }
    Work::Job { occupation, class }
}
