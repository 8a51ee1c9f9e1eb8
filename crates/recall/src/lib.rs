//! What is kept of a session, and in which form.
//!
//! Nothing is written down before [`redact`] took the secrets out of it.

pub mod redact;
