//! What does pandas find out about a table from its Parquet file, beside types?

use serde_json::{Map, Value, json};

use crate::OutputColumn;

/// The key under which pandas keeps what it knows.
pub(super) const KEY: &str = "pandas";

/// What pandas said of a table, as far as it is true of a release with these columns: the kind of each that keeps its type, and
/// which of them are the index. What it keeps besides (how many rows and categories there were, notes of the owner) stays behind.
pub(super) fn of_release(said: &str, columns: &[OutputColumn]) -> Option<String> {
    let said: Value = serde_json::from_str(said).ok()?;
    let described = said.get("columns")?.as_array()?;
    let entry = |column: &OutputColumn| {
        let is_it = |entry: &&Value| entry.get("field_name").and_then(Value::as_str) == Some(column.name.as_str());
        match described.iter().find(is_it).filter(|_| column.data_type.is_some()) {
            Some(entry) => kept(entry),
            None => new(column),
        }
    };
    let is_kept = |name: &str| columns.iter().any(|column| column.name == name && column.data_type.is_some());
    let names = said.get("index_columns").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let index: Vec<&str> = names.filter(|name| is_kept(name)).collect();
    let mut released = Map::new();
    released.insert("index_columns".to_owned(), json!(index));
    released.insert("column_indexes".to_owned(), json!([]));
    released.insert("columns".to_owned(), columns.iter().filter_map(entry).collect());
    released.extend(said.get("pandas_version").map(|version| ("pandas_version".to_owned(), version.clone())));
    Some(Value::Object(released).to_string())
}

/// A column that keeps its type. Categories of the original are no news for readers of a release.
fn kept(entry: &Value) -> Option<Value> {
    if entry.get("pandas_type").and_then(Value::as_str) == Some("categorical") {
        return None;
    }
    let timezone = entry.get("metadata").and_then(|metadata| metadata.get("timezone"));
    Some(json!({
        "name": entry.get("name"),
        "field_name": entry.get("field_name"),
        "pandas_type": entry.get("pandas_type"),
        "numpy_type": entry.get("numpy_type"),
        "metadata": timezone.map(|timezone| json!({ "timezone": timezone })),
    }))
}

/// A column that shows labels, or numbers that were made of them.
fn new(column: &OutputColumn) -> Option<Value> {
    let (pandas, numpy) = match &column.data_type {
        None => ("unicode", "object"),
        Some(arrow_schema::DataType::Float64) => ("float64", "float64"),
        Some(_) => return None,
    };
    let name = &column.name;
    Some(json!({ "name": name, "field_name": name, "pandas_type": pandas, "numpy_type": numpy, "metadata": null }))
}

#[cfg(test)]
mod tests {
    use arrow_schema::DataType;

    use super::*;

    #[test]
    fn what_is_no_longer_true_or_no_news_is_left_out() {
        let said = json!({
            "index_columns": ["id", { "kind": "range", "start": 0, "stop": 120, "step": 1 }],
            "column_indexes": [{ "name": null }],
            "columns": [
                { "name": "id", "field_name": "id", "pandas_type": "int64", "numpy_type": "int64", "metadata": null },
                { "name": "age", "field_name": "age", "pandas_type": "int64", "numpy_type": "Int64", "metadata": null },
                { "name": "seen", "field_name": "seen", "pandas_type": "datetimetz", "numpy_type": "datetime64[ns]",
                  "metadata": { "timezone": "Europe/Berlin" } },
                { "name": "ward", "field_name": "ward", "pandas_type": "categorical", "numpy_type": "int8",
                  "metadata": { "num_categories": 12, "ordered": false } },
            ],
            "attributes": { "note": "of the owner" },
            "pandas_version": "2.2.3",
        });
        let column = |name: &str, data_type| OutputColumn { name: name.to_owned(), data_type };
        let columns =
            [column("age", None), column("seen", Some(DataType::Int64)), column("ward", Some(DataType::Utf8))];
        let released: Value =
            serde_json::from_str(&of_release(&said.to_string(), &columns).expect("metadata")).expect("JSON");
        assert_eq!(
            released,
            json!({
                "index_columns": [],
                "column_indexes": [],
                "columns": [
                    { "name": "age", "field_name": "age", "pandas_type": "unicode", "numpy_type": "object", "metadata": null },
                    { "name": "seen", "field_name": "seen", "pandas_type": "datetimetz", "numpy_type": "datetime64[ns]",
                      "metadata": { "timezone": "Europe/Berlin" } },
                ],
                "pandas_version": "2.2.3",
            })
        );
        assert_eq!(of_release("no JSON", &columns), None);
    }
}
