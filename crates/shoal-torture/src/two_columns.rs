//! Which label do two columns of numbers stand for?

use crate::policy::Policy;
use crate::table::Table;

/// A release as the policy means it, with each pair of columns as one column of labels.
pub fn joined(table: Table, policy: &Policy) -> Table {
    policy.columns.iter().fold(table, |table, column| match policy.pair_of(column) {
        Some(pair) => join(&table, &column.name, &pair, policy.marker()).unwrap_or(table),
        None => table,
    })
}

fn join(table: &Table, name: &str, [low, high]: &[String; 2], marker: &str) -> Option<Table> {
    let (low, high) = (table.place(low)?, table.place(high)?);
    let join_row = |cells: &[String], label: String| {
        let mut row: Vec<String> = cells.to_vec();
        row[low] = label;
        row.remove(high);
        row
    };
    Some(Table {
        names: join_row(&table.names, name.to_owned()),
        rows: table.rows.iter().map(|row| join_row(row, label(&row[low], &row[high], marker))).collect(),
    })
}

/// `[20, 30)` for 20 and 30: at least the one and less than the other, or both.
fn label(low: &str, high: &str, marker: &str) -> String {
    match (low, high) {
        ("-inf", "inf") => "*".to_owned(),
        _ if low == marker && high == marker => marker.to_owned(),
        _ if low == high => low.to_owned(),
        ("-inf", _) => format!("< {high}"),
        (_, "inf") => format!(">= {low}"),
        _ => format!("[{low}, {high})"),
    }
}
