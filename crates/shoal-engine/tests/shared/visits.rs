//! What does a policy say of the columns of `shoal generate visits`?

pub const PERSON: &str = "person = \"patient id\"\n";

pub const COLUMNS: &str = r#"
[columns.sex]
role = "quasi-identifier"
[columns."birth date"]
role = "quasi-identifier"
hierarchy = { dates = ["year", "decade"] }
[columns."zip code"]
role = "quasi-identifier"
hierarchy = { mask = { from = "right" } }
[columns.ward]
role = "quasi-identifier"
[columns.diagnosis]
role = "sensitive"
"#;

/// What counts people: a name of a method, and what else it is told.
pub const METHODS: [&str; 5] = [
    "name = \"full-domain\"",
    "name = \"full-domain\"\nlocal = true",
    "name = \"mondrian\"",
    "name = \"microaggregation\"",
    "name = \"best\"",
];
