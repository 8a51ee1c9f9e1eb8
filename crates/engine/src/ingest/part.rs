//! Which lines of a session log go into one commit, and which are set aside.

use pacenote_files::session_log::{Chunk, Line};
use pacenote_model::{Record, SetAside};

/// Lines that go into one commit: all of one project.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// What can be applied.
    pub(super) records: Vec<Record>,
    /// What cannot.
    pub(super) set_aside: Vec<SetAside>,
    /// How many lines there are, with those that say nothing.
    pub(super) lines: usize,
    /// Where they end.
    pub(super) to: u64,
}

/// How much of a chunk is tried at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// At most so many lines.
    Lines(usize),
    /// Only the line that begins here, which cannot be applied for this reason.
    SetAside {
        /// Where the cursor stands.
        from: u64,
        /// Why it cannot be applied.
        reason: String,
    },
}

impl Attempt {
    /// As many lines as there are.
    pub(super) const ALL: Self = Self::Lines(usize::MAX);

    /// Returns what to try after these lines were refused: half of them, down to the one that is to
    /// blame, which is set aside. All lines before it have been applied by then.
    pub(super) fn after_refusal(lines: usize, from: u64, reason: String) -> Self {
        match lines {
            0 | 1 => Self::SetAside { from, reason },
            more => Self::Lines(more / 2),
        }
    }

    /// Returns what to try after a success: more and more, because bad lines come in clusters.
    pub(super) fn after_success(self) -> Self {
        match self {
            Self::Lines(most) => Self::Lines(most.saturating_mul(2)),
            Self::SetAside { .. } => Self::Lines(1),
        }
    }
}

impl Part {
    /// Takes the lines at the start of a chunk that belong to one project; `None` when there are
    /// none. What is on a host's list goes by itself: who put it there must be known before.
    pub(super) fn of(chunk: &Chunk, file: &str, from: u64, attempt: &Attempt) -> Option<Self> {
        let mut part = Self { to: from, ..Self::default() };
        let most = match attempt {
            Attempt::Lines(most) => *most,
            Attempt::SetAside { from: at, reason } if *at == from => {
                let line = chunk.lines.first()?;
                part.put_aside(file, line, reason.clone());
                return Some(part);
            }
            // Another process was here meanwhile.
            Attempt::SetAside { .. } => usize::MAX,
        };
        for line in chunk.lines.iter().take(most) {
            match read(line) {
                Ok(Some(record)) => {
                    let is_list = matches!(record, Record::Listed { .. });
                    if (is_list && !part.records.is_empty()) || part.is_elsewhere(&record) {
                        break;
                    }
                    part.records.push(record);
                    part.count(line);
                    if is_list {
                        break;
                    }
                }
                Ok(None) => part.count(line),
                Err(reason) => part.put_aside(file, line, reason),
            }
        }
        (part.lines > 0).then_some(part)
    }

    /// Returns the place and the name of the project; lines that name none belong to any.
    pub(super) fn place(&self) -> Option<(&str, &str)> {
        self.records.iter().find_map(place_of)
    }

    fn is_elsewhere(&self, record: &Record) -> bool {
        self.place().zip(place_of(record)).is_some_and(|(here, there)| here.0 != there.0)
    }

    const fn count(&mut self, line: &Line) {
        self.lines += 1;
        self.to = line.end;
    }

    fn put_aside(&mut self, file: &str, line: &Line, reason: String) {
        self.count(line);
        let from = start_of(line);
        match self.set_aside.last_mut() {
            Some(last) if last.to == from && last.reason == reason => {
                last.to = line.end;
                last.lines = last.lines.saturating_add(1);
            }
            Some(_) | None => {
                let (file, to) = (file.to_owned(), line.end);
                self.set_aside.push(SetAside { file, from, to, lines: 1, reason });
            }
        }
    }
}

fn start_of(line: &Line) -> u64 {
    match &line.text {
        Ok(text) => {
            let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
            line.end.saturating_sub(length).saturating_sub(1)
        }
        Err(damage) => damage.bytes.start,
    }
}

/// Reads a line; an empty one says nothing.
fn read(line: &Line) -> Result<Option<Record>, String> {
    let text = line.text.as_ref().map_err(|damage| damage.reason.to_string())?;
    if text.is_empty() {
        return Ok(None);
    }
    // What exactly is wrong would quote the line.
    serde_json::from_str(text).map(Some).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => "this version does not know such a line".into(),
        serde_json::error::Category::Syntax
        | serde_json::error::Category::Eof
        | serde_json::error::Category::Io => "the line is not JSON".into(),
    })
}

/// Returns the project a record names; a text belongs to what came before it.
fn place_of(record: &Record) -> Option<(&str, &str)> {
    match record {
        Record::SessionStart { place, name, .. }
        | Record::Seen { place, name, .. }
        | Record::Offered { place, name, .. }
        | Record::Printed { place, name, .. } => Some((place, name)),
        Record::Marked { from, .. }
        | Record::Set { from, .. }
        | Record::Refused { from, .. }
        | Record::Passed { from, .. }
        | Record::Drafted { from, .. }
        | Record::Observed { from, .. }
        | Record::Wished { from, .. }
        | Record::Asked { from, .. }
        | Record::Begun { from, .. }
        | Record::Taken { from, .. }
        | Record::Returned { from, .. }
        | Record::Listed { from, .. }
        | Record::Deferred { from, .. }
        | Record::SkillInjected { from, .. }
        | Record::SkillLoaded { from, .. }
        | Record::Said { from, .. }
        | Record::Lost { from } => Some((&from.place, &from.name)),
        Record::Text { .. } => None,
    }
}
