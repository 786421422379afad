//! How is a table written, where the command line says so?

use clap::Args;
use shoal::init::AsSaid;
use shoal::policy::Policy;
use shoal_core::table::{NumberMarks, Thousands};
use shoal_core::{Error, Result};
use shoal_format::InputFormat;

use crate::output::word;

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "How the table is written (otherwise detected)")]
pub struct Written {
    /// The encoding of a text file, by its WHATWG name: windows-1252, utf-16le, ..
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// The character between two cells of a text file; `tab` is one, too
    #[arg(long, value_name = "CHARACTER")]
    delimiter: Option<String>,
    /// How many lines of a text file, or rows of a sheet, stand before the table: titles, comments
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u64).range(..=1000))]
    skip: Option<u64>,
    /// Whether the first row has the names of the columns
    #[arg(long, value_name = "true|false")]
    header: Option<bool>,
    /// The decimal mark of numbers
    #[arg(long, value_name = "MARK", value_parser = [".", ","])]
    decimal: Option<String>,
    /// What may stand between the thousands of numbers
    #[arg(long, value_name = "MARK", value_parser = [".", ",", " ", "'"])]
    thousands: Option<String>,
    /// What stands for a missing value; may be repeated, and an empty text is one
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    missing: Vec<String>,
    /// The table, where a file has several: a sheet of a workbook, a table of a database
    #[arg(long, value_name = "NAME")]
    table_name: Option<String>,
}

impl Written {
    /// The table at a place, written as is said here.
    pub fn at(&self, path: impl Into<std::path::PathBuf>) -> Result<InputFormat> {
        let delimiter = match self.delimiter.as_deref() {
            None => None,
            Some("tab" | "\\t") => Some(b'\t'),
            Some(text) => match text.as_bytes() {
                &[byte] if byte.is_ascii() => Some(byte),
                _ => return Err(Error::policy("`--delimiter` must be one ASCII character, or `tab`")),
            },
        };
        let thousands = self.thousands.as_deref().and_then(Thousands::named);
        // Who says `--thousands .` has decimal commas.
        let decimal_comma = match self.decimal.as_deref() {
            Some(mark) => mark == ",",
            None => thousands == Some(Thousands::Point),
        };
        let marks = NumberMarks { decimal_comma, thousands };
        if !marks.are_clear() {
            return Err(Error::policy("`--thousands` and `--decimal` are the same character"));
        }
        Ok(InputFormat {
            encoding: self.encoding.clone(),
            delimiter,
            skip: self.skip.unwrap_or(0),
            header: self.header,
            marks,
            missing: self.missing.clone(),
            table: self.table_name.clone(),
            ..InputFormat::new(path)
        })
    }

    /// The same, with what of that was said: what is usual may be said, too.
    pub fn as_said(&self, path: impl Into<std::path::PathBuf>) -> Result<AsSaid> {
        let input = self.at(path)?;
        let is_said = self.decimal.is_some() || input.marks.decimal_comma;
        Ok(AsSaid {
            skip: self.skip,
            decimal_comma: is_said.then_some(input.marks.decimal_comma),
            thousands: input.marks.thousands,
            input,
        })
    }

    /// The policy that a certificate stands for, of a release that is written as is said here: a certificate tells neither its encoding
    /// nor its delimiter.
    pub fn on_certified(&self, mut policy: Policy) -> Result<Policy> {
        let said = self.at("")?;
        (policy.input.encoding, policy.input.delimiter) = (said.encoding, said.delimiter);
        Ok(policy)
    }

    /// The options that say of a release what a policy says of its table, and no certificate does.
    pub fn untold(policy: &Policy) -> String {
        let encoding = policy.input.encoding.as_ref().map(|name| format!(" --encoding {}", word(name)));
        let delimiter = policy.input.delimiter.map(|byte| match byte {
            b'\t' => " --delimiter tab".to_owned(),
            byte => format!(" --delimiter {}", word(char::from(byte).to_string())),
        });
        [encoding, delimiter].into_iter().flatten().collect()
    }

    /// Refuses to contradict a policy, which says all of this itself.
    pub fn refuse_with_policy(&self) -> Result<()> {
        self.first_said().map_or(Ok(()), |option| {
            let key = if option == "table-name" { "table" } else { option };
            Err(Error::policy(format!("the policy says how its table is written, and so does `--{option}`"))
                .hint(format!("say it in the policy, or for one run with `--set input.{key}=..`")))
        })
    }

    /// Refuses to contradict a certificate, which says all of this but two things.
    pub fn refuse_with_certificate(&self) -> Result<()> {
        let told = Self { encoding: None, delimiter: None, ..self.clone() };
        told.first_said().map_or(Ok(()), |option| {
            Err(Error::policy(format!(
                "the certificate says how its table is written, but for `--encoding` and `--delimiter`, and so does `--{option}`"
            ))
            .hint("leave that out, or audit without --certificate"))
        })
    }

    /// An option that was given.
    fn first_said(&self) -> Option<&'static str> {
        let Self { encoding, delimiter, skip, header, decimal, thousands, missing, table_name } = self;
        let said = [
            ("encoding", encoding.is_some()),
            ("delimiter", delimiter.is_some()),
            ("skip", skip.is_some()),
            ("header", header.is_some()),
            ("decimal", decimal.is_some()),
            ("thousands", thousands.is_some()),
            ("missing", !missing.is_empty()),
            ("table-name", table_name.is_some()),
        ];
        said.into_iter().find(|(_, is_said)| *is_said).map(|(option, _)| option)
    }
}
