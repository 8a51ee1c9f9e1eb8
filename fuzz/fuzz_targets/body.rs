//! Whatever stands in a skill's body, its structure lies within the body and asks for no file beyond
//! the skill and its plugin, and the skills that it names stand in lines that it has.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_skill::chain::{Known, links};
use pacenote_skill::reference::Reference;
use pacenote_skill::skill::{Place, read};
use pacenote_skill::structure::{FileReference, Outside, structure};

fuzz_target!(|bytes: &[u8]| {
    let (skill, _) = read(bytes, &Place { directory: "reviewing-bugs", file: "SKILL.md" });
    // Every file that is asked for holds the body itself.
    let file = |file: &FileReference| {
        let mut parts = file.path().split('/');
        assert!(parts.all(|part| !matches!(part, "" | "." | "..")), "{file}");
        Some(skill.body.clone())
    };
    let tokens = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
    let outside = Outside { file: &file, tokens: &tokens };
    let (structure, remarks) = structure(&skill, "made-up", &outside);
    for part in &structure.sections {
        let [start, end] = part.bytes;
        assert!(skill.body.get(start..end).is_some(), "a section is part of its body");
    }
    for area in &structure.focus_areas {
        assert!(area.severity_range.is_none_or(|[_, highest]| area.severity == Some(highest)));
    }
    for remark in &remarks {
        assert!(!remark.to_string().contains('\n'), "{remark:?}");
    }
    let names = ["doctor", "writing-plans", "acme:deploy"];
    let known: Vec<_> = names.iter().filter_map(|name| Reference::parse(name).ok()).collect();
    let lines = skill.body.lines().count();
    for link in links(&skill.body, &Known::of(&known)) {
        assert!(link.line.is_some_and(|line| (1..=lines).contains(&line)), "{link:?}");
    }
});
