//! The secret of this installation, with which fences are made.
//!
//! It keeps a foreign text from writing the end of its own fence. It protects nothing else: losing
//! it costs a prompt cache, no more.

use pacenote_context::escape::InstallSecret;
use pacenote_files::{Bytes, Links, exists, read_capped, write_atomically};
use pacenote_skill::digest::digest_of;

use crate::{Clock, Data, EngineError};

/// The size of the secret.
const SIZE: usize = 32;

/// Makes the secret when it is not there; commands that write see to that.
pub(crate) fn ensure(data: &Data, clock: Clock) -> Result<(), EngineError> {
    let path = path(data);
    if exists(&path) {
        return Ok(());
    }
    // Each fresh id has 74 random bits.
    let seed: Vec<u8> = (0..4).flat_map(|_| clock.fresh().into_bytes()).collect();
    Ok(write_atomically(&path, digest_of(&seed).bytes())?)
}

/// Returns the secret. Where there is none, the fences are as stable, only not as secret.
pub(crate) fn of(data: &Data) -> InstallSecret {
    let known = read_capped(&path(data), Bytes::new(64), Links::Refuse).ok();
    let known: Option<[u8; SIZE]> = known.and_then(|bytes| bytes.try_into().ok());
    let fallback = || *digest_of(data.directory().as_os_str().as_encoded_bytes()).bytes();
    InstallSecret::new(known.unwrap_or_else(fallback))
}

fn path(data: &Data) -> std::path::PathBuf {
    data.directory().join("secret")
}
