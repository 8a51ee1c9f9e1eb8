//! Skills that fit what the person asks for.
//!
//! Only names, descriptions and cues are looked at: bodies would take longer than a hook has.

use pacenote_context::{
    fragment::{Fragment, FragmentKind},
    fragments::{SkillSuggestion, SuggestedSkill},
};
use pacenote_model::{EventBody, SkillRef};
use pacenote_skill::rank::{Call, Why};

use super::{Fragments, SourceRow};
use crate::{briefing::work::Gathering, skills::FittingSkill, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::SUGGESTION], gather };

/// Most skills that are suggested.
const SUGGESTED: usize = 3;

fn gather<'x>(gathering: &'x Gathering<'_>, wanted: &WantedSource) -> Fragments<'x> {
    let EventBody::Prompt { prompt } = &gathering.situation.event.body else {
        return Ok(Vec::new());
    };
    let Some(quick) = gathering.quick()? else { return Ok(Vec::new()) };
    let found = quick.fitting(prompt, wanted.most().min(SUGGESTED))?;
    let is_small_talk = is_small_talk(prompt);
    let is_meant = |one: &FittingSkill| match &one.why {
        // A name or a trigger means the skill, however it is said.
        Why::Called(_) => true,
        Why::Words { about, body } => !is_small_talk && has_telling_words(about, body),
    };
    let skills: Vec<SuggestedSkill> =
        found.into_iter().filter(is_meant).filter_map(suggest).collect();
    let suggestion = (!skills.is_empty()).then(|| Box::new(SkillSuggestion { skills }));
    Ok(suggestion.map(|one| one as Box<dyn Fragment + 'x>).into_iter().collect())
}

/// Words with which people greet, thank and agree, in lower case.
const COURTESIES: [&str; 15] = [
    "hello", "hi", "hey", "thanks", "thank", "cheers", "good", "great", "nice", "cool", "perfect",
    "ok", "okay", "yes", "no",
];

/// Most words of a prompt that is no more than a courtesy: a longer one goes on to ask for something.
const COURTESY_WORDS: usize = 8;

/// Reports whether a prompt greets, thanks or agrees and asks for nothing.
fn is_small_talk(prompt: &str) -> bool {
    let words = || prompt.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_courtesy = |word: &str| COURTESIES.contains(&word.to_lowercase().as_str());
    words().next().is_some_and(is_courtesy) && words().count() <= COURTESY_WORDS
}

/// Words that stand in every question, in lower case: to share them with a skill says nothing.
const COMMON: [&str; 40] = [
    "about", "all", "any", "but", "could", "get", "give", "go", "good", "has", "have", "help",
    "here", "how", "if", "like", "look", "looks", "make", "more", "need", "not", "now", "one",
    "please", "should", "so", "some", "then", "there", "think", "use", "want", "what", "when",
    "where", "which", "who", "why", "would",
];

/// Fewest words that say something, for a skill that nobody asked for.
const TELLING_WORDS: usize = 2;

/// Reports whether a request and a skill share words that say something.
fn has_telling_words(about: &[String], body: &[String]) -> bool {
    let shared = about.iter().chain(body).filter(|word| !COMMON.contains(&word.as_str()));
    shared.count() >= TELLING_WORDS
}

fn suggest(found: FittingSkill) -> Option<SuggestedSkill> {
    Some(SuggestedSkill {
        reference: SkillRef::parse(found.key.as_str()).ok()?,
        description: found.description,
        reason: reason_of(&found.why),
        trust: found.level.trust(),
    })
}

/// Says why a skill may fit, for somebody who reads the request in the same moment.
fn reason_of(why: &Why) -> String {
    match why {
        Why::Called(Call::Name(_)) => "named in the prompt".to_owned(),
        Why::Called(Call::Phrase(phrase)) => format!("matches: {phrase}"),
        Why::Called(Call::Path { path, .. }) => format!("for {path}"),
        Why::Words { about, body } => {
            let words: Vec<&str> = about.iter().chain(body).map(String::as_str).collect();
            format!("matches: {}", words.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courtesies_ask_for_nothing() {
        for prompt in ["Hello, how are you?", "thanks, that looks good to me", "Good morning!"] {
            assert!(is_small_talk(prompt), "{prompt}");
        }
        for prompt in [
            "",
            "review the login form",
            "hello, please review the login form of the shop and write a plan",
        ] {
            assert!(!is_small_talk(prompt), "{prompt}");
        }
    }

    #[test]
    fn words_of_every_question_prove_nothing() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let both: Vec<String> = words(&["review", "login"]);
        assert!(has_telling_words(&both, &[]));
        let common: Vec<String> = words(&["what", "think", "review"]);
        assert!(!has_telling_words(&common, &[]));
    }

    #[test]
    fn a_reason_is_a_few_words() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let path = Call::Path { pattern: "*.sql".into(), path: "a.sql".into() };
        let reasons = [
            Why::Called(Call::Name("money".into())),
            Why::Called(Call::Phrase("spec review".into())),
            Why::Called(path),
            Why::Words { about: words(&["tool"]), body: words(&["command"]) },
        ];
        let reasons: Vec<String> = reasons.iter().map(reason_of).collect();
        let expected =
            ["named in the prompt", "matches: spec review", "for a.sql", "matches: tool, command"];
        assert_eq!(reasons, expected);
    }
}
