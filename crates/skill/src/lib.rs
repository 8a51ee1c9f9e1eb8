//! Skills as values: read leniently, resolved with the rule that decided, pinned by digest.
//!
//! Everything here is a function of its arguments: no files, no clock, no environment. Reading a
//! skill never fails as a whole: what is odd becomes a finding.

pub mod builtin;
pub mod chain;
pub mod choice;
mod decode;
pub mod digest;
pub mod fields;
pub mod finding;
mod frontmatter;
pub mod key;
mod lenient;
pub mod lint;
pub mod listing;
pub mod lock;
pub mod pattern;
mod plain;
pub mod rank;
pub mod reference;
pub mod resolve;
pub mod scan;
pub mod section;
pub mod skill;
mod spelling;
mod strict;
pub mod structure;
pub mod value;

pub use listing::{Candidate, Listing, Registered, Standing};
pub use lock::{Approvals, Lock};
pub use reference::{BadReference, Reference};
pub use resolve::{Answers, DecidedBy, Resolution, Unresolved, resolve, resolve_all};
