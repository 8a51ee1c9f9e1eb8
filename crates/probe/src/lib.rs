//! The scripted model server: the wire forms of models, with replies written beforehand.
//!
//! A real agent client is pointed at [`Server::base_url`], plays a [`Script`] against it, and every
//! [`Request`] it sent can be searched afterwards.
//! That is how one proves, offline, what a model really gets to see.
//!
//! What must never happen here:
//! - listening on anything but the loopback address;
//! - keeping a key or token a client sent;
//! - letting one client, however slow or broken, hold up another.

mod connection;
mod http;
mod model;
mod request;
mod script;
mod server;
mod wire;

pub use http::{BODY_CAP, HEAD_CAP};
pub use request::{Kind, Request, Text};
pub use script::{Reply, Script};
pub use server::{CONNECTIONS, ProbeError, Server};
pub use wire::{ASIDE, SUMMARY, Wire};
