//! What we read of a line.

use serde::de::SeqAccess;

use crate::lenient::{First, Taken, fields, taken};

/// Most blocks that are read of one list. The client writes one block a line nowadays, and a hook's
/// text for each hook of an event.
const BLOCKS: usize = 256;

/// The fields of a line.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) kind: Option<String>,
    pub(super) message: Message,
    pub(super) attachment: Attachment,
    pub(super) is_meta: Option<bool>,
    pub(super) is_sidechain: Option<bool>,
    pub(super) is_compact_summary: Option<bool>,
}

/// What is sent to the model, or comes from it.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) content: Content<Block>,
}

/// What the client puts into a conversation by itself.
#[derive(Debug, Default)]
pub(super) struct Attachment {
    pub(super) kind: Option<String>,
    pub(super) hook_event: Option<String>,
    pub(super) content: Content<Piece>,
    pub(super) blocking_error: BlockingError,
}

/// Why a hook kept something from happening.
#[derive(Debug, Default)]
pub(super) struct BlockingError {
    pub(super) text: Option<String>,
}

/// A text, or a list.
#[derive(Debug)]
pub(super) struct Content<T> {
    pub(super) text: Option<String>,
    pub(super) list: Vec<T>,
}

/// A block of a message.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) kind: Option<String>,
    pub(super) text: Option<String>,
    pub(super) name: Option<String>,
    pub(super) content: Content<Piece>,
    pub(super) is_error: Option<bool>,
}

/// A text that stands alone or in an object.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) text: Option<String>,
}

taken!(Line {
    "type": kind,
    "message": message,
    "attachment": attachment,
    "isMeta": is_meta,
    "isSidechain": is_sidechain,
    "isCompactSummary": is_compact_summary,
});

taken!(Message { "content": content });

taken!(Attachment {
    "type": kind,
    "hookEvent": hook_event,
    "content": content,
    "blockingError": blocking_error,
});

taken!(BlockingError { "blockingError": text });

taken!(Block {
    "type": kind,
    "text": text,
    "name": name,
    "content": content,
    "is_error": is_error,
});

impl Taken for Piece {
    fn from_text(text: &str) -> Self {
        Self { text: Some(text.to_owned()) }
    }

    fields! { "text": text }
}

impl<T> Default for Content<T> {
    fn default() -> Self {
        Self { text: None, list: Vec::new() }
    }
}

impl<T: Taken> Taken for Content<T> {
    fn from_text(text: &str) -> Self {
        Self { text: Some(text.to_owned()), list: Vec::new() }
    }

    fn from_list<'de, A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        let list = Option::<First<T, BLOCKS>>::from_list(list)?;
        Ok(Self { text: None, list: list.map(|First(list)| list).unwrap_or_default() })
    }
}
