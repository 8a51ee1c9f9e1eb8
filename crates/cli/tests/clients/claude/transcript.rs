//! What a model was shown and what it did, as a page to be read.
//!
//! What the client says on its own account is left out, and of long pages only the ends are kept.

use std::{collections::BTreeMap, fmt::Write as _};

use pacenote_probe::{Kind, Request};
use serde_json::Value;

use super::workplace::NOTES;

/// How the client begins what a subagent hands back; the report below it is indented.
const HANDED_BACK: &str = "[Subagent hand-back]";

/// How the call of an agent is written down.
const SENT: &str = "Agent: ";

/// Elements of a page that make it too long to be shown again and again.
const LONG: [&str; 2] = ["<subagent_dispatch", "<state_banner"];

/// Elements of notes that are the same in every session.
const USUAL: [&str; 2] = ["skills", "guide"];

/// Something in a conversation.
#[derive(PartialEq)]
pub(super) enum Entry {
    /// The person said something.
    Person(String),
    /// We did.
    Notes(String),
    /// The model said something, or called a tool.
    Model(String),
    /// A tool came back.
    Result(String),
}

impl Entry {
    /// Shows an entry as it is.
    #[expect(clippy::unnecessary_wraps, reason = "others leave entries out")]
    pub(super) fn whole(&self) -> Option<String> {
        let (Self::Person(text) | Self::Notes(text) | Self::Model(text) | Self::Result(text)) =
            self;
        Some(text.clone())
    }
}

/// The conversation of an agent that was sent, and what of it is written down.
#[derive(Default)]
struct Aside {
    conversation: Vec<Entry>,
    page: String,
}

/// Writes down a conversation, each entry as `shown` has it. Requests with one of the `errands` are
/// those of the agents who were sent with it; what they did stands below the call that sent them.
pub(super) fn transcript(
    requests: &[Request],
    errands: &[&str],
    shown: impl Fn(&Entry) -> Option<String>,
) -> String {
    let mut page = String::new();
    let mut leading = Vec::new();
    let mut asides = BTreeMap::<&str, Aside>::new();
    for request in requests {
        let errand = errands.iter().find(|errand| request.occurrences(errand) > 0);
        if request.kind == Kind::Summary {
            page.push_str("\n(the client sums the conversation up)\n\n");
            leading.clear();
        } else if let Some(errand) = errand {
            let Aside { conversation, page } = asides.entry(errand).or_default();
            for entry in added(conversation, request) {
                write(page, "        ", entry, &shown);
            }
        } else {
            for entry in added(&mut leading, request) {
                write(&mut page, "", entry, &shown);
                // That an agent was sent stands in the request that follows its answer.
                if let Entry::Model(text) = entry
                    && let Some(errand) = text.strip_prefix(SENT)
                    && let Some(sent) = errands.iter().find(|sent| errand.contains(**sent))
                {
                    page.push_str(&asides.remove(sent).unwrap_or_default().page);
                }
            }
        }
    }
    page
}

/// Returns what the tools were given that the model called last.
pub(super) fn last_calls(request: &Request) -> impl Iterator<Item = &Value> {
    let body = request.body.as_ref().expect("a body");
    let messages = body["messages"].as_array().expect("messages").iter();
    let last = messages.rev().find(|message| message["role"] == "assistant");
    let blocks = last.and_then(|message| message["content"].as_array()).into_iter().flatten();
    blocks.filter(|block| block["type"] == "tool_use").map(|block| &block["input"])
}

/// Returns what a request adds to a conversation.
fn added<'e>(conversation: &'e mut Vec<Entry>, request: &Request) -> &'e [Entry] {
    let entries = entries(request);
    let known = entries.iter().zip(&*conversation).take_while(|(now, then)| now == then).count();
    *conversation = entries;
    &conversation[known..]
}

fn write(page: &mut String, margin: &str, entry: &Entry, shown: impl Fn(&Entry) -> Option<String>) {
    let who = match entry {
        Entry::Person(_) => "asked",
        Entry::Notes(_) => "notes",
        Entry::Model(_) => "model",
        Entry::Result(_) => "tool ",
    };
    let text = shown(entry).unwrap_or_default();
    for (number, line) in text.lines().enumerate() {
        let who = if number == 0 { who } else { "     " };
        let line = format!("{margin}{who} | {line}");
        writeln!(page, "{}", line.trim_end()).expect("a string");
    }
}

fn entries(request: &Request) -> Vec<Entry> {
    let body = request.body.as_ref().expect("a body");
    let messages = body["messages"].as_array().expect("messages");
    let mut entries = Vec::new();
    for message in messages {
        let role = message["role"].as_str().expect("a role");
        let content = &message["content"];
        if let Some(text) = content.as_str() {
            entries.extend(said(role, text));
        }
        for block in content.as_array().into_iter().flatten() {
            entries.extend(entry(role, block));
        }
    }
    entries
}

fn entry(role: &str, block: &Value) -> Vec<Entry> {
    match block["type"].as_str() {
        Some("text") => said(role, block["text"].as_str().expect("a text")),
        Some("tool_use") => Vec::from([Entry::Model(called(block))]),
        Some("tool_result") => Vec::from([Entry::Result(returned(&block["content"]))]),
        Some(_) | None => Vec::new(),
    }
}

fn said(role: &str, text: &str) -> Vec<Entry> {
    if text.contains(NOTES) {
        let notes = text.split(NOTES).skip(1);
        let note = |rest: &str| rest.split("</pacenote>").next().unwrap_or_default().to_owned();
        return notes.map(|rest| Entry::Notes(brief(&format!("{NOTES}{}", note(rest))))).collect();
    }
    match role {
        "assistant" => Vec::from([Entry::Model(text.to_owned())]),
        "user" if !text.starts_with('<') && !text.starts_with("This session is") => {
            Vec::from([Entry::Person(text.to_owned())])
        }
        _ => Vec::new(),
    }
}

fn called(block: &Value) -> String {
    let input = |name: &str| block["input"][name].as_str().expect("an argument");
    match block["name"].as_str().expect("a name") {
        "Bash" => format!("$ {}", input("command")),
        "Write" => format!("Write {}", input("file_path")),
        "Agent" => format!("{SENT}{}", input("prompt")),
        other => panic!("`{other}` is no tool of these tests"),
    }
}

fn returned(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten();
    let texts = blocks.filter_map(|block| block["text"].as_str()).chain(content.as_str());
    let text: String = texts.collect();
    if text.starts_with(HANDED_BACK) {
        let report: Vec<&str> = text.lines().filter(|line| line.starts_with("  ")).collect();
        return report.join("\n");
    }
    if !LONG.iter().any(|element| text.contains(element)) {
        return text;
    }
    let (above, rest) = text.split_once("<DO>").expect("something to do");
    let (_, next) = rest.rsplit_once("<NEXT").expect("a next instruction");
    format!("{above}<DO>…\n<NEXT{next}")
}

/// Leaves out of notes what has nothing to do with the run.
fn brief(notes: &str) -> String {
    let mut brief = notes.to_owned();
    for name in USUAL {
        let (begins, ends) = (format!("<{name} "), format!("</{name}>\n"));
        if let Some((above, rest)) = brief.split_once(&begins)
            && let Some((_, below)) = rest.split_once(&ends)
        {
            brief = format!("{above}<{name}>…\n{below}");
        }
    }
    brief
}
