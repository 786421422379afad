//! How are numbers and names written for people?

use shoal_core::printable::is_unprintable;
pub(super) use shoal_core::words::grouped;

/// A share in percent: no digit too many, but never 0% for some or 100% for not quite all.
pub(super) fn percent(part: u64, whole: u64) -> String {
    let percent = part as f64 * 100.0 / whole.max(1) as f64;
    match percent {
        _ if part == 0 => "0%".to_owned(),
        _ if part == whole => "100%".to_owned(),
        _ if percent < 0.1 => "< 0.1%".to_owned(),
        _ if percent > 99.9 => "> 99.9%".to_owned(),
        _ if !(1.0..99.0).contains(&percent) => format!("{percent:.1}%"),
        _ => format!("{percent:.0}%"),
    }
}

/// `1 row`, `2 rows`.
pub(super) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A text on one line: what would move the cursor or end a comment becomes a space.
pub(super) fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if is_unprintable(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!((counted(1, "row"), counted(2000, "row")), ("1 row".to_owned(), "2,000 rows".to_owned()));
    }

    #[test]
    fn shares_do_not_round_to_nothing_or_all() {
        let shares = [(0, 0), (0, 9), (9, 9), (1, 3), (1, 200), (1, 9999), (9998, 9999), (995, 1000)];
        let written = ["0%", "0%", "100%", "33%", "0.5%", "< 0.1%", "> 99.9%", "99.5%"];
        assert_eq!(shares.map(|(part, whole)| percent(part, whole)), written);
    }

    #[test]
    fn a_text_stays_on_its_line() {
        assert_eq!(on_one_line("a\nb\u{1b}[1m\u{202e}é"), "a b [1m é");
    }
}
