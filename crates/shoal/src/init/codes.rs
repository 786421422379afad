//! How are the codes of a long column kept in little memory?

/// The codes of a column, row by row, each in as many bytes as the largest needs: most columns of a table
/// about people have fewer than 256 values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Codes {
    /// Codes below 2^8.
    One(Vec<u8>),
    /// Codes below 2^16.
    Two(Vec<u16>),
    /// All others.
    Four(Vec<u32>),
}

impl Codes {
    pub(super) fn new() -> Self {
        Codes::One(Vec::new())
    }

    pub(super) fn push(&mut self, code: u32) {
        match self {
            Codes::One(codes) => match u8::try_from(code) {
                Ok(code) => codes.push(code),
                Err(_) => {
                    *self = Codes::Two(codes.iter().copied().map(u16::from).collect());
                    self.push(code);
                }
            },
            Codes::Two(codes) => match u16::try_from(code) {
                Ok(code) => codes.push(code),
                Err(_) => {
                    *self = Codes::Four(codes.iter().copied().map(u32::from).collect());
                    self.push(code);
                }
            },
            Codes::Four(codes) => codes.push(code),
        }
    }

    /// The code of a row.
    #[inline]
    pub(super) fn get(&self, row: usize) -> u32 {
        match self {
            Codes::One(codes) => codes[row].into(),
            Codes::Two(codes) => codes[row].into(),
            Codes::Four(codes) => codes[row],
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Codes::One(codes) => codes.len(),
            Codes::Two(codes) => codes.len(),
            Codes::Four(codes) => codes.len(),
        }
    }

    /// What it takes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Codes::One(codes) => codes.capacity(),
            Codes::Two(codes) => 2 * codes.capacity(),
            Codes::Four(codes) => 4 * codes.capacity(),
        }
    }

    /// The same rows with other codes.
    pub(super) fn renamed(&self, names: &[u32]) -> Self {
        let mut renamed = Codes::new();
        (0..self.len()).for_each(|row| renamed.push(names[self.get(row) as usize]));
        renamed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_widen_as_they_grow() {
        let mut codes = Codes::new();
        let pushed = [0, 255, 256, 7, 65_535, 65_536, u32::MAX];
        pushed.iter().for_each(|&code| codes.push(code));
        assert!(matches!(codes, Codes::Four(_)));
        assert_eq!((0..codes.len()).map(|row| codes.get(row)).collect::<Vec<_>>(), pushed);
    }

    #[test]
    fn renaming_keeps_the_rows() {
        let mut codes = Codes::new();
        [2, 0, 1, 2].iter().for_each(|&code| codes.push(code));
        let renamed = codes.renamed(&[0, 300, 0]);
        assert_eq!((0..4).map(|row| renamed.get(row)).collect::<Vec<_>>(), [0, 0, 300, 0]);
    }
}
