//! The frontmatter as YAML means it, within tight bounds.
//!
//! The bounds are checked while parsing, so an alias bomb or a tower of brackets costs no more than
//! an ordinary file of the same length.

use std::{fmt, ops::Range};

use pacenote_model::limits;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Error, Location, NonFiniteFloatPolicy, Options, Spanned};

use crate::{
    finding::{Problem, harmless},
    value::Value,
};

/// Most nodes of one frontmatter, aliases expanded. The largest real one has 300.
const NODES: usize = 4000;

/// Most aliases of one frontmatter. Real ones have none.
const ALIASES: usize = 20;

/// Deepest nesting. Hooks inside a skill reach six.
const DEPTH: usize = 32;

/// Words of the parser for a bound that was reached, at whatever level it notices.
const BOUNDS: [&str; 2] = ["budget breached", "limit exceeded"];

/// Longest part of a parser's message that is shown.
const REASON_CHARACTERS: usize = 160;

/// A key of the frontmatter with its value and the line it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    /// Counted from one within the frontmatter or the file, as its maker says.
    pub(crate) line: usize,
    pub(crate) value: Value,
}

/// Why the parser gave up, and on which line of the frontmatter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) problem: Problem,
    pub(crate) line: Option<usize>,
}

/// Parses a frontmatter; the lines of the entries are counted from one within it.
pub(crate) fn parse(head: &str) -> Result<Vec<Entry>, Refusal> {
    match parse_node(head)?.value {
        Raw::Map(pairs) => Ok(pairs
            .into_iter()
            .map(|(key, node)| Entry {
                line: line_of(&key.defined),
                key: key.value,
                value: typed(&node, head),
            })
            .collect()),
        // Only comments, or nothing at all.
        Raw::Null => Ok(Vec::new()),
        Raw::Bool(_) | Raw::Number | Raw::Text(_) | Raw::List(_) => {
            Err(Refusal { problem: Problem::NotAMap, line: None })
        }
    }
}

/// Parses a frontmatter into nodes that know where they stand.
pub(crate) fn parse_node(head: &str) -> Result<Node, Refusal> {
    if head.len() > limits::FRONTMATTER_BYTES {
        let problem = Problem::FrontmatterTooLarge { bytes: head.len() };
        return Err(Refusal { problem, line: None });
    }
    serde_saphyr::from_str_with_options(head, options()).map_err(|error| refusal(&error))
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: NODES,
            max_events: 4 * NODES,
            max_aliases: ALIASES,
            max_anchors: ALIASES,
            max_merge_keys: ALIASES,
            max_depth: DEPTH,
            max_total_scalar_bytes: 4 * limits::FRONTMATTER_BYTES,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        // `on` and `yes` are words; a field that wants a yes or no takes them.
        strict_booleans: true,
        ignore_binary_tag_for_string: true,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    }
}

/// A node and where it stands.
pub(crate) type Node = Spanned<Raw>;

/// What the parser recognises; the text of a number is where its span says.
#[derive(Debug)]
pub(crate) enum Raw {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Spanned<String>, Node)>),
}

/// Returns the line a place names, counted from one.
pub(crate) fn line_of(place: &Location) -> usize {
    usize::try_from(place.line()).unwrap_or(usize::MAX)
}

/// Returns what a node covers of the text it was parsed from.
///
/// A block list or map covers nothing, one in brackets its opening bracket.
pub(crate) fn written<'t>(node: &Node, head: &'t str) -> &'t str {
    range_of(&node.defined).and_then(|range| head.get(range)).unwrap_or_default()
}

/// Returns the bytes a place covers of the text that was parsed.
pub(crate) fn range_of(place: &Location) -> Option<Range<usize>> {
    let span = place.span();
    let start = span.byte_offset().and_then(|at| usize::try_from(at).ok());
    let length = span.byte_len().and_then(|length| usize::try_from(length).ok());
    let (start, length) = start.zip(length)?;
    Some(start..start.checked_add(length)?)
}

fn typed(node: &Node, head: &str) -> Value {
    match &node.value {
        Raw::Null => Value::Null,
        Raw::Bool(value) => Value::Bool(*value),
        Raw::Number => Value::Number(written(node, head).to_owned()),
        Raw::Text(text) => Value::Text(text.clone()),
        Raw::List(items) => Value::List(items.iter().map(|item| typed(item, head)).collect()),
        Raw::Map(pairs) => Value::Map(
            pairs.iter().map(|(key, node)| (key.value.clone(), typed(node, head))).collect(),
        ),
    }
}

fn refusal(error: &Error) -> Refusal {
    let message = error.to_string();
    // The finding tells the place, which the parser repeats; what follows a semicolon is advice for
    // callers of the parser.
    let reason = message.split(" at line ").next().unwrap_or(&message);
    let reason = reason.split(';').next().unwrap_or(reason);
    let problem = if let Error::DuplicateMappingKey { key: Some(key), .. } = error {
        Problem::DuplicateKey { key: key.clone() }
    } else if BOUNDS.iter().any(|words| reason.contains(words)) {
        Problem::BoundlessYaml
    } else {
        Problem::BrokenYaml { reason: harmless(reason.trim_end(), REASON_CHARACTERS) }
    };
    Refusal { problem, line: error.location().map(|place| line_of(&place)) }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Number)
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
        let mut pairs = Vec::new();
        while let Some(pair) = access.next_entry()? {
            pairs.push(pair);
        }
        Ok(Raw::Map(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(head: &str) -> String {
        match parse(head) {
            Ok(entries) => {
                let lines = entries.iter().map(|e| format!("{} {} {:?}", e.line, e.key, e.value));
                lines.collect::<Vec<_>>().join("\n")
            }
            Err(Refusal { problem, line }) => format!("{line:?} {problem}"),
        }
    }

    #[test]
    fn values_keep_their_order_and_the_text_of_numbers() {
        insta::assert_snapshot!(told("\
version: 1.10
é: 007
on: yes
no: ~
b: True
l: [1, é, 2.0, 'x: y']
m:
  z: 1e999
  a: >-
    folded
    text
t: !!str 12
one: &one 5
two: *one
"), @r#"
        1 version Number("1.10")
        2 é Number("007")
        3 on Text("yes")
        4 no Null
        5 b Bool(true)
        6 l List([Number("1"), Text("é"), Number("2.0"), Text("x: y")])
        7 m Map([("z", Number("1e999")), ("a", Text("folded text"))])
        12 t Text("12")
        13 one Number("5")
        14 two Number("5")
        "#);
    }

    #[test]
    fn what_is_refused_is_told_with_its_line() {
        let heads = [
            "a: 1\nb: 2\na: 3",
            "description: Build for AWS: ECS",
            "a: 1\n\tb: 2",
            "a: !!python/object x",
            "a: [x",
            "a: @x",
            "a: \"x\nb: y",
            "- a",
            "text",
            "a: 1\n---\nb: 2",
            "? [a]\n: b",
            "a: *x",
            "a: \u{1}",
        ];
        let told: Vec<_> = heads.iter().map(|head| told(head)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        Some(3) the key `a` is repeated, the first one counts
        Some(1) the frontmatter is not valid YAML: mapping values are not allowed in this context
        Some(1) the frontmatter is not valid YAML: while scanning a plain scalar, found a tab
        Some(1) the frontmatter is not valid YAML: unsupported tag `!!python/object`
        Some(1) the frontmatter is not valid YAML: unclosed bracket '['
        Some(1) the frontmatter is not valid YAML: unexpected character: `@'
        Some(2) the frontmatter is not valid YAML: invalid indentation in multiline quoted scalar
        None the frontmatter is not a list of keys with values
        None the frontmatter is not a list of keys with values
        Some(3) the frontmatter is not valid YAML: multiple YAML documents detected
        Some(1) the frontmatter is not valid YAML: expected string scalar
        Some(1) the frontmatter is not valid YAML: alias references unknown anchor
        Some(1) the frontmatter is not valid YAML: unexpected character: `\u{1}'
        ");
    }

    #[test]
    fn bombs_and_towers_are_refused() {
        let levels = (1..9).map(|level| {
            let below = vec![format!("*a{}", level - 1); 9].join(", ");
            format!("a{level}: &a{level} [{below}]")
        });
        let bomb = std::iter::once("a0: &a0 [x, x, x, x]".to_owned()).chain(levels);
        let bomb = bomb.collect::<Vec<_>>().join("\n");
        let heads = [
            bomb,
            format!("a: {}", "[".repeat(limits::FRONTMATTER_BYTES - 3)),
            format!("a: {}", "{a: ".repeat(10_000)),
            "- ".repeat(30_000),
            "? ".repeat(30_000),
            "a: &a [*a]".to_owned(),
            format!("a: {}", "x".repeat(limits::FRONTMATTER_BYTES)),
        ];
        let told: Vec<_> = heads.iter().map(|head| told(head)).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        Some(4) the frontmatter is nested or repeated beyond every bound
        Some(1) the frontmatter is nested or repeated beyond every bound
        Some(1) the frontmatter is nested or repeated beyond every bound
        Some(1) the frontmatter is nested or repeated beyond every bound
        Some(1) the frontmatter is nested or repeated beyond every bound
        Some(1) the frontmatter is not valid YAML: recursive references require weak recursion types
        None the frontmatter has 65539 bytes, only the first 65536 are read, line by line
        ");
    }
}
