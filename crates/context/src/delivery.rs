//! Who gets what, once: the state of a session as its log shows it, and what to do at an event.
//!
//! Several processes may answer one event: one for each part, a duplicate, a re-fire. They agree
//! through the session's log, which each of them holds while it decides: the first assembles, the
//! others repeat what it offered. Within an epoch nothing is injected twice; what was offered and
//! never printed is offered again in the same bytes.
//!
//! # Which events are the same
//!
//! An event is known by what the host says of it, and by its place in the log.
//!
//! - A payload with an id of its own ([`KnownBy::OwnId`]) is that one event, wherever it comes again.
//! - Any other payload is the same event only while nothing else was recorded since: the same words
//!   after a stop, or a resume with the same bytes after a prompt, are new. Uses of tools are not
//!   recorded, so `SAME_EVENT` stands in for them: what comes later than that is new too. A part
//!   that has not answered yet belongs to the event however late it is.
//! - What is left are the same bytes for the same part, at once, with nothing in between: a host that
//!   fires twice, or two prompts in a row. Nobody can know. News is injected, because to withhold an
//!   urgent message is the worse mistake; where there is none, the same bytes are repeated, because
//!   the first answer may have been lost. Such an event never begins an epoch.
//!
//! This room never reads the log itself, and it decides nothing about what is worth injecting.

use std::collections::{BTreeMap, BTreeSet};

use pacenote_model::{
    Digest, Moment, Receipt, ReceiptItem, Record,
    receipt::{EmissionId, PARTS},
};

/// An event as one hook process meets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival<'a> {
    /// What the host says of the event, in a few digits.
    pub payload: &'a str,
    /// What makes it one event.
    pub known_by: KnownBy,
    pub at: Moment,
    /// The part this process answers with, counted from one.
    pub part: u8,
    /// Whether the host forgot everything, so that a new epoch begins.
    pub begins_epoch: bool,
    /// Whether the host may have taken back the prompt before this one, and what came with it: it
    /// does when another hook blocks it, or the person cancels it before the first word.
    pub may_follow_no_turn: bool,
}

/// What makes an event that one, and not another with the same words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownBy {
    /// Its payload: the host put an id into it, or the moment at which it happened.
    OwnId,
    /// Its payload and its place in the log.
    Place,
}

/// Milliseconds in which the same bytes may be the same event. Hooks of one event run together, and a
/// host that lost an answer asks again at once; a turn of a model takes longer.
const SAME_EVENT: i64 = 10_000;

/// How an arrival relates to what the log shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    /// The same event: another part of it, or a duplicate.
    Same,
    /// The same event, or one that looks exactly like it.
    Unsure,
    New,
}

/// The word of the event that a prompt is.
const PROMPT: &str = "prompt";

/// What a process has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Print its part of what was offered for this very event, or of what never arrived.
    Repeat { emission: EmissionId, part: u8, epoch: u32 },
    /// Assemble what changed; where nothing did, print what was offered for an event that looks the
    /// same.
    News { emission: EmissionId, part: u8, epoch: u32 },
    /// Assemble everything, for the epoch that begins or in which nothing was injected yet.
    Full { epoch: u32 },
    /// Assemble what changed.
    Delta { epoch: u32 },
    /// Say nothing: another part of the same event has what there is to say.
    Silence { epoch: u32 },
}

/// What a session's log tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    epoch: u32,
    /// How many beginnings each part has seen.
    beginnings: [u32; PARTS as usize],
    /// The last event.
    last: Option<LastEvent>,
    /// The event that began the epoch.
    began_with: Option<String>,
    /// The emissions of the epoch, oldest first.
    emissions: Vec<Emission>,
}

/// The last event of a log, as often as it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LastEvent {
    payload: String,
    /// The parts that answered it.
    parts: BTreeSet<u8>,
    /// When it was first seen.
    since: Moment,
    /// How many emissions the epoch had before it.
    before: usize,
}

impl LastEvent {
    /// Reports whether a process that answers with a part belongs to this event.
    fn includes(&self, payload: &str, part: u8, at: Moment) -> bool {
        let is_soon = at.millis().saturating_sub(self.since.millis()) <= SAME_EVENT;
        self.payload == payload && (is_soon || !self.parts.contains(&part))
    }
}

/// An emission of the present epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Emission {
    payload: String,
    receipt: Receipt,
    printed: BTreeSet<u8>,
}

impl Standing {
    /// Takes in the lines of a log, oldest first.
    pub fn of<'r>(records: impl IntoIterator<Item = &'r Record>) -> Self {
        let mut standing = Self::default();
        for record in records {
            standing.take(record);
        }
        standing
    }

    fn take(&mut self, record: &Record) {
        match record {
            Record::Seen { at, payload, part, epoch, begins, .. } => {
                let is_next = *epoch > self.epoch;
                if is_next {
                    self.epoch = *epoch;
                    self.began_with = Some(payload.clone());
                    self.emissions.clear();
                }
                if *begins && let Some(count) = self.beginnings_of(*part) {
                    *count = (*count).max(*epoch);
                }
                match &mut self.last {
                    Some(last) if !is_next && last.includes(payload, *part, *at) => {
                        last.parts.insert(*part);
                    }
                    _ => {
                        self.last = Some(LastEvent {
                            payload: payload.clone(),
                            parts: BTreeSet::from([*part]),
                            since: *at,
                            before: self.emissions.len(),
                        });
                    }
                }
            }
            Record::Offered { payload, receipt, .. } => {
                if receipt.epoch == self.epoch {
                    self.emissions.push(Emission {
                        payload: payload.clone(),
                        receipt: receipt.clone(),
                        printed: BTreeSet::new(),
                    });
                }
            }
            Record::Printed { emission, part, .. } => {
                let known = self.emissions.iter_mut().rev();
                if let Some(found) = known.into_iter().find(|one| one.receipt.emission == *emission)
                {
                    found.printed.insert(*part);
                }
            }
            Record::SessionStart { .. }
            | Record::Text { .. }
            | Record::Marked { .. }
            | Record::Set { .. }
            | Record::Refused { .. }
            | Record::Passed { .. }
            | Record::Drafted { .. }
            | Record::Observed { .. }
            | Record::Wished { .. }
            | Record::Asked { .. }
            | Record::Begun { .. }
            | Record::Taken { .. }
            | Record::Returned { .. }
            | Record::Listed { .. }
            | Record::Deferred { .. }
            | Record::SkillInjected { .. }
            | Record::SkillLoaded { .. }
            | Record::Said { .. }
            | Record::Lost { .. } => {}
        }
    }

    fn beginnings_of(&mut self, part: u8) -> Option<&mut u32> {
        self.beginnings.get_mut(usize::from(part.checked_sub(1)?))
    }

    /// Returns the epoch, 0 before the first.
    pub const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Returns how many emissions of an epoch answered events with this payload.
    pub fn count_answers(&self, payload: &str, epoch: u32) -> usize {
        let own = |one: &&Emission| one.payload == payload && one.receipt.epoch == epoch;
        self.emissions.iter().filter(own).count()
    }

    /// Reports whether another process has recorded the event.
    pub fn is_recorded(&self, arrival: &Arrival<'_>) -> bool {
        match self.relate(arrival) {
            Relation::Same | Relation::Unsure => true,
            Relation::New => false,
        }
    }

    fn relate(&self, arrival: &Arrival<'_>) -> Relation {
        let Arrival { payload, known_by, at, part, .. } = *arrival;
        let last = self.last.as_ref().filter(|last| last.payload == payload);
        match known_by {
            KnownBy::OwnId if last.is_some() || self.count_answers(payload, self.epoch) > 0 => {
                Relation::Same
            }
            KnownBy::OwnId => Relation::New,
            KnownBy::Place => match last {
                Some(last) if !last.parts.contains(&part) => Relation::Same,
                Some(last) if last.includes(payload, part, at) => Relation::Unsure,
                Some(_) | None => Relation::New,
            },
        }
    }

    /// Decides what a process does about an event.
    ///
    /// `arrived` says whether the transcript shows an emission of which that is not certain; `None`
    /// where there is none to look at.
    pub fn decide(
        &self,
        arrival: &Arrival<'_>,
        arrived: &dyn Fn(&str) -> Option<bool>,
    ) -> Decision {
        if arrival.begins_epoch {
            return self.at_beginning(arrival);
        }
        // A session whose beginning nobody saw has read nothing.
        let epoch = self.epoch.max(1);
        if self.emissions.is_empty() {
            return Decision::Full { epoch };
        }
        let taken_back = || self.taken_back(arrived).filter(|_| arrival.may_follow_no_turn);
        let relation = self.relate(arrival);
        if let Some(offered) = self.offered_for(arrival, relation) {
            let part = arrival.part;
            // News is in the first part, which alone is there whatever the length.
            let may_be_another = relation == Relation::Unsure
                && part == 1
                && offered.printed.contains(&part)
                && taken_back().is_none();
            if may_be_another {
                let emission = offered.receipt.emission.clone();
                return Decision::News { emission, part, epoch };
            }
            return Self::own_part(offered, part, epoch);
        }
        match self.never_printed(arrived).or_else(taken_back) {
            Some((emission, part)) => {
                Decision::Repeat { emission: emission.receipt.emission.clone(), part, epoch }
            }
            None => Decision::Delta { epoch },
        }
    }

    /// Returns what was offered for the very event, preferably with the part that is wanted.
    fn offered_for(&self, arrival: &Arrival<'_>, relation: Relation) -> Option<&Emission> {
        let before = match (relation, arrival.known_by) {
            (Relation::New, _) => return None,
            (Relation::Same | Relation::Unsure, KnownBy::OwnId) => 0,
            (Relation::Same | Relation::Unsure, KnownBy::Place) => self.last.as_ref()?.before,
        };
        let all = || {
            let since = self.emissions.iter().skip(before);
            since.filter(|one| one.payload == arrival.payload)
        };
        let has_part = |one: &&Emission| usize::from(arrival.part) <= one.receipt.parts.len();
        all().rfind(has_part).or_else(|| all().next_back())
    }

    /// The n-th beginning that a part sees belongs to epoch n; the same event again is the host asking
    /// twice.
    fn at_beginning(&self, arrival: &Arrival<'_>) -> Decision {
        let place = usize::from(arrival.part.saturating_sub(1));
        let seen = self.beginnings.get(place).copied().unwrap_or(self.epoch);
        let is_again = match arrival.known_by {
            KnownBy::OwnId => true,
            KnownBy::Place => {
                seen < self.epoch || (seen == self.epoch && self.is_recorded(arrival))
            }
        };
        let began = self.began_with.as_deref() == Some(arrival.payload);
        if self.epoch == 0 || !began || !is_again {
            return Decision::Full { epoch: self.epoch + 1 };
        }
        match self.emissions.iter().find(|one| one.payload == arrival.payload) {
            Some(offered) => Self::own_part(offered, arrival.part, self.epoch),
            // The first process saw the event and died before it offered anything.
            None => Decision::Full { epoch: self.epoch },
        }
    }

    fn own_part(offered: &Emission, part: u8, epoch: u32) -> Decision {
        if usize::from(part) <= offered.receipt.parts.len() {
            Decision::Repeat { emission: offered.receipt.emission.clone(), part, epoch }
        } else {
            Decision::Silence { epoch }
        }
    }

    /// Returns a part that was offered and, as far as anybody knows, never arrived.
    fn never_printed(&self, arrived: &dyn Fn(&str) -> Option<bool>) -> Option<(&Emission, u8)> {
        self.emissions.iter().find_map(|emission| {
            let parts = u8::try_from(emission.receipt.parts.len()).unwrap_or(PARTS);
            let missing = (1..=parts).find(|part| !emission.printed.contains(part))?;
            (arrived(&emission.receipt.emission) != Some(true)).then_some((emission, missing))
        })
    }

    /// Returns what came with the last prompt, when nothing was noted since and the transcript shows
    /// that it is gone.
    fn taken_back(&self, arrived: &dyn Fn(&str) -> Option<bool>) -> Option<(&Emission, u8)> {
        let last = self.last.as_ref()?;
        let emission = self.emissions.last().filter(|emission| emission.payload == last.payload)?;
        let is_prompt = emission.receipt.event == PROMPT;
        (is_prompt && arrived(&emission.receipt.emission) == Some(false)).then_some((emission, 1))
    }

    /// Returns what was told in this epoch: items with the digests of their texts.
    pub fn told(&self) -> BTreeMap<&str, &Digest> {
        self.items().map(|item| (item.id.as_str(), &item.digest)).collect()
    }

    /// Returns the items that were injected in this epoch, oldest first.
    pub fn items(&self) -> impl Iterator<Item = &ReceiptItem> {
        let items = self.emissions.iter().flat_map(|emission| &emission.receipt.items);
        items.filter(|item| item.is_told())
    }
}

#[cfg(test)]
mod tests;
