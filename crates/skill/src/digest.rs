//! Digests of content.

use pacenote_model::Digest;

/// Returns the digest of some bytes.
pub fn digest_of(bytes: &[u8]) -> Digest {
    Digest::new(*blake3::hash(bytes).as_bytes())
}
