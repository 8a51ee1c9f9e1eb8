//! One rule: a map with an action, its parameters, and what every rule may have.

use pacenote_model::EventKind;

use crate::{
    lifecycle::{
        format::{ABSENT, ACTIONS, ActionForm, COMMON, Kind, Need, Parameter, TOOL_RULE, Taken},
        read::Reading,
        rules::{Action, Rule, ToolRule, key_of},
    },
    problem::{hint, listed, shown},
    yaml::{Entry, Node, Raw},
};

/// A rule that may still need a name.
pub(super) struct Draft {
    pub(super) name: Option<String>,
    pub(super) rule: Rule,
}

impl Reading<'_> {
    /// Reads one rule; what is wrong with it is noted. A rule that is wrong keeps its name, so that
    /// others may speak of it, and nobody ever uses it: the file is refused.
    pub(super) fn rule(&mut self, on: EventKind, node: &Node) -> Draft {
        let mut draft = Draft { name: None, rule: self.empty_rule(on, node.line) };
        let Raw::Map(entries) = &node.raw else {
            self.wrong_type(key_of(on), node, "a list of maps with an `action`");
            return draft;
        };
        let before = self.problems.len();
        self.repeated(entries);
        let Some(form) = self.form(node.line, entries) else {
            // What every rule has can be checked all the same.
            self.common(entries, &mut Taken::default());
            draft.name = find(entries, "name").and_then(|entry| self.rule_name(entry));
            return draft;
        };
        self.check_place(form, on, node.line);
        let mut taken = Taken::default();
        self.parameters(form, entries, &mut taken);
        let lends_name = lends_name(form, entries);
        let name = find(entries, "name").filter(|_| !lends_name);
        draft.name = name.and_then(|entry| self.rule_name(entry));
        let known: Vec<_> = known_keys(form).collect();
        self.unknown_keys(form.word, entries, &known);
        // Taken first: a condition of the rule is none of its action's.
        draft.rule.enabled = taken.flag("enabled") != Some(false);
        draft.rule.when = taken.text("when").ok();
        match (form.make)(&mut taken) {
            Ok(action) if self.problems.len() == before => draft.rule.action = action,
            Ok(_) | Err(ABSENT) => {}
            Err(flaw) => self.note(node.line, format!("`{}`: {flaw}", form.word)),
        }
        draft
    }

    /// Returns a rule that does nothing yet.
    const fn empty_rule(&self, on: EventKind, line: usize) -> Rule {
        Rule {
            name: String::new(),
            layer: self.layer,
            line,
            on,
            enabled: true,
            when: None,
            action: Action::ExtractHandoff,
        }
    }

    /// Reads the entries below `rules` of `block_tools`.
    pub(super) fn tool_rules(&mut self, key: &str, node: &Node) -> Option<Vec<ToolRule>> {
        let Raw::List(items) = &node.raw else {
            self.wrong_type(key, node, &Kind::ToolRules.allowed());
            return None;
        };
        if items.is_empty() {
            self.note(node.line, format!("`{key}` is an empty list"));
        }
        // All of them are read before one that is broken spoils the list.
        let rules: Vec<_> = items.iter().map(|item| self.tool_rule(key, item)).collect();
        rules.into_iter().collect()
    }

    fn tool_rule(&mut self, key: &str, node: &Node) -> Option<ToolRule> {
        let Raw::Map(entries) = &node.raw else {
            self.wrong_type(key, node, &Kind::ToolRules.allowed());
            return None;
        };
        let before = self.problems.len();
        self.repeated(entries);
        let mut taken = Taken::default();
        for Parameter { key, kind, .. } in &TOOL_RULE {
            if let Some(entry) = find(entries, key) {
                let given = self.given(key, &entry.value, *kind);
                taken.keep(key, given);
            }
        }
        let known = TOOL_RULE.map(|parameter| parameter.key);
        self.unknown_keys(key, entries, &known);
        match taken.tool_rule() {
            Ok(rule) => (self.problems.len() == before).then_some(rule),
            Err(ABSENT) => None,
            Err(flaw) => {
                self.note(node.line, flaw);
                None
            }
        }
    }

    fn form(&mut self, line: usize, entries: &[Entry]) -> Option<&'static ActionForm> {
        let words = ACTIONS.map(|form| form.word);
        let Some(Entry { value, .. }) = find(entries, "action") else {
            let hint = Some(format!("known are {}", listed(&words)));
            self.note_with_hint(line, "the rule has no `action`", hint);
            return None;
        };
        let Raw::Text(word) = &value.raw else {
            self.wrong_type("action", value, "the word of an action");
            return None;
        };
        let form = ActionForm::named(word);
        if form.is_none() {
            self.unknown("action", word, value.line, &words);
        }
        form
    }

    fn check_place(&mut self, form: &ActionForm, on: EventKind, line: usize) {
        if !form.fits(on) {
            let places: Vec<_> = form.at.iter().copied().map(key_of).collect();
            let hint = Some(format!("it belongs below {}", listed(&places)));
            let message = format!("`{}` means nothing below `{}`", form.word, key_of(on));
            self.note_with_hint(line, message, hint);
        }
        if !form.is_open_to(self.layer) {
            let message = format!("a project's rules may not use `{}`", form.word);
            let hint = "your own rules, which apply to all projects, may".to_owned();
            self.note_with_hint(line, message, Some(hint));
        }
    }

    fn parameters(&mut self, form: &ActionForm, entries: &[Entry], taken: &mut Taken) {
        let line = entries.first().map_or(1, |entry| entry.line);
        for Parameter { key, kind, need, .. } in form.parameters {
            let entry = match need {
                Need::Optional | Need::Required => find(entries, key),
                Need::RequiredOrName => find(entries, key).or_else(|| find(entries, "name")),
            };
            if let Some(entry) = entry {
                let given = self.given(&entry.key, &entry.value, *kind);
                taken.keep(key, given);
            } else if *need != Need::Optional {
                let instead = match need {
                    Need::RequiredOrName => ", and `name` may stand in for it",
                    Need::Required | Need::Optional => "",
                };
                let hint = format!("`{key}` must be {}{instead}", kind.allowed());
                let message = format!("`{}` needs `{key}`", form.word);
                self.note_with_hint(line, message, Some(hint));
            }
        }
        self.common(entries, taken);
    }

    /// Reads what every rule may have, but for its name, which is read with those of the others.
    fn common(&mut self, entries: &[Entry], taken: &mut Taken) {
        for Parameter { key, kind, .. } in COMMON.iter().filter(|common| common.key != "name") {
            if let Some(entry) = find(entries, key) {
                let given = self.given(&entry.key, &entry.value, *kind);
                taken.keep(key, given);
            }
        }
    }

    fn unknown_keys(&mut self, of: &str, entries: &[Entry], known: &[&str]) {
        for entry in entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let message = format!("unknown key `{}` of `{of}`", shown(&entry.key));
            self.note_with_hint(entry.line, message, hint(&entry.key, known));
        }
    }

    fn rule_name(&mut self, entry: &Entry) -> Option<String> {
        let name = self.rule_name_text(&entry.key, &entry.value)?;
        if let Some(first) = self.names.get(&name) {
            let hint = Some(format!("the first is on line {first}"));
            let message = format!("the name `{}` is used twice", shown(&name));
            self.note_with_hint(entry.line, message, hint);
            return None;
        }
        self.names.insert(name.clone(), entry.line);
        Some(name)
    }
}

/// Tells whether `name:` stands in for a parameter, so that the rule itself has none.
fn lends_name(form: &ActionForm, entries: &[Entry]) -> bool {
    let mut parameters = form.parameters.iter();
    parameters.any(|parameter| {
        parameter.need == Need::RequiredOrName && find(entries, parameter.key).is_none()
    })
}

fn find<'e>(entries: &'e [Entry], key: &str) -> Option<&'e Entry> {
    entries.iter().find(|entry| entry.key == key)
}

fn known_keys(form: &ActionForm) -> impl Iterator<Item = &'static str> {
    let parameters = form.parameters.iter().map(|parameter| parameter.key);
    ["action"].into_iter().chain(COMMON.map(|parameter| parameter.key)).chain(parameters)
}
