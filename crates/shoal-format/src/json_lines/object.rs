//! Which keys and values does the JSON object on a line have?

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use shoal_core::Error;

/// Hands each key and the text of its value to `take`, in the order of the line.
///
/// The errors of the JSON parser are told anew, since some of them quote the line.
pub(super) fn each_member(line: &str, take: impl FnMut(&str, &str) -> Result<(), Error>) -> Result<(), Error> {
    if !line.trim_ascii_start().starts_with('{') {
        let is_array = line.trim_ascii_start().starts_with('[');
        let hint = if is_array { "write one object a line, not an array of them" } else { "write one object a line" };
        return Err(Error::table("not a JSON object").hint(hint));
    }
    let mut members = Members { take, refusal: None };
    let mut json = serde_json::Deserializer::from_str(line);
    let parsed = (&mut members).deserialize(&mut json).and_then(|()| json.end());
    match (members.refusal, parsed) {
        (Some(refusal), _) => Err(refusal),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) => Err(match error.classify() {
            Category::Eof => Error::table("the JSON object ends too early").hint("write one object a line"),
            _ => Error::table(format!("not valid JSON at byte {} of the line", error.column())),
        }),
    }
}

struct Members<F> {
    take: F,
    refusal: Option<Error>,
}

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de, F: FnMut(&str, &str) -> Result<(), Error>> DeserializeSeed<'de> for &mut Members<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: FnMut(&str, &str) -> Result<(), Error>> Visitor<'de> for &mut Members<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Key(key)) = map.next_key()? {
            let value: &RawValue = map.next_value()?;
            if let Err(refusal) = (self.take)(&key, value.get()) {
                self.refusal = Some(refusal);
                return Err(de::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(line: &str) -> Result<Vec<(String, String)>, String> {
        let mut members = Vec::new();
        each_member(line, |key, value| {
            members.push((key.to_owned(), value.to_owned()));
            Ok(())
        })
        .map_err(|error| error.message().to_owned())?;
        Ok(members)
    }

    #[test]
    fn keys_are_read_and_values_stay_as_written() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            members(r#" { "b\u0061" : 1.0 , "a":"x\n","c" :null}"#),
            Ok(vec![pair("ba", "1.0"), pair("a", r#""x\n""#), pair("c", "null")])
        );
        assert_eq!(members("{}"), Ok(vec![]));
    }

    #[test]
    fn what_is_wrong_is_said_without_the_value() {
        for (line, message) in [
            (r#"{"a":secret}"#, "not valid JSON at byte 6 of the line"),
            (r#"{"a":1 "b":2}"#, "not valid JSON at byte 8 of the line"),
            (r#"{"a":1} secret"#, "not valid JSON at byte 9 of the line"),
            (r#"{"a":"secret"#, "the JSON object ends too early"),
            (r#"["secret"]"#, "not a JSON object"),
            (r#""secret""#, "not a JSON object"),
            ("12345", "not a JSON object"),
        ] {
            assert_eq!(members(line), Err(message.to_owned()), "{line}");
        }
    }
}
