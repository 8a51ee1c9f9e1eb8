//! The format of a file of rules as a JSON Schema, for editors.
//!
//! It is made of the tables the reader goes by. What a schema cannot say, such as whether a
//! condition can be read, the reader says.

use pacenote_model::SessionStatus;
use serde_json::{Map, Value, json};

use super::{
    condition::CONDITION_BYTES,
    format::{
        ACTIONS, ActionForm, COMMON, DOCUMENT_KEYS, DOCUMENT_TYPE, Kind, NAME_BYTES, Need,
        Parameter, SENTENCE_BYTES, SOURCE_ALIASES, TOOL_RULE,
    },
    rules::{Format, RULED, Source, key_of},
    template::TEMPLATE_BYTES,
};

/// Returns the JSON Schema (2020-12) of a file of rules.
pub fn schema() -> Value {
    let mut properties = Map::new();
    for (key, about) in DOCUMENT_KEYS {
        properties.insert(key.to_owned(), described(document_value(key), about));
    }
    properties.extend(occasions());
    let actions = ACTIONS.iter().map(|form| (form.word.to_owned(), action(form)));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Lifecycle rules",
        "description": "What happens at which moment of an agent's life.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "$defs": actions.collect::<Map<_, _>>(),
    })
}

fn document_value(key: &str) -> Value {
    match key {
        "version" => json!({ "type": ["number", "string"] }),
        "type" => json!({ "const": DOCUMENT_TYPE }),
        "variables" => json!({
            "type": "object",
            "propertyNames": value_of(Kind::VariableName),
            "additionalProperties": value_of(Kind::Value),
        }),
        "enable" | "disable" => value_of(Kind::Tools),
        "triggers" => json!({
            "type": "object",
            "additionalProperties": false,
            "properties": occasions(),
        }),
        _ => value_of(Kind::Sentence),
    }
}

fn occasions() -> Map<String, Value> {
    let list = |on| {
        let fitting = ACTIONS.iter().filter(|form| form.fits(on));
        let choices: Vec<_> =
            fitting.map(|form| json!({ "$ref": format!("#/$defs/{}", form.word) })).collect();
        json!({ "type": "array", "minItems": 1, "items": { "oneOf": choices } })
    };
    RULED.into_iter().map(|on| (key_of(on).to_owned(), list(on))).collect()
}

fn action(form: &ActionForm) -> Value {
    let mut properties = properties(COMMON.iter().chain(form.parameters));
    properties.insert("action".to_owned(), json!({ "const": form.word }));
    let needed = |need| {
        let parameters = form.parameters.iter().filter(move |parameter| parameter.need == need);
        parameters.map(|parameter| parameter.key)
    };
    let required: Vec<_> = ["action"].into_iter().chain(needed(Need::Required)).collect();
    let mut schema = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "required": required,
    });
    if let (Some(key), Some(map)) = (needed(Need::RequiredOrName).next(), schema.as_object_mut()) {
        let either = json!([{ "required": [key] }, { "required": ["name"] }]);
        map.insert("anyOf".to_owned(), either);
    }
    described(schema, form.about)
}

fn properties<'p>(parameters: impl IntoIterator<Item = &'p Parameter>) -> Map<String, Value> {
    let described = parameters.into_iter().map(|Parameter { key, kind, about, .. }| {
        ((*key).to_owned(), described(value_of(*kind), about))
    });
    described.collect()
}

fn value_of(kind: Kind) -> Value {
    match kind {
        Kind::Sentence | Kind::Glob => text(SENTENCE_BYTES),
        Kind::Template => text(TEMPLATE_BYTES),
        Kind::Condition => json!({
            "type": ["string", "boolean"], "minLength": 1, "maxLength": CONDITION_BYTES,
        }),
        Kind::RuleName => named("^[A-Za-z0-9][A-Za-z0-9._-]*$"),
        Kind::VariableName => named("^[a-z_][a-z0-9_]*$"),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Whole { least: i64::MIN, most: i64::MAX } => json!({ "type": "integer" }),
        Kind::Whole { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::Share => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        Kind::Value => json!({ "type": ["boolean", "integer", "string"] }),
        Kind::Format => json!({ "enum": Format::ALL.map(Format::word) }),
        Kind::Status => json!({ "enum": SessionStatus::ALL.map(SessionStatus::word) }),
        Kind::Sources => {
            let aliases = SOURCE_ALIASES.iter().map(|(alias, _)| *alias);
            let words: Vec<_> = Source::ALL.map(Source::word).into_iter().chain(aliases).collect();
            text_or_list(&json!({ "enum": words }))
        }
        Kind::Tools => text_or_list(&text(SENTENCE_BYTES)),
        Kind::Arguments => {
            json!({ "type": "array", "minItems": 1, "items": { "type": "string" } })
        }
        Kind::ToolRules => json!({
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": false,
                "properties": properties(&TOOL_RULE),
                "required": required(&TOOL_RULE),
            },
        }),
    }
}

fn required(parameters: &[Parameter]) -> Vec<&'static str> {
    let required = parameters.iter().filter(|parameter| parameter.need == Need::Required);
    required.map(|parameter| parameter.key).collect()
}

fn text(most: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": most })
}

fn named(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern, "maxLength": NAME_BYTES })
}

fn text_or_list(item: &Value) -> Value {
    json!({
        "anyOf": [
            { "type": "string", "minLength": 1 },
            { "type": "array", "minItems": 1, "uniqueItems": true, "items": item },
        ]
    })
}

fn described(mut schema: Value, about: &str) -> Value {
    if let Some(map) = schema.as_object_mut() {
        map.insert("description".to_owned(), json!(about));
    }
    schema
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        committed::assert_committed,
        lifecycle::{Layer, read},
    };

    #[test]
    fn the_committed_schema_is_the_one_of_the_tables() {
        assert_committed("lifecycle.schema.json", &schema());
    }

    /// Every key that means something anywhere, and one that does not.
    fn all_keys() -> BTreeSet<&'static str> {
        let actions = ACTIONS.iter().flat_map(|form| form.parameters);
        let parameters = actions.chain(&COMMON).chain(&TOOL_RULE).map(|parameter| parameter.key);
        let document = DOCUMENT_KEYS.iter().map(|(key, _)| *key);
        let occasions = RULED.map(key_of);
        parameters.chain(document).chain(occasions).chain(["action", "surprise"]).collect()
    }

    fn reader_knows(text: &str, key: &str) -> bool {
        let unknown = ["key", "occasion"].map(|what| format!("unknown {what} `{key}`"));
        read(text, "f", Layer::User)
            .err()
            .into_iter()
            .flatten()
            .all(|problem| !unknown.iter().any(|unknown| problem.message.starts_with(unknown)))
    }

    fn has(schema: &Value, pointer: &str) -> bool {
        schema.pointer(pointer).is_some()
    }

    #[test]
    fn the_schema_has_every_key_the_reader_knows_and_no_other() {
        let schema = schema();
        for key in all_keys() {
            let text = format!("{key}: 1");
            let expected = reader_knows(&text, key);
            assert_eq!(has(&schema, &format!("/properties/{key}")), expected, "{key}");

            let text = format!("triggers: {{{key}: 1}}");
            let expected = reader_knows(&text, key);
            let pointer = format!("/properties/triggers/properties/{key}");
            assert_eq!(has(&schema, &pointer), expected, "triggers: {key}");

            let text = format!("on_before_tool: [{{action: block_tools, rules: [{{{key}: 1}}]}}]");
            let expected = reader_knows(&text, key);
            let pointer = format!("/$defs/block_tools/properties/rules/items/properties/{key}");
            assert_eq!(has(&schema, &pointer), expected, "rules: {key}");

            for form in &ACTIONS {
                let text = format!("on_stop: [{{action: {}, {key}: 1}}]", form.word);
                let expected = reader_knows(&text, key);
                let pointer = format!("/$defs/{}/properties/{key}", form.word);
                assert_eq!(has(&schema, &pointer), expected, "{}: {key}", form.word);
            }
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let schema = schema();
        let mut open = vec![&schema];
        let mut references = 0;
        while let Some(value) = open.pop() {
            if let Some(Value::String(reference)) = value.get("$ref") {
                assert!(has(&schema, reference.trim_start_matches('#')), "{reference}");
                references += 1;
            }
            open.extend(value.as_object().into_iter().flat_map(Map::values));
            open.extend(value.as_array().into_iter().flatten());
        }
        assert!(references > 2 * ACTIONS.len());
    }
}
