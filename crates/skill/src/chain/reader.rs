//! Finds the names of skills in the passages of a body.

use std::collections::{HashMap, hash_map::Entry};

use super::{
    Kind, Known, LINKS, Link,
    leader::{self, Leader, SKILL, Trust},
    passage::{Form, Lines, Part, Passage, Role},
    quoted::quoted,
    word::{Lead, Word, words},
};
use crate::reference::Reference;

/// What was found so far, and the leader that the next list belongs to.
pub(super) struct Reader<'k> {
    known: &'k Known,
    lines: Lines,
    links: Vec<Link>,
    /// The place of each name among the links.
    found: HashMap<String, usize>,
    /// The leader that ended the last passage.
    pending: Option<Leader>,
    /// The leader of the list around, and the depth of that list.
    active: Option<(Leader, usize)>,
    depth: usize,
    talk: Talk,
}

/// Where skills are the subject, so that a single word in backticks can be one.
#[derive(Clone, Copy, Default)]
struct Talk {
    /// The last heading has `skills` in it.
    under_heading: bool,
    /// The first row of the last table has `skill` or `skills` in it.
    in_table: bool,
    /// The passage itself has, or what it stands under.
    here: bool,
}

impl Talk {
    fn go_on(&mut self, role: Role, words: &[Word<'_>]) {
        let plural = words.iter().any(|word| word.is_one_of(&["skills"]));
        let either = words.iter().any(|word| word.is_one_of(&SKILL));
        match role {
            Role::Heading => self.under_heading = plural,
            Role::TableHead => self.in_table |= either,
            Role::Text | Role::TableCell => {}
        }
        self.here = either || self.under_heading || role == Role::TableCell && self.in_table;
    }
}

impl<'k> Reader<'k> {
    pub(super) fn new(lines: Lines, known: &'k Known) -> Self {
        let (links, found) = (Vec::new(), HashMap::new());
        let (pending, active, talk) = (None, None, Talk::default());
        Self { known, lines, links, found, pending, active, depth: 0, talk }
    }

    pub(super) fn finish(mut self) -> Vec<Link> {
        self.links.sort_by_key(|link| link.line);
        self.links
    }

    pub(super) fn take(&mut self, part: Part) {
        match part {
            Part::ListBegins => {
                self.depth += 1;
                if let Some(leader) = self.pending.take() {
                    self.active.get_or_insert((leader, self.depth));
                }
            }
            Part::ListEnds => {
                self.active = self.active.filter(|(_, depth)| *depth != self.depth);
                self.depth = self.depth.saturating_sub(1);
            }
            Part::TableBegins => self.talk.in_table = false,
            Part::Passage(passage) if self.links.len() < LINKS => {
                self.pending = self.read(&passage);
            }
            Part::Passage(_) => self.pending = None,
        }
    }

    /// Reads a passage, and returns the leader it ends with.
    fn read(&mut self, passage: &Passage) -> Option<Leader> {
        let around = self.active.map(|(leader, _)| leader);
        if around == Some(Leader::Callers) {
            return None;
        }
        for call in quoted(&passage.text) {
            let Ok(target) = Reference::parse(call.name) else { continue };
            if call.trust == Trust::Firm || self.known.has(&target) {
                self.add(target, Kind::Opens, passage, call.at);
            }
        }
        for (at, address) in &passage.addresses {
            if let Some(target) = self.linked(address) {
                self.add(target, Kind::Mentions, passage, *at);
            }
        }
        let words = words(&passage.text);
        self.talk.go_on(passage.role, &words);
        let mut at = 0;
        if let Some(Leader::Points(kind, trust)) = around {
            at = self.read_list((kind, trust), passage, &words, at);
        }
        let mut leader = None;
        while let Some(word) = words.get(at) {
            if let Some((begun, length)) = leader::leader(passage.role, &words, at) {
                at += length;
                if at >= words.len() {
                    return Some(begun);
                }
                if let Leader::Points(kind, trust) = begun {
                    at = self.read_list((kind, trust), passage, &words, at);
                }
                let last = at.checked_sub(1).and_then(|last| words.get(last));
                let is_over = last.is_some_and(|last| last.ends_sentence(passage.form));
                leader = Some(begun).filter(|_| !is_over);
                continue;
            }
            if leader != Some(Leader::Callers) {
                self.read_word(leader, passage, &words, at);
            }
            if word.ends_sentence(passage.form) {
                leader = None;
            }
            at += 1;
        }
        None
    }

    /// Reads the names right behind a leader, and returns where they end.
    fn read_list(
        &mut self,
        (kind, trust): (Kind, Trust),
        passage: &Passage,
        words: &[Word<'_>],
        mut at: usize,
    ) -> usize {
        while let Some(word) = words.get(at) {
            if leader::is_opening(word) && !passage.is_marked(&word.bytes) {
                at += 1;
                continue;
            }
            let next = words.get(at + 1);
            let Some(target) = self.announced((kind, trust), passage, word, next) else { break };
            self.add(target, kind, passage, word.bytes.start);
            at += 1;
            if word.gap.contains('(') {
                let remark = words.iter().skip(at).take_while(|word| !word.gap.contains(')'));
                at += remark.count() + 1;
            }
            let Some(last) = at.checked_sub(1).and_then(|last| words.get(last)) else { break };
            let goes_on = last.gap.contains([',', '+', '→', '&'])
                || words.get(at).is_some_and(leader::is_opening);
            if !goes_on || last.ends_sentence(passage.form) {
                break;
            }
        }
        at
    }

    /// Returns the skill that a word right behind a leader names.
    fn announced(
        &self,
        (kind, trust): (Kind, Trust),
        passage: &Passage,
        word: &Word<'_>,
        next: Option<&Word<'_>>,
    ) -> Option<Reference> {
        if let Some(target) = self.qualified(word, passage.form, Some(trust)) {
            return Some(target);
        }
        if self.known.has_key(word.text) && word.lead != Lead::Other {
            return Reference::parse(word.text).ok();
        }
        if trust == Trust::Loose || passage.form == Form::Verbatim || !is_key(word) {
            return None;
        }
        // Nobody has it: a word is taken for a name only when it can hardly be anything else.
        let is_compound = word.text.contains('-');
        let stands_alone = next.is_none_or(|next| next.is_one_of(&["and", "or", "to", "skill"]))
            || word.gap.contains(['.', ',', '(', '—', '–']);
        let is_name = match (passage.is_marked(&word.bytes), kind) {
            (true, Kind::Calls) => is_compound,
            (true, _) => true,
            (false, _) => is_compound && stands_alone,
        };
        if is_name { Reference::parse(word.text).ok() } else { None }
    }

    /// Reads one word on its own, within the sentence of a leader or without one.
    fn read_word(
        &mut self,
        leader: Option<Leader>,
        passage: &Passage,
        words: &[Word<'_>],
        at: usize,
    ) {
        let Some(word) = words.get(at) else { return };
        let (kind, trust) = match leader {
            Some(Leader::Points(kind, trust)) => (kind, Some(trust)),
            Some(Leader::Callers) | None if leader::is_asked_for(words, at) => (Kind::Uses, None),
            Some(Leader::Callers) | None => (Kind::Mentions, None),
        };
        if word.is_one_of(&SKILL) {
            if let Some((target, place)) = self.called_a_skill(passage, words, at) {
                self.add(target, Kind::Uses, passage, place);
            }
            if let Some((target, place)) = shown(words, at) {
                self.add(target, Kind::Opens, passage, place);
            }
            return;
        }
        if let Some(target) = self.qualified(word, passage.form, trust) {
            self.add(target, kind, passage, word.bytes.start);
        } else if self.known.has_key(word.text)
            && self.is_meant(trust, passage, words, at)
            && let Ok(target) = Reference::parse(word.text)
        {
            self.add(target, kind, passage, word.bytes.start);
        }
    }

    /// Tells whether a word that is the name of a skill is meant as one.
    ///
    /// Of the single words in backticks that some skill has for a name nine in ten are a command,
    /// an option or a field (`search`, `linear`, `codex`), so these need more than the marks.
    fn is_meant(
        &self,
        trust: Option<Trust>,
        passage: &Passage,
        words: &[Word<'_>],
        at: usize,
    ) -> bool {
        let Some(word) = words.get(at) else { return false };
        let is_marked = passage.is_marked(&word.bytes);
        if word.text.contains(['-', '/']) {
            return is_marked || trust.is_some();
        }
        is_marked && (self.talk.here || leader::is_asked_for(words, at))
    }

    /// Returns the skill that a link goes to, when its address is that of a file beside this one.
    fn linked(&self, address: &str) -> Option<Reference> {
        let directory = address.strip_suffix("/SKILL.md")?;
        let name = directory.rsplit('/').next().filter(|_| !address.contains("://"))?;
        let target = Reference::parse(name).ok().filter(|_| self.known.has_key(name))?;
        Some(target)
    }

    /// Returns the name before the word `skill`.
    fn called_a_skill(
        &self,
        passage: &Passage,
        words: &[Word<'_>],
        at: usize,
    ) -> Option<(Reference, usize)> {
        let name = at.checked_sub(1)?;
        let word = words.get(name).filter(|word| word.is_beside_next())?;
        let place = word.bytes.start;
        if let Some(target) = self.qualified(word, passage.form, Some(Trust::Firm)) {
            return Some((target, place));
        }
        if let Some(start) = passage.marked_until(word.bytes.end).filter(|start| *start < place) {
            // The name as people write it: **Writing Plans** skill.
            let target = Reference::parse(passage.text.get(start..word.bytes.end)?).ok()?;
            return self.known.has(&target).then_some((target, start));
        }
        let is_known = self.known.has_key(word.text) && word.lead != Lead::Other;
        let is_name = is_known || is_key(word) && passage.is_marked(&word.bytes);
        if is_name && leader::is_asked_for(words, name) {
            return Some((Reference::parse(word.text).ok()?, place));
        }
        None
    }

    /// Returns the skill that `plugin:name` means, if the word is one and may count.
    fn qualified(&self, word: &Word<'_>, form: Form, trust: Option<Trust>) -> Option<Reference> {
        let (plugin, name) = word.text.split_once(':')?;
        if word.lead == Lead::Other || !is_plugin(plugin) || !is_name(name) {
            return None;
        }
        let is_plugin_known = self.known.has_plugin(plugin);
        if !is_plugin_known && trust != Some(Trust::Firm) {
            return None;
        }
        let target = Reference::parse(word.text).ok()?;
        // A command need not be a skill, and code has pairs of words with a colon for anything.
        let is_free = word.lead == Lead::Free && (form == Form::Prose || trust.is_some());
        (is_free || self.known.has(&target)).then_some(target)
    }

    fn add(&mut self, target: Reference, kind: Kind, passage: &Passage, at: usize) {
        let line = Some(self.lines.number(passage.place(at)));
        match self.found.entry(target.canonical()) {
            Entry::Vacant(place) if self.links.len() < LINKS => {
                place.insert(self.links.len());
                self.links.push(Link { target, kind, line });
            }
            Entry::Vacant(_) => {}
            Entry::Occupied(place) => {
                if let Some(link) = self.links.get_mut(*place.get())
                    && (kind, line) < (link.kind, link.line)
                {
                    // The name as it is spelled there: one key has many spellings.
                    *link = Link { target, kind, line };
                }
            }
        }
    }
}

/// Returns what `pacenote skill show` is followed by, when the word is its second.
fn shown(words: &[Word<'_>], at: usize) -> Option<(Reference, usize)> {
    let program = words.get(at.checked_sub(1)?)?;
    let verb = words.get(at + 1)?;
    let name = words.get(at + 2)?;
    let is_command = program.text == "pacenote" && verb.text == "show" && verb.is_beside_next();
    let is_name = is_key(name) && name.text.contains('-')
        || name
            .text
            .split_once(':')
            .is_some_and(|(plugin, name)| is_plugin(plugin) && is_name(name));
    if is_command && is_name && name.lead == Lead::Free {
        return Some((Reference::parse(name.text).ok()?, name.bytes.start));
    }
    None
}

/// Tells whether a word is written as a key: lower case, with single hyphens within.
fn is_key(word: &Word<'_>) -> bool {
    let is_part = |part: &str| {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !part.is_empty() && part.bytes().all(is_plain)
    };
    word.lead != Lead::Other
        && word.text.starts_with(|first: char| first.is_ascii_lowercase())
        && word.text.split('-').all(is_part)
}

fn is_plugin(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// Tells whether a text can be the name behind a plugin's; `localhost:8080` has none.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-/@.".contains(&byte))
}
