//! How long may a search go on?

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

/// How long a search may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "Written")]
pub enum Budget {
    /// For so long.
    Time(Duration),
    /// Until so many nodes were looked at.
    Nodes(u64),
}

/// Where a run takes several searches, each has at least this part of the time, so that it finds something.
const LEAST_PART: u32 = 10;

impl Budget {
    /// Is it spent, so long after the run began and so long after the search itself did, when so many nodes were looked at?
    pub(super) fn is_spent(self, by_run: Duration, by_search: Duration, nodes: u64) -> bool {
        match self {
            Self::Time(limit) => by_run >= limit && by_search >= limit / LEAST_PART,
            Self::Nodes(limit) => nodes >= limit,
        }
    }
}

/// A budget as a policy writes it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a time such as \"30s\", or a number of nodes")]
enum Written {
    /// A number of nodes.
    Nodes(#[schemars(range(min = 1))] u64),
    /// A time: a number and `ms`, `s`, `m`, `min` or `h`.
    Time(#[schemars(regex(pattern = r"^([0-9]+\.?[0-9]*|\.[0-9]+)[ \t]*(ms|s|m|min|h)[ \t]*$"))] String),
}

impl TryFrom<Written> for Budget {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let budget = match &written {
            Written::Nodes(nodes) => Some(Self::Nodes(*nodes)).filter(|_| *nodes > 0),
            Written::Time(text) => duration(text).filter(|time| !time.is_zero()).map(Self::Time),
        };
        // Without quotes, which messages leave out: they might hold a value.
        budget.ok_or_else(|| "`budget` must be a time such as 30s, 500ms, 5m or 1h, or a number of nodes".to_owned())
    }
}

/// A time such as `30s`.
fn duration(text: &str) -> Option<Duration> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let seconds = match unit.trim() {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = text[..text.len() - unit.len()].parse().ok()?;
    Duration::try_from_secs_f64(number * seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_for_all_searches_of_a_run_and_each_has_some() {
        let budget = Budget::Time(Duration::from_secs(30));
        let spent = |by_run, by_search| budget.is_spent(Duration::from_secs(by_run), Duration::from_secs(by_search), 0);
        assert_eq!((spent(29, 29), spent(30, 30)), (false, true), "the first");
        assert_eq!((spent(29, 9), spent(30, 10)), (false, true), "one that began after twenty seconds");
        assert_eq!((spent(45, 2), spent(46, 3)), (false, true), "one that began too late");
        assert!(Budget::Nodes(40).is_spent(Duration::ZERO, Duration::ZERO, 40));
    }
}
