//! How is a table written for the program, and how is read what the program wrote?

use std::path::Path;

use serde_json::{Map, Value};

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    pub names: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The place of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// These columns of every row, in any order of rows.
    pub fn sorted_columns(&self, places: &[usize]) -> Vec<Vec<String>> {
        let mut rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| places.iter().map(|&place| row[place].clone()).collect()).collect();
        rows.sort();
        rows
    }

    /// As CSV, quoted where a reader would be misled.
    pub fn to_csv(&self, delimiter: char) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.names).chain(&self.rows) {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell, delimiter, row.len() == 1)).collect();
            text += &cells.join(&delimiter.to_string());
            text.push('\n');
        }
        text
    }

    /// As JSON lines, every cell a string.
    pub fn to_json_lines(&self) -> String {
        let line = |row: &Vec<String>| {
            let cells = self.names.iter().cloned().zip(row.iter().map(|cell| Value::from(cell.as_str())));
            Value::Object(cells.collect::<Map<String, Value>>()).to_string() + "\n"
        };
        self.rows.iter().map(line).collect()
    }

    /// Reads what the program wrote; the ending tells how. Where JSON has a null, others have the marker of missing values.
    pub fn read(path: &Path, delimiter: char, missing: &str) -> Result<Self, String> {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            return Self::from_json_lines(&text, missing);
        }
        Self::from_csv(&text, delimiter)
    }

    fn from_csv(text: &[u8], delimiter: char) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter as u8).has_headers(false).from_reader(text);
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            rows.push(record.iter().map(str::to_owned).collect::<Vec<_>>());
        }
        if rows.is_empty() {
            return Err("no header".to_owned());
        }
        let names = rows.remove(0);
        Ok(Self { names, rows })
    }

    fn from_json_lines(text: &[u8], missing: &str) -> Result<Self, String> {
        let mut table = Self::default();
        for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let value: Value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            let object = value.as_object().ok_or("a line that is no object")?;
            let names: Vec<String> = object.keys().cloned().collect();
            if table.names.is_empty() {
                table.names = names;
            } else if table.names != names {
                return Err("lines with different keys".to_owned());
            }
            let cell = |value: &Value| match value {
                Value::String(text) => text.clone(),
                Value::Null => missing.to_owned(),
                other => other.to_string(),
            };
            table.rows.push(object.values().map(cell).collect());
        }
        Ok(table)
    }
}

fn quoted(cell: &str, delimiter: char, alone: bool) -> String {
    let misleading = |c: char| c == delimiter || c == '"' || c == '\n' || c == '\r';
    let is_blank = cell.is_empty() && alone;
    let has_margin = cell.starts_with(char::is_whitespace) || cell.ends_with(char::is_whitespace);
    if is_blank || has_margin || cell.contains(misleading) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}
