//! The rules that come with us.
//!
//! People read the YAML, a hook reads the JSON, which is the quicker to parse. A test holds both to
//! be the same.

use pacenote_model::EventKind;

use super::{
    read::LayerRules,
    rules::{Layer, Rules},
};

/// The built-in rules as a person reads and copies them.
pub const BUILT_IN_TEXT: &str = include_str!("../../assets/lifecycle.yaml");

/// The same, in the form that is quick to load.
const BUILT_IN_JSON: &str = include_str!("../../assets/lifecycle.json");

/// What the file of built-in rules is called in messages.
const FILE: &str = "built-in rules";

/// Returns the built-in rules.
pub fn built_in() -> Rules {
    // The text is part of the program and a test loads it, so there is nobody to tell of an error.
    serde_json::from_str(BUILT_IN_JSON).unwrap_or_default()
}

/// The kinds of events at which a built-in rule is in force.
const BUILT_IN_AT: [EventKind; 7] = [
    EventKind::SessionStart,
    EventKind::SessionEnd,
    EventKind::Prompt,
    EventKind::PreCompact,
    EventKind::Stop,
    EventKind::SubagentStart,
    EventKind::Wake,
];

/// Reports whether a built-in rule is in force at a kind of event, without reading any: tools are used
/// by the thousand, and a hook must know at once that nobody has anything to say.
pub fn is_built_in_at(on: EventKind) -> bool {
    BUILT_IN_AT.contains(&on)
}

/// The variables that the built-in rules bring, which every file may name.
pub(super) const BUILT_IN_VARIABLES: [&str; 1] = ["debug_echo_context"];

/// Returns the built-in rules as the first layer to merge.
pub fn built_in_layer() -> LayerRules {
    let Rules { variables, rules } = built_in();
    LayerRules {
        file: FILE.to_owned(),
        layer: Layer::BuiltIn,
        variables,
        rules,
        enable: Vec::new(),
        disable: Vec::new(),
        unknown_names: Vec::new(),
        warnings: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        committed::assert_committed,
        lifecycle::{
            Action, Facts, TaskFacts,
            format::{ACTIONS, Refuses},
            mentions_tool_gate, merge, read, weigh,
        },
    };

    #[test]
    fn every_gate_on_tools_is_known_by_a_word() {
        for rule in built_in().rules.iter().filter(|rule| rule.action.refuses_tools()) {
            let enabling = format!("enable: [{}]", rule.name);
            assert!(mentions_tool_gate(&enabling), "{}: add it to the list of names", rule.name);
        }
        for form in ACTIONS.iter().filter(|form| form.refuses == Refuses::Tools) {
            assert!(mentions_tool_gate(&format!("action: {}", form.word)), "{}", form.word);
        }
        assert!(!mentions_tool_gate("on_stop:\n  - {action: block_stop, reason: go on}\n"));
    }

    #[test]
    fn the_quick_form_says_what_the_text_says() {
        let layer = read(BUILT_IN_TEXT, FILE, Layer::BuiltIn).unwrap();
        assert_eq!((layer.enable.len(), layer.disable.len()), (0, 0));
        let rules = Rules { variables: layer.variables, rules: layer.rules };
        assert_committed("lifecycle.json", &serde_json::to_value(&rules).unwrap());
        assert_eq!(built_in(), rules);
        assert_eq!(merge([built_in_layer()]), Ok(rules));
    }

    #[test]
    fn the_built_in_rules_name_nothing_unknown_and_their_variables_are_listed() {
        let layer = read(BUILT_IN_TEXT, FILE, Layer::BuiltIn).unwrap();
        assert_eq!((layer.unknown_names, layer.warnings), (Vec::new(), Vec::new()));
        assert!(layer.variables.keys().eq(BUILT_IN_VARIABLES));
    }

    #[test]
    fn it_is_known_at_which_events_there_are_any() {
        let rules = built_in().rules;
        for on in EventKind::ALL.iter().copied() {
            let is_any = rules.iter().any(|rule| rule.on == on && rule.enabled);
            assert_eq!(is_built_in_at(on), is_any, "{on:?}");
        }
    }

    #[test]
    fn the_text_is_what_a_user_may_copy() {
        assert!(read(BUILT_IN_TEXT, "mine.yaml", Layer::User).is_ok());
        assert!(read(BUILT_IN_TEXT, "theirs.yaml", Layer::Project).is_ok());
    }

    #[test]
    fn each_moment_has_its_rules() {
        let moments: [(&str, EventKind, Facts); 9] = [
            ("idle start", EventKind::SessionStart, Facts::default()),
            ("busy start", EventKind::SessionStart, Facts { work: true, ..Facts::default() }),
            ("prompt", EventKind::Prompt, Facts::default()),
            (
                "trivial prompt",
                EventKind::Prompt,
                Facts { prompt_trivial: true, ..Facts::default() },
            ),
            (
                "trivial prompt, urgent mail, plan mode",
                EventKind::Prompt,
                Facts {
                    prompt_trivial: true,
                    urgent_mail: true,
                    plan_mode: true,
                    ..Facts::default()
                },
            ),
            (
                "edit",
                EventKind::BeforeTool,
                Facts { task: TaskFacts::default(), ..Facts::default() },
            ),
            ("stop", EventKind::Stop, Facts::default()),
            ("end", EventKind::SessionEnd, Facts::default()),
            ("wake", EventKind::Wake, Facts::default()),
        ];
        let rules = built_in();
        let told = moments.map(|(moment, on, facts)| {
            let weighed = weigh(&rules, on, &facts);
            assert_eq!(weighed.broken, []);
            let names: Vec<_> = weighed.chosen.iter().map(|rule| rule.name.as_str()).collect();
            format!("{moment}: [{}]", names.join(", "))
        });
        insta::assert_snapshot!(told.join("\n"), @"
        idle start: [session-begins, hello]
        busy start: [session-begins, briefing]
        prompt: [mail, news]
        trivial prompt: [mail]
        trivial prompt, urgent mail, plan mode: [mail, plan-mode]
        edit: []
        stop: [turn-ends, handoff-at-stop]
        end: [handoff-at-end, session-ends]
        wake: [wake]
        ");
    }

    #[test]
    fn the_plan_mode_text_is_short() {
        let rules = built_in();
        let rule = rules.rules.iter().find(|rule| rule.name == "plan-mode").unwrap();
        let Action::InjectMessage { content } = &rule.action else { panic!("{rule:?}") };
        assert!(content.split_whitespace().count() <= 60, "{content}");
    }
}
