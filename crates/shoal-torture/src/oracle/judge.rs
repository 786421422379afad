//! Which classes keep every requirement, and what is achieved over all of them?

use std::collections::BTreeMap;

use super::crowd::Crowd;
use super::measured::Measured;
use super::sensitive::SensitiveCells;
use crate::requirement::Model;

/// A requirement, made ready to be asked of rows.
pub struct Asked<'a> {
    pub model: &'a Model,
    /// The column it is about, by place; models of the whole table have none.
    pub column: Option<usize>,
    pub among: bool,
    /// The sensitive cells as this requirement sees them, by place of the column.
    pub cells: Vec<&'a SensitiveCells>,
    /// What the input has of it, for those who compare with it.
    pub input: Option<Reference>,
    /// Whose each row is, where people are counted.
    pub people: Option<&'a [usize]>,
}

/// What a class is compared with.
#[derive(Default)]
pub struct Reference {
    /// How often each value counts: in equal parts for people. Nothing where people cannot be divided into parts.
    pub counts: Vec<i128>,
    /// All people, where people are counted.
    pub crowd: Option<Crowd>,
}

impl Reference {
    /// These rows, or the people who have them.
    pub fn of(cells: &SensitiveCells, rows: &[usize], people: Option<&[usize]>) -> Self {
        let Some(people) = people else { return Self { counts: cells.counts(rows), crowd: None } };
        let crowd = Crowd::new(cells, rows, people);
        Self { counts: crowd.as_ref().and_then(Crowd::parts).unwrap_or_default(), crowd }
    }
}

impl Asked<'_> {
    /// What it measures on these rows, or on the people who have them; none where the oracle cannot tell.
    fn measure(&self, rows: &[usize], released: &Reference) -> Option<Vec<Measured>> {
        match self.people {
            None => self.measure_rows(rows, released),
            Some(people) => self.measure_people(rows, people, released),
        }
    }

    /// What it measures on a class: on each part with equal other sensitive values where it is asked among those.
    fn measure_class(&self, rows: &[usize], released: &Reference) -> Option<Vec<Vec<Measured>>> {
        if !self.among {
            return Some(vec![self.measure(rows, released)?]);
        }
        let mut parts: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        rows.iter().for_each(|&row| parts.entry(self.others(row)).or_default().push(row));
        parts.values().map(|rows| self.measure(rows, released)).collect()
    }

    /// What a row has in the other sensitive columns.
    pub fn others(&self, row: usize) -> Vec<&str> {
        let others = (0..self.cells.len()).filter(|&place| Some(place) != self.column);
        others.map(|place| self.cells[place].texts[row].as_str()).collect()
    }

    fn accepts(&self, rows: &[usize], released: &Reference) -> Option<bool> {
        let all = self.measure_class(rows, released)?;
        Some(all.iter().flatten().all(Measured::keeps))
    }

    /// What these rows are to those who compare with what is released.
    fn released(&self, rows: &[usize]) -> Reference {
        self.column.map_or_else(Reference::default, |column| Reference::of(self.cells[column], rows, self.people))
    }

    /// The worst of each quantity over these classes.
    pub fn achieved(&self, classes: &[Vec<usize>]) -> Option<Vec<Measured>> {
        let released = self.released(&classes.concat());
        self.worst(classes, |class| self.measure_class(class, &released))
    }

    /// The same where the other sensitive values have made the classes already.
    pub fn achieved_as_they_are(&self, classes: &[Vec<usize>]) -> Option<Vec<Measured>> {
        let released = self.released(&classes.concat());
        self.worst(classes, |class| Some(vec![self.measure(class, &released)?]))
    }

    fn worst(
        &self,
        classes: &[Vec<usize>],
        measure: impl Fn(&[usize]) -> Option<Vec<Vec<Measured>>>,
    ) -> Option<Vec<Measured>> {
        let mut worst: Option<Vec<Measured>> = None;
        for class in classes {
            for measured in measure(class)? {
                worst = Some(match worst {
                    None => measured,
                    Some(so_far) => worse(so_far, measured),
                });
            }
        }
        worst
    }
}

/// The worse of each of these quantities.
pub fn worse(these: Vec<Measured>, those: Vec<Measured>) -> Vec<Measured> {
    these.into_iter().zip(those).map(|(a, b)| a.worse(b)).collect()
}

/// Do all classes keep all requirements, with nothing suppressed? None where the oracle cannot tell.
pub fn satisfies(asked: &[Asked<'_>], classes: &[Vec<usize>]) -> Option<bool> {
    let all = classes.concat();
    for requirement in asked {
        let released = requirement.released(&all);
        for class in classes {
            if !requirement.accepts(class, &released)? {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// Which classes are released where those that fail are suppressed: all that fail at once, then anew with the distribution
/// that is left, until nothing fails. None where the oracle cannot tell.
pub fn releasable(asked: &[Asked<'_>], classes: &[Vec<usize>]) -> Option<Vec<bool>> {
    let mut accepted = vec![true; classes.len()];
    loop {
        let left: Vec<usize> =
            classes.iter().zip(&accepted).filter(|pair| *pair.1).flat_map(|pair| pair.0.clone()).collect();
        let released: Vec<Reference> = asked.iter().map(|requirement| requirement.released(&left)).collect();
        let before = accepted.clone();
        for (class, accepted) in classes.iter().zip(&mut accepted).filter(|pair| *pair.1) {
            for (requirement, released) in asked.iter().zip(&released) {
                *accepted &= requirement.accepts(class, released)?;
            }
        }
        let changes = asked.iter().any(|requirement| requirement.model.depends_on_release());
        if accepted == before || !changes {
            return Some(accepted);
        }
    }
}
