//! What a rule is, and the list of all of them.

use super::{
    Family, Severity, credentials, encoded, exfiltration, fetch_and_run, hidden, instructions,
    judge::Judge, persistence, places, reverse_shell,
};

/// One thing that is known from attacks.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name, unique among all rules.
    pub id: &'static str,
    /// What it is about.
    pub family: Family,
    /// How seldom an honest skill meets it; the judge of a rule can only lower this.
    pub severity: Severity,
    /// Why it is suspicious, in one sentence.
    pub reason: &'static str,
    /// Texts that meet it.
    pub hits: &'static [&'static str],
    /// Texts that come near and do not.
    pub misses: &'static [&'static str],
    /// How it is found.
    pub(super) look: Look,
}

/// How a rule is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Look {
    /// By a pattern, which is tried where one of the keywords stands nearby.
    Pattern {
        /// Words of which one is in every match, in lower case.
        keywords: &'static [&'static str],
        /// The pattern; it never reaches over more than [`MATCH_BYTES`] of a file.
        ///
        /// [`MATCH_BYTES`]: super::window::MATCH_BYTES
        pattern: &'static str,
        /// What is made of a match.
        judge: Judge,
    },
    /// By the code of its family.
    Code,
}

/// Returns all rules, family by family.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    TABLES.iter().copied().flatten()
}

const TABLES: [&[Rule]; 9] = [
    fetch_and_run::RULES,
    exfiltration::RULES,
    reverse_shell::RULES,
    credentials::RULES,
    persistence::RULES,
    encoded::RULES,
    hidden::RULES,
    instructions::RULES,
    places::RULES,
];

/// A shell that is called by its name, perhaps as another user.
macro_rules! shell {
    () => {
        concat!(
            r"(?:(?:sudo|doas|env|exec|nohup|command)\s+(?:-\S+\s+)*)*",
            r"(?:/(?:usr/)?(?:local/)?bin/)?",
            r"(?:(?:ba|z|da|k|a|fi|c)?sh\b(?:[^.\w/:=-]|\s-|$)",
            r"|(?:python[23]?|perl|ruby|node|php|osascript)(?:\s+-)?\s*",
            r"(?:$|[\n;&)`'\x22]))",
        )
    };
}

/// What brings something from the network.
macro_rules! fetcher {
    () => {
        r"\b(?:curl|wget|aria2c|lwp-download)(?:\.exe)?\b"
    };
}

/// Files that hold keys, tokens or passwords.
macro_rules! secret_file {
    () => {
        concat!(
            r"(?:\.ssh/(?:id_\w+|\*|\s|$)|\.ssh[\s/'\x22]*(?:$|[\s;|&)])",
            r"|\.aws/(?:credentials|\*)|\.gnupg\b|\.netrc\b|\.git-credentials",
            r"|\.kube/config|\.docker/config\.json|\.npmrc\b|\.pypirc\b|\.pgpass\b",
            r"|/etc/(?:passwd|shadow)\b|\.env(?:\.\w+)?\b|\.(?:bash|zsh)_history",
            r"|login\.keychain|logins\.json|cookies\.sqlite|key4\.db|wallet\.dat",
            r"|\.claude/\.credentials|\.codex/auth\.json|\.(?:clawdbot|openclaw)/\S*)",
        )
    };
}

pub(super) use {fetcher, secret_file, shell};
