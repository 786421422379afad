//! However a class is divided, do as many of its records fail as models say?

use std::cell::Cell;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{TestCaseError, TestRunner};
use shoal_core::frequency::{CountedTable, EquivalenceClass, Generalization, TableProfile};
use shoal_core::lattice::Node;

use crate::tables::{profile, random, samples};

/// Classes that can be divided into more different parts are left out: all ways to divide one are tried.
const MOST_PARTS: u64 = 100;

/// The most records that are in accepted parts, over all ways to divide a class with these counts.
fn most_accepted(counts: &[u64], accepts: impl Fn(&[u64]) -> bool) -> u64 {
    let places: Vec<u64> =
        counts.iter().scan(1, |place, count| Some(std::mem::replace(place, *place * (count + 1)))).collect();
    let parts: u64 = counts.iter().map(|count| count + 1).product();
    // A part is the number whose digits are its counts, so that it comes after all that are parts of it, and differences are those of numbers.
    let digits = |part: u64| counts.iter().zip(&places).map(move |(count, place)| part / place % (count + 1));
    let accepted: Vec<u64> = (0..parts)
        .map(|part| {
            let of_part: Vec<u64> = digits(part).collect();
            if part > 0 && accepts(&of_part) { of_part.iter().sum() } else { 0 }
        })
        .collect();
    let mut most: Vec<u64> = Vec::with_capacity(parts as usize);
    for whole in 0..parts {
        let is_part = |part: &u64| digits(*part).zip(digits(whole)).all(|(one, all)| one <= all);
        let with = |part: u64| {
            if part == whole {
                accepted[part as usize]
            } else {
                accepted[part as usize] + most[(whole - part) as usize]
            }
        };
        // What is left over may fail as a whole.
        most.push((0..=whole).filter(is_part).filter(|&part| part > 0).map(with).max().unwrap_or(0));
    }
    most[parts as usize - 1]
}

/// The profile of a table of which some records are left out.
fn without(table: &CountedTable, input: &TableProfile, left_out: &[Index]) -> TableProfile {
    let mut counts: Vec<u64> = table.sensitive[0].input_counts().to_vec();
    for index in left_out {
        let held: Vec<usize> = (0..counts.len()).filter(|&code| counts[code] > 0).collect();
        counts[*index.get(&held)] -= 1;
    }
    let rows = counts.iter().sum();
    TableProfile::of_counts(&table.sensitive, &[counts], rows, Some(input))
}

#[test]
fn no_division_lets_fewer_records_fail_than_is_said() {
    let (told, exact) = (Cell::new(0u64), Cell::new(0u64));
    let mut runner = TestRunner::new(random::cases(150));
    let strategy = (random::three_classes(1..=1), prop::collection::vec(any::<Index>(), 0..3));
    let outcome = runner.run(&strategy, |(plan, left_out)| {
        let table = plan.count();
        let (input, reference) = (profile(&table), without(&table, &profile(&table), &left_out));
        let fraction = left_out.len() as f64 / table.rows as f64;
        let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
        let set = generalization.roll_up(&table.base, &table.ungeneralized(), &Node::new(vec![1]));
        for class in 0..set.classes() {
            let (codes, counts) = set.entries(class);
            if counts.iter().map(|count| count + 1).product::<u64>() > MOST_PARTS {
                continue;
            }
            for sample in samples(&table) {
                let requirement = &sample.requirement;
                if requirement.accepts(&set.class(class), &input) {
                    continue;
                }
                let accepts = |part: &[u64]| {
                    let (codes, counts): (Vec<u32>, Vec<u64>) = codes
                        .iter()
                        .zip(part)
                        .filter(|(_, count)| **count > 0)
                        .map(|(code, count)| (*code, *count))
                        .unzip();
                    requirement.accepts(&EquivalenceClass::new(set.sensitive(), &codes, &counts), &reference)
                };
                let size = set.sizes()[class];
                let failing = size - most_accepted(counts, accepts);
                let least = requirement.least_failing(&set.class(class), &input, fraction);
                let name = requirement.model.name();
                prop_assert!(least <= failing, "{name}: {least} were said to fail of {counts:?}, but {failing} do");
                told.set(told.get() + 1);
                exact.set(exact.get() + u64::from(least == failing));
            }
        }
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    let (told, exact) = (told.get(), exact.get());
    assert!(
        told > 1000 && 10 * exact > 6 * told,
        "of {told} classes that fail, exactly so many records had to in {exact}"
    );
}
