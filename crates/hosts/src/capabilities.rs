//! What each host can carry, and how we notice that we run inside one.
//!
//! One row per host, and for the hosts whose hooks we answer one row per kind of event, which `doctor`
//! prints. Rows hold measured facts only.

use pacenote_model::{EventKind, HostId, HostName, limits, receipt::PARTS};

use crate::Carried;

/// What is known of a host.
#[derive(Debug, PartialEq, Eq)]
pub struct Capabilities {
    pub name: &'static str,
    /// Variables of which it sets at least one for whatever it starts; none are known of some.
    pub marks: &'static [&'static str],
    /// The variable that holds its session's id.
    pub session: Option<&'static str>,
    /// How much context one hook's answer can carry.
    pub ceiling: Ceiling,
    /// How many answers to one start of a session can be installed side by side, where we know.
    pub parts: Option<u8>,
    /// Where notes that a compaction threw away can be told again.
    pub restarts_after_compaction: Restart,
    /// How notes are written for it.
    pub markup: Markup,
}

/// How notes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    Tags,
    /// As Markdown: the host takes the brackets of tags away.
    Markdown,
}

/// The first event after a compaction whose answer reaches the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// The host tells a start of the session, and says why.
    AtSessionStart,
    /// Nothing is told but the compaction itself: the next prompt has to do.
    AtNextPrompt,
    /// Requests to the model are told, and what is missing in one can be put into it.
    InRequests,
    /// Requests to the model are told, and each of them is made with what we tell.
    WithRequests,
}

/// The most one answer can carry before the host cuts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ceiling {
    /// So many UTF-16 units.
    Utf16(usize),
    /// None was ever met.
    NoneSeen,
}

/// What the answer to events of one kind can carry to a host.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub kind: EventKind,
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
pub static HOSTS: [Capabilities; 8] = [
    Capabilities {
        name: "claude",
        marks: &["CLAUDECODE"],
        session: Some("CLAUDE_CODE_SESSION_ID"),
        ceiling: Ceiling::Utf16(limits::CLAUDE_CONTEXT_UTF16),
        // A hook each: their number bounds the notes, not the client.
        parts: Some(PARTS),
        restarts_after_compaction: Restart::AtSessionStart,
        markup: Markup::Tags,
    },
    Capabilities {
        // Its hooks see no mark.
        name: "codex",
        marks: &["CODEX_SESSION_ID", "CODEX_THREAD_ID"],
        session: Some("CODEX_SESSION_ID"),
        // None with the limit that is set for every hook; without it about 2,500 tokens.
        ceiling: Ceiling::NoneSeen,
        parts: Some(1),
        restarts_after_compaction: Restart::AtSessionStart,
        markup: Markup::Tags,
    },
    Capabilities {
        // Its tools see the first mark, its hooks the second.
        name: "gemini",
        marks: &["GEMINI_CLI", "GEMINI_SESSION_ID"],
        session: Some("GEMINI_SESSION_ID"),
        ceiling: Ceiling::NoneSeen,
        parts: Some(1),
        restarts_after_compaction: Restart::InRequests,
        markup: Markup::Markdown,
    },
    Capabilities {
        name: "copilot",
        marks: &["COPILOT_CLI", "COPILOT_PROJECT_DIR"],
        session: Some("COPILOT_AGENT_SESSION_ID"),
        ceiling: Ceiling::NoneSeen,
        parts: Some(1),
        restarts_after_compaction: Restart::AtNextPrompt,
        markup: Markup::Tags,
    },
    Capabilities {
        // Its tools see the first mark, its hooks the second.
        name: "qwen",
        marks: &["QWEN_CODE", "QWEN_PROJECT_DIR"],
        session: None,
        ceiling: Ceiling::NoneSeen,
        parts: Some(1),
        // It tells of a start too, and puts nothing of the answer into the context.
        restarts_after_compaction: Restart::AtNextPrompt,
        markup: Markup::Markdown,
    },
    Capabilities {
        // Our plugin sets the second variable for what the client's shell runs.
        name: "opencode",
        marks: &["OPENCODE"],
        session: Some("PACENOTE_OPENCODE_SESSION"),
        ceiling: Ceiling::NoneSeen,
        parts: Some(1),
        restarts_after_compaction: Restart::WithRequests,
        markup: Markup::Tags,
    },
    Capabilities {
        // Not measured.
        name: "antigravity",
        marks: &[],
        session: None,
        ceiling: Ceiling::NoneSeen,
        parts: Some(1),
        restarts_after_compaction: Restart::WithRequests,
        markup: Markup::Tags,
    },
    Capabilities {
        // Whoever calls for it reads whatever is printed.
        name: "shell",
        marks: &[],
        session: None,
        ceiling: Ceiling::NoneSeen,
        parts: Some(1),
        restarts_after_compaction: Restart::AtSessionStart,
        markup: Markup::Tags,
    },
];

/// The host we run inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
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
    use crate::Host;

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
            (&[("QWEN_CODE", "1")], "qwen"),
            // Qwen Code sets this for the sake of hooks written for Gemini.
            (&[("QWEN_PROJECT_DIR", "/p"), ("GEMINI_PROJECT_DIR", "/p")], "qwen"),
            (&[("OPENCODE", "1"), ("PACENOTE_OPENCODE_SESSION", "ses_1")], "opencode ses_1"),
            (&[("OPENCODE", "1")], "opencode"),
            (&[("CODEX_THREAD_ID", "a"), ("CODEX_SESSION_ID", "01a1f3c2")], "codex 01a1f3c2"),
            // A person may set where its settings are.
            (&[("CODEX_HOME", "/home/dev/.codex")], "nowhere"),
            (&[("COPILOT_PROJECT_DIR", "/home/dev/shop")], "copilot"),
            (&[("COPILOT_CLI", "1"), ("COPILOT_AGENT_SESSION_ID", "3d9a61f0")], "copilot 3d9a61f0"),
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
        let host = Host::from_name(host).unwrap();
        let rows = host.rows().into_iter().map(|row| {
            let mut carried = Vec::new();
            carried.extend(row.context.then_some("context"));
            carried.extend(row.verdict.map(Carried::word));
            carried.extend(row.input.then_some("input"));
            let remark = row.remark.map(|remark| format!(" ({remark})")).unwrap_or_default();
            let (names, carried) = (row.names.join(", "), carried.join(", "));
            format!("{} [{names}]: {carried}{remark}", row.kind.word())
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
    fn what_codex_carries() {
        insta::assert_snapshot!(printed("codex"), @"
        session-start [SessionStart]: context (after a compaction it comes twice when the session was resumed)
        prompt [UserPromptSubmit]: context
        before-tool [PreToolUse]: context, deny, input (the new input replaces the whole one and stays in the sandbox)
        after-tool [PostToolUse]: context (the client does not say whether a tool failed)
        pre-compact [PreCompact]:  (the summariser is told nothing of ours)
        post-compact [PostCompact]:  (without the summary; a session start follows)
        stop [Stop]: go on
        subagent-start [SubagentStart]: context
        subagent-stop [SubagentStop]: go on
        session-end [SessionEnd]:  (the client waits a second or three, and reads nothing)
        ");
    }

    #[test]
    fn what_copilot_carries() {
        insta::assert_snapshot!(printed("copilot"), @"
        session-start [sessionStart]: context (a session that is resumed has lost what its start was told)
        prompt [userPromptSubmitted]: context (why an agent must go on comes back as a prompt)
        before-tool [preToolUse]: context, deny, input (the new input replaces the whole one and needs permission)
        after-tool [postToolUse, postToolUseFailure]: context
        pre-compact [preCompact]:  (nothing is told when it is over: the notes come back with the next prompt)
        stop [agentStop]: go on
        subagent-start [subagentStart]: context (it is put before what the subagent is asked to do)
        subagent-stop [subagentStop]: go on
        session-end [sessionEnd]:  (told after every turn where another program drives the client)
        ");
    }

    #[test]
    fn what_antigravity_is_said_to_carry() {
        insta::assert_snapshot!(printed("antigravity"), @"
        before-tool [PreToolUse]: deny (from documents, unproven)
        after-tool [PostToolUse]:  (from documents, unproven)
        request [PreInvocation]: context (from documents, unproven)
        stop [Stop]: go on (from documents, unproven)
        ");
    }

    #[test]
    fn what_a_shell_carries() {
        insta::assert_snapshot!(printed("shell"), @"
        session-start [session-start]: context
        prompt [prompt]: context
        before-tool [before-tool]: context, deny
        after-tool [after-tool]: context
        request [request]: context
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
    fn what_gemini_carries() {
        insta::assert_snapshot!(printed("gemini"), @"
        session-start [SessionStart]:  (context would cost a resumed session its prompt; it waits for the prompt)
        prompt [BeforeAgent]: context
        before-tool [BeforeTool]: deny (context is lost; a new input would be used without anybody's leave)
        after-tool [AfterTool]: context
        request [BeforeModel]: context (context is put into this one request; those of subagents are told too)
        stop [AfterAgent]: go on (context is lost; it waits for the next prompt)
        session-end [SessionEnd]:  (nobody reads the answer)
        ");
    }

    #[test]
    fn what_opencode_carries() {
        insta::assert_snapshot!(printed("opencode"), @"
        session-start [session.created, session.compacted]: context (context comes with every request from then on)
        prompt [chat.message]: context (context is a part of its own behind the prompt, lost at a compaction)
        before-tool [tool.execute.before]: deny (context has no place)
        after-tool [tool.execute.after]: context
        request [experimental.chat.system.transform]: context (context is a system prompt of its own)
        pre-compact [experimental.session.compacting]:  (nobody reads the answer)
        stop [session.idle]:  (nobody reads the answer)
        subagent-start [chat.message]: context (context is a part of its own behind the prompt, lost at a compaction)
        subagent-stop [session.idle]:  (nobody reads the answer)
        session-end [session.deleted, dispose]:  (nobody reads the answer)
        ");
    }

    #[test]
    fn what_qwen_code_carries() {
        insta::assert_snapshot!(printed("qwen"), @"
        session-start [SessionStart]:  (context is lost, and a headless run tells of no start)
        prompt [UserPromptSubmit]: context
        before-tool [PreToolUse]: deny (context is lost)
        after-tool [PostToolUse, PostToolUseFailure]: context
        pre-compact [PreCompact]:  (nobody reads the answer)
        post-compact [PostCompact]:  (nobody reads the answer)
        stop [Stop]: go on (context is lost; it waits for the next prompt)
        subagent-start [SubagentStart]:  (context is lost)
        subagent-stop [SubagentStop]: go on (context is lost)
        session-end [SessionEnd]:  (nobody reads the answer)
        ");
    }

    #[test]
    fn rows_say_what_encoding_does() {
        for host in Host::ALL {
            for row in host.rows() {
                let words = host.events().into_iter();
                let mut words = words.filter(|word| host.kind(word) == Some(row.kind));
                assert!(words.all(|word| host.carries_context(word) == row.context), "{row:?}");
            }
        }
    }
}
