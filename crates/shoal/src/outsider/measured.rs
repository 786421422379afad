//! What do models reach on the classes of a table?

use shoal_core::frequency::{EquivalenceClass, TableProfile};
use shoal_core::model::{OneOrTwo, Quantity, Requirement, worst};

/// What models reach on a table, and how large its classes are.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(4)?, &Unwatched)?;
/// use shoal::Measured;
///
/// let measured: Measured = study.best(&Unwatched)?.measure()?;
/// assert!(measured.smallest >= 4 && measured.largest <= 12 && measured.alone == 0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Measured {
    /// For each requirement, the worst over all classes.
    pub achieved: Vec<OneOrTwo<Quantity>>,
    /// How many classes there are.
    pub classes: u64,
    /// The size of the smallest.
    pub smallest: u64,
    /// The size of the largest.
    pub largest: u64,
    /// How many rows are alone in their class.
    pub alone: u64,
    /// Whose they are, where that is known.
    pub people: Option<MeasuredPeople>,
}

/// How many people the classes of a table have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasuredPeople {
    /// How many there are.
    pub count: u64,
    /// How many the class with the fewest has.
    pub fewest: u64,
    /// How many the class with the most has.
    pub most: u64,
    /// How many classes have records of one person only.
    pub classes_of_one: u64,
}

impl Measured {
    /// No class yet, of a table of so many people if that is known.
    pub(super) fn nothing(known: Option<u64>) -> Self {
        let people = |count| MeasuredPeople { count, fewest: u64::MAX, most: 0, classes_of_one: 0 };
        Self { achieved: Vec::new(), classes: 0, smallest: u64::MAX, largest: 0, alone: 0, people: known.map(people) }
    }

    /// The same where each requirement is also asked of other classes of the same rows.
    pub fn worsen<'a>(&mut self, others: &Self, requirements: impl IntoIterator<Item = &'a Requirement>) {
        for ((so_far, &other), requirement) in self.achieved.iter_mut().zip(&others.achieved).zip(requirements) {
            *so_far = worst(requirement.model.bounds(), *so_far, other);
        }
    }

    pub(super) fn add(&mut self, class: &EquivalenceClass<'_>, requirements: &[&Requirement], profile: &TableProfile) {
        self.classes += 1;
        self.smallest = self.smallest.min(class.size());
        self.largest = self.largest.max(class.size());
        self.alone += u64::from(class.size() == 1);
        if let Some(people) = &mut self.people {
            people.add(class.distinct_people());
        }
        let measured = requirements.iter().map(|requirement| requirement.model.measure(class, profile));
        if self.achieved.is_empty() {
            self.achieved = measured.collect();
            return;
        }
        for ((so_far, measured), requirement) in self.achieved.iter_mut().zip(measured).zip(requirements) {
            *so_far = worst(requirement.model.bounds(), *so_far, measured);
        }
    }

    /// The same with other classes of the table, in which the same people were counted.
    #[must_use]
    pub(super) fn joined(mut self, others: Self, requirements: &[&Requirement]) -> Self {
        self.classes += others.classes;
        self.smallest = self.smallest.min(others.smallest);
        self.largest = self.largest.max(others.largest);
        self.alone += others.alone;
        if let (Some(people), Some(others)) = (&mut self.people, &others.people) {
            people.fewest = people.fewest.min(others.fewest);
            people.most = people.most.max(others.most);
            people.classes_of_one += others.classes_of_one;
        }
        if self.achieved.is_empty() {
            self.achieved = others.achieved;
        } else {
            self.worsen(&others, requirements.iter().copied());
        }
        self
    }
}

impl MeasuredPeople {
    /// Adds a class of so many people.
    fn add(&mut self, count: u64) {
        self.fewest = self.fewest.min(count);
        self.most = self.most.max(count);
        self.classes_of_one += u64::from(count == 1);
    }
}
