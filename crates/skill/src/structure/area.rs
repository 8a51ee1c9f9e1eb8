//! What a review skill looks for: categories with a severity and their checks.
//!
//! A category is announced by a heading, by bold words that begin a paragraph, or by a list item.
//! Outside a section about what is checked, such an announcement counts only in a skill that is
//! known to review, with a severity and with checks below it: elsewhere "(Critical)" behind a title
//! means "important". Tables announce nothing.

mod announced;
mod draft;

use serde::Serialize;

use super::{
    block::Shape,
    remark::Tally,
    severity::Severity,
    text::Text,
    topic::{Placed, Topic},
};
use announced::Announced;
use draft::{Draft, OpenedBy};

/// Most areas of one skill; the largest real one has twelve.
const AREAS: usize = 100;

/// Most checks of one area: more than that no reviewer keeps in mind.
const CHECKS: usize = 100;

/// Something a review looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FocusArea {
    pub name: String,
    /// How grave its findings are, the higher end of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// Both ends of a range, the lower first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity_range: Option<[Severity; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
}

/// Where announcements count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The skill is known to review: everywhere, and without a severity where checks are listed.
    Everywhere,
    /// The skill sounds as if it reviews: as before, yet beside what is checked only as a scale.
    ///
    /// One "(Critical)" behind a title may mean "important"; two different words are a scale.
    Likely,
    /// In sections about what is checked, with a severity.
    Categories,
}

/// Returns what the skill looks for, in order.
pub(super) fn focus_areas(
    placed: &[Placed<'_>],
    reach: Reach,
    tally: &mut Tally<'_>,
) -> Vec<FocusArea> {
    let mut finder = Finder { reach, open: Vec::new(), areas: Vec::new(), section: None };
    for placed in placed {
        finder.take(placed);
        if finder.areas.len() > AREAS {
            tally.too_many("focus areas", AREAS, placed.block.line);
            break;
        }
    }
    finder.close_all();
    let mut found = finder.areas;
    // A heading's area ends after those below it; the order is that of their beginnings.
    found.sort_by_key(|found| found.site.line);
    if reach == Reach::Likely && !is_scale(&found) {
        found.retain(|found| found.site.in_categories);
    }
    found.truncate(AREAS);
    for Found { site, .. } in found.iter().filter(|found| found.is_cut) {
        tally.too_many("checks of one focus area", CHECKS, site.line);
    }
    found.into_iter().map(|found| found.area).collect()
}

/// Where a block stands.
#[derive(Clone, Copy)]
struct Site {
    /// Whether its section is about what is checked.
    in_categories: bool,
    line: usize,
}

/// The heading of a section about what is checked.
#[derive(Clone)]
struct Section {
    title: String,
    level: u8,
    line: usize,
}

/// An area, where it begins and whether checks were left out.
struct Found {
    area: FocusArea,
    site: Site,
    is_cut: bool,
}

/// Tells whether different severities are used outside of what is checked.
fn is_scale(found: &[Found]) -> bool {
    let outside = found.iter().filter(|found| !found.site.in_categories);
    let mut severities = outside.map(|found| found.area.severity);
    let first = severities.next();
    severities.any(|severity| Some(severity) != first)
}

struct Finder {
    reach: Reach,
    /// The drafts around: a heading's, and below it a paragraph's or an item's.
    open: Vec<Draft>,
    areas: Vec<Found>,
    /// The section about what is checked.
    section: Option<Section>,
}

impl Finder {
    fn take(&mut self, placed: &Placed<'_>) {
        let Placed { block, topic, names_topic } = placed;
        let site = Site { in_categories: *topic == Topic::Categories, line: block.line };
        let text = &block.text;
        if let Shape::Heading(level) = block.shape {
            self.close_to(level);
            if *names_topic {
                let title = announced::cleaned(text.as_str()).to_owned();
                let section = Section { title, level, line: block.line };
                self.section = site.in_categories.then_some(section);
            }
        }
        if topic.is_left_out() || topic.is_beside_categories() {
            return;
        }
        match block.shape {
            Shape::Heading(level) => {
                let announced = if site.in_categories && !*names_topic {
                    announced::by_title(text.as_str())
                } else {
                    announced::by_label(text.as_str())
                };
                let draft =
                    announced.map(|found| Draft::new(&found, OpenedBy::Heading(level), site));
                self.open.extend(draft);
            }
            Shape::Paragraph { depth: 0 } => self.paragraph(text, site),
            Shape::Paragraph { .. } => self.continued(text),
            Shape::Item { depth, .. } => self.item(text, depth, site),
            Shape::Table(_) => {}
        }
    }

    fn paragraph(&mut self, text: &Text, site: Site) {
        let announced = announced::in_bold(text).filter(|found| self.counts(found, site));
        if let Some(announced) = announced {
            self.close_below_heading();
            self.open.push(Draft::new(&announced, OpenedBy::Paragraph, site));
            return;
        }
        // Prose below bold words belongs to them until their list has begun.
        let waits = |draft: &Draft| draft.opened_by == OpenedBy::Paragraph && draft.is_bare();
        if !self.open.last().is_some_and(waits) {
            self.close_below_heading();
        }
        if let Some(draft) = self.open.last_mut() {
            draft.checks.end_list();
            draft.add_prose(text.as_str());
        } else if site.in_categories {
            for announced in announced::enumerated(text.as_str()) {
                self.open.push(Draft::new(&announced, OpenedBy::Paragraph, site));
                self.close_below_heading();
            }
        }
    }

    /// A further paragraph of an item explains it.
    fn continued(&mut self, text: &Text) {
        if let Some(draft) = self.open.last_mut() {
            draft.mention(text.as_str());
        }
    }

    fn item(&mut self, text: &Text, depth: u8, site: Site) {
        self.close_items(depth);
        if let Some(announced) = self.announced_by_item(text, site) {
            self.open.push(Draft::new(&announced, OpenedBy::Item(depth), site));
            return;
        }
        if self.open.is_empty() && site.in_categories && self.reach != Reach::Categories {
            self.open_section(site);
        }
        if let Some(draft) = self.open.last_mut() {
            draft.mention(text.as_str());
            draft.checks.add(depth, text.as_str());
        }
    }

    /// Reads an item as a category, unless the one around it takes the item for a check.
    fn announced_by_item<'t>(&self, text: &'t Text, site: Site) -> Option<Announced<'t>> {
        let announced = match self.open.last() {
            Some(draft) => {
                let is_check = |found: &Announced<'_>| {
                    draft.opened_by == OpenedBy::Paragraph
                        || (draft.severities.is_some() && found.severities.is_none())
                };
                announced::in_bold(text).filter(|found| !is_check(found))
            }
            None => announced::in_bold(text).or_else(|| {
                let plain = announced::plainly(text.as_str());
                plain.filter(|_| site.in_categories)
            }),
        };
        announced.filter(|found| self.counts(found, site))
    }

    /// Opens a category for checks that stand directly below the title of their section.
    fn open_section(&mut self, site: Site) {
        let Some(Section { title, level, line }) = self.section.clone() else { return };
        let announced = Announced::named(&title, None, "");
        let site = Site { line, ..site };
        let draft = announced.map(|found| Draft::new(&found, OpenedBy::Heading(level), site));
        self.open.extend(draft);
    }

    /// Tells whether an announcement in bold counts where it stands.
    fn counts(&self, announced: &Announced<'_>, site: Site) -> bool {
        let is_graded = announced.severities.is_some();
        match self.reach {
            Reach::Everywhere | Reach::Likely => is_graded || site.in_categories,
            Reach::Categories => is_graded && site.in_categories,
        }
    }

    fn close_all(&mut self) {
        self.close_to(1);
    }

    fn close_to(&mut self, level: u8) {
        self.close_while(|opened_by| match opened_by {
            OpenedBy::Heading(own) => own >= level,
            OpenedBy::Paragraph | OpenedBy::Item(_) => true,
        });
    }

    fn close_below_heading(&mut self) {
        self.close_while(|opened_by| !matches!(opened_by, OpenedBy::Heading(_)));
    }

    fn close_items(&mut self, depth: u8) {
        self.close_while(|opened_by| matches!(opened_by, OpenedBy::Item(own) if own >= depth));
    }

    fn close_while(&mut self, closes: impl Fn(OpenedBy) -> bool) {
        while let Some(draft) = self.open.pop_if(|draft| closes(draft.opened_by)) {
            let (site, is_cut) = (draft.site, draft.checks.is_full());
            let area = draft.into_area(self.reach);
            self.areas.extend(area.map(|area| Found { area, site, is_cut }));
        }
    }
}
