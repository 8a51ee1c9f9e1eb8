//! What a part of a briefing is made of: a frame, and items that are told whole or not at all.
//!
//! A fragment says what it could tell; it never decides how much of it is told, and it never writes
//! a tag or a trust label itself. Packing does both, so that no fragment can forget either.

use std::{borrow::Cow, fmt};

use pacenote_model::Trust;

use crate::{
    escape::{Escaped, Fence, Shape, Tag, element},
    size::Size,
};

/// One source of what an agent is told.
pub trait Fragment {
    /// Returns what it is about.
    fn kind(&self) -> FragmentKind;

    /// Returns how far its text may be believed: as far as the least of its sources.
    fn trust(&self) -> Trust;

    /// Returns why it is told, in one sentence.
    fn reason(&self) -> String;

    /// Returns the element that stands round its items.
    fn frame(&self) -> Frame;

    /// Returns everything it could tell, in reading order; an empty text says nothing.
    fn items(&self) -> Vec<Item>;

    /// Returns how much each item matters, for the choice when not all of them fit.
    ///
    /// It is only asked then. Equal items, and those without a figure, go in reading order.
    fn scores(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Returns what happens when an item does not fit that matters more than others.
    fn choice(&self) -> Choice {
        Choice::InOrder
    }

    /// Returns a shorter form of its only item, for a reader with little room.
    fn folded(&self, _room: Size) -> Option<Escaped> {
        None
    }

    /// Returns what of an item's text must be the same for it to count as injected before.
    fn sameness<'i>(&self, item: &'i Item) -> Cow<'i, str> {
        Cow::Borrowed(item.text.as_str())
    }

    /// Returns one line that tells how to get what was left out; `None` when there is no way.
    ///
    /// It is asked with nothing left out as well: there may be more than was handed over.
    fn index(&self, left_out: &[&Item]) -> Option<Escaped>;
}

/// How items are chosen when not all of them fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Nothing is told that matters less than what was left out: a list has no holes.
    InOrder,
    /// Each item that still fits is told: a long section keeps no short one out.
    Any,
}

/// Everything that is fixed for one kind of fragment. The file of each kind in `fragments/` has its
/// row, and what packing, receipts, settings and tags know of the kind follows from it.
#[derive(Debug)]
pub struct FragmentRow {
    /// Its name in receipts and settings, and of its tag.
    pub word: &'static str,
    /// How its text stands in its tag.
    pub shape: Shape,
    /// What stands above it on a page; empty where the text speaks for itself.
    pub heading: &'static str,
    /// Whether a page quotes its text, because the text may have headings of its own.
    pub is_quoted: bool,
    /// Most tokens that one fragment of this kind may ever take.
    pub cap: u32,
    /// What it gets of the budget.
    pub share: Share,
    /// Whether it is injected a second time within an epoch.
    pub again: Again,
    /// Whether it gets its room before the others, wherever it is read: without it the rest is of no
    /// use.
    pub is_first: bool,
}

/// Whether a fragment is injected a second time within an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// When its text has changed.
    WhenChanged,
    /// Not before the next epoch: the reader knows it, or it is for the beginning.
    Never,
}

/// What one kind of fragment gets of the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its part of the budget before anything is left over; all fragments of the kind divide it.
    pub percent: u8,
    /// Tokens that each fragment gets before others get their shares.
    pub floor: u32,
}

/// What a fragment is about. The constants, and the list of them, stand in `fragments.rs`.
#[derive(Clone, Copy)]
pub struct FragmentKind(&'static FragmentRow);

impl FragmentKind {
    pub(crate) const fn of(row: &'static FragmentRow) -> Self {
        Self(row)
    }

    /// Returns the word used in receipts and settings.
    pub const fn word(self) -> &'static str {
        self.0.word
    }

    /// Returns the most tokens one fragment of this kind may ever take.
    pub const fn cap(self) -> u32 {
        self.0.cap
    }

    /// Returns what it gets of the budget.
    pub const fn share(self) -> Share {
        self.0.share
    }

    /// Returns whether it is injected a second time within an epoch.
    pub const fn again(self) -> Again {
        self.0.again
    }

    /// Reports whether it gets its room before the others.
    pub const fn is_first(self) -> bool {
        self.0.is_first
    }

    /// Returns what stands above it on a page.
    pub const fn heading(self) -> &'static str {
        self.0.heading
    }

    /// Reports whether a page quotes its text.
    pub const fn is_quoted(self) -> bool {
        self.0.is_quoted
    }

    /// Returns its tag.
    pub const fn tag(self) -> Tag {
        Tag::new(self.0.word, self.0.shape)
    }
}

impl PartialEq for FragmentKind {
    fn eq(&self, other: &Self) -> bool {
        self.0.word == other.0.word
    }
}

impl Eq for FragmentKind {}

impl fmt::Debug for FragmentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Something that is told whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is called in receipts.
    pub id: ItemId,
    /// What it is called in a line that lists what was left out; empty when it has no name.
    pub label: String,
    /// What it says.
    pub text: Escaped,
}

/// The name of an item: `position`, `skill:writing-plans#Steps`, `mail:#7`.
///
/// The same thing has the same name in every briefing; whether its text changed is for its digest
/// to say. It quotes titles that others wrote, so a terminal sees it only through
/// [`inert`](crate::inert).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(String);

impl ItemId {
    /// Names the only item of its kind.
    pub fn only(kind: FragmentKind) -> Self {
        Self(kind.word().to_owned())
    }

    /// Names one item of its kind.
    pub fn of(kind: FragmentKind, name: impl fmt::Display) -> Self {
        Self(format!("{}:{name}", kind.word()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The element round the items of a fragment.
#[derive(Clone, Debug)]
pub struct Frame {
    tag: Tag,
    attributes: Vec<(&'static str, String)>,
    separator: &'static str,
    fence: Option<Fence>,
}

impl Frame {
    /// Frames items that are lines.
    pub const fn of_lines(tag: Tag) -> Self {
        Self { tag, attributes: Vec::new(), separator: "\n", fence: None }
    }

    /// Frames items that are passages, with an empty line between them.
    pub const fn of_passages(tag: Tag) -> Self {
        Self { tag, attributes: Vec::new(), separator: "\n\n", fence: None }
    }

    /// Adds an attribute.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    /// Shows where the text ends, unless its author is the person or we ourselves.
    #[must_use]
    pub fn fenced(mut self, fence: Fence, trust: Trust) -> Self {
        self.fence = needs_fence(trust).then_some(fence);
        self
    }

    /// Writes the element round some items.
    pub(crate) fn around<'t>(
        &self,
        trust: Trust,
        items: impl IntoIterator<Item = &'t Escaped>,
    ) -> Escaped {
        let fence = self.fence.map(|fence| fence.to_string());
        let label = [("trust", trust.word())].into_iter();
        let own = self.attributes.iter().map(|(name, value)| (*name, value.as_str()));
        let fenced = fence.iter().map(|digits| ("fence", digits.as_str()));
        let attributes: Vec<(&'static str, &str)> = label.chain(own).chain(fenced).collect();
        let mut body = Escaped::default();
        for (place, item) in items.into_iter().enumerate() {
            body = body.then(if place > 0 { self.separator } else { "" }, item);
        }
        if let Some(fence) = self.fence {
            body = body.then("\n", &fence.end());
        }
        element(self.tag, &attributes, &body)
    }

    /// Returns what the element costs without its items, and with the line break before it.
    pub(crate) fn size(&self, trust: Trust) -> Size {
        if !self.tag.is_block() {
            return Size::LINE_BREAK;
        }
        let empty = Size::of(self.around(trust, []).as_str()) + Size::LINE_BREAK;
        // The first item needs no separator before it, but every item is counted with one.
        Size { utf16: empty.utf16 - self.separator.len(), ..empty }
    }

    /// Returns what one item costs inside the element.
    pub(crate) fn size_of(&self, trust: Trust, item: &Escaped) -> Size {
        if !self.tag.is_block() {
            // Marks at the edge share tokens with those of the tag, so the whole is measured.
            return Size::of(self.around(trust, [item]).as_str());
        }
        // However many line breaks stand together, they cost one token.
        Size::of(item.as_str()) + Size { tokens: 1, utf16: self.separator.len() }
    }
}

/// Tells whether a reader must be shown where a text ends.
pub(crate) const fn needs_fence(trust: Trust) -> bool {
    match trust {
        Trust::Foreign | Trust::Agent | Trust::Project => true,
        Trust::User | Trust::System => false,
    }
}
