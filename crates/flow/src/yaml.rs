//! A file as YAML means it, within tight bounds.
//!
//! The bounds are checked while parsing, so an alias bomb or a tower of brackets costs no more than
//! an ordinary file of the same length. What the values mean is decided elsewhere.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Error, NonFiniteFloatPolicy, Options, Spanned};

use crate::problem::shown;

/// How large a file may be, which depends on what it is for.
pub(crate) struct Bounds {
    /// Most bytes.
    pub(crate) bytes: usize,
    /// Most nodes, aliases expanded.
    pub(crate) nodes: usize,
}

/// Most aliases of one file. Who repeats a list of tools in every rule has a few.
const ALIASES: usize = 50;

/// Deepest nesting. The deepest format reaches nine.
const DEPTH: usize = 24;

/// Words of the parser for a bound that was reached, at whatever level it notices.
const BOUNDS: [&str; 2] = ["budget breached", "limit exceeded"];

/// A value and where it stands.
#[derive(Debug)]
pub(crate) struct Node {
    /// The line it is used on, counted from one.
    pub(crate) line: usize,
    pub(crate) raw: Raw,
}

/// What the parser recognises. Keys may be repeated.
#[derive(Debug)]
pub(crate) enum Raw {
    Null,
    Bool(bool),
    Whole(i128),
    Fraction(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) line: usize,
    pub(crate) value: Node,
}

/// Why the text could not be parsed, and on which line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// Parses a file.
pub(crate) fn parse(text: &str, bounds: &Bounds) -> Result<Node, Refusal> {
    if text.len() > bounds.bytes {
        let message = format!("the file has {} bytes, {} are allowed", text.len(), bounds.bytes);
        return Err(Refusal { line: 1, message });
    }
    serde_saphyr::from_str_with_options(text, options(bounds)).map_err(|error| refusal(&error))
}

impl Raw {
    /// Names the kind of value, for messages.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a yes or no",
            Self::Whole(_) | Self::Fraction(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

fn options(bounds: &Bounds) -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: bounds.nodes,
            max_events: 4 * bounds.nodes,
            max_aliases: ALIASES,
            max_anchors: ALIASES,
            max_merge_keys: ALIASES,
            max_depth: DEPTH,
            max_total_scalar_bytes: 2 * bounds.bytes,
        },
        // Repeated keys come through, so that they can be told together with all other problems.
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        // `on` and `yes` are words, as the newer YAML has it.
        strict_booleans: true,
        ignore_binary_tag_for_string: true,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    }
}

fn refusal(error: &Error) -> Refusal {
    let message = error.to_string();
    // The problem tells the place, which the parser repeats; what follows a semicolon is advice for
    // callers of the parser.
    let reason = message.split(" at line ").next().unwrap_or(&message);
    let reason = reason.split(';').next().unwrap_or(reason).trim();
    let message = if BOUNDS.iter().any(|words| reason.contains(words)) {
        "the file unfolds to more than any file of its kind needs".to_owned()
    } else {
        format!("the file is not valid YAML: {}", shown(reason))
    };
    let line = error.location().map_or(1, |place| line_of(place.line()));
    Refusal { line, message }
}

fn line_of(line: u64) -> usize {
    usize::try_from(line).unwrap_or(usize::MAX).max(1)
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Spanned { value, referenced, .. } = Spanned::<Raw>::deserialize(deserializer)?;
        Ok(Self { line: line_of(referenced.line()), raw: value })
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Whole(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Whole(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Fraction(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Raw, E> {
        Ok(Raw::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = access.next_entry::<Spanned<String>, Node>()? {
            let line = line_of(key.referenced.line());
            entries.push(Entry { key: key.value, line, value });
        }
        Ok(Raw::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        match parse(text, &Bounds { bytes: 256 * 1024, nodes: 20_000 }) {
            Ok(node) => format!("line {} {}", node.line, node.raw.kind()),
            Err(Refusal { line, message }) => format!("line {line} {message}"),
        }
    }

    #[test]
    fn what_no_parser_should_swallow_is_refused_at_once() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let inner = vec![format!("*a{}", level - 1); 4].join(", ");
            bomb = format!("{bomb}a{level}: &a{level} [{inner}]\n");
        }
        let texts = [
            bomb,
            "[".repeat(100_000),
            format!("{}x", "- ".repeat(100_000)),
            format!("{}1{}", "{a: ".repeat(5000), "}".repeat(5000)),
            "on_stop:\n\t- action: observe".to_owned(),
            "a: 1\n---\nb: 2".to_owned(),
            "a: !!python/object x".to_owned(),
            "a: &a [*a]".to_owned(),
            "? [a]\n: b".to_owned(),
            "a: [1, 2".to_owned(),
            "x".repeat(10 * 1024 * 1024),
            String::new(),
        ];
        let told: Vec<_> = texts.iter().map(|text| told(text)).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        line 7 the file unfolds to more than any file of its kind needs
        line 1 the file unfolds to more than any file of its kind needs
        line 1 the file unfolds to more than any file of its kind needs
        line 1 the file unfolds to more than any file of its kind needs
        line 2 the file is not valid YAML: tabs disallowed within this context (block indentation)
        line 3 the file is not valid YAML: multiple YAML documents detected
        line 1 the file is not valid YAML: unsupported tag '!!python/object'
        line 1 the file is not valid YAML: recursive references require weak recursion types
        line 1 the file is not valid YAML: expected string scalar
        line 1 the file is not valid YAML: unclosed bracket '['
        line 1 the file has 10485760 bytes, 262144 are allowed
        line 1 nothing
        ");
    }
}
