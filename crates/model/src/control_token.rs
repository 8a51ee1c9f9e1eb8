//! The words with which chat templates mark who speaks: `<|im_start|>`, `[INST]`, `<start_of_turn>`.
//!
//! A hosted model gets them as plain text. A local model behind a template may read them as the
//! beginning of another speaker's turn, so a text that others wrote must not bring them to a model.

use alloc::{borrow::Cow, string::String};

/// Breaks a token, behind its first character: a reader sees `<\|im_start|>` and knows what it was.
const BREAK: char = '\\';

/// Tokens in square brackets, of Mistral, Llama and GLM; each may begin with a slash. Other spellings
/// stay, because `registers[inst]` is code.
const SQUARE: [&str; 8] = [
    "INST",
    "SYSTEM_PROMPT",
    "AVAILABLE_TOOLS",
    "TOOL_CALLS",
    "TOOL_RESULTS",
    "TOOL_CONTENT",
    "THINK",
    "gMASK",
];

/// Tokens in angle brackets without bars, of Llama and Gemma; each may begin with a slash.
const ANGLE: [&str; 8] =
    ["s", "bos", "eos", "sop", "start_of_turn", "end_of_turn", "<SYS>", "</SYS>"];

/// The bars between which most tokens stand: `|`, and the wide one of some Chinese models.
const BARS: [char; 2] = ['|', '｜'];

/// Longest name of a token between bars, in characters; the longest known ones have about thirty.
const NAME_CHARACTERS: usize = 64;

/// Returns a text in which every control token of a chat template is broken by a backslash.
///
/// Doing it twice changes nothing, and a text without such tokens is borrowed.
pub fn break_control_tokens(text: &str) -> Cow<'_, str> {
    let mut broken = String::new();
    let mut copied = 0;
    for (at, opening) in text.match_indices(['<', '[']) {
        let (before, rest) = text.split_at(at + opening.len());
        let is_token = match opening {
            "[" => is_named(rest, &SQUARE, ']'),
            _ => is_named(rest, &ANGLE, '>') || is_barred(rest),
        };
        if is_token {
            broken.push_str(before.get(copied..).unwrap_or_default());
            broken.push(BREAK);
            copied = before.len();
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    broken.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(broken)
}

/// Reports whether one of the names follows, and then what closes it.
fn is_named(rest: &str, names: &[&str], closing: char) -> bool {
    let name = rest.strip_prefix('/').unwrap_or(rest);
    names.iter().any(|one| name.strip_prefix(one).is_some_and(|behind| behind.starts_with(closing)))
}

/// Reports whether a name in one piece follows, with a bar before it, behind it or both.
fn is_barred(rest: &str) -> bool {
    let mut ends = rest.char_indices().take(NAME_CHARACTERS + BARS.len() + 1);
    let end = ends.find(|(_, character)| *character == '>').map(|(at, _)| at);
    let Some(inside) = end.and_then(|end| rest.get(..end)) else { return false };
    let behind_bar = inside.strip_prefix(BARS).unwrap_or(inside);
    let name = behind_bar.strip_suffix(BARS).unwrap_or(behind_bar);
    let is_part = |character: char| {
        !character.is_whitespace()
            && !matches!(character, '<' | BREAK)
            && !BARS.contains(&character)
    };
    name.len() < inside.len() && !name.is_empty() && name.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::{string::String, vec::Vec};

    use super::*;

    const TOKENS: [&str; 38] = [
        "<|im_start|>",
        "<|im_end|>",
        "<|endoftext|>",
        "<|eot_id|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|begin_of_text|>",
        "<|reserved_special_token_12|>",
        "<|system|>",
        "<|user|>",
        "<|assistant|>",
        "<|channel|>",
        "<|message|>",
        "<|start|>",
        "<|end|>",
        "<|return|>",
        "<|START_OF_TURN_TOKEN|>",
        "<|tool_calls_section_begin|>",
        "<|fim_prefix|>",
        "<|turn>",
        "<turn|>",
        "[INST]",
        "[/INST]",
        "[SYSTEM_PROMPT]",
        "[/SYSTEM_PROMPT]",
        "[AVAILABLE_TOOLS]",
        "[TOOL_CALLS]",
        "[gMASK]",
        "<<SYS>>",
        "<</SYS>>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<s>",
        "</s>",
        "<bos>",
        "<｜begin▁of▁sentence｜>",
        "<｜User｜>",
        "<｜Assistant｜>",
    ];

    #[test]
    fn a_token_is_broken_behind_its_first_character() {
        for token in TOKENS {
            let (first, rest) = token.split_at(1);
            let broken = std::format!("a {first}\\{rest}system");
            assert_eq!(break_control_tokens(&std::format!("a {token}system")), broken);
        }
    }

    #[test]
    fn code_and_markup_stay_as_they_are() {
        for text in [
            "f <| g |> h",
            "List.map f <| List.filter g xs |> h",
            "xs.iter().map(|x| x > 1)",
            "if a < b || c > d { registers[inst] } else { r[0] }",
            "<span>, <script>, <sub>, </section>, <S>, Vec<u8>, Box<dyn Fn(&str)>",
            "(?<|>) <> <|> <||> << SYS >> [ INST ]",
            "<a|b|c>, <one |two|>",
            "[x] done, [link](url), [[wiki]]",
            "cat <<EOF | tee x > y",
        ] {
            assert_eq!(break_control_tokens(text), text);
        }
    }

    proptest! {
        #[test]
        fn no_token_is_left_and_nothing_else_changes(
            parts in prop::collection::vec(
                prop_oneof![
                    2 => prop::sample::select(&TOKENS[..]).prop_map(String::from),
                    1 => prop::sample::select(&TOKENS[..]).prop_flat_map(|token| {
                        (0..token.chars().count())
                            .prop_map(move |cut| token.chars().skip(cut).collect::<String>())
                    }),
                    2 => "[<>|｜/\\[\\]a-zS\\\\ \n]{0,6}",
                    1 => "\\PC{0,8}",
                ],
                0..10,
            )
        ) {
            let text = parts.concat();
            let broken = break_control_tokens(&text);
            for token in TOKENS {
                prop_assert!(!broken.contains(token), "{token} is left in {broken}");
            }
            prop_assert_eq!(break_control_tokens(&broken), broken.clone());
            // Only backslashes were added.
            let mut left = broken.chars().peekable();
            for expected in text.chars() {
                if left.peek() == Some(&'\\') && expected != '\\' {
                    left.next();
                }
                prop_assert_eq!(left.next(), Some(expected));
            }
            prop_assert_eq!(left.collect::<Vec<_>>(), []);
        }

        #[test]
        fn a_text_without_tokens_is_borrowed(text in "[a-zA-Z0-9 äöü日本🦀.,:;!?()|>/\\]\n-]{0,60}") {
            prop_assert!(matches!(break_control_tokens(&text), Cow::Borrowed(_)));
        }
    }
}
