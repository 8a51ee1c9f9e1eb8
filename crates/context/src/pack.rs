//! Fitting what is to be told under a budget and under the host's ceiling.
//!
//! An item is told whole, in a shorter form that its fragment knows, by a line that tells how to
//! fetch it, or not at all; it is never cut. The same fragments and limits give the same bytes.
//!
//! Floors are served first, then shares, then whatever is left, each in the order of the fragments.
//! What all that costs is bounded: a fragment is asked for its items and its scores once, for a
//! folded form twice, and for its index line fourteen times and twice per item, at most.

mod board;
mod layout;
mod limit;
mod prepared;
mod space;

use pacenote_model::{Digest, ReceiptItem, Trust};

use crate::{
    escape::{Escaped, Tag, element},
    fragment::{Fragment, FragmentKind, ItemId},
    size::Size,
    wording::one_line,
};
use board::{Board, Place};
pub use limit::{Ceiling, PackLimits, PartCount, Shares};
use prepared::Prepared;

/// Longest project name shown, in characters: it is a directory's name and only a reminder.
const PROJECT_CHARACTERS: usize = 80;

/// What is told, and what became of everything that could have been.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// The texts. A host that takes several may show them in any order.
    pub parts: Vec<Part>,
    /// Every item that was considered, in the order of the fragments.
    pub items: Vec<ReceiptItem>,
    /// How many items were left away because they were told before.
    pub told_before: usize,
    /// Characters that nobody would have seen and that were dropped from what is told.
    pub hidden: usize,
    /// Why nothing is told, when nothing is.
    pub silence: Option<Silence>,
}

impl Packed {
    /// Returns about how many tokens all parts cost.
    pub fn tokens(&self) -> u32 {
        self.parts.iter().map(|part| part.size.tokens).sum()
    }
}

/// One text for the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub text: String,
    /// How large it is.
    pub size: Size,
}

/// Why nothing is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// No fragment has anything to say.
    NothingToSay,
    /// All of it was told before.
    NothingNew,
    /// Not even who the reader is can be said within the budget and the ceiling.
    NoRoom,
}

impl Silence {
    /// Returns the reason in words, for a receipt.
    pub const fn word(self) -> &'static str {
        match self {
            Self::NothingToSay => "nothing to say",
            Self::NothingNew => "nothing new",
            Self::NoRoom => "no room",
        }
    }
}

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is told.
    Whole,
    /// A shorter form of it is told.
    Folded(Why),
    /// It is counted or named by a line that tells how to get it.
    Indexed(Why),
    /// It is left away.
    Dropped(Why),
}

impl Fate {
    /// Returns the word used in receipts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Folded(_) => "folded",
            Self::Indexed(_) => "indexed",
            Self::Dropped(_) => "dropped",
        }
    }

    /// Returns why the item is not told whole.
    pub const fn why(self) -> Option<Why> {
        match self {
            Self::Whole => None,
            Self::Folded(why) | Self::Indexed(why) | Self::Dropped(why) => Some(why),
        }
    }
}

/// Why an item is not told whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its fragment would take more than its kind ever may.
    Cap,
    /// No part has room for it under the host's ceiling.
    Ceiling,
    /// The budget is used up by what matters more.
    Budget,
    /// Nobody can be told whom it is for.
    Unaddressed,
}

impl Why {
    /// Returns the reason in words, for a receipt.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Cap => "more than a fragment of this kind may take",
            Self::Ceiling => "no part has room for it under the host's ceiling",
            Self::Budget => "the budget went to what matters more",
            Self::Unaddressed => "there is no room to say whom the briefing is for",
        }
    }
}

/// Packs everything, for a reader who knows nothing. The fragments stand in order of importance.
pub fn pack(project: &str, fragments: &[&dyn Fragment], limits: &PackLimits) -> Packed {
    pack_delta(project, fragments, &|_, _| false, limits)
}

/// Packs what was not told before: `already` knows items by name and by the digest of their text.
///
/// An item that was told in a shorter form or by an index line was told.
pub fn pack_delta(
    project: &str,
    fragments: &[&dyn Fragment],
    already: &dyn Fn(&ItemId, &Digest) -> bool,
    limits: &PackLimits,
) -> Packed {
    let all = fragments.iter().map(|fragment| Prepared::new(*fragment, already));
    let (prepared, told_before) = all.fold((Vec::new(), 0), |(mut kept, told), one| {
        let told = told + one.told_before;
        if !one.items.is_empty() {
            kept.push(one);
        }
        (kept, told)
    });
    let envelope = Envelope { project: one_line(project, PROJECT_CHARACTERS) };
    let mut packed = Packed { told_before, ..Packed::default() };
    if prepared.is_empty() {
        let nothing = if told_before > 0 { Silence::NothingNew } else { Silence::NothingToSay };
        packed.silence = Some(nothing);
        return packed;
    }
    let mut board = Board::new(&prepared, envelope.size(limits.parts), limits);
    board.fill();
    if !is_addressed(&board) {
        board.clear();
        packed.silence = Some(Silence::NoRoom);
        packed.items = receipt(&board, &[], |_| Fate::Dropped(Why::Unaddressed));
        return packed;
    }
    let opened = board.opened();
    if opened.is_empty() {
        packed.silence = Some(Silence::NoRoom);
    }
    packed.items = receipt(&board, &opened, |place| board.fate(place));
    for (number, part) in (1..).zip(&opened) {
        let text = envelope.around(number, opened.len(), &body(&board, *part));
        packed.hidden += text.dropped();
        let size = Size::of(text.as_str());
        packed.parts.push(Part { text: text.into_string(), size });
    }
    packed
}

/// Tells whether the reader learns who it is, unless it knows.
fn is_addressed(board: &Board<'_>) -> bool {
    let identities = board.rows().filter(|(prepared, _)| prepared.kind == FragmentKind::IDENTITY);
    identities.into_iter().all(|(_, layout)| !layout.placed.is_empty())
}

/// Returns what one part says.
fn body(board: &Board<'_>, part: usize) -> Escaped {
    let told = board.rows().filter_map(|(prepared, layout)| {
        let texts: Vec<&Escaped> = layout.texts(prepared, part).collect();
        (!texts.is_empty()).then(|| prepared.frame.around(prepared.trust, texts))
    });
    let lines: Vec<(Trust, &Escaped)> = board
        .rows()
        .filter_map(|(prepared, layout)| Some((prepared.trust, layout.index_in(part)?)))
        .collect();
    // A line quotes titles of its fragment, so all of them are believed as far as the least.
    let more = lines.iter().map(|(trust, _)| *trust).min().map(|trust| {
        let text = Escaped::lines(lines.iter().map(|(_, line)| *line));
        more(trust, &text)
    });
    Escaped::lines(told.chain(more))
}

/// Writes the element that tells how to get what is left out.
fn more(trust: Trust, lines: &Escaped) -> Escaped {
    element(Tag::MORE, &[("trust", trust.word())], lines)
}

/// Writes down what became of every item.
fn receipt(board: &Board<'_>, opened: &[usize], fate: impl Fn(Place) -> Fate) -> Vec<ReceiptItem> {
    let mut items = Vec::new();
    for (row, (prepared, layout)) in board.rows().enumerate() {
        let reason = prepared.fragment.reason();
        for (item, weighed) in prepared.items.iter().enumerate() {
            let fate = fate(Place { row, item });
            let part = layout.part_of(item).and_then(|part| number_of(opened, part));
            items.push(ReceiptItem {
                id: weighed.item.id.as_str().to_owned(),
                kind: prepared.kind.word().to_owned(),
                trust: prepared.trust,
                reason: reason.clone(),
                tokens: layout.tokens_of(prepared, item),
                fate: fate.word().to_owned(),
                why: fate.why().map(|why| why.sentence().to_owned()),
                digest: weighed.digest,
                part,
            });
        }
    }
    items
}

/// Returns the number by which the reader knows a part: empty ones are not counted.
fn number_of(opened: &[usize], part: usize) -> Option<u8> {
    let place = opened.iter().position(|opened| *opened == part)?;
    u8::try_from(place + 1).ok()
}

/// The element round a part.
struct Envelope {
    project: String,
}

impl Envelope {
    fn around(&self, number: usize, count: usize, body: &Escaped) -> Escaped {
        let (number, count_text) = (number.to_string(), count.to_string());
        let project = [("project", self.project.as_str())];
        let place = [("part", number.as_str()), ("of", count_text.as_str())];
        let place = place.into_iter().filter(|_| count > 1);
        let attributes: Vec<(&'static str, &str)> = project.into_iter().chain(place).collect();
        element(Tag::PACENOTE, &attributes, body)
    }

    /// Returns what the element costs round a body, at most.
    fn size(&self, parts: PartCount) -> Size {
        let most = usize::from(parts.get());
        let empty = self.around(most, most, &Escaped::default());
        // Each element of the body is counted with a line break; the first has none before it.
        let empty = Size::of(empty.as_str());
        Size { utf16: empty.utf16 - 1, ..empty }
    }
}

#[cfg(test)]
mod tests;
