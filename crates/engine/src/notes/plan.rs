//! The sections of a plan that matter for the current task.

use std::path::Path;

use pacenote_context::{
    cut,
    fragments::{PlanText, Section},
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
pub(crate) struct PlanNote {
    pub(crate) file: PlanFile,
    pub(super) text: PlanText,
    pub(crate) trust: Trust,
}

impl PlanNote {
    /// Returns the section about the current task, as it stands in the file.
    pub(crate) fn of_task(&self) -> Option<&str> {
        let last = self.sections()?.last()?;
        (last.level == OWN_LEVEL).then_some(last.text.as_str())
    }

    /// Returns what the plan is to achieve.
    pub(super) fn goal(&self) -> Option<&str> {
        let mut sections = self.sections()?.iter();
        let goal = sections.find(|section| section.title.trim().to_lowercase().starts_with("goal"));
        goal.map(|section| section.text.as_str())
    }

    /// Returns the sections, if the file could be read.
    pub(crate) fn sections(&self) -> Option<&[Section]> {
        match &self.text {
            PlanText::Sections(sections) => Some(sections),
            PlanText::Unreadable => None,
        }
    }
}

/// Reads the plan of a task; a file that is gone is told as such.
pub(crate) fn read(root: &Path, place: &PlanPlace) -> PlanNote {
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
