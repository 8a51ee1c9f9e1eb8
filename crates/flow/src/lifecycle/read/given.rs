//! One value: whether it is what its key takes.

use pacenote_model::SessionStatus;

use crate::{
    language::RESERVED,
    lifecycle::{
        condition::Condition,
        format::{Given, Kind, NAME_BYTES, SENTENCE_BYTES, UNAVAILABLE_SOURCES},
        read::{
            Reading,
            names::{UsedIn, unavailable},
        },
        rules::{Format, Source, Value},
        template,
    },
    problem::shown,
    yaml::{Node, Raw},
};

impl Reading<'_> {
    /// Reads what was given for a key; what is wrong with it is noted.
    pub(super) fn given(&mut self, key: &str, node: &Node, kind: Kind) -> Option<Given> {
        match kind {
            Kind::Sentence => self.sentence(key, node).map(Given::Text),
            Kind::Template => self.template(key, node).map(Given::Text),
            Kind::Condition => self.condition(key, node).map(Given::Text),
            Kind::RuleName => self.rule_name_text(key, node).map(Given::Text),
            Kind::VariableName => self.variable(key, node).map(Given::Text),
            Kind::Glob => self.glob(key, node).map(Given::Text),
            Kind::Flag => self.flag(key, node).map(Given::Flag),
            Kind::Whole { .. } => self.whole(key, node, kind).map(Given::Whole),
            Kind::Share => self.share(key, node).map(Given::Thousandths),
            Kind::Value => self.value(key, node).map(Given::Value),
            Kind::Format => {
                self.choice(key, node, kind, &Format::ALL, Format::word).map(Given::Format)
            }
            Kind::Status => self
                .choice(key, node, kind, &SessionStatus::ALL, SessionStatus::word)
                .map(Given::Status),
            Kind::Sources => self.sources(key, node).map(Given::Sources),
            Kind::Tools => self.tools(key, node).map(Given::Texts),
            Kind::Arguments => self.arguments(key, node).map(Given::Texts),
            Kind::ToolRules => self.tool_rules(key, node).map(Given::ToolRules),
        }
    }

    /// Reads words: a list of them, or a text with commas. Each comes with its line.
    pub(super) fn words(&mut self, key: &str, node: &Node) -> Vec<(String, usize)> {
        let mut words = Vec::new();
        match &node.raw {
            Raw::Text(text) => {
                words.extend(text.split(',').map(|word| (word.trim().to_owned(), node.line)));
            }
            Raw::List(items) => {
                for item in items {
                    if let Raw::Text(word) = &item.raw {
                        words.push((word.trim().to_owned(), item.line));
                    } else {
                        self.wrong_type(key, item, "a list of words");
                    }
                }
                if items.is_empty() {
                    self.note(node.line, format!("`{}` is an empty list", shown(key)));
                }
            }
            Raw::Null | Raw::Bool(_) | Raw::Whole(_) | Raw::Fraction(_) | Raw::Map(_) => {
                self.wrong_type(key, node, &Kind::Tools.allowed());
            }
        }
        let mut kept: Vec<(String, usize)> = Vec::new();
        for (word, line) in words {
            if word.is_empty() {
                self.note(line, format!("`{}` has an empty word", shown(key)));
            } else if kept.iter().any(|(other, _)| *other == word) {
                self.note(line, format!("`{}` names `{}` twice", shown(key), shown(&word)));
            } else {
                kept.push((word, line));
            }
        }
        kept
    }

    /// Tells whether a name can be a variable's, and notes it if not.
    pub(super) fn variable_name(&mut self, key: &str, name: &str, line: usize) -> bool {
        let mut characters = name.chars();
        let begins = characters.next().is_some_and(|c| c.is_ascii_lowercase() || c == '_');
        let goes_on = characters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !begins || !goes_on || name.len() > NAME_BYTES {
            let hint = Some(Kind::VariableName.allowed());
            let message = format!("`{}` cannot name a variable in `{key}`", shown(name));
            self.note_with_hint(line, message, hint);
            return false;
        }
        if RESERVED.contains(&name) {
            let hint = Some("it has a meaning of its own in conditions".to_owned());
            let message = format!("`{name}` cannot name a variable");
            self.note_with_hint(line, message, hint);
            return false;
        }
        true
    }

    /// Reads the name of a rule.
    pub(super) fn rule_name_text(&mut self, key: &str, node: &Node) -> Option<String> {
        let name = self.text(key, node, NAME_BYTES, Kind::RuleName)?;
        let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
        if !begins || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
            let message = format!("`{}` cannot be a `{key}`", shown(&name));
            self.note_with_hint(node.line, message, Some(Kind::RuleName.allowed()));
            return None;
        }
        Some(name)
    }

    fn sentence(&mut self, key: &str, node: &Node) -> Option<String> {
        self.text(key, node, SENTENCE_BYTES, Kind::Sentence)
    }

    fn text(&mut self, key: &str, node: &Node, most: usize, kind: Kind) -> Option<String> {
        let Raw::Text(text) = &node.raw else {
            self.wrong_type(key, node, &kind.allowed());
            if matches!(node.raw, Raw::Bool(_) | Raw::Whole(_) | Raw::Fraction(_)) {
                self.hint_last("put it in quotes");
            }
            return None;
        };
        if text.trim().is_empty() {
            self.note(node.line, format!("`{}` is empty", shown(key)));
            return None;
        }
        if text.len() > most {
            let message = format!("`{}` has {} bytes, {most} are allowed", shown(key), text.len());
            self.note(node.line, message);
            return None;
        }
        Some(text.clone())
    }

    fn template(&mut self, key: &str, node: &Node) -> Option<String> {
        let text = self.text(key, node, template::TEMPLATE_BYTES, Kind::Template)?;
        match template::names_in(&text) {
            Ok(names) => {
                // Only there sources have been asked before the text is filled in.
                let place = if key == "template" { UsedIn::Template } else { UsedIn::Sentence };
                self.use_names(key, node.line, place, names);
                Some(text)
            }
            Err(error) => {
                self.note(node.line, format!("`{key}`: {error}"));
                None
            }
        }
    }

    fn condition(&mut self, key: &str, node: &Node) -> Option<String> {
        // `when: true` is a condition too.
        let text = match node.raw {
            Raw::Bool(truth) => truth.to_string(),
            Raw::Null
            | Raw::Whole(_)
            | Raw::Fraction(_)
            | Raw::Text(_)
            | Raw::List(_)
            | Raw::Map(_) => self.text(key, node, usize::MAX, Kind::Condition)?,
        };
        match Condition::parse(&text) {
            Ok(condition) => {
                for word in condition.words_for("task.skill") {
                    if let Some((_, name)) = word.rsplit_once(':') {
                        let message = format!("`{key}`: `task.skill` never has the plugin in it");
                        let hint = format!("compare it with `{}`", shown(name));
                        self.warn(node.line, message, Some(hint));
                    }
                }
                self.use_names(key, node.line, UsedIn::Condition, condition.names());
                Some(text)
            }
            Err(error) => {
                self.note(node.line, format!("`{key}`: {error}"));
                None
            }
        }
    }

    fn variable(&mut self, key: &str, node: &Node) -> Option<String> {
        let name = self.text(key, node, usize::MAX, Kind::VariableName)?;
        self.set_variables.insert(name.clone());
        self.variable_name(key, &name, node.line).then_some(name)
    }

    fn glob(&mut self, key: &str, node: &Node) -> Option<String> {
        let glob = self.sentence(key, node)?;
        let leaves = glob.starts_with(['/', '~']) || glob.split('/').any(|part| part == "..");
        if leaves || glob.contains(['\0', '\n', '\\']) {
            let message = format!("`{key}` must be {}", Kind::Glob.allowed());
            let hint = "such as `docs/**/*.md`".to_owned();
            self.note_with_hint(node.line, message, Some(hint));
            return None;
        }
        Some(glob)
    }

    fn flag(&mut self, key: &str, node: &Node) -> Option<bool> {
        if let Raw::Bool(flag) = node.raw {
            return Some(flag);
        }
        self.wrong_type(key, node, &Kind::Flag.allowed());
        if let Raw::Text(word) = &node.raw {
            match word.to_lowercase().as_str() {
                "yes" | "on" | "true" => self.hint_last("write `true`"),
                "no" | "off" | "false" => self.hint_last("write `false`"),
                _ => {}
            }
        }
        None
    }

    fn whole(&mut self, key: &str, node: &Node, kind: Kind) -> Option<i64> {
        let (least, most) =
            if let Kind::Whole { least, most } = kind { (least, most) } else { (0, 0) };
        let Raw::Whole(number) = node.raw else {
            self.wrong_type(key, node, &kind.allowed());
            return None;
        };
        let number = i64::try_from(number).ok().filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.note(node.line, format!("`{}` must be {}", shown(key), kind.allowed()));
        }
        number
    }

    fn share(&mut self, key: &str, node: &Node) -> Option<u32> {
        let share = match node.raw {
            Raw::Whole(0) => 0.0,
            Raw::Whole(1) => 1.0,
            // Out of range, whatever it is exactly.
            Raw::Whole(_) => f64::INFINITY,
            Raw::Fraction(share) => share,
            Raw::Null | Raw::Bool(_) | Raw::Text(_) | Raw::List(_) | Raw::Map(_) => {
                self.wrong_type(key, node, &Kind::Share.allowed());
                return None;
            }
        };
        if !(0.0..=1.0).contains(&share) {
            self.note(node.line, format!("`{key}` must be {}", Kind::Share.allowed()));
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between 0 and 1000"
        )]
        let thousandths = (share * 1000.0).round() as u32;
        Some(thousandths)
    }

    fn value(&mut self, key: &str, node: &Node) -> Option<Value> {
        match &node.raw {
            Raw::Bool(flag) => Some(Value::Bool(*flag)),
            Raw::Whole(number) => {
                let number = i64::try_from(*number).ok();
                if number.is_none() {
                    self.note(node.line, format!("`{}` is too large a number", shown(key)));
                }
                number.map(Value::Number)
            }
            Raw::Text(text) if text.len() <= SENTENCE_BYTES => Some(Value::Text(text.clone())),
            Raw::Text(_) => {
                let message = format!("`{}` has more than {SENTENCE_BYTES} bytes", shown(key));
                self.note(node.line, message);
                None
            }
            Raw::Null | Raw::Fraction(_) | Raw::List(_) | Raw::Map(_) => {
                self.wrong_type(key, node, &Kind::Value.allowed());
                None
            }
        }
    }

    fn choice<T: Copy>(
        &mut self,
        key: &str,
        node: &Node,
        kind: Kind,
        all: &[T],
        word_of: fn(T) -> &'static str,
    ) -> Option<T> {
        let Raw::Text(word) = &node.raw else {
            self.wrong_type(key, node, &kind.allowed());
            return None;
        };
        let found = all.iter().copied().find(|choice| word_of(*choice) == word);
        if found.is_none() {
            let known: Vec<_> = all.iter().copied().map(word_of).collect();
            self.unknown(key, word, node.line, &known);
        }
        found
    }

    fn sources(&mut self, key: &str, node: &Node) -> Option<Vec<Source>> {
        let before = self.problems.len();
        let mut sources = Vec::new();
        for (word, line) in self.words(key, node) {
            let Some(source) = self.source(&word, line) else { continue };
            if sources.contains(&source) {
                let message = format!("`{key}` names `{}` twice", source.word());
                self.note(line, message);
            } else {
                sources.push(source);
            }
        }
        (self.problems.len() == before).then_some(sources)
    }

    fn source(&mut self, word: &str, line: usize) -> Option<Source> {
        let known = Source::ALL.map(Source::word);
        let found = Source::from_word(word);
        if found.is_none() && UNAVAILABLE_SOURCES.contains(&word) {
            self.warn(line, unavailable(word), None);
        } else if found.is_none() {
            self.unknown("source", word, line, &known);
        }
        found
    }

    fn tools(&mut self, key: &str, node: &Node) -> Option<Vec<String>> {
        let before = self.problems.len();
        let words = self.words(key, node);
        let tools = words.into_iter().map(|(word, _)| word).collect();
        (self.problems.len() == before).then_some(tools)
    }

    fn arguments(&mut self, key: &str, node: &Node) -> Option<Vec<String>> {
        let Raw::List(items) = &node.raw else {
            self.wrong_type(key, node, &Kind::Arguments.allowed());
            return None;
        };
        let mut arguments = Vec::new();
        for item in items {
            if let Raw::Text(argument) = &item.raw {
                arguments.push(argument.clone());
            } else {
                self.wrong_type(key, item, &Kind::Arguments.allowed());
                self.hint_last("put it in quotes");
            }
        }
        match items.first().map(|item| &item.raw) {
            None => self.note(node.line, format!("`{key}` is an empty list")),
            Some(Raw::Text(program)) if program.trim().is_empty() => {
                self.note(node.line, format!("`{key}` names no program"));
            }
            Some(_) => {}
        }
        let is_whole = arguments.len() == items.len() && !arguments.is_empty();
        is_whole.then_some(arguments)
    }

    fn hint_last(&mut self, hint: &str) {
        if let Some(problem) = self.problems.last_mut() {
            problem.hint = Some(hint.to_owned());
        }
    }
}
