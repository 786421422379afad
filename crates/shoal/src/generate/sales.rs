//! What do the orders of a mail-order house look like?
//!
//! The columns and the sizes of their domains are those of the Lands End table in Machanavajjhala et al. 2006, Figure 4:
//! 31,953 zip codes, 320 order dates, 1,509 styles, 346 prices, 147 buckets of cost. Everything else is made up: some
//! zip codes, styles and seasons are far more frequent than others, and the cost follows from the price.

use super::Generator;
use super::draws::Draws;
use super::lines::Lines;

pub(super) const GENERATOR: Generator = Generator {
    name: "sales",
    description: "orders with zip code, date, gender, style, price, quantity, shipment and cost, sized as Lands End",
    columns: &["zip code", "order date", "gender", "style", "price", "quantity", "shipment", "cost"],
    write_row,
};

const ZIP_CODES: u32 = 31_953;
const STYLES: u32 = 1_509;
const PRICES: u32 = 346;
const COSTS: u32 = 147;
const MONTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/// From the first of January to the sixteenth of November.
const DATES: u32 = 320;

fn write_row(draws: &mut Draws, lines: &mut Lines) {
    let style = few_often(STYLES, draws);
    let price = price(style, draws);
    let (month, day) = date(if draws.chance(300) { DATES - 1 - few_often(60, draws) } else { draws.below(DATES) });
    lines.code::<5>(501 + 3 * few_often(ZIP_CODES, draws));
    lines.date(2003, month, day);
    lines.text(if draws.chance(640) { "F" } else { "M" });
    lines.number(10_001 + 7 * style);
    // Four digits each, so that rounding digit by digit has the same levels everywhere.
    lines.number(1_000 + 26 * price);
    lines.number(1);
    lines.text(if draws.chance(120) { "express" } else { "standard" });
    lines.number(100 * cost(price, draws));
    lines.end_row();
}

/// A number below `end`, small ones far more often than large ones.
fn few_often(end: u32, draws: &mut Draws) -> u32 {
    let largest = draws.below(end) + 1;
    draws.below(largest)
}

/// What a style costs the customer: always about the same.
fn price(style: u32, draws: &mut Draws) -> u32 {
    let usual = style * 7_919 % PRICES;
    if draws.chance(800) { usual } else { draws.below(PRICES) }
}

/// What it costs the house, in hundreds: a share of the price that differs from order to order.
fn cost(price: u32, draws: &mut Draws) -> u32 {
    let share = 50 + draws.below(51);
    price * (COSTS - 1) / (PRICES - 1) * share / 100
}

/// Month and day of a day of the year.
fn date(mut day: u32) -> (u32, u32) {
    for (month, days) in (1..).zip(MONTHS) {
        if day < days {
            return (month, day + 1);
        }
        day -= days;
    }
    unreachable!("a year has no more days")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn domains_are_as_large_as_the_paper_says() {
        let mut bytes = Vec::new();
        crate::generate::write_csv("sales", 1_000_000, 1, &mut bytes).unwrap();
        let mut seen: Vec<BTreeSet<String>> = vec![BTreeSet::new(); 8];
        for record in csv::Reader::from_reader(bytes.as_slice()).records() {
            let record = record.unwrap();
            seen.iter_mut().zip(record.iter()).for_each(|(seen, cell)| {
                if !seen.contains(cell) {
                    seen.insert(cell.to_owned());
                }
            });
        }
        let sizes: Vec<usize> = seen.iter().map(BTreeSet::len).collect();
        let [zip_codes, dates, genders, styles, ref rest @ ..] = sizes[..] else { panic!("eight columns") };
        assert_eq!((dates, genders, rest), (320, 2, &[346, 1, 2, 147][..]));
        // The rarest of these take more rows to turn up.
        assert!((30_500..=31_953).contains(&zip_codes), "{zip_codes}");
        assert!((1_500..=1_509).contains(&styles), "{styles}");
    }

    #[test]
    fn the_last_day_is_in_november() {
        assert_eq!((super::date(0), super::date(58), super::date(59)), ((1, 1), (2, 28), (3, 1)));
        assert_eq!(super::date(319), (11, 16));
    }
}
