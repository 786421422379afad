//! How many rows could a policy let go?

use super::Asked;
use super::change::{About, Change, ChangeKind, Ladder};
use crate::policy::Setting;
use shoal_core::exact::Ratio;

/// The limits that people use.
const USUAL: [f64; 11] = [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5];

/// More rows that may be left out, limit by limit. Beyond half of the rows there is hardly a release left.
pub(super) fn more(asked: &Asked<'_>) -> Option<Ladder> {
    let now = asked.spare();
    let mut ladder: Ladder = Vec::new();
    let mut most = now;
    for limit in USUAL {
        // Of twelve rows, 1% are none.
        let rows = rows(asked, limit);
        if rows > most {
            most = rows;
            ladder.push(asked.limit(ChangeKind::MoreSuppressed, limit));
        }
    }
    (!ladder.is_empty()).then_some(ladder)
}

/// Fewer rows that may be left out than are left out now.
pub(super) fn less(asked: &Asked<'_>) -> Option<Ladder> {
    let left_out = asked.now?.suppressed_rows();
    let limit = USUAL.into_iter().rev().find(|&limit| rows(asked, limit) < left_out)?;
    Some(vec![asked.limit(ChangeKind::FewerSuppressed, limit)])
}

/// The smallest limit that lets so many rows go, and no more.
pub(super) fn enough(rows: u64, of: u64) -> f64 {
    let mut scale = 10_000_u64;
    while scale < of {
        scale = scale.saturating_mul(10);
    }
    let units = (u128::from(rows) * u128::from(scale)).div_ceil(u128::from(of.max(1)));
    units as f64 / scale as f64
}

impl Asked<'_> {
    /// How many rows may be left out as the policy is.
    pub(super) fn spare(&self) -> u64 {
        self.study.task().rows_to_spare()
    }

    fn limit(&self, kind: ChangeKind, limit: f64) -> Change {
        let now = self.study.policy().method.max_suppressed.to_f64();
        let what = match (limit, now) {
            (0.0, _) => format!("no row left out instead of up to {}", percent(now)),
            (_, 0.0) => format!("up to {} of rows left out instead of none", percent(limit)),
            _ => format!("up to {} of rows left out instead of {}", percent(limit), percent(now)),
        };
        let settings = vec![Setting::new("max-suppressed", limit.to_string())];
        Change { kind, what, settings, about: About::Suppression }
    }
}

fn rows(asked: &Asked<'_>, limit: f64) -> u64 {
    Ratio::written(limit).map_or(0, |limit| limit.floor_of(asked.study.table().rows))
}

/// A fraction as people write it: `0.5%`.
pub(super) fn percent(fraction: f64) -> String {
    format!("{}%", (fraction * 1e8).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_lets_just_so_many_rows_go() {
        for of in [1, 2, 3, 7, 12, 9_999, 10_000, 10_001, 30_162, 1_000_003, 123_456_789] {
            for rows in [1, 2, of / 7, of / 3, of / 2, of - 1, of].into_iter().filter(|rows| (1..=of).contains(rows)) {
                let limit = enough(rows, of);
                let ratio = Ratio::written(limit.to_string().parse().unwrap()).unwrap();
                assert_eq!(ratio.floor_of(of), rows, "{limit} of {of}");
            }
        }
        assert_eq!((enough(1, 12), enough(3, 97)), (0.0834, 0.031));
        assert_eq!((percent(0.031), percent(0.5), percent(0.0005)), ("3.1%".into(), "50%".into(), "0.05%".into()));
    }
}
