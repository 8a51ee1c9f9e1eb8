//! The key of a skill, derived from its name.
//!
//! Names that differ only in case or in how Unicode writes them have one key, so they are one
//! skill; what cannot stand in a path never gets into a key.

use pacenote_model::SkillKey;

use crate::spelling::folded;

/// Hexadecimal digits of the digest that stands for a name without any ASCII letter or digit.
///
/// Twelve give 48 bits: among a million names the odds of one collision are 1 in 500.
const DIGEST_DIGITS: usize = 12;

/// Derives the key of a name.
///
/// The name is normalised (NFKC) and its case folded; every run of other characters than `a-z` and
/// `0-9` becomes one `-`. A name of which nothing is left gets a key from its digest.
pub fn derive_key(name: &str) -> SkillKey {
    let folded = folded(name);
    SkillKey::parse(&hyphenated(&folded)).unwrap_or_else(|_| key_of_digest(&folded))
}

/// Keeps `a-z` and `0-9` and joins what they form with hyphens, within the length of a key.
fn hyphenated(folded: &str) -> String {
    let mut key = String::new();
    let words = folded.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    for word in words.filter(|word| !word.is_empty()) {
        if !key.is_empty() {
            key.push('-');
        }
        key.push_str(word);
    }
    key.truncate(SkillKey::LONGEST);
    key.truncate(key.trim_end_matches('-').len());
    key
}

#[expect(clippy::expect_used, reason = "`x` and hexadecimal digits are a key")]
fn key_of_digest(folded: &str) -> SkillKey {
    let digest = blake3::hash(folded.as_bytes()).to_hex();
    let key: String = std::iter::once('x').chain(digest.chars().take(DIGEST_DIGITS)).collect();
    SkillKey::parse(&key).expect("a key")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    #[test]
    fn keys_are_derived_from_what_people_write() {
        let longest = format!("{}-{}", "a".repeat(63), "b".repeat(9));
        for (name, key) in [
            ("test-driven-development", "test-driven-development"),
            ("Code Review: Rust", "code-review-rust"),
            ("chief-of-staff/planner", "chief-of-staff-planner"),
            ("  --a__b..c--  ", "a-b-c"),
            ("../../etc/passwd", "etc-passwd"),
            ("ｆｕｌｌ ｗｉｄｔｈ", "full-width"),
            ("naïve", "na-ve"),
            ("Straße", "strasse"),
            ("日本語 v2", "v2"),
            (&longest, &"a".repeat(63)),
        ] {
            assert_eq!(derive_key(name).as_str(), key, "{name:?}");
        }
        assert_eq!(derive_key("日本語").as_str(), "xb4c93ae12a92");
    }

    #[test]
    fn case_and_normalisation_make_no_difference() {
        for (one, other) in [
            ("Caf\u{e9}", "cafe\u{301}"),
            ("ΟΔΟΣ", "οδος"),
            ("\u{390}", "\u{3aa}\u{301}"),
            ("ﬁx", "FIX"),
            ("ПРИВЕТ", "привет"),
        ] {
            assert_eq!(derive_key(one), derive_key(other), "{one} {other}");
        }
        assert_ne!(derive_key("привет"), derive_key("пока"));
        assert_ne!(derive_key(""), derive_key("!"));
    }

    proptest! {
        #[test]
        fn every_text_has_a_key_and_a_key_is_its_own(name in "\\PC{0,90}|.{0,20}") {
            let key = derive_key(&name);
            prop_assert_eq!(derive_key(key.as_str()), key);
        }

        #[test]
        fn forms_of_one_name_have_one_key(name in "\\PC{0,20}") {
            let key = derive_key(&name);
            prop_assert_eq!(&derive_key(&name.nfd().collect::<String>()), &key);
            prop_assert_eq!(&derive_key(&name.nfkc().collect::<String>()), &key);
            prop_assert_eq!(&derive_key(&name.nfkd().collect::<String>()), &key);
        }
    }
}
