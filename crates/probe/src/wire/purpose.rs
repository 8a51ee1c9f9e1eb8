//! What a request is for, told by its texts, in whatever wire form they come.
//!
//! A client asks for a summary or a title with a prompt of its own, at the address and often with
//! the tools of an ordinary turn.
//! The signs below were found by watching the clients named beside them.
//! Two marks have to stand in one text: a sentence alone might be quoted in a conversation.

use crate::{Kind, Text};

/// By what a request is known.
struct Sign {
    kind: Kind,
    speaker: Speaker,
    marks: [&'static str; 2],
}

/// In whose words the marks stand.
#[derive(Clone, Copy)]
enum Speaker {
    /// The system prompt's.
    System,
    /// The user's, since the model last spoke.
    User,
}

const SIGNS: [Sign; 6] = [
    // Claude Code 2.1.325: all three of its summarisers.
    Sign {
        kind: Kind::Summary,
        speaker: Speaker::User,
        marks: ["Your task is to create a detailed summary of", "<summary>"],
    },
    // Copilot CLI 1.0.102.
    Sign {
        kind: Kind::Summary,
        speaker: Speaker::User,
        marks: ["The history is being compacted", "<checkpoint_title>"],
    },
    // Gemini CLI 0.61.0 and Qwen Code 0.15.10.
    Sign {
        kind: Kind::Summary,
        speaker: Speaker::User,
        marks: ["First, reason in your scratchpad", "<state_snapshot>"],
    },
    // Gemini CLI 0.61.0, which has every summary looked over once.
    Sign {
        kind: Kind::Summary,
        speaker: Speaker::User,
        marks: ["Critically evaluate the <state_snapshot>", "a FINAL, improved <state_snapshot>"],
    },
    // OpenCode 1.18.33.
    Sign {
        kind: Kind::Summary,
        speaker: Speaker::System,
        marks: ["You are a context summarization agent", "Only output the structured summary"],
    },
    Sign {
        kind: Kind::Title,
        speaker: Speaker::System,
        marks: ["You are a title generator", "You output ONLY a thread title"],
    },
];

/// Says what a request is for if its texts tell.
pub(super) fn told_by(texts: &[Text]) -> Option<Kind> {
    let spoken = texts.iter().rposition(is_of_model).map_or(0, |last| last + 1);
    let latest = texts.get(spoken..).unwrap_or_default();
    let bears = |sign: &Sign| {
        let (among, role) = match sign.speaker {
            Speaker::System => (texts, "system"),
            Speaker::User => (latest, "user"),
        };
        let marked = |text: &Text| sign.marks.iter().all(|mark| text.text.contains(mark));
        among.iter().any(|text| text.role == role && marked(text))
    };
    SIGNS.iter().find(|sign| bears(sign)).map(|sign| sign.kind)
}

fn is_of_model(text: &Text) -> bool {
    matches!(&*text.role, "assistant" | "model")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(texts: &[(&str, &str)]) -> Option<Kind> {
        let text =
            |(role, text): &(&str, &str)| Text { role: (*role).into(), text: (*text).into() };
        told_by(&texts.iter().map(text).collect::<Vec<_>>())
    }

    #[test]
    fn only_the_latest_words_of_the_user_ask_for_a_summary() {
        let asked = "Your task is to create a detailed summary of it in a <summary> block.";
        let quoted = "Your task is to create a detailed summary of it.";
        let table: [(&[(&str, &str)], _); 7] = [
            (&[("user", asked)], Some(Kind::Summary)),
            (&[("user", "hello"), ("assistant", "hi"), ("user", asked)], Some(Kind::Summary)),
            (&[("user", asked), ("tool", "1"), ("system", "note")], Some(Kind::Summary)),
            (&[("user", asked), ("assistant", "all of it"), ("user", "go on")], None),
            (&[("user", asked), ("model", "all of it")], None),
            (&[("user", quoted), ("user", "<summary>")], None),
            (&[("system", asked), ("tool", asked)], None),
        ];
        for (texts, expected) in table {
            assert_eq!(told(texts), expected, "{texts:?}");
        }
    }

    #[test]
    fn a_system_prompt_tells_wherever_it_stands() {
        let title = "You are a title generator. You output ONLY a thread title. Nothing else.";
        assert_eq!(told(&[("system", title), ("user", "hello")]), Some(Kind::Title));
        assert_eq!(told(&[("system", "a note"), ("system", title)]), Some(Kind::Title));
        assert_eq!(told(&[("user", title)]), None);
        assert_eq!(told(&[]), None);
    }
}
