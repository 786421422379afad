//! How is a hierarchy written as a file that people can edit?

use std::collections::HashSet;

use super::Hierarchy;

impl Hierarchy {
    /// A row for each leaf, from leaf to root.
    pub fn to_rows(&self) -> Vec<Vec<String>> {
        let mut seen = HashSet::new();
        let leaves = 0..self.level(0).nodes_of_leaves().len() as u32;
        let row = |leaf| (0..=self.height()).map(|level| self.label(level, leaf).to_owned()).collect();
        // A value and a missing one that look the same are one row.
        leaves.filter(|&leaf| seen.insert(self.level(0).node_of(leaf))).map(row).collect()
    }

    /// The rows as the text of a file that `{ file = ".." }` reads.
    pub fn to_csv(&self) -> String {
        let mut writer = csv::WriterBuilder::new().delimiter(b';').from_writer(Vec::new());
        for row in self.to_rows() {
            writer.write_record(row).expect("rows of equal length can be written to memory");
        }
        let bytes = writer.into_inner().expect("memory can be flushed");
        String::from_utf8(bytes).expect("text in quotes is text")
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{build, dictionary};

    #[test]
    fn what_is_written_reads_back() {
        let dictionary = dictionary(&["17", "23"], Some(""));
        let hierarchy = build("intervals = [5, 10]", &dictionary).unwrap();
        let text = hierarchy.to_csv();
        assert_eq!(text, "17;[15, 20);[10, 20);*\n23;[20, 25);[20, 30);*\n;;;*\n");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let read = build(&format!("file = '{}'", file.path().display()), &dictionary).unwrap();
        assert_eq!(read.to_rows(), hierarchy.to_rows());
    }

    #[test]
    fn delimiters_and_quotes_in_values_are_kept() {
        let dictionary = dictionary(&["a;b", "say \"no\"", "c,d"], None);
        let hierarchy = build("suppress = {}", &dictionary).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), hierarchy.to_csv()).unwrap();
        let read = build(&format!("file = '{}'", file.path().display()), &dictionary).unwrap();
        assert_eq!(read, hierarchy);
    }
}
