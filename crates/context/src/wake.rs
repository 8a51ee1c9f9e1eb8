//! What an agent is told when it is woken, as Markdown that can be printed or sent as mail.
//!
//! The full text is for an agent that lost its context, the short one for one that still has it.
//! Everything is handed over; nothing is read here, and nothing of it is a tag. What others wrote at
//! length is quoted line by line (see `quotation`), so that none of it passes for a heading of ours.

use pacenote_model::{AgentName, Forest, Message, SkillRef, Trust, limits, task::PlanFile};

use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret},
    fold::Folding,
    fragment::{Fragment, needs_fence},
    fragments::{RecentActivity, Section},
    position::{Naming, Position},
    quotation::quoted_within,
    size::Size,
    wording::{counted, one_line},
};

mod next;
mod subagent;
mod verdict;

pub use next::{Incoming, next_after};
pub use subagent::{RoleText, SubagentBriefing, subagent};

// The text may become the body of a message, so all of it together stays below the cap of one
// (`limits::MAIL_BODY_BYTES`). The skill gives way first: a command shows it whole.

/// Largest quotation of a skill, in bytes.
const SKILL_BYTES: usize = 32 * 1024;

/// Largest quotation of a plan, in bytes.
const PLAN_BYTES: usize = 8 * 1024;

/// Largest quotation of a message, in bytes.
const MESSAGE_BYTES: usize = 8 * 1024;

/// Largest task tree, in UTF-16 units of at most three bytes; a larger one is folded.
const TREE_UTF16: usize = 3 * 1024;

/// Most messages that are listed.
const LISTED_MESSAGES: usize = 10;

/// Longest beginning of a message in a list, in characters.
const EXCERPT_CHARACTERS: usize = 120;

/// Longest subject in a list, in characters.
const SUBJECT_CHARACTERS: usize = 100;

/// Longest role, path or reason, in characters.
const PHRASE_CHARACTERS: usize = 200;

/// Longest sentence of ours that quotes titles, in characters.
const SENTENCE_CHARACTERS: usize = 500;

/// Most sentences about the next action: more are a plan.
const NEXT_SENTENCES: usize = 4;

/// A quotation that is longer than this, in bytes, says where it ends: its beginning may be out of
/// sight.
const LONG_QUOTATION_BYTES: usize = 600;

/// More than the lines round a long quotation have, in bytes.
const FENCE_BYTES: usize = 200;

/// Everything an agent may be told when it is woken.
#[derive(Clone, Copy, Debug)]
pub struct Wake<'a> {
    /// Who is woken.
    pub agent: &'a AgentName,
    /// What it is there for, such as `orchestrator`.
    pub role: Option<&'a str>,
    /// The skill of its current task.
    pub skill: Option<WakeSkill<'a>>,
    /// The plan it works on.
    pub plan: Option<WakePlan<'a>>,
    /// The tasks of the project.
    pub forest: &'a Forest<'a>,
    /// What happened lately.
    pub activity: &'a RecentActivity,
    /// The latest messages, newest first.
    pub messages: &'a [Message],
    /// Those it has not seen, newest first.
    pub unseen: &'a [Message],
    /// The message that wakes it.
    pub message: Option<Incoming<'a>>,
    /// What to do now, in order: the flow's next instruction, or what [`next_after`] says.
    pub next: &'a [String],
    /// What the fences are made with.
    pub secret: &'a InstallSecret,
}

/// The skill of a task, with its text.
#[derive(Clone, Copy, Debug)]
pub struct WakeSkill<'a> {
    /// The name by which it is asked for.
    pub reference: &'a SkillRef,
    /// Why it applies, such as `task t-00022 says "Spec review"`.
    pub why: &'a str,
    /// Its body.
    pub body: &'a str,
    /// How far that may be believed.
    pub trust: Trust,
}

/// A plan, with the sections that matter now.
#[derive(Clone, Copy, Debug)]
pub struct WakePlan<'a> {
    /// The file.
    pub file: &'a PlanFile,
    /// The sections, in order.
    pub sections: &'a [Section],
    /// How far they may be believed.
    pub trust: Trust,
}

/// Tells everything, for an agent that lost its context.
pub fn full(wake: &Wake<'_>) -> String {
    let text = full_with(wake, SKILL_BYTES);
    if text.len() <= limits::MAIL_BODY_BYTES {
        return text;
    }
    let others = full_with(wake, 0).len() + FENCE_BYTES;
    full_with(wake, SKILL_BYTES.min(limits::MAIL_BODY_BYTES.saturating_sub(others)))
}

/// Tells everything, with at most so many bytes of the skill.
fn full_with(wake: &Wake<'_>, skill_bytes: usize) -> String {
    let mut page = Page::titled(&format!("Wake-up: @{}", wake.agent));
    page.add(&introduction(wake));
    if let Some(skill) = &wake.skill {
        page.head("Current skill");
        let name = skill.reference;
        let why = phrase(skill.why);
        let why = if why.is_empty() { String::new() } else { format!(", because {why}") };
        page.add(&format!("You are using `{name}`{why}."));
        let quote =
            Quote { lead: "It says", text: skill.body, trust: skill.trust, most: skill_bytes };
        page.quote(&quote, wake.secret);
    }
    if let Some(plan) = &wake.plan {
        page.head("Active plan");
        page.add(&format!("**File:** {}", phrase(plan.file.as_str())));
        let texts = plan.sections.iter().map(|section| section.text.trim_end());
        let text = texts.collect::<Vec<_>>().join("\n\n");
        let quote = Quote { lead: "It says", text: &text, trust: plan.trust, most: PLAN_BYTES };
        page.quote(&quote, wake.secret);
    }
    let position = Position::of(wake.forest, Some(wake.agent), Naming::Id);
    if let Some(tree) = tree(wake.forest, &position) {
        page.head("Current tasks");
        page.add(&tree);
        page.add(&format!("**Current position:** {}", sentence(&position.sentence)));
        let next = wake.next.first().unwrap_or(&position.next_action);
        page.add(&format!("**Next action:** {}", sentence(next)));
    }
    let activity = wake.activity.items();
    if !activity.is_empty() {
        page.head("Recent activity");
        page.add(Escaped::lines(activity.iter().map(|item| &item.text)).as_str());
    }
    if !wake.messages.is_empty() {
        page.head("Recent messages");
        page.add(&messages(wake.messages));
    }
    if let Some(message) = &wake.message {
        page.head("New message");
        page.message(message, wake.secret);
    }
    let next = steps(wake.next);
    if !next.is_empty() {
        page.head("Your next action");
        page.add(&numbered(&next));
    }
    page.text
}

/// Tells what is new, for an agent that still knows where it is.
pub fn short(wake: &Wake<'_>) -> String {
    let mut page = Page::titled(&format!("Wake-up: @{}", wake.agent));
    if let Some(message) = &wake.message {
        page.message(message, wake.secret);
    }
    if !wake.unseen.is_empty() {
        page.add("**Not seen yet:**");
        page.add(&messages(wake.unseen));
    }
    let position = Position::of(wake.forest, Some(wake.agent), Naming::Title);
    page.add(&format!("**Position:** {}", sentence(&position.sentence)));
    let next = steps(wake.next);
    match next.as_slice() {
        [] => {}
        [only] => page.add(&format!("**Next action:** {only}")),
        several => {
            page.add("**Next action:**");
            page.add(&numbered(several));
        }
    }
    page.text
}

fn introduction(wake: &Wake<'_>) -> String {
    match wake.role.map(phrase) {
        Some(role) if !role.is_empty() => {
            format!("You are @{}, the {role} for this project.", wake.agent)
        }
        Some(_) | None => format!("You are @{}.", wake.agent),
    }
}

/// Shows the tree, folded where it is too large; `None` when there are no tasks.
fn tree(forest: &Forest<'_>, position: &Position) -> Option<String> {
    let folding = Folding::new(forest, position);
    let room = Size { tokens: limits::TASK_TREE_TOKENS, utf16: TREE_UTF16 };
    let whole = folding.whole();
    if whole.as_str().is_empty() {
        return None;
    }
    let tree = if Size::of(whole.as_str()).fits(room) { Some(whole) } else { folding.within(room) };
    Some(tree.map_or_else(|| "See `pacenote task list`.".to_owned(), Escaped::into_string))
}

/// Lists messages, oldest first, each with its beginning.
fn messages(newest_first: &[Message]) -> String {
    let shown = newest_first.iter().take(LISTED_MESSAGES);
    let lines = shown.rev().map(|message| {
        let Message { number, sender, .. } = message;
        let subject = one_line(message.subject.as_str(), SUBJECT_CHARACTERS);
        let body = message.body.as_ref().map_or("", |body| body.as_str());
        let text = match one_line(body, EXCERPT_CHARACTERS).as_str() {
            "" => format!("- {number} from @{sender}: {subject}"),
            excerpt => format!("- {number} from @{sender}: {subject}: \"{excerpt}\""),
        };
        Escaped::text(&text).into_string()
    });
    let more = match newest_first.len().saturating_sub(LISTED_MESSAGES) {
        0 => None,
        more => Some(format!("- … {}: `pacenote mail inbox`", counted(more, "earlier message"))),
    };
    more.into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

/// Returns the sentences about the next action, harmless.
fn steps(sentences: &[String]) -> Vec<String> {
    let said = sentences.iter().map(|raw| sentence(raw)).filter(|sentence| !sentence.is_empty());
    said.take(NEXT_SENTENCES).collect()
}

fn numbered(sentences: &[String]) -> String {
    let lines = (1..).zip(sentences).map(|(number, line): (u32, _)| format!("{number}. {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Makes a text of others fit into a sentence of ours.
fn phrase(raw: &str) -> String {
    Escaped::text(&one_line(raw, PHRASE_CHARACTERS)).into_string()
}

/// Makes a sentence harmless that quotes others.
fn sentence(raw: &str) -> String {
    Escaped::text(&one_line(raw, SENTENCE_CHARACTERS)).into_string()
}

/// A text of others.
struct Quote<'a> {
    /// What stands before it, in our words.
    lead: &'a str,
    text: &'a str,
    trust: Trust,
    /// The most bytes of it.
    most: usize,
}

/// A document in the making.
struct Page {
    text: String,
}

impl Page {
    fn titled(title: &str) -> Self {
        Self { text: format!("# {title}\n") }
    }

    fn head(&mut self, heading: &'static str) {
        self.add(&format!("## {heading}"));
    }

    /// Adds a block of our own making, in which every text of others is harmless.
    fn add(&mut self, block: &str) {
        self.text.push('\n');
        self.text.push_str(block);
        self.text.push('\n');
    }

    /// Adds a text of others, with its trust and, where it is long, its end.
    fn quote(&mut self, quote: &Quote<'_>, secret: &InstallSecret) {
        let body = Escaped::body(quote.text, quote.trust);
        if body.as_str().trim().is_empty() {
            return;
        }
        let quotation = quoted_within(body.as_str(), quote.most);
        let (lead, trust) = (quote.lead, quote.trust.word());
        if needs_fence(quote.trust) && quotation.len() > LONG_QUOTATION_BYTES {
            let fence = Fence::new(secret, &digest_of([quote.text]));
            let end = fence.end();
            self.add(&format!("{lead} ({trust}, up to `{}`):", end.as_str()));
            self.add(&quotation);
            self.add(&format!("`{}`", end.as_str()));
        } else {
            self.add(&format!("{lead} ({trust}):"));
            self.add(&quotation);
        }
    }

    fn message(&mut self, message: &Incoming<'_>, secret: &InstallSecret) {
        let (lead, trust) = (format!("@{} wrote", message.from), message.trust());
        let quote = Quote { lead: &lead, text: message.text, trust, most: MESSAGE_BYTES };
        self.quote(&quote, secret);
    }
}

#[cfg(test)]
mod tests;
