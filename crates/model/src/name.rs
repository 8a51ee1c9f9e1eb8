//! Names that may stand in a path, a prompt, a command line or an address.

use alloc::{boxed::Box, string::String};
use core::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::limits;

/// A text that is not a name of the kind that was wanted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} is not {what}: {rule}", quoted(found))]
pub struct BadName {
    /// What was wanted, with its article.
    pub what: &'static str,
    /// The grammar, in words.
    pub rule: &'static str,
    /// What was given, shortened and made printable when shown.
    pub found: Box<str>,
}

impl BadName {
    /// Reports whether the name is refused because of whose it is, not because of its form.
    pub fn is_reserved(&self) -> bool {
        self.rule == RESERVED || SPEAKERS.iter().any(|(_, rule)| *rule == self.rule)
    }
}

/// Shows at most 40 characters of a foreign text, with control characters escaped.
fn quoted(found: &str) -> String {
    let mut shown = String::from("`");
    for character in found.chars().take(40) {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if found.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown.push('`');
    shown
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $rule:literal, $prepare:expr, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Box<str>);

        impl $name {
            /// Parses the name, or says which rule it breaks.
            pub fn parse(raw: &str) -> Result<Self, BadName> {
                let prepare: fn(&str) -> String = $prepare;
                let check: fn(&str) -> bool = $check;
                let bad = || BadName { what: $what, rule: $rule, found: raw.into() };
                // The caps are checked before anything is copied.
                if raw.len() > limits::COMMIT_KEY_BYTES.max(limits::HOST_ID_BYTES) {
                    return Err(bad());
                }
                let text = prepare(raw);
                if check(&text) { Ok(Self(text.into())) } else { Err(bad()) }
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadName;

            fn try_from(raw: String) -> Result<Self, BadName> {
                Self::parse(&raw)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0.into()
            }
        }
    };
}

name!(
    /// An agent's name: `backend`, `spec-reviewer`.
    ///
    /// Lower-cased when parsed, so `@Backend` and `@backend` are one agent.
    AgentName,
    "an agent name",
    "1 to 64 of a-z, 0-9, `.`, `_`, `-`, starting with a letter or digit",
    |raw| raw.to_ascii_lowercase(),
    |text| {
        text.len() <= limits::AGENT_NAME_BYTES
            && text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
            && !text.contains("..")
    }
);

impl AgentName {
    /// The person at the keyboard. Only a terminal outside any agent speaks with this name.
    pub const PERSON: &'static str = "human";
    /// A caller that is neither a session nor a terminal.
    pub const UNKNOWN: &'static str = "unknown";

    /// Returns the name of the person.
    pub fn person() -> Self {
        Self(Self::PERSON.into())
    }

    /// Returns the name of a caller that cannot be told.
    pub fn unknown() -> Self {
        Self(Self::UNKNOWN.into())
    }

    /// Tells whether the name is kept for the person or the unknown caller.
    pub fn is_reserved(&self) -> bool {
        [Self::PERSON, Self::UNKNOWN].contains(&self.as_str())
    }

    /// Parses a name that somebody gives an agent now.
    ///
    /// Refused is a name that reads like that of another speaker in a conversation: a model that
    /// reads "from @sys-tem" must not take it for the system's word. Stored names are parsed with
    /// [`AgentName::parse`], because older versions accepted them.
    pub fn parse_given(raw: &str) -> Result<Self, BadName> {
        let name = Self::parse(raw)?;
        let read = reading(&name.0);
        let speaker = SPEAKERS.iter().find(|(word, _)| reading(word) == read);
        match speaker {
            Some((word, rule)) if !name.is_reserved() => {
                let rule = if name.as_str() == *word { RESERVED } else { rule };
                Err(BadName { what: "an agent name", rule, found: raw.into() })
            }
            Some(_) | None => Ok(name),
        }
    }
}

/// What is said to an agent that wants exactly the name of another speaker.
const RESERVED: &str = "it is reserved";

/// The names of those who speak in a conversation without being agents, and what is said to an agent
/// that wants to be called so.
const SPEAKERS: [(&str, &str); 9] = [
    (AgentName::PERSON, "it reads like `human`, which is reserved for the person"),
    (AgentName::UNKNOWN, "it reads like `unknown`, which is reserved for an unnamed caller"),
    ("person", "it reads like `person`, which is reserved"),
    ("user", "it reads like `user`, which is reserved"),
    ("system", "it reads like `system`, which is reserved"),
    ("developer", "it reads like `developer`, which is reserved"),
    ("assistant", "it reads like `assistant`, which is reserved"),
    ("tool", "it reads like `tool`, which is reserved"),
    ("pacenote", "it reads like `pacenote`, which is reserved"),
];

/// Returns what a reader takes a name for: without punctuation, and with digits and letters that
/// look alike made one.
fn reading(name: &str) -> String {
    let folded =
        name.chars().filter(char::is_ascii_alphanumeric).map(|character| match character {
            '0' => 'o',
            '1' | 'i' => 'l',
            '3' => 'e',
            '4' => 'a',
            '5' => 's',
            '7' => 't',
            other => other,
        });
    folded.collect::<String>().replace("rn", "m")
}

name!(
    /// A git branch as it may stand in an address.
    Branch,
    "a branch name",
    "1 to 255 of letters, digits, `.`, `_`, `/`, `-`, not starting with `-` or `/`, without `..`",
    |raw| raw.into(),
    |text| {
        text.len() <= limits::BRANCH_BYTES
            && text.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
            && text.chars().all(|c| c.is_alphanumeric() || "._/-".contains(c))
            && !text.contains("..")
    }
);

name!(
    /// The name of a host adapter: `claude`, `codex`, `shell`.
    HostName,
    "a host name",
    "1 to 64 of a-z, 0-9, `-`, starting with a letter",
    |raw| raw.into(),
    |text| {
        text.len() <= limits::AGENT_NAME_BYTES
            && text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    }
);

name!(
    /// The id a host gives its own session.
    HostId,
    "a host's session id",
    "1 to 256 printable characters without spaces",
    |raw| raw.into(),
    |text| {
        !text.is_empty()
            && text.len() <= limits::HOST_ID_BYTES
            && text.chars().all(|c| !c.is_control() && !c.is_whitespace())
    }
);

name!(
    /// How a skill is named before it is found: `plugin:skill`, `skill`, `skill/agent`.
    SkillRef,
    "a skill name",
    "letters, digits, `_`, `.`, `-`, with `:` after a plugin and `/` before a nested agent, \
     no part starting with `-` or `.`",
    |raw| raw.into(),
    |text| {
        text.len() <= limits::SKILL_REF_BYTES
            && text.split([':', '/']).all(|part| {
                part.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
                    && part.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c))
            })
            && text.matches(':').count() <= 1
    }
);

name!(
    /// The idempotency key of a commit: a retry with the same key adds nothing.
    CommitKey,
    "an idempotency key",
    "1 to 200 printable ASCII characters without spaces",
    |raw| raw.into(),
    |text| {
        !text.is_empty()
            && text.len() <= limits::COMMIT_KEY_BYTES
            && text.bytes().all(|byte| byte.is_ascii_graphic())
    }
);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    const HOSTILE: [&str; 12] =
        ["", "-rf", "--", "../x", "..", ".", "a b", "$(x)", ";", "a\nb", "a\0b", "\u{202e}x"];

    #[test]
    fn hostile_names_are_refused_by_every_grammar() {
        for raw in HOSTILE {
            assert!(AgentName::parse(raw).is_err(), "agent {raw:?}");
            assert!(Branch::parse(raw).is_err(), "branch {raw:?}");
            assert!(HostName::parse(raw).is_err(), "host {raw:?}");
            assert!(SkillRef::parse(raw).is_err(), "skill {raw:?}");
        }
        let long = "a".repeat(4096);
        assert!(AgentName::parse(&long).is_err());
        assert!(CommitKey::parse(&long).is_err());
        assert!(HostId::parse(&long).is_err());
    }

    #[test]
    fn agent_names_fold_case() {
        assert_eq!(AgentName::parse("Spec-Reviewer").unwrap().as_str(), "spec-reviewer");
        assert!(AgentName::parse("human").unwrap().is_reserved());
        assert!(!AgentName::parse("backend").unwrap().is_reserved());
    }

    #[test]
    fn no_agent_gets_the_name_of_another_speaker() {
        for (raw, word) in [
            ("system", "system"),
            ("SYSTEM", "system"),
            ("sys-tem", "system"),
            ("s.y.s.t.e.m_", "system"),
            ("syst3m", "system"),
            ("5ystern", "system"),
            ("user", "user"),
            ("us3r.", "user"),
            ("person", "person"),
            ("pers0n", "person"),
            ("pacenote", "pacenote"),
            ("pace-note", "pacenote"),
            ("human.", "human"),
            ("hu-man", "human"),
            ("assistant", "assistant"),
            ("ass1stant", "assistant"),
            ("developer", "developer"),
            ("tool", "tool"),
            ("t001", "tool"),
            ("un_known", "unknown"),
        ] {
            let said = AgentName::parse_given(raw).unwrap_err().to_string();
            let why = if raw.eq_ignore_ascii_case(word) {
                "it is reserved".into()
            } else {
                std::format!("it reads like `{word}`, which is reserved")
            };
            let start = std::format!("`{raw}` is not an agent name: {why}");
            assert!(said.starts_with(&start), "{said}");
            assert!(AgentName::parse_given(raw).unwrap_err().is_reserved(), "{raw}");
            // What older versions stored can still be read.
            assert!(AgentName::parse(raw).is_ok(), "{raw}");
        }
        for raw in ["backend", "user-service", "systems", "tool-runner", "persona", "dev", "human"]
        {
            assert!(AgentName::parse_given(raw).is_ok(), "{raw}");
        }
    }

    #[test]
    fn skills_are_named_with_plugin_and_nested_agent() {
        for raw in ["brainstorming", "superpowers:brainstorming", "review/agents/security", "a_b.c"]
        {
            assert!(SkillRef::parse(raw).is_ok(), "{raw}");
        }
        for raw in ["a:b:c", "plugin:../../etc/passwd", ":x", "x:", "x//y", "/etc/passwd", "a:-x"] {
            assert!(SkillRef::parse(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn the_error_shows_the_name_harmlessly() {
        assert_eq!(
            AgentName::parse("a\u{1b}[2Jb").unwrap_err().to_string(),
            "`a\\u{1b}[2Jb` is not an agent name: 1 to 64 of a-z, 0-9, `.`, `_`, `-`, starting \
             with a letter or digit"
        );
        let long = "x".repeat(500);
        assert!(AgentName::parse(&long).unwrap_err().to_string().len() < 200);
    }
}
