//! What a subagent needs for its role, and nothing more.
//!
//! An explorer knows from its prompt what to look for; whatever else it is told costs as much as it
//! finds. An implementer and a reviewer need their task as the plan says it, the others the place
//! in the work. What the orchestrator said is quoted only where the caller hands it over: usually it
//! is the subagent's prompt already.

use pacenote_model::{SkillRef, Task, Trust};

use super::{
    Section, relevance,
    section::{items_of, naming, told},
};
use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, TagName},
    fragment::{Choice, Fragment, Frame, Item, ItemId, Kind},
    role::Role,
    wording::one_line,
};

/// Longest sentence about the position, in characters: it quotes two titles.
const POSITION_CHARACTERS: usize = 800;

/// What a subagent needs.
#[derive(Clone, Copy, Debug)]
pub struct RoleBriefing<'a> {
    /// What it is there for.
    pub role: Role,
    /// The task it was given.
    pub task: Option<&'a Task>,
    /// The section of the plan about that task, as it stands in the file.
    pub task_text: Option<&'a str>,
    /// What the plan is to achieve.
    pub goal: Option<&'a str>,
    /// How far the plan may be believed.
    pub plan_trust: Trust,
    /// Where the work stands, in one sentence.
    pub position: &'a str,
    /// The skill for the task.
    pub skill: Option<&'a RoleSkill>,
    /// What the orchestrator said, unless the subagent has it as its prompt.
    pub prompt: Option<&'a str>,
    /// What the fences are made with.
    pub secret: &'a InstallSecret,
}

/// A skill for a role.
#[derive(Clone, Debug)]
pub struct RoleSkill {
    /// The name by which it is asked for.
    pub reference: SkillRef,
    /// Its body, in order.
    pub sections: Vec<Section>,
    /// How far it may be believed.
    pub trust: Trust,
}

/// One thing a subagent is told. The order is the order of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'a> {
    Position(&'a str),
    Task(&'a Task),
    Goal(&'a str),
    TaskText(&'a str),
    Instructions(Role),
    Reporting(&'a Task),
    Prompt(&'a str),
}

impl Part<'_> {
    const fn name(self) -> &'static str {
        match self {
            Self::Position(_) => "position",
            Self::Task(_) => "task",
            Self::Goal(_) => "goal",
            Self::TaskText(_) => "plan",
            Self::Instructions(_) => "instructions",
            Self::Reporting(_) => "reporting",
            Self::Prompt(_) => "prompt",
        }
    }

    /// Returns how much it matters; every section of a skill matters less.
    const fn score(self) -> u32 {
        let below = match self {
            Self::Position(_) | Self::Task(_) => 0,
            Self::Instructions(_) | Self::Reporting(_) => 1,
            Self::TaskText(_) => 2,
            Self::Prompt(_) | Self::Goal(_) => 3,
        };
        u32::MAX - below
    }
}

impl<'a> RoleBriefing<'a> {
    fn parts(&self) -> Vec<Part<'a>> {
        let position = Some(Part::Position(self.position));
        let task = self.task.map(Part::Task);
        let task_text = self.task_text.map(Part::TaskText);
        let goal = self.goal.map(Part::Goal);
        let prompt = self.prompt.map(Part::Prompt);
        let parts: [Option<Part<'_>>; 4] = match self.role {
            Role::Explorer => return Vec::new(),
            // Without a task there is none to report about: then it is told how to work instead.
            Role::Implementer => {
                let how = self.task.map_or(Part::Instructions(self.role), Part::Reporting);
                [task, task_text, Some(how), prompt]
            }
            Role::Reviewer => [task, task_text, Some(Part::Instructions(self.role)), prompt],
            Role::Planner | Role::Writer => [position, goal, prompt, None],
            Role::Other => [position, prompt, None, None],
        };
        parts.into_iter().flatten().collect()
    }

    fn skill(&self) -> Option<&'a RoleSkill> {
        match self.role {
            Role::Implementer => self.skill,
            Role::Explorer | Role::Reviewer | Role::Planner | Role::Writer | Role::Other => None,
        }
    }

    fn text(&self, part: Part<'_>) -> Escaped {
        match part {
            Part::Position(sentence) => Escaped::text(&one_line(sentence, POSITION_CHARACTERS)),
            Part::Task(task) => {
                let verb = match self.role {
                    Role::Reviewer => "Review",
                    Role::Explorer
                    | Role::Implementer
                    | Role::Planner
                    | Role::Writer
                    | Role::Other => "Your task is",
                };
                Escaped::text(&format!("{verb} {} \"{}\".", task.short, task.title))
            }
            Part::TaskText(text) => Escaped::body(text, self.plan_trust),
            Part::Goal(text) => {
                let body = Escaped::body(text, self.plan_trust);
                Escaped::text("The plan is to achieve:").then("\n", &body)
            }
            Part::Instructions(role) => {
                let lines = role.instructions().iter().map(|line| format!("- {line}"));
                Escaped::text(&lines.collect::<Vec<_>>().join("\n"))
            }
            Part::Reporting(task) => {
                let id = &task.short;
                Escaped::text(&format!(
                    "Write down what others must know: `pacenote task note {id} \"TEXT\"`. If you \
                     cannot go on: `pacenote task block {id} \"WHY\"`. Closing the task is left to \
                     whoever gave it to you: report what changed and which tests ran."
                ))
            }
            Part::Prompt(text) => self.quoted(text),
        }
    }

    fn quoted(&self, text: &str) -> Escaped {
        let trust = Trust::Agent;
        let body = Escaped::body(text, trust);
        if body.as_str().trim().is_empty() {
            return Escaped::default();
        }
        Frame::of_passages(TagName::Message)
            .with("from", "orchestrator")
            .fenced(Fence::new(self.secret, &digest_of([text])), trust)
            .around(trust, [&body])
    }

    /// Returns what the fence is the fence of.
    fn fenced_texts(&self) -> Vec<&'a str> {
        let plan = self.task_text.into_iter().chain(self.goal);
        let skill = self.skill().into_iter().flat_map(|skill| &skill.sections);
        plan.chain(skill.map(|section| section.text.as_str())).collect()
    }

    fn task_words(&self) -> &'a str {
        self.task.map_or("", |task| task.title.as_str())
    }
}

impl Fragment for RoleBriefing<'_> {
    fn kind(&self) -> Kind {
        Kind::Role
    }

    fn trust(&self) -> Trust {
        let parts = self.parts().into_iter().map(|part| match part {
            Part::Position(_) | Part::Task(_) | Part::Prompt(_) => Trust::Agent,
            Part::Goal(_) | Part::TaskText(_) => self.plan_trust,
            Part::Instructions(_) | Part::Reporting(_) => Trust::System,
        });
        let skill = self.skill().map(|skill| skill.trust);
        parts.chain(skill).min().unwrap_or(Trust::System)
    }

    fn reason(&self) -> String {
        format!("a subagent begins as {}", self.role)
    }

    fn frame(&self) -> Frame {
        let frame = Frame::of_passages(TagName::Role).with("as", self.role.word());
        let digest = digest_of(self.fenced_texts());
        frame.fenced(Fence::new(self.secret, &digest), self.trust())
    }

    fn items(&self) -> Vec<Item> {
        let parts = self.parts().into_iter().map(|part| Item {
            id: ItemId::of(Kind::Role, part.name()),
            label: String::new(),
            text: self.text(part),
        });
        let skill = self.skill().map(|skill| {
            let name = format!("skill:{}", skill.reference);
            items_of(Kind::Role, &name, &skill.sections, skill.trust)
        });
        parts.chain(skill.into_iter().flatten()).collect()
    }

    fn scores(&self) -> Vec<u32> {
        let parts = self.parts().into_iter().map(Part::score);
        let skill =
            self.skill().map(|skill| relevance::scores(told(&skill.sections), self.task_words()));
        parts.chain(skill.into_iter().flatten()).collect()
    }

    fn choice(&self) -> Choice {
        Choice::Any
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        let is_section = |item: &&&Item| item.id.as_str().starts_with("role:skill:");
        let sections: Vec<&Item> = left_out.iter().filter(is_section).copied().collect();
        let has_others = left_out.len() > sections.len();
        let task = self
            .task
            .filter(|_| has_others)
            .map(|task| format!("More about the task: `pacenote task show {}`.", task.short));
        let skill = self.skill().filter(|_| !sections.is_empty()).map(|skill| {
            let name = &skill.reference;
            format!("Skill {name}, {}: `pacenote skill show {name}`.", naming(&sections))
        });
        let sentences: Vec<String> = task.into_iter().chain(skill).collect();
        (!sentences.is_empty()).then(|| Escaped::text(&sentences.join(" ")))
    }
}

#[cfg(test)]
mod tests;
