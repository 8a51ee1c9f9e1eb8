//! What a client sent, as it is kept.

use serde_json::Value;

use crate::http::Head;
use crate::wire::Wire;

/// Headers that carry a key or a token; they are never kept.
const SECRET_HEADERS: [&str; 6] =
    ["api-key", "authorization", "cookie", "proxy-authorization", "x-api-key", "x-goog-api-key"];

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A turn of the conversation, of the main agent or of a subagent; it takes a reply of the
    /// script.
    Conversation,
    /// The client asks for the summary that replaces its conversation when it compacts.
    Summary,
    /// The client asks for a name for its session, with a prompt that says so.
    Title,
    /// The client asks which model shall take the turn.
    Router,
    /// Anything else: counting tokens, checking a quota, listing models, an unknown address.
    Side,
}

/// A request as it was received, without its secrets.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The method, such as `POST`.
    pub method: String,
    /// The path and query, such as `/v1/messages?beta=true`.
    pub path: String,
    /// The headers in order, their names in lower case, without those that carry keys.
    pub headers: Vec<(String, String)>,
    /// The body, when there was one and it was JSON.
    pub body: Option<Value>,
    /// What the request is for.
    pub kind: Kind,
    /// The wire form it speaks, when its address belongs to one.
    pub wire: Option<Wire>,
}

/// A text the model gets to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Who speaks, in the word of the wire form, such as `system`, `user` or `assistant`.
    pub role: String,
    /// What is said.
    pub text: String,
}

impl Request {
    pub(crate) fn new(head: &Head, body: Option<Value>) -> Self {
        let wire = Wire::of(head.path());
        let kind = match wire.zip(body.as_ref()) {
            Some((wire, body)) if head.method == "POST" => wire.kind(head.path(), body),
            Some(_) | None => Kind::Side,
        };
        let secret = |name: &str| SECRET_HEADERS.contains(&name);
        let headers = head.headers.iter().filter(|(name, _)| !secret(name)).cloned().collect();
        let (method, path) = (head.method.clone(), head.target.clone());
        Self { method, path, headers, body, kind, wire }
    }

    /// Returns every text of the request, whoever speaks: the system prompt first, then the messages
    /// in order, the results of tools among them.
    pub fn texts(&self) -> Vec<Text> {
        let read = self.wire.zip(self.body.as_ref());
        read.map(|(wire, body)| wire.texts(body)).unwrap_or_default()
    }

    /// Counts how often `needle` stands in the texts, overlaps not counted twice.
    pub fn occurrences(&self, needle: &str) -> usize {
        if needle.is_empty() {
            return 0;
        }
        self.texts().iter().map(|text| text.text.matches(needle).count()).sum()
    }
}
