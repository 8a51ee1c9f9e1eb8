//! A briefing in the making, for tests that change a thing or two.

use pacenote_model::{
    self as model, AgentName, Artifact, Body, Branch, Digest, Forest, HostId, HostName, Importance,
    KeptRun, Message, MessageId, Moment, Note, Number, ProjectId, Record, RunCard, RunStatus,
    SkillLevel, SkillRef, Task, ThreadId, Title, Trust, Utterance, record::Origin, task::PlanFile,
};
use uuid::Uuid;

use crate::{
    escape::InstallSecret,
    example::{agent, id, shop, task as example_task},
    fragment::Fragment,
    fragments::{
        ActivityLine, Artifacts, BoundSkill, CoreSkill, CoreSkills, Guide, Handoff, Identity,
        Inbox, IncomingNote, InstructionsBy, LastRequest, LastWords, ListedSkill, MailLines,
        MoreMail, NextAction, Notice, PlanExcerpt, PlanText, PositionNote, PromptBy,
        RecentActivity, RoleNote, RuleText, RunExtent, Section, SkillCoverage, SkillIndex,
        SkillSuggestion, SuggestedSkill, TaskNotes, TaskTree, WorkflowState,
    },
    handoff::Conversation,
    pack::{Ceiling, PackLimits, PartCount, Shares},
    plan_sections::{PlanSection, PlanTopic},
    role::Role,
};

/// Limits with the usual shares.
pub(super) fn limits(budget_tokens: u32, ceiling: Ceiling, parts: u8) -> PackLimits {
    let parts = PartCount::new(parts).unwrap();
    PackLimits { budget_tokens, ceiling, parts, shares: Shares::default() }
}

/// Everything a briefing is made of.
#[derive(Clone, Debug)]
pub(super) struct Notes {
    pub(super) agent: AgentName,
    pub(super) role: String,
    pub(super) project: String,
    pub(super) tasks: Vec<Task>,
    pub(super) level: SkillLevel,
    pub(super) reason: String,
    pub(super) sections: Vec<Section>,
    pub(super) skills: Vec<(String, String)>,
    pub(super) more_skills: usize,
    pub(super) plan: Vec<Section>,
    pub(super) messages: Vec<Message>,
    pub(super) activity: Vec<String>,
    pub(super) handoff: model::Handoff,
    /// What is told at some events only.
    pub(super) others: Option<Others>,
    /// Whether only the identity and the skill are told.
    pub(super) skill_only: bool,
}

impl Notes {
    /// Returns notes of every kind, of the usual size.
    pub(super) fn example() -> Self {
        let mut notes = Self {
            agent: agent("backend"),
            role: "backend developer".to_owned(),
            project: "shop".to_owned(),
            tasks: shop(),
            level: SkillLevel::Plugin,
            reason: "task t-00022 says `Spec review`".to_owned(),
            sections: Vec::new(),
            skills: Vec::from([
                ("brainstorming".to_owned(), "Explore what is wanted before building.".to_owned()),
                ("writing-plans".to_owned(), "Write a plan that others can follow.".to_owned()),
            ]),
            more_skills: 38,
            plan: Vec::from([
                section(2, "Goal", "Customers can log in."),
                section(3, "Task 2: Add login endpoint", "Use the session store."),
            ]),
            messages: Vec::new(),
            activity: Vec::from([
                "closed t-00001 Add user model".to_owned(),
                "claimed t-00002 Add login endpoint".to_owned(),
            ]),
            handoff: model::Handoff {
                current_state: "The session store is in `store/session.rs`.".to_owned(),
                next_steps: Vec::from(["Have it reviewed".to_owned()]),
                ..model::Handoff::default()
            },
            others: None,
            skill_only: false,
        };
        notes.sections.push(Section {
            title: String::new(),
            level: 0,
            text: "Review before you go on.\n\n".to_owned(),
        });
        notes.section(1, "Reviewing", "Two reviews, one after the other.");
        notes.section(2, "When to use", "After each task of a plan.");
        notes.section(2, "Spec review", "Compare the change with the spec, line by line.");
        notes.section(2, "Code quality review", "Read it as its next owner: a < b && c -> d.");
        notes.section(2, "Red flags", "> \"It is only a small change.\"");
        notes.message(7, "Which store?", Importance::Urgent, "Redis or <memory>?\nI need to know.");
        notes.message(8, "Lunch", Importance::Normal, "At noon.");
        notes
    }

    /// Leaves only the identity and the skill.
    pub(super) fn only_skill(&mut self) {
        self.skill_only = true;
    }

    /// Returns a task to change.
    pub(super) fn task(&mut self, n: u32) -> &mut Task {
        self.tasks.iter_mut().find(|task| task.id == id(n)).unwrap()
    }

    /// Adds a section to the skill.
    pub(super) fn section(&mut self, level: u8, title: &str, text: &str) {
        self.sections.push(section(level, title, text));
    }

    /// Adds a message, which is the newest.
    pub(super) fn message(&mut self, n: u32, subject: &str, importance: Importance, body: &str) {
        let message = Message {
            id: MessageId::new(Uuid::from_u128(u128::from(n))),
            number: Number::new(n),
            project: ProjectId::new(Uuid::nil()),
            thread: ThreadId::new(Uuid::nil()),
            sender: agent("frontend"),
            trust: Trust::Agent,
            subject: Title::parse(subject).unwrap(),
            body: Some(Body::mail(body).unwrap()),
            importance,
            ack_required: importance == Importance::Urgent,
            sent: Moment::from_millis(0),
            recipients: Vec::new(),
        };
        self.messages.insert(0, message);
    }

    /// Hands the fragments over, in order of importance.
    pub(super) fn with<T>(&self, then: impl FnOnce(&[&dyn Fragment]) -> T) -> T {
        let secret = InstallSecret::new([7; 32]);
        let forest = Forest::new(&self.tasks);
        let viewer = Some(&self.agent);
        let identity = Identity {
            agent: Some(self.agent.clone()),
            role: Some(self.role.clone()),
            project: self.project.clone(),
            branch: Branch::parse("feature/login").ok(),
            continues: None,
            is_subagent: false,
            short: Some("s-45a5".to_owned()),
            session: Some(Number::new(4)),
        };
        let skill = BoundSkill {
            reference: SkillRef::parse("superpowers:reviewing").unwrap(),
            digest: Digest::new([0xab; 32]),
            level: self.level,
            reason: self.reason.clone(),
            sections: self.sections.clone(),
            coverage: SkillCoverage::Whole,
            task_words: "Spec review".to_owned(),
            secret: &secret,
        };
        let listed = self.skills.iter().map(|(name, description)| ListedSkill {
            reference: SkillRef::parse(name).unwrap(),
            description: description.clone(),
            trust: Trust::Foreign,
        });
        let skills = SkillIndex { skills: listed.collect(), more: self.more_skills };
        let plan = PlanExcerpt {
            file: &PlanFile::parse("docs/plans/login.md").unwrap(),
            text: PlanText::Sections(
                (0..)
                    .zip(&self.plan)
                    .map(|(place, section)| PlanSection {
                        topic: if place == 0 { PlanTopic::Goal } else { PlanTopic::Own },
                        section: section.clone(),
                    })
                    .collect(),
            ),
            trust: Trust::Project,
            secret: &secret,
        };
        let (more, lines) = (MoreMail::default(), MailLines::default());
        let inbox = Inbox { messages: (&self.messages).into(), more, lines, secret: &secret };
        let lines = (1u32..).zip(&self.activity).map(|(n, what)| ActivityLine {
            id: n.to_string(),
            at: Moment::from_millis(1_763_235_912_345),
            account: format!("@backend {what}"),
        });
        let activity = RecentActivity { lines: lines.collect() };
        let handoff = Handoff::of(Number::new(3), &self.handoff, ".pacenote/handoff-3.md", &secret);
        let position = PositionNote::of(&forest, viewer);
        let next = NextAction::of(&forest, viewer);
        let tree = TaskTree::of(&forest, viewer);
        let all: [&dyn Fragment; 11] = [
            &identity, &position, &next, &tree, &skill, &inbox, &plan, &handoff, &skills,
            &activity, &Guide,
        ];
        match &self.others {
            _ if self.skill_only => then(&[&identity, &skill]),
            None => then(&all),
            Some(others) => others.with(&secret, self.tasks.first(), |more| {
                let all: Vec<&dyn Fragment> = all.iter().chain(more).copied().collect();
                then(&all)
            }),
        }
    }
}

/// How skills that always apply are told.
#[derive(Clone, Copy, Debug)]
pub(super) enum CoreFormat {
    Summary,
    Full,
}

/// What is told at some events only.
#[derive(Clone, Debug)]
pub(super) struct Others {
    pub(super) rule: String,
    pub(super) text: String,
    pub(super) description: String,
    pub(super) path: String,
    pub(super) prompt: String,
    pub(super) sections: Vec<Section>,
    pub(super) format: CoreFormat,
    pub(super) role: Role,
}

impl Others {
    /// Returns some of everything.
    pub(super) fn example() -> Self {
        Self {
            rule: "ask-first".to_owned(),
            text: "Ask before you delete anything.".to_owned(),
            description: "Keeps the tests green.".to_owned(),
            path: "docs/plan.md".to_owned(),
            prompt: "Begin with the store.".to_owned(),
            sections: Vec::from([section(2, "Red", "Write a test that fails.")]),
            format: CoreFormat::Summary,
            role: Role::Implementer,
        }
    }

    fn run(&self) -> KeptRun {
        KeptRun {
            number: Number::new(3),
            workflow: "change".to_owned(),
            definition: Digest::new([0xad; 32]),
            file: None,
            task: None,
            session: None,
            agent: agent("backend"),
            status: RunStatus::Working,
            revision: 2,
            began: Moment::from_millis(0),
            moved: Moment::from_millis(0),
            state: String::new(),
            card: RunCard {
                step: 2,
                total: 4,
                title: self.rule.clone(),
                text: self.text.clone(),
                next: self.description.clone(),
                ..RunCard::default()
            },
        }
    }

    fn with<T>(
        &self,
        secret: &InstallSecret,
        task: Option<&Task>,
        then: impl FnOnce(&[&dyn Fragment]) -> T,
    ) -> T {
        let reference = SkillRef::parse("plugin:core").unwrap();
        let (rule, text) = (self.rule.clone(), self.text.clone());
        let notice = Notice { rule, text, trust: Trust::Project };
        let (rule, text) = (self.rule.clone(), format!("Mail:\n{}", self.text));
        let rule_text = RuleText { rule, text, trust: Trust::Agent, secret };
        let suggestion = SkillSuggestion {
            skills: Vec::from([SuggestedSkill {
                reference: reference.clone(),
                description: self.description.clone(),
                reason: self.text.clone(),
                trust: Trust::Foreign,
            }]),
        };
        let core = match self.format {
            CoreFormat::Summary => CoreSkills::Summary(Vec::from([CoreSkill {
                skill: ListedSkill {
                    reference: reference.clone(),
                    description: self.description.clone(),
                    trust: Trust::Foreign,
                },
                why: self.text.clone(),
            }])),
            CoreFormat::Full => CoreSkills::Full(BoundSkill {
                reference: reference.clone(),
                digest: Digest::new([0xcd; 32]),
                level: SkillLevel::Plugin,
                reason: self.text.clone(),
                sections: self.sections.clone(),
                coverage: SkillCoverage::Whole,
                task_words: String::new(),
                secret,
            }),
        };
        let artifact = |name: &str| Artifact {
            name: name.to_owned(),
            path: self.path.clone(),
            digest: Digest::new([0xef; 32]),
            step: self.text.clone(),
        };
        let files = ["plan", &self.description, "plan"].map(artifact);
        let artifacts = Artifacts { files: (&files[..]).into() };
        let role = RoleNote {
            role: self.role,
            task,
            whole: task,
            prompt: PromptBy::Us,
            instructions: InstructionsBy::Us,
        };
        let incoming =
            IncomingNote { from: "@backend", text: &self.prompt, trust: Trust::Agent, secret };
        let written = Body::note("DECISION: argon2").unwrap();
        let written = Note { author: agent("backend"), at: Moment::from_millis(0), text: written };
        let about = example_task(2, "Add login");
        let task_notes = TaskNotes { task: &about, notes: Vec::from([written]), secret };
        let run = self.run();
        let workflow = WorkflowState { run: &run, extent: RunExtent::Whole, secret };
        let conversation = self.conversation();
        let words = LastWords::of(&conversation, secret).unwrap();
        let request = LastRequest { text: conversation.request().unwrap() };
        then(&[
            &notice,
            &rule_text,
            &suggestion,
            &core,
            &artifacts,
            &role,
            &incoming,
            &task_notes,
            &workflow,
            &request,
            &words,
        ])
    }

    /// Returns the end of a conversation with an open question.
    fn conversation(&self) -> Conversation {
        let from = Origin {
            at: Moment::from_millis(0),
            host: HostName::parse("claude").unwrap(),
            host_id: HostId::parse("s-1").unwrap(),
            place: "/shop".to_owned(),
            name: "shop".to_owned(),
        };
        let said = |utterance: Utterance, text: &str, questions: &[String]| Record::Said {
            from: from.clone(),
            utterance,
            text: format!("So: {text}"),
            questions: questions.to_vec(),
        };
        let questions = [format!("Is it {}?", self.text)];
        Conversation::of(&[
            said(Utterance::Request, &self.prompt, &[]),
            said(Utterance::LastWords, &self.description, &questions),
        ])
    }
}

fn section(level: u8, title: &str, text: &str) -> Section {
    let marks = "#".repeat(usize::from(level));
    let heading = if level > 0 { format!("{marks} {title}\n\n") } else { String::new() };
    Section { title: title.to_owned(), level, text: format!("{heading}{text}\n\n") }
}
