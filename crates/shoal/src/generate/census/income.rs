//! What does a person earn in a year?
//!
//! Much of it follows from who the person is, as a product of factors; the rest is chance: about log-normal
//! in the middle, with the heavy tail of Pareto's law above. The factors are chosen so that the shares above
//! 50,000 in each group are near those of UCI Adult.

use super::family::FEMALE;
use super::work::Work;
use crate::generate::draws::Draws;
use crate::generate::shares::band;

/// In dollars, by education: what a man in the middle of his working life earns in an average job, half of
/// them more, half of them less.
const MEDIAN: [u64; 16] = [
    19_000, 20_500, 22_500, 24_500, 25_000, 26_000, 27_000, 29_000, 33_500, 36_500, 39_500, 40_000, 47_000, 53_000,
    68_000, 66_000,
];

/// Percent, by occupation: the demand for it and the hours in it, beyond what the schooling explains.
const OCCUPATION: [u64; 14] = [126, 110, 106, 105, 92, 101, 92, 98, 78, 72, 66, 50, 110, 92];
/// Percent, by work class.
const WORK_CLASS: [u64; 7] = [98, 96, 138, 118, 96, 100, 20];
/// Percent: those out of the labour force live on pensions and benefits, those who never worked on less.
const WITHOUT_WORK: u64 = 62;
const NEVER_WORKED: u64 = 30;

const BANDS: [u32; 11] = [18, 20, 22, 25, 30, 35, 40, 45, 60, 65, 75];
/// Percent, by age.
const AGE: [u64; 12] = [28, 36, 48, 62, 80, 93, 103, 110, 116, 106, 88, 76];
/// Percent, for women: fewer hours and lower pay.
const WOMEN: u64 = 70;
/// Percent, by marital status in the order of its table: married people earn more, those never married less.
const MARITAL_STATUS: [u64; 7] = [83, 115, 108, 90, 86, 93, 92];
/// Percent: pay and prices are higher in cities.
const CITY: u64 = 106;
const COUNTRY: u64 = 94;

/// Quantiles of chance at every 32nd part, per mille of the median: exp(0.5 z) for normal z. Above the last begins
/// the tail.
const CHANCE: [u64; 32] = [
    160, 394, 464, 517, 563, 604, 642, 678, 714, 749, 783, 818, 853, 888, 924, 962, 1000, 1040, 1082, 1126, 1173, 1223,
    1277, 1336, 1401, 1474, 1558, 1657, 1777, 1933, 2153, 2538,
];
/// In the tail, one in four earns more than 1.8 times as much: Pareto's law with an exponent of 2.4.
const TAIL_STEP: (u64, u64) = (9, 5);
/// No more than so many steps: a bound on what a single lucky person earns.
const TAIL_STEPS: u32 = 6;

/// What a person is that matters for the income.
pub(super) struct Earner {
    pub(super) age: u32,
    pub(super) sex: usize,
    pub(super) marital_status: usize,
    pub(super) education: usize,
    pub(super) work: Work,
    pub(super) city: bool,
}

impl Earner {
    /// An income as it is reported: one in three in whole thousands, one in three in whole hundreds.
    pub(super) fn income(&self, draws: &mut Draws) -> u32 {
        let income = self.median() * chance(draws) / 1000;
        let unit = [1, 100, 1000][draws.below(3) as usize];
        ((income + unit / 2) / unit * unit) as u32
    }

    fn median(&self) -> u64 {
        let work = match self.work {
            Work::Job { occupation, class } => OCCUPATION[occupation] * WORK_CLASS[class] / 100,
            Work::Never => NEVER_WORKED,
            Work::None => WITHOUT_WORK,
        };
        let sex = if self.sex == FEMALE { WOMEN } else { 100 };
        let place = if self.city { CITY } else { COUNTRY };
        [work, AGE[band(self.age, &BANDS)], sex, MARITAL_STATUS[self.marital_status], place]
            .into_iter()
            .fold(MEDIAN[self.education], |income, percent| income * percent / 100)
    }
}

/// By how much chance raises or lowers an income, per mille.
fn chance(draws: &mut Draws) -> u64 {
    let bits = draws.bits();
    let part = (bits >> 27) as usize;
    let (mut low, mut high) = match CHANCE.get(part + 1) {
        Some(&next) => (CHANCE[part], next),
        None => (CHANCE[part], raised(CHANCE[part])),
    };
    if part + 1 == CHANCE.len() {
        for _ in 0..TAIL_STEPS {
            if !draws.chance(250) {
                break;
            }
            (low, high) = (high, raised(high));
        }
    }
    let within = u64::from(bits & ((1 << 27) - 1));
    low + (((high - low) * within) >> 27)
}

fn raised(chance: u64) -> u64 {
    chance * TAIL_STEP.0 / TAIL_STEP.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_fair_in_the_middle_and_heavy_above() {
        let mut draws = Draws::new(1);
        let mut chances: Vec<u64> = (0..100_000).map(|_| chance(&mut draws)).collect();
        chances.sort_unstable();
        assert!((980..1020).contains(&chances[50_000]), "median {}", chances[50_000]);
        assert!((2100..2200).contains(&chances[93_750]), "15 of 16 {}", chances[93_750]);
        assert!(chances[99_900] > 8_000, "one in a thousand {}", chances[99_900]);
        assert!(chances[99_999] < 160_000, "the tail ends");
    }
}
