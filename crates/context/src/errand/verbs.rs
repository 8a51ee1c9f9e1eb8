//! Which verbs ask for what, and which sentences forbid changes.

use super::clauses::{Beginning, Clause};

/// What a clause asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// To find something out.
    Look,
    /// To say something: by itself it asks for nothing else.
    Say,
    /// To judge what others did.
    Review,
    /// To decide what is to be done.
    Plan,
    /// To write for people.
    Document,
    /// To do what is planned.
    Implement,
    /// To correct something.
    Fix,
    /// To change something.
    Change,
    /// To do what somewhere else is said.
    Do,
}

/// Reports whether a verb says by itself what the work is.
pub(super) const fn is_lasting(verb: Verb) -> bool {
    match verb {
        Verb::Look
        | Verb::Review
        | Verb::Plan
        | Verb::Document
        | Verb::Implement
        | Verb::Fix
        | Verb::Change => true,
        Verb::Say | Verb::Do => false,
    }
}

const VERBS: [(Verb, &str); 9] = [
    (
        Verb::Look,
        "find finding search searching look looking locate explore exploring investigate \
         investigating research researching summarize summarise grep identify determine analyze \
         analyse analyzing understand study examine inspect discover survey diagnose reproduce \
         gather figure browse explain",
    ),
    (
        // In a title these may be what a program shall do.
        Verb::Say,
        "report return tell answer give say name show print read run check confirm verify \
         validate see note state quote cite output respond reply include use test count map trace \
         collect measure list enumerate scan compare describe",
    ),
    (Verb::Review, "review reviewing re-review audit auditing judge critique evaluate assess"),
    (Verb::Plan, "plan planning design designing propose architect outline break"),
    (Verb::Document, "document documenting translate proofread"),
    (Verb::Implement, "implement implementing implementation build building"),
    (Verb::Fix, "fix fixing correct repair resolve address patch commit"),
    (
        Verb::Change,
        "add adding write writing create creating change changing edit refactor refactoring \
         update updating remove removing delete rename modify replace move extract migrate \
         port rewrite convert apply introduce extend upgrade bump wire generate develop \
         optimize optimise simplify adapt adjust insert split merge enable disable draft \
         prepare produce make improve clean configure set",
    ),
    (
        Verb::Do,
        "do doing carry work working complete finish execute take tackle handle start begin \
         continue perform conduct",
    ),
];

/// Words that may stand before the verb of a clause, in lower case.
const FILLERS: &str = "please now first second next also finally then you your should must will shall need \
    needs to can could would want like job goal aim task is are let's go ahead carefully \
    thoroughly quickly just only help me us try so again simply i'd";

/// Reports whether a word may stand before the verb. "We add rows" describes, "we want you to add
/// rows" asks; "the build" is a thing, "the goal is to build" is not.
fn is_filler(word: &str, next: &str) -> bool {
    match word {
        "the" => ["goal", "aim", "task", "job"].contains(&next),
        "i" | "we" => ["want", "need", "would", "like"].contains(&next),
        _ => is_in(FILLERS, word),
    }
}

/// Words after a verb that show that it is one, in lower case: "and fix it", not "and fix sites".
const OBJECTS: &str = "how it them this that these those the a an any all each every its their one missing \
    whatever what tests test your new in task everything";

/// What is written for whoever asked, in lower case: asking for it is no change.
const ANSWERS: &str = "summary report list overview table inventory answer findings finding result results \
    conclusion conclusions explanation notes sure analysis comparison recommendation \
    suggestions";

/// What is written for people, in lower case.
const DOCUMENTS: &str = "docs documentation readme readme.md changelog changelog.md guide manual tutorial \
    comments docstring docstrings typo typos wording page article release-notes";

/// What is decided before work begins, in lower case.
const PLANS: &str = "plan design proposal roadmap strategy architecture";

/// What is judged, in lower case.
const JUDGED: &str = "diff change changes implementation commit commits pr pull branch work patch spec \
    specification requirements";

/// Words that say what kind of review it is, in lower case.
const KINDS_OF_REVIEW: &str = "a the spec specification code quality security design final peer full whole \
    independent fresh compliance architecture";

/// Words of a clause that are looked at for what its verb is about.
const REACH: usize = 7;

/// Reports whether a word is in a list.
fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Returns what a clause asks for.
pub(super) fn verb_of(clause: &Clause) -> Option<Verb> {
    let all: Vec<&str> = clause.words().collect();
    if clause.is_question {
        return (clause.beginning == Beginning::Sentence).then_some(Verb::Look);
    }
    if is_review(&all) {
        return Some(Verb::Review);
    }
    let next = all.iter().skip(1).chain([&""]);
    let skipped = all.iter().zip(next).take_while(|(word, next)| is_filler(word, next)).count();
    let (word, rest) = all.get(skipped..)?.split_first()?;
    let (verb, _) = VERBS.iter().find(|(_, words)| is_in(words, word))?;
    let verb = about(*verb, word, rest);
    // In a list of nouns a word that may be a verb is a noun.
    let is_certain = clause.beginning == Beginning::Sentence
        || skipped > 0
        || rest.first().is_none_or(|next| is_object(next));
    match verb {
        Verb::Implement | Verb::Fix | Verb::Change | Verb::Plan | Verb::Document => {
            is_certain.then_some(verb)
        }
        Verb::Look | Verb::Say | Verb::Review | Verb::Do => Some(verb),
    }
}

/// Returns what a verb asks for, with what it is about.
fn about(verb: Verb, word: &str, rest: &[&str]) -> Verb {
    let near = || rest.iter().take(REACH).copied();
    let is_markdown = |word: &str| word.rsplit_once('.').is_some_and(|(_, end)| end == "md");
    let is_document = |word: &str| is_in(DOCUMENTS, word) || is_markdown(word);
    match verb {
        Verb::Change | Verb::Fix => {
            let told = near().find_map(|word| match word {
                word if is_in(ANSWERS, word) => Some(Verb::Say),
                word if is_in(PLANS, word) => Some(Verb::Plan),
                word if is_document(word) => Some(Verb::Document),
                // What follows says what for; "fix the link in docs/x.md" is still about a text.
                "of" | "for" | "so" | "from" => Some(verb),
                _ => None,
            });
            match told {
                Some(Verb::Say) if !makes_anew(word) && word != "add" => verb,
                Some(Verb::Plan) if !makes_anew(word) => verb,
                Some(told) => told,
                None => verb,
            }
        }
        Verb::Say if ["check", "verify", "validate", "confirm", "test"].contains(&word) => {
            if near().any(|word| is_in(JUDGED, word)) { Verb::Review } else { Verb::Look }
        }
        Verb::Plan if word == "break" && rest.first() != Some(&"down") => Verb::Say,
        Verb::Plan if word == "outline" => Verb::Say,
        Verb::Do if near().any(|word| ["review", "audit"].contains(&word)) => Verb::Review,
        Verb::Do if near().any(|word| ["search", "research", "investigation"].contains(&word)) => {
            Verb::Look
        }
        Verb::Look
        | Verb::Say
        | Verb::Review
        | Verb::Plan
        | Verb::Document
        | Verb::Implement
        | Verb::Do => verb,
    }
}

/// Reports whether a verb makes something that was not there.
fn makes_anew(word: &str) -> bool {
    is_in("write writing create creating draft prepare produce make generate develop", word)
}

/// Reports whether a clause begins with the name of a review: "Spec review of Task 2".
fn is_review(words: &[&str]) -> bool {
    let kinds = words.iter().take_while(|word| is_in(KINDS_OF_REVIEW, word)).count();
    words.get(kinds).is_some_and(|word| ["review", "audit"].contains(word))
}

fn is_object(word: &str) -> bool {
    is_in(OBJECTS, word) || word.starts_with('#') || word.contains('/')
}

/// Words with which something is forbidden, in lower case.
const NEGATIONS: &str = "not don't dont never without no cannot";

/// Verbs and nouns of changes, in lower case.
const CHANGES: &str = "change changes changing edit edits editing modify modifying modifications write \
    writing fix fixing implement implementing touch touching commit alter update make \
    making code fixes refactor";

/// Words that make a ban one of everything, in lower case.
const ANYTHING: &str =
    "anything code file files it them any changes edits the source modifications";

/// Words after which a ban is only one of something else, in lower case.
const ELSE: &str = "else outside beyond other except unrelated unless until before public existing api \
    tests test";

/// Reports whether a clause forbids all changes: "Do not change anything", "read-only".
pub(super) fn forbids_changes(clause: &Clause) -> bool {
    let words: Vec<&str> = clause.words().collect();
    let nothing = words.iter().skip(1).chain([&""]);
    let mut pairs = words.iter().zip(nothing);
    let spares = pairs.any(|(word, next)| is_in(CHANGES, word) && *next == "nothing");
    if spares || words.contains(&"read-only") {
        return true;
    }
    let Some(place) = words.iter().position(|word| is_in(NEGATIONS, word)) else { return false };
    let mut after = words.iter().skip(place + 1).skip_while(|word| **word == "code");
    let Some(change) = after.next() else { return false };
    let rest: Vec<&str> = after.copied().collect();
    let is_all = rest.is_empty() || rest.first().is_some_and(|word| is_in(ANYTHING, word));
    is_in(CHANGES, change) && is_all && !rest.iter().any(|word| is_in(ELSE, word))
}
