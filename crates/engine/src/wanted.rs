//! What rules want in a briefing, in order: sources, and sentences of their own.

use pacenote_flow::lifecycle::{Facts, Format, Source};
use pacenote_model::Trust;

/// What rules want in a briefing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// The sources, each once.
    pub(crate) sources: Vec<WantedSource>,
    pub(crate) sentences: Vec<RuleSentence>,
    /// Texts of rules round what sources say, to be filled in once that is known.
    pub(crate) templates: Vec<RuleSentence>,
    /// What rules could ask about, for the templates.
    pub(crate) facts: Facts,
}

/// A source that rules want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WantedSource {
    pub(crate) source: Source,
    /// How much of it.
    pub(crate) format: Option<Format>,
    /// At most so many items.
    pub(crate) limit: Option<u32>,
    /// Whether a rule's own text speaks for it.
    pub(crate) in_template: bool,
    /// Whether somebody should know when it has nothing to say.
    pub(crate) is_required: bool,
}

impl WantedSource {
    /// Wants all of a source, as it comes.
    pub(crate) const fn whole(source: Source) -> Self {
        Self { source, format: None, limit: None, in_template: false, is_required: false }
    }

    /// Returns the most items that are wanted.
    pub(crate) fn most(&self) -> usize {
        self.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
    }
}

/// A sentence of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleSentence {
    pub(crate) rule: String,
    /// How far its author may be believed.
    pub(crate) trust: Trust,
    pub(crate) text: String,
    /// Whether it is injected although it was injected before.
    pub(crate) is_repeated: bool,
}

impl Wanted {
    /// Reports whether nothing is wanted.
    pub(crate) fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.sentences.is_empty() && self.templates.is_empty()
    }

    /// Returns how a source is wanted, if it is.
    pub(crate) fn of(&self, source: Source) -> Option<&WantedSource> {
        self.sources.iter().find(|wanted| wanted.source == source)
    }

    /// Adds a source, unless it is wanted already. One that so far only a rule's own text speaks for
    /// is wanted by itself from now on.
    pub(crate) fn add(&mut self, wanted: WantedSource) {
        match self.sources.iter_mut().find(|known| known.source == wanted.source) {
            None => self.sources.push(wanted),
            Some(known) if known.in_template && !wanted.in_template => *known = wanted,
            Some(_) => {}
        }
    }

    /// Puts what another moment wants before this, which keeps its own facts.
    pub(crate) fn put_before(&mut self, first: Self) {
        let later = std::mem::replace(self, first);
        later.sources.into_iter().for_each(|wanted| self.add(wanted));
        self.sentences.extend(later.sentences);
        self.templates.extend(later.templates);
        self.facts = later.facts;
    }
}
