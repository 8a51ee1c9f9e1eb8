//! A value that fits a schema, for side requests that have to be answered in JSON.

use serde_json::{Map, Value, json};

use super::ASIDE;
use super::body::{list, word};

/// How deep a schema is followed; below that its values are `null`.
const DEPTH: u32 = 8;

/// Makes the most harmless value a schema allows.
///
/// Where there is a choice it takes the first one, the way a client names its own default: Gemini
/// CLI offers `user` before `model` when it asks who speaks next.
pub(super) fn specimen(schema: &Value) -> Value {
    specimen_within(schema, DEPTH)
}

fn specimen_within(schema: &Value, depth: u32) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return Value::Null };
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    if let Some(first) = list(schema, "enum").first() {
        return first.clone();
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(first) = list(schema, choice).first() {
            return specimen_within(first, depth);
        }
    }
    match &*word(schema, "type").to_ascii_lowercase() {
        "object" => object(schema, depth),
        "array" => json!([]),
        "string" => json!(ASIDE),
        // Counts and scores begin at one; what is no whole number is a confidence, best had in
        // nothing: Gemini CLI asks so whether its agent runs in circles.
        "integer" => schema.get("minimum").cloned().unwrap_or(json!(1)),
        "number" => schema.get("minimum").cloned().unwrap_or(json!(0)),
        "boolean" => json!(false),
        _ => Value::Null,
    }
}

fn object(schema: &Value, depth: u32) -> Value {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return json!({});
    };
    let value = |(name, schema): (&String, _)| (name.clone(), specimen_within(schema, depth));
    Value::Object(properties.iter().map(value).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specimen_fits_its_schema() {
        let router = json!({ "type": "OBJECT", "properties": {
            "complexity_reasoning": { "type": "STRING" },
            "complexity_score": { "type": "INTEGER" },
        }});
        let speaker = json!({ "type": "object", "properties": {
            "next_speaker": { "type": "string", "enum": ["user", "model"] },
        }});
        let circles = json!({ "type": "object", "properties": {
            "confidence": { "type": "number" }, "names": { "type": "array" },
        }});
        let table = [
            (router, json!({ "complexity_reasoning": ASIDE, "complexity_score": 1 })),
            (speaker, json!({ "next_speaker": "user" })),
            (circles, json!({ "confidence": 0, "names": [] })),
            (json!({ "anyOf": [{ "const": "a" }, { "type": "null" }] }), json!("a")),
            (json!({ "type": "integer", "minimum": 7 }), json!(7)),
            (json!({ "type": "boolean" }), json!(false)),
            (json!({ "type": "object" }), json!({})),
            (json!({}), Value::Null),
            (json!("no schema"), Value::Null),
        ];
        for (schema, expected) in table {
            assert_eq!(specimen(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn a_deep_schema_comes_to_an_end() {
        let deep = (0..100).fold(
            json!({ "type": "string" }),
            |inner, _| json!({ "type": "object", "properties": { "inner": inner } }),
        );
        let specimen = specimen(&deep).to_string();
        assert_eq!(specimen.matches("inner").count(), DEPTH as usize);
    }
}
