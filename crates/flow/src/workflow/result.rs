//! Questions that an agent hands in because it cannot go on without the person.

use serde::Deserialize;

use super::view::Question;

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
            if let Some(Ok(questions)) = questions(&text) {
                prop_assert!(text.contains("questions"));
                prop_assert!(questions.iter().all(|question| question.free_text));
            }
        }
    }
}
