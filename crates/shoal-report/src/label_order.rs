//! In which order do labels stand, so that readers find them?
//!
//! Numbers and ranges by where they begin, everything else as text in which runs of digits count as numbers: 5 before 10, `[5, 10)`
//! before `[10, 20)`, 1990s before 2000s.

use std::cmp::Ordering;

/// Which of two labels comes first? What hides everything comes last.
pub(super) fn compare(one: &str, other: &str) -> Ordering {
    let hides_all = |label: &str| label == shoal::outsider::SUPPRESSED_CELL;
    let by_position = || match (position(one), position(other)) {
        (Some(one_at), Some(other_at)) => one_at.total_cmp(&other_at),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    };
    hides_all(one).cmp(&hides_all(other)).then_with(by_position).then_with(|| by_text(one, other))
}

/// Do labels have an order of their own, as numbers, ranges and dates do? Names have none.
pub(super) fn is_ordered<'a>(labels: impl Iterator<Item = &'a str> + Clone) -> bool {
    let begins_with_digit = |label: &&str| {
        label.trim_start_matches(|c: char| "[({<>=≤≥+- ".contains(c)).starts_with(|c: char| c.is_ascii_digit())
    };
    labels.clone().filter(begins_with_digit).count() * 2 > labels.count()
}

/// The ends of a label that is a number or a range, and whether the upper end belongs to it.
pub(super) fn ends(label: &str) -> Option<(f64, f64, bool)> {
    if let Ok(number) = label.trim().parse::<f64>() {
        return number.is_finite().then_some((number, number, true));
    }
    let (low, high) = label.strip_prefix(['[', '('])?.strip_suffix([']', ')'])?.split_once(',')?;
    let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (low <= high && low.is_finite() && high.is_finite()).then_some((low, high, label.ends_with(']')))
}

/// Where a label stands among numbers, if it does: `< 20` before 20, `≥ 80` after.
fn position(label: &str) -> Option<f64> {
    let ended = |sign: &str, shift: f64| {
        let end = label.strip_prefix(sign)?.trim();
        end.parse::<f64>().ok().map(|end| end + shift * end.abs().max(1.0) * 1e-9)
    };
    let open = || label.strip_prefix(['[', '('])?.split_once(',')?.0.trim().parse().ok();
    let by_sign = || ["<=", "≤", "<"].iter().find_map(|sign| ended(sign, -1.0));
    let by_other = || [">=", "≥", ">"].iter().find_map(|sign| ended(sign, 1.0));
    ends(label).map(|ends| ends.0).or_else(open).or_else(by_sign).or_else(by_other)
}

/// Compares texts run by run: digits as the number they are, all else as it is.
fn by_text(one: &str, other: &str) -> Ordering {
    let of_both = runs(one).zip(runs(other)).map(|(one, other)| by_run(one, other));
    of_both.fold(Ordering::Equal, Ordering::then).then_with(|| one.cmp(other))
}

fn by_run(one: &str, other: &str) -> Ordering {
    let is_number = |run: &str| run.starts_with(|c: char| c.is_ascii_digit());
    if !is_number(one) || !is_number(other) {
        return one.cmp(other);
    }
    let (one, other) = (one.trim_start_matches('0'), other.trim_start_matches('0'));
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

/// Runs of digits and of anything else, in turn.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_digit = rest.chars().next()?.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted<const N: usize>(mut labels: [&str; N]) -> [&str; N] {
        labels.sort_by(|one, other| compare(one, other));
        labels
    }

    #[test]
    fn labels_say_where_they_end() {
        assert_eq!(ends("37.5"), Some((37.5, 37.5, true)));
        assert_eq!(ends("[20, 40)"), Some((20.0, 40.0, false)));
        assert_eq!(ends("[20, 29]"), Some((20.0, 29.0, true)));
        assert_eq!(ends("*"), None);
        assert_eq!(ends("[80, )"), None);
    }

    #[test]
    fn numbers_and_ranges_are_in_the_order_of_numbers() {
        assert_eq!(sorted(["10", "9", "-3", "2.5"]), ["-3", "2.5", "9", "10"]);
        assert_eq!(sorted(["[100, 150)", "*", "[50, 100)", "[0, 50)"]), ["[0, 50)", "[50, 100)", "[100, 150)", "*"]);
        assert_eq!(sorted(["≥ 80", "[20, 80)", "< 20"]), ["< 20", "[20, 80)", "≥ 80"]);
    }

    #[test]
    fn digits_in_a_text_count_as_a_number() {
        assert_eq!(sorted(["100-109", "20-29", "5-9"]), ["5-9", "20-29", "100-109"]);
        assert_eq!(sorted(["2000s", "1990s"]), ["1990s", "2000s"]);
        assert_eq!(sorted(["2024-Q2", "2023-Q4", "2024-Q1"]), ["2023-Q4", "2024-Q1", "2024-Q2"]);
        assert_eq!(sorted(["ward 10", "ward 9"]), ["ward 9", "ward 10"]);
        assert_eq!(sorted(["130**", "1305*", "01***"]), ["01***", "130**", "1305*"]);
    }

    #[test]
    fn names_have_no_order_of_their_own() {
        assert!(is_ordered(["[0, 5)", "[5, 10)", "*"].into_iter()));
        assert!(is_ordered(["1990s", "2000s"].into_iter()));
        assert!(!is_ordered(["flu", "ward 9", "*"].into_iter()));
    }
}
