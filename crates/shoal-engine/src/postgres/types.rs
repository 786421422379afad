//! Which values do the columns of a PostgreSQL table have?

use postgres::Column;
use postgres::types::{Kind, Type};

use crate::column::{EngineColumn, ValueKind};

/// A column of a prepared statement.
pub(super) fn engine_column(column: &Column) -> EngineColumn {
    let type_ = column.type_();
    EngineColumn {
        name: column.name().to_owned(),
        type_name: type_.name().to_owned(),
        kind: value_kind(type_, column.type_modifier()),
    }
}

fn value_kind(type_: &Type, modifier: i32) -> Option<ValueKind> {
    Some(match *type_ {
        Type::BOOL => ValueKind::Boolean,
        Type::INT2 | Type::INT4 | Type::INT8 => ValueKind::Integer,
        // Without a declared scale every value has its own.
        Type::NUMERIC if modifier < 0 => ValueKind::FreeDecimal,
        Type::NUMERIC => ValueKind::Decimal,
        Type::FLOAT4 => ValueKind::Float,
        Type::FLOAT8 => ValueKind::Double,
        Type::DATE => ValueKind::Date,
        Type::TIME => ValueKind::Time,
        Type::TIMESTAMP => ValueKind::Timestamp,
        Type::TIMESTAMPTZ => ValueKind::Moment,
        Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME => ValueKind::Text,
        Type::UUID => ValueKind::Name,
        _ if matches!(type_.kind(), Kind::Enum(_)) => ValueKind::Name,
        // An extension, so that its number differs from database to database.
        _ if type_.name() == "citext" => ValueKind::Text,
        _ => return None,
    })
}
