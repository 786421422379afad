//! Into which bins are the values of a column put, so that counts of them can be drawn side by side?

use shoal_core::table::{ColumnType, Dictionary};

/// So many bins are drawn at most, one for missing values left aside.
pub const MOST_BINS: usize = 24;

/// What missing values are called.
const MISSING: &str = "(missing)";

/// Values by their codes.
pub struct Values<'a> {
    /// Their texts.
    pub texts: &'a [String],
    /// What kind they are of.
    pub column_type: &'a ColumnType,
    /// The code of the missing one.
    pub missing: Option<u32>,
}

impl<'a> From<&'a Dictionary> for Values<'a> {
    fn from(dictionary: &'a Dictionary) -> Self {
        Self { texts: dictionary.values(), column_type: dictionary.column_type(), missing: dictionary.missing() }
    }
}

impl Values<'_> {
    fn present(&self) -> impl Iterator<Item = usize> {
        (0..self.texts.len()).filter(|&code| self.missing != Some(code as u32))
    }
}

/// Bins, and which of them each value is in.
pub struct Bins {
    /// Are they in the order of numbers or dates, rather than the most frequent values first?
    pub is_ordered: bool,
    /// What is in each.
    pub labels: Vec<String>,
    /// The bin of each value; none of those that are too rare for a bin of their own.
    of_code: Vec<Option<usize>>,
    /// How many values have none.
    pub others: usize,
}

impl Bins {
    /// Groups of equal width of numbers, the values themselves where they are few and in order, the most frequent values of everything else;
    /// missing ones last.
    pub fn of(values: &Values<'_>, counts: &[u64]) -> Self {
        let present: Vec<usize> = values.present().collect();
        let is_few = present.len() <= MOST_BINS;
        let mut bins = match values.column_type {
            kind if kind.is_number() && !is_few => Self::groups(values, &present),
            kind if kind.is_ordered() && is_few => Self::each(values, present, true),
            _ => {
                let mut frequent = present;
                frequent.sort_by_key(|&code| std::cmp::Reverse(counts[code]));
                frequent.truncate(MOST_BINS / 2);
                Self::each(values, frequent, false)
            }
        };
        if let Some(code) = values.missing.filter(|&code| counts[code as usize] > 0) {
            bins.of_code[code as usize] = Some(bins.labels.len());
            bins.labels.push(MISSING.to_owned());
        }
        bins.others = values.present().filter(|&code| bins.of_code[code].is_none()).count();
        bins
    }

    /// What the values in each bin come to, and those in none.
    pub fn sums<T: Copy + Default + std::ops::AddAssign>(&self, of_codes: &[T]) -> (Vec<T>, T) {
        let (mut sums, mut others) = (vec![T::default(); self.labels.len()], T::default());
        for (bin, &amount) in self.of_code.iter().zip(of_codes) {
            *bin.map_or(&mut others, |bin| &mut sums[bin]) += amount;
        }
        (sums, others)
    }

    fn each(values: &Values<'_>, codes: Vec<usize>, is_ordered: bool) -> Self {
        let mut of_code = vec![None; values.texts.len()];
        codes.iter().enumerate().for_each(|(bin, &code)| of_code[code] = Some(bin));
        let labels = codes.into_iter().map(|code| values.texts[code].clone()).collect();
        Self { is_ordered, labels, of_code, others: 0 }
    }

    /// Groups of equal width.
    fn groups(values: &Values<'_>, present: &[usize]) -> Self {
        let number = |&code: &usize| -> Option<(usize, f64)> {
            let number = values.column_type.number(&values.texts[code])?;
            Some((code, number.try_into().ok()?))
        };
        let numbers: Vec<(usize, f64)> = present.iter().filter_map(number).collect();
        let low = numbers.iter().map(|(_, number)| *number).fold(f64::INFINITY, f64::min);
        let high = numbers.iter().map(|(_, number)| *number).fold(low, f64::max);
        let width = round_width((high - low) / MOST_BINS as f64);
        let first = (low / width).floor();
        let mut of_code = vec![None; values.texts.len()];
        for (code, number) in numbers {
            of_code[code] = Some(((number / width).floor() - first) as usize);
        }
        let label = |place: usize| {
            let begin = (first + place as f64) * width;
            format!("{} – {}", plain(begin), plain(begin + width))
        };
        let bins = of_code.iter().flatten().max().map_or(0, |last| last + 1);
        Self { is_ordered: true, labels: (0..bins).map(label).collect(), of_code, others: 0 }
    }
}

/// The next width of 1, 2 or 5 times a power of ten.
fn round_width(width: f64) -> f64 {
    let power = 10f64.powf(width.max(f64::MIN_POSITIVE).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|&round| round >= width).unwrap_or(width)
}

fn plain(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
