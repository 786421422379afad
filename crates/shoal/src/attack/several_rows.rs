//! Who is found by somebody who knows several rows of a person?

use serde_json::json;

use super::finding::{ByClass, Detail, Exposure};
use super::{Attack, Finding, Findings, Scene};
use crate::outsider::OutsiderClasses;
use shoal_core::Result;

/// # Several rows of a person
///
/// **Definition.** Somebody knows the quasi-identifiers of one, two, three or all rows of a person, and the release lets rows be told that belong
/// together, as a pseudonym does. Left are the people who have such rows, too: in each class at least as many as are known. Of one to
/// three rows, those are taken that leave the fewest people, one row after the other, and of equal ones those that tell values of most
/// columns. Whoever knows all rows knows that there are no others: left are the people who have as many in each class, and no more.
/// **What is learned.** Who it is, where nobody else is left; and a sensitive value that everybody who is left has in some row. Of each number of rows it
/// is said how many people are left, the fewest and on average, and of each sensitive column of how many people a value is learned. Of
/// a release that is made just now and does not tell which rows belong together, the same is worked out as if something else
/// told so, and no record counts as exposed.
/// **Prevented by.** `person` with `knows = "all-rows"`; publishing no pseudonym, and nothing else by which rows of one person
/// can be told to belong together; leaving out or coarsening what differs from row to row, such as dates.
/// **Options.** `--person` (the column that says whose row it is). With more people than can be looked at, so many of them are that lie
/// evenly among all.
/// **Example.** Bob was at the clinic in January and in March. Five people were there in each month, and only Bob in both.
/// **Reference.** Wang and Fung 2006, Anonymizing sequential releases, on (X,Y)-anonymity.
#[derive(Debug)]
pub struct SeveralRows;

/// So many steps are spent: comparing a person with another one by a class.
const MOST_STEPS: u64 = 1_000_000_000;

impl Attack for SeveralRows {
    fn id(&self) -> &'static str {
        "several-rows"
    }

    fn not_in_two_tables(&self) -> Option<&'static str> {
        Some("quasi-identifiers are shown as they are: whoever knows somebody's rows finds them")
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        let Some(classes) = scene.people else {
            findings.untried(self.id(), None, "a column of the table that tells which rows belong together (--person)");
            return Ok(());
        };
        let rows = RowsOfPeople::new(classes, scene.columns.len());
        let looked_at = rows.looked_at(MOST_STEPS);
        let exposing = what_counts(scene.shows_people, looked_at.len() == rows.people());
        let mut found_by = [0u64; ROWS_KNOWN.len()];
        let mut left_by = [PeopleLeft::default(); ROWS_KNOWN.len()];
        let mut told_by = vec![[0u64; ROWS_KNOWN.len()]; scene.columns.len()];
        let mut alone = ByClass::default();
        let mut told: Vec<ByClass> = scene.columns.iter().map(|_| ByClass::default()).collect();
        let mut records = 0;
        for &person in &looked_at {
            scene.watch.proceed()?;
            let left = rows.left(person);
            records += rows.count(person);
            for (known, people) in left.by_rows.iter().enumerate() {
                found_by[known] += u64::from(people.len() == 1);
                left_by[known].add(people.len());
                for (column, told) in told_by.iter_mut().enumerate() {
                    told[known] += u64::from(rows.shared_value(people, column).is_some());
                }
            }
            let by_all = &left.by_rows[ALL_ROWS];
            let all = by_all.len();
            if all == 1 {
                rows.each_class(person, |class, rows| alone.add(class, rows, 0, 1.0));
            }
            for (column, told) in told.iter_mut().enumerate() {
                if let Some(value) = rows.shared_value(by_all, column) {
                    rows.each_class(person, |class, rows| told.add(class, rows, value, 1.0 / all as f64));
                }
            }
        }
        let prevented = "`person` with knows = \"all-rows\"; publishing nothing that tells which rows belong together";
        // Nobody who has such a release alone can tell which rows belong together.
        let exposed = |exposure: Exposure| if scene.shows_people { exposure } else { Exposure::default() };
        let who = if scene.shows_people { WHO.to_owned() } else { format!("{WHO}, if something else {TOLD}") };
        let exposure = exposed(alone.exposure(scene, |_, _, _| Detail::default()));
        let mut finding = exposure.finding(scene, self.id(), None, who, prevented).among(records);
        for ((name, found), left) in ROWS_KNOWN.iter().zip(found_by).zip(left_by) {
            finding = finding
                .with(&format!("found_by_{name}"), found)
                .with(&format!("fewest_left_by_{name}"), left.fewest.unwrap_or(0) as u64)
                .with(&format!("average_left_by_{name}"), left.sum as f64 / looked_at.len().max(1) as f64);
        }
        finding = finding.with("release_tells_people", scene.shows_people);
        finding = finding.with("people", rows.people() as u64).with("looked_at", looked_at.len() as u64);
        findings.push(counting(finding, exposing, ("people found then", found_by[ALL_ROWS])));
        for (column, told) in told.into_iter().enumerate() {
            let known = &scene.columns[column];
            let exposure = told.exposure(scene, |_, code, score| Detail {
                figures: vec![("people_left", json!((1.0 / score).round() as u64))],
                value: known.value(code).to_owned(),
            });
            let learned = if scene.shows_people { VALUE.to_owned() } else { format!("{VALUE}, if something else {TOLD}") };
            let exposure = exposed(exposure);
            let finding = exposure.finding(scene, self.id(), Some(column), learned, prevented).among(records);
            let told = ROWS_KNOWN.iter().zip(told_by[column]);
            let finding = told.fold(finding, |finding, (name, told)| finding.with(&format!("told_by_{name}"), told));
            findings.push(counting(finding, exposing, ("people of whom a value is learned then", told_by[column][ALL_ROWS])));
        }
        Ok(())
    }
}

/// What is known.
const ROWS_KNOWN: [&str; 4] = ["one_row", "two_rows", "three_rows", "all_rows"];
const ALL_ROWS: usize = ROWS_KNOWN.len() - 1;

/// What is learned.
const WHO: &str = "who it is, from all rows of the person";
const VALUE: &str = "a value that the person has, from all rows of the person";

/// What a release alone may not do.
const TOLD: &str = "tells which rows belong together";

/// What counts as exposed, where that is not every record: of those that were not looked at nobody knows, and whoever has nothing but such a
/// release cannot tell which rows belong together.
fn what_counts(shows_people: bool, is_everybody: bool) -> Option<&'static str> {
    match (shows_people, is_everybody) {
        (true, true) => None,
        (true, false) => Some("record of those that were looked at"),
        (false, true) => Some("record, unless something else tells which rows belong together"),
        (false, false) => {
            Some("record of those that were looked at, unless something else tells which rows belong together")
        }
    }
}

/// A finding that counts only this as exposed, and what is seen besides.
fn counting(finding: Finding, exposing: Option<&'static str>, besides: (&'static str, u64)) -> Finding {
    match exposing {
        Some(exposing) => finding.counting(exposing, &[besides]),
        None => finding,
    }
}

/// How many people are left, of those that were looked at.
#[derive(Debug, Clone, Copy, Default)]
struct PeopleLeft {
    fewest: Option<usize>,
    sum: u64,
}

impl PeopleLeft {
    fn add(&mut self, people: usize) {
        self.fewest = Some(self.fewest.map_or(people, |fewest| fewest.min(people)));
        self.sum += people as u64;
    }
}

/// Who has how many rows in which classes.
struct RowsOfPeople {
    /// For each person, classes and rows there, by class.
    classes: Vec<Vec<(usize, u64)>>,
    /// For each class, people and rows there, by person.
    people: Vec<Vec<(u32, u64)>>,
    /// For each sensitive column and person, the values that they have, sorted.
    values: Vec<Vec<Vec<u32>>>,
}

/// The people who are left, by one, two, three and all rows.
#[derive(Default)]
struct Left {
    by_rows: [Vec<u32>; ROWS_KNOWN.len()],
}

impl RowsOfPeople {
    fn new(of_people: &OutsiderClasses, columns: usize) -> Self {
        let people: Vec<Vec<(u32, u64)>> = (0..of_people.len()).map(|class| of_people.people_of(class)).collect();
        let count = people.iter().flatten().map(|&(person, _)| person as usize + 1).max().unwrap_or(0);
        let mut classes = vec![Vec::new(); count];
        for (class, people) in people.iter().enumerate() {
            people.iter().for_each(|&(person, rows)| classes[person as usize].push((class, rows)));
        }
        let mut values = vec![vec![Vec::new(); count]; columns];
        let tuples = of_people.tuples();
        for tuple in (0..tuples.len() as u32).map(|tuple| tuples.tuple(tuple)) {
            let Some((&person, codes)) = tuple.split_last() else { continue };
            values.iter_mut().zip(codes).for_each(|(values, &code)| values[person as usize].push(code));
        }
        for values in values.iter_mut().flatten() {
            values.sort_unstable();
            values.dedup();
        }
        Self { classes, people, values }
    }

    fn people(&self) -> usize {
        self.classes.iter().filter(|classes| !classes.is_empty()).count()
    }

    /// Everybody, or, where that takes too long, some who lie evenly among all.
    fn looked_at(&self, most_steps: u64) -> Vec<u32> {
        let people = (0u32..).zip(&self.classes).filter(|(_, classes)| !classes.is_empty());
        let steps = |classes: &Vec<(usize, u64)>| {
            let fewest = classes.iter().map(|&(class, _)| self.people[class].len()).min().unwrap_or(0);
            (fewest * classes.len()) as u64
        };
        let every = people.clone().map(|(_, classes)| steps(classes)).sum::<u64>().div_ceil(most_steps).max(1);
        people.map(|(person, _)| person).step_by(every as usize).collect()
    }

    fn count(&self, person: u32) -> u64 {
        self.classes[person as usize].iter().map(|&(_, rows)| rows).sum()
    }

    fn each_class(&self, person: u32, mut act: impl FnMut(usize, u64)) {
        self.classes[person as usize].iter().for_each(|&(class, rows)| act(class, rows));
    }

    fn rows_in(&self, person: u32, class: usize) -> u64 {
        let classes = &self.classes[person as usize];
        classes.binary_search_by_key(&class, |entry| entry.0).map_or(0, |place| classes[place].1)
    }

    /// Who is left by the rows of a person.
    fn left(&self, person: u32) -> Left {
        let own = &self.classes[person as usize];
        let first = own.iter().map(|&(class, _)| {
            let people = self.people[class].iter().map(|entry| entry.0);
            (class, 1, people)
        });
        // Only those that may be the most telling are listed.
        let fewest = first.clone().map(|(.., people)| people.len()).min().unwrap_or(0);
        let first = first.filter(|(.., people)| people.len() == fewest);
        let first = first.map(|(class, rows, people)| (class, rows, people.collect()));
        let Some((class, rows, mut left)) = self.most_telling(first) else { return Left::default() };
        let mut known = vec![(class, rows)];
        let mut by_rows: [Vec<u32>; ROWS_KNOWN.len()] = std::array::from_fn(|_| Vec::new());
        by_rows[0].clone_from(&left);
        for by_rows in &mut by_rows[1..ALL_ROWS] {
            if let Some((class, rows, fewer)) = self.next_row(own, &known, &left) {
                known.retain(|entry| entry.0 != class);
                known.push((class, rows));
                left = fewer;
            }
            by_rows.clone_from(&left);
        }
        left.retain(|&other| self.classes[other as usize] == *own);
        by_rows[ALL_ROWS] = left;
        Left { by_rows }
    }

    /// What leaves the fewest people; of equal ones, that by which values of most columns are learned: its class, how many rows of it are
    /// known then, and who is left.
    fn most_telling(&self, ways: impl Iterator<Item = (usize, u64, Vec<u32>)>) -> Option<(usize, u64, Vec<u32>)> {
        let mut ways: Vec<_> = ways.collect();
        let fewest = ways.iter().map(|(.., left)| left.len()).min()?;
        ways.retain(|(.., left)| left.len() == fewest);
        if ways.len() == 1 {
            return ways.pop();
        }
        let told = |left: &[u32]| (0..self.values.len()).filter(|&c| self.shared_value(left, c).is_some()).count();
        ways.into_iter().min_by_key(|(class, _, left)| (std::cmp::Reverse(told(left)), *class))
    }

    /// One more row of a person, the one that leaves the fewest.
    fn next_row(&self, own: &[(usize, u64)], known: &[(usize, u64)], left: &[u32]) -> Option<(usize, u64, Vec<u32>)> {
        let more = own.iter().filter_map(|&(class, rows)| {
            let known = known.iter().find(|entry| entry.0 == class).map_or(0, |entry| entry.1);
            (known < rows).then_some((class, known + 1))
        });
        let fewer = more.map(|(class, rows)| {
            let stay = left.iter().copied().filter(|&other| self.rows_in(other, class) >= rows);
            (class, rows, stay.collect::<Vec<u32>>())
        });
        self.most_telling(fewer)
    }

    /// A value of a column that all of these have.
    fn shared_value(&self, people: &[u32], column: usize) -> Option<u32> {
        let values = &self.values[column];
        let (first, others) = people.split_first()?;
        let has = |person: &u32, value: &u32| values[*person as usize].binary_search(value).is_ok();
        values[*first as usize].iter().copied().find(|value| others.iter().all(|other| has(other, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bob (0) and four others in January, Bob and four others in March; of the latter, 5 was there twice, as was Bob.
    fn clinic() -> RowsOfPeople {
        let people = vec![
            vec![(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)],
            vec![(0, 2), (4, 1), (5, 2), (6, 1), (7, 1)],
        ];
        let mut classes = vec![Vec::new(); 8];
        for (class, people) in people.iter().enumerate() {
            people.iter().for_each(|&(person, rows): &(u32, u64)| classes[person as usize].push((class, rows)));
        }
        let values = vec![vec![vec![1, 2], vec![1], vec![3], vec![3], vec![2], vec![2], vec![4], vec![4]]];
        RowsOfPeople { classes, people, values }
    }

    #[test]
    fn each_row_leaves_fewer_people() {
        let clinic = clinic();
        let left = |person: u32| clinic.left(person).by_rows;
        let how_many = |person: u32| left(person).map(|people| people.len());
        // One row leaves five; January and March leave Bob and 4; the second row of March, Bob alone.
        assert_eq!(how_many(0), [5, 2, 1, 1]);
        assert_eq!((&left(0)[1], &left(0)[3]), (&vec![0, 4], &vec![0]));
        // Bob was there twice in March, too, but also in January.
        assert_eq!((how_many(5), &left(5)[2], &left(5)[3]), ([5, 2, 2, 1], &vec![0, 5], &vec![5]), "two rows of March");
        // Whoever knows that January is all there is knows that it is neither Bob nor 4; and that 6 and 7 were there once in March.
        assert_eq!((how_many(1), &left(1)[3]), ([5, 5, 5, 3], &vec![1, 2, 3]));
        assert_eq!((how_many(6), &left(6)[3]), ([5, 5, 5, 2], &vec![6, 7]));
    }

    /// Bob was in two classes with one other person each: the other of the first has nothing that he has, that of the second has.
    #[test]
    fn of_classes_with_as_many_people_the_most_telling_is_known() {
        let people = vec![vec![(0, 1), (1, 1)], vec![(0, 1), (2, 1)]];
        let classes = vec![vec![(0, 1), (1, 1)], vec![(0, 1)], vec![(1, 1)]];
        let rows = RowsOfPeople { classes, people, values: vec![vec![vec![7, 8], vec![9], vec![8]]] };
        assert_eq!(rows.left(0).by_rows[0], [0, 2]);
        assert_eq!(rows.shared_value(&rows.left(0).by_rows[0], 0), Some(8));
        assert_eq!(rows.left(0).by_rows[1], [0]);
    }

    #[test]
    fn what_everybody_has_who_is_left_is_learned() {
        let clinic = clinic();
        assert_eq!(clinic.shared_value(&[0, 5], 0), Some(2));
        assert_eq!(clinic.shared_value(&[1, 2], 0), None);
        assert_eq!(clinic.shared_value(&[0], 0), Some(1));
    }

    #[test]
    fn everybody_is_looked_at_where_that_is_quick() {
        let clinic = clinic();
        assert_eq!((clinic.looked_at(MOST_STEPS).len(), clinic.people()), (8, 8));
        assert_eq!(what_counts(true, true), None);
    }

    #[test]
    fn of_those_who_were_not_looked_at_nothing_is_said() {
        // Of each of the two classes five are left, and two people are in both: 50 steps.
        let clinic = clinic();
        assert_eq!(clinic.looked_at(25), [0, 2, 4, 6]);
        assert_eq!(what_counts(true, false), Some("record of those that were looked at"));
    }
}
