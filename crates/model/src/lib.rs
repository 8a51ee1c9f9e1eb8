//! The words of pacenote: ids, names, tasks, mail, sessions, trust and limits.
//!
//! Everything here is a value. The crate is `no_std`, so the compiler itself keeps files, clocks,
//! the environment and threads out of it: moments and fresh ids arrive as arguments.
//! A type that can be built proves its own rules; the rooms above never check a string twice.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod address;
pub mod control_token;
pub mod effect;
pub mod event;
pub mod guard;
pub mod handoff;
pub mod id;
pub mod lifecycle;
pub mod limits;
pub mod mail;
pub mod moment;
pub mod name;
pub mod project;
pub mod receipt;
pub mod record;
pub mod reservation;
pub mod run;
pub mod session;
pub mod skill;
pub mod succession;
pub mod task;
pub mod text;
pub mod tree;
pub mod trust;

pub use address::{Address, mentions};
pub use control_token::break_control_tokens;
pub use effect::{Actor, Aggregate, Applied, Effect, Effects, Refusal, Side};
pub use event::{
    CompactTrigger, Event, EventBody, EventKind, NotesIn, StartSource, Todo, TodoState, ToolCall,
    ToolClass,
};
pub use handoff::{Handoff, HandoffEffect, Utterance};
pub use id::{
    MessageId, Number, ProjectId, ReservationId, Sequence, SessionId, ShortId, TaskId, TaskRef,
    ThreadId,
};
pub use lifecycle::{
    Artifact, KeptHandoff, Opening, RuleEffect, TrustedFile, Value, Want, Wish, WishEffect,
};
pub use mail::{Delivery, Importance, MailEffect, Message, NewMessage, Recipient};
pub use moment::Moment;
pub use name::{AgentName, BadName, Branch, CommitKey, HostId, HostName, SkillRef};
pub use project::{Project, ProjectEffect};
pub use receipt::{KeptReceipt, Receipt, ReceiptEffect, ReceiptItem};
pub use record::{KeptSetAside, LogEffect, Record, SetAside};
pub use reservation::{PathPattern, Reservation, ReservationEffect};
pub use run::{Decision, KeptRun, RunCard, RunEffect, RunEntry, RunStatus, ToolScope};
pub use session::{AgentEffect, Session, SessionEffect, SessionStatus};
pub use skill::{
    Cue, CueKind, Digest, IndexedSkill, SkillChoice, SkillEffect, SkillKey, SkillLevel, SkillName,
    TaskSkills,
};
pub use task::{NewTask, Note, PlanPlace, Task, TaskEffect, TaskFields, TaskState, TaskVerb};
pub use text::{BadText, Body, Title};
pub use tree::Forest;
pub use trust::Trust;
