//! The types of JSON values, by name.

use crate::decode::scanner::Value;

/// What a field holds: `vocabularies.json_type`, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum JsonType {
    String,
    Integer,
    Number,
    Boolean,
    Null,
    Object,
    Array,
}

impl JsonType {
    /// Its word in the vocabulary.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::Object => "object",
            Self::Array => "array",
        }
    }

    /// The type of a value.
    pub fn of(value: Value<'_>) -> Self {
        match value {
            Value::String(_) => Self::String,
            Value::Number(text) if text.contains(['.', 'e', 'E']) => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::Bool(_) => Self::Boolean,
            Value::Null => Self::Null,
            Value::Object(_) => Self::Object,
            Value::Array(_) => Self::Array,
        }
    }
}
