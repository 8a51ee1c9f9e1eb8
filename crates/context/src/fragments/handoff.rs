//! What an earlier session left behind for this one.

use pacenote_model::{Number, Trust};

use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, TagName},
    fragment::{Fragment, Frame, Item, ItemId, Kind},
    wording::one_line,
};

/// Longest path shown, in characters.
const PATH_CHARACTERS: usize = 200;

/// A handoff.
#[derive(Clone, Debug)]
pub struct Handoff<'a> {
    /// The session that wrote it.
    pub session: Number,
    /// The file it is kept in.
    pub file: String,
    /// What it says.
    pub text: String,
    /// What its fence is made with.
    pub secret: &'a InstallSecret,
}

impl Fragment for Handoff<'_> {
    fn kind(&self) -> Kind {
        Kind::Handoff
    }

    fn trust(&self) -> Trust {
        Trust::Agent
    }

    fn reason(&self) -> String {
        format!("session {} left it for the next one", self.session)
    }

    fn frame(&self) -> Frame {
        Frame::of_passages(TagName::Handoff)
            .with("session", self.session.to_string())
            .fenced(Fence::new(self.secret, &digest_of([self.text.as_str()])), Trust::Agent)
    }

    fn items(&self) -> Vec<Item> {
        let id = ItemId::of(Kind::Handoff, self.session);
        let text = Escaped::body(&self.text, Trust::Agent);
        Vec::from([Item { id, label: String::new(), text }])
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        if left_out.is_empty() {
            return None;
        }
        let file = one_line(&self.file, PATH_CHARACTERS);
        Some(Escaped::text(&format!("Handoff of session {}: read {file}.", self.session)))
    }
}
