//! What do the orders of a mail-order house look like?
//!
//! The columns and the sizes of their domains are those of the Lands End table in Machanavajjhala et al. 2006, Figure 4:
//! 31,953 zip codes, 320 order dates, 1,509 styles, 346 prices, 147 buckets of cost. Everything else is made up: some
//! zip codes, styles and seasons are far more frequent than others, and the cost follows from the price.

use super::Generator;
use super::calendar::month_and_day;
use super::draws::Draws;
use super::lines::Lines;

pub(super) const GENERATOR: Generator = Generator {
    name: "sales",
    description: "orders with zip code, date, gender, style, price, quantity, shipment and cost, sized as Lands End",
    columns: &["zip code", "order date", "gender", "style", "price", "quantity", "shipment", "cost"],
    rows: || Box::new(write_row as fn(&mut Draws, &mut Lines)),
};

const ZIP_CODES: u32 = 31_953;
const STYLES: u32 = 1_509;
const PRICES: u32 = 346;
const COSTS: u32 = 147;
const YEAR: u32 = 2003;
/// From the first of January to the sixteenth of November.
const DATES: u32 = 320;

fn write_row(draws: &mut Draws, lines: &mut Lines) {
    let style = few_often(STYLES, draws);
    let price = price(style, draws);
    let day = if draws.chance(300) { DATES - 1 - few_often(60, draws) } else { draws.below(DATES) };
    let (month, day) = month_and_day(YEAR, day);
    lines.code::<5>(501 + 3 * few_often(ZIP_CODES, draws));
    lines.date(YEAR, month, day);
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
}
