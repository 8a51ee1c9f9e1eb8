//! The skills that are part of this binary.

/// One built-in skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name, which is also the directory it is written to.
    pub name: &'static str,
    /// Its SKILL.md.
    pub text: &'static str,
}

/// Every built-in skill, by name.
pub const BUILT_IN: &[BuiltIn] =
    &[BuiltIn { name: "using-pacenote", text: include_str!("../assets/using-pacenote/SKILL.md") }];
