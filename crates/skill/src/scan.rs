//! Looks through the files of a skill for what known attacks are made of.
//!
//! A tripwire, not a verdict: an attack that nobody described yet passes. So nothing here ever says
//! that a skill is safe; what it says at best is "nothing known found". It decodes nothing into a
//! context, unpacks nothing and runs nothing.
//!
//! Files are fed in pieces of any size and looked through in overlapping windows that begin at
//! fixed places of the file: memory does not grow with the file, and the answer does not depend on
//! the pieces. One pass over all keywords decides which patterns have to be tried at all.

mod archive;
mod credentials;
mod encoded;
mod excerpt;
mod executable;
mod exfiltration;
mod fetch_and_run;
mod hidden;
mod instructions;
mod judge;
mod persistence;
mod places;
mod reverse_shell;
mod rule;
mod scanner;
mod text;
mod told;
mod url;
mod window;

use std::fmt;

use serde::Serialize;

pub use self::{
    places::Obstacle,
    rule::{Rule, rules},
    scanner::Scanner,
    window::FileScan,
};

/// What a suspicion is about: one family of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Something is fetched from the network and run.
    FetchAndRun,
    /// Data is sent to a place where an attacker picks it up.
    Exfiltration,
    /// A shell is handed to another machine.
    ReverseShell,
    /// Keys, tokens or password stores are read.
    Credentials,
    /// Something is put where it runs again by itself.
    Persistence,
    /// A payload is encoded so that nobody reads it.
    Encoded,
    /// A text holds characters that a person does not see.
    Hidden,
    /// A text tries to take over from the user or the host.
    Instructions,
    /// Paths, archives and programs that do not belong into a skill.
    Places,
}

impl Family {
    /// All families, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::FetchAndRun,
        Self::Exfiltration,
        Self::ReverseShell,
        Self::Credentials,
        Self::Persistence,
        Self::Encoded,
        Self::Hidden,
        Self::Instructions,
        Self::Places,
    ];

    /// Returns the word used in JSON and in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::FetchAndRun => "fetch_and_run",
            Self::Exfiltration => "exfiltration",
            Self::ReverseShell => "reverse_shell",
            Self::Credentials => "credentials",
            Self::Persistence => "persistence",
            Self::Encoded => "encoded",
            Self::Hidden => "hidden",
            Self::Instructions => "instructions",
            Self::Places => "places",
        }
    }
}

/// How seldom an honest skill looks like this; the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Honest skills do this too: worth a look, nothing more.
    Low,
    /// Honest skills do this sometimes: somebody has to read it.
    Medium,
    /// Hardly any honest skill does this.
    High,
}

impl Severity {
    /// All severities, the least first.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// Returns the word used in JSON, in lists and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// One place in a file that looks like a known attack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suspicion {
    /// What it is about.
    pub family: Family,
    /// The rule that was met.
    pub rule: &'static str,
    /// How seldom an honest skill looks like this.
    pub severity: Severity,
    /// The file, as it was named to the scanner, without characters that cannot be seen.
    pub path: String,
    /// The line of the file, counted from one, where there is one to name.
    pub line: Option<usize>,
    /// Why this is suspicious, in one sentence.
    pub reason: &'static str,
    /// The beginning of what was found, on one line and harmless to show.
    pub excerpt: String,
    /// How many more times the rule was met in the same file without being listed.
    pub more: usize,
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {} ({}): {}", self.severity.word(), self.rule, self.reason)?;
        if !self.excerpt.is_empty() {
            write!(f, ": `{}`", self.excerpt)?;
        }
        if self.more > 0 {
            write!(f, ", and {} more", self.more)?;
        }
        Ok(())
    }
}

/// What came of looking through a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scan {
    /// How many files were looked through.
    pub files: usize,
    /// How many bytes they have together.
    pub bytes: u64,
    /// What was found, file by file.
    pub suspicions: Vec<Suspicion>,
}

impl Scan {
    /// Returns the gravest severity there is.
    pub fn gravest(&self) -> Option<Severity> {
        self.suspicions.iter().map(|suspicion| suspicion.severity).max()
    }

    /// Counts what was found with one severity, what is not listed included.
    pub fn count(&self, severity: Severity) -> usize {
        let such = self.suspicions.iter().filter(|suspicion| suspicion.severity == severity);
        such.map(|suspicion| suspicion.more.saturating_add(1)).fold(0, usize::saturating_add)
    }

    /// Says in one line what was found; it never says more than that.
    pub fn verdict(&self) -> String {
        let files = counted(self.files, "file");
        if self.suspicions.is_empty() {
            return format!("nothing known found in {files}");
        }
        let counts =
            Severity::ALL.into_iter().rev().map(|severity| (severity, self.count(severity)));
        let told: Vec<_> = counts
            .filter(|(_, count)| *count > 0)
            .map(|(severity, count)| format!("{count} {}", severity.word()))
            .collect();
        let all = Severity::ALL.into_iter().map(|severity| self.count(severity)).sum();
        format!("{} in {files}: {}", counted(all, "suspicion"), told.join(", "))
    }
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
