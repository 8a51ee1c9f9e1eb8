//! A line about a skill: which one may fit, that another version of it exists, that it is in use.
//!
//! It is a notice and not a skill, so that nobody who counts what a session received takes the line
//! for the text.

use pacenote_model::{SkillRef, Trust};

use super::skill_text::skill_reason;
use crate::{
    escape::Escaped,
    fragment::{Fragment, FragmentKind, Frame, Item, ItemId},
    wording::one_line,
};

/// Words of a description that say what a skill is; how it works is in the skill.
const DESCRIPTION_WORDS: usize = 10;

/// Longest description, in characters: ten words of another language may be long.
const DESCRIPTION_CHARACTERS: usize = 100;

/// A line about a skill.
#[derive(Clone, Debug)]
pub struct SkillLine {
    /// The name by which it is asked for.
    pub reference: SkillRef,
    pub about: SkillLineAbout,
}

/// What a line says about a skill.
#[derive(Clone, Debug)]
pub enum SkillLineAbout {
    /// It may fit the task.
    Offer {
        /// What it says it is for.
        description: String,
        /// How far that may be believed.
        trust: Trust,
        /// Why it is offered, in one sentence.
        reason: String,
    },
    /// It changed since the session first read it, and the session keeps what it read.
    Newer,
    /// The agent loaded it before its context was lost.
    InUse,
}

impl SkillLine {
    /// Returns the name of the item by which a skill is offered.
    pub fn offer_id(reference: impl std::fmt::Display) -> ItemId {
        ItemId::of(FragmentKind::NOTICE, format_args!("skill_offer:{reference}"))
    }

    fn id(&self) -> ItemId {
        let reference = &self.reference;
        match self.about {
            SkillLineAbout::Offer { .. } => Self::offer_id(reference),
            SkillLineAbout::Newer => {
                ItemId::of(FragmentKind::NOTICE, format_args!("skill_newer:{reference}"))
            }
            SkillLineAbout::InUse => {
                ItemId::of(FragmentKind::NOTICE, format_args!("skill_in_use:{reference}"))
            }
        }
    }

    fn text(&self) -> String {
        let Self { reference, about } = self;
        match about {
            SkillLineAbout::Offer { description, .. } => {
                let what = match first_words(description).as_str() {
                    "" => String::new(),
                    words => format!(" ({words})"),
                };
                format!("A skill that may fit: `pacenote skill show {reference}`{what}.")
            }
            SkillLineAbout::Newer => format!(
                "Skill {reference} has changed since this session first read it; you keep the first \
                 text. The new one: `pacenote skill show {reference}`."
            ),
            SkillLineAbout::InUse => format!(
                "You loaded skill {reference} in this session; its text is gone from your context: \
                 `pacenote skill show {reference}`."
            ),
        }
    }
}

/// Returns the beginning of a description.
fn first_words(description: &str) -> String {
    let mut words = description.split_whitespace();
    let kept: Vec<&str> = words.by_ref().take(DESCRIPTION_WORDS).collect();
    let kept = kept.join(" ");
    let kept = one_line(kept.trim_end_matches(['.', ',', ';', ':']), DESCRIPTION_CHARACTERS);
    match words.next() {
        Some(_) if !kept.ends_with('…') => format!("{kept} …"),
        Some(_) | None => kept,
    }
}

impl Fragment for SkillLine {
    fn kind(&self) -> FragmentKind {
        FragmentKind::NOTICE
    }

    fn trust(&self) -> Trust {
        match &self.about {
            SkillLineAbout::Offer { trust, .. } => *trust,
            SkillLineAbout::Newer | SkillLineAbout::InUse => Trust::System,
        }
    }

    fn reason(&self) -> String {
        match &self.about {
            SkillLineAbout::Offer { reason, .. } => skill_reason(reason),
            SkillLineAbout::Newer => "a skill of the task changed on disk".to_owned(),
            SkillLineAbout::InUse => "the agent loaded it".to_owned(),
        }
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::NOTICE.tag())
    }

    fn items(&self) -> Vec<Item> {
        let text = Escaped::text(&self.text());
        Vec::from([Item { id: self.id(), label: String::new(), text }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(about: SkillLineAbout) -> String {
        let reference = SkillRef::parse("acme:lint").unwrap();
        let fragment = SkillLine { reference, about };
        format!("{} {}", fragment.items()[0].id, fragment.items()[0].text.as_str())
    }

    fn offer(description: &str) -> String {
        let (description, reason) = (description.to_owned(), String::new());
        line(SkillLineAbout::Offer { description, trust: Trust::User, reason })
    }

    #[test]
    fn a_line_says_what_a_skill_is_and_how_to_fetch_it() {
        let lines = [
            offer(""),
            offer("Lints Rust."),
            offer("Checks one two three four five six seven eight nine, ten, eleven"),
            line(SkillLineAbout::Newer),
            line(SkillLineAbout::InUse),
        ];
        insta::assert_snapshot!(lines.join("\n"), @"
        notice:skill_offer:acme:lint A skill that may fit: `pacenote skill show acme:lint`.
        notice:skill_offer:acme:lint A skill that may fit: `pacenote skill show acme:lint` (Lints Rust).
        notice:skill_offer:acme:lint A skill that may fit: `pacenote skill show acme:lint` (Checks one two three four five six seven eight nine …).
        notice:skill_newer:acme:lint Skill acme:lint has changed since this session first read it; you keep the first text. The new one: `pacenote skill show acme:lint`.
        notice:skill_in_use:acme:lint You loaded skill acme:lint in this session; its text is gone from your context: `pacenote skill show acme:lint`.
        ");
    }
}
