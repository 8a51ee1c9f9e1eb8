//! What kind of skill it is, and which agent it is for.

use serde::Serialize;

use super::area::{FocusArea, Reach};
use crate::{fields::Agent, key::derive_key, skill::Skill};

/// What kind of skill it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It says what to look for; its focus areas go to its own agent.
    Review,
    /// It starts commands, and is not handed to agents.
    Command,
    /// It says how to work; it goes to every agent.
    Methodology,
}

/// The review skills everybody knows by name: what they are, and whose.
const KNOWN: [(&str, Kind, Option<&str>); 7] = [
    ("reviewing-architecture-principles", Kind::Review, Some("architecture-agent")),
    ("reviewing-bugs", Kind::Review, Some("bug-detection-agent")),
    ("reviewing-compliance", Kind::Review, Some("compliance-agent")),
    ("reviewing-documentation", Kind::Command, None),
    ("reviewing-performance", Kind::Review, Some("performance-agent")),
    ("reviewing-security", Kind::Review, Some("security-agent")),
    ("reviewing-technical-debt", Kind::Review, Some("technical-debt-agent")),
];

/// Words of a key that say a skill reviews.
const REVIEWING: [&str; 6] = ["review", "reviewing", "reviewer", "audit", "auditing", "auditor"];

/// What the frontmatter and the name say about the kind, before the body is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    /// The kind, where it is said outright.
    told: Option<Kind>,
    known_agent: Option<&'static str>,
    named_agent: Option<String>,
    sounds_like_review: bool,
    /// The key without a plugin's name before it.
    pub(super) subject: String,
}

impl Standing {
    pub(super) fn of(skill: &Skill) -> Self {
        let name = skill.name.as_str();
        let own = derive_key(name.rsplit([':', '/']).next().unwrap_or(name));
        let subject = own.as_str().to_owned();
        let known = KNOWN.iter().find(|(key, ..)| *key == subject);
        let fields = [skill.fields.kind.as_deref(), skill.fields.category.as_deref()];
        let said = fields.into_iter().flatten().find_map(Kind::said);
        let named_agent = match &skill.fields.agent {
            Some(Agent::Named(agent)) => Some(agent.clone()),
            Some(Agent::Is(_)) | None => None,
        };
        Self {
            told: said.or(known.map(|(_, kind, _)| *kind)),
            known_agent: known.and_then(|(_, _, agent)| *agent),
            named_agent,
            sounds_like_review: subject.split('-').any(|word| REVIEWING.contains(&word)),
            subject,
        }
    }

    /// Returns where in the body an announcement counts as a category.
    pub(super) const fn reach(&self) -> Reach {
        match self.told {
            Some(Kind::Review | Kind::Command) => Reach::Everywhere,
            None if self.sounds_like_review => Reach::Likely,
            Some(Kind::Methodology) | None => Reach::Categories,
        }
    }

    /// Tells whether the skill says how to work.
    ///
    /// One that is said to review does not: its workflow is about the review as a whole, which the
    /// orchestrator runs. Where reviewing is only a guess, both are given.
    pub(super) fn has_methodology(&self) -> bool {
        self.told != Some(Kind::Review)
    }

    /// Decides the kind: what is said, or else whether there is anything to look for.
    pub(super) fn kind(&self, areas: &[FocusArea]) -> Kind {
        let guessed = if areas.is_empty() { Kind::Methodology } else { Kind::Review };
        self.told.unwrap_or(guessed)
    }

    /// Returns the agent of a review skill: the known one, or that of its frontmatter.
    ///
    /// A review skill without one belongs to every agent, as a methodology does.
    pub(super) fn primary_agent(&self, kind: Kind) -> Option<String> {
        match kind {
            Kind::Review => {
                self.known_agent.map(str::to_owned).or_else(|| self.named_agent.clone())
            }
            Kind::Command | Kind::Methodology => None,
        }
    }
}

impl Kind {
    fn said(word: &str) -> Option<Self> {
        match word.trim().to_lowercase().as_str() {
            "review" => Some(Self::Review),
            "command" => Some(Self::Command),
            "methodology" => Some(Self::Methodology),
            _ => None,
        }
    }
}
