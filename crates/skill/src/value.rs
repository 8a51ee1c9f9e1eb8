//! A value of the frontmatter, as a tree that keeps the order of keys and the text of numbers.

use serde::{Serialize, Serializer, ser::SerializeMap};

/// A value as the frontmatter gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, `~` or `null`.
    Null,
    /// `true` or `false` without quotes.
    Bool(bool),
    /// A number, as it was written: `1.10` is not `1.1`.
    Number(String),
    Text(String),
    List(Vec<Self>),
    /// Keys with values, in the order of the file.
    Map(Vec<(String, Self)>),
}

impl Value {
    /// Returns the text of a single value: a text, a number as written, `true` or `false`.
    pub fn scalar(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text),
            Self::Bool(true) => Some("true"),
            Self::Bool(false) => Some("false"),
            Self::Null | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// Returns the value of a key, when this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(pairs) => pairs.iter().find(|(own, _)| own == key).map(|(_, value)| value),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) | Self::List(_) => None,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => serialize_number(text, serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(pairs) => {
                let mut map = serializer.serialize_map(Some(pairs.len()))?;
                for (key, value) in pairs {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// Writes a number as one only where nothing of its text is lost; `1.10` stays a text.
fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Some(number) = text.parse::<i64>().ok().filter(|number| number.to_string() == text) {
        return serializer.serialize_i64(number);
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number.to_string() == text => {
            serializer.serialize_f64(number)
        }
        _ => serializer.serialize_str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_order_and_the_text_of_numbers() {
        let number = |text: &str| Value::Number(text.to_owned());
        let value = Value::Map(vec![
            ("z".to_owned(), Value::List(vec![number("1"), number("1.5"), number("1.10")])),
            ("a".to_owned(), Value::Null),
            ("b".to_owned(), Value::Bool(true)),
            ("t".to_owned(), Value::Text("1".to_owned())),
        ]);
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(json, r#"{"z":[1,1.5,"1.10"],"a":null,"b":true,"t":"1"}"#);
        assert_eq!(value.get("b").and_then(Value::scalar), Some("true"));
    }
}
