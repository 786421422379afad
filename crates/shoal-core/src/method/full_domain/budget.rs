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
