//! Whatever is asked for among whatever was found, the answer is the one of every order of the
//! listing, and never a skill that nobody took into use.
//!
//! The first line is a list of references; every other line is a skill: name, plugin, version and
//! digits that choose the rest, divided by `|`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_model::{Digest, SkillLevel, SkillName};
use pacenote_skill::key::derive_key;
use pacenote_skill::listing::{Candidate, Listing, Registered, Standing};
use pacenote_skill::lock::{Approvals, Lock};
use pacenote_skill::reference::Reference;
use pacenote_skill::resolve::resolve;

struct NothingApproved;

impl Approvals for NothingApproved {
    fn is_approved(&self, _: &Reference, _: &Digest) -> bool {
        false
    }
}

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let asked = Reference::parse_list(lines.next().unwrap_or_default());
    let searched = vec!["/skills".to_owned()];
    let listing = Listing { candidates: lines.filter_map(candidate).collect(), searched };
    let mut reversed = listing.clone();
    reversed.candidates.reverse();

    for reference in asked.into_iter().flatten() {
        assert_eq!(Reference::parse(&reference.to_string()), Ok(reference.clone()));
        let answer = |listing: &Listing, host: Option<&str>| {
            resolve(&reference, listing, &Lock::default(), &NothingApproved, host)
                .map(|found| (found.candidate.clone(), found.decided_by))
                .map_err(|unresolved| unresolved.to_string())
        };
        for host in [None, Some("claude"), Some("codex")] {
            let found = answer(&listing, host);
            assert_eq!(found, answer(&reversed, host));
            if let Ok((candidate, _)) = found {
                assert_eq!(candidate.standing, Standing::Usable);
                assert!(reference.key().is_none_or(|key| *key == candidate.key));
            }
        }
    }
});

fn candidate(line: &str) -> Option<Candidate> {
    let mut parts = line.split('|');
    let name = SkillName::parse(parts.next()?).ok()?;
    let mut text = || parts.next().filter(|part| !part.is_empty()).map(str::to_owned);
    let (plugin, version, digits) = (text(), text(), text().unwrap_or_default());
    let mut digits = digits.bytes().map(|digit| usize::from(digit % 10));
    let mut pick = |many: usize| digits.next().unwrap_or_default() % many;
    let level = SkillLevel::ALL[pick(SkillLevel::ALL.len())];
    let hosts = ["claude", "codex"].into_iter().take(pick(3)).map(str::to_owned).collect();
    Some(Candidate {
        key: derive_key(name.as_str()),
        description: String::new(),
        agent_of: (pick(4) == 1).then(|| derive_key("review")),
        marketplace: plugin.is_some().then(|| "official".to_owned()),
        plugin,
        version,
        level,
        root: "/skills".to_owned(),
        root_rank: u32::try_from(pick(3)).unwrap_or_default(),
        hosts,
        path: format!("/skills/{line}/SKILL.md"),
        digest: Digest::new([u8::try_from(pick(3)).unwrap_or_default(); 32]),
        tokens: 1,
        modified: i64::try_from(pick(3)).unwrap_or_default(),
        registered: [Registered::Project, Registered::User, Registered::No][pick(3)],
        standing: [Standing::Usable, Standing::ListedOnly, Standing::HeldBack][pick(3)],
        name,
    })
}
