//! The names that conditions and texts use: whether each of them exists.
//!
//! A name that does not exist never stops the file: it keeps one rule from working. So it is a problem
//! of that rule, and the rest of the file stays in force.

use crate::{
    lifecycle::{
        default::BUILT_IN_VARIABLES,
        facts,
        format::{TEMPLATE_NAMES, UNAVAILABLE_SOURCES},
        read::Reading,
        rules::Source,
    },
    problem::{Problem, nearest, shown},
};

/// Where a name is used, which decides what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UsedIn {
    Condition,
    /// A text that is filled in with facts and variables.
    Sentence,
    /// A text that is filled in with what sources say besides.
    Template,
}

/// A name that a condition or a text uses.
pub(super) struct NameUse {
    name: String,
    /// The key of the condition or the text.
    key: String,
    line: usize,
    place: UsedIn,
}

/// What is wrong with a name.
enum NameFlaw {
    /// It does not exist.
    Unknown,
    /// It is that of a source, and no source is asked here.
    SourceHere,
    /// It has no value before a rule gives it one.
    Undeclared,
    /// It is a source that this version does not have.
    Unavailable,
}

/// Says that a source is left out.
pub(super) fn unavailable(word: &str) -> String {
    format!("the source `{word}` is not available in this version and is left out")
}

impl Reading<'_> {
    /// Notes the names that a condition or a text uses; whether they exist is known at the end.
    pub(super) fn use_names(&mut self, key: &str, line: usize, place: UsedIn, names: Vec<String>) {
        let key = key.to_owned();
        self.used.extend(names.into_iter().map(|name| NameUse {
            name,
            key: key.clone(),
            line,
            place,
        }));
    }

    /// Returns the names that do not exist, and warns of those that may have no value.
    pub(super) fn unknown_names(&mut self) -> Vec<Problem> {
        let mut unknown = Vec::new();
        for used in std::mem::take(&mut self.used) {
            let NameUse { name, key, line, place } = &used;
            let Some(flaw) = self.flaw(&used) else { continue };
            let word = shown(name);
            match flaw {
                NameFlaw::Unknown => {
                    let message = format!("`{key}`: unknown name `{word}`");
                    unknown.push(self.problem(*line, message, Some(self.hint_for(name, *place))));
                }
                NameFlaw::SourceHere => {
                    let message = format!("`{key}`: the source `{word}` is not known here");
                    let hint = "name it in the `template` of an `inject_context`".to_owned();
                    unknown.push(self.problem(*line, message, Some(hint)));
                }
                NameFlaw::Undeclared => {
                    let message = format!("`{key}`: `{word}` has no value until a rule sets it");
                    let hint = format!("give it one to begin with: `variables: {{{word}: …}}`");
                    self.warn(*line, message, Some(hint));
                }
                NameFlaw::Unavailable => self.warn(*line, unavailable(&word), None),
            }
        }
        unknown
    }

    fn flaw(&self, used: &NameUse) -> Option<NameFlaw> {
        let NameUse { name, place, .. } = used;
        if facts::NAMES.contains(&name.as_str()) {
            return None;
        }
        let variable = name.strip_prefix("variables.").unwrap_or(name);
        if self.declared.contains(variable) || BUILT_IN_VARIABLES.contains(&variable) {
            return None;
        }
        if self.set_variables.contains(variable) {
            return Some(NameFlaw::Undeclared);
        }
        let is_unavailable = UNAVAILABLE_SOURCES.contains(&name.as_str());
        match place {
            UsedIn::Template if is_unavailable => Some(NameFlaw::Unavailable),
            UsedIn::Template if template_names().any(|known| known == name) => None,
            UsedIn::Sentence if is_unavailable || template_names().any(|known| known == name) => {
                Some(NameFlaw::SourceHere)
            }
            UsedIn::Condition | UsedIn::Sentence | UsedIn::Template => Some(NameFlaw::Unknown),
        }
    }

    /// Returns the name that was probably meant, or where all of them are listed.
    fn hint_for(&self, name: &str, place: UsedIn) -> String {
        let own = self.declared.iter().chain(&self.set_variables).cloned();
        let in_template = template_names().filter(|_| place == UsedIn::Template);
        let fixed = facts::NAMES.into_iter().chain(in_template).map(str::to_owned);
        let known: Vec<String> = fixed.chain(own).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        // `event.source` is `source`: people look for a fact in the group it seems to belong to.
        let last = name.rsplit('.').next().unwrap_or(name);
        let meant = nearest(name, known.iter().copied()).or_else(|| nearest(last, known));
        meant.map_or_else(
            || "`pacenote lifecycle show --built-in` lists the names there are".to_owned(),
            |meant| format!("did you mean `{meant}`?"),
        )
    }
}

/// Returns the names of which a template may say what sources bring.
fn template_names() -> impl Iterator<Item = &'static str> {
    Source::ALL.into_iter().flat_map(Source::words).chain(TEMPLATE_NAMES)
}
