//! The command of a client's status line, which stands in the same settings file as our hooks.
//!
//! A client has one status line. Where a person has chosen theirs, nothing is put in and nothing is
//! taken out.

use super::{
    EditError, SETTINGS_BYTES,
    command::{is_our_program, our_words},
    excerpt,
    json::{self, Addition, Document, Draft, Kind, Member},
    quoted,
};

/// The key of the status line.
const KEY: &str = "statusLine";

/// The words behind the program.
const WORDS: [&str; 2] = ["status", "--line"];

/// What a settings file has for a status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatusLineFound {
    None,
    /// Ours, which calls this program.
    Ours {
        program: String,
    },
    /// Something that the person chose.
    Foreign,
}

/// Looks at the status line of a settings file.
pub fn find_status_line(text: &str) -> Result<StatusLineFound, EditError> {
    let document = Document::read(text)?;
    let root = document.root.iter();
    let mut lines = root.flat_map(|root| document.members_called(root, KEY));
    Ok(match (lines.next(), lines.next()) {
        (None, _) => StatusLineFound::None,
        (Some(one), None) => match program_of(&document, one) {
            Some(program) => StatusLineFound::Ours { program },
            None => StatusLineFound::Foreign,
        },
        (Some(_), Some(_)) => StatusLineFound::Foreign,
    })
}

/// Returns a settings file with our status line, where it has none.
pub fn add_status_line(text: &str, program: &str) -> Result<String, EditError> {
    if !program.starts_with('/') || !is_our_program(program) {
        return Err(EditError::Program { program: excerpt(program) });
    }
    let document = Document::read(text)?;
    if let Some(root) = document.root.as_ref().filter(|root| root.kind != Kind::Object) {
        return Err(EditError::NotSettings { found: root.kind });
    }
    if find_status_line(text)? != StatusLineFound::None {
        return Ok(text.to_owned());
    }
    let words = WORDS.iter().map(|word| quoted(word));
    let command: Vec<_> = [quoted(program)].into_iter().chain(words).collect();
    let line = Draft::Object(vec![
        Addition::keyed("type", Draft::String("command".to_owned())),
        Addition::keyed("command", Draft::String(command.join(" "))),
    ]);
    let line = Addition::keyed(KEY, line);
    let insertions = match &document.root {
        Some(root) => json::append(&document, root, &[line]),
        None => vec![json::create(&document, &Draft::Object(vec![line]))],
    };
    let added = json::insert_all(text, insertions);
    // What we could not read again we could not take out again.
    if added.len() > SETTINGS_BYTES {
        return Err(EditError::TooLarge { bytes: added.len() });
    }
    Ok(added)
}

/// Reports whether a member of the settings is our status line.
pub(super) fn is_ours(document: &Document<'_>, member: &Member) -> bool {
    document.is_called(member, KEY) && program_of(document, member).is_some()
}

/// Returns the program that a status line of ours calls.
fn program_of(document: &Document<'_>, member: &Member) -> Option<String> {
    let command = document.members_called(&member.value, "command").last()?;
    our_words(&document.string(&command.value)?, &WORDS)
}

#[cfg(test)]
mod tests {
    use super::{super::remove, *};

    const PROGRAM: &str = "/opt/my tools/pacenote";

    #[test]
    fn it_is_added_where_there_is_none_and_goes_byte_for_byte() {
        for before in ["{}\n", "{ \"model\": \"x\" }", "{\n  // mine\n  \"a\": 1,\n}\n", ""] {
            let added = add_status_line(before, PROGRAM).unwrap();
            let program = PROGRAM.to_owned();
            assert_eq!(find_status_line(&added).unwrap(), StatusLineFound::Ours { program });
            assert_eq!(add_status_line(&added, PROGRAM).unwrap(), added);
            let removed = remove(&added).unwrap();
            assert_eq!(removed.entries, 1, "{added}");
            let expected = if before.is_empty() { "{}\n" } else { before };
            assert_eq!(removed.text, expected);
        }
        let added = add_status_line("{\n  \"model\": \"x\"\n}\n", PROGRAM).unwrap();
        insta::assert_snapshot!(added, @r#"
        {
          "model": "x",
          "statusLine": {
            "type": "command",
            "command": "'/opt/my tools/pacenote' status --line"
          }
        }
        "#);
    }

    #[test]
    fn what_a_person_chose_stays() {
        for chosen in [
            r#"{"statusLine": {"type": "command", "command": "~/.claude/line.sh"}}"#,
            r#"{"statusLine": {"type": "command", "command": "/usr/bin/pacenote status --line | cut -c1-40"}}"#,
            r#"{"statusLine": {"type": "command", "command": "/usr/bin/pacenote task list"}}"#,
            r#"{"statusLine": null}"#,
            r#"{"statusLine": {"command": "a"}, "statusLine": {"command": "b"}}"#,
        ] {
            assert_eq!(find_status_line(chosen).unwrap(), StatusLineFound::Foreign, "{chosen}");
            assert_eq!(add_status_line(chosen, PROGRAM).unwrap(), chosen);
            assert_eq!(remove(chosen).unwrap().text, chosen);
        }
        assert!(matches!(add_status_line("[]", PROGRAM), Err(EditError::NotSettings { .. })));
        assert!(matches!(add_status_line("{}", "pacenote"), Err(EditError::Program { .. })));
    }
}
