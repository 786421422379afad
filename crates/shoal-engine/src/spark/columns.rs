//! Which columns does a relation have, and what are their values?

use spark_connect_proto::DataType;
use spark_connect_proto::data_type::{Kind, Struct};

use crate::column::{EngineColumn, ValueKind};

/// The columns of a relation with this schema.
pub(super) fn columns(schema: DataType) -> Vec<EngineColumn> {
    let Some(Kind::Struct(Struct { fields, .. })) = schema.kind else { return Vec::new() };
    let column = |field: spark_connect_proto::data_type::StructField| {
        let (type_name, kind) = described(field.data_type.and_then(|data_type| data_type.kind));
        EngineColumn { name: field.name, type_name, kind }
    };
    fields.into_iter().map(column).collect()
}

/// The name of a type as Spark reads it, and what its values are.
fn described(kind: Option<Kind>) -> (String, Option<ValueKind>) {
    let known = |name: &str, kind: ValueKind| (name.to_owned(), Some(kind));
    let refused = |name: &str| (name.to_owned(), None);
    match kind {
        Some(Kind::String(text)) if text.collation.is_empty() || text.collation == "UTF8_BINARY" => {
            known("STRING", ValueKind::Text)
        }
        Some(Kind::String(text)) => (format!("STRING COLLATE {}", text.collation), Some(ValueKind::Text)),
        Some(Kind::Char(_) | Kind::VarChar(_)) => known("STRING", ValueKind::Text),
        Some(Kind::Boolean(_)) => known("BOOLEAN", ValueKind::Boolean),
        Some(Kind::Byte(_)) => known("TINYINT", ValueKind::Integer),
        Some(Kind::Short(_)) => known("SMALLINT", ValueKind::Integer),
        Some(Kind::Integer(_)) => known("INT", ValueKind::Integer),
        Some(Kind::Long(_)) => known("BIGINT", ValueKind::Integer),
        Some(Kind::Float(_)) => known("FLOAT", ValueKind::Float),
        Some(Kind::Double(_)) => known("DOUBLE", ValueKind::Double),
        Some(Kind::Decimal(decimal)) => {
            let name = format!("DECIMAL({}, {})", decimal.precision.unwrap_or(10), decimal.scale.unwrap_or(0));
            (name, Some(ValueKind::Decimal))
        }
        Some(Kind::Date(_)) => known("DATE", ValueKind::Date),
        Some(Kind::Timestamp(_)) => known("TIMESTAMP", ValueKind::Moment),
        Some(Kind::TimestampNtz(_)) => known("TIMESTAMP_NTZ", ValueKind::Timestamp),
        Some(Kind::Time(time)) => (format!("TIME({})", time.precision.unwrap_or(6)), Some(ValueKind::Time)),
        Some(Kind::Binary(_)) => refused("BINARY"),
        Some(Kind::Array(_)) => refused("ARRAY"),
        Some(Kind::Map(_)) => refused("MAP"),
        Some(Kind::Struct(_)) => refused("STRUCT"),
        Some(Kind::Variant(_)) => refused("VARIANT"),
        Some(Kind::Null(_)) => refused("VOID"),
        Some(Kind::CalendarInterval(_) | Kind::YearMonthInterval(_) | Kind::DayTimeInterval(_)) => refused("INTERVAL"),
        _ => refused("a type that Shoal does not know"),
    }
}
