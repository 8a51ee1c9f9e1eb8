//! What each host can carry, and how we notice that we run inside one.
//!
//! One row per host, and for the hosts whose hooks we answer one row per moment, which `doctor`
//! prints. Rows hold measured facts only.

use pacenote_model::{HostId, HostName, limits, receipt::PARTS};

use crate::{Carried, Host, Moment};

/// What is known of a host.
#[derive(Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Its name.
    pub name: &'static str,
    /// Variables of which it sets at least one for whatever it starts; none are known of some.
    pub marks: &'static [&'static str],
    /// The variable that holds its session's id.
    pub session: Option<&'static str>,
    /// How much context one hook's answer can carry.
    pub ceiling: Ceiling,
    /// How many answers to one start of a session can be installed side by side, where we know.
    pub parts: Option<u8>,
}

/// The most one answer can carry before the host cuts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ceiling {
    /// So many UTF-16 units.
    Utf16(usize),
    /// None was ever met.
    NoneSeen,
}

/// What the answer to one moment can carry to a host.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// The moment.
    pub moment: Moment,
    /// The host's own names of it.
    pub names: Vec<&'static str>,
    /// Whether text reaches the model.
    pub context: bool,
    /// Which verdict is heard.
    pub verdict: Option<Carried>,
    /// Whether a tool's input can be replaced.
    pub input: bool,
    /// What becomes of the rest, where that is surprising.
    pub remark: Option<&'static str>,
}

/// Every host we know something of, the more telling marks first.
pub static HOSTS: [Capabilities; 4] = [
    Capabilities {
        name: "claude",
        marks: &["CLAUDECODE"],
        session: Some("CLAUDE_CODE_SESSION_ID"),
        ceiling: Ceiling::Utf16(limits::CLAUDE_CONTEXT_UTF16),
        // A hook each: their number bounds the notes, not the client.
        parts: Some(PARTS),
    },
    Capabilities {
        // Its tools see the first mark, its hooks the second.
        name: "gemini",
        marks: &["GEMINI_CLI", "GEMINI_SESSION_ID"],
        session: Some("GEMINI_SESSION_ID"),
        ceiling: Ceiling::NoneSeen,
        parts: None,
    },
    Capabilities {
        name: "copilot",
        marks: &["COPILOT_PROJECT_DIR"],
        session: None,
        ceiling: Ceiling::NoneSeen,
        parts: None,
    },
    Capabilities {
        // Whoever calls for it reads whatever is printed.
        name: "shell",
        marks: &[],
        session: None,
        ceiling: Ceiling::NoneSeen,
        parts: Some(1),
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

/// Returns what the answers to a host's events can carry; nothing where we answer none of its hooks.
pub fn rows_of(host: &HostName) -> Vec<Row> {
    Host::from_name(host.as_str()).map(Host::rows).unwrap_or_default()
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
    fn every_host_is_found_by_its_name() {
        for row in &HOSTS {
            let name = HostName::parse(row.name).unwrap();
            assert_eq!(capabilities_of(&name), Some(row));
        }
        assert_eq!(capabilities_of(&HostName::parse("teleport").unwrap()), None);
        for host in Host::ALL {
            assert!(HOSTS.iter().any(|row| row.name == host.name()), "{host:?}");
        }
    }

    fn printed(host: &str) -> String {
        let host = HostName::parse(host).unwrap();
        let rows = rows_of(&host).into_iter().map(|row| {
            let mut carried = Vec::new();
            carried.extend(row.context.then_some("context"));
            carried.extend(row.verdict.map(Carried::word));
            carried.extend(row.input.then_some("input"));
            let remark = row.remark.map(|remark| format!(" ({remark})")).unwrap_or_default();
            let (names, carried) = (row.names.join(", "), carried.join(", "));
            format!("{} [{names}]: {carried}{remark}", row.moment.word())
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_claude_code_carries() {
        insta::assert_snapshot!(printed("claude"), @"
        session-start [SessionStart]: context (each part is a hook of its own, and they arrive in any order)
        prompt [UserPromptSubmit]: context
        before-tool [PreToolUse]: context, deny, input (the new input replaces the whole one and needs permission)
        after-tool [PostToolUse, PostToolUseFailure]: context
        todos [TaskCreated, TaskCompleted]:  (context is lost)
        pre-compact [PreCompact]:  (printed text would become the summariser's instructions)
        post-compact [PostCompact]:  (printed text is for the person; a session start follows)
        stop [Stop]: go on (context would keep the agent going; it waits for the next prompt)
        subagent-start [SubagentStart]: context
        subagent-stop [SubagentStop]: go on (context is lost)
        session-end [SessionEnd]:  (nobody reads the answer)
        ");
    }

    #[test]
    fn what_a_shell_carries() {
        insta::assert_snapshot!(printed("shell"), @"
        session-start [session-start]: context
        prompt [prompt]: context
        before-tool [before-tool]: context, deny
        after-tool [after-tool]: context
        todos [todos]:  (context is left out, for no model reads on)
        pre-compact [pre-compact]:  (context is left out, for no model reads on)
        post-compact [post-compact]:  (context is left out, for no model reads on)
        stop [stop]: go on (context is left out, for no model reads on)
        subagent-start [subagent-start]: context
        subagent-stop [subagent-stop]: go on (context is left out, for no model reads on)
        session-end [session-end]:  (context is left out, for no model reads on)
        ");
    }

    #[test]
    fn hosts_whose_hooks_we_do_not_answer_have_no_rows() {
        assert_eq!(printed("gemini"), "");
    }

    #[test]
    fn rows_say_what_encoding_does() {
        for host in Host::ALL {
            for row in host.rows() {
                let words = host.events().into_iter();
                let mut words = words.filter(|word| host.moment(word) == Some(row.moment));
                assert!(words.all(|word| host.carries_context(word) == row.context), "{row:?}");
            }
        }
    }
}
