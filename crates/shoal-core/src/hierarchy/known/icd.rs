//! In which block and chapter of a classification of diseases does a category lie?

/// The blocks of a classification, each with the chapter that it lies in.
#[derive(Debug)]
pub(super) struct Blocks(Vec<Block>);

#[derive(Debug)]
struct Block {
    first: &'static str,
    last: &'static str,
    /// Categories that belong to it although their letters do not say so.
    more: Vec<&'static str>,
    label: &'static str,
    chapter: &'static str,
}

impl Blocks {
    /// Reads a file: in each line a chapter and then its blocks.
    pub(super) fn read(text: &'static str) -> Self {
        let mut blocks = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split(' ');
            let Some(chapter) = words.next() else { continue };
            for word in words {
                let mut parts = word.split('+');
                let label = parts.next().unwrap_or(word);
                let (first, last) = label.split_once('-').unwrap_or((label, label));
                blocks.push(Block { first, last, more: parts.collect(), label, chapter });
            }
        }
        Self(blocks)
    }

    /// The block and the chapter of a category, both as ranges of codes. A category lies in the last block that begins before it
    /// and does not end before it: `C7A` is one of its own between those of `C76-C80`.
    pub(super) fn of(&self, category: &str) -> Option<(&'static str, &'static str)> {
        let named = self.0.iter().find(|block| block.more.contains(&category));
        let holds = |block: &&Block| block.first <= category && category <= block.last;
        let block = named.or_else(|| self.0.iter().filter(holds).max_by_key(|block| block.first))?;
        Some((block.label, block.chapter))
    }

    /// The labels of a code of a clinical modification: its subcategory, category, block and chapter.
    pub(super) fn clinical_labels(&self, category: String, rest: &str) -> Option<Vec<String>> {
        let (block, chapter) = self.of(&category)?;
        let subcategory = match rest.get(..1) {
            Some(digit) => format!("{category}.{digit}"),
            None => category.clone(),
        };
        Some(vec![subcategory, category, block.to_owned(), chapter.to_owned()])
    }

    /// How many chapters there are, once every block was seen to hold its first and its last category.
    #[cfg(test)]
    pub(super) fn checked_chapters(&self) -> usize {
        for block in &self.0 {
            for category in [block.first, block.last] {
                assert_eq!(self.of(category), Some((block.label, block.chapter)), "{category}");
            }
        }
        self.0.chunk_by(|one, next| one.chapter == next.chapter).count()
    }
}

/// The parts of a code of ICD-10: its category, and what follows. Signs at the end (`G20.-`, `A17.0+`) mean nothing here.
pub(super) fn parts(text: &str, longest: usize) -> Option<(String, String)> {
    let code: String = text.trim_end_matches(['+', '*', '!', '-', '.', ' ']).to_ascii_uppercase();
    let (category, rest) = match code.split_once('.') {
        Some((category, rest)) if category.len() == 3 => (category, rest),
        Some(_) => return None,
        None => code.split_at_checked(3)?,
    };
    let bytes = category.as_bytes();
    let is_category = bytes[0].is_ascii_uppercase() && bytes[1].is_ascii_digit() && bytes[2].is_ascii_alphanumeric();
    let is_rest = rest.len() + 3 <= longest && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_category && is_rest).then(|| (category.to_owned(), rest.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_taken_apart() {
        let parts = |text| parts(text, 7).map(|(category, rest)| format!("{category} {rest}"));
        assert_eq!(parts("I21.4").as_deref(), Some("I21 4"));
        assert_eq!(parts("i214").as_deref(), Some("I21 4"));
        assert_eq!(parts("G20.-").as_deref(), Some("G20 "));
        assert_eq!(parts("A17.0+").as_deref(), Some("A17 0"));
        assert_eq!(parts("S72.001A").as_deref(), Some("S72 001A"));
        for text in ["", "I2", "I21.4.1", "21.4", "I21.41234", "É21", "2IX", "II1"] {
            assert_eq!(parts(text), None, "{text}");
        }
    }

    #[test]
    fn a_category_lies_in_the_nearest_block() {
        let blocks = Blocks::read("# comment\nC00-D49 C43-C44+C4A C45-C49 C76-C80 C7A\nE00-E89 E00-E07\n");
        assert_eq!(blocks.of("C44"), Some(("C43-C44", "C00-D49")));
        assert_eq!(blocks.of("C4A"), Some(("C43-C44", "C00-D49")));
        assert_eq!(blocks.of("C7A"), Some(("C7A", "C00-D49")));
        assert_eq!(blocks.of("C80"), Some(("C76-C80", "C00-D49")));
        assert_eq!(blocks.of("E08"), None);
    }
}
