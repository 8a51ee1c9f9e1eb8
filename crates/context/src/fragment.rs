//! What a part of a briefing is made of: a frame, and items that are told whole or not at all.
//!
//! A fragment says what it could tell; it never decides how much of it is told, and it never writes
//! a tag or a trust label itself. Packing does both, so that no fragment can forget either.

use std::fmt;

use pacenote_model::{Trust, limits};

use crate::{
    escape::{Escaped, Fence, TagName, element},
    size::Size,
};

/// One source of what an agent is told.
pub trait Fragment {
    /// Returns what it is about.
    fn kind(&self) -> Kind;

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

/// What a fragment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Who the reader is.
    Identity,
    /// Where the work stands.
    Position,
    /// What to do now.
    Next,
    /// The task tree.
    Tasks,
    /// A skill that is bound to the task.
    Skill,
    /// What the plan says.
    Plan,
    /// Messages.
    Mail,
    /// What an earlier session left behind.
    Handoff,
    /// The skills there are.
    Skills,
    /// What happened lately.
    Activity,
    /// How to read all this.
    Guide,
    /// What a rule says.
    Notice,
    /// Skills that may fit what is asked for.
    Suggestion,
    /// Skills that apply to everything.
    CoreSkills,
    /// Files that were captured.
    Artifacts,
    /// What a subagent needs for its role.
    Role,
    /// Where a run of a workflow stands.
    Workflow,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 17] = [
        Self::Identity,
        Self::Position,
        Self::Next,
        Self::Tasks,
        Self::Skill,
        Self::Plan,
        Self::Mail,
        Self::Handoff,
        Self::Skills,
        Self::Activity,
        Self::Guide,
        Self::Notice,
        Self::Suggestion,
        Self::CoreSkills,
        Self::Artifacts,
        Self::Role,
        Self::Workflow,
    ];

    /// Returns the word used in receipts and settings.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Position => "position",
            Self::Next => "next",
            Self::Tasks => "tasks",
            Self::Skill => "skill",
            Self::Plan => "plan",
            Self::Mail => "mail",
            Self::Handoff => "handoff",
            Self::Skills => "skills",
            Self::Activity => "activity",
            Self::Guide => "guide",
            Self::Notice => "notice",
            Self::Suggestion => "suggestion",
            Self::CoreSkills => "core_skills",
            Self::Artifacts => "artifacts",
            Self::Role => "role",
            Self::Workflow => "workflow",
        }
    }

    /// Parses the word of [`Kind::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Returns the most tokens one fragment of this kind may ever take.
    pub const fn cap(self) -> u32 {
        match self {
            Self::Identity | Self::Next | Self::Guide | Self::Notice => limits::SENTENCE_TOKENS,
            Self::Position | Self::Suggestion => limits::POSITION_TOKENS,
            Self::Tasks => limits::TASK_TREE_TOKENS,
            Self::Skill | Self::CoreSkills | Self::Role => limits::BOUND_SKILL_TOKENS,
            Self::Plan | Self::Mail | Self::Handoff | Self::Workflow => limits::READING_TOKENS,
            Self::Skills => limits::SKILL_INDEX_TOKENS,
            Self::Activity | Self::Artifacts => limits::ACTIVITY_TOKENS,
        }
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
    pub fn only(kind: Kind) -> Self {
        Self(kind.word().to_owned())
    }

    /// Names one item of its kind.
    pub fn of(kind: Kind, name: impl fmt::Display) -> Self {
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
    tag: TagName,
    attributes: Vec<(&'static str, String)>,
    separator: &'static str,
    fence: Option<Fence>,
}

impl Frame {
    /// Frames items that are lines.
    pub const fn of_lines(tag: TagName) -> Self {
        Self { tag, attributes: Vec::new(), separator: "\n", fence: None }
    }

    /// Frames items that are passages, with an empty line between them.
    pub const fn of_passages(tag: TagName) -> Self {
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
