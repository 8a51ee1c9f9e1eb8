//! A request to the model: whether it holds our notes, and how they are put into it.
//!
//! Hooks are shown the texts of a request, without what else is in it. A hook that answers with
//! messages replaces texts by their place and leaves the rest as it is; so one message, the first,
//! is enough to add something, and nothing of the conversation goes through our hands.

use pacenote_model::NotesIn;
use serde::{Serialize, de::SeqAccess};

use crate::lenient::{Taken, loosely_next, taken};

/// How the notes that a context begins with must begin, for the client takes the brackets of tags
/// away: whoever writes them as Markdown starts with this, and what is told later does not.
pub const OPENING: &str = "# pacenote: ";

/// How they may begin besides: as tags, whole or with their brackets spelled out.
const TAGS: [&str; 2] = ["<pacenote ", "&lt;pacenote "];

/// What the client puts round a hook's text.
const CONTEXT: (&str, &str) = ("<hook_context>", "</hook_context>");

/// How the first message of a session begins, before and after a compression. Those of subagents
/// begin with what they are asked.
const SESSION: &str = "<session_context>";

/// Whose messages we read and write. What the model says is its own.
const USER: &str = "user";

/// Most messages that are given back to have notes in them spelled right. They are in the first prompt
/// of a session, behind what the client itself says.
const OPENING_MESSAGES: usize = 8;

/// The texts of a request, as far as we need them.
#[derive(Debug)]
pub(super) struct Messages {
    /// The first message and, as long as they are the user's, those after it up to the one that holds
    /// the notes.
    opening: Vec<Message>,
    hold_notes: bool,
}

/// A text of a request.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Message {
    role: Option<String>,
    content: Option<String>,
}

taken!(Message { "role": role, "content": content });

impl Taken for Option<Messages> {
    fn from_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut messages = Messages { opening: Vec::new(), hold_notes: false };
        let mut opens = true;
        // One after the other: a conversation may have megabytes.
        while let Some(message) = loosely_next::<Message, A>(&mut list)? {
            let is_told = message.is_told();
            let holds = is_told && message.text().is_some_and(hold_notes);
            messages.hold_notes |= holds;
            let is_first = messages.opening.is_empty();
            if is_first || (opens && is_told && messages.opening.len() < OPENING_MESSAGES) {
                messages.opening.push(message);
            }
            opens &= is_told && !holds;
        }
        Ok(Some(messages))
    }
}

impl Messages {
    /// Tells whether the notes are in the request; `None` when there is nothing they could be in.
    pub(super) fn notes(&self) -> Option<NotesIn> {
        let first = self.opening.first()?.text()?;
        Some(if self.hold_notes {
            NotesIn::Held
        } else if first.starts_with(SESSION) {
            NotesIn::Lost
        } else {
            // A subagent's conversation is its own, and what we put into a request is not kept.
            NotesIn::Never
        })
    }

    /// Returns the first message with notes behind it, in the client's own form; `None` when the
    /// first message is not one that may be added to.
    fn first_with(&self, notes: &str) -> Option<Message> {
        let first = self.opening.first().filter(|first| first.is_told())?;
        let notes = contained(notes);
        let content = format!("{}\n\n{}{notes}{}", first.text()?, CONTEXT.0, CONTEXT.1);
        Some(Message { role: first.role.clone(), content: Some(content) })
    }

    /// Returns the messages up to the one that holds the notes, with the notes as they were written:
    /// the client spells out their brackets. `None` when nothing is spelled otherwise, or when the
    /// model spoke before: its messages hold more than we are shown.
    fn opening_with(&self, notes: &str) -> Option<Vec<Message>> {
        let spelled = notes.replace('<', "&lt;").replace('>', "&gt;");
        let (holder, before) = self.opening.split_last()?;
        let text = holder.text().filter(|text| holder.is_told() && text.contains(&spelled))?;
        let content = text.replacen(&spelled, &contained(notes), 1);
        if content == text {
            return None;
        }
        let exact = Message { role: holder.role.clone(), content: Some(content) };
        Some(before.iter().cloned().chain([exact]).collect())
    }

    /// Returns the messages with which a request holds the notes as they were written.
    pub(super) fn with_notes(&self, notes: &str) -> Option<Vec<Message>> {
        if self.hold_notes { self.opening_with(notes) } else { Some(vec![self.first_with(notes)?]) }
    }
}

/// Returns notes that do not end what the client puts round a hook's text.
fn contained(notes: &str) -> String {
    let [opening, closing] = [CONTEXT.0, CONTEXT.1].map(|tag| tag.replace('<', "&lt;"));
    notes.replace(CONTEXT.0, &opening).replace(CONTEXT.1, &closing)
}

impl Message {
    fn is_told(&self) -> bool {
        self.role.as_deref() == Some(USER)
    }

    fn text(&self) -> Option<&str> {
        self.content.as_deref()
    }
}

/// Returns a prompt without the context that hooks put before it.
pub(super) fn without_context(prompt: &str) -> &str {
    let mut rest = prompt;
    while let Some((_, after)) =
        rest.strip_prefix(CONTEXT.0).and_then(|inner| inner.split_once(CONTEXT.1))
    {
        rest = after.trim_start_matches('\n');
    }
    rest
}

/// Tells whether a text holds the notes of a context's beginning. Only what hooks said is looked at:
/// a person may speak of us too.
fn hold_notes(text: &str) -> bool {
    let contexts = text.split(CONTEXT.0).skip(1);
    let said = contexts.map(|context| context.split(CONTEXT.1).next().unwrap_or_default());
    let mut lines = said.flat_map(str::lines);
    lines.any(|line| line.starts_with(OPENING) || TAGS.iter().any(|tag| line.starts_with(tag)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::lenient;

    #[derive(Debug, Default)]
    struct Request {
        messages: Option<Messages>,
    }

    taken!(Request { "messages": messages });

    fn messages(texts: &[(&str, &str)]) -> Messages {
        let list = texts.iter().map(|(role, text)| json!({ "role": role, "content": text }));
        let request = json!({ "messages": list.collect::<Vec<_>>() }).to_string();
        lenient::read::<Request>(&request).unwrap().messages.unwrap()
    }

    #[test]
    fn where_notes_are_found() {
        const START: &str = "<session_context>\nToday\n</session_context>hi";
        let told = |text: &str| messages(&[("user", START), ("user", text)]).notes();
        for (text, notes) in [
            ("", NotesIn::Lost),
            ("hi<hook_context># pacenote: shop\n| a</hook_context>", NotesIn::Held),
            ("hi<hook_context>other hook\n# pacenote: shop</hook_context>", NotesIn::Held),
            ("<hook_context>&lt;pacenote project=\"shop\"&gt;</hook_context>", NotesIn::Held),
            ("<hook_context><pacenote project=\"shop\"></hook_context>", NotesIn::Held),
            // Somebody speaks of us, or of something else.
            ("# pacenote: shop", NotesIn::Lost),
            ("<hook_context>other</hook_context>\n# pacenote: shop", NotesIn::Lost),
            ("<hook_context>## pacenote: shop</hook_context>", NotesIn::Lost),
            ("<hook_context># pacenotes: shop</hook_context>", NotesIn::Lost),
        ] {
            assert_eq!(told(text), Some(notes), "{text}");
        }
        let model = [("user", START), ("model", "<hook_context># pacenote: x</hook_context>")];
        assert_eq!(messages(&model).notes(), Some(NotesIn::Lost));
    }

    #[test]
    fn a_subagent_is_known_by_its_first_message() {
        let asked = [("user", "Find the form."), ("user", "<session_context>")];
        assert_eq!(messages(&asked).notes(), Some(NotesIn::Never));
        assert_eq!(messages(&[]).notes(), None);
    }

    #[test]
    fn a_prompt_without_what_hooks_said_before_it() {
        for (prompt, said) in [
            ("hello", "hello"),
            ("", ""),
            ("<hook_context>a</hook_context>\n\nhello", "hello"),
            (
                "<hook_context>a</hook_context><hook_context>b\n</hook_context>\n\nhello\n",
                "hello\n",
            ),
            ("<hook_context>a</hook_context>", ""),
            ("hello <hook_context>a</hook_context>", "hello <hook_context>a</hook_context>"),
            ("<hook_context>hello", "<hook_context>hello"),
        ] {
            assert_eq!(without_context(prompt), said, "{prompt}");
        }
    }

    proptest! {
        /// Notes that were put into a request are found in it, whatever else is there, and nothing
        /// of the message is lost.
        #[test]
        fn what_is_put_in_is_found(first in "(?s).{0,60}", rest in "(?s).{0,60}") {
            let notes = format!("{OPENING}{rest}");
            let with = messages(&[("user", &first)]).first_with(&notes).unwrap();
            let content = with.content.unwrap();
            prop_assert!(content.starts_with(&first));
            prop_assert_eq!(messages(&[("user", &content)]).notes(), Some(NotesIn::Held));
        }
    }

    #[test]
    fn notes_that_the_client_spelled_otherwise_are_as_they_were_written() {
        const START: &str = "<session_context>\nToday\n</session_context>";
        let notes =
            "# pacenote: shop\n| let a: Vec<&str> = b(\"&lt;\", c > d && e);\n| </hook_context>";
        let spelled = notes.replace('<', "&lt;").replace('>', "&gt;");
        let held = format!("begin<hook_context>{spelled}</hook_context>");
        let texts = |found: Option<Vec<Message>>| -> Vec<String> {
            found.into_iter().flatten().filter_map(|message| message.content).collect()
        };
        let exact = notes.replace("</hook", "&lt;/hook");
        let whole = format!("begin<hook_context>{exact}</hook_context>");
        let request = messages(&[("user", START), ("user", &held), ("model", "yes")]);
        assert_eq!(texts(request.with_notes(notes)), [START, &whole]);
        // What the model said is given back by nobody; other notes are not these.
        let later = messages(&[("user", START), ("model", "yes"), ("user", &held)]);
        assert_eq!(texts(later.with_notes(notes)), [""; 0]);
        assert_eq!(texts(request.with_notes("# pacenote: other <b>")), [""; 0]);
        assert_eq!(texts(request.with_notes("# pacenote: shop")), [""; 0]);
        // Where they are gone they are put in as they are.
        let gone = messages(&[("user", START)]);
        let put = format!("{START}\n\n<hook_context>{exact}</hook_context>");
        assert_eq!(texts(gone.with_notes(notes)), [put]);
    }

    #[test]
    fn the_model_s_words_are_not_added_to() {
        assert!(messages(&[("model", "yes")]).first_with("notes").is_none());
        assert!(messages(&[]).first_with("notes").is_none());
    }
}
