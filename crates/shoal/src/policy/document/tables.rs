//! How is a value put into a table of TOML, so that everything around it stays?

use toml_edit::{InlineTable, Item, RawString, Table, TableLike, Value};

use shoal_core::{Error, Result};

/// A value as it is written in a policy.
pub(super) fn written(value: &toml::Value) -> Result<Value> {
    value.to_string().parse().map_err(|_| Error::policy("this is no value that TOML can have"))
}

/// The section with this name; it is made if there is none.
pub(super) fn section_in<'a>(root: &'a mut Table, names: &[String]) -> Result<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = root;
    for (depth, name) in names.iter().enumerate() {
        let item = table.entry(name).or_insert_with(|| {
            let mut new = Table::new();
            // `[columns]` goes without saying where there is `[columns.age]`.
            new.set_implicit(depth + 1 < names.len());
            Item::Table(new)
        });
        table =
            item.as_table_like_mut().ok_or_else(|| Error::policy(format!("`{name}` is no section of the policy")))?;
    }
    Ok(table)
}

/// Sets a key of a table, or of a table in it.
pub(super) fn set_in(table: &mut dyn TableLike, keys: &[String], mut value: Value) -> Result<()> {
    let Some((key, inner)) = keys.split_first() else { return Ok(()) };
    if !inner.is_empty() {
        let item = table.entry(key).or_insert_with(|| Item::Value(Value::InlineTable(InlineTable::new())));
        let table = item.as_table_like_mut().ok_or_else(|| Error::policy(format!("`{key}` holds no further keys")))?;
        return set_in(table, inner, value);
    }
    match table.get_mut(key).and_then(Item::as_value_mut) {
        // A comment behind the value stays there.
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            close_up(table);
            drop(table.insert(key, Item::Value(value)));
        }
    }
    Ok(())
}

/// Removes the space behind the last value, where a comma may come now: `{ from = "right" }`.
fn close_up(table: &mut dyn TableLike) {
    let last = table.iter_mut().last().and_then(|(_, item)| item.as_value_mut());
    if let Some(decor) = last.map(Value::decor_mut)
        && decor.suffix().and_then(RawString::as_str).is_some_and(|space| space.trim().is_empty())
    {
        decor.set_suffix("");
    }
}

pub(super) fn remove_in(table: &mut dyn TableLike, keys: &[String]) -> bool {
    match keys {
        [] => false,
        [key] => table.remove(key).is_some(),
        [key, inner @ ..] => {
            table.get_mut(key).and_then(Item::as_table_like_mut).is_some_and(|table| remove_in(table, inner))
        }
    }
}
