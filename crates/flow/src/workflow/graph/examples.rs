//! Workflows to draw.

use std::collections::BTreeMap;

use crate::workflow::{
    definition::{
        Agent, Ask, Check, Choice, Dispatch, GATE_ROUNDS, Gate, Handler, Library, Limit, Mode,
        Phase, Step, StepId, Target, Tools, Workflow,
    },
    words::{Outcome, Role},
};

/// Every example by the name of its files.
pub(super) fn all() -> Vec<(&'static str, Workflow)> {
    vec![
        ("linear", linear()),
        ("iterate", iterate()),
        ("gate", gate()),
        ("skip", skip()),
        ("branches", branches()),
        ("planning", planning()),
        ("delivery", delivery()),
        ("scattered-phases", scattered_phases()),
    ]
}

/// A step of which nothing is said but its name and title.
pub(super) fn step(id: &str, title: &str) -> Step {
    serde_json::from_value(serde_json::json!({ "id": id, "title": title })).unwrap()
}

/// Returns where a word leads: to a step, or to the end.
pub(super) fn target(id: &str) -> Target {
    if id == "end" { Target::End } else { Target::Step(StepId(id.to_owned())) }
}

pub(super) fn workflow(name: &str, phases: &[&str], steps: Vec<Step>) -> Workflow {
    let phases =
        phases.iter().map(|title| Phase { id: title.to_lowercase(), title: (*title).to_owned() });
    Workflow {
        name: name.to_owned(),
        description: String::new(),
        version: "1".to_owned(),
        params: Vec::new(),
        phases: phases.collect(),
        entry: steps.first().map(|step| step.id.clone()).unwrap(),
        steps,
        library: Library::default(),
    }
}

impl Step {
    pub(super) fn to(mut self, outcome: Outcome, id: &str) -> Self {
        self.next.insert(outcome, target(id));
        self
    }

    fn ok(self, id: &str) -> Self {
        self.to(Outcome::Ok, id)
    }

    fn fail(self, id: &str) -> Self {
        self.to(Outcome::Fail, id)
    }

    fn error(mut self, id: &str) -> Self {
        self.on_error = Some(target(id));
        self
    }

    fn at_most(mut self, rounds: u32, then: Option<&str>) -> Self {
        self.limit = Some(Limit { rounds, then: then.map(target) });
        self
    }

    pub(super) fn in_phase(mut self, phase: &str) -> Self {
        self.phase = Some(phase.to_owned());
        self
    }

    pub(super) fn by(mut self, role: Role, agents: usize) -> Self {
        let agent = |number| Agent { id: format!("a{number}"), prompt: String::new() };
        self.handler = Handler::Dispatch(Dispatch {
            role,
            prompt: String::new(),
            model: None,
            mode: Mode::FreeForm,
            context: BTreeMap::new(),
            answer: None,
            returns: None,
            afterwards: None,
            agents: (0..agents).map(agent).collect(),
            tools: Tools::default(),
        });
        self
    }

    pub(super) fn asking(mut self) -> Self {
        self.handler = Handler::Ask(Ask {
            question: "Is this right?".to_owned(),
            options: Vec::new(),
            free_text: true,
            approval: false,
        });
        self
    }

    pub(super) fn checking(mut self) -> Self {
        self.handler = Handler::Check(Check::Tests);
        self
    }

    pub(super) fn choosing(mut self) -> Self {
        self.handler = Handler::Choose(vec![Choice { when: None, outcome: Outcome::Ok }]);
        self
    }

    pub(super) fn gating(mut self, work: &str, pass: &str) -> Self {
        self.handler = Handler::Gate(Gate {
            name: self.title.clone(),
            work: StepId(work.to_owned()),
            pass: target(pass),
            pass_message: String::new(),
            self_fix: false,
            fix_target: Some(Role::Developer),
            limit: GATE_ROUNDS,
            severities: Gate::usual_severities(),
        });
        self
    }
}

fn linear() -> Workflow {
    workflow(
        "release",
        &[],
        vec![
            step("log", "Collect what changed since the last release").ok("notes"),
            step("notes", "Write the release notes").by(Role::TechnicalWriter, 0).ok("tests"),
            step("tests", "Run the tests").checking().ok("approve"),
            step("approve", "May it be published?").asking().ok("publish"),
            step("publish", "Publish").ok("end"),
        ],
    )
}

fn iterate() -> Workflow {
    workflow(
        "investigate",
        &[],
        vec![
            step("collect", "Collect evidence for and against").ok("weigh"),
            step("weigh", "Weigh the evidence and say how sure you are").ok("sure"),
            step("sure", "Sure enough?")
                .choosing()
                .ok("report")
                .to(Outcome::Iterate, "collect")
                .at_most(5, Some("report")),
            step("report", "Report the cause")
                .by(Role::TechnicalWriter, 0)
                .ok("end")
                .to(Outcome::Iterate, "report")
                .at_most(2, None),
        ],
    )
}

fn gate() -> Workflow {
    workflow(
        "change",
        &[],
        vec![
            step("plan", "Plan the change").ok("code"),
            step("code", "Change the code").by(Role::Developer, 0).ok("review"),
            step("review", "Review the change afresh").by(Role::QualityReviewer, 0).ok("passed"),
            step("passed", "Is the change good enough?").gating("code", "describe"),
            step("describe", "Describe the change").ok("end"),
        ],
    )
}

fn skip() -> Workflow {
    workflow(
        "debug",
        &[],
        vec![
            step("symptom", "Describe the symptom").ok("quick"),
            step("quick", "Is the quick mode on?")
                .choosing()
                .ok("history")
                .to(Outcome::Skip, "fix")
                .error("end"),
            step("history", "Read the history of the files").error("end").ok("hypotheses"),
            step("hypotheses", "Write down three hypotheses").ok("probe"),
            step("probe", "Probe each hypothesis").by(Role::Explore, 3).ok("cause").error("end"),
            step("cause", "Was the cause found?")
                .asking()
                .ok("fix")
                .fail("hypotheses")
                .at_most(3, Some("end")),
            step("fix", "Mend it, with a test that failed before").by(Role::Developer, 0).ok("end"),
        ],
    )
}

fn branches() -> Workflow {
    workflow(
        "triage",
        &[],
        vec![
            step("read", "Read the report").ok("kind"),
            step("kind", "What kind of report is it?")
                .choosing()
                .ok("reproduce")
                .fail("answer")
                .to(Outcome::Skip, "close")
                .to(Outcome::Iterate, "read"),
            step("reproduce", "Reproduce it").ok("mend").fail("ask-back"),
            step("answer", "Answer the question").by(Role::TechnicalWriter, 0).ok("end"),
            step("close", "Close it, with the reason").ok("end"),
            step("ask-back", "Ask for what is missing").asking().ok("reproduce").fail("close"),
            step("mend", "Mend it").by(Role::Developer, 0).ok("tests"),
            step("tests", "Do the tests pass?").checking().ok("end").fail("mend").at_most(4, None),
        ],
    )
}

fn planning() -> Workflow {
    let plan = vec![
        step("context", "Gather the context of the request").by(Role::Explore, 2).ok("options"),
        step("options", "Compare at least two approaches").by(Role::Architect, 0).ok("decide"),
        step("decide", "Which approach shall it be?")
            .asking()
            .ok("write")
            .fail("options")
            .at_most(3, None),
        step("write", "Write the plan with milestones and criteria").ok("plan-review"),
        step("plan-review", "Review the plan").by(Role::QualityReviewer, 0).ok("plan-gate"),
        step("plan-gate", "Plan complete?").gating("write", "build"),
    ];
    let code = vec![
        step("build", "Build the milestone").by(Role::Developer, 0).ok("tests"),
        step("tests", "Run the tests").checking().ok("code-review").fail("build").at_most(5, None),
        step("code-review", "Review the code").by(Role::QualityReviewer, 3).ok("code-gate"),
        step("code-gate", "Code correct and complete?").gating("build", "document"),
    ];
    let documentation = vec![
        step("document", "Document what was built").by(Role::TechnicalWriter, 0).ok("doc-review"),
        step("doc-review", "Review the documentation").by(Role::QualityReviewer, 0).ok("doc-gate"),
        step("doc-gate", "Documentation true and short?").gating("document", "end"),
    ];
    in_phases(
        "plan-and-build",
        vec![("Plan", plan), ("Code", code), ("Documentation", documentation)],
    )
}

fn delivery() -> Workflow {
    let phases = vec![
        ("Understand", understand()),
        ("Design", design()),
        ("Build", build()),
        ("Deliver", deliver()),
    ];
    in_phases("feature", phases)
}

fn understand() -> Vec<Step> {
    vec![
        step("request", "Read the request and its discussion").ok("survey"),
        step("survey", "Survey the code it touches")
            .by(Role::Explore, 4)
            .ok("clear")
            .error("abort"),
        step("clear", "Is everything clear?")
            .choosing()
            .ok("small")
            .to(Outcome::Iterate, "survey")
            .fail("ask")
            .at_most(4, Some("ask")),
        step("ask", "Ask what is not clear")
            .asking()
            .ok("survey")
            .to(Outcome::Skip, "small")
            .at_most(3, None),
        step("small", "Is it a small change?")
            .choosing()
            .ok("approaches")
            .to(Outcome::Skip, "implement"),
    ]
}

fn design() -> Vec<Step> {
    vec![
        step("approaches", "Sketch approaches and what each would cost")
            .by(Role::Architect, 2)
            .ok("choose"),
        step("choose", "Choose an approach")
            .asking()
            .ok("design")
            .fail("approaches")
            .at_most(3, None),
        step("design", "Write the design").by(Role::Architect, 0).ok("design-review"),
        step("design-review", "Review the design").by(Role::QualityReviewer, 0).ok("design-gate"),
        step("design-gate", "Does the design hold?").gating("design", "implement"),
    ]
}

fn build() -> Vec<Step> {
    vec![
        step("implement", "Implement the next part")
            .by(Role::Developer, 0)
            .ok("lint")
            .error("abort"),
        step("lint", "Do formatter and lints agree?")
            .checking()
            .ok("test")
            .fail("implement")
            .at_most(6, None),
        step("test", "Do the tests pass?")
            .checking()
            .ok("code-review")
            .fail("implement")
            .at_most(6, None),
        step("code-review", "Review the code").by(Role::QualityReviewer, 3).ok("code-gate"),
        step("code-gate", "Is the code good?").gating("implement", "more"),
        step("more", "Is there another part?")
            .choosing()
            .ok("document")
            .to(Outcome::Iterate, "implement")
            .at_most(9, None),
    ]
}

fn deliver() -> Vec<Step> {
    vec![
        step("document", "Document it").by(Role::TechnicalWriter, 0).ok("doc-review"),
        step("doc-review", "Review the documentation").by(Role::QualityReviewer, 0).ok("doc-gate"),
        step("doc-gate", "Is it true and short?").gating("document", "approve"),
        step("approve", "May it be merged?")
            .asking()
            .ok("end")
            .fail("implement")
            .to(Outcome::Skip, "abort")
            .at_most(2, None),
        step("abort", "Write down why it was given up").ok("end"),
    ]
}

fn in_phases(name: &str, phases: Vec<(&str, Vec<Step>)>) -> Workflow {
    let titles: Vec<&str> = phases.iter().map(|(title, _)| *title).collect();
    let steps = phases.into_iter().flat_map(|(title, steps)| {
        let id = title.to_lowercase();
        steps.into_iter().map(move |step| step.in_phase(&id))
    });
    workflow(name, &titles, steps.collect())
}

fn scattered_phases() -> Workflow {
    workflow(
        "to and fro",
        &["Think", "Work"],
        vec![
            step("think", "Think").in_phase("think").ok("work"),
            step("work", "Work").in_phase("work").ok("think-again"),
            step("think-again", "Think again").in_phase("think").ok("aside"),
            step("aside", "Have a break").ok("end"),
        ],
    )
}
