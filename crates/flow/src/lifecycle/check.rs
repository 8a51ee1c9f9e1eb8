//! Everything that is wrong with files of rules, at once: each by itself, and all of them together.
//!
//! A hook stops at the first reason not to use a file; somebody who fixes files wants all of them.

use super::{
    default::built_in_layer,
    merge::clashes,
    read::{in_order, read_leniently},
    rules::Layer,
};
use crate::problem::Problem;

/// A file of rules to look at.
#[derive(Clone, Copy, Debug)]
pub struct RulesText<'t> {
    /// The file, as the caller calls it.
    pub file: &'t str,
    /// Whose file it is.
    pub layer: Layer,
    pub text: &'t str,
}

/// What is wrong with files of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedRules {
    /// What has to be fixed, file by file, in the order of lines.
    pub problems: Vec<Problem>,
    /// What works, but perhaps not as somebody thinks.
    pub warnings: Vec<Problem>,
}

/// Finds everything that is wrong with files, the earliest layer first.
pub fn check(files: &[RulesText<'_>]) -> CheckedRules {
    let mut layers = vec![built_in_layer()];
    let mut checked = CheckedRules::default();
    let mut found = Vec::new();
    for RulesText { file, layer, text } in files {
        let (mut rules, mut problems) = read_leniently(text, file, *layer);
        problems.append(&mut rules.unknown_names);
        checked.warnings.extend(in_order(std::mem::take(&mut rules.warnings)));
        layers.push(rules);
        found.push((*file, problems));
    }
    let mut clashes = clashes(layers);
    for (file, mut problems) in found {
        problems.extend(clashes.extract_if(.., |clash| clash.file == file));
        checked.problems.extend(in_order(problems));
    }
    checked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(files: &[RulesText<'_>]) -> String {
        let CheckedRules { problems, warnings } = check(files);
        let line = |what: &str, problem: &Problem| {
            let hint = problem.hint.iter().map(|hint| format!("\n    {hint}"));
            format!("{what} {problem}{}", hint.collect::<String>())
        };
        let problems = problems.iter().map(|problem| line("error", problem));
        let warnings = warnings.iter().map(|warning| line("warning", warning));
        problems.chain(warnings).collect::<Vec<_>>().join("\n")
    }

    fn own(text: &str) -> String {
        report(&[RulesText { file: "mine.yaml", layer: Layer::User, text }])
    }

    /// One mistake of each class, each in another pass of the reader.
    const ALL_AT_ONCE: &str = "\
nmae: mine
disable: [newz]
variables: {Bad: 1, good: 1}
on_teatime: []
on_session_start:
  - action: inject_contxt
    when: task.actve
  - action: inject_context
    source: mail, mial, memories
    template: '{{ content }} {{ mail }} {{ direction }} {{ good }}'
  - {action: inject_message, when: event.source == 'clear', content: 'In {{ hots }}: {{ mail }}.'}
  - {action: inject_message, name: news, content: x, loud: true}
  - {action: block_stop, reason: '{{ task.titel }}', limit: 9}
on_before_tool:
  - action: block_tools
    rules:
      - {tools: 7, reason: x, when: missing ==}
      - {when: depth > deep}
  - {action: block_tools, tool: edit}
on_stop:
  - {action: set_variable, name: later, value: 1}
  - {action: observe, category: x, message: '{{ later }} {{ variables.god }}'}
  - {action: observe, category: x, message: '{% for n in range(3) %}{{ loop.index }}{{ n }}{% endfor %}'}
  - {action: extract_handoff, when: \"task.skill == 'superpowers:writing-plans'\"}
";

    #[test]
    fn all_mistakes_of_a_file_are_found_at_once() {
        insta::assert_snapshot!(own(ALL_AT_ONCE), @"
        error mine.yaml:1: unknown key `nmae`
            did you mean `name`?
        error mine.yaml:2: no earlier rule is named `newz`
            did you mean `news`?
        error mine.yaml:3: `Bad` cannot name a variable in `variables`
            a name of small letters, digits and `_`, at most 64
        error mine.yaml:4: unknown occasion `on_teatime`
            known are `on_session_start`, `on_session_end`, `on_before_agent`, `on_pre_compact`, `on_post_compact`, `on_before_tool`, `on_after_tool`, `on_stop`, `on_subagent_start`, `on_subagent_stop`, `on_wake`
        error mine.yaml:6: unknown action `inject_contxt`
            did you mean `inject_context`?
        error mine.yaml:7: `when`: unknown name `task.actve`
            did you mean `task.active`?
        error mine.yaml:9: unknown source `mial`
            did you mean `mail`?
        error mine.yaml:10: `template`: unknown name `content`
            `pacenote lifecycle show --built-in` lists the names there are
        error mine.yaml:11: `content`: unknown name `hots`
            did you mean `host`?
        error mine.yaml:11: `content`: the source `mail` is not known here
            name it in the `template` of an `inject_context`
        error mine.yaml:11: `when`: unknown name `event.source`
            did you mean `source`?
        error mine.yaml:12: unknown key `loud` of `inject_message`
            known are `action`, `name`, `when`, `enabled`, `content`
        error mine.yaml:12: an earlier rule is named `news` already
            give it another `name`; `disable` switches the earlier one off
        error mine.yaml:13: `block_stop` means nothing below `on_session_start`
            it belongs below `on_stop`, `on_subagent_stop`
        error mine.yaml:13: `limit` must be a whole number from 1 to 3
        error mine.yaml:13: `reason`: unknown name `task.titel`
            did you mean `task.title`?
        error mine.yaml:17: `tools` must be a list of words, or words with commas, and is a number
        error mine.yaml:17: `when`: the condition cannot be read: unexpected end of input, expected expression
        error mine.yaml:18: `tools` or `command` is missing, and so is `reason`
        error mine.yaml:18: `when`: unknown name `deep`
            `pacenote lifecycle show --built-in` lists the names there are
        error mine.yaml:19: unknown key `tool` of `block_tools`
            did you mean `tools`?
        error mine.yaml:19: `block_tools`: `tools` or `command` is missing, and so is `reason`
        error mine.yaml:22: `message`: unknown name `variables.god`
            did you mean `good`?
        warning mine.yaml:9: the source `memories` is not available in this version and is left out
        warning mine.yaml:10: the source `direction` is not available in this version and is left out
        warning mine.yaml:22: `message`: `later` has no value until a rule sets it
            give it one to begin with: `variables: {later: …}`
        warning mine.yaml:24: `when`: `task.skill` never has the plugin in it
            compare it with `writing-plans`
        ");
    }

    #[test]
    fn files_are_checked_together_although_one_has_mistakes() {
        let mine = "on_stop:\n  - {action: observe, name: own, category: x}\n";
        let theirs = "\
disable: [own, nothing]
on_stop:
  - {action: run, argv: [x]}
  - {action: observe, name: own, category: x, message: '{{ mine }}'}
";
        let files = [("mine.yaml", Layer::User, mine), ("theirs.yaml", Layer::Project, theirs)];
        let files = files.map(|(file, layer, text)| RulesText { file, layer, text });
        insta::assert_snapshot!(report(&files), @"
        error mine.yaml:2: `observe` needs `message`
            `message` must be a text of at most 16384 bytes
        error theirs.yaml:1: a project cannot disable `own`, which the user decided on
            only built-in rules the user left alone can be switched here
        error theirs.yaml:1: no earlier rule is named `nothing`
        error theirs.yaml:3: a project's rules may not use `run`
            your own rules, which apply to all projects, may
        error theirs.yaml:4: `message`: unknown name `mine`
            `pacenote lifecycle show --built-in` lists the names there are
        error theirs.yaml:4: an earlier rule is named `own` already
            give it another `name`; `disable` switches the earlier one off
        ");
    }

    /// The examples of files that people bring from elsewhere.
    #[test]
    fn a_source_that_comes_later_is_left_out_and_the_rest_is_in_force() {
        let text = "\
on_session_start:
  - action: inject_context
    source: skills, task_context, handoff
    format: summary  # applies to skills

on_before_agent:
  - action: inject_context
    source: memories, skill_suggestion
    limit: 5           # applies to memories
    min_importance: 0.7
  - action: inject_context
    source:
      - skills
      - memories
      - task_context
";
        insta::assert_snapshot!(own(text), @"
        warning mine.yaml:8: the source `memories` is not available in this version and is left out
        warning mine.yaml:14: the source `memories` is not available in this version and is left out
        ");
    }
}
