//! Where does a number stand on an axis, and which round numbers stand there, too?

/// An axis has about so many steps at most.
const MOST_STEPS: f64 = 6.0;

/// Numbers that differ by this factor do not all find a place on an even scale.
const WIDE: f64 = 100.0;

/// Up to so many powers of ten, those between them have ticks, too.
const FEW_POWERS: f64 = 3.0;

/// Numbers that differ by a smaller part than that are drawn as what they are: nearly the same.
const NEARLY_SAME: f64 = 0.01;

/// What only rounding tells apart from a round number is that number.
const ROUNDING: f64 = 1e-9;

/// Beyond these, numbers are drawn at the end: their differences could not be worked out.
const SMALLEST: f64 = 1e-300;
const LARGEST: f64 = 1e300;

/// Numbers between two round ones, on a line between two pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    spacing: Spacing,
    from: f64,
    to: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Spacing {
    Even { step: f64 },
    Logarithmic,
}

impl Scale {
    /// From 0 to a round number that is at least `most`, in steps that are at least `least_step`.
    pub(super) fn from_zero(most: f64, least_step: f64) -> Self {
        let most = if most > 0.0 { most.clamp(SMALLEST, LARGEST) } else { 1.0 };
        Self::even(0.0, most, least_step)
    }

    /// From a round number that is at most all of some to one that is at least all of them. What differs by orders of magnitude
    /// is put on a logarithmic scale.
    pub(super) fn around(values: impl Iterator<Item = f64>) -> Self {
        let known = values
            .filter(|value| value.is_finite())
            .map(|value| if value.abs() < SMALLEST { 0.0 } else { value.clamp(-LARGEST, LARGEST) });
        let (least, most) =
            known.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
        let size = least.abs().max(most.abs());
        match () {
            () if least > most || size == 0.0 => Self::from_zero(1.0, 0.0),
            () if least > 0.0 && most / least >= WIDE => Self::logarithmic(least, most),
            () if most - least < size * NEARLY_SAME => Self::even(least - size * 0.05, most + size * 0.05, 0.0),
            () => Self::even(least, most, 0.0),
        }
    }

    fn even(least: f64, most: f64, least_step: f64) -> Self {
        let step = round_step((most - least) / MOST_STEPS).unwrap_or(1.0).max(least_step);
        let first = (least / step + ROUNDING).floor();
        let last = (most / step - ROUNDING).ceil().max(first + 1.0);
        Self { low: first * step, high: last * step, spacing: Spacing::Even { step }, from: 0.0, to: 1.0 }
    }

    fn logarithmic(least: f64, most: f64) -> Self {
        let (low, high) = (round_below(least), round_step(most).unwrap_or(most));
        Self { low, high, spacing: Spacing::Logarithmic, from: 0.0, to: 1.0 }
    }

    /// The same numbers between these pixels.
    pub(super) fn over(self, from: f64, to: f64) -> Self {
        Self { from, to, ..self }
    }

    /// Do equal distances stand for equal factors?
    pub(super) fn is_logarithmic(&self) -> bool {
        self.spacing == Spacing::Logarithmic
    }

    /// Where a number stands; what is beyond an end, at that end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let place = |value: f64| match self.spacing {
            Spacing::Even { .. } => value,
            Spacing::Logarithmic => value.max(self.low).log10(),
        };
        let share = (place(value) - place(self.low)) / (place(self.high) - place(self.low));
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// The round numbers on it, from the least.
    pub(super) fn ticks(&self) -> Vec<f64> {
        match self.spacing {
            Spacing::Even { step } => {
                let (first, last) = ((self.low / step).round() as i64, (self.high / step).round() as i64);
                (first..=last).map(|at| at as f64 * step).collect()
            }
            Spacing::Logarithmic => self.powers(),
        }
    }

    fn powers(&self) -> Vec<f64> {
        let (low, high) = (self.low.log10(), self.high.log10());
        let few = high - low <= FEW_POWERS + ROUNDING;
        let every = ((high - low) / (MOST_STEPS + 1.0)).ceil().max(1.0) as usize;
        let times: &[f64] = if few { &[1.0, 2.0, 5.0] } else { &[1.0] };
        (low.floor() as i32..=high.ceil() as i32)
            .filter(|power| few || power.rem_euclid(every as i32) == 0)
            .flat_map(|power| times.iter().map(move |times| times * 10f64.powi(power)))
            .filter(|tick| (self.low * (1.0 - ROUNDING)..=self.high * (1.0 + ROUNDING)).contains(tick))
            .map(|tick| tick.clamp(self.low, self.high))
            .collect()
    }
}

/// The round numbers near a positive one.
fn near(value: f64) -> [f64; 6] {
    let power = 10f64.powf(value.log10().floor());
    [0.5, 1.0, 2.0, 5.0, 10.0, 20.0].map(|times| times * power)
}

/// The next of 1, 2, 5, 10, 20, .. that is at least this wide, or as good as.
pub(crate) fn round_step(width: f64) -> Option<f64> {
    let is_usable = width.is_finite() && width > 0.0;
    near(width).into_iter().find(|&step| is_usable && step >= width * 0.999)
}

/// The last of them that is at most that.
fn round_below(value: f64) -> f64 {
    near(value).into_iter().rfind(|&step| step <= value * 1.001).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use shoal_core::words::number;

    fn texts(scale: &Scale) -> Vec<String> {
        scale.ticks().into_iter().map(number).collect()
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(round_step(0.7), Some(1.0));
        assert_eq!(round_step(3.0), Some(5.0));
        assert_eq!(round_step(5000.0), Some(5000.0));
        assert_eq!(round_step(1000.5), Some(1000.0), "as good as");
        assert_eq!(round_step(0.0), None);
        assert_eq!(round_step(-1.0), None);
        assert_eq!(round_step(f64::NAN), None);
        assert_eq!((round_below(0.3), round_below(2.0), round_below(999.9)), (0.2, 2.0, 1000.0));
    }

    #[test]
    fn from_zero_up_to_a_round_number() {
        assert_eq!(texts(&Scale::from_zero(0.57, 0.0)), ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]);
        assert_eq!(texts(&Scale::from_zero(0.62, 0.0)), ["0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(texts(&Scale::from_zero(7912.0, 1.0)), ["0", "2,000", "4,000", "6,000", "8,000"]);
        assert_eq!(texts(&Scale::from_zero(1.0, 0.0)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(texts(&Scale::from_zero(2.0, 1.0)), ["0", "1", "2"], "counts are whole");
        assert_eq!(texts(&Scale::from_zero(0.0, 1.0)), ["0", "1"]);
    }

    #[test]
    fn ends_are_round_and_hold_all_numbers() {
        // Steps of 0.05, since a sixth of 0.227 is less.
        let scale = Scale::around([0.107, 0.334, 0.2].into_iter());
        assert_eq!(texts(&scale), ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]);
        assert_eq!(texts(&Scale::around([-3.0, 5.0].into_iter())), ["-4", "-2", "0", "2", "4", "6"]);
        assert_eq!(texts(&Scale::around([f64::NAN, f64::INFINITY].into_iter())), texts(&Scale::from_zero(1.0, 0.0)));
        assert_eq!(texts(&Scale::around([0.0, 0.0].into_iter())), texts(&Scale::from_zero(1.0, 0.0)));
        // Nearly the same: a twentieth more on both sides.
        let close = Scale::around([0.5, 0.501].into_iter());
        assert_eq!(texts(&close), ["0.47", "0.48", "0.49", "0.5", "0.51", "0.52", "0.53"]);
    }

    #[test]
    fn orders_of_magnitude_are_logarithmic() {
        let scale = Scale::around([0.004, 0.5].into_iter());
        assert!(scale.is_logarithmic() && !Scale::around([0.006, 0.5].into_iter()).is_logarithmic());
        assert_eq!(texts(&scale), ["0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5"]);
        let wide = Scale::around([3.0, 4e5].into_iter());
        assert_eq!(texts(&wide), ["10", "100", "1,000", "10,000", "100,000"], "between 2 and 500,000");
    }

    #[test]
    fn numbers_stand_where_they_belong() {
        let even = Scale::from_zero(1.0, 0.0).over(100.0, 300.0);
        assert_eq!([0.0, 0.25, 1.0, 7.0, -1.0].map(|value| even.at(value)), [100.0, 150.0, 300.0, 300.0, 100.0]);
        let upwards = Scale::from_zero(4.0, 1.0).over(90.0, 10.0);
        assert_eq!([0.0, 1.0, 4.0].map(|value| upwards.at(value)), [90.0, 70.0, 10.0]);
        let powers = Scale::around([1.0, 100.0].into_iter()).over(0.0, 10.0);
        assert!((powers.at(10.0) - 5.0).abs() < 1e-9);
        assert_eq!([powers.at(0.0), powers.at(1.0), powers.at(100.0)], [0.0, 0.0, 10.0]);
    }

    /// Any numbers, among them many that lie close together or far apart.
    fn values() -> impl Strategy<Value = Vec<f64>> {
        let one = prop_oneof![any::<f64>(), -1e3..1e3, (0.0..1.0), Just(0.0), (-300..300).prop_map(|p| 10f64.powi(p))];
        let close = (any::<f64>(), proptest::collection::vec(0.999..1.001, 1..5))
            .prop_map(|(value, times): (f64, Vec<f64>)| times.into_iter().map(|times| value * times).collect());
        prop_oneof![proptest::collection::vec(one, 0..6), close]
    }

    proptest! {
        #[test]
        fn every_number_and_every_tick_is_on_the_scale(values in values(), from in 0.0..500.0, to in 0.0..500.0) {
            let scale = Scale::around(values.iter().copied()).over(from, to);
            let on_line = |at: f64| (f64::min(from, to) - 1e-9..=f64::max(from, to) + 1e-9).contains(&at);
            prop_assert!(values.iter().filter(|value| !value.is_nan()).all(|&value| on_line(scale.at(value))));
            let ticks = scale.ticks();
            prop_assert!((2..=11).contains(&ticks.len()), "{ticks:?}");
            prop_assert!(ticks.is_sorted() && ticks.iter().all(|&tick| scale.low <= tick && tick <= scale.high));
            let mut texts = texts(&scale);
            texts.dedup();
            prop_assert_eq!(texts.len(), ticks.len(), "{:?}", ticks);
            // None but the huge, the tiny and what is as good as a round end is moved to an end.
            for value in values.iter().filter(|value| (1e-290..1e290).contains(&value.abs())) {
                let slack = 1.01e-3 * value.abs() + ROUNDING * (scale.high - scale.low);
                prop_assert!(scale.low - slack <= *value && *value <= scale.high + slack, "{value} {scale:?}");
            }
        }

        #[test]
        fn from_zero_every_number_up_to_the_most_is_on_the_scale(most in prop_oneof![0.0..2.0, 0.0..1e20, any::<f64>()]) {
            let scale = Scale::from_zero(most, 0.0);
            let ticks = scale.ticks();
            prop_assert!(ticks[0] == 0.0 && ticks.len() <= 8 && ticks.is_sorted(), "{ticks:?}");
            prop_assert!(!most.is_normal() || most > 1e300 || most <= scale.high * (1.0 + 1e-9));
        }
    }
}
