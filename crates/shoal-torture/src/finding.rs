//! What did not hold, in words that somebody can check by hand?

/// Something that is not as it should be.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The check that found it; findings of one flaw share it.
    pub check: String,
    pub expected: String,
    pub came: String,
    /// What was run, in order.
    pub commands: Vec<String>,
}

impl Finding {
    pub fn new(check: impl Into<String>, expected: impl Into<String>, came: impl Into<String>) -> Self {
        Self { check: check.into(), expected: expected.into(), came: came.into(), commands: Vec::new() }
    }
}

/// Are two numbers the same but for the last digits of different ways to compute them?
pub fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}
