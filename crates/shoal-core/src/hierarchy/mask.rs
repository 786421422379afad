//! What is left of a code when one character after the other is hidden?

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::generated::assemble;
use super::{ColumnValues, Hierarchy, MOST_LEVELS};
use crate::{Error, Result};

/// Codes lose one character on each level: `13053`, `1305*`, `130**`, `13***`, `1****`, `*`.
///
/// There is a level for each character of the longest value, or of the `length` that codes have, where that is to be the
/// same for every table. Shorter values are thought to end earlier: they stay as they are until the mask reaches them.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Mask {
    /// The side from which characters are hidden.
    from: Side,
    /// What stands for a hidden character.
    character: char,
    /// How many characters codes have, where there is to be the same number of levels for every table; by default as many
    /// as the longest value.
    #[schemars(range(max = 255), example = 5)]
    length: Option<usize>,
}

/// The side from which characters are hidden.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Side {
    /// The first characters go first: `*3053`.
    Left,
    /// The last characters go first: `1305*`.
    Right,
}

impl Default for Mask {
    fn default() -> Self {
        Self { from: Side::Right, character: '*', length: None }
    }
}

/// The most characters that all labels of a mask may have together.
const MOST_CHARACTERS: u64 = 1 << 32;

impl Mask {
    pub(super) fn check(&self) -> Result<()> {
        match self.length {
            Some(length) if length > MOST_LEVELS => Err(Error::policy(format!("a mask cannot be {length} long"))
                .hint(format!("a level hides one character, and a hierarchy has at most {MOST_LEVELS} levels"))),
            _ => Ok(()),
        }
    }

    pub(super) fn build(&self, column: &ColumnValues<'_>) -> Result<Hierarchy> {
        // Seen from the side that is hidden last, both sides are one case.
        let values: Vec<Vec<char>> = column.dictionary.present().iter().map(|value| self.outwards(value)).collect();
        let longest = self.length.unwrap_or_else(|| values.iter().map(Vec::len).max().unwrap_or(0));
        self.refuse_longer(column)?;
        refuse_long_texts(column, &values, longest)?;
        let levels = (1..longest).map(|hidden| {
            let label = |value: &Vec<char>| self.label(value, longest - hidden, hidden);
            values.iter().map(label).collect()
        });
        assemble(column, levels)
    }

    /// The same mask for a column whose longest value is the longest of these.
    #[must_use]
    pub(super) fn fixed(&self, values: &[String]) -> Self {
        let longest = values.iter().map(|value| value.chars().count()).max();
        Self { length: self.length.or(longest), ..self.clone() }
    }

    /// Is a value short enough?
    pub(super) fn reads(&self, value: &str) -> bool {
        self.length.is_none_or(|length| value.chars().count() <= length)
    }

    fn refuse_longer(&self, column: &ColumnValues<'_>) -> Result<()> {
        let present = column.dictionary.present();
        let mut longer = present.iter().filter(|value| !self.reads(value));
        let (Some(length), Some(first)) = (self.length, longer.next()) else { return Ok(()) };
        let what = format!("{} values of column `{}` are longer than the `length` of", longer.count() + 1, column.name);
        Err(Error::table(format!("{what} its mask, {length}"))
            .detail(column.which(first))
            .hint("raise it, or leave it out"))
    }

    /// The characters of a value, beginning with the one that is hidden last.
    fn outwards(&self, value: &str) -> Vec<char> {
        match self.from {
            Side::Right => value.chars().collect(),
            Side::Left => value.chars().rev().collect(),
        }
    }

    /// Two values with one label on a level have one on every level above: a masked label is as long as the
    /// longest value and an unchanged one shorter, so both are masked after the same beginning, or both equal.
    fn label(&self, value: &[char], shown: usize, hidden: usize) -> String {
        let mask = std::iter::repeat_n(self.character, if value.len() > shown { hidden } else { 0 });
        let label = value.iter().copied().take(shown).chain(mask);
        match self.from {
            Side::Right => label.collect(),
            Side::Left => label.collect::<Vec<_>>().into_iter().rev().collect(),
        }
    }

    pub(super) fn to_toml(&self) -> toml::Value {
        let mut table = toml::Table::new();
        let from = match self.from {
            Side::Left => "left",
            Side::Right => "right",
        };
        table.insert("from".to_owned(), from.into());
        if self.character != '*' {
            table.insert("character".to_owned(), self.character.to_string().into());
        }
        if let Some(length) = self.length {
            table.insert("length".to_owned(), i64::try_from(length).unwrap_or(i64::MAX).into());
        }
        table.into()
    }
}

/// A mask is for codes: one of a long text would have a level for each of its characters.
fn refuse_long_texts(column: &ColumnValues<'_>, values: &[Vec<char>], longest: usize) -> Result<()> {
    let characters = values.iter().map(|value| value.len() as u64 * longest as u64);
    if longest <= MOST_LEVELS && characters.fold(0, u64::saturating_add) <= MOST_CHARACTERS {
        return Ok(());
    }
    Err(Error::table(format!("the values of column `{}` are too long to be masked", column.name))
        .detail(format!(
            "the longest has {longest} characters, there are {} values, and a level hides one character",
            values.len()
        ))
        .hint("a mask is for codes; use `tree`, `file` or `suppress` for texts"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{build, dictionary, leaves, path, spec};

    #[test]
    fn codes_are_hidden_from_the_right() {
        let dictionary = dictionary(&["13053", "13059", "14850"], None);
        let hierarchy = build("mask = { from = \"right\" }", &dictionary).unwrap();
        assert_eq!(path(&hierarchy, 0), ["13053", "1305*", "130**", "13***", "1****", "*"]);
        assert_eq!(leaves(&hierarchy, 0), [1, 2, 2, 2, 3, 3]);
    }

    #[test]
    fn a_beginning_that_all_codes_share_tells_nothing() {
        let codes: Vec<String> = (0..300).map(|code| format!("01{code:03}")).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        let hierarchy = build("mask = {}", &dictionary(&codes, None)).unwrap();
        assert_eq!(path(&hierarchy, 0), ["01000", "0100*", "010**", "01***", "0****", "*"]);
        assert_eq!(leaves(&hierarchy, 0), [1, 10, 100, 300, 300, 300]);
    }

    #[test]
    fn shorter_values_wait_until_the_mask_reaches_them() {
        let hierarchy = build("mask = {}", &dictionary(&["x", "x1", "x12", "y123"], None)).unwrap();
        assert_eq!(path(&hierarchy, 0), ["x", "x", "x", "x", "*"]);
        assert_eq!(path(&hierarchy, 1), ["x1", "x1", "x1", "x***", "*"]);
        assert_eq!(path(&hierarchy, 2), ["x12", "x12", "x1**", "x***", "*"]);
        assert_eq!(path(&hierarchy, 3), ["y123", "y12*", "y1**", "y***", "*"]);
        assert_eq!(leaves(&hierarchy, 1), [1, 1, 1, 2, 4]);
        assert_eq!(leaves(&hierarchy, 0), [1, 1, 1, 1, 4]);
    }

    #[test]
    fn the_left_is_the_mirror_image_and_characters_are_not_bytes() {
        let hierarchy =
            build("mask = { from = \"left\", character = \"x\" }", &dictionary(&["äö7", "7"], None)).unwrap();
        assert_eq!(path(&hierarchy, 1), ["äö7", "xö7", "xx7", "*"]);
        assert_eq!(path(&hierarchy, 0), ["7", "7", "7", "*"]);
    }

    #[test]
    fn a_length_makes_tables_agree() {
        let hierarchy = build("mask = { length = 5 }", &dictionary(&["130", "14850"], None)).unwrap();
        assert_eq!(path(&hierarchy, 0), ["130", "130", "130", "13***", "1****", "*"]);
        assert_eq!(hierarchy, build("mask = {}", &dictionary(&["130", "14850"], None)).unwrap());
        assert_eq!(build("mask = { length = 4 }", &dictionary(&["13"], None)).unwrap().height(), 4);
        let error = build("mask = { length = 4 }", &dictionary(&["130", "14850"], None)).unwrap_err().to_string();
        assert!(error.starts_with("1 values of column `c` are longer than the `length` of its mask, 4"), "{error}");
    }

    #[test]
    fn one_character_and_none_leave_two_levels() {
        assert_eq!(build("mask = {}", &dictionary(&["a", "b"], Some(""))).unwrap().height(), 1);
        let hierarchy = build("mask = {}", &dictionary(&[""], None)).unwrap();
        assert_eq!((hierarchy.height(), hierarchy.domain_size()), (1, 1));
    }

    #[test]
    fn what_would_have_more_levels_than_there_can_be_is_refused_before_it_is_made() {
        let error = spec("mask = { length = 1000000000 }").check().unwrap_err().to_string();
        assert!(error.starts_with("a mask cannot be 1000000000 long\nhint: "), "{error}");
        assert!(spec("mask = { length = 255 }").check().is_ok());
        let long = "x".repeat(1 << 20);
        let error = build("mask = {}", &dictionary(&["1", &long], None)).unwrap_err().to_string();
        assert!(error.starts_with("the values of column `"), "{error}");
        assert!(!error.contains("xx"), "{error}");
    }
}
