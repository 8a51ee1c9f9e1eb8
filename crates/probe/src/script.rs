//! What the model will say.

use std::collections::VecDeque;

use serde_json::Value;

use crate::Request;

/// The input tokens a reply reports unless told otherwise: too few for any client to compact.
const INPUT_TOKENS: u64 = 100;

/// The output tokens a reply reports unless told otherwise.
const OUTPUT_TOKENS: u64 = 10;

/// What is said when the script has ended.
const EXHAUSTED: &str = "the script has no further reply";

/// The replies of a model, in order, one for each request of the conversation.
///
/// Requests of a kind other than [`Kind::Conversation`](crate::Kind::Conversation) are answered
/// beside the script.
/// After the last reply the model says that the script has ended.
#[derive(Clone, Debug, Default)]
pub struct Script {
    replies: VecDeque<Reply>,
    apart: Vec<Apart>,
}

/// The replies to one conversation among several.
#[derive(Clone, Debug)]
struct Apart {
    marker: String,
    replies: VecDeque<Reply>,
}

impl Script {
    /// Writes a script.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: replies.into_iter().collect(), apart: Vec::new() }
    }

    /// Adds replies for the conversation in whose texts `marker` stands, such as a subagent's: it
    /// goes on beside the main one, and nobody knows which of them asks first.
    #[must_use]
    pub fn apart(
        mut self,
        marker: impl Into<String>,
        replies: impl IntoIterator<Item = Reply>,
    ) -> Self {
        let replies = replies.into_iter().collect();
        self.apart.push(Apart { marker: marker.into(), replies });
        self
    }

    /// Takes the next reply to the conversation of a request.
    pub(crate) fn next(&mut self, request: &Request) -> Reply {
        let apart = self.apart.iter_mut().find(|apart| request.occurrences(&apart.marker) > 0);
        let replies = apart.map_or(&mut self.replies, |apart| &mut apart.replies);
        replies.pop_front().unwrap_or_else(|| Reply::text(EXHAUSTED))
    }

    pub(crate) fn len(&self) -> usize {
        self.replies.len() + self.apart.iter().map(|apart| apart.replies.len()).sum::<usize>()
    }
}

impl FromIterator<Reply> for Script {
    fn from_iter<I: IntoIterator<Item = Reply>>(replies: I) -> Self {
        Self::new(replies)
    }
}

/// One answer of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    pub(crate) content: Content,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
}

/// What an answer consists of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    Text(String),
    Tools(Vec<Call>),
    Error { status: u16, kind: String },
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) input: Value,
}

impl Reply {
    /// Says something and ends the turn.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Content::Text(text.into()))
    }

    /// Calls a tool of the client.
    pub fn tool(name: impl Into<String>, input: Value) -> Self {
        Self::tools([(name, input)])
    }

    /// Calls several tools of the client at once.
    pub fn tools<N: Into<String>>(calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        let call = |(name, input): (N, Value)| Call { name: name.into(), input };
        Self::new(Content::Tools(calls.into_iter().map(call).collect()))
    }

    /// Fails with an HTTP status and the wire form's name for the error.
    pub fn error(status: u16, kind: impl Into<String>) -> Self {
        Self::new(Content::Error { status, kind: kind.into() })
    }

    /// Reports this many tokens; a large input makes a client compact its conversation.
    #[must_use]
    pub fn usage(mut self, input_tokens: u64, output_tokens: u64) -> Self {
        self.input_tokens = input_tokens;
        self.output_tokens = output_tokens;
        self
    }

    fn new(content: Content) -> Self {
        Self { content, input_tokens: INPUT_TOKENS, output_tokens: OUTPUT_TOKENS }
    }
}
