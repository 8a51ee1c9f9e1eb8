//! One folder per agent client: what it tells us becomes an [`Event`](pacenote_model::Event), what
//! we answer becomes exactly the JSON that client reads.
//!
//! A client's own words stay in its folder; the rooms above see neutral values only. Nothing here
//! reads files, the environment or the clock: payloads and variables are passed in. Decoding never
//! panics, whatever the bytes, because a hook that dies takes the session's notes with it.

pub mod capabilities;
pub mod claude;
pub mod instructions;
pub mod skills;

mod decoded;
mod reply;

pub use capabilities::{Capabilities, Ceiling, HOSTS, Inside, capabilities_of, inside};
pub use decoded::{DecodeError, Decoded, Warning};
pub use reply::{Reply, Verdict};
