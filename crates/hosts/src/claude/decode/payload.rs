//! What we read of a payload, in one pass over its text.
//!
//! Fields that we do not read are walked through and forgotten, never built: a tool may write a
//! file of megabytes. They are walked through all the same, because that bounds their nesting.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

/// The fields of a payload.
#[derive(Debug)]
pub(super) struct Payload {
    pub(super) session_id: String,
    pub(super) cwd: String,
    pub(super) hook_event_name: Option<String>,
    pub(super) transcript_path: Option<String>,
    pub(super) permission_mode: Option<String>,
    pub(super) details: Details,
}

/// The fields that only some events have. One of another kind than expected counts as missing.
#[derive(Debug, Default)]
pub(super) struct Details {
    pub(super) source: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) tool_name: Option<String>,
    pub(super) tool_input: ToolInput,
    pub(super) trigger: Option<String>,
    pub(super) compact_summary: Option<String>,
    pub(super) stop_hook_active: Option<bool>,
    pub(super) agent_id: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) last_assistant_message: Option<String>,
}

/// The fields of a tool's input, whose form is the tool's own affair.
#[derive(Debug, Default)]
pub(super) struct ToolInput {
    pub(super) file_path: Option<String>,
    pub(super) notebook_path: Option<String>,
    pub(super) path: Option<String>,
    pub(super) command: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) subagent_type: Option<String>,
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PayloadVisitor)
    }
}

struct PayloadVisitor;

impl<'de> Visitor<'de> for PayloadVisitor {
    type Value = Payload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Payload, A::Error> {
        let (mut session_id, mut cwd) = (None, None);
        let (mut hook_event_name, mut transcript_path, mut permission_mode) = (None, None, None);
        let mut details = Details::default();
        while let Some(key) = object.next_key::<String>()? {
            match key.as_str() {
                // An event without these is of no use, so what is wrong with them is an error.
                "session_id" => session_id = Some(object.next_value()?),
                "cwd" => cwd = Some(object.next_value()?),
                "hook_event_name" => hook_event_name = loosely(&mut object)?,
                "transcript_path" => transcript_path = loosely(&mut object)?,
                "permission_mode" => permission_mode = loosely(&mut object)?,
                "source" => details.source = loosely(&mut object)?,
                "reason" => details.reason = loosely(&mut object)?,
                "prompt" => details.prompt = loosely(&mut object)?,
                "tool_name" => details.tool_name = loosely(&mut object)?,
                "tool_input" => details.tool_input = loosely(&mut object)?,
                "trigger" => details.trigger = loosely(&mut object)?,
                "compact_summary" => details.compact_summary = loosely(&mut object)?,
                "stop_hook_active" => details.stop_hook_active = loosely(&mut object)?,
                "agent_id" => details.agent_id = loosely(&mut object)?,
                "agent_type" => details.agent_type = loosely(&mut object)?,
                "last_assistant_message" => details.last_assistant_message = loosely(&mut object)?,
                _ => loosely::<(), A>(&mut object)?,
            }
        }
        Ok(Payload {
            session_id: session_id.ok_or_else(|| Error::missing_field("session_id"))?,
            cwd: cwd.ok_or_else(|| Error::missing_field("cwd"))?,
            hook_event_name,
            transcript_path,
            permission_mode,
            details,
        })
    }
}

/// Something that is taken from a value of the right kind; any other value gives the default.
trait Taken: Default {
    fn from_text(_text: &str) -> Self {
        Self::default()
    }

    fn from_flag(_flag: bool) -> Self {
        Self::default()
    }

    fn from_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, Loosely<()>>()?.is_some() {}
        Ok(Self::default())
    }
}

impl Taken for () {}

impl Taken for Option<String> {
    fn from_text(text: &str) -> Self {
        Some(text.to_owned())
    }
}

impl Taken for Option<bool> {
    fn from_flag(flag: bool) -> Self {
        Some(flag)
    }
}

impl Taken for ToolInput {
    fn from_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        let mut input = Self::default();
        while let Some(key) = object.next_key::<String>()? {
            match key.as_str() {
                "file_path" => input.file_path = loosely(&mut object)?,
                "notebook_path" => input.notebook_path = loosely(&mut object)?,
                "path" => input.path = loosely(&mut object)?,
                "command" => input.command = loosely(&mut object)?,
                "prompt" => input.prompt = loosely(&mut object)?,
                "subagent_type" => input.subagent_type = loosely(&mut object)?,
                _ => loosely::<(), A>(&mut object)?,
            }
        }
        Ok(input)
    }
}

/// Takes the next value of an object, or passes over it.
fn loosely<'de, T: Taken, A: MapAccess<'de>>(object: &mut A) -> Result<T, A::Error> {
    object.next_value().map(|Loosely(taken)| taken)
}

struct Loosely<T>(T);

impl<'de, T: Taken> Deserialize<'de> for Loosely<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Not `deserialize_ignored_any`, which counts no depth.
        deserializer.deserialize_any(LooseVisitor(PhantomData)).map(Self)
    }
}

struct LooseVisitor<T>(PhantomData<T>);

impl<'de, T: Taken> Visitor<'de> for LooseVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::from_text(text))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<T, E> {
        Ok(T::from_flag(flag))
    }

    fn visit_i64<E>(self, _: i64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<T, A::Error> {
        while list.next_element::<Loosely<()>>()?.is_some() {}
        Ok(T::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::from_object(object)
    }
}
