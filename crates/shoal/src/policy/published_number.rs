//! Which number is published in place of another one?

use std::fmt;

use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What becomes of the numbers of a sensitive or insensitive column before anything is counted, so that models judge what is shown: noise is
/// added first, then numbers are rounded, then they are held between `bottom` and `top`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedNumber {
    /// Numbers are rounded to the nearest multiple of this one; halfway between two, away from zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0), example = 100)]
    pub round: Option<f64>,
    /// Numbers above this one are shown as this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = 200000)]
    pub top: Option<f64>,
    /// Numbers below this one are shown as this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = 0)]
    pub bottom: Option<f64>,
    /// A random number is added to each, with as many decimal places as the number has. It hides the exact number, and is no differential
    /// privacy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [{ "laplace": 50 }]))]
    pub noise: Option<Noise>,
}

/// How the random numbers that are added are distributed, around zero.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    /// Laplace, with this scale: half of them are nearer to zero than 0.69 of it.
    Laplace(f64),
    /// Normal, with this standard deviation.
    Normal(f64),
    /// All equally likely, up to this far from zero.
    Uniform(f64),
}

impl Noise {
    /// Its one parameter.
    fn scale(self) -> f64 {
        match self {
            Self::Laplace(scale) | Self::Normal(scale) | Self::Uniform(scale) => scale,
        }
    }

    /// Which distribution and which parameter. Draws for one must not be those for another: of twice the scale, the same draws are twice the
    /// noise, and two releases of one number would tell it exactly.
    pub fn tag(self) -> [u8; 9] {
        let kind = match self {
            Self::Laplace(_) => 1,
            Self::Normal(_) => 2,
            Self::Uniform(_) => 3,
        };
        let [a, b, c, d, e, f, g, h] = self.scale().to_bits().to_le_bytes();
        [kind, a, b, c, d, e, f, g, h]
    }

    /// The number that two draws between 0 and 1, neither of them included, come to.
    pub fn drawn(self, [first, second]: [f64; 2]) -> f64 {
        match self {
            Self::Laplace(scale) => {
                let from_middle = first - 0.5;
                -scale * from_middle.signum() * (1.0 - 2.0 * from_middle.abs()).max(f64::MIN_POSITIVE).ln()
            }
            // Box and Muller.
            Self::Normal(deviation) => {
                deviation * (-2.0 * first.ln()).sqrt() * (2.0 * std::f64::consts::PI * second).cos()
            }
            Self::Uniform(most) => most * (2.0 * first - 1.0),
        }
    }
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Laplace(scale) => write!(f, "Laplace noise of scale {scale}"),
            Self::Normal(deviation) => write!(f, "normal noise of standard deviation {deviation}"),
            Self::Uniform(most) => write!(f, "uniform noise of up to {most}"),
        }
    }
}

impl PublishedNumber {
    /// Why it cannot be meant, if it cannot.
    pub(super) fn mistake(&self) -> Option<String> {
        let numbers = [("round", self.round), ("top", self.top), ("bottom", self.bottom)];
        if let Some((key, _)) = numbers.iter().find(|(_, number)| number.is_some_and(|number| exact(number).is_none()))
        {
            return Some(format!("`{key}` must be a number of at most 28 digits"));
        }
        match () {
            () if self.round.is_some_and(|round| round <= 0.0) => Some("`round` must be above 0".to_owned()),
            () if self.noise.is_some_and(|noise| !(noise.scale() > 0.0 && noise.scale().is_finite())) => {
                Some("`noise` must be above 0".to_owned())
            }
            () if self.bottom.zip(self.top).is_some_and(|(bottom, top)| bottom >= top) => {
                Some("`bottom` must be below `top`".to_owned())
            }
            () if *self == Self::default() => Some("it says nothing".to_owned()),
            () => None,
        }
    }

    /// The number that is published, given what is added to it; none if it is too large to be computed.
    pub fn of(&self, number: Decimal, noise: f64) -> Option<Decimal> {
        let mut shown = number;
        if self.noise.is_some() {
            let added = Decimal::from_f64(noise)?.round_dp(number.scale());
            shown = shown.checked_add(added)?;
        }
        if let Some(step) = self.round.and_then(exact) {
            shown = rounded(shown, step)?;
        }
        if let Some(bottom) = self.bottom.and_then(exact) {
            shown = shown.max(bottom);
        }
        if let Some(top) = self.top.and_then(exact) {
            shown = shown.min(top);
        }
        // Zero has no sign.
        Some(if shown.is_zero() { Decimal::ZERO } else { shown })
    }

    /// Do whole numbers stay whole?
    pub fn keeps_whole_numbers(&self) -> bool {
        let is_whole = |number: Option<f64>| number.is_none_or(|number| number.fract() == 0.0);
        is_whole(self.round) && is_whole(self.top) && is_whole(self.bottom)
    }
}

impl fmt::Display for PublishedNumber {
    /// How numbers are published, for people: `rounded to multiples of 100, as 200000 where they are more`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noise = self.noise.map(|noise| format!("with {noise}"));
        let round = self.round.map(|step| format!("rounded to multiples of {step}"));
        let bottom = self.bottom.map(|bottom| format!("as {bottom} where they are less"));
        let top = self.top.map(|top| format!("as {top} where they are more"));
        let parts: Vec<String> = [noise, round, bottom, top].into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

/// A number as the policy writes it.
fn exact(number: f64) -> Option<Decimal> {
    let text = number.to_string();
    if number.is_finite() { Decimal::from_str_exact(&text).ok() } else { None }
}

/// The nearest multiple of a number above zero; halfway between two, the one further from zero.
fn rounded(number: Decimal, step: Decimal) -> Option<Decimal> {
    // What is left over is exact, and so is all that follows from it: a quotient may not be.
    let over = number.checked_rem(step)?;
    let below = number.checked_sub(over)?;
    let is_nearer_beyond = over.abs().checked_mul(Decimal::TWO)? >= step;
    let beyond = if over.is_sign_negative() { -step } else { step };
    let nearest = if is_nearer_beyond && !over.is_zero() { below.checked_add(beyond)? } else { below };
    Some(nearest.normalize())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::prelude::ToPrimitive;

    use super::*;

    fn shown(publish: PublishedNumber, number: &str) -> String {
        let number = Decimal::from_str_exact(number).expect("a number");
        publish.of(number, 0.0).expect("a number").normalize().to_string()
    }

    #[test]
    fn numbers_are_rounded_and_held_between_bounds() {
        let round = |step, number| shown(PublishedNumber { round: Some(step), ..Default::default() }, number);
        assert_eq!(
            [round(100.0, "149.99"), round(100.0, "150"), round(100.0, "-150"), round(100.0, "-149")],
            ["100", "200", "-200", "-100"]
        );
        assert_eq!(
            [round(0.5, "2.24"), round(0.5, "2.25"), round(0.1, "0.25"), round(3.0, "7")],
            ["2", "2.5", "0.3", "6"]
        );
        let held = PublishedNumber { top: Some(200.0), bottom: Some(-1.5), ..Default::default() };
        assert_eq!(["201", "200", "-1.6", "3"].map(|number| shown(held.clone(), number)), ["200", "200", "-1.5", "3"]);
        let both = PublishedNumber { round: Some(30.0), top: Some(100.0), ..Default::default() };
        assert_eq!(shown(both, "110"), "100", "the top comes last");
    }

    #[test]
    fn noise_has_as_many_places_as_the_number() {
        let publish = PublishedNumber { noise: Some(Noise::Laplace(5.0)), ..Default::default() };
        let of = |number: &str, noise| publish.of(Decimal::from_str_exact(number).unwrap(), noise).unwrap().to_string();
        assert_eq!([of("10", 2.6), of("10.0", 2.64), of("10.00", -2.645)], ["13", "12.6", "7.36"]);
    }

    /// The quartiles of each distribution, worked out by hand.
    #[test]
    fn draws_follow_the_distribution_that_is_stated() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        near(Noise::Laplace(2.0).drawn([0.75, 0.5]), 2.0 * 2f64.ln());
        near(Noise::Laplace(2.0).drawn([0.25, 0.5]), -2.0 * 2f64.ln());
        near(Noise::Uniform(3.0).drawn([0.75, 0.1]), 1.5);
        let draws = (1..1000).flat_map(|a| (1..100).map(move |b| [f64::from(a) / 1000.0, f64::from(b) / 100.0]));
        let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
        for draw in draws {
            let number = Noise::Normal(3.0).drawn(draw);
            (sum, squares, count) = (sum + number, squares + number * number, count + 1.0);
        }
        assert!(
            f64::abs(sum / count) < 0.1 && f64::abs(squares / count - 9.0) < 0.2,
            "{} {}",
            sum / count,
            squares / count
        );
        for noise in [Noise::Laplace(1.0), Noise::Normal(1.0), Noise::Uniform(1.0)] {
            assert!([1e-300, 1.0 - 1e-16].iter().all(|&end| noise.drawn([end, 0.5]).is_finite()));
        }
    }

    #[test]
    fn what_cannot_be_meant_is_a_mistake() {
        let of = |text: &str| toml::from_str::<PublishedNumber>(text).expect("a table").mistake();
        assert_eq!(of("round = 100\ntop = 5"), None);
        for text in [
            "",
            "round = 0",
            "round = -5",
            "bottom = 5\ntop = 5",
            "top = nan",
            "noise = { laplace = 0 }",
            "top = 1e300",
        ] {
            assert!(of(text).is_some(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn rounding_is_to_the_nearest_multiple(number in -1_000_000i64..1_000_000, step in 1i64..5_000) {
            let shown = rounded(Decimal::from(number), Decimal::from(step)).unwrap().to_i64().unwrap();
            // The naive way: of all multiples around, the nearest, and the one further from zero of two.
            let first = (number / step - 2) * step;
            let naive = (0..5).map(|at| first + at * step).min_by_key(|multiple| ((multiple - number).abs(), -multiple.abs())).unwrap();
            prop_assert_eq!(shown, naive);
        }
    }
}
