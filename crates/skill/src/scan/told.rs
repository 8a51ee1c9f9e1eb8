//! What is told about one file: each rule a few times, and then only counted.

use super::{Rule, Severity, Suspicion};

/// How many times one rule is listed for one file; the rest is counted.
const LISTED: usize = 5;

/// What is told about a file.
#[derive(Debug, Default)]
pub(super) struct Told {
    suspicions: Vec<Suspicion>,
}

impl Told {
    /// Lists a suspicion, or counts it where its rule is listed often enough; it is not even made
    /// then.
    pub(super) fn add(
        &mut self,
        rule: &Rule,
        severity: Severity,
        suspicion: impl FnOnce() -> Suspicion,
    ) {
        let same = self.suspicions.iter_mut().filter(|known| known.rule == rule.id);
        let Some(last) = same.skip(LISTED - 1).last() else {
            self.suspicions.push(suspicion());
            return;
        };
        let more = last.more.saturating_add(1);
        // What is only counted must not make the file look better than it is.
        if severity > last.severity {
            *last = suspicion();
        }
        last.more = more;
    }

    /// Returns everything, the first line first.
    pub(super) fn into_sorted(mut self) -> Vec<Suspicion> {
        self.suspicions.sort_by(|one, other| (one.line, one.rule).cmp(&(other.line, other.rule)));
        self.suspicions
    }
}
