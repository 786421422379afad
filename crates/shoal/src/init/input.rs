//! What has to be said about a file so that it is read again as it was read now?

use shoal_core::table::NumberMarks;
use shoal_format::{Dialect, InputFormat, open};

/// What a policy has to say about its input: what is unusual, and what would not be found out.
pub(super) fn to_say(input: &InputFormat, dialect: &Dialect, missing: Vec<String>, marks: NumberMarks) -> InputFormat {
    let encoding = (dialect.encoding != encoding_rs::UTF_8 && !dialect.byte_order_mark)
        .then(|| dialect.encoding.name().to_lowercase());
    let (table, query, skip) = (input.table.clone(), input.query.clone(), input.skip);
    let bare = InputFormat {
        encoding,
        missing,
        marks,
        skip,
        table,
        query,
        handle: input.handle.clone(),
        ..InputFormat::new(&input.path)
    };
    let usual = Dialect::default().for_name(&input.path);
    // Markers of missing values and decimal commas have a say in what is found out.
    let is_found_out = open(&bare).is_ok_and(|reader| reader.dialect() == *dialect);
    let say = |is_usual: bool| !is_found_out || !is_usual;
    InputFormat {
        delimiter: say(dialect.delimiter == usual.delimiter).then_some(dialect.delimiter),
        quote: say(dialect.quote == usual.quote).then_some(dialect.quote),
        header: say(dialect.header == usual.header).then_some(dialect.header),
        ..bare
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, text: &str, input: InputFormat) -> InputFormat {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        let input = InputFormat { path, ..input };
        let dialect = open(&input).expect("a table").dialect();
        to_say(&input, &dialect, vec![String::new(), "?".to_owned()], input.marks)
    }

    #[test]
    fn the_usual_goes_without_saying() {
        let input = said("a.csv", "a,b\n1,2\n", InputFormat::default());
        assert_eq!((input.delimiter, input.quote, input.header, input.encoding), (None, None, None, None));
        let input = said("a.csv", "1;2\n3;4\n", InputFormat::default());
        assert_eq!((input.delimiter, input.quote, input.header), (Some(b';'), None, Some(false)));
        assert_eq!(said("a.tsv", "a\tb\n1\t2\n", InputFormat::default()).delimiter, None);
    }

    #[test]
    fn what_would_not_be_found_out_is_said() {
        let as_header = InputFormat { header: Some(true), ..InputFormat::default() };
        let input = said("a.csv", "1,2\n3,4\n", as_header);
        assert_eq!((input.delimiter, input.quote, input.header), (Some(b','), Some(b'"'), Some(true)));
        let latin = InputFormat { encoding: Some("latin1".to_owned()), ..InputFormat::default() };
        assert_eq!(said("a.csv", "a,b\n1,2\n", latin).encoding.as_deref(), Some("windows-1252"));
    }
}
