//! The only place that writes a tag, and the only place that makes foreign text harmless.
//!
//! A model reads tags as structure, so no title, reason or name may bring its own: text becomes
//! [`Escaped`] here or it is not shown. A terminal reads control characters as commands, so text
//! for people passes through [`inert`]. Nothing here decides what is shown.

use std::{
    borrow::{Borrow, Cow},
    iter::Peekable,
};

use pacenote_model::{Trust, break_control_tokens, text::is_hidden};

pub(crate) mod body;
mod fence;

pub use fence::{Fence, InstallSecret};

/// Marks the line a reader should look at first.
pub(crate) const CURRENT_MARK: &str = "  <-- CURRENT";

/// How a text stands in its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// On the line of the tag.
    Line,
    /// On lines of its own.
    Block,
}

/// A tag that may stand in what we inject: that of a fragment, or one of three others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    word: &'static str,
    shape: Shape,
}

impl Tag {
    /// Everything one hook injects.
    pub const PACENOTE: Self = Self { word: "pacenote", shape: Shape::Block };
    /// The body of one message.
    pub const MESSAGE: Self = Self { word: "message", shape: Shape::Block };
    /// How to fetch what is not shown.
    pub const MORE: Self = Self { word: "more", shape: Shape::Line };

    /// Those that belong to no kind of fragment.
    pub(crate) const OWN: [Self; 3] = [Self::PACENOTE, Self::MESSAGE, Self::MORE];

    /// Returns the tag of a kind of fragment.
    pub(crate) const fn new(word: &'static str, shape: Shape) -> Self {
        Self { word, shape }
    }

    /// Returns the name between the angle brackets.
    pub const fn word(self) -> &'static str {
        self.word
    }

    /// Reports whether the body stands on lines of its own.
    pub(crate) const fn is_block(self) -> bool {
        matches!(self.shape, Shape::Block)
    }
}

/// Text in which every tag was written by [`element`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Escaped {
    text: String,
    dropped: usize,
}

impl Escaped {
    /// Makes a text of a line or two harmless: tags that mean something and the mark of the current task
    /// are escaped, control and hidden characters are dropped, control tokens of chat templates are
    /// broken. Everything else stays as it is.
    pub fn text(raw: &str) -> Self {
        let (visible, dropped) = body::without_hidden(raw);
        let shown = break_control_tokens(&visible);
        Self { text: body::without_tags(&shown, body::Arrows::Escaped), dropped }
    }

    /// Makes a long text harmless, in which code must arrive as it was written.
    ///
    /// Of text that agents or strangers wrote, HTML comments are dropped too: a person who reads it
    /// rendered sees none. Line breaks at both ends go.
    pub fn body(raw: &str, trust: Trust) -> Self {
        body::harmless(raw, trust)
    }

    /// Escapes a text for a document that is read back: every `<` that could open a tag, and every `&`
    /// that could begin an entity.
    pub fn document(raw: &str, trust: Trust) -> Self {
        body::escaped(raw, trust)
    }

    /// Joins texts with line breaks.
    pub fn lines(parts: impl IntoIterator<Item = impl Borrow<Self>>) -> Self {
        let mut joined = Self::default();
        for (place, part) in parts.into_iter().enumerate() {
            joined = joined.then(if place > 0 { "\n" } else { "" }, part.borrow());
        }
        joined
    }

    /// Returns how many characters were dropped because nobody would have seen them.
    pub const fn dropped(&self) -> usize {
        self.dropped
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text, consuming the proof.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns the length in UTF-16 units, the unit of the hosts' ceilings.
    pub fn utf16_length(&self) -> usize {
        self.text.encode_utf16().count()
    }

    /// Appends a text after a separator, which is blank.
    pub(crate) fn then(mut self, separator: &'static str, next: &Self) -> Self {
        debug_assert!(separator.trim().is_empty());
        self.text.push_str(separator);
        self.text.push_str(&next.text);
        self.dropped += next.dropped;
        self
    }

    /// Appends the mark of the current line.
    ///
    /// It is written unescaped, so that no title can forge it: the `<` of a title is an entity.
    pub(crate) fn marked_current(mut self) -> Self {
        self.text.push_str(CURRENT_MARK);
        self
    }

    fn push(&mut self, character: char) {
        match character {
            '&' => self.text.push_str("&amp;"),
            '<' => self.text.push_str("&lt;"),
            '>' => self.text.push_str("&gt;"),
            _ => self.text.push(character),
        }
    }

    fn push_attribute(&mut self, name: &'static str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        let (visible, dropped) = body::without_hidden(value);
        self.dropped += dropped;
        for character in break_control_tokens(&visible).chars() {
            match character {
                '"' => self.text.push_str("&quot;"),
                '\n' | '\t' => self.text.push(' '),
                _ => self.push(character),
            }
        }
        self.text.push('"');
    }
}

/// Writes an element round a body.
pub fn element(name: Tag, attributes: &[(&'static str, &str)], body: &Escaped) -> Escaped {
    let mut written = Escaped { text: String::new(), dropped: body.dropped };
    let edge = if name.is_block() { "\n" } else { "" };
    written.text.push('<');
    written.text.push_str(name.word());
    for (attribute, value) in attributes {
        written.push_attribute(attribute, value);
    }
    written.text.push('>');
    written.text.push_str(edge);
    written.text.push_str(&body.text);
    written.text.push_str(edge);
    written.text.push_str("</");
    written.text.push_str(name.word());
    written.text.push('>');
    written
}

/// Makes a text harmless for a terminal, so that a title cannot move the cursor or turn the line.
///
/// Control characters, bidirectional controls and invisible characters are shown as `\u{1b}`; line
/// breaks, tabs and everything a script or an emoji needs stay as they are. Control tokens of chat
/// templates are broken, because agents read what commands print.
pub fn inert(raw: &str) -> String {
    let mut shown = String::with_capacity(raw.len());
    let mut characters = raw.chars().peekable();
    while let Some(character) = characters.next() {
        let harmless = match character {
            '\n' | '\t' => true,
            '\r' if ends_a_line(&mut characters) => continue,
            _ => !character.is_control() && (!is_hidden(character) || is_joining(character)),
        };
        if harmless {
            shown.push(character);
        } else {
            shown.extend(character.escape_unicode());
        }
    }
    match break_control_tokens(&shown) {
        Cow::Borrowed(_) => shown,
        Cow::Owned(broken) => broken,
    }
}

/// Returns a text without what nobody would see and with control tokens broken; tags stay tags.
pub(crate) fn visible(raw: &str) -> String {
    break_control_tokens(&body::without_hidden(raw).0).into_owned()
}

/// Splits off what may be copied as it is, which is nearly all of nearly every text.
fn plain_run(text: &str) -> (&str, &str) {
    let is_plain = |byte: &u8| {
        matches!(byte, b' '..=b'~' | b'\n' | b'\t') && !matches!(byte, b'&' | b'<' | b'>')
    };
    let length = text.bytes().take_while(is_plain).count();
    text.split_at_checked(length).unwrap_or(("", text))
}

fn ends_a_line(rest: &mut Peekable<std::str::Chars<'_>>) -> bool {
    rest.peek() == Some(&'\n')
}

/// Tells whether a hidden character belongs to the spelling of some script or emoji.
const fn is_joining(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
        || matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests;
