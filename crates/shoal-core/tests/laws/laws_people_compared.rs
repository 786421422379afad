//! Can what everybody has hide what only the people of one class have?

use proptest::prelude::*;
use shoal_core::frequency::CountedTable;
use shoal_core::model::{OfPeople, PrivacyModel, Quantity};

use crate::laws_people::reached_by_hand;
use crate::tables::{Plan, profile, random, samples};

/// The rows of a class: everybody's values.
fn class<'a>(name: &'a str, first: u32, people: &[&[&'a str]]) -> Vec<(&'a str, u32, &'a str)> {
    let of_person =
        |(person, values): (u32, &&[&'a str])| values.iter().map(move |&value| (name, person, value)).collect();
    (first..).zip(people).flat_map(|one| -> Vec<_> { of_person(one) }).collect()
}

fn is_near(found: &[f64], expected: f64) {
    assert!(matches!(found, [one] if (one - expected).abs() < 1e-12), "{found:?}, not {expected}");
}

/// Both people of a class have HIV, and what everybody has; eighteen others have only that.
#[test]
fn what_everybody_has_does_not_dilute_what_a_class_has() {
    let (with, without) =
        (&["hiv", "1", "2", "3", "4", "5", "6", "7", "8", "9"][..], &["1", "2", "3", "4", "5", "6", "7", "8", "9"][..]);
    let rows = [class("first", 0, &[with; 2]), class("second", 2, &[without; 18])].concat();
    // In equal parts HIV is a tenth of the class and a hundredth of all people. But all of the class have it, and one in ten of all.
    is_near(&reached_by_hand(&rows, "t-closeness", "{ t = 1 }"), 0.9);
    is_near(&reached_by_hand(&rows, "t-closeness", "{ t = 9, distance = 'kl' }"), 10f64.ln());
    is_near(&reached_by_hand(&rows, "bayes-optimal-privacy", "{ difference = 1 }"), 0.9);
    is_near(&reached_by_hand(&rows, "bayes-optimal-privacy", "{ rho1 = 0.2, rho2 = 0.5 }"), 1.0);
}

/// What nearly everybody has may be several values, and a class may lack one that is not the commonest.
#[test]
fn of_several_values_that_nearly_everybody_has_each_may_be_what_a_class_lacks() {
    let both = [&["a", "b"][..]; 9];
    let rows = [class("first", 0, &[&["a"]]), class("second", 1, &both)].concat();
    // All have a, and nine of ten b, of which nobody of the class does: that somebody has it not was believed with a tenth.
    is_near(&reached_by_hand(&rows, "bayes-optimal-privacy", "{ rho1 = 0.2, rho2 = 0.5 }"), 1.0);
    is_near(&reached_by_hand(&rows, "bayes-optimal-privacy", "{ difference = 1 }"), 0.9);
}

/// One has the smallest and the largest of five numbers; the others have one each: once these two, and each of those between.
#[test]
fn the_least_and_the_greatest_of_everybody_count_where_values_have_an_order() {
    let others: [&[&str]; 5] = [&["1"], &["5"], &["2"], &["3"], &["4"]];
    let rows = [class("first", 0, &[&["1", "5"]]), class("second", 1, &others)].concat();
    // In equal parts 1/4, 1/12, 1/12 and 1/4 cross the borders, a sixth over four steps; both 1 and 5 are had by 2/3 more than by all, a step
    // of four from the next. By the least 4/6, 3/6, 2/6 and 1/6 cross them.
    is_near(&reached_by_hand(&rows, "t-closeness", "{ t = 1, distance = 'ordered' }"), 10.0 / 24.0);
}

proptest! {
    #![proptest_config(random::cases(150))]

    /// Of people with one record each all is what it is of records, to the last digit; divergences as far as floating point can tell.
    #[test]
    fn people_with_one_record_each_are_as_far_from_all_as_records(plan in random::three_classes(1..=2)) {
        let (of_rows, of_people) = (plan.count(), one_each(&plan));
        let (rows, people) = (samples(&of_rows), samples(&of_people));
        for (by_row, by_person) in rows.into_iter().zip(people) {
            let is_compared = by_row.requirement.model.compares_distributions() || by_row.requirement.id == "bayes-optimal-privacy";
            if !is_compared {
                continue;
            }
            let model = OfPeople::new(by_person.requirement.model, true);
            let (here, there) = (profile(&of_rows), profile(&of_people));
            for place in 0..of_rows.base.classes() {
                let measured = by_row.requirement.model.measure(&of_rows.base.class(place), &here);
                let of_persons = model.measure(&of_people.base.class(place), &there);
                for (row, person) in measured.iter().zip(of_persons.iter()) {
                    let is_same = match (row, person) {
                        (Quantity::Exact(row), Quantity::Exact(person)) => row == person,
                        (row, person) => {
                            let (row, person) = (row.to_f64(), person.to_f64());
                            row == person || (row - person).abs() < 1e-12
                        }
                    };
                    prop_assert!(is_same, "{}: {:?} of records, {:?} of people", model.name(), row, person);
                }
            }
        }
    }
}

/// A table in which every record is somebody else's.
fn one_each(plan: &Plan) -> CountedTable {
    plan.count_people(&(0..plan.rows.len() as u32).collect::<Vec<u32>>())
}
