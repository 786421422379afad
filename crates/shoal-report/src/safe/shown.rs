//! Which texts does the release show?

use std::collections::HashSet;

use super::Safe;
use shoal::audit::ShownColumn;

/// The texts that stand in the cells of a release, by column.
#[derive(Debug)]
pub struct Shown<'a> {
    columns: Vec<(&'a str, HashSet<&'a str>)>,
}

impl<'a> Shown<'a> {
    /// Those of these columns.
    pub fn new(columns: &'a [ShownColumn]) -> Self {
        let texts = |column: &'a ShownColumn| {
            let occurring = column.labels.iter().filter(|(_, rows)| *rows > 0);
            (column.name.as_str(), occurring.map(|(text, _)| text.as_str()).collect())
        };
        Self { columns: columns.iter().map(texts).collect() }
    }

    /// A text, if the release shows it in this column.
    pub fn text(&self, column: &str, text: &str) -> Option<Safe> {
        let texts = &self.columns.iter().find(|(name, _)| *name == column)?.1;
        texts.contains(text).then(|| Safe(if text.is_empty() { "(missing)".to_owned() } else { text.to_owned() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_release_does_not_show_has_no_way_in() {
        let labels = vec![("flu".to_owned(), 3), ("gastritis".to_owned(), 0), (String::new(), 1)];
        let columns = [ShownColumn { name: "disease".into(), labels, is_number: false }];
        let shown = Shown::new(&columns);
        assert_eq!(shown.text("disease", "flu"), Some(Safe("flu".into())));
        assert_eq!(shown.text("disease", ""), Some(Safe("(missing)".into())));
        assert_eq!(shown.text("disease", "gastritis"), None, "known to the audit, but in no row");
        assert_eq!(shown.text("age", "flu"), None);
    }
}
