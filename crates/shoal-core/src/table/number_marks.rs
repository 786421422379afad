//! Which marks stand within a number: before its fraction, and between its thousands?

use std::borrow::Cow;

/// How the numbers of a table are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NumberMarks {
    /// Are decimals written with a comma?
    pub decimal_comma: bool,
    /// What may stand between groups of three digits, if anything.
    pub thousands: Option<Thousands>,
}

/// What stands between groups of three digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Thousands {
    /// `1.234`.
    Point,
    /// `1,234`.
    Comma,
    /// `1 234`, also with a blank at which no line breaks.
    Blank,
    /// `1'234`, also with the typographic apostrophe.
    Apostrophe,
}

impl Thousands {
    /// All of them.
    pub const ALL: [Thousands; 4] = [Self::Point, Self::Comma, Self::Blank, Self::Apostrophe];

    /// As a policy writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => ".",
            Self::Comma => ",",
            Self::Blank => " ",
            Self::Apostrophe => "'",
        }
    }

    /// The mark that a policy writes so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mark| mark.name() == name)
    }

    fn is(self, c: char) -> bool {
        match self {
            Self::Point => c == '.',
            Self::Comma => c == ',',
            Self::Blank => matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'),
            Self::Apostrophe => matches!(c, '\'' | '’'),
        }
    }
}

impl From<bool> for NumberMarks {
    fn from(decimal_comma: bool) -> Self {
        Self { decimal_comma, thousands: None }
    }
}

impl NumberMarks {
    /// Does one mark have one meaning?
    pub fn are_clear(self) -> bool {
        let decimal = if self.decimal_comma { Thousands::Comma } else { Thousands::Point };
        self.thousands != Some(decimal)
    }

    /// The digits of a number without a sign as everybody reads them: a point before the fraction, nothing between thousands. None
    /// if a mark stands where it cannot.
    pub(super) fn plain(self, digits: &str) -> Option<Cow<'_, str>> {
        let ungrouped = self.ungrouped(digits)?;
        if !self.decimal_comma {
            return Some(ungrouped);
        }
        if ungrouped.contains('.') {
            return None;
        }
        Some(if ungrouped.contains(',') { Cow::Owned(ungrouped.replace(',', ".")) } else { ungrouped })
    }

    /// The same number with nothing between its thousands. Every group but the first has three digits, and the first is no zero:
    /// `1.5` is no fifteen, and `0.500` no five hundred.
    fn ungrouped(self, digits: &str) -> Option<Cow<'_, str>> {
        let Some(mark) = self.thousands.filter(|mark| digits.contains(|c| mark.is(c))) else {
            return Some(Cow::Borrowed(digits));
        };
        let decimal = if self.decimal_comma { ',' } else { '.' };
        let (whole, fraction) = digits.find(decimal).map_or((digits, ""), |at| digits.split_at(at));
        let mut groups = whole.split(|c| mark.is(c));
        let first = groups.next().filter(|first| matches!(first.len(), 1..=3) && !first.starts_with('0'))?;
        let is_number = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
        let are_groups = groups.all(|group| group.len() == 3 && is_number(group));
        if !is_number(first) || !are_groups || fraction.contains(|c| mark.is(c)) {
            return None;
        }
        Some(Cow::Owned(whole.split(|c| mark.is(c)).chain([fraction]).collect()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(decimal_comma: bool, thousands: Option<Thousands>, digits: &str) -> Option<String> {
        NumberMarks { decimal_comma, thousands }.plain(digits).map(Cow::into_owned)
    }

    #[test]
    fn groups_of_three_are_thousands() {
        let german = |digits| plain(true, Some(Thousands::Point), digits);
        assert_eq!(german("1.234,56").as_deref(), Some("1234.56"));
        assert_eq!(german("12.345.678").as_deref(), Some("12345678"));
        assert_eq!(german("1234,5").as_deref(), Some("1234.5"), "they may be left out");
        for wrong in ["1.5", "0.500", "1.2345", "1.23.456", ".500", "1..234", "1,234.567", "1e3.000"] {
            assert_eq!(german(wrong), None, "{wrong}");
        }
        assert_eq!(plain(false, Some(Thousands::Comma), "1,250.5").as_deref(), Some("1250.5"));
        assert_eq!(plain(true, Some(Thousands::Blank), "1\u{202f}250,5").as_deref(), Some("1250.5"));
        assert_eq!(plain(false, Some(Thousands::Apostrophe), "1’250").as_deref(), Some("1250"));
    }

    #[test]
    fn without_marks_nothing_changes() {
        assert_eq!(plain(false, None, "1,250").as_deref(), Some("1,250"), "what is no number stays none");
        assert_eq!(plain(true, None, "3,5").as_deref(), Some("3.5"));
        assert_eq!(plain(true, None, "3.5"), None);
    }

    #[test]
    fn one_mark_has_one_meaning() {
        let clear = |decimal_comma, thousands| NumberMarks { decimal_comma, thousands }.are_clear();
        assert!(clear(true, Some(Thousands::Point)) && clear(false, Some(Thousands::Comma)) && clear(true, None));
        assert!(!clear(true, Some(Thousands::Comma)) && !clear(false, Some(Thousands::Point)));
    }

    proptest! {
        #[test]
        fn a_grouped_number_is_the_number(number in 0u64.., decimals in proptest::option::of(0u32..1000), comma: bool) {
            let fraction = decimals.map_or(String::new(), |part| format!(".{part:03}"));
            let expected = format!("{number}{fraction}");
            for mark in Thousands::ALL {
                let marks = NumberMarks { decimal_comma: comma, thousands: Some(mark) };
                if !marks.are_clear() {
                    continue;
                }
                let mut grouped = String::new();
                let digits = number.to_string();
                for (at, digit) in digits.chars().enumerate() {
                    if at > 0 && (digits.len() - at) % 3 == 0 {
                        grouped += mark.name();
                    }
                    grouped.push(digit);
                }
                grouped += &if comma { fraction.replace('.', ",") } else { fraction.clone() };
                let plain = marks.plain(&grouped).map(Cow::into_owned);
                prop_assert_eq!(plain.as_ref(), Some(&expected), "{}", grouped);
            }
        }
    }
}
