//! Texts of rules, filled in with facts, variables and what sources say.
//!
//! A text may name every source. Others wrote what sources say, so the text is believed no further than
//! they are, and each source brings no more here than its own cap allows.

use std::collections::BTreeMap;

use pacenote_context::{
    estimate::estimate_tokens,
    fragment::Fragment,
    fragments::{Notice, RuleText},
    handoff::{render as render_handoff, render_sections},
    position::{Naming, Position},
};
use pacenote_flow::lifecycle::{Source, TemplateError, names_in, render};
use pacenote_model::Trust;

use super::{sources::gather_one, work::Gathering};
use crate::{EngineError, handoffs::Left, wanted::RuleSentence};

/// Longest text that stands on one line as a notice, in bytes; one with line breaks never does.
const SENTENCE_BYTES: usize = 600;

/// What is filled in for a name, and how far that may be believed.
struct SourceText {
    text: String,
    trust: Trust,
}

/// A text of a rule as a fragment; `None` where it comes to nothing.
type Filled<'x> = Result<Option<Box<dyn Fragment + 'x>>, TemplateError>;

/// Fills in a text of a rule.
pub(super) fn fill<'x>(
    gathering: &'x Gathering<'_>,
    one: &RuleSentence,
) -> Result<Filled<'x>, EngineError> {
    let names = match names_in(&one.text) {
        Ok(names) => names,
        Err(error) => return Ok(Err(error)),
    };
    // Titles and the like are facts too, and agents wrote them.
    let mut trust = if names.is_empty() { one.trust } else { one.trust.min(Trust::Agent) };
    let mut values: BTreeMap<&str, String> = BTreeMap::new();
    for name in &names {
        if let Some(said) = say(gathering, name)? {
            trust = trust.min(said.trust);
            values.insert(name, said.text);
        }
    }
    let text = match render(&one.text, &values, &gathering.layout.wanted.facts) {
        Ok(text) => text.trim().to_owned(),
        Err(error) => return Ok(Err(error)),
    };
    let rule = one.rule.clone();
    Ok(Ok(match text.as_str() {
        "" => None,
        line if !line.contains('\n') && line.len() <= SENTENCE_BYTES => {
            Some(Box::new(Notice { rule, text, trust }))
        }
        _ => Some(Box::new(RuleText { rule, text, trust, secret: gathering.situation.secret() })),
    }))
}

/// Returns what is filled in for a name; `None` where that is not for a source to say.
fn say(gathering: &Gathering<'_>, name: &str) -> Result<Option<SourceText>, EngineError> {
    let left = gathering.layout.left;
    let by_agent = |text: String| SourceText { text, trust: Trust::Agent };
    Ok(Some(match (name, Source::from_word(name)) {
        ("summary", _) => {
            by_agent(left.map(|left| left.handoff.current_state.clone()).unwrap_or_default())
        }
        ("skills_list", _) => list_skills(gathering)?,
        // Later versions have more to say.
        ("memories" | "direction", _) => by_agent(String::new()),
        (_, Some(Source::TaskContext)) => {
            let agent = gathering.situation.agent()?;
            by_agent(Position::of(gathering.forest, agent, Naming::Title).sentence)
        }
        (_, Some(Source::Handoff)) => {
            let host = gathering.situation.host_name()?;
            let own = gathering.situation.session()?.map(|session| session.number);
            let document = |left: &Left| {
                let handoff = left.document();
                match left.by.map(|by| by.number).or(own) {
                    Some(number) => render_handoff(&handoff, number, &host),
                    None => render_sections(&handoff),
                }
            };
            by_agent(left.map(document).unwrap_or_default())
        }
        (_, Some(source)) => read_out(gathering, source)?,
        (_, None) => return Ok(None),
    }))
}

/// Returns the skill of the task and the skills there are, a line for each.
fn list_skills(gathering: &Gathering<'_>) -> Result<SourceText, EngineError> {
    let bound = gathering.work()?.skills.iter().map(|skill| format!("- {}", skill.reference));
    let others = read_out(gathering, Source::Skills)?;
    let lines = bound.chain(others.text.lines().map(str::to_owned));
    Ok(SourceText { text: lines.collect::<Vec<_>>().join("\n"), trust: others.trust })
}

/// Returns what a source says, up to its cap, without tags: the text of the rule stands round it.
fn read_out(gathering: &Gathering<'_>, source: Source) -> Result<SourceText, EngineError> {
    let mut said = SourceText { text: String::new(), trust: Trust::System };
    for fragment in gather_one(gathering, source)? {
        let kind = fragment.kind();
        if gathering.situation.is_off(kind) {
            continue;
        }
        let items = fragment.items();
        // The body of a message has a tag of its own; its beginning stands in its line.
        let items: Vec<_> =
            items.into_iter().filter(|item| !item.id.as_str().ends_with("#body")).collect();
        let mut room = kind.cap();
        let mut left_out = Vec::new();
        for item in &items {
            let needed = estimate_tokens(item.text.as_str());
            if needed > room || !left_out.is_empty() {
                left_out.push(item);
                continue;
            }
            room -= needed;
            push_line(&mut said.text, item.text.as_str());
        }
        if let Some(more) = fragment.index(&left_out) {
            push_line(&mut said.text, more.as_str());
        }
        said.trust = said.trust.min(fragment.trust());
    }
    Ok(said)
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() && !line.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
