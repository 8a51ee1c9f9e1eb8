//! What each host can carry, and how we notice that we run inside one.
//!
//! One row per host. A row holds measured facts only; a host of which we know no mark has no row.

use pacenote_model::{HostId, HostName, limits};

/// What is known of a host.
#[derive(Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Its name.
    pub name: &'static str,
    /// Variables of which it sets at least one for whatever it starts.
    pub marks: &'static [&'static str],
    /// The variable that holds its session's id.
    pub session: Option<&'static str>,
    /// How much context one hook's answer can carry.
    pub ceiling: Ceiling,
}

/// The most one answer can carry before the host cuts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ceiling {
    /// So many UTF-16 units.
    Utf16(usize),
    /// None was ever met.
    NoneSeen,
}

/// Every host that leaves a mark, the more telling marks first.
pub static HOSTS: [Capabilities; 3] = [
    Capabilities {
        name: "claude",
        marks: &["CLAUDECODE"],
        session: Some("CLAUDE_CODE_SESSION_ID"),
        ceiling: Ceiling::Utf16(limits::CLAUDE_CONTEXT_UTF16),
    },
    Capabilities {
        // Its tools see the first mark, its hooks the second.
        name: "gemini",
        marks: &["GEMINI_CLI", "GEMINI_SESSION_ID"],
        session: Some("GEMINI_SESSION_ID"),
        ceiling: Ceiling::NoneSeen,
    },
    Capabilities {
        name: "copilot",
        marks: &["COPILOT_PROJECT_DIR"],
        session: None,
        ceiling: Ceiling::NoneSeen,
    },
];

/// The host we run inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// The host.
    pub host: HostName,
    /// Its session, where it tells one we can use.
    pub session: Option<HostId>,
}

/// Tells which host started us, from the variables that `variable` looks up.
///
/// A host started by another inherits the outer one's marks; the first row that matches counts.
pub fn inside(variable: &dyn Fn(&str) -> Option<String>) -> Option<Inside> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let row = HOSTS.iter().find(|row| row.marks.iter().any(|mark| set(mark).is_some()))?;
    let host = HostName::parse(row.name).ok()?;
    let session = row.session.and_then(set).and_then(|id| HostId::parse(&id).ok());
    Some(Inside { host, session })
}

/// Returns what is known of a host.
pub fn capabilities_of(host: &HostName) -> Option<&'static Capabilities> {
    HOSTS.iter().find(|row| row.name == host.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(variables: &[(&str, &str)]) -> String {
        let variable = |name: &str| {
            variables.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned())
        };
        match inside(&variable) {
            Some(Inside { host, session: Some(session) }) => format!("{host} {session}"),
            Some(Inside { host, session: None }) => host.to_string(),
            None => "nowhere".to_owned(),
        }
    }

    #[test]
    fn hosts_are_known_by_their_marks() {
        for (variables, said) in [
            (&[][..], "nowhere"),
            (&[("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "5c0a91d2")], "claude 5c0a91d2"),
            (&[("CLAUDECODE", "1")], "claude"),
            (&[("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "a b")], "claude"),
            (&[("CLAUDECODE", "")], "nowhere"),
            // Gemini and Copilot set this for the sake of hooks written for Claude Code.
            (&[("CLAUDE_PROJECT_DIR", "/home/dev/shop")], "nowhere"),
            (&[("CLAUDE_CODE_SESSION_ID", "5c0a91d2")], "nowhere"),
            (&[("GEMINI_CLI", "1")], "gemini"),
            (&[("GEMINI_SESSION_ID", "b1f4e860")], "gemini b1f4e860"),
            (&[("COPILOT_PROJECT_DIR", "/home/dev/shop")], "copilot"),
            (&[("CLAUDECODE", "1"), ("GEMINI_CLI", "1")], "claude"),
        ] {
            assert_eq!(told(variables), said, "{variables:?}");
        }
    }

    #[test]
    fn every_row_has_a_name_and_a_mark() {
        for row in &HOSTS {
            let name = HostName::parse(row.name).unwrap();
            assert_eq!(capabilities_of(&name), Some(row));
            assert!(!row.marks.is_empty(), "{name}");
        }
        assert_eq!(capabilities_of(&HostName::parse("shell").unwrap()), None);
    }
}
