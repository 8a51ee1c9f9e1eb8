//! A category whose checks are being collected.

use super::{
    super::{
        lines::{Lines, parts},
        severity::{self, Severities},
        text::line,
    },
    CHECKS, FocusArea, Reach, Site,
    announced::Announced,
};

/// A category whose checks are being collected.
pub(super) struct Draft {
    name: String,
    pub(super) severities: Option<Severities>,
    /// Severities that its own sentences and checks mention.
    mentioned: Option<Severities>,
    pub(super) checks: Lines,
    /// What its own sentences say, for want of a list.
    prose: Vec<String>,
    pub(super) opened_by: OpenedBy,
    pub(super) site: Site,
}

/// What announced a category, which says where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenedBy {
    Heading(u8),
    Paragraph,
    Item(u8),
}

impl Draft {
    pub(super) fn new(announced: &Announced<'_>, opened_by: OpenedBy, site: Site) -> Self {
        let mut draft = Self {
            name: announced.name.to_owned(),
            severities: announced.severities,
            mentioned: None,
            checks: Lines::new(CHECKS),
            prose: Vec::new(),
            opened_by,
            site,
        };
        draft.add_prose(announced.rest);
        draft
    }

    /// Tells whether nothing has been said below what announced it.
    pub(super) fn is_bare(&self) -> bool {
        self.checks.is_empty() && self.prose.is_empty()
    }

    /// Notes the severities that a text of the category mentions.
    pub(super) fn mention(&mut self, text: &str) {
        let in_brackets = severity::leading_label(text).map(|label| label.severities);
        let said = severity::joined(in_brackets, severity::mentioned(text));
        self.mentioned = severity::joined(self.mentioned, said);
    }

    /// Adds what sentences say, for want of a list.
    pub(super) fn add_prose(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.mention(text);
        // "Look for:" introduces the list; "Usually Major." says the severity and nothing to check.
        let says_more = |part: &&str| severity::mentioned(part).is_none();
        if !text.ends_with(':') && self.prose.len() < CHECKS {
            self.prose.extend(parts(text).into_iter().filter(says_more).map(line));
            self.prose.truncate(CHECKS);
        }
    }

    /// Ends the category, which is an area if it counts where it stands.
    pub(super) fn into_area(self, reach: Reach) -> Option<FocusArea> {
        let severities = self.severities.or(self.mentioned);
        let checks = if self.checks.is_empty() { self.prose } else { self.checks.into_vec() };
        let counts = match (self.site.in_categories, severities) {
            (false, None) => false,
            (false, Some(_)) | (true, None) => reach != Reach::Categories && !checks.is_empty(),
            // A heading that only holds others has no checks of its own.
            (true, Some(_)) => {
                !checks.is_empty() || !matches!(self.opened_by, OpenedBy::Heading(_))
            }
        };
        counts.then(|| FocusArea {
            name: self.name,
            severity: severities.map(|severities| severities.highest),
            severity_range: severities
                .filter(|severities| severities.lowest != severities.highest)
                .map(|severities| [severities.lowest, severities.highest]),
            checks,
        })
    }
}
