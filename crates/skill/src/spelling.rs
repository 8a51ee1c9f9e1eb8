//! One spelling for names that differ only in case or in how Unicode writes them.
//!
//! Nearly every name is ASCII, for which folding is a change of case; the tables of Unicode are only
//! asked about the others. A hook folds a dozen names and has no time for more.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Returns the compatible form of a text (NFKC): a full-width dot is a dot.
pub(crate) fn normalised(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) }
}

/// Folds a text so that `ς` and `σ`, `ß` and `ss` are one.
pub(crate) fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Upper and then lower case, character by character. That can undo a composition, so the form
    // is made once more.
    text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

/// Writes a text in lower case.
pub(crate) fn lower_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let lower: String = text.nfkc().flat_map(char::to_lowercase).collect();
    lower.nfkc().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The short way for ASCII ends where the long one does.
        #[test]
        fn ascii_is_folded_as_unicode_says(text in "[\\x00-\\x7f]{0,40}") {
            let long = text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
            prop_assert_eq!(folded(&text), long.nfkc().collect::<String>());
            let long = text.nfkc().flat_map(char::to_lowercase);
            prop_assert_eq!(lower_case(&text), long.nfkc().collect::<String>());
            prop_assert_eq!(normalised(&text), text.nfkc().collect::<String>());
        }
    }
}
