//! Digests of texts.

use pacenote_model::Digest;

/// Returns the digest of some texts, one after the other.
pub(crate) fn digest_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(text.as_bytes());
    }
    Digest::new(*hasher.finalize().as_bytes())
}
