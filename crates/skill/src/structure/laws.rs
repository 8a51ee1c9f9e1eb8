//! What holds of every body.

use proptest::prelude::*;

use super::*;
use crate::skill::{Place, read};

/// Markdown in which the rules of this module have their corners.
fn body() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "#{1,6} (Checks|When to Use|Auto-Validated|False Positives|Scope Prioritization|Step 1|[a-z]{1,4})( \\((Critical|Major to Minor|minor)\\))?:?",
        "( {0,6})([-*]|1\\.|- \\[ \\]) (\\*\\*)?[A-Za-z]{1,4}( \\((Major|Minor)\\))?:?(\\*\\*)?:? ?[a-z,; ]{0,8}",
        "\\*\\*[A-Z][a-z]{0,5}( \\(Critical/Major\\))?:?\\*\\*:? ?[a-z. ]{0,8}",
        "\\| ?(Pattern|Regex|`[a-z_(|\\\\]{1,5}`)? ?\\| ?[a-z]{0,3} ?\\|",
        "\\|-+\\|-+\\|",
        "[-`*_\\[\\]()<>|#=~!&\\\\ \t]{0,9}[a-zé日\u{200b}]{0,4}",
        "> .{0,9}|```|<!--|-->|<div>|`[a-z/.]{1,8}\\.md`|[a-z ]{0,9}\\?|\\PC{0,12}",
    ];
    prop::collection::vec((line, "\n{1,2}|\r\n"), 0..24)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end]).collect())
}

proptest! {
    #[test]
    fn every_body_has_one_structure_within_its_bounds(
        body in body(),
        name in "reviewing-(bugs|security)|writing|code-review",
    ) {
        let text = format!("---\nname: {name}\ndescription: d\n---\n{body}");
        let (skill, _) = read(text.as_bytes(), &Place { directory: "d", file: "SKILL.md" });
        let file = |_: &FileReference| Some(body.clone());
        let tokens = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
        let outside = Outside { file: &file, tokens: &tokens };
        let (structure, remarks) = super::structure(&skill, "x", &outside);
        for part in &structure.sections {
            let [start, end] = part.bytes;
            prop_assert!(skill.body.get(start..end).is_some_and(|text| !text.is_empty()));
        }
        for area in &structure.focus_areas {
            prop_assert!(!area.name.trim().is_empty(), "{:?}", area);
            prop_assert!(area.checks.iter().all(|check| !check.trim().is_empty()), "{:?}", area);
            if let Some([lowest, highest]) = area.severity_range {
                prop_assert!(lowest < highest && area.severity == Some(highest));
            }
        }
        for pattern in &structure.auto_validated_patterns {
            let compiles = |text: &String| crate::pattern::compile(text).is_ok();
            prop_assert!(pattern.pattern.as_ref().is_none_or(compiles), "{:?}", pattern);
        }
        let lines = text.lines().count() + 1;
        prop_assert!(remarks.iter().all(|remark| remark.line <= lines), "{:?}", remarks);
        prop_assert_eq!(super::structure(&skill, "x", &outside), (structure, remarks));
    }
}
