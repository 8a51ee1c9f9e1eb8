//! Looking through one file, piece by piece, in bounded memory.
//!
//! The file is cut into windows at fixed places. Each window owns the bytes that no other owns and
//! sees some bytes before and after them, so that nothing is missed at a border and nothing told
//! twice; what begins in the bytes of a window is found by that window.

use std::ops::Range;

use super::{
    Family, Severity, Suspicion, archive, encoded,
    excerpt::{excerpt, harmless_path},
    executable, exfiltration, hidden, places,
    rule::Rule,
    scanner::{Scanner, Wanted},
    text::{Decoder, fold},
    told::Told,
};

/// Longest match of a rule: attacks are written to be copied, not to fill pages.
pub(super) const MATCH_BYTES: usize = 2 * 1024;

/// Bytes that a window sees before those it owns: the header of a tar archive fits in.
const BEFORE: usize = 512;

/// Bytes that a window sees after those it owns.
const AFTER: usize = MATCH_BYTES + BEFORE;

/// Bytes of a full window; larger ones would be hardly faster.
const WINDOW_BYTES: usize = 64 * 1024;

/// Where the bytes end that the first window owns.
pub(super) const FIRST_BORDER: usize = WINDOW_BYTES - AFTER;

/// Lines between reading a secret and sending something that still belong together.
const NEARBY_LINES: usize = 20;

/// A file that is being looked through.
#[derive(Debug)]
pub struct FileScan<'s> {
    scanner: &'s Scanner,
    path: String,
    decoder: Decoder,
    /// Bytes that were fed and not yet given up.
    pending: Vec<u8>,
    folded: Vec<u8>,
    /// Where the bytes begin that the next window owns.
    owned: usize,
    /// The line of the first pending byte.
    line: usize,
    /// Whether characters are looked at; unknown until the first window.
    content: Option<Content>,
    read: Option<usize>,
    sent: Option<usize>,
    told: Told,
}

/// What a file seems to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Something a model or a person reads.
    Text,
    /// Something only programs read.
    Binary,
}

/// A part of a file as rules see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'w> {
    /// The bytes that are seen.
    pub(super) bytes: &'w [u8],
    /// Where the first owned byte is.
    pub(super) start: usize,
    /// Where the owned bytes end.
    pub(super) end: usize,
}

impl Window<'_> {
    /// Tells whether what begins at `at` is for this window to tell.
    pub(super) const fn owns(&self, at: usize) -> bool {
        self.start <= at && at < self.end
    }
}

/// What a window holds, before it is told.
struct Hit {
    range: Range<usize>,
    what: What,
}

enum What {
    Rule(&'static Rule, Severity),
    Reads,
    Sends,
}

impl<'s> FileScan<'s> {
    pub(super) fn new(scanner: &'s Scanner, path: &str) -> Self {
        let mut scan = Self {
            scanner,
            path: harmless_path(path),
            decoder: Decoder::default(),
            pending: Vec::new(),
            folded: Vec::new(),
            owned: 0,
            line: 1,
            content: None,
            read: None,
            sent: None,
            told: Told::default(),
        };
        for rule in places::look_at_path(path) {
            scan.tell(rule, rule.severity, None, b"");
        }
        scan
    }

    /// Takes the next piece of the file, of any size.
    pub fn feed(&mut self, piece: &[u8]) {
        for part in piece.chunks(WINDOW_BYTES) {
            self.decoder.feed(part, &mut self.pending);
            while self.pending.len() >= WINDOW_BYTES {
                self.look(WINDOW_BYTES, FIRST_BORDER);
            }
        }
    }

    /// Ends the file and returns what was found, the first line first.
    pub fn finish(mut self) -> Vec<Suspicion> {
        self.decoder.finish(&mut self.pending);
        self.look(self.pending.len(), self.pending.len());
        self.told.into_sorted()
    }

    /// Returns how many bytes of the file are held.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.pending.capacity() + self.folded.capacity()
    }

    /// Looks at the first `seen` pending bytes, of which those up to `end` are owned.
    fn look(&mut self, seen: usize, end: usize) {
        let pending = std::mem::take(&mut self.pending);
        let mut folded = std::mem::take(&mut self.folded);
        let bytes = pending.get(..seen).unwrap_or_default();
        fold(bytes, &mut folded);
        let window = Window { bytes, start: self.owned, end };
        let hits = self.hits(&window, &folded);
        self.tell_hits(hits, &window);

        self.folded = folded;
        let given_up = end.saturating_sub(BEFORE);
        self.line += newlines(pending.get(..given_up).unwrap_or_default());
        self.owned = end - given_up;
        self.pending = pending;
        self.pending.drain(..given_up);
    }

    /// Returns what a window holds, in the order of the file.
    fn hits(&mut self, window: &Window<'_>, folded: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        let bytes = window.bytes;
        let content = *self.content.get_or_insert_with(|| {
            if let Some(rule) = executable::look(bytes, &self.path) {
                hits.push(Hit { range: 0..0, what: What::Rule(rule, rule.severity) });
            }
            content_of(bytes, &self.path)
        });
        self.scanner.look(folded, &mut |wanted, range| {
            if !window.owns(range.start) {
                return;
            }
            let what = match wanted {
                Wanted::Reads => Some(What::Reads),
                Wanted::Sends => Some(What::Sends),
                Wanted::Rule(rule, judge) => {
                    let before = bytes.get(..range.start).unwrap_or_default();
                    let found = folded.get(range.clone()).unwrap_or_default();
                    let severity = judge.severity(rule.severity, before, found);
                    severity.map(|severity| What::Rule(rule, severity))
                }
            };
            let blanks = folded.get(range.clone()).unwrap_or_default();
            let blanks = blanks.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let range = range.start + blanks..range.end;
            hits.extend(what.map(|what| Hit { range, what }));
        });
        let mut by_code = |rule: &'static Rule, range| {
            hits.push(Hit { range, what: What::Rule(rule, rule.severity) });
        };
        archive::look(window, &mut by_code);
        if content == Content::Text {
            hidden::look(window, &mut by_code);
            encoded::look(window, &mut by_code);
        }
        hits.sort_by_key(|hit| hit.range.start);
        hits
    }

    fn tell_hits(&mut self, hits: Vec<Hit>, window: &Window<'_>) {
        let (mut line, mut counted) = (self.line, 0);
        for Hit { range, what } in hits {
            line += newlines(window.bytes.get(counted..range.start).unwrap_or_default());
            counted = range.start;
            let found = window.bytes.get(range).unwrap_or_default();
            let is_read = match what {
                What::Rule(rule, severity) => {
                    self.tell(rule, severity, Some(line), found);
                    rule.family == Family::Credentials
                }
                What::Reads => true,
                What::Sends => {
                    self.sent = Some(line);
                    false
                }
            };
            if is_read {
                self.read = Some(line);
            }
            if let (Some(read), Some(sent)) = (self.read, self.sent)
                && read.abs_diff(sent) <= NEARBY_LINES
            {
                self.tell(&exfiltration::NEARBY, exfiltration::NEARBY.severity, Some(line), found);
                // Each pair is told once.
                (self.read, self.sent) = (None, None);
            }
        }
    }

    fn tell(&mut self, rule: &Rule, severity: Severity, line: Option<usize>, found: &[u8]) {
        let path = &self.path;
        self.told.add(rule, severity, || Suspicion {
            family: rule.family,
            rule: rule.id,
            severity,
            path: path.clone(),
            line,
            reason: rule.reason,
            excerpt: excerpt(found),
            more: 0,
        });
    }
}

/// Bytes at the beginning of a file that decide whether it is text.
const BEGINNING: usize = 1024;

/// Ends of names that hosts and interpreters read as text, whatever bytes are in there.
const READ_AS_TEXT: [&str; 24] = [
    ".md",
    ".markdown",
    ".mdc",
    ".mdx",
    ".txt",
    ".rst",
    ".html",
    ".svg",
    ".xml",
    ".json",
    ".yaml",
    ".yml",
    ".toml",
    ".csv",
    ".sh",
    ".bash",
    ".zsh",
    ".ps1",
    ".py",
    ".js",
    ".mjs",
    ".ts",
    ".rb",
    ".pl",
];

/// Only what nobody reads as text is spared the look at its characters.
fn content_of(beginning: &[u8], path: &str) -> Content {
    let is_read = || {
        let path = path.to_ascii_lowercase();
        READ_AS_TEXT.iter().any(|end| path.ends_with(end))
    };
    if beginning.iter().take(BEGINNING).any(|byte| *byte == 0) && !is_read() {
        Content::Binary
    } else {
        Content::Text
    }
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| usize::from(*byte == b'\n')).sum()
}
