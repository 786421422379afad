//! Which releases does no other one beat?

use super::{Figures, Point};
use shoal_core::objective::order::exceeds;
use shoal_core::objective::{Loss, Objective};

/// What is to be as small as possible on the side of privacy.
///
/// ```
/// use shoal::PrivacyAxis;
///
/// assert_eq!(PrivacyAxis::HighestRisk.name(), "highest risk of being found");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrivacyAxis {
    /// The risk of the record that is easiest to match.
    HighestRisk,
    /// The mean risk of the records.
    AverageRisk,
    /// The share of records that the worst attack exposes.
    Exposed,
}

/// What is to be as good as possible on the side of utility.
///
/// ```
/// use shoal::UtilityAxis;
///
/// assert_eq!(UtilityAxis::Accuracy.name(), "accuracy of learners");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UtilityAxis {
    /// `loss`: as small as possible.
    Loss,
    /// The share of right answers of learners: as large as possible.
    Accuracy,
}

impl PrivacyAxis {
    /// What an axis says.
    pub fn name(self) -> &'static str {
        match self {
            Self::HighestRisk => "highest risk of being found",
            Self::AverageRisk => "average risk of being found",
            Self::Exposed => "share of records that the worst attack exposes",
        }
    }

    /// The figure, if the release has it.
    pub fn of(self, figures: &Figures) -> Option<f64> {
        match self {
            Self::HighestRisk => figures.risk.map(|(highest, _)| highest),
            Self::AverageRisk => figures.risk.map(|(_, average)| average),
            Self::Exposed => figures.exposed(),
        }
    }
}

impl UtilityAxis {
    /// What an axis says.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loss => Loss.id(),
            Self::Accuracy => "accuracy of learners",
        }
    }

    /// The figure, if the release has it.
    pub fn of(self, figures: &Figures) -> Option<f64> {
        match self {
            Self::Loss => figures.objective(Loss.id()).filter(|_| !figures.is_separated),
            Self::Accuracy => figures.accuracy().map(|(release, _)| release),
        }
    }

    /// The same as something to be small.
    fn cost(self, figures: &Figures) -> Option<f64> {
        let value = self.of(figures)?;
        Some(if self == Self::Loss { value } else { -value })
    }
}

/// Marks the points that no other beats: none is at least as good in both respects and better in one. What only rounding
/// tells apart is as good.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, &Unwatched)?;
/// use shoal::{Rival, PrivacyAxis, Setting, UtilityAxis};
///
/// let rival = |k: i64| Ok(Rival { file: "p".into(), settings: vec![Setting::new("k", k.to_string())], policy: sample::policy(k)? });
/// let rivals = [2, 4, 12].into_iter().map(rival).collect::<shoal::Result<_>>()?;
/// let mut points = study.compare(rivals, &Unwatched)?;
/// shoal::mark_frontier(&mut points, PrivacyAxis::HighestRisk, UtilityAxis::Loss);
/// let frontier: Vec<String> = points.iter().filter(|point| point.is_on_frontier).map(|point| point.label(false)).collect();
/// assert_eq!(frontier, ["k = 2", "k = 4", "k = 12"]);
/// # Ok(())
/// # }
/// ```
pub fn mark_frontier(points: &mut [Point], privacy: PrivacyAxis, utility: UtilityAxis) {
    let place = |point: &Point| {
        let figures = point.release.as_ref().ok()?;
        Some((privacy.of(figures)?, utility.cost(figures)?))
    };
    let places: Vec<Option<(f64, f64)>> = points.iter().map(place).collect();
    for (point, place) in points.iter_mut().zip(&places) {
        point.is_on_frontier = place.is_some_and(|own| !places.iter().flatten().any(|other| beats(*other, own)));
    }
}

fn beats(other: (f64, f64), own: (f64, f64)) -> bool {
    let is_worse = exceeds(other.0, own.0) || exceeds(other.1, own.1);
    !is_worse && (exceeds(own.0, other.0) || exceeds(own.1, other.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_as_good_in_both_and_better_in_one_beats() {
        assert!(beats((0.1, 0.5), (0.2, 0.5)) && beats((0.1, 0.4), (0.1, 0.5)) && beats((0.0, 0.0), (1.0, 1.0)));
        assert!(!beats((0.1, 0.6), (0.2, 0.5)), "better in one and worse in the other");
        assert!(!beats((0.1, 0.5), (0.1, 0.5)), "equals do not beat each other");
        assert!(!beats((0.3, 0.5), (0.1 + 0.2, 0.5)), "nor does what is less by rounding alone");
        assert!(beats((0.1 + 0.2, 0.4), (0.3, 0.5)), "and it does not save what is beaten");
    }
}
