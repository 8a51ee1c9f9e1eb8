//! Files that hold nothing but ours: written whole, and deleted whole.
//!
//! Some hosts read every file of a directory, or take a directory for an extension. There nothing has
//! to be put in among the settings of others. A file under our name that somebody else wrote, or wrote
//! into, is refused, never overwritten.

use super::{EditError, command, excerpt};

/// A file that holds nothing but ours.
#[derive(Clone, Copy, Debug)]
pub struct OwnFile {
    /// Its path below the directory of all of them, with `/`.
    pub name: &'static str,
    /// Returns what it holds, given the program that shall be called.
    pub text: fn(&str) -> String,
    /// Tells whether a text is ours and nobody else's, of whatever version and for whatever program.
    pub is_ours: fn(&str) -> bool,
    /// Returns the program that a text of ours calls; a file need not call any.
    pub program: fn(&str) -> Option<String>,
}

/// What there is in place of a file of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnFound {
    /// Exactly what we would write.
    AsExpected,
    /// A file of ours, of another version or for another program.
    Changed {
        /// The program that it calls, shortened and made printable.
        program: Option<String>,
    },
    /// Something of others.
    Foreign,
}

impl OwnFile {
    /// Says what a text is that stands in this file's place. Without a program, the one that is called
    /// there is what shall be called.
    pub fn found(&self, text: &str, program: Option<&str>) -> OwnFound {
        if !(self.is_ours)(text) {
            return OwnFound::Foreign;
        }
        let called = (self.program)(text);
        let wanted = program.or(called.as_deref()).unwrap_or_default();
        if text == (self.text)(wanted) {
            return OwnFound::AsExpected;
        }
        OwnFound::Changed { program: called.as_deref().map(excerpt) }
    }

    /// Returns what shall be written, given what is there.
    pub fn written(&self, now: Option<&str>, program: &str) -> Result<String, EditError> {
        if !program.starts_with('/') || !command::is_our_program(program) {
            return Err(EditError::Program { program: excerpt(program) });
        }
        match now.map(|text| self.found(text, Some(program))) {
            Some(OwnFound::Foreign) => Err(EditError::Foreign),
            Some(OwnFound::AsExpected | OwnFound::Changed { .. }) | None => {
                Ok((self.text)(program))
            }
        }
    }

    /// Tells whether the file may be deleted, given what is there.
    pub fn may_go(&self, now: &str) -> Result<(), EditError> {
        match self.found(now, None) {
            OwnFound::AsExpected | OwnFound::Changed { .. } => Ok(()),
            OwnFound::Foreign => Err(EditError::Foreign),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: OwnFile = OwnFile {
        name: "notes/call",
        text: |program| format!("2 {program}\n"),
        is_ours: |text| text.ends_with("/pacenote\n"),
        program: |text| text.trim_end().split_once(' ').map(|(_, program)| program.to_owned()),
    };

    const PROGRAM: &str = "/usr/bin/pacenote";

    #[test]
    fn what_there_is_in_its_place() {
        let other = || OwnFound::Changed { program: Some("/opt/pacenote".to_owned()) };
        for (text, program, found) in [
            ("2 /usr/bin/pacenote\n", Some(PROGRAM), OwnFound::AsExpected),
            ("2 /usr/bin/pacenote\n", None, OwnFound::AsExpected),
            ("2 /opt/pacenote\n", Some(PROGRAM), other()),
            ("2 /opt/pacenote\n", None, OwnFound::AsExpected),
            ("1 /opt/pacenote\n", None, other()),
            ("2 /opt/pacenote\nrm -r /\n", None, OwnFound::Foreign),
            ("", None, OwnFound::Foreign),
        ] {
            assert_eq!(FILE.found(text, program), found, "{text:?} {program:?}");
        }
    }

    #[test]
    fn it_is_written_whole_or_not_at_all() {
        let whole = Ok("2 /usr/bin/pacenote\n".to_owned());
        for (now, written) in [
            (None, whole.clone()),
            (Some("2 /usr/bin/pacenote\n"), whole.clone()),
            (Some("1 /opt/pacenote\n"), whole),
            (Some("mine\n"), Err(EditError::Foreign)),
            (Some(""), Err(EditError::Foreign)),
        ] {
            assert_eq!(FILE.written(now, PROGRAM), written, "{now:?}");
        }
        for program in ["pacenote", "/usr/bin/env", ""] {
            let refused = EditError::Program { program: program.to_owned() };
            assert_eq!(FILE.written(None, program), Err(refused));
        }
    }

    #[test]
    fn it_is_deleted_while_it_is_ours() {
        assert_eq!(FILE.may_go("2 /usr/bin/pacenote\n"), Ok(()));
        assert_eq!(FILE.may_go("1 /opt/pacenote\n"), Ok(()));
        assert_eq!(FILE.may_go("2 /usr/bin/pacenote\n# mine\n"), Err(EditError::Foreign));
    }
}
