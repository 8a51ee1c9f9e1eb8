//! Walks through every workflow of the catalogue, along every way there is.

use std::collections::{BTreeMap, BTreeSet};

use pacenote_model::Value;

use super::*;
use crate::lifecycle::shell::{Target as WrittenTarget, Written, written};
use crate::workflow::{
    Confidence, Effect, Event, Handler, Outcome, Param, ParamKind, Purpose, Role, Run, Shelf,
    Spoken, Standing, Target, Tools, Verdict, Workflow, begin, previews, read, render, show, step,
};

/// Walks through one workflow that are enough to go every way.
const WALKS: u64 = 4_000;

/// Walks that show that no run gets stuck.
const MANY_WALKS: u64 = 10_000;

/// Every how many walks one looks at what is shown.
const LOOKS: u64 = 100;

/// Most events of one walk; the longest loop has thirty rounds of eight steps.
const EVENTS: usize = 400;

fn catalogue() -> Vec<Workflow> {
    let names: BTreeSet<String> = DEFINITIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let library = library();
    let shelf = Shelf { library: &library, workflows: &names };
    let workflow = |(name, text): &(&str, &str)| {
        let told = |problems: Vec<crate::Problem>| {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        let workflow = read(text, name, &shelf).map_err(told).unwrap();
        assert_eq!(workflow.name, *name);
        workflow
    };
    DEFINITIONS.iter().map(workflow).collect()
}

#[test]
fn every_one_is_sound_and_says_when_not_to_use_it() {
    for workflow in catalogue() {
        let said = workflow.description.to_lowercase();
        assert!(said.contains("use it") || said.contains("use "), "{}", workflow.name);
        assert!(said.contains("not for") || said.contains("not "), "{}", workflow.name);
        previews(&workflow).unwrap();
    }
    assert!(DEFINITIONS.is_sorted());
}

#[test]
fn every_dispatched_prompt_says_once_what_to_hand_back() {
    let mut twice = Vec::new();
    for workflow in catalogue() {
        for preview in previews(&workflow).unwrap() {
            if !matches!(preview.step.handler, Handler::Dispatch(_)) {
                continue;
            }
            let view = preview.view.unwrap();
            let page = render::render(&view, render::Form::Text);
            let is_review = workflow.gate_after(&preview.step.id).is_some();
            // What a reviewer hands back is its report.
            let forms = page.matches("FINAL ANSWER:").count() * usize::from(is_review)
                + page.matches("Hand back ").count();
            assert!(forms > 0, "{} {}: {page}", workflow.name, preview.step.id);
            if forms > 1 {
                twice.push(format!("{} {}", workflow.name, preview.step.id));
            }
        }
    }
    assert!(twice.is_empty(), "more than one form: {twice:?}");
}

#[test]
fn no_step_orders_a_command_that_its_own_gate_refuses() {
    for workflow in catalogue() {
        for preview in previews(&workflow).unwrap() {
            let sent = match &preview.step.handler {
                Handler::Dispatch(dispatch) => &dispatch.tools,
                Handler::Work
                | Handler::Ask(_)
                | Handler::Check(_)
                | Handler::Choose(_)
                | Handler::Gate(_) => &preview.step.tools,
            };
            let closes = |tools: &Tools| tools.block.iter().any(|word| word == "edit");
            // A step that leaves its plan open closes everything else.
            let closed =
                [&preview.step.tools, sent].map(|tools| closes(tools) || !tools.edit.is_empty());
            if closed == [false, false] {
                continue;
            }
            let Some(view) = preview.view else { continue };
            let page = render::render(&view, render::Form::Text);
            for command in page.split('`').skip(1).step_by(2) {
                let is_open = |target: &WrittenTarget| target.path.starts_with(".pacenote/runs/1/");
                let passes = match written(command) {
                    Written::Nothing => true,
                    Written::Paths(targets) => targets.iter().all(is_open),
                    Written::Unknown => false,
                };
                assert!(passes, "{} {}: {command}", workflow.name, preview.step.id);
            }
        }
    }
}

/// Planner closes every file but its plan, from its first step to the word of the person.
#[test]
fn planner_opens_its_plan_and_nothing_else() {
    let all = catalogue();
    let planner = all.iter().find(|workflow| workflow.name == "planner").unwrap();
    let open = ["way", "depth", "import"];
    for step in planner.steps.iter().filter(|step| !open.contains(&step.id.as_str())) {
        let closes = |tools: &Tools| tools.edit == ["{{ plan }}"] || tools.block == ["edit"];
        assert!(closes(&step.tools), "{}", step.id);
        if let Handler::Dispatch(dispatch) = &step.handler {
            assert!(closes(&dispatch.tools), "who is sent by {}", step.id);
        }
    }
}

/// A reviewer changes nothing but its report.
#[test]
fn no_reviewer_may_edit() {
    for workflow in catalogue() {
        for step in &workflow.steps {
            if let Handler::Dispatch(dispatch) = &step.handler
                && dispatch.role == Role::QualityReviewer
            {
                assert_eq!(dispatch.tools.block, ["edit"], "{} {}", workflow.name, step.id);
            }
        }
    }
}

#[test]
fn every_way_is_gone() {
    for workflow in catalogue() {
        let mut gone = BTreeSet::new();
        for seed in 0..WALKS {
            gone.extend(walked(&workflow, seed));
        }
        let left: Vec<String> = ways(&workflow).difference(&gone).cloned().collect();
        assert!(left.is_empty(), "{}: nobody went\n{}", workflow.name, left.join("\n"));
    }
}

#[test]
fn heavy_ten_thousand_walks_through_each_end_or_wait() {
    for workflow in catalogue() {
        for seed in 0..MANY_WALKS {
            walked(&workflow, seed);
        }
    }
}

/// Goes through a workflow by chance, and returns the ways that were gone.
///
/// Each walker has a bent: one reports what it likes best most of the time, so that loops are gone
/// to their ends.
fn walked(workflow: &Workflow, seed: u64) -> BTreeSet<String> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let bent = Outcome::ALL.get(usize::try_from(seed % 5).unwrap()).copied();
    let mut params: Vec<(String, String)> = Vec::new();
    for param in &workflow.params {
        // What need not be said is left unsaid by half of them.
        if param.default.is_none() || dice.below(2) == 0 {
            params.push((param.name.clone(), said(param, &mut dice)));
        }
    }
    let purpose = Purpose { task: "T1", directory: ".pacenote/runs/1" };
    let (mut run, effects) = begin(workflow, &params, purpose).unwrap();
    let mut gone: BTreeSet<String> = effects.iter().filter_map(way_of).collect();
    for _ in 0..EVENTS {
        if run.step().is_none() {
            return gone;
        }
        let event = event(workflow, &run, bent, &mut dice);
        let (after, effects) = step(workflow, &run, &event)
            .unwrap_or_else(|stuck| panic!("{}: {event:?} {stuck}", workflow.name));
        gone.extend(effects.iter().filter_map(way_of));
        run = after;
        // Every step is looked at by some, for which all need not stop.
        if seed.is_multiple_of(LOOKS) {
            let view = show(workflow, &run, Spoken { run: "1", checks_itself: true }).unwrap();
            assert!(render::xml(&view).ends_with("</NEXT>\n"));
        }
    }
    gone
}

/// Returns an event that the place at hand waits for.
fn event(workflow: &Workflow, run: &Run, bent: Option<Outcome>, dice: &mut Dice) -> Event {
    match &run.standing {
        Standing::Working { step } => {
            let step = workflow.step(step).unwrap();
            let outcomes = step.outcomes();
            let liked = bent.filter(|bent| outcomes.contains(bent) && dice.below(10) < 9);
            let outcome = liked.unwrap_or_else(|| dice.one(&outcomes));
            let params = step.report.iter().map(|name| {
                let param = workflow.param(name).unwrap();
                // Whoever would rather iterate is never sure.
                let unsure = bent == Some(Outcome::Iterate) && param.kind == ParamKind::Confidence;
                let text = if unsure { "low".to_owned() } else { said(param, dice) };
                (name.clone(), text)
            });
            Event::Reported { outcome: Some(outcome), params: params.collect(), review: None }
        }
        Standing::Checking { .. } => {
            let fails = bent == Some(Outcome::Fail) && dice.below(10) < 9;
            Event::Checked { found: Ok(!fails && dice.below(4) > 0) }
        }
        Standing::Asking { questions, .. } => {
            let answers = questions.iter().map(|question| {
                let words = if question.options.is_empty() {
                    vec!["as you like".to_owned()]
                } else {
                    question.options.clone()
                };
                (Some(question.id.clone()), dice.one(&words))
            });
            Event::Answered { answers: answers.collect(), relayed: false }
        }
        Standing::Ended { .. } => Event::Aborted { reason: String::new() },
    }
}

/// Returns something that a parameter may be.
fn said(param: &Param, dice: &mut Dice) -> String {
    match &param.kind {
        ParamKind::Text | ParamKind::Path => "docs/plan.md".to_owned(),
        ParamKind::Flag => dice.one(&["true", "false"]).to_owned(),
        ParamKind::Number { least, .. } => least.to_string(),
        ParamKind::Choice { choices } => dice.one(choices),
        ParamKind::Confidence => dice.one(&Confidence::ALL).word().to_owned(),
    }
}

/// Returns every way of a workflow: from where, by what, where to.
fn ways(workflow: &Workflow) -> BTreeSet<String> {
    let mut ways = BTreeSet::new();
    let mut way = |from: &str, by: &str, to: &Target| {
        ways.insert(format!("{from}: {by} → {to}"));
    };
    for step in &workflow.steps {
        let id = step.id.as_str();
        for outcome in step.outcomes() {
            if let Some(to) = step.target(outcome)
                && can_come_to(&step.handler, outcome)
            {
                way(id, outcome.word(), to);
            }
        }
        if let Some(to) = step.limit.as_ref().and_then(|limit| limit.then.as_ref()) {
            way(id, "limit", to);
        }
        if let Handler::Gate(gate) = &step.handler {
            way(id, "pass", &gate.pass);
            way(id, "skipped", &gate.pass);
            way(id, "fail", &Target::Step(gate.work.clone()));
        }
    }
    ways
}

/// Tells whether a handler can give an outcome, for those to which not everything is open.
fn can_come_to(handler: &Handler, outcome: Outcome) -> bool {
    match handler {
        Handler::Work | Handler::Dispatch(_) => true,
        Handler::Check(_) => matches!(outcome, Outcome::Ok | Outcome::Fail),
        Handler::Choose(choices) => choices.iter().any(|choice| choice.outcome == outcome),
        Handler::Ask(ask) => {
            let free = ask.free_text && outcome == Outcome::Ok;
            free || ask.options.iter().any(|option| option.outcome == outcome)
        }
        Handler::Gate(_) => false,
    }
}

fn way_of(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Moved { from, by, to, .. } => Some(format!("{from}: {by} → {to}")),
        Effect::Asked { .. }
        | Effect::Answered { .. }
        | Effect::Changed { .. }
        | Effect::RiskTaken { .. }
        | Effect::Repaired { .. }
        | Effect::Ended { .. } => None,
    }
}

/// Chance that is the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        let place = self.below(of.len());
        of[place].clone()
    }
}

#[test]
fn every_role_has_a_prompt_of_its_own() {
    let prompts: BTreeMap<&str, &str> =
        crate::workflow::Role::ALL.map(|role| (role.prompt(), role.word())).into();
    assert_eq!(prompts.len(), crate::workflow::Role::ALL.len());
}

/// Every code that a checklist asks for is one that the reviewer can look up.
#[test]
fn every_code_of_a_checklist_is_explained_to_the_reviewer() {
    let severity = CONVENTIONS.iter().find(|(name, _)| *name == "severity").unwrap().1;
    let texts = DEFINITIONS.iter().chain(CONVENTIONS);
    let mut codes = BTreeSet::new();
    for (name, text) in texts {
        for word in text.split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_')) {
            if word.len() > 3 && word.contains('_') {
                codes.insert(word);
                assert!(severity.contains(word), "{name}: severity.md does not explain {word}");
            }
        }
    }
    assert!(codes.len() > 10, "{codes:?}");
}

/// A convention that every reviewer reads has to stay short.
#[test]
fn the_severity_convention_is_short_and_begins_with_what_is_worst() {
    let severity = CONVENTIONS.iter().find(|(name, _)| *name == "severity").unwrap().1;
    let must = severity.lines().find(|line| line.contains("MUST")).unwrap();
    for word in ["wrong results", "lost data", "security holes"] {
        assert!(must.contains(word), "{must}");
    }
    assert!(severity.len() <= SEVERITY_BYTES, "{} bytes", severity.len());
}

/// Most bytes of the severity convention: some 330 tokens beside each review.
const SEVERITY_BYTES: usize = 1_320;

/// A step that keeps `edit` closed never orders a write that its own gate refuses.
#[test]
fn no_step_orders_what_its_own_gate_refuses() {
    for (name, text) in DEFINITIONS {
        for step in text.split("\n  - id: ").skip(1) {
            let id = step.lines().next().unwrap();
            let closed = step.contains("block: [edit]");
            for elsewhere in ["copy outside", "a temporary directory", "/tmp"] {
                assert!(!(closed && step.contains(elsewhere)), "{name}, {id}: {elsewhere}");
            }
        }
    }
}

/// What the person reads before they approve a plan is true: a review that they skipped is named.
#[test]
fn the_approval_of_a_plan_names_a_skipped_review() {
    let workflows = catalogue();
    let planner = workflows.iter().find(|workflow| workflow.name == "planner").unwrap();
    let purpose = Purpose { task: "T1", directory: ".pacenote/runs/1" };
    let params = [("request", "r"), ("plan", "p.md"), ("size", "full")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut seen = BTreeSet::new();
    for seed in 0..WALKS {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let bent = Outcome::ALL.get(usize::try_from(seed % 5).unwrap()).copied();
        let (mut run, _) = begin(planner, &params, purpose).unwrap();
        for _ in 0..EVENTS {
            let Some(at) = run.step().cloned() else { break };
            if at.as_str() == "approve" {
                let view = show(planner, &run, Spoken { run: "1", checks_itself: true }).unwrap();
                let page = render::xml(&view);
                let skipped: Vec<&str> = [
                    ("gate-plan", "completeness"),
                    ("gate-code", "code"),
                    ("gate-documents", "documents"),
                ]
                .into_iter()
                .filter(|(gate, _)| {
                    let gate = planner.steps.iter().find(|step| step.id.as_str() == *gate);
                    run.gate(&gate.unwrap().id).status == Some(Verdict::Skipped)
                })
                .map(|(_, word)| word)
                .collect();
                let is_small = run.params.get("size") == Some(&Value::Text("small".to_owned()));
                let said = if skipped.is_empty() && is_small {
                    "The short plan in p.md passed its review. Read its goal".to_owned()
                } else if skipped.is_empty() {
                    "The plan in p.md passed its three reviews. Read its goal".to_owned()
                } else {
                    format!(
                        "The plan in p.md did NOT pass every review. Skipped: {}. Read its goal",
                        skipped.join(", ")
                    )
                };
                let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(page.contains(&said), "{said}\n{page}");
                seen.insert(said);
            }
            let event = event(planner, &run, bent, &mut dice);
            run = step(planner, &run, &event).unwrap().0;
        }
    }
    assert!(seen.len() > 2, "{seen:?}");
}
