//! Sections that are longer than an answer, in pieces that are not.
//!
//! A section is injected whole or not at all, and one that no answer can hold would never be. It is
//! divided where a reader would pause: between paragraphs, and between lines where a paragraph alone
//! is too long. Every character stays.

use crate::section::Section;

/// How long a section and its pieces may be, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// The longest section that is left whole.
    pub whole: usize,
    /// The longest piece of a longer one: several fit an answer, so that little room is wasted.
    pub piece: usize,
}

/// A section of this length fits an answer of Claude Code beside the rest.
const SKILL: Lengths = Lengths { whole: 6_000, piece: 2_500 };

/// Divides a section of a skill that is too long; the pieces make up its text.
pub fn divided(section: Section) -> Vec<Section> {
    divide(section, SKILL)
}

/// Divides a section that is too long; the pieces make up its text.
pub fn divide(section: Section, lengths: Lengths) -> Vec<Section> {
    if section.text.len() <= lengths.whole {
        return vec![section];
    }
    let mut texts: Vec<String> = vec![String::new()];
    for paragraph in paragraphs(&section.text) {
        let whole =
            if paragraph.len() <= lengths.piece { vec![paragraph] } else { lines(paragraph) };
        for piece in whole {
            match texts.last_mut() {
                Some(last) if last.len() + piece.len() <= lengths.piece || last.is_empty() => {
                    last.push_str(piece);
                }
                Some(_) | None => texts.push(piece.to_owned()),
            }
        }
    }
    let count = texts.len();
    let titled = |(number, text): (usize, String)| Section {
        title: format!("{} ({number} of {count})", section.title).trim_start().to_owned(),
        level: section.level,
        text,
    };
    (1..).zip(texts).map(titled).collect()
}

/// Cuts a text after each run of empty lines.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut end = 0;
    let mut was_empty = false;
    for line in lines(text) {
        let is_empty = line.trim().is_empty();
        if was_empty && !is_empty {
            found.extend(text.get(start..end));
            start = end;
        }
        was_empty = is_empty;
        end += line.len();
    }
    found.extend(text.get(start..));
    found
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn section(text: String) -> Section {
        Section { title: "Steps".into(), level: 2, text }
    }

    #[test]
    fn a_section_of_usual_length_stays_whole() {
        let whole = divided(section("word ".repeat(1_200)));
        assert_eq!((whole.len(), whole[0].title.as_str()), (1, "Steps"));
    }

    #[test]
    fn a_long_one_is_divided_between_paragraphs() {
        let paragraph = format!("{}\n\n", "word ".repeat(300));
        let pieces = divided(section(paragraph.repeat(5)));
        let told: Vec<(&str, usize)> =
            pieces.iter().map(|piece| (piece.title.as_str(), piece.text.len())).collect();
        assert_eq!(
            told,
            [
                ("Steps (1 of 5)", 1502),
                ("Steps (2 of 5)", 1502),
                ("Steps (3 of 5)", 1502),
                ("Steps (4 of 5)", 1502),
                ("Steps (5 of 5)", 1502),
            ]
        );
    }

    proptest! {
        #[test]
        fn no_character_is_lost_and_only_a_line_is_ever_too_long(
            lines in prop::collection::vec("[a-zé ]{0,400}", 0..80),
        ) {
            let text = lines.join("\n");
            let pieces = divided(section(text.clone()));
            let joined: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
            prop_assert_eq!(joined, text);
            let most = if pieces.len() == 1 { SKILL.whole } else { SKILL.piece };
            prop_assert!(pieces.iter().all(|piece| piece.text.len() <= most));
        }
    }
}
