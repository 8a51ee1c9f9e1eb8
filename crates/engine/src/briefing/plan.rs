//! The sections of a plan that matter for the current task.

use std::path::Path;

use pacenote_context::{
    cut,
    escape::InstallSecret,
    fragments::{PlanExcerpt, PlanText, Section},
    leaders, tick,
};
use pacenote_files::{Bytes, Links, read_text};
use pacenote_model::{Forest, PlanPlace, TaskState, Trust, limits, task::PlanFile};
use pacenote_skill::section::sections;

use super::without_secrets_in_titles;

/// Headings of sections that every task of a plan needs, by how they begin.
const FOR_ALL: [&str; 5] =
    ["goal", "architecture", "global constraints", "constraints", "conventions"];

/// The level under which the section of the current task is kept: that of tasks in plans.
const OWN_LEVEL: u8 = 3;

/// What a plan says about the current task.
pub(super) struct PlanNote {
    file: PlanFile,
    text: PlanText,
    trust: Trust,
}

impl PlanNote {
    /// Returns the excerpt for the one who works on the task.
    pub(super) fn fragment<'a>(&'a self, secret: &'a InstallSecret) -> PlanExcerpt<'a> {
        let (file, text) = (&self.file, self.text.clone());
        PlanExcerpt { file, text, trust: self.trust, secret }
    }
}

/// Reads the plan of a task; a file that is gone is told as such.
pub(super) fn read(root: &Path, place: &PlanPlace, forest: &Forest<'_>) -> PlanNote {
    let path = root.join(place.file.as_str());
    let is_inside = path.starts_with(root);
    // A file of the repository is believed like the repository, one from elsewhere not at all.
    let trust = if is_inside { Trust::Project } else { Trust::Foreign };
    let cap = Bytes::new(limits::PLAN_BYTES);
    let text = match read_text(&path, cap, Links::Refuse) {
        Ok(markdown) => {
            PlanText::Sections(without_secrets_in_titles(choose(&markdown, place, forest)))
        }
        Err(_) => PlanText::Unreadable,
    };
    PlanNote { file: place.file.clone(), text, trust }
}

/// Reads what a plan is for: its title and its goal.
pub(super) fn read_goal(root: &Path, place: &PlanPlace, forest: &Forest<'_>) -> PlanNote {
    let place = PlanPlace { section: None, ..place.clone() };
    let note = read(root, &place, forest);
    let PlanText::Sections(sections) = note.text else { return note };
    let is_goal = |one: &Section| one.title.trim().to_lowercase().starts_with("goal");
    PlanNote { text: PlanText::Sections(sections.into_iter().filter(is_goal).collect()), ..note }
}

/// Chooses what every task of the plan has to know, and the section of this one.
fn choose(markdown: &str, place: &PlanPlace, forest: &Forest<'_>) -> Vec<Section> {
    let head = leaders(markdown).into_iter().map(|(title, text)| Section { title, level: 2, text });
    let all = sections(markdown);
    // What stands below a deeper heading is another section: the tasks follow the goal.
    let starts = all.iter().skip(1).map(|section| section.bytes.start);
    let ends: Vec<usize> = starts.chain([markdown.len()]).collect();
    let for_all = all.into_iter().zip(ends).filter(|(section, _)| is_for_all(&section.title));
    let for_all = for_all.map(|(section, end)| Section {
        text: without_rule(markdown.get(section.bytes.start..end).unwrap_or_default()),
        title: section.title,
        level: section.level,
    });
    let mut found: Vec<Section> = head.chain(for_all).collect();
    let own = place.section.as_ref().and_then(|section| {
        // A step is part of the section of its task.
        let task = section.as_str().split('/').next()?;
        let text = tick(&without_rule(cut(markdown, task)?), &|step| is_done(forest, place, step));
        Some(Section { title: task.to_owned(), level: OWN_LEVEL, text })
    });
    found.extend(own);
    found
}

/// Reports whether the step of a plan with this section is done.
fn is_done(forest: &Forest<'_>, place: &PlanPlace, step: &str) -> bool {
    forest.walk().into_iter().any(|(_, task)| {
        let of_step = task.plan.as_ref().filter(|plan| plan.file == place.file);
        let section = of_step.and_then(|plan| plan.section.as_ref());
        task.state == TaskState::Done && section.is_some_and(|section| section.as_str() == step)
    })
}

/// Returns a text without the line that separates it from what follows.
fn without_rule(text: &str) -> String {
    let text = text.trim_end();
    text.strip_suffix("---").unwrap_or(text).trim_end().to_owned()
}

fn is_for_all(title: &str) -> bool {
    let title = title.trim().to_lowercase();
    FOR_ALL.iter().any(|known| title.starts_with(known))
}
