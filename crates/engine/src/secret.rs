//! The secret of this installation, with which fences are made.
//!
//! It keeps a foreign text from writing the end of its own fence. It protects nothing else: losing
//! it costs a prompt cache, no more.

use std::path::{Path, PathBuf};

use pacenote_context::escape::InstallSecret;
use pacenote_files::{Bytes, Links, Readers, exists, read_capped};
use pacenote_skill::digest::digest_of;

use crate::{Clock, Data, EngineError};

/// Where it lies in our data.
const FILE: &str = "secret";

/// The size of the secret.
const SIZE: usize = 32;

/// Makes the secret when it is not there; commands that write see to that.
pub(crate) fn ensure(data: &Data, clock: Clock) -> Result<(), EngineError> {
    if exists(&path(data)) {
        return Ok(());
    }
    // Each fresh id has 74 random bits.
    let seed: Vec<u8> = (0..4).flat_map(|_| clock.fresh().into_bytes()).collect();
    Ok(data.files()?.write(Path::new(FILE), digest_of(&seed).bytes(), Readers::Owner)?)
}

/// Returns the secret. Where there is none, the fences are as stable, only not as secret.
pub(crate) fn of(data: &Data) -> InstallSecret {
    let known = read_capped(&path(data), Bytes::new(64), Links::Refuse).ok();
    let known: Option<[u8; SIZE]> = known.and_then(|bytes| bytes.try_into().ok());
    let fallback = || *digest_of(data.directory().as_os_str().as_encoded_bytes()).bytes();
    InstallSecret::new(known.unwrap_or_else(fallback))
}

fn path(data: &Data) -> PathBuf {
    data.directory().join(FILE)
}
