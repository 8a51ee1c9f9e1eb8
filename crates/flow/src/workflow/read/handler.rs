//! Who or what decides a step: whether what was said of it goes together.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, Node, Reading, Signature};
use crate::{
    problem::{listed, nearest, shown},
    workflow::{
        definition::{
            Agent, AnswerOption, Ask, Check, Choice, Dispatch, GATE_ROUNDS, Gate, Grade, Handler,
            Mode, Param, StepId, Target,
        },
        format::HANDLERS,
        param,
        words::{Outcome, Role, Severity},
    },
};

impl Reading<'_> {
    /// Makes the handler of a step; what does not go together is noted.
    pub(super) fn handler(&mut self, node: &Node) -> Handler {
        let is_handler = |entry: &&Entry| HANDLERS.contains(&entry.key.as_str());
        let given: Vec<&Entry> = node.entries().iter().filter(is_handler).collect();
        let words: BTreeSet<&str> = given.iter().map(|entry| entry.key.as_str()).collect();
        if let (Some(second), true) = (given.get(1), words.len() > 1) {
            self.unread += 1;
            let words: Vec<_> = words.into_iter().collect();
            let message = format!("the step has {} at once", listed(&words));
            let hint = "one of them decides what the step comes to; make it two steps".to_owned();
            self.note_with_hint(second.line, message, Some(hint));
        }
        let Some(Entry { key, value, .. }) = given.first() else { return Handler::Work };
        match key.as_str() {
            "dispatch" => Handler::Dispatch(self.dispatch(value)),
            "ask" => Handler::Ask(self.ask(value)),
            "check" => Handler::Check(self.look(value)),
            "choose" => Handler::Choose(self.choose(value)),
            _ => Handler::Gate(self.gate(value)),
        }
    }

    fn dispatch(&mut self, node: &Node) -> Dispatch {
        let agents: Vec<Agent> = node
            .key("agents")
            .into_iter()
            .flat_map(Node::items)
            .map(|agent| Agent { id: agent.text_of("id"), prompt: agent.text_of("prompt") })
            .collect();
        let mut ids = BTreeSet::new();
        for agent in agents.iter().filter(|agent| !agent.id.is_empty()) {
            if !ids.insert(&agent.id) {
                let line = node.key("agents").map_or(node.line, |agents| agents.line);
                self.note(line, format!("the agent `{}` is there twice", shown(&agent.id)));
            }
        }
        let mode = self.mode(node);
        let has_script = matches!(mode, Mode::Script { .. });
        if !has_script && node.key("prompt").is_none() && agents.is_empty() {
            let hint = "say what the agents are to do".to_owned();
            self.note_with_hint(node.line, "`dispatch` needs `prompt`", Some(hint));
        }
        let context = node.key("context").into_iter().flat_map(Node::entries);
        let context: BTreeMap<_, _> = context
            .filter_map(|entry| Some((entry.key.clone(), entry.value.text()?.to_owned())))
            .collect();
        Dispatch {
            role: role(node, "role").unwrap_or(Role::GeneralPurpose),
            prompt: node.text_of("prompt"),
            model: node.key("model").and_then(Node::text).map(str::to_owned),
            mode,
            context,
            answer: node.key("answer").map(|answer| answer.json().to_string()),
            returns: node.key("returns").and_then(Node::text).map(str::to_owned),
            afterwards: node.key("afterwards").and_then(Node::text).map(str::to_owned),
            agents,
            tools: self.tools(node),
        }
    }

    fn mode(&mut self, node: &Node) -> Mode {
        let is_script = node.key("mode").and_then(Node::text) == Some("script");
        let workflow = node.key("workflow");
        match (is_script, workflow) {
            (true, None) => {
                let hint = "name the workflow whose steps are followed".to_owned();
                self.note_with_hint(node.line, "`mode: script` needs `workflow`", Some(hint));
            }
            (false, Some(workflow)) => {
                let hint = "add `mode: script`".to_owned();
                let message = "`workflow` means nothing without a script";
                self.note_with_hint(workflow.line, message, Some(hint));
            }
            (true, Some(_)) | (false, None) => {}
        }
        if !is_script {
            if let Some(params) = node.key("params") {
                let hint = "`context` is for what agents have to know".to_owned();
                let message = "`params` means nothing without a script";
                self.note_with_hint(params.line, message, Some(hint));
            }
            return Mode::FreeForm;
        }
        let workflow = node.text_of("workflow");
        self.check_handed_on(&workflow, node);
        let params = node.key("params").into_iter().flat_map(Node::entries);
        let params = params
            .filter_map(|entry| Some((entry.key.clone(), entry.value.text()?.to_owned())))
            .collect();
        Mode::Script { workflow, params }
    }

    /// Holds the parameters of a script against those of the workflow it follows.
    fn check_handed_on(&mut self, workflow: &str, node: &Node) {
        let given = node.key("params").map(Node::entries).unwrap_or_default();
        let line = node.key("workflow").map_or(node.line, |workflow| workflow.line);
        let params = match self.shelf.workflows.signature(workflow) {
            Signature::Params(params) => params,
            Signature::NameOnly => return,
            Signature::Unsound => {
                let message = format!(
                    "the workflow `{}` has mistakes of its own, so its parameters are not known",
                    shown(workflow)
                );
                let hint = "`pacenote flow check` says what they are; fix that file first";
                return self.note_with_hint(line, message, Some(hint.to_owned()));
            }
        };
        let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
        for entry in given {
            let Some(param) = params.iter().find(|param| param.name == entry.key) else {
                let (of, name) = (shown(workflow), shown(&entry.key));
                let message = format!("`{of}` has no parameter `{name}`");
                self.note_with_hint(entry.line, message, self.hint(&entry.key, &names));
                continue;
            };
            // What stands in a gap is known when the step is shown.
            let literal = entry.value.text().filter(|text| !text.contains("{{"));
            if let Some(Err(refusal)) = literal.map(|text| param::value(param, text)) {
                self.note_with_hint(entry.line, refusal.to_string(), refusal.hint());
            }
        }
        let is_missing = |param: &&Param| {
            param.default.is_none() && !given.iter().any(|entry| entry.key == param.name)
        };
        for param in params.iter().filter(is_missing) {
            let message = format!("`{}` needs the parameter `{}`", shown(workflow), param.name);
            let allowed = param::allowed(&param.kind);
            let hint = format!("add `params: {{{}: …}}`: {allowed}", param.name);
            self.note_with_hint(line, message, Some(hint));
        }
    }

    fn ask(&mut self, node: &Node) -> Ask {
        let mut options: Vec<AnswerOption> = Vec::new();
        for option in node.key("options").into_iter().flat_map(Node::items) {
            let label = option.text().map_or_else(|| option.text_of("label"), str::to_owned);
            if options.iter().any(|other| other.label == label) {
                self.note(option.line, format!("the answer `{}` is there twice", shown(&label)));
            }
            if !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit()) {
                let hint = "a person also answers by the number of an option".to_owned();
                let message = format!("the answer `{}` is only a number", shown(&label));
                self.note_with_hint(option.line, message, Some(hint));
            }
            let outcome = outcome(option).unwrap_or(Outcome::Ok);
            options.push(AnswerOption { label, outcome });
        }
        let free_text = node.key("free_text").and_then(Node::flag);
        let free_text = free_text.unwrap_or(options.is_empty());
        if !free_text && node.key("options").is_none() {
            let hint = "add `options`, or leave out `free_text`".to_owned();
            self.note_with_hint(node.line, "nobody could answer the question", Some(hint));
        }
        let approval = node.key("approval").and_then(Node::flag);
        Ask {
            question: node.text_of("question"),
            options,
            free_text,
            approval: approval.unwrap_or_default(),
        }
    }

    fn look(&mut self, node: &Node) -> Check {
        if let Some(glob) = node.key("artifact") {
            return Check::Artifact { glob: glob.text().unwrap_or_default().to_owned() };
        }
        if let Some(keyword) = node.key("keyword") {
            return Check::Keyword {
                glob: keyword.text_of("in"),
                keyword: keyword.text_of("word"),
            };
        }
        if let Some(command) = node.key("command") {
            let argv = command.texts();
            if argv.iter().any(|word| word.contains("{{") || word.contains("{%")) {
                let hint =
                    "name it, or let an agent run the command in a step of its own".to_owned();
                let message = "a command is run as it stands here: gaps are not filled in";
                self.note_with_hint(command.line, message, Some(hint));
            }
            if argv.iter().any(|word| word.contains(char::is_control)) {
                self.note(command.line, "a word of a command has a sign that controls");
            }
            return Check::Command { argv };
        }
        if let Some(tests) = node.key("tests").filter(|tests| tests.flag() == Some(false)) {
            self.note(tests.line, "`tests` must be `true`: a check that checks nothing is none");
        }
        Check::Tests
    }

    fn choose(&mut self, node: &Node) -> Vec<Choice> {
        let choices: Vec<Choice> = node
            .items()
            .iter()
            .map(|item| Choice {
                when: item.key("when").and_then(Node::condition),
                outcome: outcome(item).unwrap_or(Outcome::Ok),
            })
            .collect();
        let last = node.items().iter().position(|item| item.key("when").is_none());
        match last {
            None => {
                let line = node.items().last().map_or(node.line, |item| item.line);
                let hint = "end with one that has only an `outcome`".to_owned();
                let message = "`choose` decides nothing when no condition holds";
                self.note_with_hint(line, message, Some(hint));
            }
            Some(last) => {
                for unreachable in node.items().iter().skip(last + 1) {
                    let hint = "the one without `when` comes last".to_owned();
                    let message = "this choice is never reached: one before it always holds";
                    self.note_with_hint(unreachable.line, message, Some(hint));
                }
            }
        }
        choices
    }

    fn gate(&mut self, node: &Node) -> Gate {
        let self_fix = node.key("self_fix").and_then(Node::flag);
        let fix_target = role(node, "fix_target");
        match (self_fix, node.key("fix_target")) {
            (Some(true), Some(target)) => {
                let message = "`fix_target` means nothing where `self_fix` is `true`";
                self.note(target.line, message);
            }
            (Some(false), None) => {
                let hint = "say which role fixes the work".to_owned();
                self.note_with_hint(node.line, "`self_fix: false` needs `fix_target`", Some(hint));
            }
            (Some(true) | None, None) | (Some(false) | None, Some(_)) => {}
        }
        let severities = node.key("severities").map(|node| self.severities(node));
        Gate {
            name: node.text_of("name"),
            work: node.key("work").and_then(Node::step_id).unwrap_or_else(|| StepId(String::new())),
            pass: node.key("pass").and_then(Node::target).unwrap_or(Target::End),
            pass_message: node.text_of("pass_message"),
            self_fix: self_fix.unwrap_or(fix_target.is_none()),
            fix_target,
            limit: node.key("limit").and_then(Node::count).unwrap_or(GATE_ROUNDS),
            severities: severities.unwrap_or_else(Gate::usual_severities),
        }
    }

    fn severities(&mut self, node: &Node) -> Vec<Grade> {
        let mut grades: Vec<Grade> = Vec::new();
        for item in node.items() {
            let from = item.key("from").and_then(Node::count).unwrap_or_default();
            match grades.last() {
                None if from != 1 => self.note(item.line, "`severities` must begin `from: 1`"),
                Some(last) if from <= last.from => {
                    let message = format!("`from` must rise, and {from} comes after {}", last.from);
                    self.note(item.line, message);
                }
                None | Some(_) => {}
            }
            let words = item.texts_of("count");
            let count = Severity::ALL.into_iter();
            let count: Vec<_> =
                count.filter(|severity| words.iter().any(|word| word == severity.word())).collect();
            if words.iter().collect::<BTreeSet<_>>().len() < words.len() {
                let line = item.key("count").map_or(item.line, |count| count.line);
                self.note(line, "`count` names something twice");
            }
            grades.push(Grade { from, count });
        }
        grades
    }
}

/// Returns the role a value names, or the one that was probably meant.
fn role(node: &Node, key: &str) -> Option<Role> {
    let word = node.key(key).and_then(Node::text)?;
    let word = nearest(word, Role::ALL.map(Role::word))?;
    Role::ALL.into_iter().find(|role| role.word() == word)
}

fn outcome(node: &Node) -> Option<Outcome> {
    node.key("outcome").and_then(Node::text).and_then(Outcome::from_word)
}
