//! Which rules apply to a moment, and whether one of them refuses a tool.
//!
//! A broken condition leaves its rule out, because an agent without a note is better off than one
//! that cannot work; unless the rule refuses something, for a gate that opens when it breaks is no
//! gate.

use pacenote_model::{EventKind, ToolCall, ToolClass};

use super::{
    condition::{Condition, ConditionError},
    facts::Facts,
    rules::{Action, Rule, Rules, ToolRule, fits, means_tool},
    shell,
};

/// What the agent is told by a rule that requires a task and gives no reason of its own.
const NO_TASK: &str = "no task is in progress: `pacenote task ready` lists what can be begun, \
    `pacenote task claim` takes one, `pacenote task add` makes one";

/// The rules that apply to a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weighed<'r> {
    /// Those that apply, in order.
    pub chosen: Vec<&'r Rule>,
    /// Those whose condition has no answer, whether they apply or not.
    pub broken: Vec<Broken<'r>>,
}

/// A rule whose condition has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken<'r> {
    pub rule: &'r Rule,
    /// Why.
    pub error: ConditionError,
}

/// A tool that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused<'r> {
    /// Why, for the agent.
    pub reason: &'r str,
}

/// Returns the rules of an occasion that apply.
pub fn weigh<'r>(rules: &'r Rules, on: EventKind, facts: &Facts) -> Weighed<'r> {
    let mut weighed = Weighed::default();
    for rule in rules.on(on) {
        let applied = applies(rule, facts);
        weighed.broken.extend(applied.error.map(|error| Broken { rule, error }));
        if applied.applies {
            weighed.chosen.push(rule);
        }
    }
    weighed
}

/// Whether one rule applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Whether it does. With a broken condition only a rule that refuses does.
    pub applies: bool,
    /// What is wrong with its condition.
    pub error: Option<ConditionError>,
}

/// Tells whether one rule applies: rules before it may have changed the facts.
pub fn applies(rule: &Rule, facts: &Facts) -> Applied {
    match answer(rule.when.as_deref(), facts) {
        Ok(applies) => Applied { applies, error: None },
        Err(error) => Applied { applies: rule.action.blocks(), error: Some(error) },
    }
}

/// Tells whether a rule that applies refuses a tool.
pub fn refusal<'r>(rule: &'r Rule, tool: &ToolCall, facts: &Facts) -> Option<Refused<'r>> {
    match &rule.action {
        Action::RequireActiveTask { tools, reason } => {
            let refuses = !facts.task.active && means(tools, tool);
            refuses.then(|| Refused { reason: reason.as_deref().unwrap_or(NO_TASK) })
        }
        Action::BlockTools(block) => {
            let mut rules = block.rules.iter();
            let first = rules.find(|rule| is_blocked(rule, tool, facts));
            first.map(|rule| Refused { reason: &rule.reason })
        }
        Action::InjectContext(_)
        | Action::InjectMessage { .. }
        | Action::SetVariable { .. }
        | Action::IncrementVariable { .. }
        | Action::BlockStop { .. }
        | Action::MarkSessionStatus { .. }
        | Action::ExtractHandoff
        | Action::CaptureArtifact { .. }
        | Action::Observe { .. }
        | Action::Run { .. } => None,
    }
}

fn answer(when: Option<&str>, facts: &Facts) -> Result<bool, ConditionError> {
    when.map_or(Ok(true), |text| Condition::parse(text)?.holds(facts))
}

fn is_blocked(rule: &ToolRule, tool: &ToolCall, facts: &Facts) -> bool {
    means(&rule.tools, tool)
        && !is_spared(&rule.except, tool)
        && rule.command.as_deref().is_none_or(|pattern| has_command(pattern, tool))
        // A broken condition does not open the gate.
        && answer(rule.when.as_deref(), facts).unwrap_or(true)
}

/// The word that stands for our own commands.
const OURS: &str = "pacenote";

/// The commands that are never closed: without them nobody could go on.
const SPARED: [&str; 4] = ["flow", "task", "skill", "mail"];

/// Tells whether a tool is among those that are not meant.
fn is_spared(except: &[String], tool: &ToolCall) -> bool {
    let is_ours = |pattern: &String| pattern == OURS && is_ours(tool);
    except.iter().any(|pattern| is_ours(pattern) || means_tool(pattern, &tool.name, tool.class))
}

/// Tells whether a tool runs nothing but commands of ours that move work on.
fn is_ours(tool: &ToolCall) -> bool {
    tool.class == ToolClass::Shell
        && tool.command.as_deref().is_some_and(|command| shell::only_runs(command, OURS, &SPARED))
}

fn means(patterns: &[String], tool: &ToolCall) -> bool {
    patterns.iter().any(|pattern| {
        means_tool(pattern, &tool.name, tool.class) || edits_by_command(pattern, tool)
    })
}

/// Tells whether files are changed by a command where a rule means tools that change files.
fn edits_by_command(pattern: &str, tool: &ToolCall) -> bool {
    pattern == ToolClass::Edit.word()
        && tool.class == ToolClass::Shell
        && tool.command.as_deref().is_some_and(shell::writes)
}

fn has_command(pattern: &str, tool: &ToolCall) -> bool {
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let pattern = format!("*{}*", spaced(pattern));
    tool.command.as_deref().is_some_and(|command| fits(&pattern, &spaced(command)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lifecycle::{Layer, TaskFacts, read};

    fn rules(text: &str) -> Rules {
        let layer = read(text, "f", Layer::User).unwrap();
        Rules { variables: layer.variables, rules: layer.rules }
    }

    fn tool(name: &str, class: ToolClass, command: Option<&str>) -> ToolCall {
        let command = command.map(str::to_owned);
        ToolCall {
            name: name.into(),
            class,
            path: None,
            has_other_paths: false,
            command,
            prompt: None,
            agent_type: None,
            skill: None,
            todos: Vec::new(),
        }
    }

    #[test]
    fn a_broken_condition_leaves_a_note_out_and_keeps_a_gate_shut() {
        let rules = rules(
            "\
on_before_tool:
  - {name: first, action: inject_message, content: a}
  - {name: other-case, when: plan_mode, action: inject_message, content: a}
  - {name: off, enabled: false, action: inject_message, content: a}
  - {name: broken-note, when: missing, action: inject_message, content: a}
  - {name: broken-gate, when: missing == 'x', action: block_tools, tools: edit, reason: shut}
  - {name: last, when: not plan_mode, action: inject_message, content: a}
on_stop:
  - {name: elsewhere, action: extract_handoff}
",
        );
        let weighed = weigh(&rules, EventKind::BeforeTool, &Facts::default());
        let chosen: Vec<_> = weighed.chosen.iter().map(|rule| rule.name.as_str()).collect();
        assert_eq!(chosen, ["first", "broken-gate", "last"]);
        let broken: Vec<_> = weighed
            .broken
            .iter()
            .map(|broken| format!("{}: {}", broken.rule.name, broken.error))
            .collect();
        assert_eq!(
            broken,
            [
                "broken-note: the condition asks about `missing`, which does not exist",
                "broken-gate: the condition asks about `missing`, which does not exist",
            ]
        );
    }

    #[test]
    fn tools_are_refused_by_name_class_command_and_condition() {
        let rules = rules(
            "\
on_before_tool:
  - {name: task, action: require_active_task}
  - {name: task-for-agents, action: require_active_task, tools: agent, reason: no helpers yet}
  - name: blocked
    action: block_tools
    rules:
      - {tools: 'mcp__*__write', reason: no remote writes}
      - {command: 'git push*--force', reason: no forced pushes}
      - {tools: shell, command: deploy, when: host == 'claude', reason: not from here}
      - {tools: Odd, when: missing, reason: a broken condition is shut}
",
        );
        let idle = Facts { host: "codex".into(), ..Facts::default() };
        let active = TaskFacts { active: true, ..TaskFacts::default() };
        let busy = Facts { host: "claude".into(), task: active, ..Facts::default() };
        let calls = [
            tool("Write", ToolClass::Edit, None),
            tool("Bash", ToolClass::Shell, Some("ls")),
            tool("Bash", ToolClass::Shell, Some("echo x > a")),
            tool("Bash", ToolClass::Shell, Some("git  push origin --force")),
            tool("Bash", ToolClass::Shell, Some("./deploy.sh")),
            tool("Task", ToolClass::Agent, None),
            tool("mcp__files__write", ToolClass::Other, None),
            tool("Odd", ToolClass::Other, None),
            tool("Read", ToolClass::Read, None),
        ];
        let told = |call: &ToolCall, facts: &Facts| {
            let refusals = rules.rules.iter().filter_map(|rule| {
                refusal(rule, call, facts).map(|refused| {
                    let reason: String = refused.reason.chars().take(28).collect();
                    format!("{} ({reason})", rule.name)
                })
            });
            let refusals: Vec<_> = refusals.collect();
            if refusals.is_empty() { "let through".to_owned() } else { refusals.join(", ") }
        };
        let lines: Vec<_> = calls
            .iter()
            .map(|call| {
                let command = call.command.as_deref().unwrap_or_default();
                let name = format!("{} {command}", call.name);
                format!(
                    "{}\n  idle: {}\n  busy: {}",
                    name.trim(),
                    told(call, &idle),
                    told(call, &busy)
                )
            })
            .collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        Write
          idle: task (no task is in progress: `pac)
          busy: let through
        Bash ls
          idle: let through
          busy: let through
        Bash echo x > a
          idle: task (no task is in progress: `pac)
          busy: let through
        Bash git  push origin --force
          idle: blocked (no forced pushes)
          busy: blocked (no forced pushes)
        Bash ./deploy.sh
          idle: let through
          busy: blocked (not from here)
        Task
          idle: task-for-agents (no helpers yet)
          busy: let through
        mcp__files__write
          idle: blocked (no remote writes)
          busy: blocked (no remote writes)
        Odd
          idle: blocked (a broken condition is shut)
          busy: blocked (a broken condition is shut)
        Read
          idle: let through
          busy: let through
        ");
    }
}
