//! From the JSON on a hook's stdin to an event.

#[cfg(test)]
mod tests;

use pacenote_model::EventBody;

use crate::{
    DecodeError, Decoded,
    claude::{Hook, decode_hook},
};

use super::{
    hook::{PASSED, kind},
    tools::TOOLS,
};

/// What we call the prompt that the client tells of before it goes on after a tool.
const NO_PROMPT: &str = "a prompt without words";

/// Decodes a payload. `event` is the word on our command line, such as `user-prompt-submit`.
pub fn decode(event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let Some(hook) = kind(event).and_then(|_| Hook::from_word(event)) else {
        let name = event.to_owned();
        let is_known = PASSED.contains(&event);
        return Ok(if is_known { Decoded::Passed { name } } else { Decoded::Unknown { name } });
    };
    let mut decoded = decode_hook(hook, &TOOLS, stdin)?;
    if let Decoded::Known { event, .. } = &mut decoded {
        match &mut event.body {
            // The client tells of a prompt before every request of a turn. Only the first of them is
            // the person's, and what is answered to the others is put into the request once more.
            EventBody::Prompt { prompt } if prompt.is_empty() => {
                return Ok(Decoded::Passed { name: NO_PROMPT.to_owned() });
            }
            // The client says so of every stop, the first one too, which tells nothing.
            EventBody::Stop { again, .. } => *again = false,
            EventBody::Prompt { .. }
            | EventBody::SessionStart { .. }
            | EventBody::BeforeTool { .. }
            | EventBody::AfterTool { .. }
            | EventBody::Request { .. }
            | EventBody::Todos { .. }
            | EventBody::PreCompact { .. }
            | EventBody::PostCompact { .. }
            | EventBody::SubagentStart { .. }
            | EventBody::SubagentStop { .. }
            | EventBody::SessionEnd { .. }
            | EventBody::Wake { .. } => {}
        }
    }
    Ok(decoded)
}
