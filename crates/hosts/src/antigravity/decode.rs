//! From the JSON on a hook's stdin to an event.

#[cfg(test)]
mod tests;

use pacenote_model::{Event, EventBody, EventKind, HostId, NotesIn, ToolCall, ToolClass};

use crate::{
    DecodeError, Decoded, Form,
    decoded::{are_several, needed, skill_in},
    lenient::{self, First, taken},
    table,
};

use super::hook::{HOOKS, PASSED};

/// Most directories of a workspace that are looked at: only the first counts.
const DIRECTORIES: usize = 1;

/// Decodes a payload. `event` is the word on our command line, such as `pre-invocation`.
pub fn decode(event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let Some(hook) = table::find(&HOOKS, event) else {
        let name = event.to_owned();
        let is_known = PASSED.contains(&event);
        return Ok(if is_known { Decoded::Passed { name } } else { Decoded::Unknown { name } });
    };
    let text = std::str::from_utf8(stdin).map_err(DecodeError::NotText)?;
    let refused = |source| DecodeError::NotThePayload { event: hook.word, source };
    let payload: Payload = lenient::read(text).map_err(refused)?;
    let Payload { conversation_id, workspace_paths, transcript_path, tool_call, error } = payload;
    let session_id = needed("conversationId", conversation_id).map_err(refused)?;
    let directories = workspace_paths.map(|First(paths)| paths).unwrap_or_default();
    let directory = directories.into_iter().flatten().next();
    let directory = needed("workspacePaths", directory).map_err(refused)?;
    let body = match hook.kind {
        EventKind::BeforeTool => EventBody::BeforeTool { tool: call(tool_call).map_err(refused)? },
        // Behind some steps there was no tool.
        EventKind::AfterTool if tool_call.name.is_none() => {
            return Ok(Decoded::Passed { name: event.to_owned() });
        }
        EventKind::AfterTool => {
            let failed = error.is_some_and(|error| !error.is_empty());
            EventBody::AfterTool { tool: call(tool_call).map_err(refused)?, failed }
        }
        // What is put into a request is gone with it.
        EventKind::Request => EventBody::Request { notes: NotesIn::Never },
        EventKind::Stop => EventBody::Stop { again: false, message: None },
        EventKind::SessionStart
        | EventKind::Prompt
        | EventKind::Todos
        | EventKind::PreCompact
        | EventKind::PostCompact
        | EventKind::SubagentStart
        | EventKind::SubagentStop
        | EventKind::SessionEnd
        | EventKind::Wake => return Ok(Decoded::Passed { name: event.to_owned() }),
    };
    let event = Event {
        session: HostId::parse(&session_id).map_err(DecodeError::Session)?,
        directory,
        transcript: transcript_path,
        plan_mode: false,
        subagent: None,
        body,
    };
    Ok(Decoded::Known { event: Box::new(event), warnings: Vec::new(), form: Form::Json })
}

fn call(tool: Tool) -> Result<ToolCall, serde_json::Error> {
    let Tool { name, arguments } = tool;
    let name = needed("toolCall.name", name)?;
    let class = class_of(&name);
    let Arguments { command_line, target_file, absolute_path } = arguments;
    let has_other_paths = are_several(&[&target_file, &absolute_path]);
    let path = target_file.or(absolute_path);
    let skill = path.as_deref().filter(|_| class == ToolClass::Read).and_then(skill_in);
    let todos = Vec::new();
    Ok(ToolCall {
        name,
        class,
        path,
        has_other_paths,
        command: command_line,
        prompt: None,
        agent_type: None,
        skill,
        todos,
    })
}

fn class_of(name: &str) -> ToolClass {
    match name {
        "write_to_file" | "edit_file" | "replace_file_content" | "multi_replace_file_content" => {
            ToolClass::Edit
        }
        "run_command" | "send_command_input" => ToolClass::Shell,
        "invoke_subagent" => ToolClass::Agent,
        "view_file" | "list_dir" | "grep_search" | "find_by_name" | "codebase_search"
        | "command_status" | "read_url_content" | "search_web" => ToolClass::Read,
        _ => ToolClass::Other,
    }
}

/// The fields of a payload.
#[derive(Debug, Default)]
struct Payload {
    conversation_id: Option<String>,
    workspace_paths: Option<First<Option<String>, DIRECTORIES>>,
    transcript_path: Option<String>,
    tool_call: Tool,
    error: Option<String>,
}

#[derive(Debug, Default)]
struct Tool {
    name: Option<String>,
    arguments: Arguments,
}

#[derive(Debug, Default)]
struct Arguments {
    command_line: Option<String>,
    target_file: Option<String>,
    absolute_path: Option<String>,
}

taken!(Payload {
    "conversationId": conversation_id,
    "workspacePaths": workspace_paths,
    "transcriptPath": transcript_path,
    "toolCall": tool_call,
    "error": error,
});

taken!(Tool { "name": name, "args": arguments });

taken!(Arguments {
    "CommandLine": command_line,
    "TargetFile": target_file,
    "AbsolutePath": absolute_path,
});
