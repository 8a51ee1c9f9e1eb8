//! Who is told what, once: the state of a session as its log tells it, and what to do at an event.
//!
//! Several processes may answer one event: one for each part, a duplicate, a re-fire. They agree
//! through the session's log, which each of them holds while it decides: the first assembles, the
//! others repeat what it offered. Within an epoch nothing is told twice; what was offered and never
//! printed is offered again in the same bytes.
//!
//! This room never reads the log itself, and it decides nothing about what is worth telling.

use std::collections::{BTreeMap, BTreeSet};

use pacenote_model::{
    Digest, Receipt, Record,
    receipt::{EmissionId, PARTS},
};

/// An event as one hook process meets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival<'a> {
    /// What distinguishes the event from others.
    pub payload: &'a str,
    /// The part this process answers with, counted from one.
    pub part: u8,
    /// Whether the host forgot everything, so that a new epoch begins.
    pub begins_epoch: bool,
    /// Whether the host may have taken back the prompt before this one, and what came with it: it
    /// does when another hook blocks it, or the person cancels it before the first word.
    pub may_follow_no_turn: bool,
}

/// The word of the event that a prompt is.
const PROMPT: &str = "prompt";

/// What a process has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Print its part of what was offered for this very event, or of what never arrived.
    Repeat { emission: EmissionId, part: u8, epoch: u32 },
    /// Assemble everything anew, for the epoch that begins or that nothing was told in yet.
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
    /// The last event, and the parts that answered it.
    last: Option<(String, BTreeSet<u8>)>,
    /// The event that began the epoch.
    began_with: Option<String>,
    /// The emissions of the epoch, oldest first.
    emissions: Vec<Emission>,
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
            Record::Seen { payload, part, epoch, begins, .. } => {
                if *epoch > self.epoch {
                    self.epoch = *epoch;
                    self.began_with = Some(payload.clone());
                    self.emissions.clear();
                }
                if *begins && let Some(count) = self.beginnings_of(*part) {
                    *count = (*count).max(*epoch);
                }
                match &mut self.last {
                    Some((last, parts)) if last == payload => {
                        parts.insert(*part);
                    }
                    _ => self.last = Some((payload.clone(), BTreeSet::from([*part]))),
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

    /// Tells whether the last event was this one, so that another process has noted it.
    pub fn is_noted(&self, payload: &str) -> bool {
        self.last.as_ref().is_some_and(|(last, _)| last == payload)
    }

    /// Decides what a process does about an event.
    ///
    /// `arrived` tells whether the transcript shows an emission of which that is not certain; `None`
    /// where there is none to look at.
    pub fn decide(
        &self,
        arrival: &Arrival<'_>,
        arrived: &dyn Fn(&str) -> Option<bool>,
    ) -> Decision {
        if arrival.begins_epoch {
            return self.at_beginning(arrival);
        }
        // A session whose beginning nobody saw has been told nothing.
        let epoch = self.epoch.max(1);
        if self.emissions.is_empty() {
            return Decision::Full { epoch };
        }
        if let Some(same) = self.emissions.iter().rev().find(|one| one.payload == arrival.payload) {
            return Self::own_part(same, arrival.part, epoch);
        }
        let taken_back = || self.taken_back(arrived).filter(|_| arrival.may_follow_no_turn);
        match self.never_printed(arrived).or_else(taken_back) {
            Some((emission, part)) => {
                Decision::Repeat { emission: emission.receipt.emission.clone(), part, epoch }
            }
            None => Decision::Delta { epoch },
        }
    }

    /// The n-th beginning that a part sees belongs to epoch n; the same event again, with nothing in
    /// between, is the host asking twice.
    fn at_beginning(&self, arrival: &Arrival<'_>) -> Decision {
        let place = usize::from(arrival.part.saturating_sub(1));
        let seen = self.beginnings.get(place).copied().unwrap_or(self.epoch);
        let is_same = |payload: &Option<String>| payload.as_deref() == Some(arrival.payload);
        let is_last = self.last.as_ref().is_some_and(|(last, _)| last == arrival.payload);
        let is_this_epoch = self.epoch > 0
            && is_same(&self.began_with)
            && (seen < self.epoch || (seen == self.epoch && is_last));
        if !is_this_epoch {
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
        let (last, _) = self.last.as_ref()?;
        let emission = self.emissions.last().filter(|emission| emission.payload == *last)?;
        let is_prompt = emission.receipt.event == PROMPT;
        (is_prompt && arrived(&emission.receipt.emission) == Some(false)).then_some((emission, 1))
    }

    /// Returns what was told in this epoch: items with the digests of their texts.
    pub fn told(&self) -> BTreeMap<&str, &Digest> {
        let items = self.emissions.iter().flat_map(|emission| &emission.receipt.items);
        let told = items.filter(|item| item.is_told());
        told.map(|item| (item.id.as_str(), &item.digest)).collect()
    }
}

#[cfg(test)]
mod tests;
