//! Skills named in a call: `Skill(skill: "superpowers:brainstorming")`.

use pacenote_model::limits;

use super::leader::Trust;

/// A name in a call, and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quoted<'p> {
    pub(super) name: &'p str,
    pub(super) at: usize,
    pub(super) trust: Trust,
}

/// Returns the names in calls of the tool, and those that are the value of a key `skill`.
///
/// The key alone says little (`{"skill": "Python"}` is somebody's résumé), the tool says all.
pub(super) fn quoted(text: &str) -> impl Iterator<Item = Quoted<'_>> {
    let calls = text.match_indices("Skill(").filter_map(|(at, tool)| {
        let is_word = !text.get(..at)?.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let argument = text.get(at + tool.len()..)?.trim_start();
        let value = argument.strip_prefix("skill").and_then(assigned).unwrap_or(argument);
        let (name, at) = unquoted(text, value).filter(|_| is_word)?;
        // `Target Skill(s)` is no call.
        let is_sure = value.starts_with(['"', '\'', '\\']) || name.contains(['-', ':']);
        Some(Quoted { name, at, trust: if is_sure { Trust::Firm } else { Trust::Loose } })
    });
    let keys = text.match_indices("skill").filter_map(|(at, key)| {
        let is_word = !text.get(..at)?.ends_with(|c: char| c.is_alphanumeric() || "_-".contains(c));
        let value = assigned(text.get(at + key.len()..)?)?;
        let is_quoted = value.starts_with(['"', '\'', '\\']);
        let (name, at) = unquoted(text, value).filter(|_| is_word && is_quoted)?;
        Some(Quoted { name, at, trust: Trust::Loose })
    });
    calls.chain(keys)
}

/// Returns what stands behind `:` or `=`, which may follow the closing quote of a key.
fn assigned(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['"', '\'', '\\']).trim_start();
    Some(text.strip_prefix([':', '='])?.trim_start())
}

/// Returns the name at the beginning of a value, which is the end of a text, and its place there.
fn unquoted<'p>(text: &str, value: &'p str) -> Option<(&'p str, usize)> {
    let inner = value.trim_start_matches('\\');
    let is_quoted = inner.starts_with(['"', '\'']);
    let inner = inner.strip_prefix(['"', '\'']).unwrap_or(inner);
    let end = inner.char_indices().take(limits::SKILL_REF_BYTES).find_map(|(at, c)| {
        let is_end = matches!(c, '"' | '\'' | '\\' | '\n')
            || !is_quoted && (matches!(c, ',' | ')') || c.is_whitespace());
        is_end.then_some(at)
    })?;
    let name = inner.get(..end)?;
    // `{worker}`, `<name>` and `...` are forms to fill in.
    let is_name = name.starts_with(char::is_alphanumeric)
        && !name.contains(['{', '}', '<', '>', '$', '*', '|', '(', '='])
        && !name.contains("...");
    is_name.then_some((name, text.len() - inner.len()))
}
