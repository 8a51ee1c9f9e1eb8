//! Taking back what we wrote into a file that others write too.
//!
//! What is remembered is the file before and after. If nobody touched it since, it becomes what it
//! was, byte for byte. If somebody did, exactly what we put in is cut out where it still stands as
//! we wrote it. Only where that fails is the file asked what it means. Nothing of others ever goes.

mod mask;
mod spans;
#[cfg(test)]
mod tests;

pub use self::mask::masked;
use crate::edit::{EditError, Removed, json::Document};

/// What one of our edits did to a file.
///
/// Whoever registers anew takes the old edit back first and remembers the new one: what came before
/// an edit must hold nothing of ours.
#[derive(Clone, Copy, Debug)]
pub struct Undo<'a> {
    /// The file as it was; `None` if there was none.
    pub before: Option<&'a str>,
    /// The file as we wrote it.
    pub after: &'a str,
}

/// A file after an edit was taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// What there shall be now.
    pub remains: Remains,
    /// How it was found.
    pub how: How,
}

/// What there shall be of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remains {
    Text(String),
    /// No file: there was none before us, and nobody put anything in it.
    NoFile,
}

/// How an edit was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Nobody had touched the file: it is what it was.
    Restored,
    /// Others had: what we wrote was cut out, and every byte of theirs is left.
    SpansCut,
    /// Others had changed how ours is written: it was taken out by its meaning.
    ByMeaning,
    /// There was nothing of ours any more.
    NothingOfOurs,
}

impl Undo<'_> {
    /// Takes the edit back from what the file is now. `by_meaning` takes ours out of any text.
    pub fn undo(
        &self,
        now: &str,
        by_meaning: impl Fn(&str) -> Result<Removed, EditError>,
    ) -> Result<Undone, EditError> {
        let clean = |text: &str| by_meaning(text).is_ok_and(|removed| removed.entries == 0);
        if now == self.after && self.before.is_none_or(clean) {
            let remains =
                self.before.map_or(Remains::NoFile, |text| Remains::Text(text.to_owned()));
            return Ok(Undone { remains, how: How::Restored });
        }
        let removed = by_meaning(now)?;
        if removed.entries == 0 {
            let remains = Remains::Text(now.to_owned());
            return Ok(Undone { remains, how: How::NothingOfOurs });
        }
        let (text, how) = match spans::cut(self.before.unwrap_or_default(), self.after, now) {
            Some(text) if clean(&text) && means_the_same(&text, &removed.text)? => {
                (text, How::SpansCut)
            }
            Some(_) | None => (removed.text, How::ByMeaning),
        };
        let nothing_left = self.before.is_none() && says_nothing(&text)?;
        let remains = if nothing_left { Remains::NoFile } else { Remains::Text(text) };
        Ok(Undone { remains, how })
    }
}

/// Tells whether two texts say the same, containers that say nothing left aside: which of those
/// were there before us only the remembered text knows.
fn means_the_same(one: &str, other: &str) -> Result<bool, EditError> {
    let (one, other) = (Document::read(one)?, Document::read(other)?);
    Ok(spans::same(&one, &other))
}

/// Tells whether a text has neither settings nor comments.
fn says_nothing(text: &str) -> Result<bool, EditError> {
    Ok(Document::read(text)?.says_nothing())
}
