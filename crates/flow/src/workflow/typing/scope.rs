//! What conditions and texts may name, with what each can be.

use std::collections::BTreeMap;

use super::{Kind, Type};
use crate::workflow::{
    definition::{Param, ParamKind},
    machine::ANSWER_CHARACTERS,
    param::PARAM_BYTES,
    run::Verdict,
    words::Outcome,
};

/// Most bytes of one character.
const CHARACTER_BYTES: u64 = 4;

/// Longest title of a task, in bytes.
const TASK_BYTES: u64 = 4096;

/// Longest directory of a run.
const DIRECTORY_BYTES: u64 = 128;

/// Most a counter of a run can be.
const COUNT: i64 = u32::MAX as i64;

/// What conditions and texts may name.
#[derive(Clone, Debug, Default)]
pub(in crate::workflow) struct Scope {
    variables: BTreeMap<String, Type>,
}

impl Scope {
    /// Returns what the definition at hand declares. Parameters that could not be read are known
    /// by their names only.
    pub(in crate::workflow) fn of<'n>(
        params: &[Param],
        unread: impl IntoIterator<Item = &'n str>,
        steps: &[&str],
        gates: &[&str],
    ) -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let count = || Type::of(Kind::Number { least: 0, most: COUNT });
        let text = |most| Type::of(Kind::Text { most });
        let records = |what, names: &[&str], of| {
            Type::of(Kind::Records { what, names: owned(names), of: Box::new(of) })
        };
        let unread = unread.into_iter().map(|name| (name.to_owned(), Type::of(Kind::Anything)));
        let mut variables: BTreeMap<String, Type> = unread.collect();
        variables.extend(params.iter().map(|param| (param.name.clone(), kind_of(&param.kind))));
        variables.extend([
            ("iteration".to_owned(), count()),
            ("task".to_owned(), text(TASK_BYTES)),
            ("directory".to_owned(), text(DIRECTORY_BYTES)),
            ("steps".to_owned(), records("step", steps, step())),
            ("gates".to_owned(), records("gate", gates, gate())),
        ]);
        Self { variables }
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Type> {
        self.variables.get(name)
    }
}

fn kind_of(kind: &ParamKind) -> Type {
    let longest = u64::try_from(PARAM_BYTES).unwrap_or(u64::MAX);
    Type::of(match kind {
        ParamKind::Text | ParamKind::Path => Kind::Text { most: longest },
        ParamKind::Flag => Kind::Flag,
        ParamKind::Number { least, most } => Kind::Number { least: *least, most: *most },
        ParamKind::Choice { choices } => Kind::Word { what: "choice", of: choices.clone() },
        ParamKind::Confidence => Kind::Level,
    })
}

fn count() -> Type {
    Type::of(Kind::Number { least: 0, most: COUNT })
}

/// The fields of `steps[…]`; a test holds them to what a run serializes.
pub(super) fn step() -> Kind {
    let outcomes = Outcome::ALL.map(|outcome| outcome.word().to_owned()).to_vec();
    let answer = u64::try_from(ANSWER_CHARACTERS).unwrap_or(u64::MAX) * CHARACTER_BYTES;
    Kind::Record(vec![
        ("visits", count()),
        ("outcome", Type::or_none(Kind::Word { what: "outcome", of: outcomes })),
        ("answer", Type::or_none(Kind::Text { most: answer })),
        ("granted", count()),
    ])
}

/// The fields of `gates[…]`; what a review found is for its report, and not for texts.
pub(super) fn gate() -> Kind {
    let verdicts = [Verdict::Pass, Verdict::Fail, Verdict::Skipped];
    let verdicts = verdicts.map(|verdict| verdict.word().to_owned()).to_vec();
    Kind::Record(vec![
        ("iteration", count()),
        ("failed", Type::of(Kind::Flag)),
        ("status", Type::or_none(Kind::Word { what: "status", of: verdicts })),
        ("granted", count()),
        ("must_only", Type::of(Kind::Flag)),
        ("skips", count()),
    ])
}

/// The fields of `loop`.
pub(super) fn loop_state(rounds: i64) -> Kind {
    let number = || Type::of(Kind::Number { least: 0, most: rounds });
    Kind::Record(vec![
        ("index", number()),
        ("index0", number()),
        ("length", number()),
        ("first", Type::of(Kind::Flag)),
        ("last", Type::of(Kind::Flag)),
    ])
}
