//! What we read of a line.

use serde::de::SeqAccess;

use crate::lenient::{First, Taken, taken};

/// Most tools that are read of one message.
const REQUESTS: usize = 256;

/// The fields of a line.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) kind: Option<String>,
    pub(super) agent_id: Option<String>,
    pub(super) data: Data,
}

/// What a line is about.
#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) content: Option<String>,
    pub(super) tool_requests: Requests,
    pub(super) hook_type: Option<String>,
    pub(super) success: Option<bool>,
    pub(super) output: Output,
    pub(super) result: Outcome,
    pub(super) error: Trouble,
    pub(super) summary_content: Option<String>,
}

/// What a hook answered.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) additional_context: Option<String>,
}

/// What a tool gave back.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) content: Option<String>,
    pub(super) detailed_content: Option<String>,
}

/// Why a tool failed.
#[derive(Debug, Default)]
pub(super) struct Trouble {
    pub(super) message: Option<String>,
}

/// What the model wants to use.
#[derive(Debug, Default)]
pub(super) struct Requests {
    list: Vec<Request>,
}

/// A tool that the model wants to use.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) name: Option<String>,
}

impl IntoIterator for Requests {
    type Item = Request;
    type IntoIter = std::vec::IntoIter<Request>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl Taken for Requests {
    fn from_list<'de, A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        let list = Option::<First<Request, REQUESTS>>::from_list(list)?;
        Ok(Self { list: list.map(|First(list)| list).unwrap_or_default() })
    }
}

taken!(Line { "type": kind, "agentId": agent_id, "data": data });
taken!(Data {
    "content": content,
    "toolRequests": tool_requests,
    "hookType": hook_type,
    "success": success,
    "output": output,
    "result": result,
    "error": error,
    "summaryContent": summary_content,
});
taken!(Output { "additionalContext": additional_context });
taken!(Outcome { "content": content, "detailedContent": detailed_content });
taken!(Trouble { "message": message });
taken!(Request { "name": name });
