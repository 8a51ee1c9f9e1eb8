//! One text: whether it is what the table says, and whether what it names is there.

use super::{Node, Raw, Reading};
use crate::{
    problem::{listed, nearest, shown},
    workflow::{
        expression::{self, FACTS, TEXT_BYTES},
        format::{
            END, ITEMS, Naming, SENTENCE_BYTES, Shape, Shelved, TITLE_CHARACTERS, Vocabulary,
        },
        typing::{self, Fault},
    },
};

impl Reading<'_> {
    /// Returns a text that is there and not too long; what is wrong with it is noted.
    pub(super) fn sound_text<'n>(
        &mut self,
        key: &str,
        node: &'n Node,
        most: usize,
        shape: &Shape,
    ) -> Option<&'n str> {
        let Raw::Text(text) = &node.raw else {
            self.note_wrong_type(key, node, &shape.allowed());
            if matches!(node.raw, Raw::Bool(_) | Raw::Whole(_) | Raw::Fraction(_)) {
                self.hint_last("put it in quotes");
            }
            return None;
        };
        if text.trim().is_empty() {
            self.unread += 1;
            self.note(node.line, format!("`{key}` is empty"));
            return None;
        }
        if text.len() > most {
            let message = format!("`{key}` has {} bytes, {most} are allowed", text.len());
            self.note(node.line, message);
            return None;
        }
        Some(text)
    }

    pub(super) fn check_title(&mut self, key: &str, node: &Node) {
        let most = 4 * TITLE_CHARACTERS;
        let Some(title) = self.sound_text(key, node, most, &Shape::Title) else { return };
        if title.chars().nth(TITLE_CHARACTERS).is_some() || title.contains(char::is_control) {
            self.note(node.line, format!("`{key}` must be {}", Shape::Title.allowed()));
        }
        if title.contains("{{") || title.contains("{%") {
            let hint = "say it in `actions`, where gaps are filled in".to_owned();
            self.note_with_hint(node.line, format!("`{key}` is printed as it is"), Some(hint));
        }
    }

    pub(super) fn check_template(&mut self, key: &str, node: &Node) {
        let text = self.sound_text(key, node, TEXT_BYTES, &Shape::Template);
        // Most texts have no gaps, and need not be taken apart.
        let Some(text) = text.filter(|text| text.contains('{')) else { return };
        match expression::check_text(text) {
            Ok(()) => self.note_faults(key, node.line, typing::check_text(text, &self.scope)),
            Err(error) => self.note(node.line, format!("`{key}` cannot be read: {error}")),
        }
    }

    pub(super) fn check_condition(&mut self, key: &str, node: &Node) {
        if matches!(node.raw, Raw::Bool(_)) {
            return;
        }
        let Some(text) = self.sound_text(key, node, usize::MAX, &Shape::Condition) else { return };
        match expression::check_condition(text) {
            Ok(()) => self.note_faults(key, node.line, typing::check_condition(text, &self.scope)),
            Err(error) => self.note(node.line, format!("`{key}` cannot be read: {error}")),
        }
    }

    /// Notes what could fail in a text or a condition when its step is shown.
    fn note_faults(&mut self, key: &str, line: usize, faults: Vec<Fault>) {
        for fault in faults {
            match fault {
                Fault::Undeclared(name) => self.note_undeclared(key, line, &name),
                Fault::Unknown { what, word, known } => {
                    let known: Vec<&str> = known.iter().map(String::as_str).collect();
                    let message = format!("`{key}` asks about the {what} `{}`", shown(&word));
                    let hint = self.hint(&word, &known);
                    self.note_with_hint(line, format!("{message}, which does not exist"), hint);
                }
                Fault::Unsafe { message, hint } => {
                    let message = format!("`{key}` cannot always be evaluated: {message}");
                    self.note_with_hint(line, message, hint.map(str::to_owned));
                }
            }
        }
    }

    fn note_undeclared(&mut self, key: &str, line: usize, name: &str) {
        let params = self.known.params.iter().copied().filter(|param| shown(param) == *param);
        let known = FACTS.into_iter().chain(params.take(ITEMS));
        let hint = nearest(name, known).map_or_else(
            || format!("declare it below `params`; always there are {}", listed(&FACTS)),
            |meant| format!("did you mean `{meant}`?"),
        );
        let message = format!("`{key}` uses `{}`, which is not a parameter", shown(name));
        self.note_with_hint(line, message, Some(hint));
    }

    pub(super) fn check_name(&mut self, key: &str, node: &Node, naming: Naming) {
        if let Some(name) = self.sound_text(key, node, usize::MAX, &Shape::Name(naming)) {
            self.check_spelling(key, name, node.line, naming);
        }
    }

    pub(super) fn check_spelling(&mut self, key: &str, name: &str, line: usize, naming: Naming) {
        if !naming.fits(name) {
            let message = format!("`{}` cannot be a name in `{key}`", shown(name));
            self.note_with_hint(line, message, Some(naming.allowed()));
        }
    }

    pub(super) fn check_reference(&mut self, key: &str, node: &Node, shelved: Shelved) {
        let shape = Shape::Reference(shelved);
        let Some(name) = self.sound_text(key, node, usize::MAX, &shape) else {
            if shelved == Shelved::Target {
                self.hint_end(node);
            }
            return;
        };
        let library = self.shelf.library;
        let known: Vec<&str> = match shelved {
            Shelved::Step => self.known.steps.clone(),
            Shelved::Target => self.known.steps.iter().copied().chain([END]).collect(),
            Shelved::Phase => self.known.phases.iter().copied().collect(),
            Shelved::MutableParam => self.known.mutable.iter().copied().collect(),
            Shelved::Resource => library.resources.keys().map(String::as_str).collect(),
            Shelved::Convention => library.conventions.keys().map(String::as_str).collect(),
            Shelved::Workflow => self.shelf.workflows.names(),
        };
        if shelved == Shelved::Workflow && self.known.workflow == Some(name) {
            self.note(node.line, "a workflow cannot hand work to itself");
        } else if shelved == Shelved::MutableParam && self.known.params.contains(name) {
            if !known.contains(&name) {
                let hint = "add `mutable: true` to the parameter".to_owned();
                let message = format!("`{}` cannot change on the way", shown(name));
                self.note_with_hint(node.line, message, Some(hint));
            }
        } else if !known.contains(&name) {
            self.note_unknown(shelved.word(), name, node.line, &known);
        }
    }

    pub(super) fn hint_end(&mut self, node: &Node) {
        if matches!(node.raw, Raw::Null) {
            self.hint_last("write `end` where the workflow is over");
        }
    }

    pub(super) fn check_word(&mut self, key: &str, node: &Node, vocabulary: Vocabulary) {
        let Some(word) = self.sound_text(key, node, usize::MAX, &Shape::Word(vocabulary)) else {
            return;
        };
        let words = vocabulary.words();
        if !words.contains(&word) {
            // Where a step leads hangs on its outcomes, and on no other words.
            self.unread += usize::from(vocabulary == Vocabulary::Outcome);
            self.note_unknown(vocabulary.word(), word, node.line, &words);
        }
    }

    pub(super) fn check_glob(&mut self, key: &str, node: &Node) {
        let Some(glob) = self.sound_text(key, node, SENTENCE_BYTES, &Shape::Glob) else { return };
        if !is_inside(glob) {
            let message = format!("`{key}` must be {}", Shape::Glob.allowed());
            self.note_with_hint(node.line, message, Some("such as `docs/*.md`".to_owned()));
        } else if let Some(sign) = glob.chars().find(|sign| OTHER_SIGNS.contains(sign)) {
            let message = format!("`{key}` has `{sign}`, which means nothing in a pattern");
            let hint = "`*` stands for any text, and nothing else for anything".to_owned();
            self.note_with_hint(node.line, message, Some(hint));
        }
    }
}

/// Signs that mean something in patterns of other programs. Here they would fit nothing, and a
/// check that never holds wedges its run.
const OTHER_SIGNS: [char; 6] = ['?', '[', ']', '{', '}', '!'];

/// Tells whether a path or a pattern stays inside the project.
pub(super) fn is_inside(path: &str) -> bool {
    let leaves = path.starts_with(['/', '~']) || path.split('/').any(|part| part == "..");
    !leaves && !path.contains(['\0', '\n', '\\'])
}
