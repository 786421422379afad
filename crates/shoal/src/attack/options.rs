//! What does the attacker aim at, and from where on does it count?

use rust_decimal::Decimal;

use shoal_core::exact::Ratio;

/// The thresholds of the attacks and what may be shown. All have a default.
///
/// ```
/// use shoal::{AttackOptions, AuditRequest};
///
/// let sure = AttackOptions { confidence: 0.9, ..AttackOptions::default() };
/// let request = AuditRequest::new("release.csv").options(sure);
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    /// From which probability on a value counts as known (homogeneity, background knowledge).
    pub confidence: f64,
    /// How many values an attacker rules out before it counts (background knowledge).
    pub pieces: u64,
    /// How many times as likely as overall a value must be (skewness) ..
    pub ratio: f64,
    /// .. and by how much likelier.
    pub difference: f64,
    /// The values nobody must be suspected of, by column; where there are none for a column, all of them.
    pub bad: Vec<(String, String)>,
    /// From where on numbers are alike, for all columns of numbers or for one (similarity).
    pub near: Vec<Near>,
    /// Which share of the table's records must have a value that a class rules out (negative disclosure).
    pub ruled_out: f64,
    /// A belief above 1 - delta is a positive disclosure ..
    pub delta: f64,
    /// .. one below epsilon a negative one.
    pub epsilon: f64,
    /// A belief that rises from below rho1 ..
    pub rho1: f64,
    /// .. to above rho2 is a breach.
    pub rho2: f64,
    /// Up to how many candidates are few (linkage).
    pub few: u64,
    /// May sensitive values stand beside quasi-identifiers?
    pub reveal: bool,
}

/// How near two numbers must be to be alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// The column; all columns of numbers, if none is named.
    pub column: Option<String>,
    /// By how much they may differ.
    pub epsilon: Decimal,
    /// Is that a fraction of the value?
    pub relative: bool,
}

impl Near {
    /// Reads `2`, `Salary=2`, or `Salary=5%`.
    pub fn parse(text: &str) -> Option<Self> {
        let (column, number) = text.rsplit_once('=').map_or((None, text), |(column, number)| (Some(column), number));
        let (number, relative) = number.strip_suffix('%').map_or((number, false), |percent| (percent, true));
        let epsilon = Decimal::from_str_exact(number.trim()).ok().filter(|number| !number.is_sign_negative())?;
        let epsilon = if relative { epsilon.checked_div(Decimal::ONE_HUNDRED)? } else { epsilon };
        Some(Self { column: column.map(str::to_owned), epsilon: epsilon.normalize(), relative })
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            confidence: 1.0,
            pieces: 1,
            ratio: 2.0,
            difference: 0.25,
            bad: Vec::new(),
            near: Vec::new(),
            ruled_out: 0.5,
            delta: 0.1,
            epsilon: 0.01,
            rho1: 0.1,
            rho2: 0.5,
            few: 4,
            reveal: false,
        }
    }
}

impl Options {
    /// The bad values of a column.
    pub fn bad_of<'a>(&'a self, column: &'a str) -> impl Iterator<Item = &'a str> {
        self.bad.iter().filter(move |pair| pair.0 == column).map(|pair| pair.1.as_str())
    }

    /// When numbers of a column are alike.
    pub fn near_of(&self, column: &str) -> Option<&Near> {
        let named = self.near.iter().find(|near| near.column.as_deref() == Some(column));
        named.or_else(|| self.near.iter().find(|near| near.column.is_none()))
    }
}

/// A threshold as the fraction that somebody wrote; 1 where floating point cannot say.
pub fn exactly(threshold: f64) -> Ratio {
    Ratio::written(threshold).unwrap_or(Ratio::from(1))
}

/// A threshold with four digits, for sentences.
pub fn shown(number: f64) -> String {
    let rounded = (number * 10_000.0).round() / 10_000.0;
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearness_is_a_number_or_a_percentage() {
        let near = |text: &str| Near::parse(text).map(|near| (near.column, near.epsilon.to_string(), near.relative));
        assert_eq!(near("2"), Some((None, "2".to_owned(), false)));
        assert_eq!(near("Salary=2.50"), Some((Some("Salary".to_owned()), "2.5".to_owned(), false)));
        assert_eq!(near("a=b=5%"), Some((Some("a=b".to_owned()), "0.05".to_owned(), true)));
        assert_eq!(near("-1"), None);
        assert_eq!(near("Salary"), None);
    }
}
