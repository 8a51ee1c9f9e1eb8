//! The format of a workflow's file as a JSON Schema, for editors.
//!
//! It is made of the tables the reader goes by. What a schema cannot say, such as whether a step
//! can be reached, the reader says.

use serde_json::{Map, Value, json};

use super::{
    expression::{CONDITION_BYTES, TEXT_BYTES},
    format::{DOCUMENT, Field, ITEMS, NAME_BYTES, Naming, SENTENCE_BYTES, Shape, TITLE_CHARACTERS},
};

/// Returns the JSON Schema (2020-12) of a workflow's file.
pub fn schema() -> Value {
    let mut schema = map(&DOCUMENT);
    if let Some(keys) = schema.as_object_mut() {
        let about = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", "Workflow"),
            ("description", "A process in steps."),
        ];
        keys.extend(about.map(|(key, text)| (key.to_owned(), json!(text))));
    }
    schema
}

fn value_of(shape: &Shape) -> Value {
    match shape {
        Shape::Sentence { most } => text(*most),
        Shape::Title => text(TITLE_CHARACTERS),
        Shape::Template => text(TEXT_BYTES),
        Shape::Condition => json!({
            "type": ["string", "boolean"], "minLength": 1, "maxLength": CONDITION_BYTES,
        }),
        Shape::Name(naming) => name(*naming),
        Shape::Reference(_) => json!({ "type": "string", "minLength": 1 }),
        Shape::Word(vocabulary) => json!({ "enum": vocabulary.words() }),
        Shape::Glob => text(SENTENCE_BYTES),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Whole { least: i64::MIN, most: i64::MAX } => json!({ "type": "integer" }),
        Shape::Whole { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Shape::Version => json!({
            "type": ["number", "string"], "minLength": 1, "maxLength": NAME_BYTES,
        }),
        Shape::Value => json!({
            "type": ["boolean", "integer", "string"], "maxLength": SENTENCE_BYTES,
        }),
        Shape::Words => json!({
            "anyOf": [
                { "type": "string", "minLength": 1 },
                {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": ITEMS,
                    "uniqueItems": true,
                    "items": text(NAME_BYTES),
                },
            ],
        }),
        Shape::Json => json!({ "type": "object" }),
        Shape::Map(fields) => map(*fields),
        Shape::OneOf { of, with } => {
            let choices: Vec<_> =
                of.iter().map(|field| json!({ "required": [field.key] })).collect();
            let mut schema = map(of.iter().chain(*with));
            if let Some(keys) = schema.as_object_mut() {
                keys.insert("oneOf".to_owned(), Value::Array(choices));
            }
            schema
        }
        Shape::Named { naming, of } => json!({
            "type": "object",
            "minProperties": 1,
            "maxProperties": ITEMS,
            "propertyNames": name(*naming),
            "additionalProperties": value_of(of),
        }),
        Shape::List { of, least, most } => json!({
            "type": "array", "minItems": least, "maxItems": most, "items": value_of(of),
        }),
        Shape::Either(shapes) => {
            json!({ "anyOf": shapes.iter().map(value_of).collect::<Vec<_>>() })
        }
    }
}

fn map<'f>(fields: impl IntoIterator<Item = &'f Field>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        let mut schema = value_of(&field.shape);
        if let Some(keys) = schema.as_object_mut() {
            keys.insert("description".to_owned(), json!(field.about));
        }
        properties.insert(field.key.to_owned(), schema);
        if field.is_required {
            required.push(field.key);
        }
    }
    let mut schema = json!({
        "type": "object", "additionalProperties": false, "properties": properties,
    });
    if let Some(keys) = schema.as_object_mut().filter(|_| !required.is_empty()) {
        keys.insert("required".to_owned(), json!(required));
    }
    schema
}

fn text(most: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": most })
}

fn name(naming: Naming) -> Value {
    json!({ "type": "string", "pattern": naming.pattern(), "maxLength": NAME_BYTES })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::committed::assert_committed;

    #[test]
    fn the_committed_schema_is_the_one_of_the_tables() {
        assert_committed("workflow.schema.json", &schema());
    }
}
