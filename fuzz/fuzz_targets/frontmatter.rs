//! Whatever stands in a SKILL.md, reading gives a skill with a valid name and key, and the same one
//! each time.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_model::{SkillKey, SkillName};
use pacenote_skill::lint::lint;
use pacenote_skill::section::sections;
use pacenote_skill::skill::{Place, read};

fuzz_target!(|bytes: &[u8]| {
    let place = Place { directory: "made-up", file: "SKILL.md" };
    let (skill, findings) = read(bytes, &place);
    assert_eq!(SkillName::parse(skill.name.as_str()).as_ref(), Ok(&skill.name));
    assert_eq!(SkillKey::parse(skill.key.as_str()).as_ref(), Ok(&skill.key));
    for finding in &findings {
        assert!(!finding.to_string().contains('\n'), "{finding:?}");
    }
    for section in sections(&skill.body) {
        assert!(skill.body.get(section.bytes).is_some(), "a section is part of its body");
    }
    drop(lint(bytes, &place));
    assert_eq!(read(bytes, &place), (skill, findings));
});
