//! What could somebody change in a policy?

use crate::policy::Setting;

/// A change of a policy.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(4)?, &Unwatched)?;
/// use shoal::AdviseOptions;
///
/// let advice = study.advise(&AdviseOptions::default(), &Unwatched)?;
/// // Whoever sets this gets the release that was shown.
/// let settings = &advice.advice[0].change.settings;
/// assert!(!settings.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Change {
    /// Of which kind it is.
    pub kind: ChangeKind,
    /// What it is in words: `3-anonymity instead of 4-anonymity`.
    pub what: String,
    /// The settings that make it.
    pub settings: Vec<Setting>,
    /// What it is about: two changes of one thing are not made together.
    pub(super) about: About,
}

/// What a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    Requirement(usize),
    Column(usize),
    Suppression,
    Method,
    Several,
}

/// Changes of one thing, the smallest first.
pub(super) type Ladder = Vec<Change>;

/// The kinds of changes.
///
/// ```
/// use shoal::ChangeKind;
///
/// assert_eq!(ChangeKind::OtherMethod.id(), "other-method");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// A parameter of a requirement is a step looser.
    LooserRequirement,
    /// A requirement is left out.
    WithoutRequirement,
    /// A column may be more general than the policy allows, or finer.
    WiderLevels,
    /// A column is the same in all rows.
    ColumnGivenUp,
    /// A column has to be a level finer than it is now.
    FinerColumn,
    /// More rows may be left out.
    MoreSuppressed,
    /// Fewer rows may be left out.
    FewerSuppressed,
    /// As many rows may be left out as keep a column from being finer.
    RowsLeftOut,
    /// Another method finds the classes.
    OtherMethod,
    /// Two of these at once.
    Two,
}

impl ChangeKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::LooserRequirement,
        Self::WithoutRequirement,
        Self::WiderLevels,
        Self::ColumnGivenUp,
        Self::FinerColumn,
        Self::MoreSuppressed,
        Self::FewerSuppressed,
        Self::RowsLeftOut,
        Self::OtherMethod,
        Self::Two,
    ];

    /// Its name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Self::LooserRequirement => "looser-requirement",
            Self::WithoutRequirement => "without-requirement",
            Self::WiderLevels => "wider-levels",
            Self::ColumnGivenUp => "column-given-up",
            Self::FinerColumn => "finer-column",
            Self::MoreSuppressed => "more-suppressed",
            Self::FewerSuppressed => "fewer-suppressed",
            Self::RowsLeftOut => "rows-left-out",
            Self::OtherMethod => "other-method",
            Self::Two => "two",
        }
    }

    /// Does it ask for more than the policy does, so that it can only cost?
    pub fn asks_for_more(self) -> bool {
        matches!(self, Self::FinerColumn | Self::FewerSuppressed)
    }
}

impl Change {
    /// The settings as they are written after `--set`.
    pub fn words(&self) -> Vec<String> {
        self.settings.iter().map(|setting| format!("{}={}", setting.key(), setting.value())).collect()
    }

    /// Would each setting be understood as it is meant? Names of columns may have any characters.
    pub(super) fn is_sayable(&self) -> bool {
        self.words()
            .iter()
            .zip(&self.settings)
            .all(|(word, meant)| word.parse().is_ok_and(|read: Setting| read == *meant))
    }

    /// Both at once.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            kind: ChangeKind::Two,
            what: format!("{}, and {}", self.what, other.what),
            settings: [&self.settings[..], &other.settings].concat(),
            about: About::Several,
        }
    }
}
