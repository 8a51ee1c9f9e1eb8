//! Who the reader is and where it works: facts that stay the same while the session lasts.

use pacenote_model::{AgentName, Branch, Number, Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    role::ORCHESTRATOR,
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "identity",
    shape: Shape::Line,
    heading: "",
    is_quoted: false,
    cap: limits::SENTENCE_TOKENS,
    // Without it the rest is of no use: what it needs, it gets.
    share: Share { percent: 3, floor: limits::SENTENCE_TOKENS },
    again: Again::Never,
    is_first: true,
};

/// Longest role shown, in characters: it is a title, not a job description.
const ROLE_CHARACTERS: usize = 120;

/// Longest project name shown, in characters: it is a directory's name and only a reminder.
const PROJECT_CHARACTERS: usize = 80;

/// Who the reader is.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The agent's name, when it has one.
    pub agent: Option<AgentName>,
    /// What it is there for, such as `spec reviewer`.
    pub role: Option<String>,
    /// The project's name.
    pub project: String,
    /// The branch that is checked out.
    pub branch: Option<Branch>,
    /// The agent whose work it continues, because that one's session is over.
    pub continues: Option<AgentName>,
    /// Whether it is a subagent of that agent.
    pub is_subagent: bool,
    /// The short id of its session; `None` on a page, which is read anywhere.
    pub short: Option<String>,
    /// The number of its session, once the store has given it one.
    pub session: Option<Number>,
}

impl Identity {
    fn sentence(&self) -> String {
        let role = self.role.as_deref().map(|role| one_line(role, ROLE_CHARACTERS));
        let role = role.filter(|role| !role.is_empty());
        let is_orchestrator =
            role.as_deref() == Some(ORCHESTRATOR) && self.agent.is_some() && !self.is_subagent;
        let who = match (&self.agent, role) {
            (Some(agent), _) if self.is_subagent => format!("You are a subagent of @{agent}"),
            (Some(agent), Some(_)) if is_orchestrator => {
                format!("You are @{agent}, the {ORCHESTRATOR} for this project")
            }
            (Some(agent), Some(role)) => format!("You are @{agent} ({role})"),
            (Some(agent), None) => format!("You are @{agent}"),
            (None, Some(role)) => format!("You work as {role}"),
            (None, None) => "You work".to_owned(),
        };
        let project = one_line(&self.project, PROJECT_CHARACTERS);
        let branch = self.branch.as_ref().map(|branch| format!(" on branch {branch}"));
        let session = match (self.short.as_deref(), self.session) {
            (Some(short), Some(number)) => format!(", session {short} ({number})"),
            (Some(short), None) => format!(", session {short}"),
            (None, Some(number)) => format!(", session {number}"),
            (None, None) => String::new(),
        };
        let continues = self.continues.as_ref();
        let continues = continues
            .map(|name| format!(" You continue the work of @{name}, whose session is over."));
        let (branch, continues) = (branch.unwrap_or_default(), continues.unwrap_or_default());
        if is_orchestrator {
            return format!("{who}. Project: {project}{branch}{session}.{continues}");
        }
        format!("{who} in project {project}{branch}{session}.{continues}")
    }
}

impl Fragment for Identity {
    fn kind(&self) -> FragmentKind {
        FragmentKind::IDENTITY
    }

    fn trust(&self) -> Trust {
        Trust::System
    }

    fn reason(&self) -> String {
        "every briefing says whom it is for".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::IDENTITY.tag())
    }

    fn items(&self) -> Vec<Item> {
        let text = Escaped::text(&self.sentence());
        Vec::from([Item { id: ItemId::only(FragmentKind::IDENTITY), label: String::new(), text }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::agent;

    #[test]
    fn a_sentence_leaves_out_what_is_not_known() {
        let nobody = Identity {
            agent: None,
            role: None,
            project: "shop".to_owned(),
            branch: None,
            continues: None,
            is_subagent: false,
            short: Some("s-45a5".to_owned()),
            session: None,
        };
        assert_eq!(nobody.sentence(), "You work in project shop, session s-45a5.");
        let known = Identity {
            agent: Some(agent("backend")),
            branch: Branch::parse("feature/login").ok(),
            session: Some(Number::new(4)),
            ..nobody.clone()
        };
        assert_eq!(
            known.sentence(),
            "You are @backend in project shop on branch feature/login, session s-45a5 (#4)."
        );
        let subagent = Identity { is_subagent: true, short: None, session: None, ..known.clone() };
        assert_eq!(
            subagent.sentence(),
            "You are a subagent of @backend in project shop on branch feature/login."
        );
        let role = |text: &str| Some(text.to_owned());
        let orchestrator = Identity { role: role("orchestrator"), ..known.clone() };
        assert_eq!(
            orchestrator.sentence(),
            "You are @backend, the orchestrator for this project. Project: shop on branch \
             feature/login, session s-45a5 (#4)."
        );
        let reviewer = Identity { role: role("spec\nreviewer"), ..known };
        assert_eq!(
            reviewer.sentence(),
            "You are @backend (spec reviewer) in project shop on branch feature/login, \
             session s-45a5 (#4)."
        );
        let nameless = Identity { role: role("spec reviewer"), ..nobody };
        assert_eq!(
            nameless.sentence(),
            "You work as spec reviewer in project shop, session s-45a5."
        );
    }
}
