//! The rules, one file for each family.

pub(super) mod chat;
pub(super) mod cloud;
pub(super) mod generic;
pub(super) mod headers;
pub(super) mod keys;
pub(super) mod mail;
pub(super) mod models;
pub(super) mod payment;
pub(super) mod registries;
pub(super) mod services;
pub(super) mod source_hosting;

use super::rule::Example;

/// Writes down an example; its secret comes in two parts.
const fn hit(before: &'static str, secret: [&'static str; 2], behind: &'static str) -> Example {
    Example { before, secret, behind }
}
