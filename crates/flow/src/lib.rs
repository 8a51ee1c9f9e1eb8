//! What happens at each moment of an agent's life, as data.
//!
//! Rules are read, checked and weighed here; nothing is done here. No files, no clock, no
//! environment, no threads: texts and facts are passed in, decisions are handed back.

pub mod lifecycle;
