//! Addresses of agents and the mentions of them in a text.

use alloc::vec::Vec;
use core::fmt;

use crate::{AgentName, BadName, Branch};

/// Where mail goes: `@agent`, `@branch:agent` or `@project:branch:agent`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The project's name, when it is not the sender's own.
    pub project: Option<Branch>,
    /// The branch the agent works on, when it matters.
    pub branch: Option<Branch>,
    /// The agent.
    pub agent: AgentName,
}

impl Address {
    /// Parses an address with or without its `@`.
    pub fn parse(raw: &str) -> Result<Self, BadName> {
        let bad = || BadName {
            what: "an address",
            rule: "`@agent`, `@branch:agent` or `@project:branch:agent`",
            found: raw.into(),
        };
        let text = raw.trim();
        let text = text.strip_prefix('@').unwrap_or(text);
        let mut parts = text.rsplitn(4, ':');
        let agent = AgentName::parse(parts.next().ok_or_else(bad)?)?;
        let branch = parts.next().map(Branch::parse).transpose()?;
        let project = parts.next().map(Branch::parse).transpose()?;
        if parts.next().is_some() {
            return Err(bad());
        }
        Ok(Self { project, branch, agent })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("@")?;
        for part in [&self.project, &self.branch].into_iter().flatten() {
            write!(f, "{part}:")?;
        }
        self.agent.fmt(f)
    }
}

/// Returns the agents mentioned in a text, each once, in order.
///
/// Code between backticks holds decorators and package scopes rather than agents, and an `@` after
/// a letter or digit belongs to an e-mail address; neither counts.
pub fn mentions(text: &str) -> Vec<Address> {
    let mut found: Vec<Address> = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(character) = rest.chars().next() {
        let length = match character {
            '`' => code_span(rest),
            '@' if !before.is_alphanumeric() && !"._/-@".contains(before) => {
                let word = mention_word(rest);
                if let Ok(address) = Address::parse(word)
                    && !found.contains(&address)
                {
                    found.push(address);
                }
                word.len().max(1)
            }
            other => other.len_utf8(),
        };
        let (taken, left) = rest.split_at_checked(length).unwrap_or((rest, ""));
        before = taken.chars().next_back().unwrap_or(' ');
        rest = left;
    }
    found
}

/// Returns the length of the code span at the start of `rest`, or of its backticks if unclosed.
fn code_span(rest: &str) -> usize {
    let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
    let inner = rest.split_at_checked(ticks).map_or("", |(_, inner)| inner);
    let mut offset = ticks;
    for part in inner.split_inclusive('`') {
        offset += part.len();
        let closes = rest.split_at_checked(offset).is_some_and(|(before, after)| {
            let run = before.bytes().rev().take_while(|byte| *byte == b'`').count();
            part.ends_with('`') && run == ticks && !after.starts_with('`')
        });
        if closes && offset > 2 * ticks {
            return offset;
        }
    }
    ticks
}

/// Returns the `@…` at the start of `rest`, without the punctuation that ends a sentence.
fn mention_word(rest: &str) -> &str {
    let end = rest
        .char_indices()
        .skip(1)
        .find(|(_, c)| !c.is_ascii_alphanumeric() && !"._/:-".contains(*c))
        .map_or(rest.len(), |(at, _)| at);
    let word = rest.split_at_checked(end).map_or(rest, |(word, _)| word);
    word.trim_end_matches(['.', ':', '/', '-', '_'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use proptest::prelude::*;

    #[test]
    fn three_forms() {
        for (raw, shown) in [
            ("backend", "@backend"),
            ("@Backend", "@backend"),
            ("feature/login:backend", "@feature/login:backend"),
            ("@Shop:main:backend", "@Shop:main:backend"),
        ] {
            assert_eq!(Address::parse(raw).unwrap().to_string(), shown);
        }
        for raw in ["", "@", "a:b:c:d", ":x", "x:", "-rf", "../x", "main:-x", "a b"] {
            assert!(Address::parse(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn mentions_in_prose() {
        for (text, expected) in [
            ("@backend please look, and @Frontend.", "@backend, @frontend"),
            ("(@main:backend) and @shop:main:backend: yes", "@main:backend, @shop:main:backend"),
            ("@a @a @A", "@a"),
            ("mail joe@example.com, not @me@there", "@me"),
            ("use `@decorator` or ``a ` @b``, then @c", "@c"),
            ("an unclosed ` then @d", "@d"),
            ("```\n@code\n``` @e", "@e"),
            ("@ alone, @-rf, @../x", ""),
            ("npm i @scope/package", ""),
            ("", ""),
        ] {
            let found: Vec<_> = mentions(text).iter().map(ToString::to_string).collect();
            assert_eq!(found.join(", "), expected, "{text:?}");
        }
    }

    proptest! {
        /// Any text is read to its end, and what is found is a whole address of that text.
        #[test]
        fn mentions_never_invent(text in "[@`a-zA-Z:./ \n-]{0,60}|\\PC{0,40}") {
            for address in mentions(&text) {
                let lower = text.to_ascii_lowercase();
                prop_assert!(lower.contains(&address.to_string().to_ascii_lowercase()));
            }
        }
    }
}
