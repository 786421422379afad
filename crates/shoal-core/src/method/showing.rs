//! What may stand in the cells of a release, for somebody who knows the method that made it?

use super::LabelStyle;

/// What a method shows in place of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Showing {
    /// May each column be at one level of its hierarchy, the same for all rows?
    pub one_level: bool,
    /// The styles in which classes may have labels of their own.
    pub own_labels: Vec<LabelStyle>,
    /// May something stand for others that it does not name?
    pub stand_ins: StandIns,
}

/// What may stand for others: a mean for the numbers around it, a most frequent value for all of a class. The text does not
/// tell for which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StandIns {
    /// Numbers and dates.
    pub numbers: bool,
    /// Everything else.
    pub categories: bool,
}

impl Showing {
    /// Each class has labels of its own.
    pub fn labels(style: LabelStyle) -> Self {
        Self { own_labels: vec![style], ..Self::nothing() }
    }

    /// Nothing at all.
    pub fn nothing() -> Self {
        Self { one_level: false, own_labels: Vec::new(), stand_ins: StandIns::default() }
    }

    /// What one or the other shows.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        let new = other.own_labels.into_iter().filter(|style| !self.own_labels.contains(style)).collect::<Vec<_>>();
        self.own_labels.extend(new);
        let (own, others) = (self.stand_ins, other.stand_ins);
        Self {
            one_level: self.one_level || other.one_level,
            stand_ins: StandIns {
                numbers: own.numbers || others.numbers,
                categories: own.categories || others.categories,
            },
            ..self
        }
    }

    /// May something stand for others that it does not name?
    pub fn may_stand_in(&self) -> bool {
        self.stand_ins.numbers || self.stand_ins.categories
    }

    /// Is it one way for all releases of the method, rather than one of several?
    pub fn is_one_way(&self) -> bool {
        usize::from(self.one_level) + self.own_labels.len() == 1
    }
}
