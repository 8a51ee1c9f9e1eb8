//! What is made of a match: some rules are lowered by what the match names or by where it stands.

use super::{
    Severity,
    url::{Standing, standings},
};

/// How the severity of a match follows from the rule's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judge {
    /// The rule's own.
    AsItIs,
    /// By the hosts that the match names: the installer of a well-known tool is hardly worth a
    /// word, and this machine is none.
    ByHost,
    /// Only when the match names a bare address or an anonymous place.
    OnlyShady,
    /// Lowered by one when the match stands in quotation marks or backticks: texts about attacks
    /// quote them.
    LessWhenQuoted,
}

impl Judge {
    /// Returns the severity of a match, or nothing when it is none after all.
    pub(super) fn severity(self, rule: Severity, before: &[u8], found: &[u8]) -> Option<Severity> {
        match self {
            Self::ByHost => by_host(rule, found),
            Self::OnlyShady => standings(found).any(|one| one == Standing::Shady).then_some(rule),
            Self::LessWhenQuoted if is_quoted(before) => Some(lower(rule)),
            Self::AsItIs | Self::LessWhenQuoted => Some(rule),
        }
    }
}

fn by_host(rule: Severity, found: &[u8]) -> Option<Severity> {
    match standings(found).max() {
        Some(Standing::Local) => None,
        Some(Standing::WellKnown) => Some(Severity::Low),
        // Without an address, the text leaves open where it comes from.
        Some(Standing::Shared) | None => Some(lower(rule)),
        Some(Standing::Unknown | Standing::Shady) => Some(rule),
    }
}

const fn lower(severity: Severity) -> Severity {
    match severity {
        Severity::High => Severity::Medium,
        Severity::Medium | Severity::Low => Severity::Low,
    }
}

/// Bytes before a match in which a quotation may have begun.
const QUOTATION: usize = 512;

/// Tells whether the line so far leaves a quotation open.
fn is_quoted(before: &[u8]) -> bool {
    let near = before.get(before.len().saturating_sub(QUOTATION)..).unwrap_or_default();
    let line = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let odd = |mark: char| line.matches(mark).count() % 2 == 1;
    let opened = |open: char, close: char| match (line.rfind(open), line.rfind(close)) {
        (Some(open), Some(close)) => open > close,
        (Some(_), None) => true,
        (None, _) => false,
    };
    // An apostrophe is no quotation mark, unless it stands right before the match.
    odd('"') || odd('`') || line.ends_with('\'') || opened('“', '”') || opened('«', '»')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_quoted_when_its_line_leaves_a_quotation_open() {
        for (before, expected) in [
            ("- \"", true),
            ("score(\"a\", \"", true),
            ("see `", true),
            ("don't ", false),
            ("inputs such as '", true),
            ("“so” and ", false),
            ("“", true),
            ("\"open\nnext line ", false),
            ("", false),
        ] {
            assert_eq!(is_quoted(before.as_bytes()), expected, "{before}");
        }
    }
}
