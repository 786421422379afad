//! Which values occur in a column, in which order, and which small number stands for each?

use super::{ColumnType, Reading, TextCodes};

/// The distinct values of a column, sorted by what they mean; a value's code is its place in that order.
///
/// Missing values, whichever way they are marked, are one value: the last, if it occurs.
#[derive(Debug, Clone)]
pub struct Dictionary {
    values: Vec<String>,
    missing: Option<u32>,
    column_type: ColumnType,
}

impl Dictionary {
    /// A dictionary of these values, in any order; `missing` is how a missing value is written, if one occurs.
    pub fn new(values: impl IntoIterator<Item = String>, missing: Option<&str>, reading: impl Into<Reading>) -> Self {
        let detected = |values: &[String]| ColumnType::detect(values.iter().map(String::as_str), reading);
        Self::with_places(values, missing, detected).0
    }

    /// The same where the type is known, whatever these values look like.
    pub fn of_type(values: impl IntoIterator<Item = String>, missing: Option<&str>, column_type: &ColumnType) -> Self {
        Self::with_places(values, missing, |_| column_type.clone()).0
    }

    /// The dictionary, and for each of the values its code.
    fn with_places(
        values: impl IntoIterator<Item = String>,
        missing: Option<&str>,
        type_of: impl FnOnce(&[String]) -> ColumnType,
    ) -> (Self, Vec<u32>) {
        let unsorted: Vec<String> = values.into_iter().collect();
        let column_type = type_of(&unsorted);
        let mut places = vec![0; unsorted.len()];
        let mut ranked: Vec<_> =
            unsorted.into_iter().enumerate().map(|(place, value)| (column_type.rank(&value), value, place)).collect();
        ranked.sort_unstable();
        let mut values: Vec<String> = Vec::with_capacity(ranked.len());
        for (_, value, place) in ranked {
            if values.last() != Some(&value) {
                values.push(value);
            }
            places[place] = (values.len() - 1) as u32;
        }
        let missing = missing.map(|marker| {
            values.push(marker.to_owned());
            (values.len() - 1) as u32
        });
        (Self { values, missing, column_type }, places)
    }

    /// Finds the codes of many values quickly.
    pub fn text_codes(&self) -> TextCodes {
        let mut codes = TextCodes::default();
        self.present().iter().enumerate().for_each(|(code, value)| codes.insert(value, code as u32));
        codes
    }

    /// How many distinct values there are, the missing one included.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Is there no value at all?
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The text of a code.
    pub fn value(&self, code: u32) -> &str {
        &self.values[code as usize]
    }

    /// All values by code; the missing one, if it occurs, is the last.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The code of the missing value, if one occurs.
    pub fn missing(&self) -> Option<u32> {
        self.missing
    }

    /// All values but the missing one.
    pub fn present(&self) -> &[String] {
        &self.values[..self.missing.map_or(self.values.len(), |code| code as usize)]
    }

    /// The code of a value that is not missing.
    pub fn code(&self, value: &str) -> Option<u32> {
        let found = self.present().binary_search_by(|probe| self.column_type.compare(probe, value));
        // A text of another kind than the column's compares as equal to nothing, or by its bytes alone.
        found.ok().filter(|&at| self.values[at] == value).map(|at| at as u32)
    }

    /// The code of a text as it is written, be it a value or the marker of missing ones.
    pub fn code_as_written(&self, text: &str) -> Option<u32> {
        self.code(text).or_else(|| self.missing.filter(|&code| self.value(code) == text))
    }

    /// What kind of values they are.
    pub fn column_type(&self) -> &ColumnType {
        &self.column_type
    }
}

/// Collects the values of a column while it streams by, giving each a provisional code.
#[derive(Debug, Default)]
pub struct DictionaryBuilder {
    values: Vec<String>,
    codes: TextCodes,
    missing: Option<u32>,
    /// The bytes of all values.
    text_bytes: usize,
}

impl DictionaryBuilder {
    /// The provisional code of a value.
    #[inline]
    pub fn code(&mut self, value: &str) -> u32 {
        let values = &mut self.values;
        if let Some(code) = self.codes.get(value, |code| &values[code as usize]) {
            return code;
        }
        let code = next_code(values, value);
        self.codes.insert(value, code);
        self.text_bytes += value.len();
        code
    }

    /// The provisional code of the missing value.
    pub fn missing_code(&mut self) -> u32 {
        // It has a place among the values so that codes stay dense, but no entry in the hash table: a
        // text that happens to be equal is another value.
        let values = &mut self.values;
        *self.missing.get_or_insert_with(|| next_code(values, ""))
    }

    /// How many distinct values were seen so far.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Was nothing seen yet?
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values seen so far by provisional code; at the code of the missing value stands an empty text.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// How much memory it takes, near enough.
    pub fn bytes(&self) -> usize {
        // What a memory allocator adds to a small piece.
        const OVERHEAD: usize = 16;
        self.codes.bytes() + self.text_bytes + (size_of::<String>() + OVERHEAD) * self.values.len()
    }

    /// Takes over the values of another builder; for each of its provisional codes, the one here.
    pub fn absorb(&mut self, other: &Self) -> Vec<u32> {
        let code = |(code, value): (usize, &String)| {
            if Some(code as u32) == other.missing { self.missing_code() } else { self.code(value) }
        };
        other.values.iter().enumerate().map(code).collect()
    }

    /// The sorted dictionary, and for each provisional code the final one.
    pub fn finish(self, missing_marker: &str, reading: impl Into<Reading>) -> (Dictionary, Vec<u32>) {
        let missing = self.missing;
        let present = self.values.into_iter().enumerate().filter(|(code, _)| Some(*code as u32) != missing);
        let marker = missing.map(|_| missing_marker);
        let detected = |values: &[String]| ColumnType::detect(values.iter().map(String::as_str), reading);
        let (dictionary, mut codes) = Dictionary::with_places(present.map(|(_, value)| value), marker, detected);
        if let (Some(place), Some(last)) = (missing, dictionary.missing) {
            codes.insert(place as usize, last);
        }
        (dictionary, codes)
    }
}

fn next_code(values: &mut Vec<String>, value: &str) -> u32 {
    values.push(value.to_owned());
    u32::try_from(values.len() - 1).expect("a column has fewer than 2^32 distinct values")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_the_order_of_the_values_and_missing_comes_last() {
        let mut builder = DictionaryBuilder::default();
        let codes =
            [builder.code("10"), builder.missing_code(), builder.code("9"), builder.code("10"), builder.missing_code()];
        let (dictionary, renamed) = builder.finish("?", false);
        assert_eq!(dictionary.values(), ["9", "10", "?"]);
        assert_eq!(dictionary.missing(), Some(2));
        assert_eq!(codes.map(|code| renamed[code as usize]), [1, 2, 0, 1, 2]);
        assert_eq!(dictionary.code("9"), Some(0));
        assert_eq!(dictionary.code("11"), None);
        assert_eq!(dictionary.code("?"), None, "the marker is not a value");
    }

    #[test]
    fn a_text_equal_to_the_marker_is_another_value() {
        let mut builder = DictionaryBuilder::default();
        builder.missing_code();
        builder.code("");
        let (dictionary, renamed) = builder.finish("", false);
        assert_eq!(dictionary.len(), 2);
        assert_ne!(renamed[0], renamed[1]);
    }
}
