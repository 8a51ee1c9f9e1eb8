//! The rules made ready: one automaton over all keywords, and patterns that are compiled when one
//! of their keywords was seen for the first time.

use std::{ops::Range, sync::OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};
use regex::bytes::Regex;

use super::{
    exfiltration::{READS, SENDS, Signal},
    judge::Judge,
    rule::{Look, Rule, rules},
    window::{FileScan, MATCH_BYTES},
};
use crate::pattern::compile_ascii;

/// The rules, ready to look through any number of files.
#[derive(Debug)]
pub struct Scanner {
    /// Nothing only if the automaton cannot be built; every pattern is tried then.
    keywords: Option<AhoCorasick>,
    /// The probe of each keyword.
    owners: Vec<usize>,
    probes: Vec<Probe>,
}

/// A pattern with what it is for.
#[derive(Debug)]
struct Probe {
    pattern: &'static str,
    wanted: Wanted,
    compiled: OnceLock<Option<Regex>>,
}

/// What a match of a probe is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    /// It meets a rule, if the judge agrees.
    Rule(&'static Rule, Judge),
    /// It reads secrets; that is worth a word only where something is sent.
    Reads,
    /// It sends something; that is worth a word only where secrets are read.
    Sends,
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    /// Makes all rules ready.
    pub fn new() -> Self {
        let mut words: Vec<&str> = Vec::new();
        let mut owners = Vec::new();
        let mut probes = Vec::new();
        let mut add = |keywords: &'static [&'static str], pattern, wanted| {
            owners.extend(keywords.iter().map(|_| probes.len()));
            words.extend(keywords);
            probes.push(Probe { pattern, wanted, compiled: OnceLock::new() });
        };
        for rule in rules() {
            if let Look::Pattern { keywords, pattern, judge } = rule.look {
                add(keywords, pattern, Wanted::Rule(rule, judge));
            }
        }
        for (Signal { keywords, pattern }, wanted) in
            [(READS, Wanted::Reads), (SENDS, Wanted::Sends)]
        {
            add(keywords, pattern, wanted);
        }
        let keywords = AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(words)
            .ok();
        Self { keywords, owners, probes }
    }

    /// Begins to look through a file; `path` is how it is named in what is found.
    pub fn file(&self, path: &str) -> FileScan<'_> {
        FileScan::new(self, path)
    }

    /// Tells every match in a text, in no particular order.
    pub(super) fn look(&self, text: &[u8], told: &mut impl FnMut(Wanted, Range<usize>)) {
        for (probe, parts) in self.probes.iter().zip(self.parts(text)) {
            if parts.is_empty() {
                continue;
            }
            let Some(pattern) = probe.compiled() else { continue };
            for part in parts {
                let text = text.get(..part.end).unwrap_or(text);
                for found in (Matches { pattern, text, from: part.start }) {
                    told(probe.wanted, found);
                }
            }
        }
    }

    /// Returns for each probe the parts of a text in which its matches must be: a match has a
    /// keyword and is not longer than [`MATCH_BYTES`].
    fn parts(&self, text: &[u8]) -> Vec<Vec<Range<usize>>> {
        let Some(keywords) = &self.keywords else {
            let whole = || std::iter::once(0..text.len()).collect();
            return self.probes.iter().map(|_| whole()).collect();
        };
        let mut parts: Vec<Vec<Range<usize>>> = self.probes.iter().map(|_| Vec::new()).collect();
        for keyword in keywords.find_overlapping_iter(text) {
            let owner = self.owners.get(keyword.pattern().as_usize());
            let Some(parts) = owner.and_then(|owner| parts.get_mut(*owner)) else { continue };
            let start = keyword.start().saturating_sub(MATCH_BYTES);
            let end = text.len().min(keyword.end() + MATCH_BYTES);
            match parts.last_mut() {
                Some(last) if start <= last.end => last.end = end.max(last.end),
                Some(_) | None => parts.push(start..end),
            }
        }
        parts
    }
}

impl Probe {
    /// Returns the compiled pattern; that each of them compiles is tested.
    fn compiled(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| compile_ascii(self.pattern).ok()).as_ref()
    }
}

/// The matches of a pattern, none of them longer than [`MATCH_BYTES`].
struct Matches<'p> {
    pattern: &'p Regex,
    text: &'p [u8],
    from: usize,
}

impl Iterator for Matches<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let found = self.pattern.find_at(self.text, self.from)?;
            self.from = found.end().max(found.start() + 1);
            if found.len() <= MATCH_BYTES {
                return Some(found.range());
            }
            // It began too early: the same end may have a beginning that is near.
            let nearest = self.pattern.find_at(self.text, found.end() - MATCH_BYTES)?;
            if nearest.len() <= MATCH_BYTES {
                self.from = nearest.end().max(self.from);
                return Some(nearest.range());
            }
        }
    }
}
