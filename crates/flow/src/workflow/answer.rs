//! The form of an agent's answer: a part of JSON Schema, checked when a definition is read and when
//! an answer is handed in.
//!
//! Only keywords that are checked are accepted, so that a definition never promises a form that
//! nobody holds answers to.

use serde_json::Value;

use crate::problem::{listed, nearest, shown};

/// Keywords that say something about a value.
const KEYWORDS: [&str; 12] = [
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "minLength",
    "minimum",
    "maximum",
];

/// Keywords that are for readers.
const REMARKS: [&str; 5] = ["title", "description", "default", "examples", "$schema"];

/// The types a value can have.
const TYPES: [&str; 7] = ["object", "array", "string", "integer", "number", "boolean", "null"];

/// Deepest nesting of a schema; agents do not keep to a deeper one.
const DEPTH: usize = 16;

/// Refuses a schema that is not one, or has a keyword that nobody checks.
pub(super) fn check_schema(schema: &Value) -> Result<(), String> {
    check_at(schema, DEPTH)
}

fn check_at(schema: &Value, depth: usize) -> Result<(), String> {
    let Value::Object(keys) = schema else {
        return Err("a schema is a map of keywords".to_owned());
    };
    let Some(below) = depth.checked_sub(1) else {
        return Err(format!("it is nested more than {DEPTH} deep"));
    };
    for (key, value) in keys {
        if REMARKS.contains(&key.as_str()) {
            continue;
        }
        if !KEYWORDS.contains(&key.as_str()) {
            let meant = nearest(key, KEYWORDS).map(|meant| format!(", did you mean `{meant}`?"));
            let known = || format!(", known are {}", listed(&KEYWORDS));
            return Err(format!("unknown keyword `{}`{}", shown(key), meant.unwrap_or_else(known)));
        }
        let is_sound = match key.as_str() {
            "type" => types_of(value).is_some(),
            "enum" => value.as_array().is_some_and(|values| !values.is_empty()),
            "required" => texts_of(value).is_some(),
            "additionalProperties" => value.is_boolean(),
            "minItems" | "maxItems" | "minLength" => value.is_u64(),
            "minimum" | "maximum" => value.is_number(),
            "items" => {
                check_at(value, below)?;
                true
            }
            "properties" => {
                let fields = value.as_object();
                fields.into_iter().flatten().try_for_each(|(_, field)| check_at(field, below))?;
                fields.is_some()
            }
            _ => true,
        };
        if !is_sound {
            return Err(format!("`{key}` cannot be `{}`", shown(&value.to_string())));
        }
    }
    Ok(())
}

/// Reads an answer and compares it with its schema; says where it does not fit.
///
/// Of several agents the answers are a list, one for each.
pub fn check_answer(answer: &str, schema: &str, agents: usize) -> Result<(), String> {
    let schema: Value = serde_json::from_str(schema).map_err(|error| error.to_string())?;
    let text = without_fence(answer);
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    if agents == 0 {
        return compare(&schema, &value, "answer");
    }
    let Value::Array(answers) = &value else {
        return Err(format!("it is not a list of {agents} answers, one for each agent"));
    };
    if answers.len() != agents {
        return Err(format!("it has {} answers, and there are {agents} agents", answers.len()));
    }
    for (answer, number) in answers.iter().zip(1..) {
        compare(&schema, answer, &format!("answer {number}"))?;
    }
    Ok(())
}

/// Returns the text of a code block that is all there is, or the text itself.
fn without_fence(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}').trim();
    let inner = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    inner.and_then(|inner| inner.strip_suffix("```")).unwrap_or(text).trim()
}

fn compare(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let Value::Object(keys) = schema else { return Ok(()) };
    let wrong = |expected: String| Err(format!("{at} must be {expected}"));
    if let Some(types) = keys.get("type").and_then(types_of)
        && !types.iter().any(|word| has_type(value, word))
    {
        return wrong(format!("of type {}, and is {}", types.join(" or "), type_of(value)));
    }
    if let Some(Value::Array(allowed)) = keys.get("enum")
        && !allowed.contains(value)
    {
        let allowed: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        return wrong(format!("one of {}", allowed.join(", ")));
    }
    if let Some(only) = keys.get("const")
        && only != value
    {
        return wrong(only.to_string());
    }
    let bound = |key: &str| keys.get(key).and_then(Value::as_f64);
    if let (Some(number), Some(least)) = (value.as_f64(), bound("minimum"))
        && number < least
    {
        return wrong(format!("at least {least}"));
    }
    if let (Some(number), Some(most)) = (value.as_f64(), bound("maximum"))
        && number > most
    {
        return wrong(format!("at most {most}"));
    }
    let count = |key: &str| keys.get(key).and_then(Value::as_u64).and_then(|n| n.try_into().ok());
    match value {
        Value::String(text) => {
            if let Some(least) = count("minLength")
                && text.chars().count() < least
            {
                return wrong(format!("a text of at least {least} characters"));
            }
        }
        Value::Array(items) => {
            if count("minItems").is_some_and(|least: usize| items.len() < least)
                || count("maxItems").is_some_and(|most: usize| items.len() > most)
            {
                return wrong(format!("a list of another length than {}", items.len()));
            }
            if let Some(schema) = keys.get("items") {
                for (item, number) in items.iter().zip(0..) {
                    compare(schema, item, &format!("{at}[{number}]"))?;
                }
            }
        }
        Value::Object(fields) => {
            let required = keys.get("required").and_then(texts_of).unwrap_or_default();
            if let Some(missing) = required.iter().find(|name| !fields.contains_key(**name)) {
                return wrong(format!("a map with the key `{}`", shown(missing)));
            }
            let known = keys.get("properties").and_then(Value::as_object);
            for (name, field) in fields {
                match known.and_then(|known| known.get(name)) {
                    Some(schema) => compare(schema, field, &format!("{at}.{}", shown(name)))?,
                    None if keys.get("additionalProperties") == Some(&Value::Bool(false)) => {
                        return wrong(format!("a map without the key `{}`", shown(name)));
                    }
                    None => {}
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

fn types_of(value: &Value) -> Option<Vec<&str>> {
    let types = match value {
        Value::String(word) => vec![word.as_str()],
        Value::Array(_) => texts_of(value)?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    (!types.is_empty() && types.iter().all(|word| TYPES.contains(word))).then_some(types)
}

fn texts_of(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

fn has_type(value: &Value, word: &str) -> bool {
    match word {
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => type_of(value) == other,
    }
}

const fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_are_refused_that_nobody_would_check() {
        let schemas = [
            json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}),
            json!({"type": "int"}),
            json!({"typ": "object"}),
            json!({"pattern": "^a"}),
            json!({"enum": []}),
            json!({"required": "n"}),
            json!({"items": [1]}),
            json!({"properties": {"a": {"type": "txt"}}}),
            json!([]),
        ];
        let told = schemas.map(|schema| format!("{schema} → {:?}", check_schema(&schema)));
        insta::assert_snapshot!(told.join("\n"), @r#"
        {"properties":{"n":{"type":"integer"}},"required":["n"],"type":"object"} → Ok(())
        {"type":"int"} → Err("`type` cannot be `\"int\"`")
        {"typ":"object"} → Err("unknown keyword `typ`, did you mean `type`?")
        {"pattern":"^a"} → Err("unknown keyword `pattern`, known are `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `minItems`, `maxItems`, `minLength`, `minimum`, `maximum`")
        {"enum":[]} → Err("`enum` cannot be `[]`")
        {"required":"n"} → Err("`required` cannot be `\"n\"`")
        {"items":[1]} → Err("a schema is a map of keywords")
        {"properties":{"a":{"type":"txt"}}} → Err("`type` cannot be `\"txt\"`")
        [] → Err("a schema is a map of keywords")
        "#);
    }

    #[test]
    fn answers_are_compared_with_their_schema() {
        let schema = json!({
            "type": "object",
            "properties": {
                "n": {"type": "integer", "minimum": 1},
                "kind": {"enum": ["a", "b"]},
                "files": {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 2},
            },
            "required": ["n"],
            "additionalProperties": false,
        })
        .to_string();
        let answers = [
            (r#"{"n": 3}"#, 0),
            ("```json\n{\"n\": 3}\n```", 0),
            (r#"{"n": "three"}"#, 0),
            (r#"{"n": 0}"#, 0),
            (r#"{"n": 1.5}"#, 0),
            (r#"{"kind": "a"}"#, 0),
            (r#"{"n": 1, "kind": "c"}"#, 0),
            (r#"{"n": 1, "files": ["a", ""]}"#, 0),
            (r#"{"n": 1, "files": ["a", "b", "c"]}"#, 0),
            (r#"{"n": 1, "more": 1}"#, 0),
            ("three", 0),
            ("", 0),
            (r#"[{"n": 1}, {"n": 2}]"#, 2),
            (r#"[{"n": 1}, {"n": "x"}]"#, 2),
            (r#"[{"n": 1}]"#, 2),
            (r#"{"n": 1}"#, 2),
        ];
        let told = answers.map(|(answer, agents)| {
            format!(
                "{agents} {} → {:?}",
                answer.escape_debug(),
                check_answer(answer, &schema, agents)
            )
        });
        insta::assert_snapshot!(told.join("\n"), @r#"
        0 {\"n\": 3} → Ok(())
        0 ```json\n{\"n\": 3}\n``` → Ok(())
        0 {\"n\": \"three\"} → Err("answer.n must be of type integer, and is string")
        0 {\"n\": 0} → Err("answer.n must be at least 1")
        0 {\"n\": 1.5} → Err("answer.n must be of type integer, and is number")
        0 {\"kind\": \"a\"} → Err("answer must be a map with the key `n`")
        0 {\"n\": 1, \"kind\": \"c\"} → Err("answer.kind must be one of \"a\", \"b\"")
        0 {\"n\": 1, \"files\": [\"a\", \"\"]} → Err("answer.files[1] must be a text of at least 1 characters")
        0 {\"n\": 1, \"files\": [\"a\", \"b\", \"c\"]} → Err("answer.files must be a list of another length than 3")
        0 {\"n\": 1, \"more\": 1} → Err("answer must be a map without the key `more`")
        0 three → Err("it is not JSON: expected ident at line 1 column 2")
        0  → Err("it is not JSON: EOF while parsing a value at line 1 column 0")
        2 [{\"n\": 1}, {\"n\": 2}] → Ok(())
        2 [{\"n\": 1}, {\"n\": \"x\"}] → Err("answer 2.n must be of type integer, and is string")
        2 [{\"n\": 1}] → Err("it has 1 answers, and there are 2 agents")
        2 {\"n\": 1} → Err("it is not a list of 2 answers, one for each agent")
        "#);
    }
}
