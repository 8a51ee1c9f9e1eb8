//! The only door to processes.
//!
//! A process is started from an argument vector, in a named directory, with exactly the environment
//! it was given, as the leader of its own process group.
//! [`start`] runs one to its end; [`open`] hands back a [`Running`] to talk to line by line.
//!
//! What holds for every process started here:
//! - No shell ever sees a command line of ours, and nothing is inherited but the user and the limits.
//! - Nothing the process does wedges the caller: not reading its input, flooding its output, ignoring
//!   `SIGTERM` or leaving children behind that keep its pipes open.
//! - When its leader has ended, the rest of the group is killed; when the caller lets go of a
//!   [`Running`], the whole group is.
//! - Output is kept up to a limit, and what was dropped is counted.

mod captured;
mod error;
mod finished;
mod launch;
mod leader;
mod lines;
mod pumps;
mod running;

pub use captured::{CAPTURE_CAP, Captured};
pub use error::{LineError, SendError, StartError};
pub use finished::{Ending, Finished};
pub use launch::Launch;
pub use leader::{GRACE, UNKILLABLE};
pub use lines::LINE_CAP;
pub use pumps::DRAIN;
pub use running::{LINES_QUEUED, Running, let_go, open, start};
