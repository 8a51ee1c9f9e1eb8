//! What agents hand in: the verdict of a review, or questions they cannot go on without.

use serde::Deserialize;

use super::view::Question;

/// The line of a report that says what it comes to.
const RESULT: &str = "RESULT:";

/// What a report can come to.
const PASS: &str = "PASS";
const FAIL: &str = "FAIL";

/// Returns whether a report passes the work, or why that cannot be told.
///
/// Two lines that disagree are no verdict: the one that suits somebody would be taken for it.
pub fn passes(report: &str) -> Result<bool, String> {
    let report = report.trim_start_matches('\u{feff}');
    let mut lines = report.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next().and_then(verdict) else {
        return Err(format!("its first line is not `{RESULT} {PASS}` or `{RESULT} {FAIL}`"));
    };
    if lines.filter_map(verdict).any(|other| other != first) {
        return Err(format!("it says both `{RESULT} {PASS}` and `{RESULT} {FAIL}`"));
    }
    Ok(first)
}

fn verdict(line: &str) -> Option<bool> {
    let bare = line.trim().trim_matches(['*', '#', '`', '_']).trim();
    let said = bare.strip_prefix(RESULT)?.trim().trim_matches(['*', '`', '_']).trim();
    // A verdict with reservations, such as `PASS_WITH_REMARKS`, is a word of its own.
    let first = said.split_whitespace().next()?.trim_matches(['*', '`', '.', ',', ';', ':', '!']);
    // A form that was copied says both, and decides nothing.
    let words = said.split(|c: char| !c.is_ascii_alphanumeric());
    if words.filter(|word| *word == PASS || *word == FAIL).count() > 1 {
        return None;
    }
    match first {
        PASS => Some(true),
        FAIL => Some(false),
        _ => None,
    }
}

/// Returns the questions an agent handed in, if it handed in any; what is wrong with them, if they
/// cannot be read.
pub fn questions(result: &str) -> Option<Result<Vec<Question>, String>> {
    #[derive(Deserialize)]
    struct Asked {
        questions: serde_json::Value,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct One {
        text: String,
        #[serde(default)]
        options: Vec<String>,
    }
    let text = result.trim();
    let inner = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    let text = inner.and_then(|inner| inner.strip_suffix("```")).unwrap_or(text).trim();
    let asked: Asked = serde_json::from_str(text).ok()?;
    let read = serde_json::from_value::<Vec<One>>(asked.questions).map(|all| {
        let question = |one: One| Question {
            id: String::new(),
            text: one.text,
            options: one.options,
            free_text: true,
        };
        all.into_iter().map(question).collect()
    });
    Some(read.map_err(|error| format!("the questions cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_report_says_once_whether_it_passes() {
        for (report, expected) in [
            ("RESULT: PASS", Ok(true)),
            ("\n**RESULT: FAIL**\n- MUST: no rollback", Ok(false)),
            (
                "I did not finish.\nRESULT: PASS",
                Err("its first line is not `RESULT: PASS` or `RESULT: FAIL`"),
            ),
            ("RESULT: PASS (no findings)\nREPORT: x.md", Ok(true)),
            ("RESULT: pass", Err("its first line is not `RESULT: PASS` or `RESULT: FAIL`")),
            ("all good", Err("its first line is not `RESULT: PASS` or `RESULT: FAIL`")),
            ("RESULT: PASS\nRESULT: FAIL", Err("it says both `RESULT: PASS` and `RESULT: FAIL`")),
            (
                "RESULT: PASS or RESULT: FAIL",
                Err("its first line is not `RESULT: PASS` or `RESULT: FAIL`"),
            ),
            ("RESULT: PASS/FAIL", Err("its first line is not `RESULT: PASS` or `RESULT: FAIL`")),
            (
                "RESULT: PASS_WITH_REMARKS",
                Err("its first line is not `RESULT: PASS` or `RESULT: FAIL`"),
            ),
            ("RESULT: PASS-ish", Err("its first line is not `RESULT: PASS` or `RESULT: FAIL`")),
            ("RESULT: `PASS`.", Ok(true)),
            ("RESULT: PASS, nothing counts", Ok(true)),
            ("RESULT: PASSABLE", Err("its first line is not `RESULT: PASS` or `RESULT: FAIL`")),
        ] {
            assert_eq!(passes(report), expected.map_err(str::to_owned), "{report}");
        }
    }

    #[test]
    fn questions_are_told_from_results() {
        assert_eq!(questions("RESULT: PASS"), None);
        assert_eq!(questions("{\"findings\": []}"), None);
        let asked = "```json\n{\"questions\": [{\"text\": \"Which?\", \"options\": [\"a\"]}]}\n```";
        let asked = questions(asked).unwrap().unwrap();
        assert_eq!(asked.first().map(|one| one.text.as_str()), Some("Which?"));
        assert!(questions("{\"questions\": \"many\"}").unwrap().is_err());
    }

    /// Texts that begin like something that can be handed in.
    fn handed_in() -> impl Strategy<Value = String> {
        let pieces = prop_oneof![
            Just("RESULT:".to_owned()),
            Just("**RESULT: PASS**".to_owned()),
            Just(" FAIL".to_owned()),
            Just("\n".to_owned()),
            Just("```json".to_owned()),
            Just("```".to_owned()),
            Just("{\"questions\":".to_owned()),
            Just("[{\"text\": \"é\", \"options\": []}]".to_owned()),
            Just("}".to_owned()),
            Just("[".repeat(200)),
            any::<String>(),
        ];
        prop::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn anything_can_be_handed_in(text in handed_in()) {
            // A report that passes says so somewhere, and nowhere says the contrary.
            let says = |word: &str| text.lines().any(|line| {
                line.split_once(RESULT).is_some_and(|(_, said)| said.contains(word))
            });
            match passes(&text) {
                Ok(true) => prop_assert!(says(PASS)),
                Ok(false) => prop_assert!(says(FAIL)),
                Err(reason) => prop_assert!(!reason.is_empty()),
            }
            if let Some(Ok(questions)) = questions(&text) {
                prop_assert!(text.contains("questions"));
                prop_assert!(questions.iter().all(|question| question.free_text));
            }
        }
    }
}
