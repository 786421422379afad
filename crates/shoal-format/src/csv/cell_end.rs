//! Where does a cell of CSV end?

/// Finds the delimiter or line ending after a cell without quotes.
///
/// Cells are short, so a loop over their bytes ends at a place the processor cannot predict; looking at eight
/// bytes at once mostly takes one turn.
#[derive(Clone, Copy)]
pub(super) struct CellEnd {
    /// Each byte that ends a cell, eight times.
    patterns: [u64; 3],
}

const ONES: u64 = u64::from_le_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);

impl CellEnd {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { patterns: [delimiter, b'\r', b'\n'].map(|byte| u64::from_le_bytes([byte; 8])) }
    }

    /// How many bytes come before the first that ends a cell.
    #[inline]
    pub(super) fn find(self, text: &[u8]) -> Option<usize> {
        let (words, rest) = text.as_chunks();
        for (at, &word) in words.iter().enumerate() {
            let found = self.marks(u64::from_le_bytes(word));
            if found != 0 {
                return Some(at * 8 + found.trailing_zeros() as usize / 8);
            }
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let found = self.marks(u64::from_le_bytes(last));
        (found != 0).then(|| words.len() * 8 + found.trailing_zeros() as usize / 8)
    }

    /// The places, from `start` on, of all bytes that end a cell.
    #[inline]
    pub(super) fn all(self, text: &[u8], start: usize) -> impl Iterator<Item = usize> {
        let (words, rest) = text[start..].as_chunks();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let words = words.iter().copied().chain(std::iter::once(last));
        words.enumerate().flat_map(move |(at, word)| {
            let first = start + at * 8;
            Marks(self.exact_marks(u64::from_le_bytes(word))).map(move |place| first + place)
        })
    }

    /// The high bit of each byte that ends a cell, and of no other.
    #[inline]
    fn exact_marks(self, word: u64) -> u64 {
        const LOWS: u64 = !HIGHS;
        // A sum of low bits reaches the high bit of its byte unless they are all zero, and never goes beyond.
        let unequal = |pattern: u64| {
            let difference = word ^ pattern;
            ((difference & LOWS) + LOWS) | difference
        };
        let [delimiter, carriage_return, line_feed] = self.patterns;
        !(unequal(delimiter) & unequal(carriage_return) & unequal(line_feed)) & HIGHS
    }

    /// The high bit of each byte that ends a cell.
    ///
    /// Subtracting one from a byte that is zero borrows from the next, so a mark above the first may be wrong.
    #[inline]
    fn marks(self, word: u64) -> u64 {
        let mark = |pattern: u64| {
            let zero_where_equal = word ^ pattern;
            zero_where_equal.wrapping_sub(ONES) & !zero_where_equal & HIGHS
        };
        let [delimiter, carriage_return, line_feed] = self.patterns;
        mark(delimiter) | mark(carriage_return) | mark(line_feed)
    }
}

/// The places of the bytes of a word whose high bits are set.
struct Marks(u64);

impl Iterator for Marks {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros() as usize / 8;
        self.0 &= self.0 - 1;
        Some(place)
    }
}

/// Where the quote is that closes a cell, and whether there are doubled ones before it; `None` if it is not there.
pub(super) fn closing_quote(text: &[u8], start: usize, quote: u8) -> Option<(usize, bool)> {
    let (mut at, mut has_doubled) = (start, false);
    loop {
        at += text[at..].iter().position(|&byte| byte == quote)?;
        if text.get(at + 1) != Some(&quote) {
            return Some((at, has_doubled));
        }
        has_doubled = true;
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn eight_bytes_at_once_find_what_one_at_a_time_finds(
            text in prop::collection::vec(prop::sample::select(b",;\r\n\x0b\x0c-+ \x8d\xff\x01aaaaaaaaaaaaaaaa".as_slice()), 0..40),
        ) {
            let expected = text.iter().position(|byte| b";\r\n".contains(byte));
            prop_assert_eq!(CellEnd::new(b';').find(&text), expected);
            let start = text.len() / 3;
            let all: Vec<usize> = (start..text.len()).filter(|&at| b";\r\n".contains(&text[at])).collect();
            prop_assert_eq!(CellEnd::new(b';').all(&text, start).collect::<Vec<_>>(), all);
        }
    }

    #[test]
    fn doubled_quotes_do_not_close() {
        assert_eq!(closing_quote(b"\"ab\",", 1, b'"'), Some((3, false)));
        assert_eq!(closing_quote(b"\"a\"\"b\"", 1, b'"'), Some((5, true)));
        assert_eq!(closing_quote(b"\"a\"\"", 1, b'"'), None);
        assert_eq!(closing_quote(b"\"", 1, b'"'), None);
    }
}
