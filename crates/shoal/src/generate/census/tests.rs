//! Are the made-up people distributed as real ones are?

use std::collections::{BTreeMap, BTreeSet};

use super::birth::REFERENCE_YEAR;
use super::*;
use crate::generate::write_csv;

const ROWS: usize = 100_000;

struct Census(Vec<csv::StringRecord>);

impl Census {
    fn new() -> Self {
        let mut bytes = Vec::new();
        write_csv("census", ROWS as u64, 1, &mut bytes).unwrap();
        let census = Self(csv::Reader::from_reader(bytes.as_slice()).into_records().map(Result::unwrap).collect());
        assert_eq!(census.0.len(), ROWS);
        census
    }

    fn values(&self, column: &str) -> BTreeSet<&str> {
        self.0.iter().map(|row| cell(row, column)).collect()
    }

    fn count(&self, holds: impl Fn(&csv::StringRecord) -> bool) -> f64 {
        self.0.iter().filter(|row| holds(row)).count() as f64
    }

    fn share(&self, holds: impl Fn(&csv::StringRecord) -> bool) -> f64 {
        self.count(holds) / ROWS as f64
    }

    /// The share of those for whom `holds` is true among those for whom `given` is.
    fn share_given(
        &self,
        given: impl Fn(&csv::StringRecord) -> bool,
        holds: impl Fn(&csv::StringRecord) -> bool,
    ) -> f64 {
        self.count(|row| given(row) && holds(row)) / self.count(&given)
    }

    /// The mutual information of two columns in bits.
    fn information(&self, a: &str, b: &str) -> f64 {
        let (mut of_a, mut of_b, mut of_both) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for row in &self.0 {
            *of_a.entry(cell(row, a)).or_insert(0.0) += 1.0;
            *of_b.entry(cell(row, b)).or_insert(0.0) += 1.0;
            *of_both.entry((cell(row, a), cell(row, b))).or_insert(0.0) += 1.0;
        }
        let n = ROWS as f64;
        of_both.iter().map(|((a, b), both)| both / n * (both * n / (of_a[a] * of_b[b])).log2()).sum()
    }
}

fn cell<'a>(row: &'a csv::StringRecord, column: &str) -> &'a str {
    &row[GENERATOR.columns.iter().position(|&known| known == column).unwrap()]
}

fn is(column: &'static str, value: &'static str) -> impl Fn(&csv::StringRecord) -> bool {
    move |row| cell(row, column) == value
}

fn age_of(row: &csv::StringRecord) -> u32 {
    cell(row, "age").parse().unwrap()
}

fn aged(ages: std::ops::Range<u32>) -> impl Fn(&csv::StringRecord) -> bool {
    move |row| ages.contains(&age_of(row))
}

fn near(share: f64, expected: f64, tolerance: f64) {
    assert!((share - expected).abs() <= tolerance, "{share} is not near {expected}");
}

#[test]
fn every_category_occurs() {
    let census = Census::new();
    let with = |names: &[&'static str], more: &[&'static str]| names.iter().chain(more).copied().collect();
    assert_eq!(census.values("sex"), with(&SEXES, &[]));
    assert_eq!(census.values("race"), with(RACE.names(), &[]));
    assert_eq!(census.values("marital status"), with(MARITAL_STATUS.names(), &[]));
    assert_eq!(census.values("education"), with(EDUCATION.names(), &[]));
    assert_eq!(census.values("country of birth"), with(ABROAD.names(), &[HOME, ""]));
    assert_eq!(census.values("work class"), with(WORK_CLASS.names(), &[NEVER_WORKED, ""]));
    assert_eq!(census.values("occupation"), with(OCCUPATION.names(), &[""]));
    assert_eq!(census.values("salary class"), BTreeSet::from(["<=50K", ">50K"]));
    assert_eq!(census.values("age").len(), 95 - 17 + 1);
}

#[test]
fn shares_are_those_of_adult() {
    let census = Census::new();
    near(census.share(is("race", "White")), 0.855, 0.02);
    near(census.share(is("race", "Black")), 0.096, 0.015);
    near(census.share(is("country of birth", HOME)), 0.897, 0.015);
    near(census.share(is("education", "HS-grad")), 0.323, 0.015);
    near(census.share(is("education", "Bachelors")), 0.164, 0.015);
    near(census.share(is("education", "Doctorate")), 0.012, 0.003);
    near(census.share(is("occupation", "Prof-specialty")), 0.126, 0.015);
    near(census.share(is("work class", "Private")), 0.694, 0.03);
    near(census.share(is("salary class", ">50K")), 0.21, 0.03);
    near(census.share(is("sex", "Female")), 0.46, 0.02);
    near(census.share(aged(17..30)), 0.295, 0.02);
    near(census.share(aged(65..96)), 0.036, 0.01);
}

#[test]
fn some_cells_are_missing() {
    let census = Census::new();
    near(census.share(is("country of birth", "")), 0.018, 0.003);
    near(census.share(is("income", "")), 0.020, 0.003);
    near(census.share(is("occupation", "")), 0.058, 0.008);
    for row in &census.0 {
        let (class, occupation) = (cell(row, "work class"), cell(row, "occupation"));
        assert_eq!(occupation.is_empty(), class.is_empty() || class == NEVER_WORKED);
    }
    let (young, grown_up) = (aged(17..20), aged(35..55));
    assert!(census.share_given(young, is("occupation", "")) > 4.0 * census.share_given(grown_up, is("occupation", "")));
    for column in ["age", "sex", "race", "marital status", "education", "salary class", "zip code", "birth date"] {
        assert_eq!(census.count(is(column, "")), 0.0, "{column}");
    }
}

#[test]
fn one_thing_follows_from_another() {
    let census = Census::new();
    assert!(census.share_given(aged(17..20), is("marital status", "Never-married")) > 0.93);
    assert!(census.share_given(aged(45..55), is("marital status", "Married-civ-spouse")) > 0.65);
    let widows = |sex| {
        census.share_given(move |row| age_of(row) >= 65 && cell(row, "sex") == sex, is("marital status", "Widowed"))
    };
    assert!(widows("Female") > 3.0 * widows("Male"));

    let well_paid = |column, value| census.share_given(is(column, value), is("salary class", ">50K"));
    assert!(well_paid("education", "Doctorate") > 0.6);
    assert!(well_paid("education", "Bachelors") > 2.0 * well_paid("education", "HS-grad"));
    assert!(well_paid("sex", "Male") > 1.5 * well_paid("sex", "Female"));
    assert!(well_paid("work class", "Self-emp-inc") > 2.0 * well_paid("work class", "Private"));

    let abroad = |race| 1.0 - census.share_given(is("race", race), is("country of birth", HOME));
    assert!(abroad("Asian-Pac-Islander") > 5.0 * abroad("White"));
    let mexicans = |region| {
        census.share_given(move |row| cell(row, "zip code").starts_with(region), is("country of birth", "Mexico"))
    };
    assert!(mexicans("9") > 2.0 * mexicans("4"));

    for (a, b, bits) in [
        ("age", "marital status", 0.2),
        ("age", "education", 0.1),
        ("education", "occupation", 0.2),
        ("sex", "occupation", 0.1),
        ("occupation", "work class", 0.1),
        ("race", "country of birth", 0.1),
    ] {
        assert!(census.information(a, b) > bits, "{a} tells {} bits of {b}", census.information(a, b));
    }
}

#[test]
fn what_is_told_twice_agrees() {
    for row in &Census::new().0 {
        let born = chrono::NaiveDate::parse_from_str(cell(row, "birth date"), "%Y-%m-%d").unwrap();
        let counted = chrono::NaiveDate::from_ymd_opt(REFERENCE_YEAR as i32, 12, 31).unwrap();
        assert_eq!(counted.years_since(born), Some(age_of(row)));
        if let Ok(income) = cell(row, "income").parse::<u32>() {
            assert_eq!(cell(row, "salary class"), if income > WELL_PAID_ABOVE { ">50K" } else { "<=50K" });
        }
        assert_eq!(cell(row, "zip code").len(), 5);
    }
}

#[test]
fn incomes_are_skewed_with_a_long_tail() {
    let census = Census::new();
    let mut incomes: Vec<u32> = census.0.iter().filter_map(|row| cell(row, "income").parse().ok()).collect();
    incomes.sort_unstable();
    let at = |part: f64| f64::from(incomes[(incomes.len() as f64 * part) as usize]);
    let mean = incomes.iter().map(|&income| f64::from(income)).sum::<f64>() / incomes.len() as f64;
    assert!((20_000.0..35_000.0).contains(&at(0.5)), "median {}", at(0.5));
    assert!(mean > 1.2 * at(0.5), "mean {mean}");
    assert!(at(0.999) > 8.0 * at(0.5), "one in a thousand {}", at(0.999));
}

/// A change of a table or of the order of draws changes every file that anybody made before: it should be meant.
#[test]
fn the_people_of_seed_one_stay_the_same() {
    let mut bytes = Vec::new();
    write_csv("census", 10_000, 1, &mut bytes).unwrap();
    let first = "31,Male,Black,Married-civ-spouse,Some-college,United-States,Local-gov,Adm-clerical,<=50K,65201,1963-06-28,23000";
    assert_eq!(std::str::from_utf8(&bytes).unwrap().lines().nth(1), Some(first));
    let fnv = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    assert_eq!(fnv, 0xc2de_3528_321c_33de, "{fnv:#x}");
}
