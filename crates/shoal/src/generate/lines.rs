//! How do cells become lines of CSV, quickly?

/// Lines in a buffer that is used again and again.
///
/// Cells are written as they are: no generator has a value with a comma, a quote or a line break.
pub(super) struct Lines(Vec<u8>);

impl Lines {
    /// An empty buffer with room for this many bytes.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// A cell of text.
    pub(super) fn text(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(b',');
    }

    /// A cell without a value.
    pub(super) fn missing(&mut self) {
        self.0.push(b',');
    }

    /// A whole number.
    pub(super) fn number(&mut self, number: u32) {
        let mut digits = [0; 10];
        let mut start = digits.len();
        let mut rest = number;
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.0.extend_from_slice(&digits[start..]);
        self.0.push(b',');
    }

    /// A number of exactly `N` digits, as codes of places have.
    pub(super) fn code<const N: usize>(&mut self, code: u32) {
        self.0.extend_from_slice(&digits::<N>(code));
        self.0.push(b',');
    }

    /// An ISO date.
    pub(super) fn date(&mut self, year: u32, month: u32, day: u32) {
        let [y1, y2, y3, y4] = digits(year);
        let [m1, m2] = digits(month);
        let [d1, d2] = digits(day);
        self.0.extend_from_slice(&[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b',']);
    }

    /// Ends the row: its last cell is followed by a line break instead of a comma.
    pub(super) fn end_row(&mut self) {
        if let Some(last) = self.0.last_mut() {
            *last = b'\n';
        }
    }

    /// What has been written since the last `clear`.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Forgets what has been written and keeps the room.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

fn digits<const N: usize>(mut number: u32) -> [u8; N] {
    let mut digits = [b'0'; N];
    for digit in digits.iter_mut().rev() {
        *digit += (number % 10) as u8;
        number /= 10;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_separated_and_rows_ended() {
        let mut lines = Lines::with_capacity(0);
        lines.text("a b");
        lines.missing();
        lines.number(0);
        lines.number(u32::MAX);
        lines.code::<5>(2139);
        lines.date(1994, 2, 3);
        lines.end_row();
        assert_eq!(lines.bytes(), b"a b,,0,4294967295,02139,1994-02-03\n");
    }
}
