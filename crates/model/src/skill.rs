//! The words of skills: what was found, what may be part of a path, and which bytes were meant.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    AgentName, BadName, HostId, HostName, Moment, SessionId, SkillRef, TaskId, Trust, limits,
};

/// The digest of a file's bytes (BLAKE3), as it stands in an index, a lock file and an approval.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

impl Digest {
    /// What every written digest begins with, so that another function can follow one day.
    const MARK: &'static str = "b3-";

    /// Wraps the 32 bytes that the hash function gave.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Parses `b3-` and 64 hexadecimal digits.
    pub fn parse(raw: &str) -> Result<Self, BadName> {
        let bad = || BadName {
            what: "a digest",
            rule: "`b3-` and 64 hexadecimal digits",
            found: raw.into(),
        };
        let digits = raw.strip_prefix(Self::MARK).filter(|digits| digits.len() == 64);
        let mut bytes = [0; 32];
        let mut values = digits.ok_or_else(bad)?.chars().map(|digit| digit.to_digit(16));
        for byte in &mut bytes {
            let (Some(Some(high)), Some(Some(low))) = (values.next(), values.next()) else {
                return Err(bad());
            };
            *byte = u8::try_from(high * 16 + low).map_err(|_| bad())?;
        }
        Ok(Self(bytes))
    }

    /// Returns the mark and the first twelve digits, for people.
    pub fn short(&self) -> String {
        let whole = alloc::format!("{self}");
        whole.chars().take(Self::MARK.len() + 12).collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Receipts hold dozens of these, and a formatter call for each byte is what they cost.
        const DIGITS: [u8; 16] = *b"0123456789abcdef";
        let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
        let digits = self.0.map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        f.write_str(Self::MARK)?;
        f.write_str(str::from_utf8(digits.as_flattened()).unwrap_or_default())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl TryFrom<String> for Digest {
    type Error = BadName;

    fn try_from(raw: String) -> Result<Self, BadName> {
        Self::parse(&raw)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        alloc::format!("{digest}")
    }
}

/// A skill's name as its file gives it.
///
/// One real skill in ten has capitals, spaces, `:` or `/` in its name. It is kept for people and
/// for matching; it is never part of a path or a command. Holding one proves that it is trimmed,
/// not empty, bounded and free of control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SkillName(Box<str>);

impl SkillName {
    /// Parses a name; surrounding white space is dropped.
    pub fn parse(raw: &str) -> Result<Self, BadName> {
        let text = raw.trim();
        let fits = !text.is_empty()
            && text.len() <= limits::SKILL_REF_BYTES
            && !text.chars().any(char::is_control);
        if fits {
            return Ok(Self(text.into()));
        }
        let rule = "one line of 1 to 256 bytes without control characters";
        Err(BadName { what: "a skill's name", rule, found: raw.into() })
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for SkillName {
    type Error = BadName;

    fn try_from(raw: String) -> Result<Self, BadName> {
        Self::parse(&raw)
    }
}

impl From<SkillName> for String {
    fn from(name: SkillName) -> Self {
        name.0.into()
    }
}

/// A skill's key as it may appear in a path, a prompt and a lock file.
///
/// Holding one proves it is 1 to 64 bytes of `[a-z0-9-]` that do not begin or end with `-`, so it
/// can never climb out of a directory or pass for an option.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SkillKey(Box<str>);

impl SkillKey {
    /// Longest key, in bytes: the longest name of the Agent Skills specification.
    pub const LONGEST: usize = 64;

    /// Parses a key as it is.
    pub fn parse(raw: &str) -> Result<Self, BadName> {
        let fits = (1..=Self::LONGEST).contains(&raw.len())
            && raw.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
            && !raw.starts_with('-')
            && !raw.ends_with('-');
        if fits {
            return Ok(Self(raw.into()));
        }
        let rule = "1 to 64 of a-z, 0-9, `-`, not beginning or ending with `-`";
        Err(BadName { what: "a skill's key", rule, found: raw.into() })
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SkillKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for SkillKey {
    type Error = BadName;

    fn try_from(raw: String) -> Result<Self, BadName> {
        Self::parse(&raw)
    }
}

impl From<SkillKey> for String {
    fn from(key: SkillKey) -> Self {
        key.0.into()
    }
}

/// Where a skill comes from, which decides who wins among skills of one name.
///
/// The order of the variants is the order of precedence, the strongest first. It is the one table:
/// `skill roots` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillLevel {
    /// A skill directory of the repository.
    Project,
    /// A skill directory of the user.
    User,
    /// A directory named in the settings.
    Extra,
    /// A plugin or an extension of a host.
    Plugin,
    /// Part of this binary.
    BuiltIn,
}

impl SkillLevel {
    /// Every level, the strongest first.
    pub const ALL: [Self; 5] =
        [Self::Project, Self::User, Self::Extra, Self::Plugin, Self::BuiltIn];

    /// Returns the word used in the store, in JSON and in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
            Self::Extra => "extra",
            Self::Plugin => "plugin",
            Self::BuiltIn => "built_in",
        }
    }

    /// Parses the word of [`SkillLevel::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.word() == word)
    }

    /// Returns how far the text of a skill of this level may be believed.
    ///
    /// The person installed what lies in their home, plugins included, and named the directories in
    /// their settings: such a skill speaks for them.
    pub const fn trust(self) -> Trust {
        match self {
            Self::Project => Trust::Project,
            Self::User | Self::Extra | Self::Plugin => Trust::User,
            Self::BuiltIn => Trust::System,
        }
    }
}

/// The skills that a task asks for, as its field holds them: names separated by commas, or the word
/// `none`.
///
/// Holding one proves that every name is well-formed and stands once, and that there are at most
/// [`limits::TASK_SKILLS`] of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TaskSkills(Vec<SkillRef>);

impl TaskSkills {
    /// The word that asks for no skill at all.
    pub const NO_SKILL: &'static str = "none";

    /// Parses names separated by commas, or `none` alone.
    pub fn parse(raw: &str) -> Result<Self, BadName> {
        let is_none = |text: &str| text.eq_ignore_ascii_case(Self::NO_SKILL);
        if is_none(raw.trim()) {
            return Ok(Self(Vec::new()));
        }
        let mut names: Vec<SkillRef> = Vec::new();
        for text in raw.split(',') {
            let name = SkillRef::parse(text.trim())?;
            let bad = |rule| BadName { what: "a list of skills", rule, found: raw.into() };
            if is_none(name.as_str()) {
                return Err(bad("`none` stands alone"));
            }
            if !names.contains(&name) {
                names.push(name);
            }
            if names.len() > limits::TASK_SKILLS {
                return Err(bad("at most 8 names, separated by commas"));
            }
        }
        Ok(Self(names))
    }

    /// Returns the names, in the order in which they were given; empty where no skill is wanted.
    pub fn names(&self) -> &[SkillRef] {
        &self.0
    }
}

impl fmt::Display for TaskSkills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(Self::NO_SKILL);
        }
        for (place, name) in self.0.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            write!(f, "{comma}{name}")?;
        }
        Ok(())
    }
}

impl TryFrom<String> for TaskSkills {
    type Error = BadName;

    fn try_from(raw: String) -> Result<Self, BadName> {
        Self::parse(&raw)
    }
}

impl From<TaskSkills> for String {
    fn from(skills: TaskSkills) -> Self {
        alloc::format!("{skills}")
    }
}

/// A skill as the index keeps it. Who may see it and which plugin it belongs to follow from its
/// root, which is looked up anew each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedSkill {
    /// The file.
    pub path: String,
    /// The root it was found under.
    pub root: String,
    pub key: SkillKey,
    /// Its name as found.
    pub name: SkillName,
    /// What it says it is for.
    pub description: Option<String>,
    /// The skill it is a nested agent of.
    pub agent_of: Option<SkillKey>,
    /// The version its frontmatter gives.
    pub version: Option<String>,
    /// The digest of its bytes.
    pub digest: Digest,
    /// About how many tokens its body costs.
    pub tokens: u32,
    /// When the file last changed, in nanoseconds since 1970.
    pub modified: i64,
    /// How many findings there were in reading it.
    pub findings: u32,
}

/// A skill that was chosen for a task, as the history keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillChoice {
    pub task: TaskId,
    /// The skill.
    pub reference: String,
    /// Its content at that time.
    pub digest: Digest,
    /// The word of the rule that decided.
    pub rule: String,
    /// Why, in one sentence.
    pub reason: String,
    /// Who asked.
    pub agent: AgentName,
    pub session: Option<SessionId>,
    /// When.
    pub at: Moment,
}

/// What calls a skill whatever else a request says, as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cue {
    pub kind: CueKind,
    pub text: String,
}

/// The kinds of cue, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CueKind {
    /// Another name of the skill.
    Name,
    /// A phrase that the author lists as a trigger.
    Phrase,
    /// A pattern of the files the skill is for.
    Path,
    /// A phrase that the description quotes: a hint, not a call.
    Quoted,
}

impl CueKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Name, Self::Phrase, Self::Path, Self::Quoted];

    /// Returns the word used in the store.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Phrase => "phrase",
            Self::Path => "path",
            Self::Quoted => "quoted",
        }
    }

    /// Parses the word of [`CueKind::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A change of what is known of the use of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SkillEffect {
    /// The person approves one content of a skill in the project.
    Approved {
        /// The skill, as the lock file names it.
        reference: String,
        /// The content.
        digest: Digest,
    },
    /// A skill was chosen for a task, in the session that acts.
    Chosen {
        task: TaskId,
        /// The skill.
        reference: String,
        /// Its content at that time.
        digest: Digest,
        /// The word of the rule that decided.
        rule: String,
        /// Why, in one sentence.
        reason: String,
    },
    /// A skill was injected for a task, into a session.
    Injected {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// When.
        at: Moment,
        /// The reader.
        agent: AgentName,
        task: TaskId,
        reference: String,
        /// Its content at that time.
        digest: Digest,
        /// The word of the rule that decided.
        rule: String,
        /// Why, in one sentence.
        reason: String,
    },
}

impl SkillEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Approved { .. } => "approved",
            Self::Chosen { .. } => "chosen",
            Self::Injected { .. } => "injected",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn digests_are_written_and_read() {
        let digest = Digest::new([0xab; 32]);
        let text = digest.to_string();
        assert_eq!(text.len(), 67);
        assert_eq!(Digest::parse(&text), Ok(digest));
        assert_eq!(digest.short(), "b3-abababababab");
        let (bare, cut) = (text.trim_start_matches("b3-"), text.trim_end_matches("ab"));
        for raw in ["", "b3-", "ab", bare, cut, "b3-zz"] {
            assert!(Digest::parse(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn a_task_asks_for_some_skills_or_for_none() {
        for (raw, written, count) in [
            ("lint", "lint", 1),
            (" a , b:c,a ", "a,b:c", 2),
            ("none", "none", 0),
            (" NONE ", "none", 0),
            ("a,b,c,d,e,f,g,h,a", "a,b,c,d,e,f,g,h", 8),
        ] {
            let skills = TaskSkills::parse(raw).unwrap();
            assert_eq!((skills.to_string().as_str(), skills.names().len()), (written, count));
            assert_eq!(TaskSkills::parse(written), Ok(skills));
        }
        for raw in ["", ",", "a,", "a,,b", "a, none", "none,none", "../x", "a,b,c,d,e,f,g,h,i"] {
            assert!(TaskSkills::parse(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn what_the_person_installed_speaks_for_them() {
        let trusts = SkillLevel::ALL.map(SkillLevel::trust);
        let expected = [Trust::Project, Trust::User, Trust::User, Trust::User, Trust::System];
        assert_eq!(trusts, expected);
    }

    #[test]
    fn names_are_kept_and_keys_are_strict() {
        for raw in ["Code Review: Rust", "spec-writer/agents", "日本語", "a"] {
            assert_eq!(SkillName::parse(raw).unwrap().as_str(), raw);
        }
        assert!(SkillName::parse("two\nlines").is_err() && SkillName::parse("  ").is_err());
        assert!(SkillKey::parse("test-driven-development").is_ok());
        for raw in ["", "-rf", "a-", "../x", "A", "a b", "a/b", "a:b", &"a".repeat(65)] {
            assert!(SkillKey::parse(raw).is_err(), "{raw:?}");
        }
    }
}
