//! What the person sees of what an agent is told.

use pacenote_context::pack::Packed;
use pacenote_flow::lifecycle::Facts;
use pacenote_model::Value;

/// The variable that says how much the person sees of what is told.
const ECHO: &str = "debug_echo_context";

/// Returns what the person sees of what is told: a line, all of it, or nothing.
pub(super) fn echo(packed: &Packed, texts: &[&str], facts: &Facts, tasks: usize) -> Option<String> {
    match facts.variables.get(ECHO) {
        Some(Value::Bool(true)) => Some(texts.join("\n\n")),
        Some(Value::Text(word)) if word == "line" => Some(summary(packed, tasks)),
        Some(Value::Bool(false) | Value::Number(_) | Value::Text(_)) | None => None,
    }
}

fn summary(packed: &Packed, tasks: usize) -> String {
    let shown = |kind: &str| packed.items.iter().any(|item| item.kind == kind && item.is_shown());
    let mut skills: Vec<&str> = packed
        .items
        .iter()
        .filter(|item| item.kind == "skill" && item.is_shown())
        .filter_map(|item| item.id.split('#').next())
        .collect();
    skills.dedup();
    let count = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        more => Some(format!("{more} {what}s")),
    };
    let tasks = if shown("tasks") { count(tasks, "task") } else { None };
    let tokens = format!("{} tokens", packed.tokens());
    let parts: Vec<String> =
        [count(skills.len(), "skill"), tasks, Some(tokens)].into_iter().flatten().collect();
    format!("pacenote: {} — see `pacenote why`", parts.join(" · "))
}
