//! The skills that are part of this binary, so that it is of use with no other skill installed.
//!
//! They are the weakest of all: a skill of the same name in a project, a home or a plugin wins over
//! them. They never name a command that the binary does not have.

/// One built-in skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name, which is also the directory it is written to.
    pub name: &'static str,
    /// The skill whose agent it is, if it is one: its directory lies in that skill's `agents/`.
    pub agent_of: Option<&'static str>,
    /// Its SKILL.md.
    pub text: &'static str,
}

/// The skill that brings the role templates.
const ORCHESTRATION: &str = "subagent-driven-development";

/// Every built-in skill, by name.
pub const BUILT_IN: &[BuiltIn] = &[
    skill("brainstorming", include_str!("../assets/brainstorming/SKILL.md")),
    skill("claiming-tasks", include_str!("../assets/claiming-tasks/SKILL.md")),
    agent(
        "code-quality-reviewer",
        ORCHESTRATION,
        include_str!("../assets/subagent-driven-development/agents/code-quality-reviewer/SKILL.md"),
    ),
    skill("codebase-analysis", include_str!("../assets/codebase-analysis/SKILL.md")),
    skill("decision-critic", include_str!("../assets/decision-critic/SKILL.md")),
    skill("deepthink", include_str!("../assets/deepthink/SKILL.md")),
    skill("discovering-tools", include_str!("../assets/discovering-tools/SKILL.md")),
    skill("doc-sync", include_str!("../assets/doc-sync/SKILL.md")),
    skill("doctor", include_str!("../assets/doctor/SKILL.md")),
    skill("executing-plans", include_str!("../assets/executing-plans/SKILL.md")),
    skill("executor", include_str!("../assets/executor/SKILL.md")),
    skill(
        "finishing-a-development-branch",
        include_str!("../assets/finishing-a-development-branch/SKILL.md"),
    ),
    agent(
        "implementer",
        ORCHESTRATION,
        include_str!("../assets/subagent-driven-development/agents/implementer/SKILL.md"),
    ),
    skill("incoherence", include_str!("../assets/incoherence/SKILL.md")),
    skill("planner", include_str!("../assets/planner/SKILL.md")),
    skill("problem-analysis", include_str!("../assets/problem-analysis/SKILL.md")),
    skill("prompt-engineer", include_str!("../assets/prompt-engineer/SKILL.md")),
    skill("refactor", include_str!("../assets/refactor/SKILL.md")),
    skill("requesting-code-review", include_str!("../assets/requesting-code-review/SKILL.md")),
    skill("router", include_str!("../assets/router/SKILL.md")),
    skill("solution-design", include_str!("../assets/solution-design/SKILL.md")),
    agent(
        "spec-reviewer",
        ORCHESTRATION,
        include_str!("../assets/subagent-driven-development/agents/spec-reviewer/SKILL.md"),
    ),
    skill("style-writer", include_str!("../assets/style-writer/SKILL.md")),
    skill(ORCHESTRATION, include_str!("../assets/subagent-driven-development/SKILL.md")),
    skill("test-driven-development", include_str!("../assets/test-driven-development/SKILL.md")),
    skill("using-git-worktrees", include_str!("../assets/using-git-worktrees/SKILL.md")),
    skill("using-pacenote", include_str!("../assets/using-pacenote/SKILL.md")),
    skill(
        "verification-before-completion",
        include_str!("../assets/verification-before-completion/SKILL.md"),
    ),
    skill("writing-plans", include_str!("../assets/writing-plans/SKILL.md")),
];

const fn skill(name: &'static str, text: &'static str) -> BuiltIn {
    BuiltIn { name, agent_of: None, text }
}

const fn agent(name: &'static str, of: &'static str, text: &'static str) -> BuiltIn {
    BuiltIn { name, agent_of: Some(of), text }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;
    use crate::{
        chain::{Edge, Graph, Kind, Known, links_of},
        fields::Agent,
        lint::lint,
        reference::Reference,
        scan::Scanner,
        section::sections,
        skill::{Place, Skill, read},
    };

    /// Largest body. Claude Code takes 10,000 characters from a hook, and a bound skill must leave
    /// room there for the position, the tasks and the mail.
    const BODY_BYTES: usize = 6 * 1024;

    /// Longest description: every session pays for it.
    const DESCRIPTION_CHARACTERS: usize = 500;

    /// The commands of the binary with their flags, beside `--help` and `--json` that all have.
    const COMMANDS: [(&str, &str); 47] = [
        ("config show", "--origin"),
        ("doctor", ""),
        ("flow answer", "--at --format --yes"),
        ("flow list", ""),
        ("flow start", "--format --param --task"),
        ("flow status", "--format"),
        ("mail ack", "--agent --key"),
        ("mail inbox", "--agent --branch --limit --peek --unread"),
        ("mail read", "--agent --key"),
        ("mail release", "--agent --all --key"),
        ("mail reservations", ""),
        ("mail reserve", "--agent --key --minutes --reason --shared"),
        ("mail send", "--ack --importance --key --reply-to --subject --to"),
        ("session list", ""),
        ("session show", "--host --host-id"),
        ("skill approve", "--later --project --yes"),
        ("skill chain", "--graph"),
        ("skill diff", ""),
        ("skill eject", "--in"),
        ("skill for-task", ""),
        ("skill lint", ""),
        ("skill list", "--host"),
        ("skill lock", "--yes"),
        ("skill new", "--description --in"),
        ("skill parse", "--format"),
        ("skill resolve", "--host --indexed"),
        ("skill roots", ""),
        ("skill scan", "--fail-on"),
        ("skill search", "--limit"),
        ("skill show", "--file --refs --section"),
        ("skill verify", "--frozen"),
        ("store backup", ""),
        ("store check", ""),
        ("store restore", "--anyway"),
        ("task add", "--after --assign --key --parent --plan --section --skill"),
        ("task block", "--by --key"),
        ("task claim", "--agent --key"),
        ("task close", "--key --steps"),
        ("task delete", "--key"),
        ("task fail", "--key"),
        ("task import", "--key"),
        ("task list", "--assignee --full --state"),
        ("task note", "--key"),
        ("task ready", ""),
        ("task reopen", "--key"),
        ("task show", ""),
        ("task skip", "--key"),
    ];

    fn read_of(built_in: &BuiltIn) -> Skill {
        let place = Place { directory: built_in.name, file: "SKILL.md" };
        let (skill, findings) = read(built_in.text.as_bytes(), &place);
        assert!(findings.is_empty(), "{}: {findings:?}", built_in.name);
        skill
    }

    #[test]
    fn each_is_read_and_judged_without_a_finding() {
        for built_in in BUILT_IN {
            let name = built_in.name;
            let skill = read_of(built_in);
            assert_eq!((skill.name.as_str(), skill.key.as_str()), (name, name));
            assert!(skill.unknown.is_empty(), "{name}: {:?}", skill.unknown);
            let place = Place { directory: name, file: "SKILL.md" };
            let told: Vec<_> =
                lint(built_in.text.as_bytes(), &place).iter().map(ToString::to_string).collect();
            assert!(told.is_empty(), "{name}: {told:?}");
        }
        assert!(BUILT_IN.is_sorted_by(|one, next| one.name < next.name));
    }

    #[test]
    fn each_is_small_enough_to_be_injected() {
        for built_in in BUILT_IN {
            let Skill { description, body, .. } = read_of(built_in);
            let description = description.unwrap_or_default();
            assert!(body.len() <= BODY_BYTES, "{}: {} bytes", built_in.name, body.len());
            assert!(!description.contains('\n'), "{}", built_in.name);
            assert!(description.chars().count() <= DESCRIPTION_CHARACTERS, "{}", built_in.name);
        }
    }

    #[test]
    fn each_says_what_kind_it_is_and_when_to_use_it() {
        let mut kinds: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for built_in in BUILT_IN {
            let Skill { description, fields, .. } = read_of(built_in);
            let description = description.unwrap_or_default();
            let moments = ["Use when", "Use before", "Use after"];
            assert!(moments.iter().any(|moment| description.contains(moment)), "{}", built_in.name);
            assert_eq!(fields.license.as_deref(), Some("MIT OR Apache-2.0"), "{}", built_in.name);
            kinds.entry(fields.category.unwrap_or_default()).or_default().push(built_in.name);
            let is_agent = fields.agent == Some(Agent::Is(true));
            assert_eq!(is_agent, built_in.agent_of.is_some(), "{}", built_in.name);
            assert_eq!(fields.triggers.is_empty(), is_agent, "{}", built_in.name);
        }
        assert_eq!(
            kinds.remove("methodology").unwrap_or_default(),
            ["brainstorming", "test-driven-development", "verification-before-completion"]
        );
        assert_eq!(kinds.into_keys().collect::<Vec<_>>(), ["process"]);
        let discovering = BUILT_IN.iter().find(|built_in| built_in.name == "discovering-tools");
        assert_eq!(
            discovering.and_then(|built_in| read_of(built_in).fields.always_apply),
            Some(false)
        );
    }

    #[test]
    fn the_roles_are_agents_of_a_skill_that_is_here() {
        let agents: Vec<_> = BUILT_IN
            .iter()
            .filter_map(|built_in| Some((built_in.agent_of?, built_in.name)))
            .collect();
        assert_eq!(
            agents,
            [
                (ORCHESTRATION, "code-quality-reviewer"),
                (ORCHESTRATION, "implementer"),
                (ORCHESTRATION, "spec-reviewer"),
            ]
        );
        assert!(is_skill(ORCHESTRATION));
        for role in ["spec-reviewer", "code-quality-reviewer"] {
            let built_in = BUILT_IN.iter().find(|built_in| built_in.name == role);
            let tools = built_in.map(|built_in| read_of(built_in).fields.tool_access);
            assert_eq!(tools.unwrap_or_default(), ["read", "bash"], "{role} writes nothing");
        }
    }

    #[test]
    fn no_character_hides_from_a_reader() {
        for built_in in BUILT_IN {
            let odd = built_in
                .text
                .chars()
                .find(|character| !matches!(character, '\n' | ' '..='~' | '…'));
            assert_eq!(odd, None, "{}", built_in.name);
        }
    }

    #[test]
    fn every_command_in_them_is_one_of_the_binary() {
        let mut seen = 0;
        for built_in in BUILT_IN {
            for written in commands_in(&read_of(built_in).body) {
                seen += 1;
                if let Err(problem) = known(&written) {
                    panic!("{}: `{written}`: {problem}", built_in.name);
                }
            }
        }
        assert!(seen > 80, "only {seen} commands were found");
    }

    #[test]
    fn an_unknown_command_is_noticed() {
        for (written, verdict) in [
            ("pacenote doctor", Ok(())),
            ("pacenote --help", Ok(())),
            ("pacenote COMMAND --help", Ok(())),
            ("pacenote task --help", Ok(())),
            ("pacenote task note ID \"make --all: passed\"", Ok(())),
            ("pacenote skill show subagent-driven-development/implementer", Ok(())),
            ("pacenote task steal ID", Err("no such command")),
            ("pacenote nothing", Err("no such command")),
            ("pacenote task close ID --all", Err("no such flag")),
            ("pacenote skill show subagent-driven-development/poet", Err("no such skill")),
        ] {
            assert_eq!(known(written), verdict, "{written}");
        }
    }

    #[test]
    fn each_ends_with_what_comes_next() {
        for built_in in BUILT_IN {
            let body = read_of(built_in).body;
            let last = sections(&body).pop();
            assert_eq!(
                last.as_ref().map(|section| section.title.as_str()),
                Some("Next"),
                "{}",
                built_in.name
            );
            let bytes = last.map(|section| section.bytes).unwrap_or_default();
            for name in code_in(body.get(bytes).unwrap_or_default()) {
                assert!(is_skill(&name), "{}: `{name}` is no skill", built_in.name);
            }
        }
    }

    #[test]
    fn the_chain_is_whole_and_never_leads_back() {
        let names: Vec<_> = BUILT_IN.iter().map(reference_to).collect();
        let known = Known::of(&names);
        let links = BUILT_IN.iter().map(|built_in| links_of(&read_of(built_in), &known));
        let graph = Graph::of(names.iter().cloned().zip(links));
        assert!(graph.missing().is_empty(), "{:?}", graph.missing());
        assert!(graph.cycles().is_empty(), "{:?}", graph.cycles());
        let leads = |edge: &&Edge| matches!(edge.kind, Kind::Requires | Kind::Precedes);
        let edges = graph.edges().iter().filter(leads);
        let lines = edges.map(|edge| {
            format!("{} {} {}", graph.name(edge.from), edge.kind.verb(), graph.name(edge.to))
        });
        insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
        brainstorming precedes using-git-worktrees
        brainstorming precedes writing-plans
        claiming-tasks precedes router
        claiming-tasks requires verification-before-completion
        codebase-analysis precedes planner
        decision-critic precedes planner
        deepthink precedes brainstorming
        discovering-tools precedes router
        executing-plans precedes finishing-a-development-branch
        executing-plans precedes requesting-code-review
        executing-plans requires test-driven-development
        executing-plans requires verification-before-completion
        executor precedes finishing-a-development-branch
        executor requires verification-before-completion
        finishing-a-development-branch requires verification-before-completion
        incoherence precedes verification-before-completion
        planner precedes executor
        problem-analysis precedes test-driven-development
        refactor precedes requesting-code-review
        refactor requires verification-before-completion
        requesting-code-review precedes finishing-a-development-branch
        requesting-code-review requires verification-before-completion
        solution-design precedes planner
        subagent-driven-development precedes finishing-a-development-branch
        subagent-driven-development precedes requesting-code-review
        subagent-driven-development requires test-driven-development
        subagent-driven-development requires verification-before-completion
        test-driven-development requires verification-before-completion
        using-git-worktrees precedes executing-plans
        using-git-worktrees precedes subagent-driven-development
        using-git-worktrees precedes writing-plans
        using-pacenote precedes claiming-tasks
        using-pacenote precedes router
        writing-plans precedes executing-plans
        writing-plans precedes executor
        writing-plans precedes subagent-driven-development
        subagent-driven-development/implementer requires test-driven-development
        subagent-driven-development/implementer requires verification-before-completion
        ");
    }

    #[test]
    fn a_scan_finds_nothing_known() {
        let scanner = Scanner::new();
        for built_in in BUILT_IN {
            let mut file = scanner.file(built_in.name);
            file.feed(built_in.text.as_bytes());
            let told: Vec<_> = file.finish().iter().map(ToString::to_string).collect();
            assert!(told.is_empty(), "{told:?}");
        }
    }

    #[test]
    fn every_role_they_name_is_one() {
        let mut named = 0;
        for built_in in BUILT_IN {
            for code in code_in(&read_of(built_in).body) {
                let Some((skill, role)) = code.split_once('/') else { continue };
                if is_skill(skill) {
                    named += 1;
                    assert!(names(skill, role), "{}: `{code}`", built_in.name);
                }
            }
        }
        assert_eq!(named, 3);
    }

    fn reference_to(built_in: &BuiltIn) -> Reference {
        let name = match built_in.agent_of {
            Some(skill) => format!("{skill}/{}", built_in.name),
            None => built_in.name.to_owned(),
        };
        Reference::parse(&name).expect("the name of a built-in skill is a reference")
    }

    fn is_skill(name: &str) -> bool {
        BUILT_IN.iter().any(|built_in| built_in.name == name && built_in.agent_of.is_none())
    }

    /// Returns the code in running text and the lines of code blocks.
    fn code_in(markdown: &str) -> Vec<String> {
        let mut code = Vec::new();
        let mut in_block = false;
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
            if matches!(event, Event::Start(Tag::CodeBlock(_))) {
                in_block = true;
            } else if matches!(event, Event::End(TagEnd::CodeBlock)) {
                in_block = false;
            } else if let Event::Code(text) = event {
                code.push(text.into_string());
            } else if let Event::Text(text) = event
                && in_block
            {
                code.extend(text.lines().map(str::to_owned));
            }
        }
        code
    }

    fn commands_in(markdown: &str) -> Vec<String> {
        let mut code = code_in(markdown);
        code.retain(|text| text.starts_with("pacenote "));
        code
    }

    /// Tells what is wrong with a command as it is written in a skill.
    fn known(written: &str) -> Result<(), &'static str> {
        let words: Vec<_> =
            without_quotations(written).split_whitespace().skip(1).map(str::to_owned).collect();
        let is_name = |word: &&String| word.starts_with(|first: char| first.is_ascii_lowercase());
        let mut name =
            words.iter().take_while(is_name).take(2).cloned().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Ok(());
        }
        if COMMANDS.iter().all(|(command, _)| *command != name) {
            name.push(' ');
        }
        let (_, flags) = COMMANDS
            .iter()
            .find(|(command, _)| *command == name || command.starts_with(&name))
            .ok_or("no such command")?;
        let is_flag = |word: &&String| word.starts_with("--");
        for flag in words.iter().filter(is_flag) {
            let everywhere = ["--help", "--json"].contains(&flag.as_str());
            if !everywhere && !flags.split(' ').any(|known| known == flag) {
                return Err("no such flag");
            }
        }
        let shown = words.get(2).filter(|_| name == "skill show").filter(is_name);
        match shown.map(|reference| reference.rsplit_once('/').unwrap_or(("", reference))) {
            Some((skill, agent)) if !names(skill, agent) => Err("no such skill"),
            Some(_) | None => Ok(()),
        }
    }

    fn names(skill: &str, name: &str) -> bool {
        let found = BUILT_IN.iter().find(|built_in| built_in.name == name);
        found.is_some_and(|built_in| built_in.agent_of.unwrap_or_default() == skill)
    }

    /// Leaves out what stands in quotation marks, which may hold anything.
    fn without_quotations(text: &str) -> String {
        text.split(['"', '\'']).step_by(2).collect()
    }
}
