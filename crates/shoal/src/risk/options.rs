//! From where on is a record at risk, and what is known of the population?

/// The thresholds of the risks, and what the user knows besides. All have a default.
///
/// ```
/// use shoal::{AuditRequest, RiskOptions};
///
/// let of_a_sample = RiskOptions { population_size: Some(80_000), ..RiskOptions::default() };
/// let request = AuditRequest::new("release.csv").risk_options(of_a_sample);
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    /// A record whose risk is above this is at risk.
    pub at_risk: f64,
    /// How many people the table was drawn from, if that is known.
    pub population_size: Option<u64>,
    /// The largest special uniques that are looked for.
    pub suda_size: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { at_risk: 0.2, population_size: None, suda_size: 3 }
    }
}
