//! Looking into a body, which may have any shape.

use serde_json::Value;

/// How many bytes of a request are counted as one token.
const BYTES_PER_TOKEN: usize = 4;

/// Returns the list of that name, empty when there is none.
pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the string of that name, empty when there is none.
pub(super) fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Returns whether the client asks for its answer as a stream of events.
pub(super) fn wants_stream(body: &Value) -> bool {
    body.get("stream").and_then(Value::as_bool).unwrap_or_default()
}

/// Counts the tokens of a request, roughly.
pub(super) fn tokens(body: &Value) -> u64 {
    u64::try_from(body.to_string().len() / BYTES_PER_TOKEN).unwrap_or(u64::MAX)
}
