//! Finding in a text exactly what an edit put into it, and cutting that out.
//!
//! An edit of ours only appends members to containers. So what it put in are the members that a
//! container has behind those it had before, and three texts can be walked through side by side:
//! the one before, the one after, and the one of now.

use crate::edit::json::{
    Cut, Document, Gone, Member, Span, Value, blank_before, cut_all, cuts, last_blank,
};

/// Most members that one edit puts into one container: far more than a host has events. Each of
/// them is looked for among all that are there now.
const ADDED: usize = 256;

/// Returns what is left of `now` without what the edit put in, or `None` where it cannot be told.
pub(super) fn cut(before: &str, after: &str, now: &str) -> Option<String> {
    let read = |text| Document::read(text).ok();
    let (before, after) = (read(before)?, read(after)?);
    // If not even what we wrote becomes what it was, the two texts are not those of one edit.
    if without_added(&before, &after, &after)? != before.text {
        return None;
    }
    without_added(&before, &after, &read(now)?)
}

/// Tells whether two texts say the same, containers that say nothing left aside.
pub(super) fn same(one: &Document<'_>, other: &Document<'_>) -> bool {
    let telling = |value: &Option<Value>| value.as_ref().is_some_and(|value| !is_hollow(value));
    match (&one.root, &other.root) {
        (Some(a), Some(b)) if !is_hollow(a) => same_value((one, a), (other, b)),
        (a, b) => !telling(a) && !telling(b),
    }
}

fn without_added(
    before: &Document<'_>,
    after: &Document<'_>,
    now: &Document<'_>,
) -> Option<String> {
    let mut search = Search { before, after, now, cuts: Vec::new() };
    let (written, present) = (after.root.as_ref()?, now.root.as_ref()?);
    let fate = search.container(before.root.as_ref(), written, present)?;
    // Where there was no value at all, it goes as a whole when nothing of others is in it.
    let around_it = match (&before.root, fate) {
        (None, Fate::Goes) => {
            without_value(before.text, around(after, written), around(now, present))
        }
        (Some(_), _) | (None, Fate::Stays) => None,
    };
    Some(around_it.unwrap_or_else(|| cut_all(now.text, search.cuts)))
}

/// Returns what is left where a value goes with what was written around it.
fn without_value(before: &str, written: [&str; 2], present: [&str; 2]) -> Option<String> {
    let ([lead, tail], [ahead, behind]) = (written, present);
    let ahead = ahead.strip_suffix(lead.strip_prefix(before)?)?;
    Some(format!("{ahead}{}", behind.strip_prefix(tail)?))
}

/// Returns what stands before and behind the value of a text.
fn around<'a>(document: &Document<'a>, root: &Value) -> [&'a str; 2] {
    let before = Span { start: 0, end: root.span.start };
    let behind = Span { start: root.span.end, end: document.text.len() };
    [before, behind].map(|span| span.of(document.text))
}

/// What becomes of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stays,
    /// It is of our making, and nothing of others is in it.
    Goes,
}

struct Search<'d> {
    before: &'d Document<'d>,
    after: &'d Document<'d>,
    now: &'d Document<'d>,
    cuts: Vec<Cut>,
}

impl Search<'_> {
    /// Cuts what was put into a container, which is wholly of our making if `before` is `None`.
    fn container(&mut self, before: Option<&Value>, after: &Value, now: &Value) -> Option<Fate> {
        if now.kind != after.kind || before.is_some_and(|before| before.kind != after.kind) {
            return None;
        }
        let known = before.map_or(&[][..], |before| &before.members);
        self.known(known, after, now)?;
        let added = after.members.get(known.len()..)?;
        let gone = self.added(added, known.len(), after, now)?;
        self.cuts.extend(cuts(self.now.text, now, &gone));
        if gone.len() < now.members.len() {
            return Some(Fate::Stays);
        }
        match before {
            None if !now.has_comments(self.now.text) => return Some(Fate::Goes),
            Some(before) if before.members.is_empty() => self.tail(before, after, now),
            Some(_) | None => {}
        }
        Some(Fate::Stays)
    }

    /// Looks into the members that were there before, where something was put into them.
    fn known(&mut self, known: &[Member], after: &Value, now: &Value) -> Option<()> {
        for (index, before) in known.iter().enumerate() {
            let written = after.members.get(index)?;
            if before.span().of(self.before.text) == written.span().of(self.after.text) {
                continue;
            }
            let key = written.key?.of(self.after.text);
            if before.key?.of(self.before.text) != key {
                return None;
            }
            if let Some((_, present)) = self.keyed(now, key) {
                self.container(Some(&before.value), &written.value, &present.value)?;
            }
        }
        Some(())
    }

    /// Returns the members of now that were put in.
    fn added(
        &mut self,
        added: &[Member],
        known: usize,
        after: &Value,
        now: &Value,
    ) -> Option<Vec<Gone>> {
        if added.len() > ADDED {
            return None;
        }
        let mut gone: Vec<Gone> = Vec::new();
        for (place, written) in added.iter().enumerate() {
            let text = written.span().of(self.after.text);
            let literal = now.members.iter().enumerate().position(|(index, present)| {
                present.span().of(self.now.text) == text
                    && !gone.iter().any(|gone| gone.index == index)
            });
            if let Some(index) = literal {
                let lead = blank_before(self.after.text, after, known + place)?.span;
                let blank = blank_before(self.now.text, now, index)?.span;
                let lead = lead.of(self.after.text);
                // Other whitespace before it is the work of a program that formatted the file.
                blank.of(self.now.text).ends_with(lead).then_some(())?;
                gone.push(Gone { index, lead: lead.len() });
                continue;
            }
            let present = written.key.and_then(|key| self.keyed(now, key.of(self.after.text)));
            let Some((index, present)) = present else { continue };
            if self.container(None, &written.value, &present.value)? == Fate::Goes {
                gone.push(Gone::with_its_blank(self.now.text, now, index));
            }
        }
        gone.sort_by_key(|gone| gone.index);
        Some(gone)
    }

    /// Cuts what we put before the closing bracket of a container that was empty.
    fn tail(&mut self, before: &Value, after: &Value, now: &Value) {
        let blank = |document: &Document<'_>, container: &Value| {
            last_blank(document.text, container.closing_gap()).span
        };
        let present = blank(self.now, now);
        let written = blank(self.after, after).of(self.after.text);
        let tail = written.strip_suffix(blank(self.before, before).of(self.before.text));
        if let Some(tail) = tail.filter(|_| present.of(self.now.text) == written) {
            let end = present.start + tail.len();
            self.cuts.push(Cut::plain(Span { end, ..present }));
        }
    }

    fn keyed<'v>(&self, now: &'v Value, key: &str) -> Option<(usize, &'v Member)> {
        let is_it = |member: &Member| member.key.is_some_and(|its| its.of(self.now.text) == key);
        now.members.iter().enumerate().find(|(_, member)| is_it(member))
    }
}

fn same_value((one, a): (&Document<'_>, &Value), (other, b): (&Document<'_>, &Value)) -> bool {
    if a.kind != b.kind {
        return false;
    }
    if !a.is_container() {
        return one.raw(a) == other.raw(b);
    }
    let telling = |member: &&Member| !is_hollow(&member.value);
    let mut left = a.members.iter().filter(telling);
    let mut right = b.members.iter().filter(telling);
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) => {
                let keys = (a.key.map(|key| key.of(one.text)), b.key.map(|key| key.of(other.text)));
                if keys.0 != keys.1 || !same_value((one, &a.value), (other, &b.value)) {
                    return false;
                }
            }
            (Some(_), None) | (None, Some(_)) => return false,
        }
    }
}

/// Tells whether a value is a container with nothing in it, or nothing but such.
fn is_hollow(value: &Value) -> bool {
    value.is_container() && value.members.iter().all(|member| is_hollow(&member.value))
}
