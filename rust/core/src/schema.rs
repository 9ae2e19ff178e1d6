//! The one definition of tables and vocabularies, read from
//! `python/sessionscan/schema/tables.toml`, which the reference reads too.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use toml::{Table as Toml, Value};

const DEFINITION: &str = include_str!("../../../python/sessionscan/schema/tables.toml");

/// The parsed definition. It is part of the program: a mistake in it is a bug
/// that the first test finds, so reading it panics rather than returns.
static PARSED: LazyLock<Toml> =
    LazyLock::new(|| DEFINITION.parse().unwrap_or_else(|error| panic!("tables.toml: {error}")));

/// A table of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Table {
    Files,
    Records,
    Blocks,
    Usage,
    UsageIterations,
    ToolCalls,
    Sessions,
    Agents,
    Workflows,
    Journal,
    Links,
    Compactions,
    Attachments,
    Events,
    Skills,
    Sidecars,
    FileHistory,
    Prompts,
    Endings,
    Ledger,
    Diagnostics,
    Census,
}

impl Table {
    /// Every table, in the order of the definition.
    pub const ALL: [Self; 22] = [
        Self::Files,
        Self::Records,
        Self::Blocks,
        Self::Usage,
        Self::UsageIterations,
        Self::ToolCalls,
        Self::Sessions,
        Self::Agents,
        Self::Workflows,
        Self::Journal,
        Self::Links,
        Self::Compactions,
        Self::Attachments,
        Self::Events,
        Self::Skills,
        Self::Sidecars,
        Self::FileHistory,
        Self::Prompts,
        Self::Endings,
        Self::Ledger,
        Self::Diagnostics,
        Self::Census,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Records => "records",
            Self::Blocks => "blocks",
            Self::Usage => "usage",
            Self::UsageIterations => "usage_iterations",
            Self::ToolCalls => "tool_calls",
            Self::Sessions => "sessions",
            Self::Agents => "agents",
            Self::Workflows => "workflows",
            Self::Journal => "journal",
            Self::Links => "links",
            Self::Compactions => "compactions",
            Self::Attachments => "attachments",
            Self::Events => "events",
            Self::Skills => "skills",
            Self::Sidecars => "sidecars",
            Self::FileHistory => "file_history",
            Self::Prompts => "prompts",
            Self::Endings => "endings",
            Self::Ledger => "ledger",
            Self::Diagnostics => "diagnostics",
            Self::Census => "census",
        }
    }

    /// The table of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }

    /// Whether it is made where no tables are named.
    pub fn is_core(self) -> bool {
        path(&["tables", self.name(), "core"]).as_bool().unwrap_or(false)
    }

    /// Its Arrow schema, with the table's name and the schema's version.
    pub fn schema(self) -> SchemaRef {
        let columns = path(&["tables", self.name(), "columns"]).as_array();
        let fields: Vec<Field> = columns.into_iter().flatten().map(field).collect();
        let version = version();
        let metadata = HashMap::from([
            ("table".to_owned(), self.name().to_owned()),
            ("schema_version".to_owned(), version.to_string()),
        ]);
        Arc::new(Schema::new_with_metadata(fields, metadata))
    }
}

/// The version of all tables.
pub fn version() -> i64 {
    path(&["schema_version"]).as_integer().unwrap_or(0)
}

fn path(keys: &[&str]) -> &'static Value {
    let first = PARSED.get(keys[0]);
    keys[1..]
        .iter()
        .fold(first, |value, key| value.and_then(|value| value.get(key)))
        .unwrap_or_else(|| panic!("tables.toml lacks {keys:?}"))
}

fn field(column: &Value) -> Field {
    let text = |index: usize| column.get(index).and_then(Value::as_str).unwrap_or_default();
    let data_type = match text(1) {
        "int64" => DataType::Int64,
        "double" => DataType::Float64,
        "bool" => DataType::Boolean,
        "timestamp" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        "string" => DataType::Utf8,
        "dictionary" => dictionary_type(),
        "list" => DataType::List(list_item()),
        other => panic!("tables.toml has a column of type {other}"),
    };
    let not_null = path(&["not_null"]).as_array();
    let required = not_null.into_iter().flatten().any(|name| name.as_str() == Some(text(0)));
    Field::new(text(0), data_type, !required)
}

/// The type of a column with a small vocabulary.
pub fn dictionary_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// The field of a list's items.
pub fn list_item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Utf8, true))
}

/// Severity and message template of a diagnostic code.
pub fn diagnostic(code: &str) -> (&'static str, &'static str) {
    let entry = path(&["diagnostics", code]);
    let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
    (text("severity"), text("message"))
}

/// The words for a reason why a line is malformed.
pub fn reason(name: &str) -> &'static str {
    path(&["reasons", name]).as_str().unwrap_or_default()
}

/// The names of an open list of the vocabularies.
pub fn vocabulary(name: &str) -> impl Iterator<Item = &'static str> {
    path(&["vocabularies", name]).as_array().into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::Code;

    #[test]
    fn every_table_has_columns_and_file_and_line_are_never_null() {
        for table in Table::ALL {
            let schema = table.schema();
            assert!(schema.fields().len() > 5, "{}", table.name());
            for field in schema.fields() {
                let required = ["file_id", "line"].contains(&field.name().as_str());
                assert_eq!(field.is_nullable(), !required, "{}", field.name());
            }
        }
    }

    #[test]
    fn codes_and_tables_are_those_of_the_definition() {
        // Toml tables are sorted by key, so order is read off the text.
        let section = DEFINITION.split("\n[diagnostics]\n").nth(1).expect("section");
        let names: Vec<&str> = section
            .lines()
            .take_while(|line| !line.starts_with('['))
            .filter_map(|line| line.split_once(" = ").map(|(name, _)| name))
            .collect();
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names, codes);
        let tables: Vec<&str> =
            DEFINITION.lines().filter_map(|line| line.strip_prefix("[tables.")).collect();
        let expected: Vec<String> =
            Table::ALL.iter().map(|table| format!("{}]", table.name())).collect();
        assert_eq!(tables, expected);
    }
}
