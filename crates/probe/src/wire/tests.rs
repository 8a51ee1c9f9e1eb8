//! Requests as the clients sent them, their texts cut short.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// Reads requests of a client: each with its name, its wire form, its kind, and its texts.
macro_rules! told {
    ($client:literal: $($name:literal)*) => {
        [$(($name, include_str!(concat!("fixtures/", $client, "/", $name, ".json")))),*]
            .map(|(name, recorded)| tell(name, recorded))
            .concat()
    };
}

fn tell(name: &str, recorded: &str) -> String {
    let recorded: Value = serde_json::from_str(recorded).expect("a recorded request");
    let target = recorded["path"].as_str().expect("a path");
    let path = target.split('?').next().expect("a path");
    let wire = Wire::of(path).expect("an address of a wire form");
    let body = &recorded["body"];
    let mut told = format!("{name}: {wire:?} {:?}\n", wire.kind(path, body));
    for Text { role, text } in wire.texts(body) {
        let beginning: String = text.chars().take(60).collect();
        writeln!(told, "  {role}: {beginning:?}").expect("a string");
    }
    told
}

#[test]
fn codex() {
    insta::assert_snapshot!(told!("codex-0.166.0":
        "turn" "tool-result" "compaction" "after-compaction" "subagent"), @r#"
    turn: Responses Conversation
      developer: "You are a coding agent running in the Codex CLI, a terminal-"
      developer: "<skills_instructions>\n## Skills\nA skill is a set of local in"
      developer: "<permissions instructions>\nFilesystem sandboxing defines whi"
      user: "<environment_context>\n  <cwd>/home/dev/project</cwd>\n  <shel"
      user: "do it"
    tool-result: Responses Conversation
      developer: "You are a coding agent running in the Codex CLI, a terminal-"
      developer: "<skills_instructions>\n## Skills\nA skill is a set of local in"
      developer: "<permissions instructions>\nFilesystem sandboxing defines whi"
      user: "<environment_context>\n  <cwd>/home/dev/project</cwd>\n  <shel"
      user: "do it"
      tool: "Chunk ID: 0\nWall time: 0.0000 seconds\nProcess exited with co"
    compaction: Responses Summary
      developer: "You are a coding agent running in the Codex CLI, a terminal-"
      developer: "<skills_instructions>\n## Skills\nA skill is a set of local in"
      developer: "<permissions instructions>\nFilesystem sandboxing defines whi"
      user: "<environment_context>\n  <cwd>/home/dev/project</cwd>\n  <shel"
      user: "do it"
      tool: "Chunk ID: 0\nWall time: 0.0000 seconds\nProcess exited with co"
      assistant: "first done"
      user: "again"
      assistant: "second done"
      user: "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a"
    after-compaction: Responses Conversation
      developer: "You are a coding agent running in the Codex CLI, a terminal-"
      user: "do it"
      developer: "<skills_instructions>\n## Skills\nA skill is a set of local in"
      developer: "<permissions instructions>\nFilesystem sandboxing defines whi"
      user: "<environment_context>\n  <cwd>/home/dev/project</cwd>\n  <shel"
      user: "again"
      user: "Another language model started to solve this problem and pro"
      user: "go on"
    subagent: Responses Conversation
      developer: "You are a coding agent running in the Codex CLI, a terminal-"
      developer: "<skills_instructions>\n## Skills\nA skill is a set of local in"
      developer: "<permissions instructions>\nFilesystem sandboxing defines whi"
      user: "<environment_context>\n  <cwd>/home/dev/project</cwd>\n  <shel"
      user: "sew the sail"
    "#);
}

#[test]
fn gemini() {
    insta::assert_snapshot!(told!("gemini-0.61.0":
        "router" "turn" "tool-result" "compression" "second-look" "after-compression"), @r#"
    router: Gemini Router
      system: "\nYou are a specialized Task Routing AI. Your sole function i"
      user: "<session_context>\nThis is the Gemini CLI. We are setting up "
      user: "do it"
    turn: Gemini Conversation
      system: "You are Gemini CLI, an autonomous CLI agent specializing in "
      user: "<session_context>\nThis is the Gemini CLI. We are setting up "
      user: "do it"
    tool-result: Gemini Conversation
      system: "You are Gemini CLI, an autonomous CLI agent specializing in "
      user: "<session_context>\nThis is the Gemini CLI. We are setting up "
      user: "do it"
      user: "<untrusted_context>\nOutput: hi\nProcess Group PGID: 1\n</untru"
    compression: Gemini Summary
      system: "You are a specialized system component responsible for disti"
      user: "<session_context>\nThis is the Gemini CLI. We are setting up "
      user: "hello"
      model: "one"
      user: "Generate a new <state_snapshot> based on the provided histor"
    second-look: Gemini Summary
      system: "You are a specialized system component responsible for disti"
      user: "<session_context>\nThis is the Gemini CLI. We are setting up "
      user: "hello"
      model: "one"
      model: "<state_snapshot>the scripted summary of the conversation</st"
      user: "Critically evaluate the <state_snapshot> you just generated."
    after-compression: Gemini Conversation
      system: "You are an interactive CLI agent specializing in software en"
      user: "<session_context>\nThis is the Gemini CLI. We are setting up "
      user: "<state_snapshot>the scripted summary of the conversation</st"
      model: "Got it. Thanks for the additional context!"
      user: "go on"
    "#);
}

#[test]
fn opencode() {
    insta::assert_snapshot!(told!("opencode-1.18.33":
        "title" "turn" "tool-result" "compaction" "after-compaction"), @r#"
    title: Chat Title
      system: "You are a title generator. You output ONLY a thread title. N"
      user: "Generate a title for this conversation:\n"
      user: "do it"
    turn: Chat Conversation
      system: "You are opencode, an interactive CLI tool that helps users w"
      user: "do it"
    tool-result: Chat Conversation
      system: "You are opencode, an interactive CLI tool that helps users w"
      user: "do it"
      assistant: ""
      tool: "hi\n"
    compaction: Chat Summary
      system: "You are a context summarization agent. You are given a conve"
      user: "Here is the conversation so far:\n\n<conversation>\n[User]: do "
    after-compaction: Chat Conversation
      system: "You are opencode, an interactive CLI tool that helps users w"
      user: "What did we do so far?"
      assistant: "the scripted summary of the conversation"
      user: "Continue if you have next steps, or stop and ask for clarifi"
    "#);
}

#[test]
fn copilot() {
    insta::assert_snapshot!(told!("copilot-1.0.102":
        "turn" "compaction" "after-compaction"), @r#"
    turn: Chat Conversation
      system: "You are GitHub Copilot, an AI coding agent built by GitHub. "
      user: "<current_datetime>2026-11-16T00:00:00+00:00</current_datetim"
    compaction: Chat Summary
      system: "You are GitHub Copilot, an AI coding agent built by GitHub. "
      user: "<current_datetime>2026-11-16T00:00:00+00:00</current_datetim"
      assistant: "one"
      user: "<current_datetime>2026-11-16T00:00:00+00:00</current_datetim"
      assistant: "two"
      user: "Please create a detailed summary of the conversation so far."
    after-compaction: Chat Conversation
      system: "You are GitHub Copilot, an AI coding agent built by GitHub. "
      user: "The conversation history has been summarized to free up cont"
      user: "<current_datetime>2026-11-16T00:00:00+00:00</current_datetim"
    "#);
}

#[test]
fn qwen() {
    insta::assert_snapshot!(told!("qwen-0.15.10":
        "turn" "compression" "after-compression"), @r#"
    turn: Chat Conversation
      system: "You are Qwen Code, an interactive CLI agent developed by Ali"
      user: "This is the Qwen Code. We are setting up the context for our"
      assistant: "Got it. Thanks for the context!"
      user: "do it"
    compression: Chat Summary
      system: "You are the component that summarizes internal chat history "
      user: "This is the Qwen Code. We are setting up the context for our"
      assistant: "Got it. Thanks for the context!"
      user: "do it"
      user: "First, reason in your scratchpad. Then, generate the <state_"
    after-compression: Chat Conversation
      system: "You are Qwen Code, an interactive CLI agent developed by Ali"
      user: "the scripted summary of the conversation"
      assistant: "Got it. Thanks for the additional context!"
      user: "Continue with the prior task using the context above."
      tool: "Command: echo hi > made.txt; cat made.txt\nDirectory: (root)\n"
    "#);
}

#[test]
fn an_address_belongs_to_one_form() {
    let table = [
        ("/v1/messages", Some(Wire::Anthropic)),
        ("/v1/messages/count_tokens", Some(Wire::Anthropic)),
        ("/v1/responses", Some(Wire::Responses)),
        ("/v1/chat/completions", Some(Wire::Chat)),
        ("/v1beta/models/any:generateContent", Some(Wire::Gemini)),
        ("/v1beta/models/any:streamGenerateContent", Some(Wire::Gemini)),
        ("/v1beta/models/any:countTokens", Some(Wire::Gemini)),
        ("/v1beta/models/any:embedContent", None),
        ("/v1beta/models/any", None),
        ("/v1/models", None),
        ("/v1/chat/completions/", None),
        ("/", None),
    ];
    for (path, expected) in table {
        assert_eq!(Wire::of(path), expected, "{path}");
    }
}

#[test]
fn the_models_are_listed() {
    for path in ["/v1/models", "/v1beta/models"] {
        assert!(models(path).expect("a list").text().contains(MODEL), "{path}");
    }
    assert_eq!(models("/v1/modules"), None);
}

#[test]
fn bodies_of_any_shape_are_side_requests_without_texts() {
    let addresses = [
        "/v1/messages",
        "/v1/responses",
        "/v1/chat/completions",
        "/v1beta/models/any:generateContent",
        "/v1beta/models/any:countTokens",
    ];
    let list = json!([{ "role": 1, "content": { "text": [] }, "parts": [1], "output": 2 }]);
    let bodies = [
        json!({}),
        json!(null),
        json!("hello"),
        json!([1]),
        json!({ "messages": list, "input": list, "contents": list, "tools": "none" }),
        json!({ "messages": "x", "contents": {}, "systemInstruction": 1, "client_metadata": [] }),
    ];
    for path in addresses {
        let wire = Wire::of(path).expect("a wire form");
        for body in &bodies {
            assert_eq!(wire.kind(path, body), Kind::Side, "{path} {body}");
            assert_eq!(wire.texts(body), [], "{path} {body}");
            assert_eq!(wire.answer(path, body, &aside()).status, 200, "{path} {body}");
        }
        assert_eq!(wire.refuse().status, 400);
    }
}

#[test]
fn a_summary_costs_as_much_as_the_conversation() {
    let body = json!({ "messages": [] });
    let answer = Answer { conversation_tokens: 120_000, ..aside() };
    let reply = |kind| answer.reply(kind, &body, "all of it", NO_SCHEMA);
    assert_eq!(reply(Kind::Summary), Reply::text("all of it").usage(120_000, ASIDE_TOKENS));
    assert_eq!(reply(Kind::Title), Reply::text(ASIDE).usage(body::tokens(&body), ASIDE_TOKENS));
}

proptest! {
    #[test]
    fn a_text_comes_and_goes_alike_in_every_form(text in ".*") {
        let message = json!([{ "role": "user", "content": text }]);
        let content = json!([{ "role": "user", "parts": [{ "text": text }] }]);
        let table = [
            ("/v1/messages", json!({ "messages": message }), "/content/0/text"),
            ("/v1/responses", json!({ "input": message }), "/output/0/content/0/text"),
            ("/v1/chat/completions", json!({ "messages": message }), "/choices/0/message/content"),
            (
                "/v1beta/models/any:generateContent",
                json!({ "contents": content }),
                "/candidates/0/content/parts/0/text",
            ),
        ];
        for (path, body, place) in table {
            let wire = Wire::of(path).expect("an address of a wire form");
            let told = Text { role: "user".to_owned(), text: text.clone() };
            prop_assert_eq!(wire.texts(&body), [told], "{}", path);
            let answer = Answer { scripted: Some(Reply::text(&*text)), ..aside() };
            let response = wire.answer(path, &body, &answer);
            let said: Value = serde_json::from_str(response.text()).expect("JSON");
            prop_assert_eq!(said.pointer(place), Some(&json!(text)), "{}", path);
        }
    }
}

/// What an answer without a given form is measured by.
const NO_SCHEMA: Option<&Value> = None;

fn aside() -> Answer {
    Answer { serial: "1".to_owned(), scripted: None, conversation_tokens: 0 }
}

/// A reply that calls two tools at once.
pub(super) fn two_calls() -> Reply {
    Reply::tools([("look", json!({ "at": "a" })), ("write", json!({ "to": "b" }))]).usage(7, 3)
}

/// Shows how a form writes a reply.
pub(super) fn show(path: &str, body: &Value, reply: Reply) -> String {
    let wire = Wire::of(path).expect("an address of a wire form");
    let response = wire.answer(path, body, &Answer { scripted: Some(reply), ..aside() });
    format!("{}\n{}", response.status, response.text())
}
