//! What the known keys of a frontmatter mean, whoever introduced them.
//!
//! A key counts in every spelling (`alwaysApply`, `always-apply`, `always_apply`). The top level
//! wins over `metadata`, and there the namespaces `gobby` and `skillport` win over the rest. A
//! value of another kind than its key wants is told and left among the unknown keys, never bent.

use serde::Serialize;

use crate::{
    finding::{Finding, Problem},
    strict::Entry,
    value::Value,
};

/// The known fields of a skill beside its name and description.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fields {
    /// The licence, in words.
    pub license: Option<String>,
    /// What the skill needs around it, in words.
    pub compatibility: Option<String>,
    /// Tools that may be used without asking.
    pub allowed_tools: Vec<String>,
    /// The version, as it was written.
    pub version: Option<String>,

    /// Whether the person may call the skill.
    pub user_invocable: Option<bool>,
    /// Whether the model is kept from calling the skill.
    pub disable_model_invocation: Option<bool>,
    /// What to type after the skill's name.
    pub argument_hint: Option<String>,
    /// When the skill is of use, beside what the description says.
    pub when_to_use: Option<String>,
    /// The model to work with.
    pub model: Option<String>,
    /// Skills that come along.
    pub skills: Vec<String>,
    /// Where the skill runs: `fork` is a context of its own.
    pub context: Option<String>,
    /// Whether the skill is an agent, or which agent runs it.
    pub agent: Option<Agent>,
    /// Hooks of the host, as they are.
    pub hooks: Option<Value>,
    /// Most turns of the agent.
    pub max_turns: Option<u32>,
    /// What the agent may do without asking, in the host's words.
    pub permission_mode: Option<String>,
    /// Tools the agent has.
    pub tools: Vec<String>,
    /// Tools switched on or off one by one.
    pub tool_switches: Vec<(String, bool)>,
    /// Tools the agent does not have.
    pub disallowed_tools: Vec<String>,

    /// Whether the skill is part of every session.
    pub always_apply: Option<bool>,
    /// How much of it: `summary`, `full` or `content`.
    pub injection_format: Option<String>,
    /// The kind of skill, in the author's words.
    pub category: Option<String>,
    /// Words to find the skill by.
    pub tags: Vec<String>,
    /// Whether the skill is left out of lists.
    pub internal: Option<bool>,
    /// Words that call the skill.
    pub triggers: Vec<String>,
    /// Other names of the skill.
    pub aliases: Vec<String>,
    /// Patterns of the files the skill is for.
    pub paths: Vec<String>,
    /// Who the skill is for: `interactive`, `autonomous`, `worker` and so on.
    pub audience: Vec<String>,
    /// The depths of spawned agents it is for.
    pub depth: Vec<u32>,
    /// The workflow steps it is for.
    pub steps: Vec<String>,
    /// The kinds of task it is for.
    pub task_categories: Vec<String>,
    /// The hosts it is for.
    pub sources: Vec<String>,
    /// The format of injection for each audience.
    pub format_overrides: Vec<(String, String)>,
    /// The place among others, the lower the earlier.
    pub priority: Option<i64>,
    /// The levels of detail the body has.
    pub levels: Vec<String>,
    /// The level that is taken without asking.
    pub default_level: Option<String>,

    /// The kind of agent: `planner`, `coordinator`, `extraction` and so on.
    pub kind: Option<String>,
    /// Tools of the orchestrator that the agent may use.
    pub tool_access: Vec<String>,
    /// Who starts the agent: `manual` or `session_end_hook`.
    pub invocation: Option<String>,
    /// Where the agent runs: `inline` or `child`.
    pub session_mode: Option<String>,
    /// Whether the agent talks: `dialogue` or `one_shot`.
    pub interaction_mode: Option<String>,
    /// Whether the agent is `public` or `internal`.
    pub visibility: Option<String>,
    /// Whether the agent asks the person.
    pub requires_user_input: Option<bool>,
    /// Agents that may call this one.
    pub callable_by: Vec<String>,
    /// Agents that this one may start.
    pub can_spawn: Vec<String>,

    /// The whole of `metadata`, in order.
    pub metadata: Vec<(String, Value)>,
}

/// What `agent` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Agent {
    /// The skill is an agent, or is not.
    Is(bool),
    /// The agent of this name runs the skill.
    Named(String),
}

/// The fields, and what is left: unknown keys and values of the wrong kind, in order.
pub(crate) struct Sorted {
    pub(crate) fields: Fields,
    pub(crate) unknown: Vec<(String, Value)>,
}

/// Deepest agent a range such as `0-2` may name; real trees of agents have three levels.
const DEEPEST: u32 = 32;

/// Sorts the keys of a frontmatter into the known fields and the rest.
pub(crate) fn sort(entries: Vec<Entry>, findings: &mut Vec<Finding>) -> Sorted {
    let mut fields = Fields::default();
    let mut unknown = Vec::new();
    for Entry { key, line, value } in entries {
        match fields.take(&key, &value) {
            Taken::Yes => {}
            Taken::Unknown => unknown.push((key, value)),
            Taken::Wrong(expected) => {
                let problem = Problem::WrongType { key: key.clone(), expected };
                findings.push(Finding::reading(problem, Some(line)));
                unknown.push((key, value));
            }
        }
    }
    fields.take_metadata(findings);
    Sorted { fields, unknown }
}

/// What became of a key.
enum Taken {
    /// It is a field, set by it or by one that wins over it.
    Yes,
    /// It is no field.
    Unknown,
    /// Its value is not this.
    Wrong(&'static str),
}

impl Fields {
    /// Fills what the top level left open from `metadata`.
    fn take_metadata(&mut self, findings: &mut Vec<Finding>) {
        let metadata = std::mem::take(&mut self.metadata);
        for namespace in ["gobby", "skillport"] {
            let Some((_, Value::Map(pairs))) = metadata.iter().find(|(key, _)| key == namespace)
            else {
                continue;
            };
            for (key, value) in pairs {
                if let Taken::Wrong(expected) = self.take(key, value) {
                    let key = format!("metadata.{namespace}.{key}");
                    findings.push(Finding::reading(Problem::WrongType { key, expected }, None));
                }
            }
        }
        for (key, value) in &metadata {
            // Outside a namespace the same word may mean anything: what does not fit is no fault.
            if let (Taken::Unknown, Value::Map(pairs)) = (self.take(key, value), value)
                && folded(key) == "accesscontrol"
            {
                for (key, value) in pairs {
                    self.take(key, value);
                }
            }
        }
        self.metadata = metadata;
    }

    /// Takes a key into the field it means, unless that is set already.
    fn take(&mut self, key: &str, value: &Value) -> Taken {
        match folded(key).as_str() {
            "license" | "licence" => take_text(&mut self.license, value),
            "compatibility" => take_text(&mut self.compatibility, value),
            "allowedtools" => take_list(&mut self.allowed_tools, value, tool_names),
            "version" => take_text(&mut self.version, value),
            "userinvocable" | "userinvokable" => take_flag(&mut self.user_invocable, value),
            "disablemodelinvocation" => take_flag(&mut self.disable_model_invocation, value),
            "argumenthint" => self.take_argument_hint(value),
            "whentouse" => take_text(&mut self.when_to_use, value),
            "model" => take_text(&mut self.model, value),
            "skills" => take_list(&mut self.skills, value, comma_separated),
            "context" => take_text(&mut self.context, value),
            "agent" => self.take_agent(value),
            "hooks" => self.take_hooks(value),
            "maxturns" => take_number(&mut self.max_turns, value),
            "permissionmode" => take_text(&mut self.permission_mode, value),
            "tools" => self.take_tools(value),
            "disallowedtools" => take_list(&mut self.disallowed_tools, value, tool_names),
            "alwaysapply" => take_flag(&mut self.always_apply, value),
            "injectionformat" => take_text(&mut self.injection_format, value),
            "category" => take_text(&mut self.category, value),
            "tags" => take_list(&mut self.tags, value, comma_separated),
            "internal" => take_flag(&mut self.internal, value),
            "triggers" => take_list(&mut self.triggers, value, comma_separated),
            "alias" | "aliases" => take_list(&mut self.aliases, value, comma_separated),
            "paths" | "globs" => take_list(&mut self.paths, value, comma_separated),
            "audience" => take_list(&mut self.audience, value, comma_separated),
            "depth" => self.take_depth(value),
            "steps" => take_list(&mut self.steps, value, comma_separated),
            "taskcategories" => take_list(&mut self.task_categories, value, comma_separated),
            "sources" => take_list(&mut self.sources, value, comma_separated),
            "formatoverrides" => self.take_format_overrides(value),
            "priority" => take_number(&mut self.priority, value),
            "levels" => take_list(&mut self.levels, value, comma_separated),
            "defaultlevel" => take_text(&mut self.default_level, value),
            "type" => take_text(&mut self.kind, value),
            "toolaccess" => take_list(&mut self.tool_access, value, tool_names),
            "invocation" => take_text(&mut self.invocation, value),
            "sessionmode" => take_text(&mut self.session_mode, value),
            "interactionmode" => take_text(&mut self.interaction_mode, value),
            "visibility" => take_text(&mut self.visibility, value),
            "requiresuserinput" => take_flag(&mut self.requires_user_input, value),
            "callableby" => take_list(&mut self.callable_by, value, comma_separated),
            "canspawn" => take_list(&mut self.can_spawn, value, comma_separated),
            "metadata" => self.keep_metadata(value),
            _ => Taken::Unknown,
        }
    }

    fn keep_metadata(&mut self, value: &Value) -> Taken {
        match value {
            Value::Map(pairs) => {
                self.metadata.clone_from(pairs);
                Taken::Yes
            }
            Value::Null => Taken::Yes,
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                Taken::Wrong("a map")
            }
        }
    }

    /// `argument-hint: [file]` is a list to YAML and a hint to everyone else.
    fn take_argument_hint(&mut self, value: &Value) -> Taken {
        let Value::List(items) = value else { return take_text(&mut self.argument_hint, value) };
        let Some(words) = items.iter().map(Value::scalar).collect::<Option<Vec<_>>>() else {
            return Taken::Wrong("a text");
        };
        take_text(&mut self.argument_hint, &Value::Text(format!("[{}]", words.join(", "))))
    }

    fn take_agent(&mut self, value: &Value) -> Taken {
        let agent = match (flag(value), value.scalar()) {
            (Some(is_agent), _) => Agent::Is(is_agent),
            (None, Some(name)) => Agent::Named(name.trim().to_owned()),
            (None, None) if *value == Value::Null => return Taken::Yes,
            (None, None) => return Taken::Wrong("a name, or yes or no"),
        };
        self.agent.get_or_insert(agent);
        Taken::Yes
    }

    fn take_hooks(&mut self, value: &Value) -> Taken {
        match value {
            Value::Map(_) => {
                self.hooks.get_or_insert_with(|| value.clone());
                Taken::Yes
            }
            Value::Null => Taken::Yes,
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                Taken::Wrong("a map")
            }
        }
    }

    /// Tools are named in a list, or switched one by one in a map.
    fn take_tools(&mut self, value: &Value) -> Taken {
        let Value::Map(pairs) = value else {
            return take_list(&mut self.tools, value, tool_names);
        };
        let switches = pairs.iter().map(|(tool, value)| Some((tool.clone(), flag(value)?)));
        match switches.collect::<Option<Vec<_>>>() {
            Some(switches) => {
                if self.tool_switches.is_empty() {
                    self.tool_switches = switches;
                }
                Taken::Yes
            }
            None => Taken::Wrong("a list of tools, or tools with yes or no"),
        }
    }

    fn take_depth(&mut self, value: &Value) -> Taken {
        let mut texts = Vec::new();
        if let Taken::Wrong(expected) = take_list(&mut texts, value, comma_separated) {
            return Taken::Wrong(expected);
        }
        let depths: Option<Vec<_>> = texts.iter().map(|text| depths(text)).collect();
        match depths {
            Some(depths) => {
                if self.depth.is_empty() {
                    self.depth = depths.concat();
                }
                Taken::Yes
            }
            None => Taken::Wrong("a number, a range or a list of these"),
        }
    }

    fn take_format_overrides(&mut self, value: &Value) -> Taken {
        let Value::Map(pairs) = value else { return Taken::Wrong("a map of texts") };
        let texts =
            pairs.iter().map(|(key, value)| Some((key.clone(), value.scalar()?.to_owned())));
        match texts.collect::<Option<Vec<_>>>() {
            Some(texts) => {
                if self.format_overrides.is_empty() {
                    self.format_overrides = texts;
                }
                Taken::Yes
            }
            None => Taken::Wrong("a map of texts"),
        }
    }
}

/// Returns a key without what its spellings differ in.
fn folded(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

fn take_text(field: &mut Option<String>, value: &Value) -> Taken {
    match value.scalar() {
        Some(text) => {
            let text = text.trim();
            if !text.is_empty() {
                field.get_or_insert_with(|| text.to_owned());
            }
            Taken::Yes
        }
        None if *value == Value::Null => Taken::Yes,
        None => Taken::Wrong("a text"),
    }
}

fn take_flag(field: &mut Option<bool>, value: &Value) -> Taken {
    match flag(value) {
        Some(flag) => {
            field.get_or_insert(flag);
            Taken::Yes
        }
        None if *value == Value::Null => Taken::Yes,
        None => Taken::Wrong("yes or no"),
    }
}

/// Reads yes or no in the words people use.
fn flag(value: &Value) -> Option<bool> {
    match value.scalar()?.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

fn take_number<N: std::str::FromStr>(field: &mut Option<N>, value: &Value) -> Taken {
    match value.scalar().map(|text| text.trim().parse()) {
        Some(Ok(number)) => {
            field.get_or_insert(number);
            Taken::Yes
        }
        None if *value == Value::Null => Taken::Yes,
        Some(Err(_)) | None => Taken::Wrong("a whole number"),
    }
}

/// Takes a list, or a text that the field's own convention divides.
fn take_list(field: &mut Vec<String>, value: &Value, divide: fn(&str) -> Vec<String>) -> Taken {
    let items = match value {
        Value::List(items) => items.iter().map(|item| item.scalar().map(str::to_owned)).collect(),
        Value::Null => Some(Vec::new()),
        Value::Bool(_) | Value::Number(_) | Value::Text(_) => value.scalar().map(divide),
        Value::Map(_) => None,
    };
    match items {
        Some(items) => {
            if field.is_empty() {
                *field = items;
            }
            Taken::Yes
        }
        None => Taken::Wrong("a list of texts"),
    }
}

fn comma_separated(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Divides tools at commas and spaces, but not inside `Bash(git add:*)`.
fn tool_names(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let names = text.split(|character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (character == ',' || character.is_whitespace())
    });
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Reads `2` or `0-2`.
fn depths(text: &str) -> Option<Vec<u32>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last && last <= DEEPEST).then(|| (first..=last).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strict;

    fn sorted(head: &str) -> (Sorted, String) {
        let mut findings = Vec::new();
        let sorted = sort(strict::parse(head).unwrap(), &mut findings);
        let told: Vec<_> = findings.iter().map(ToString::to_string).collect();
        (sorted, told.join("\n"))
    }

    #[test]
    fn fields_are_known_in_every_spelling() {
        for key in ["alwaysApply", "always-apply", "always_apply", "AlwaysApply"] {
            for yes in ["true", "yes", "'on'", "1", "True"] {
                let (sorted, told) = sorted(&format!("{key}: {yes}"));
                assert_eq!(sorted.fields.always_apply, Some(true), "{key}: {yes}");
                assert!(sorted.unknown.is_empty() && told.is_empty());
            }
        }
    }

    #[test]
    fn lists_are_divided_as_their_field_is_used() {
        for (head, tools) in [
            ("allowed-tools: Read Write", vec!["Read", "Write"]),
            ("allowed-tools: Bash(git add:*), Read", vec!["Bash(git add:*)", "Read"]),
            ("allowed_tools: [Bash(ls *), Read]", vec!["Bash(ls *)", "Read"]),
            ("allowed-tools:\n- Read", vec!["Read"]),
            ("allowed-tools:", vec![]),
        ] {
            assert_eq!(sorted(head).0.fields.allowed_tools, tools, "{head}");
        }
        let (sorted, _) = sorted("triggers: on review, on merge\ndepth: [0-1, 3]\nversion: 1.10");
        assert_eq!(sorted.fields.triggers, ["on review", "on merge"]);
        assert_eq!(sorted.fields.depth, [0, 1, 3]);
        assert_eq!(sorted.fields.version.as_deref(), Some("1.10"));
    }

    #[test]
    fn the_top_level_wins_over_metadata() {
        let (sorted, told) = sorted(
            "\
metadata:
  category: third
  version: 3
  internal: maybe
  type: planner
  access_control: {callable_by: [chief-of-staff], can_spawn: []}
  skillport: {category: second, tags: [a, b], alwaysApply: true}
  gobby: {audience: worker, priority: 10, depth: 0-2, format_overrides: {worker: full}}
category: first
",
        );
        let Fields { category, tags, always_apply, audience, priority, depth, kind, .. } =
            &sorted.fields;
        assert_eq!(category.as_deref(), Some("first"));
        assert_eq!((tags.len(), *always_apply, *priority), (2, Some(true), Some(10)));
        assert_eq!(
            (audience.as_slice(), depth.as_slice()),
            (&["worker".to_owned()][..], &[0, 1, 2][..])
        );
        assert_eq!(kind.as_deref(), Some("planner"));
        assert_eq!(sorted.fields.callable_by, ["chief-of-staff"]);
        assert_eq!(sorted.fields.version.as_deref(), Some("3"));
        assert_eq!(sorted.fields.internal, None);
        assert_eq!(sorted.fields.metadata.len(), 7);
        assert_eq!(told, "");
    }

    #[test]
    fn an_agent_is_a_name_or_a_flag() {
        assert_eq!(sorted("agent: true").0.fields.agent, Some(Agent::Is(true)));
        assert_eq!(sorted("agent: Explore").0.fields.agent, Some(Agent::Named("Explore".into())));
        let switches = sorted("tools: {write: false, bash: yes}").0.fields.tool_switches;
        assert_eq!(switches, [("write".to_owned(), false), ("bash".to_owned(), true)]);
        assert_eq!(
            sorted("argument-hint: [file]").0.fields.argument_hint.as_deref(),
            Some("[file]")
        );
    }

    #[test]
    fn what_does_not_fit_is_told_and_kept() {
        let (sorted, told) = sorted(
            "\
model: [a]
odd: 1
internal: maybe
maxTurns: many
metadata: text
hooks: [x]
depth: deep
other: {a: b}
",
        );
        insta::assert_snapshot!(told, @"
        line 1: the value of `model` is not a text
        line 3: the value of `internal` is not yes or no
        line 4: the value of `maxTurns` is not a whole number
        line 5: the value of `metadata` is not a map
        line 6: the value of `hooks` is not a map
        line 7: the value of `depth` is not a number, a range or a list of these
        ");
        let keys: Vec<_> = sorted.unknown.iter().map(|(key, _)| key.as_str()).collect();
        let all = ["model", "odd", "internal", "maxTurns", "metadata", "hooks", "depth", "other"];
        assert_eq!(keys, all);
        assert_eq!(sorted.fields, Fields::default());
    }
}
