//! Could the values of a column be names of people?

/// Two to four words of letters that begin with a capital, and perhaps as many that do not, as in `Ann Smith`, `Smith, Ann` or `van der Berg, Jan`: nearly all values.
pub fn could_be<'a>(values: impl Iterator<Item = &'a str> + Clone) -> bool {
    let all = values.clone().count();
    let alike = values.filter(|value| is_like_a_name(value)).count();
    all > 0 && alike * 10 >= all * 9
}

/// Is one value such a name?
pub(super) fn is_like_a_name(value: &str) -> bool {
    let words: Vec<&str> = value.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_word = |word: &&str| word.chars().all(|c| c.is_alphabetic() || "-'’.".contains(c));
    let capitals = words.iter().filter(|word| word.chars().next().is_some_and(char::is_uppercase)).count();
    // Whole words in capitals are rather codes or headings.
    let is_shouted = value.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    (2..=4).contains(&capitals) && words.len() <= 2 * capitals && words.iter().all(is_word) && !is_shouted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_capitals_and_little_else() {
        assert!(could_be(["Ann Smith", "Smith, Ann", "van der Berg, Jan Piet", "Zoë O’Neill"].into_iter()));
        for other in ["flu", "Exec managerial", "UNITED STATES", "Ann", "ward 7 North", "12 Main Street", ""] {
            assert!(!could_be([other].into_iter()), "{other}");
        }
        assert!(!could_be(std::iter::empty()));
    }
}
