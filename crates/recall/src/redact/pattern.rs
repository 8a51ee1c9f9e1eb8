//! Regular expressions of the rules: ASCII only, bounded in size, compiled when first needed.

use regex::bytes::{Regex, RegexBuilder};

/// Largest program a pattern may compile to, in bytes: ours are far below.
const PROGRAM_BYTES: usize = 256 * 1024;

/// Compiles a pattern that is searched for; that each of ours compiles is tested.
pub(super) fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).unicode(false).size_limit(PROGRAM_BYTES).build().ok()
}

/// Compiles a pattern that must begin where it is tried.
pub(super) fn compile_anchored(pattern: &str) -> Option<Regex> {
    compile(&format!("^(?:{pattern})"))
}
