//! Makes one set of rules of several layers.
//!
//! Layers only add. Rules of earlier layers are switched on and off by their names, but what the
//! user decided stays: a repository must not be able to open a gate the user has set up, nor to
//! start what the user has switched off.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    read::{LayerRules, RULES, Switch, default_name},
    rules::{Action, Layer, Rule, Rules, Value},
};
use crate::problem::{Problem, nearest, shown};

/// Merges layers, the earliest first.
pub fn merge(layers: impl IntoIterator<Item = LayerRules>) -> Result<Rules, Vec<Problem>> {
    let mut merging = Merging::default();
    for layer in layers {
        merging.add(layer);
    }
    if merging.problems.is_empty() { Ok(merging.rules) } else { Err(merging.problems) }
}

/// Returns what does not go together in layers, also in those that have problems of their own.
pub(super) fn clashes(layers: impl IntoIterator<Item = LayerRules>) -> Vec<Problem> {
    merge(layers).err().unwrap_or_default()
}

#[derive(Default)]
struct Merging {
    rules: Rules,
    places: BTreeMap<String, Place>,
    /// Variables that we or the user brought: a condition of theirs may rest on them.
    owned: BTreeSet<String>,
    problems: Vec<Problem>,
}

/// Where a rule stands in the list, and who last decided whether it is asked.
struct Place {
    index: usize,
    decided: Layer,
}

impl Merging {
    fn add(&mut self, layer: LayerRules) {
        let LayerRules { file, layer: whose, variables, rules, enable, disable, .. } = layer;
        let mut problems = Vec::new();
        for switch in &enable {
            problems.extend(self.switch(switch, whose, Turn::On));
        }
        for switch in &disable {
            problems.extend(self.switch(switch, whose, Turn::Off));
        }
        let rules_of_layer = rules.clone();
        // Switches mean earlier layers, so the layer's own rules come after them.
        for rule in rules {
            problems.extend(self.push(rule));
        }
        if whose == Layer::Project {
            problems.extend(self.foreign_variables(&variables, &rules_of_layer));
        } else {
            self.owned.extend(variables.keys().cloned());
        }
        for (name, value) in variables {
            if whose != Layer::Project || !self.owned.contains(&name) {
                self.rules.variables.insert(name, value);
            }
        }
        problems.sort_by_key(|(line, ..)| *line);
        self.problems.extend(problems.into_iter().map(|(line, message, hint)| Problem {
            file: file.clone(),
            line,
            step: None,
            message,
            hint,
        }));
    }

    /// Finds variables of the user or of ours that a project would change: a gate may rest on them.
    fn foreign_variables(&self, variables: &BTreeMap<String, Value>, rules: &[Rule]) -> Vec<Flaw> {
        let flaw = |line: usize, name: &str| {
            let message =
                format!("a project cannot change `{}`, which is not its own", shown(name));
            let hint = "give the variable a name that nobody else uses".to_owned();
            (line, message, Some(hint))
        };
        let declared = variables.keys().filter(|name| self.owned.contains(*name));
        let declared = declared.map(|name| flaw(1, name));
        let set = rules.iter().filter_map(|rule| match &rule.action {
            Action::SetVariable { variable, .. } | Action::IncrementVariable { variable, .. } => {
                self.owned.contains(variable).then(|| flaw(rule.line, variable))
            }
            Action::InjectContext(_)
            | Action::InjectMessage { .. }
            | Action::RequireActiveTask { .. }
            | Action::BlockTools(_)
            | Action::BlockStop { .. }
            | Action::MarkSessionStatus { .. }
            | Action::ExtractHandoff
            | Action::CaptureArtifact { .. }
            | Action::Observe { .. }
            | Action::Run { .. } => None,
        });
        declared.chain(set).collect()
    }

    fn switch(&mut self, switch: &Switch, whose: Layer, turn: Turn) -> Option<Flaw> {
        let Switch { name, line } = switch;
        let place = self.places.get_mut(name);
        let found = place.and_then(|place| Some((self.rules.rules.get_mut(place.index)?, place)));
        let Some((rule, place)) = found else {
            let known = self.places.keys().map(String::as_str);
            let hint = nearest(name, known).map(|near| format!("did you mean `{near}`?"));
            return Some((*line, format!("no earlier rule is named `{}`", shown(name)), hint));
        };
        let enabled = matches!(turn, Turn::On);
        let changes = rule.enabled != enabled;
        if changes && place.decided == Layer::User && whose == Layer::Project {
            let verb = if enabled { "enable" } else { "disable" };
            let message = format!("a project cannot {verb} `{name}`, which the user decided on");
            let hint = "only built-in rules the user left alone can be switched here".to_owned();
            return Some((*line, message, Some(hint)));
        }
        rule.enabled = enabled;
        // To say what is so already is a decision too.
        if place.decided == Layer::BuiltIn {
            place.decided = whose;
        }
        None
    }

    fn push(&mut self, mut rule: Rule) -> Option<Flaw> {
        if self.places.contains_key(&rule.name) {
            // Nobody chose a name made of what a rule does, so nobody is asked to choose another.
            let Some(name) = self.next_default_name(&rule) else {
                let message = format!("an earlier rule is named `{}` already", shown(&rule.name));
                let hint = "give it another `name`; `disable` switches the earlier one off";
                return Some((rule.line, message, Some(hint.to_owned())));
            };
            rule.name = name;
        }
        let place = Place { index: self.rules.rules.len(), decided: rule.layer };
        self.places.insert(rule.name.clone(), place);
        self.rules.rules.push(rule);
        None
    }

    fn next_default_name(&self, rule: &Rule) -> Option<String> {
        let (_, number) = rule.name.rsplit_once('-')?;
        let number = number.parse::<usize>().ok().filter(|number| *number <= RULES)?;
        if default_name(rule, number) != rule.name {
            return None;
        }
        (number..=number + self.places.len())
            .map(|number| default_name(rule, number))
            .find(|name| !self.places.contains_key(name))
    }
}

/// A line, what is wrong there, and what would be right.
type Flaw = (usize, String, Option<String>);

#[derive(Clone, Copy)]
enum Turn {
    On,
    Off,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lifecycle::{built_in_layer, read};

    fn told(user: &str, project: &str) -> String {
        let user = read(user, "mine.yaml", Layer::User).unwrap();
        let project = read(project, "theirs.yaml", Layer::Project).unwrap();
        let mut built_in = built_in_layer();
        built_in.rules.retain(|rule| ["news", "task-before-edit"].contains(&rule.name.as_str()));
        match merge([built_in, user, project]) {
            Ok(rules) => {
                let variables = rules.variables.iter().map(|(name, value)| {
                    format!("{name} = {}", serde_json::to_string(value).unwrap())
                });
                let rules = rules.rules.iter().map(|rule| {
                    let state = if rule.enabled { "on" } else { "off" };
                    format!("{:?} {} {state}", rule.layer, rule.name)
                });
                variables.chain(rules).collect::<Vec<_>>().join("\n")
            }
            Err(problems) => {
                let lines = problems.iter().map(|problem| {
                    format!("{problem} ({})", problem.hint.as_deref().unwrap_or("no hint"))
                });
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }

    #[test]
    fn later_layers_add_and_switch_earlier_ones() {
        let user = "\
variables: {debug_echo_context: false, mine: 1}
enable: [task-before-edit]
on_stop:
  - {action: extract_handoff}
  - {action: observe, name: noted, category: turn, message: over}
";
        let project = "\
variables: {theirs: 2}
disable: [news]
on_stop:
  - {action: extract_handoff}
  - {action: extract_handoff}
";
        insta::assert_snapshot!(told(user, project), @"
        debug_echo_context = false
        mine = 1
        theirs = 2
        BuiltIn news off
        BuiltIn task-before-edit on
        User extract_handoff-stop-1 on
        User noted on
        Project extract_handoff-stop-2 on
        Project extract_handoff-stop-3 on
        ");
    }

    #[test]
    fn a_project_cannot_change_what_a_gate_of_the_user_rests_on() {
        let user = "variables: {strict: true}\n";
        let project = "\
variables: {strict: false}
on_stop:
  - {action: set_variable, variable: strict, value: false}
  - {action: set_variable, variable: debug_echo_context, value: false}
";
        insta::assert_snapshot!(told(user, project), @"
        theirs.yaml:1: a project cannot change `strict`, which is not its own (give the variable a name that nobody else uses)
        theirs.yaml:3: a project cannot change `strict`, which is not its own (give the variable a name that nobody else uses)
        theirs.yaml:4: a project cannot change `debug_echo_context`, which is not its own (give the variable a name that nobody else uses)
        ");
    }

    #[test]
    fn what_a_layer_may_not_do_is_told_with_its_line() {
        let user = "\
disable: [newz, own]
on_before_tool:
  - {action: block_tools, name: own, tools: edit, reason: not here}
";
        let project = "\
enable:
  - own
disable:
  - task-before-edit
  - own
  - something-else
on_before_tool:
  - {action: block_tools, name: own, tools: edit, reason: not here}
  - {action: block_tools, name: news, tools: edit, reason: not here}
";
        insta::assert_snapshot!(told(user, project), @"
        mine.yaml:1: no earlier rule is named `newz` (did you mean `news`?)
        mine.yaml:1: no earlier rule is named `own` (no hint)
        theirs.yaml:5: a project cannot disable `own`, which the user decided on (only built-in rules the user left alone can be switched here)
        theirs.yaml:6: no earlier rule is named `something-else` (no hint)
        theirs.yaml:8: an earlier rule is named `own` already (give it another `name`; `disable` switches the earlier one off)
        theirs.yaml:9: an earlier rule is named `news` already (give it another `name`; `disable` switches the earlier one off)
        ");
    }

    #[test]
    fn what_the_user_decided_a_project_cannot_change() {
        let cases = [
            ("enable: [task-before-edit]", "disable: [task-before-edit]"),
            ("disable: [news]", "enable: [news]"),
            ("disable: [news]", "disable: [news]"),
            ("enable: [news]", "disable: [news]"),
            ("", "enable: [task-before-edit]"),
        ];
        let told: Vec<_> = cases.iter().map(|(user, project)| told(user, project)).collect();
        insta::assert_snapshot!(told.join("\n---\n"), @r#"
        theirs.yaml:1: a project cannot disable `task-before-edit`, which the user decided on (only built-in rules the user left alone can be switched here)
        ---
        theirs.yaml:1: a project cannot enable `news`, which the user decided on (only built-in rules the user left alone can be switched here)
        ---
        debug_echo_context = "line"
        BuiltIn news off
        BuiltIn task-before-edit off
        ---
        theirs.yaml:1: a project cannot disable `news`, which the user decided on (only built-in rules the user left alone can be switched here)
        ---
        debug_echo_context = "line"
        BuiltIn news on
        BuiltIn task-before-edit on
        "#);
    }

    #[test]
    fn nothing_merges_to_nothing() {
        assert_eq!(merge([]), Ok(Rules::default()));
    }
}
