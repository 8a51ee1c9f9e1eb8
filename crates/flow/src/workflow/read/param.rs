//! Parameters: whether what was said of one goes together.

use pacenote_model::Value;

use super::{Node, Raw, Reading, text::is_inside};
use crate::{
    language::RESERVED,
    problem::shown,
    workflow::{
        definition::{Param, ParamKind},
        expression::FACTS,
        format::{NUMBERS, Shape},
        param,
    },
};

impl Reading<'_> {
    /// Makes the parameters of a file; what does not go together is noted.
    pub(super) fn params(&mut self, node: &Node) -> Vec<Param> {
        let entries = node.key("params").into_iter().flat_map(Node::entries);
        entries.map(|entry| self.param(&entry.key, entry.line, &entry.value)).collect()
    }

    fn param(&mut self, name: &str, line: usize, node: &Node) -> Param {
        if RESERVED.contains(&name) || FACTS.contains(&name) {
            let hint = Some("it has a meaning of its own in texts and conditions".to_owned());
            self.note_with_hint(line, format!("`{name}` cannot name a parameter"), hint);
        }
        let shown = shown(name);
        let kind = self.kind(&shown, node);
        let default = node.key("default");
        let is_mutable = node.key("mutable").and_then(Node::flag);
        if let Some(default) = default {
            self.check_default(&shown, default, &kind);
        }
        Param {
            name: name.to_owned(),
            description: node.text_of("description"),
            kind,
            default: default.and_then(value),
            mutable: is_mutable.unwrap_or_default(),
        }
    }

    fn kind(&mut self, name: &str, node: &Node) -> ParamKind {
        let word = node.key("type").and_then(Node::text).unwrap_or_default();
        self.check_range_keys(word, node);
        match word {
            "path" => ParamKind::Path,
            "flag" => ParamKind::Flag,
            "confidence" => ParamKind::Confidence,
            "number" => {
                let bound = |key, usual| node.key(key).and_then(Node::whole).unwrap_or(usual);
                let (least, most) = (bound("least", NUMBERS.0), bound("most", NUMBERS.1));
                if least > most {
                    let message =
                        format!("`{name}` can be no number: `least` is {least}, `most` is {most}");
                    self.note(node.line, message);
                }
                ParamKind::Number { least, most }
            }
            "choice" => ParamKind::Choice { choices: self.choices(name, node) },
            _ => ParamKind::Text,
        }
    }

    /// Notes keys that mean something for another type only.
    fn check_range_keys(&mut self, word: &str, node: &Node) {
        for (key, of) in [("least", "number"), ("most", "number"), ("choices", "choice")] {
            if let Some(value) = node.key(key).filter(|_| word != of && !word.is_empty()) {
                let message =
                    format!("`{key}` means nothing for a parameter of type `{}`", shown(word));
                let hint = Some(format!("it belongs to the type `{of}`"));
                self.note_with_hint(value.line, message, hint);
            }
        }
    }

    fn choices(&mut self, name: &str, node: &Node) -> Vec<String> {
        let Some(list) = node.key("choices") else {
            let hint = Some("such as `choices: [quick, thorough]`".to_owned());
            self.note_with_hint(node.line, format!("`{name}` needs `choices`"), hint);
            return Vec::new();
        };
        let mut choices = Vec::new();
        for choice in list.texts() {
            if choices.contains(&choice) {
                self.note(list.line, format!("`choices` names `{}` twice", shown(&choice)));
            } else {
                choices.push(choice);
            }
        }
        choices
    }

    fn check_default(&mut self, name: &str, node: &Node, kind: &ParamKind) {
        // Where no default could fit, the choices cannot be shown, or what is there is no value at
        // all, that was told already.
        let is_told = match kind {
            ParamKind::Choice { choices } => {
                choices.is_empty() || choices.iter().any(|choice| choice.contains(char::is_control))
            }
            ParamKind::Number { least, most } => least > most,
            ParamKind::Text | ParamKind::Path | ParamKind::Flag | ParamKind::Confidence => false,
        };
        if is_told || !Shape::Value.takes(&node.raw) {
            return;
        }
        let leaves = *kind == ParamKind::Path && !node.text().is_none_or(is_inside);
        let fits = value(node).is_some_and(|value| param::fits(kind, &value));
        if !fits || leaves {
            let allowed = param::allowed(kind);
            self.note(node.line, format!("the default of `{name}` must be {allowed}"));
        }
    }
}

fn value(node: &Node) -> Option<Value> {
    match &node.raw {
        Raw::Bool(truth) => Some(Value::Bool(*truth)),
        Raw::Text(text) => Some(Value::Text(text.clone())),
        Raw::Whole(_) => node.whole().map(Value::Number),
        Raw::Null | Raw::Fraction(_) | Raw::List(_) | Raw::Map(_) => None,
    }
}
