//! The hosts whose hooks we answer, behind one front.

use pacenote_model::EventKind;

use crate::{
    Capabilities, DecodeError, Decoded, Form, HOSTS, Reply, antigravity, capabilities::Row, claude,
    codex, copilot, gemini, opencode, qwen, shell,
};

/// A host whose hooks we answer. Each has a folder of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    Antigravity,
    /// Claude Code.
    Claude,
    Codex,
    /// Copilot CLI.
    Copilot,
    /// Gemini CLI.
    Gemini,
    OpenCode,
    /// Qwen Code.
    Qwen,
    /// Whatever else can run a command.
    Shell,
}

impl Host {
    /// Every host.
    pub const ALL: [Self; 8] = [
        Self::Antigravity,
        Self::Claude,
        Self::Codex,
        Self::Copilot,
        Self::Gemini,
        Self::OpenCode,
        Self::Qwen,
        Self::Shell,
    ];

    /// Returns the name on our command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Antigravity => "antigravity",
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
            Self::Qwen => "qwen",
            Self::Shell => "shell",
        }
    }

    /// Parses the name of [`Host::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns what is known of it.
    pub fn capabilities(self) -> &'static Capabilities {
        // Every host has a row; one without would have the lowest ceiling there is.
        let [claude, ..] = &HOSTS;
        HOSTS.iter().find(|row| row.name == self.name()).unwrap_or(claude)
    }

    /// Returns the words on our command line of the events that tell us something.
    pub fn events(self) -> Vec<&'static str> {
        match self {
            Self::Antigravity => antigravity::events().collect(),
            Self::Claude => claude::events().collect(),
            Self::Codex => codex::events().collect(),
            Self::Copilot => copilot::events().collect(),
            Self::Gemini => gemini::events().collect(),
            Self::OpenCode => opencode::events().collect(),
            Self::Qwen => qwen::events().collect(),
            Self::Shell => EventKind::sent().map(EventKind::word).collect(),
        }
    }

    /// Returns what an event is to us; `None` when it tells us nothing.
    pub fn kind(self, event: &str) -> Option<EventKind> {
        match self {
            Self::Antigravity => antigravity::kind(event),
            Self::Claude => claude::kind(event),
            Self::Codex => codex::kind(event),
            Self::Copilot => copilot::kind(event),
            Self::Gemini => gemini::kind(event),
            Self::OpenCode => opencode::kind(event),
            Self::Qwen => qwen::kind(event),
            Self::Shell => EventKind::sent_as(event),
        }
    }

    /// Tells whether an event asks for leave to use a tool.
    pub fn is_before_tool(self, event: &str) -> bool {
        self.kind(event) == Some(EventKind::BeforeTool)
    }

    /// Decodes a payload. `event` is the word on our command line.
    pub fn decode(self, event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
        match self {
            Self::Antigravity => antigravity::decode(event, stdin),
            Self::Claude => claude::decode(event, stdin),
            Self::Codex => codex::decode(event, stdin),
            Self::Copilot => copilot::decode(event, stdin),
            Self::Gemini => gemini::decode(event, stdin),
            Self::OpenCode => opencode::decode(event, stdin),
            Self::Qwen => qwen::decode(event, stdin),
            Self::Shell => shell::decode(event, stdin),
        }
    }

    /// Encodes an answer, in the form that the payload asked for; a host that reads only one form
    /// gets that. When the payload could not be read, the form is the default.
    ///
    /// Some hosts are answered with parts of their own payload. Without it, whoever answers before
    /// it came says less.
    pub fn encode(self, event: &str, reply: &Reply, form: Form, payload: &[u8]) -> String {
        match self {
            Self::Antigravity => antigravity::encode(event, reply),
            Self::Claude => claude::encode(event, reply),
            Self::Codex => codex::encode(event, reply),
            Self::Copilot => copilot::encode(event, reply),
            Self::Gemini => gemini::encode(event, reply, payload),
            Self::OpenCode => opencode::encode(event, reply),
            Self::Qwen => qwen::encode(event, reply),
            Self::Shell => shell::encode(event, reply, form),
        }
    }

    /// Tells whether the answer to an event can carry text for the model.
    pub fn carries_context(self, event: &str) -> bool {
        match self {
            Self::Antigravity => antigravity::carries_context(event),
            Self::Claude => claude::carries_context(event),
            Self::Codex => codex::carries_context(event),
            Self::Copilot => copilot::carries_context(event),
            Self::Gemini => gemini::carries_context(event),
            Self::OpenCode => opencode::carries_context(event),
            Self::Qwen => qwen::carries_context(event),
            Self::Shell => shell::carries_context(event),
        }
    }

    /// Tells whether the host forgets a prompt, and what came with it, that was cancelled before its
    /// first word or blocked by another hook. Of the others it was not seen.
    pub const fn takes_prompts_back(self) -> bool {
        matches!(self, Self::Claude)
    }

    /// Reports whether the host spells out angle brackets in what its model reads, and nothing can be
    /// done about it.
    pub const fn spells_brackets(self) -> bool {
        matches!(self, Self::Qwen)
    }

    /// Reports whether it spells them out in answers, and lets us set that right in requests.
    pub const fn respells_in_requests(self) -> bool {
        matches!(self, Self::Gemini)
    }

    /// Tells whether a line of the host's transcript says that exactly this text reached the model.
    /// A host whose transcript we cannot read never says so.
    pub fn shows(self, line: &str, text: &str) -> bool {
        match self {
            Self::Claude => claude::transcript::holds(line, text),
            Self::Codex => codex::transcript::holds(line, text),
            Self::Copilot => copilot::transcript::holds(line, text),
            Self::Antigravity | Self::Gemini | Self::OpenCode | Self::Qwen | Self::Shell => false,
        }
    }

    /// Returns what the answers to its events can carry, one row for each kind of event that it sends.
    pub fn rows(self) -> Vec<Row> {
        match self {
            Self::Antigravity => antigravity::rows(),
            Self::Claude => claude::rows(),
            Self::Codex => codex::rows(),
            Self::Copilot => copilot::rows(),
            Self::Gemini => gemini::rows(),
            Self::OpenCode => opencode::rows(),
            Self::Qwen => qwen::rows(),
            Self::Shell => shell::rows(),
        }
    }
}

#[cfg(test)]
mod tests {
    use pacenote_model::EventBody;

    use super::*;

    #[test]
    fn every_host_is_found_by_its_name() {
        for host in Host::ALL {
            assert_eq!(Host::from_name(host.name()), Some(host));
            assert_eq!(host.capabilities().name, host.name());
        }
        assert_eq!(Host::from_name("Claude"), None);
        assert_eq!(Host::from_name(""), None);
    }

    #[test]
    fn every_event_is_a_moment_and_every_moment_an_event() {
        for host in Host::ALL {
            let told: Vec<EventKind> =
                host.events().into_iter().filter_map(|event| host.kind(event)).collect();
            assert_eq!(told.len(), host.events().len(), "{host:?}");
            assert!(host.rows().iter().all(|row| told.contains(&row.kind)), "{host:?}");
        }
    }

    #[test]
    fn a_skill_that_is_loaded_is_named() {
        let claude = r#"{"session_id":"s","cwd":"/p","tool_name":"TOOL","tool_input":INPUT}"#;
        let copilot = r#"{"sessionId":"s","cwd":"/p","toolName":"TOOL","toolArgs":INPUT}"#;
        let opencode = r#"{"session":"s","directory":"/p","tool":"TOOL","args":INPUT}"#;
        let shell = r#"{"session":"s","directory":"/p","tool":INPUT}"#;
        let read = r#"{"command":"cat ~/.codex/skills/plans/SKILL.md"}"#;
        for (host, event, payload, tool, input, skill) in [
            (Host::Claude, "post-tool-use", claude, "Skill", r#"{"skill":"a:plans"}"#, "a:plans"),
            (Host::Claude, "post-tool-use", claude, "Read", r#"{"skill":"plans"}"#, ""),
            (Host::Qwen, "post-tool-use", claude, "skill", r#"{"skill":"plans"}"#, "plans"),
            (Host::Gemini, "after-tool", claude, "activate_skill", r#"{"name":"plans"}"#, "plans"),
            (Host::Gemini, "after-tool", claude, "other", r#"{"name":"plans"}"#, ""),
            (Host::Codex, "post-tool-use", claude, "Bash", read, "plans"),
            (Host::Copilot, "post-tool-use", copilot, "skill", r#"{"skill":"plans"}"#, "plans"),
            (Host::OpenCode, "after-tool", opencode, "skill", r#"{"name":"plans"}"#, "plans"),
            (Host::Shell, "after-tool", shell, "", r#"{"name":"x","skill":"plans"}"#, "plans"),
        ] {
            let payload = payload.replace("TOOL", tool).replace("INPUT", input);
            let decoded = host.decode(event, payload.as_bytes()).unwrap();
            let Decoded::Known { event, .. } = decoded else { panic!("{host:?}: {decoded:?}") };
            let EventBody::AfterTool { tool, .. } = event.body else { panic!("{host:?}") };
            assert_eq!(tool.skill.as_deref().unwrap_or_default(), skill, "{host:?} {payload}");
        }
    }

    #[test]
    fn leave_is_asked_before_a_tool() {
        for (host, event) in [
            (Host::Antigravity, "pre-tool-use"),
            (Host::Claude, "pre-tool-use"),
            (Host::Codex, "pre-tool-use"),
            (Host::Copilot, "pre-tool-use"),
            (Host::Gemini, "before-tool"),
            (Host::OpenCode, "before-tool"),
            (Host::Qwen, "pre-tool-use"),
            (Host::Shell, "before-tool"),
        ] {
            for word in host.events() {
                assert_eq!(host.is_before_tool(word), word == event, "{host:?} {word}");
            }
            assert!(!host.is_before_tool("permission-request"));
        }
    }

    #[test]
    fn what_is_not_understood_is_answered_with_nothing() {
        for host in Host::ALL {
            let nothing = if host == Host::Shell { "" } else { "{}" };
            for event in ["", "teleport"] {
                assert_eq!(
                    host.decode(event, b"\xff").unwrap(),
                    Decoded::Unknown { name: event.to_owned() },
                );
                let reply = Reply::context("text".to_owned());
                assert_eq!(host.encode(event, &reply, Form::default(), b""), nothing);
                assert!(!host.carries_context(event));
            }
        }
    }
}
