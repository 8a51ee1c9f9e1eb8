//! What a settings file has of ours, and of others.

use std::fmt;

use super::{
    super::{
        EditError, excerpt,
        json::{Document, Kind},
    },
    Registration,
    entries::{Entry, entries},
    hooks_of, list_of,
};

/// Most things that are listed of one kind. Nobody reads more, and a file may hold thousands.
pub const LISTED: usize = 50;

/// What a settings file has in hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Those of ours.
    pub ours: Ours,
    /// The programs that those call, each once.
    pub programs: Vec<String>,
    /// Those of others, in the order of the file.
    pub foreign: Listed<Foreign>,
    /// Whether the file tells its host to run no hooks at all.
    pub disabled: bool,
}

/// How our hooks stand in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ours {
    /// There are none.
    None,
    /// They are there, all of them and no others, as we would write them.
    AsExpected,
    /// They are there, but differ.
    Changed(Listed<Difference>),
}

/// A way in which our hooks differ from what we would write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// One is not there.
    Missing {
        event: &'static str,
        /// The words behind the program.
        words: String,
    },
    /// One is there that we would not write, or would write only once.
    Extra {
        /// The event, shortened and made printable.
        event: String,
        /// The command, shortened and made printable.
        command: String,
    },
    /// One calls another program.
    OtherProgram {
        event: &'static str,
        /// The program, shortened and made printable.
        program: String,
    },
    /// One has another timeout.
    OtherTimeout {
        event: &'static str,
        /// The timeout as it is written, if there is one.
        timeout: Option<String>,
    },
    /// One is for another choice of events.
    OtherMatcher {
        event: &'static str,
        /// The matcher, if there is one, shortened and made printable.
        matcher: Option<String>,
    },
    /// One is written in another form, or with settings that we do not make.
    OtherForm { event: &'static str },
}

/// A hook that is not ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The event, shortened and made printable, like all of it.
    pub event: String,
    /// The matcher of its group.
    pub matcher: Option<String>,
    /// The command or, for a hook that runs none, what it names instead.
    pub command: String,
}

/// The first so many of some things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T> {
    /// Those that are listed, at most [`LISTED`].
    pub first: Vec<T>,
    /// How many there are beyond them.
    pub more: usize,
}

impl<T> Listed<T> {
    /// Returns a list of nothing.
    pub const fn none() -> Self {
        Self { first: Vec::new(), more: 0 }
    }

    fn of(all: impl Iterator<Item = T>) -> Self {
        let mut all = all.fuse();
        let first = all.by_ref().take(LISTED).collect();
        Self { first, more: all.count() }
    }
}

/// Looks at the hooks of a settings file.
pub fn found(
    text: &str,
    program: &str,
    registrations: &[Registration],
) -> Result<Found, EditError> {
    let document = Document::read(text)?;
    if let Some(hooks) = hooks_of(&document)? {
        for registration in registrations {
            list_of(&document, hooks, registration.event)?;
        }
    }
    let (ours, foreign): (Vec<Entry>, Vec<Entry>) =
        entries(&document).into_iter().partition(|entry| entry.call.is_some());
    let mut programs: Vec<String> = Vec::new();
    for call in ours.iter().filter_map(|entry| entry.call.as_ref()) {
        if !programs.contains(&call.program) && programs.len() < LISTED {
            programs.push(call.program.clone());
        }
    }
    let ours = match differences(&ours, program, registrations) {
        _ if ours.is_empty() => Ours::None,
        differences if differences.is_empty() => Ours::AsExpected,
        differences => Ours::Changed(Listed::of(differences.into_iter())),
    };
    let foreign = Listed::of(foreign.iter().map(|entry| Foreign {
        event: excerpt(&entry.event),
        matcher: entry.matcher.as_deref().map(excerpt),
        command: excerpt(&entry.what),
    }));
    Ok(Found { ours, programs, foreign, disabled: is_disabled(&document) })
}

fn differences(ours: &[Entry], program: &str, registrations: &[Registration]) -> Vec<Difference> {
    let mut left: Vec<&Entry> = ours.iter().collect();
    let mut take = |is_it: &dyn Fn(&Entry) -> bool| {
        let position = left.iter().position(|entry| is_it(entry))?;
        Some(left.remove(position))
    };
    // Those as expected first, so that a second one that differs is the one too many.
    let mut wanting: Vec<&Registration> = registrations.iter().collect();
    wanting.retain(|registration| take(&|entry| entry.is_exactly(registration, program)).is_none());
    let mut differences = Vec::new();
    for registration in wanting {
        match take(&|entry| entry.is_meant_by(registration)) {
            Some(entry) => differences.extend(compared(entry, registration, program)),
            None => differences.push(Difference::Missing {
                event: registration.event,
                words: registration.words.join(" "),
            }),
        }
    }
    differences.extend(left.into_iter().map(|entry| Difference::Extra {
        event: excerpt(&entry.event),
        command: excerpt(&entry.what),
    }));
    differences
}

/// Tells in which ways a hook differs from its registration, of which there is at least one.
fn compared(entry: &Entry, registration: &Registration, program: &str) -> Vec<Difference> {
    let event = registration.event;
    let mut differences = Vec::new();
    if let Some(call) = entry.call.as_ref().filter(|call| call.program != program) {
        differences.push(Difference::OtherProgram { event, program: excerpt(&call.program) });
    }
    if entry.timeout.as_deref() != Some(&registration.timeout.to_string()) {
        let timeout = entry.timeout.as_deref().map(excerpt);
        differences.push(Difference::OtherTimeout { event, timeout });
    }
    if entry.matcher.as_deref() != registration.matcher {
        let matcher = entry.matcher.as_deref().map(excerpt);
        differences.push(Difference::OtherMatcher { event, matcher });
    }
    if differences.is_empty() || !entry.has_form_of(registration) {
        differences.push(Difference::OtherForm { event });
    }
    differences
}

fn is_disabled(document: &Document<'_>) -> bool {
    let root = document.root.iter();
    let last = root.flat_map(|root| document.members_called(root, "disableAllHooks")).last();
    last.is_some_and(|member| match member.value.kind {
        Kind::Boolean => document.raw(&member.value) == "true",
        Kind::Object | Kind::Array | Kind::String | Kind::Number | Kind::Null => false,
    })
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { event, words } => write!(f, "`{event}` lacks `{words}`"),
            Self::Extra { event, command } => write!(f, "`{event}` has `{command}` besides"),
            Self::OtherProgram { event, program } => write!(f, "`{event}` calls `{program}`"),
            Self::OtherTimeout { event, timeout: Some(timeout) } => {
                write!(f, "`{event}` has the timeout {timeout}")
            }
            Self::OtherTimeout { event, timeout: None } => write!(f, "`{event}` has no timeout"),
            Self::OtherMatcher { event, matcher: Some(matcher) } => {
                write!(f, "`{event}` is only for `{matcher}`")
            }
            Self::OtherMatcher { event, matcher: None } => write!(f, "`{event}` has no matcher"),
            Self::OtherForm { event } => write!(f, "`{event}` is written in another form"),
        }
    }
}
