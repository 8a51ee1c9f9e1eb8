//! What we read of a line.

use serde::de::SeqAccess;

use crate::lenient::{First, Taken, taken};

/// Most pieces that are read of one message. The client writes one for each text and image.
const PIECES: usize = 256;

/// The fields of a line.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) kind: Option<String>,
    pub(super) payload: Payload,
}

/// What a line is about.
#[derive(Debug, Default)]
pub(super) struct Payload {
    pub(super) kind: Option<String>,
    pub(super) role: Option<String>,
    pub(super) content: Content,
    pub(super) item: Item,
}

/// Something that happened.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) kind: Option<String>,
    pub(super) content: Content,
    pub(super) status: Option<String>,
    pub(super) aggregated_output: Option<String>,
}

/// The pieces of a message.
#[derive(Debug, Default)]
pub(super) struct Content {
    list: Vec<Piece>,
}

/// A text, or something without.
#[derive(Debug, Default)]
struct Piece {
    text: Option<String>,
}

impl Content {
    /// Returns its texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.list.iter().filter_map(|piece| piece.text.as_deref())
    }
}

impl Taken for Content {
    fn from_list<'de, A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        let list = Option::<First<Piece, PIECES>>::from_list(list)?;
        Ok(Self { list: list.map(|First(list)| list).unwrap_or_default() })
    }
}

taken!(Line { "type": kind, "payload": payload });
taken!(Payload { "type": kind, "role": role, "content": content, "item": item });
taken!(Item {
    "type": kind,
    "content": content,
    "status": status,
    "aggregated_output": aggregated_output,
});
taken!(Piece { "text": text });
