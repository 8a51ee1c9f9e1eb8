//! What the person sees of what an agent reads: a line, all of it, or nothing.

use pacenote_context::{
    fragment::{FragmentKind, ItemId},
    status_line::{StatusLine, TaskShown},
};
use pacenote_flow::lifecycle::Facts;
use pacenote_model::{EventBody, Forest, ReceiptItem, Value};

use crate::{
    EngineError,
    briefing::{Briefing, Scope, find_news},
    handoffs::Left,
    situation::Situation,
    status,
};

/// The variable that says how much the person sees of what is injected.
const ECHO: &str = "debug_echo_context";

/// Returns what the person sees of a briefing.
pub(super) fn echo(
    situation: &Situation<'_>,
    briefing: &Briefing,
    scope: Scope<'_>,
    left: Option<&Left>,
    facts: &Facts,
) -> Result<Option<String>, EngineError> {
    match facts.variables.get(ECHO) {
        Some(Value::Bool(true)) => {
            let texts = briefing.packed.parts.iter().map(|part| part.text.as_str());
            Ok(Some(texts.collect::<Vec<_>>().join("\n\n")))
        }
        Some(Value::Text(word)) if word == "line" => {
            let shown = Shown::of(briefing);
            let line = match scope {
                Scope::Full => of_beginning(situation, &shown, left, briefing.packed.tokens())?,
                Scope::Changes(_) | Scope::News => {
                    of_news(situation, &shown, briefing.packed.tokens())?
                }
            };
            Ok(line.to_text())
        }
        Some(Value::Bool(false) | Value::Number(_) | Value::Text(_)) | None => Ok(None),
    }
}

/// The items that the agent reads.
struct Shown<'b>(Vec<&'b ReceiptItem>);

impl<'b> Shown<'b> {
    fn of(briefing: &'b Briefing) -> Self {
        Self(briefing.packed.items.iter().filter(|item| item.is_shown()).collect())
    }

    fn has(&self, kind: FragmentKind) -> bool {
        self.0.iter().any(|item| item.kind == kind.word())
    }

    fn holds(&self, id: &ItemId) -> bool {
        self.0.iter().any(|item| item.id == id.as_str())
    }

    /// Returns the names of the skills, each once.
    fn skills(&self) -> Vec<String> {
        let items = self.0.iter().filter(|item| item.kind == FragmentKind::SKILL.word());
        let name = |item: &&ReceiptItem| {
            let (_, name) = item.id.split_once(':')?;
            name.split('#').next().map(str::to_owned)
        };
        let mut names: Vec<String> = items.filter_map(name).collect();
        names.dedup();
        names
    }

    /// Returns the words of all kinds, each once.
    fn kinds(&self) -> Vec<String> {
        let mut words: Vec<String> = self.0.iter().map(|item| item.kind.clone()).collect();
        words.dedup();
        words
    }
}

/// Says with what an agent begins.
fn of_beginning(
    situation: &Situation<'_>,
    shown: &Shown<'_>,
    left: Option<&Left>,
    tokens: u32,
) -> Result<StatusLine, EngineError> {
    let forest = Forest::new(situation.tasks()?);
    let agent = situation.agent()?;
    let mut line = StatusLine {
        skills: shown.skills(),
        continues: left
            .filter(|_| shown.has(FragmentKind::HANDOFF))
            .and_then(|left| left.by.map(|by| by.number)),
        tokens: Some(tokens),
        ..StatusLine::default()
    };
    if let EventBody::SubagentStart { agent_type, .. } = &situation.event.body {
        line.subagent = Some(agent_type.clone());
        let task = situation.task_in(&forest)?.filter(|_| shown.has(FragmentKind::PLAN));
        line.task = task.map_or(TaskShown::Unasked, |task| TaskShown::at(&forest, task, agent));
        return Ok(line);
    }
    line.task = TaskShown::of(&forest, agent);
    line.mail = status::count_mail(situation.unread()?);
    line.run = status::run_at_hand(&situation.runs()?.own);
    Ok(line)
}

/// Says what is new to an agent that goes on; how much that costs only where it is more than lines.
fn of_news(
    situation: &Situation<'_>,
    shown: &Shown<'_>,
    tokens: u32,
) -> Result<StatusLine, EngineError> {
    let mut line = StatusLine { skills: shown.skills(), ..StatusLine::default() };
    if shown.has(FragmentKind::POSITION) {
        line.task = TaskShown::of(&Forest::new(situation.tasks()?), situation.agent()?);
    }
    if shown.has(FragmentKind::WORKFLOW) {
        line.run = status::run_at_hand(&situation.runs()?.own);
    }
    let is_long = line != StatusLine::default();
    if shown.has(FragmentKind::MAIL) {
        let is_new =
            |number: &_| shown.holds(&ItemId::of(FragmentKind::MAIL, format_args!("{number}")));
        line.mail = status::count_new_mail(situation.unread()?, is_new);
    }
    if shown.has(FragmentKind::ACTIVITY) {
        let news = find_news(situation, None)?.map(|news| news.lines).unwrap_or_default();
        let is_new = |id: &str| shown.holds(&ItemId::of(FragmentKind::ACTIVITY, id));
        let news = news.into_iter().filter(|news| is_new(&news.id));
        line.news = news.map(|news| news.account).collect();
    }
    if line == StatusLine::default() {
        line.besides = shown.kinds();
    }
    line.tokens = (is_long || !line.besides.is_empty()).then_some(tokens);
    Ok(line)
}
