//! The sections of a plan that matter for the current task.

use std::path::Path;

use pacenote_context::{
    cut,
    escape::InstallSecret,
    fragments::{PlanExcerpt, PlanText, Section},
};
use pacenote_files::{Bytes, Links, read_text};
use pacenote_model::{PlanPlace, Trust, limits, task::PlanFile};
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

    /// Returns the excerpt for somebody who only has to know what the plan is to achieve.
    pub(super) fn goal_fragment<'a>(
        &'a self,
        secret: &'a InstallSecret,
    ) -> Option<PlanExcerpt<'a>> {
        let PlanText::Sections(sections) = &self.text else { return None };
        let is_goal = |one: &&Section| one.title.trim().to_lowercase().starts_with("goal");
        let goal: Vec<Section> = sections.iter().filter(is_goal).cloned().collect();
        let text = PlanText::Sections(goal);
        Some(PlanExcerpt { file: &self.file, text, trust: self.trust, secret })
    }
}

/// Reads the plan of a task; a file that is gone is told as such.
pub(super) fn read(root: &Path, place: &PlanPlace) -> PlanNote {
    let path = root.join(place.file.as_str());
    let is_inside = path.starts_with(root);
    // A file of the repository is believed like the repository, one from elsewhere not at all.
    let trust = if is_inside { Trust::Project } else { Trust::Foreign };
    let cap = Bytes::new(limits::PLAN_BYTES);
    let text = match read_text(&path, cap, Links::Refuse) {
        Ok(markdown) => PlanText::Sections(without_secrets_in_titles(chosen(&markdown, place))),
        Err(_) => PlanText::Unreadable,
    };
    PlanNote { file: place.file.clone(), text, trust }
}

fn chosen(markdown: &str, place: &PlanPlace) -> Vec<Section> {
    let all = sections(markdown);
    // What stands below a deeper heading is another section: the tasks follow the goal.
    let starts = all.iter().skip(1).map(|section| section.bytes.start);
    let ends: Vec<usize> = starts.chain([markdown.len()]).collect();
    let mut found: Vec<Section> = all
        .into_iter()
        .zip(ends)
        .filter(|(section, _)| is_for_all(&section.title))
        .map(|(section, end)| Section {
            text: markdown.get(section.bytes.start..end).unwrap_or_default().to_owned(),
            title: section.title,
            level: section.level,
        })
        .collect();
    let own = place.section.as_ref().and_then(|section| {
        let text = cut(markdown, section.as_str())?;
        Some(Section { title: section.to_string(), level: OWN_LEVEL, text: text.to_owned() })
    });
    found.extend(own);
    found
}

fn is_for_all(title: &str) -> bool {
    let title = title.trim().to_lowercase();
    FOR_ALL.iter().any(|known| title.starts_with(known))
}
