//! Where a text that is not ours ends, in a way its author cannot forge.
//!
//! A fence is the same for the same text, so that prompt caches survive, and it depends on a secret
//! of the installation, so that the text cannot hold its own end. The secret itself is never shown.

use std::fmt;

use pacenote_model::Digest;

use super::Escaped;

/// What the hash is taken for, so that no other use of the secret gives the same digits.
const PURPOSE: &[u8] = b"pacenote fence\n";

/// Bytes of a fence. An author who guesses has one chance in 2^48.
const FENCE_BYTES: usize = 6;

/// The secret of one installation.
#[derive(Clone, PartialEq, Eq)]
pub struct InstallSecret([u8; 32]);

impl InstallSecret {
    /// Wraps the bytes that were drawn when pacenote was installed.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

/// Shows nothing: a secret that is logged is none.
impl fmt::Debug for InstallSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InstallSecret(…)")
    }
}

/// Twelve hexadecimal digits that stand where a text begins and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fence([u8; FENCE_BYTES]);

impl Fence {
    /// Makes the fence of the text with this digest.
    pub fn new(secret: &InstallSecret, digest: &Digest) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(&secret.0);
        hasher.update(PURPOSE);
        hasher.update(digest.bytes());
        let mut bytes = [0; FENCE_BYTES];
        hasher.finalize_xof().fill(&mut bytes);
        Self(bytes)
    }

    /// Returns the line that ends the text.
    pub(crate) fn end(self) -> Escaped {
        Escaped::text(&format!("[end of {self}]"))
    }
}

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_depends_on_the_secret_and_the_text_and_on_nothing_else() {
        let (mine, yours) = (InstallSecret::new([1; 32]), InstallSecret::new([2; 32]));
        let (one, other) = (Digest::new([3; 32]), Digest::new([4; 32]));
        let fence = Fence::new(&mine, &one);
        assert_eq!(fence, Fence::new(&mine, &one));
        assert_ne!(fence, Fence::new(&yours, &one));
        assert_ne!(fence, Fence::new(&mine, &other));
        let digits = fence.to_string();
        assert!(digits.len() == 12 && digits.chars().all(|digit| digit.is_ascii_hexdigit()));
        assert_eq!(fence.end().as_str(), format!("[end of {digits}]"));
    }

    #[test]
    fn the_secret_is_never_shown() {
        assert_eq!(format!("{:?}", InstallSecret::new([7; 32])), "InstallSecret(…)");
    }
}
