//! A briefing in the making, for tests that change a thing or two.

use pacenote_model::{
    AgentName, Body, Branch, Digest, Forest, HostName, Importance, Message, MessageId, Moment,
    Number, ProjectId, Sequence, SkillLevel, SkillRef, Task, ThreadId, Title, Trust,
    task::PlanFile,
};
use uuid::Uuid;

use crate::{
    escape::InstallSecret,
    example::{agent, id, shop},
    fragment::Fragment,
    fragments::{
        ActivityLine, BoundSkill, Guide, Handoff, Identity, Inbox, ListedSkill, NextAction,
        PlanExcerpt, PlanText, PositionNote, RecentActivity, Section, SkillIndex, TaskTree,
    },
    pack::{Ceiling, PackLimits, PartCount, Shares},
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
    pub(super) handoff: String,
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
            handoff: "The session store is in `store/session.rs`.\n".to_owned(),
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
            host: HostName::parse("claude").unwrap(),
            session: Some(Number::new(4)),
        };
        let skill = BoundSkill {
            reference: SkillRef::parse("superpowers:reviewing").unwrap(),
            digest: Digest::new([0xab; 32]),
            level: self.level,
            reason: self.reason.clone(),
            sections: self.sections.clone(),
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
            text: PlanText::Sections(self.plan.clone()),
            trust: Trust::Project,
            secret: &secret,
        };
        let inbox = Inbox { messages: &self.messages, secret: &secret };
        let lines = (1..).zip(&self.activity).map(|(n, what)| ActivityLine {
            sequence: Sequence::new(n),
            at: Moment::from_millis(1_763_235_912_345),
            actor: agent("backend"),
            what: what.clone(),
        });
        let activity = RecentActivity { lines: lines.collect() };
        let handoff = Handoff {
            session: Number::new(3),
            file: ".pacenote/handoff-3.md".to_owned(),
            text: self.handoff.clone(),
            secret: &secret,
        };
        let position = PositionNote::of(&forest, viewer);
        let next = NextAction::of(&forest, viewer);
        let tree = TaskTree::of(&forest, viewer);
        let all: [&dyn Fragment; 11] = [
            &identity, &position, &next, &tree, &skill, &inbox, &plan, &handoff, &skills,
            &activity, &Guide,
        ];
        if self.skill_only { then(&[&identity, &skill]) } else { then(&all) }
    }
}

fn section(level: u8, title: &str, text: &str) -> Section {
    let marks = "#".repeat(usize::from(level));
    let heading = if level > 0 { format!("{marks} {title}\n\n") } else { String::new() };
    Section { title: title.to_owned(), level, text: format!("{heading}{text}\n\n") }
}
