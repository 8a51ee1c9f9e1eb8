//! The hosts whose hooks we answer, behind one front.

use crate::{DecodeError, Decoded, Form, Moment, Reply, capabilities::Row, claude, shell};

/// A host whose hooks we answer. Each has a folder of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// Claude Code.
    Claude,
    /// Whatever else can run a command.
    Shell,
}

impl Host {
    /// Every host.
    pub const ALL: [Self; 2] = [Self::Claude, Self::Shell];

    /// Returns the name on our command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Shell => "shell",
        }
    }

    /// Parses the name of [`Host::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns the words on our command line of the events that tell us something.
    pub fn events(self) -> Vec<&'static str> {
        match self {
            Self::Claude => claude::events().collect(),
            Self::Shell => Moment::ALL.map(Moment::word).to_vec(),
        }
    }

    /// Returns what an event is to us; `None` when it tells us nothing.
    pub fn moment(self, event: &str) -> Option<Moment> {
        match self {
            Self::Claude => claude::moment(event),
            Self::Shell => Moment::from_word(event),
        }
    }

    /// Tells whether an event asks for leave to use a tool.
    pub fn is_before_tool(self, event: &str) -> bool {
        self.moment(event) == Some(Moment::BeforeTool)
    }

    /// Decodes a payload. `event` is the word on our command line.
    pub fn decode(self, event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
        match self {
            Self::Claude => claude::decode(event, stdin),
            Self::Shell => shell::decode(event, stdin),
        }
    }

    /// Encodes an answer, in the form that the payload asked for; a host that reads only one form
    /// gets that. When the payload could not be read, the form is the default.
    pub fn encode(self, event: &str, reply: &Reply, form: Form) -> String {
        match self {
            Self::Claude => claude::encode(event, reply),
            Self::Shell => shell::encode(event, reply, form),
        }
    }

    /// Tells whether the answer to an event can carry text for the model.
    pub fn carries_context(self, event: &str) -> bool {
        match self {
            Self::Claude => claude::carries_context(event),
            Self::Shell => shell::carries_context(event),
        }
    }

    /// Tells whether a line of the host's transcript says that exactly this text reached the model.
    /// A host whose transcript we cannot read never says so.
    pub fn shows(self, line: &str, text: &str) -> bool {
        match self {
            Self::Claude => claude::transcript::holds(line, text),
            Self::Shell => false,
        }
    }

    /// Returns what the answers to its events can carry, one row for each moment that it tells.
    pub fn rows(self) -> Vec<Row> {
        match self {
            Self::Claude => claude::rows(),
            Self::Shell => shell::rows(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_is_found_by_its_name() {
        for host in Host::ALL {
            assert_eq!(Host::from_name(host.name()), Some(host));
        }
        assert_eq!(Host::from_name("Claude"), None);
        assert_eq!(Host::from_name(""), None);
    }

    #[test]
    fn every_event_is_a_moment_and_every_moment_an_event() {
        for host in Host::ALL {
            let told: Vec<Moment> =
                host.events().into_iter().filter_map(|event| host.moment(event)).collect();
            assert_eq!(told.len(), host.events().len(), "{host:?}");
            assert!(Moment::ALL.iter().all(|moment| told.contains(moment)), "{host:?}");
        }
    }

    #[test]
    fn leave_is_asked_before_a_tool() {
        for (host, event) in [(Host::Claude, "pre-tool-use"), (Host::Shell, "before-tool")] {
            for word in host.events() {
                assert_eq!(host.is_before_tool(word), word == event, "{host:?} {word}");
            }
            assert!(!host.is_before_tool("permission-request"));
        }
    }

    #[test]
    fn what_is_not_understood_is_answered_with_nothing() {
        for (host, nothing) in [(Host::Claude, "{}"), (Host::Shell, "")] {
            for event in ["", "teleport"] {
                assert_eq!(
                    host.decode(event, b"\xff").unwrap(),
                    Decoded::Unknown { name: event.to_owned() },
                );
                let reply = Reply::context("text".to_owned());
                assert_eq!(host.encode(event, &reply, Form::default()), nothing);
                assert!(!host.carries_context(event));
            }
        }
    }
}
