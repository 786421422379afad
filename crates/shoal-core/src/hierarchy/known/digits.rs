//! What becomes of a code of digits that says more with each of them?

/// The code with its first digits and a `*` for each of the others: `251*`.
pub(super) fn masked(code: &str, shown: usize, length: usize) -> String {
    let shown: String = code.chars().take(shown).collect();
    let hidden = length.saturating_sub(shown.chars().count());
    shown + &"*".repeat(hidden)
}

/// Is it made of digits, so many at least and at most?
pub(super) fn has_digits(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_is_hidden() {
        assert_eq!(masked("2512", 3, 4), "251*");
        assert_eq!(masked("25", 3, 4), "25**", "a shorter code ends earlier");
        assert_eq!(masked("2512", 4, 4), "2512");
        assert!(
            has_digits("25", 1, 4) && !has_digits("", 1, 4) && !has_digits("25a", 1, 4) && !has_digits("25123", 1, 4)
        );
    }
}
