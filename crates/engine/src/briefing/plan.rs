//! The sections of a plan that matter for the current task.

use std::path::Path;

use pacenote_context::{
    escape::InstallSecret,
    fragments::{PlanExcerpt, PlanText},
    plan_sections::{PlanSection, PlanTopic, plan_sections},
};
use pacenote_files::{Bytes, Links, read_text};
use pacenote_model::{Forest, PlanPlace, TaskState, Trust, limits, task::PlanFile};

use super::without_secrets_in_titles;

/// What a plan says about the current task.
pub(super) struct PlanNote {
    file: PlanFile,
    text: PlanText,
    trust: Trust,
}

impl PlanNote {
    /// Returns the excerpt for the one who works on the task, who needs no title to know the plan by.
    pub(super) fn fragment<'a>(&'a self, secret: &'a InstallSecret) -> PlanExcerpt<'a> {
        self.excerpt(secret, self.text.clone())
    }

    /// Reports whether the section of the task is in it.
    pub(super) fn has_section(&self) -> bool {
        match &self.text {
            PlanText::Sections(parts) => parts.iter().any(|part| part.topic == PlanTopic::Own),
            PlanText::Unreadable => false,
        }
    }

    fn excerpt<'a>(&'a self, secret: &'a InstallSecret, text: PlanText) -> PlanExcerpt<'a> {
        PlanExcerpt { file: &self.file, text, trust: self.trust, secret }
    }
}

/// Reads the plan of a task; a file that is gone is reported as such.
pub(super) fn read(root: &Path, place: &PlanPlace, forest: &Forest<'_>) -> PlanNote {
    // A step is part of the section of its task.
    let section = place.section.as_ref().and_then(|section| section.as_str().split('/').next());
    let note = read_parts(root, place, section, forest);
    let PlanText::Sections(mut parts) = note.text else { return note };
    parts.retain(|part| part.topic != PlanTopic::Title);
    PlanNote { text: PlanText::Sections(parts), ..note }
}

/// Reads what a plan is for: its title and its goal.
pub(super) fn read_goal(root: &Path, place: &PlanPlace, forest: &Forest<'_>) -> PlanNote {
    let note = read_parts(root, place, None, forest);
    let PlanText::Sections(parts) = &note.text else { return note };
    let parts = keep(parts, &[PlanTopic::Title, PlanTopic::Goal]);
    PlanNote { text: PlanText::Sections(parts), ..note }
}

fn read_parts(root: &Path, place: &PlanPlace, task: Option<&str>, forest: &Forest<'_>) -> PlanNote {
    let path = root.join(place.file.as_str());
    let is_inside = path.starts_with(root);
    // A file of the repository is believed like the repository, one from elsewhere not at all.
    let trust = if is_inside { Trust::Project } else { Trust::Foreign };
    let cap = Bytes::new(limits::PLAN_BYTES);
    let text = match read_text(&path, cap, Links::Refuse) {
        Ok(markdown) => {
            let parts = plan_sections(&markdown, task, &|step| is_done(forest, place, step));
            PlanText::Sections(without_secret_titles(parts))
        }
        Err(_) => PlanText::Unreadable,
    };
    PlanNote { file: place.file.clone(), text, trust }
}

fn keep(parts: &[PlanSection], topics: &[PlanTopic]) -> Vec<PlanSection> {
    parts.iter().filter(|part| topics.contains(&part.topic)).cloned().collect()
}

fn without_secret_titles(parts: Vec<PlanSection>) -> Vec<PlanSection> {
    let (topics, sections): (Vec<_>, Vec<_>) =
        parts.into_iter().map(|part| (part.topic, part.section)).unzip();
    let sections = without_secrets_in_titles(sections).into_iter();
    topics
        .into_iter()
        .zip(sections)
        .map(|(topic, section)| PlanSection { topic, section })
        .collect()
}

/// Reports whether the step of a plan with this section is done.
fn is_done(forest: &Forest<'_>, place: &PlanPlace, step: &str) -> bool {
    forest.walk().into_iter().any(|(_, task)| {
        let of_step = task.plan.as_ref().filter(|plan| plan.file == place.file);
        let section = of_step.and_then(|plan| plan.section.as_ref());
        task.state == TaskState::Done && section.is_some_and(|section| section.as_str() == step)
    })
}
