//! What holds for every listing.

use pacenote_model::{Digest, SkillLevel};
use proptest::prelude::*;

use super::{strength::Contest, *};
use crate::{
    listing::{
        Registered,
        example::{listing, skill},
    },
    lock::Source,
};

const NAMES: [&str; 3] = ["lint", "deploy", "review/security"];
const PLUGINS: [&str; 2] = ["acme", "zeta"];
const VERSIONS: [&str; 4] = ["1.2.0", "v1.10.0", "2.0.0-rc.1", "vendored"];
const HOSTS: [&str; 2] = ["claude", "codex"];
const REFERENCES: [&str; 6] =
    ["lint", "Deploy", "acme:lint", "acme:lint@1.2.0", "zeta:deploy", "review/security"];

/// Few values each, so that skills meet and ties are common.
fn any_skill() -> impl Strategy<Value = Candidate> {
    let place = (0..NAMES.len(), 0..5_usize, 0..2_u32, 0..PLUGINS.len(), 0..VERSIONS.len());
    let facts = (0..3_usize, 0..3_i64, 0..4_u8, 0..HOSTS.len(), 0..6_u8);
    (place, facts).prop_map(|((name, level, rank, plugin, version), facts)| {
        let (registered, modified, content, host, standing) = facts;
        let mut found = skill(NAMES[name]).ranked(rank).modified(modified);
        let registry = [Registered::Project, Registered::User, Registered::No];
        let level = SkillLevel::ALL[level];
        found = if level == SkillLevel::Plugin {
            found.of_plugin(PLUGINS[plugin], VERSIONS[version]).registered(registry[registered])
        } else {
            found.at(level, "")
        };
        found = found.saying(&content.to_string()).seen_by(HOSTS[host]);
        match standing {
            0 => found.listed_only(),
            1 => found.held_back(),
            _ => found,
        }
    })
}

/// Skills with a path of their own each.
fn any_skills() -> impl Strategy<Value = Vec<Candidate>> {
    prop::collection::vec(any_skill(), 0..10).prop_map(|mut skills| {
        for (n, skill) in skills.iter_mut().enumerate() {
            skill.path = format!("/{n}/SKILL.md");
        }
        skills
    })
}

fn any_reference() -> impl Strategy<Value = Reference> {
    prop::sample::select(&REFERENCES[..]).prop_map(|raw| Reference::parse(raw).unwrap())
}

fn any_host() -> impl Strategy<Value = Option<&'static str>> {
    prop::option::of(prop::sample::select(&HOSTS[..]))
}

/// Pins some references to some contents.
fn any_lock() -> impl Strategy<Value = Lock> {
    prop::collection::vec((any_reference(), 0..4_u8), 0..4).prop_map(|pins| {
        let mut lock = Lock::default();
        for (reference, content) in pins {
            let candidate = skill("lint").saying(&content.to_string());
            lock.pin(&reference, &candidate, Source::User).unwrap();
        }
        lock
    })
}

/// Approves every digest with an even first byte.
struct Even;

impl Approvals for Even {
    fn is_approved(&self, _: &Reference, digest: &Digest) -> bool {
        digest.bytes()[0].is_multiple_of(2)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_order_of_the_listing_changes_nothing(
        (skills, shuffled) in any_skills()
            .prop_flat_map(|skills| (Just(skills.clone()), Just(skills).prop_shuffle())),
        reference in any_reference(),
        lock in any_lock(),
        host in any_host(),
    ) {
        let (one, other) = (listing(skills), listing(shuffled));
        prop_assert_eq!(
            resolve(&reference, &one, &lock, &Even, host),
            resolve(&reference, &other, &lock, &Even, host)
        );
    }

    #[test]
    fn an_answer_is_usable_seen_and_what_was_asked_for(
        skills in any_skills(),
        reference in any_reference(),
        lock in any_lock(),
        host in any_host(),
    ) {
        let listing = listing(skills);
        if let Ok(answer) = resolve(&reference, &listing, &lock, &Even, host) {
            let found = answer.candidate;
            prop_assert_eq!(found.standing, Standing::Usable);
            prop_assert_eq!(Some(&found.key), reference.key());
            prop_assert!(reference.names(found));
            prop_assert!(host.is_none_or(|host| found.is_seen_by(host)));
            let named = listing.candidates.iter().filter(|one| reference.names(one)).count();
            prop_assert_eq!(answer.passed_over.len() + 1, named);
        }
    }

    #[test]
    fn skills_that_may_not_be_used_change_no_answer(
        skills in any_skills(),
        reference in any_reference(),
        lock in any_lock(),
        host in any_host(),
    ) {
        let usable: Vec<_> =
            skills.iter().filter(|one| one.standing == Standing::Usable).cloned().collect();
        let (all, usable) = (listing(skills), listing(usable));
        let with = resolve(&reference, &all, &lock, &Even, host);
        let without = resolve(&reference, &usable, &lock, &Even, host);
        let chosen = |answer: &Result<Resolution<'_>, _>| {
            answer.as_ref().ok().map(|answer| (answer.candidate.clone(), answer.decided_by))
        };
        prop_assert_eq!(chosen(&with), chosen(&without));
    }

    #[test]
    fn a_pinned_digest_that_is_there_always_wins(
        skills in any_skills(),
        reference in any_reference(),
        lock in any_lock(),
        host in any_host(),
    ) {
        let listing = listing(skills);
        let Some(entry) = lock.governing(&reference) else { return Ok(()) };
        let is_there = listing.candidates.iter().any(|one| {
            one.standing == Standing::Usable
                && reference.names(one)
                && host.is_none_or(|host| one.is_seen_by(host))
                && one.digest == entry.digest()
        });
        let answer = resolve(&reference, &listing, &lock, &Even, host);
        match answer {
            Ok(answer) if is_there => prop_assert_eq!(answer.candidate.digest, entry.digest()),
            Ok(answer) => prop_assert!(Even.is_approved(&reference, &answer.candidate.digest)),
            Err(_) => prop_assert!(!is_there),
        }
    }

    #[test]
    fn a_lock_chooses_among_what_may_be_used_anyway(
        skills in any_skills(),
        reference in any_reference(),
        lock in any_lock(),
        host in any_host(),
    ) {
        let listing = listing(skills);
        let locked = resolve(&reference, &listing, &lock, &Even, host);
        let free = resolve(&reference, &listing, &Lock::default(), &Even, host);
        prop_assert!(free.is_ok() || locked.is_err());
    }

    #[test]
    fn a_weaker_skill_never_changes_the_winner(
        skills in any_skills(),
        added in any_skill(),
        reference in any_reference(),
    ) {
        let mut more = skills.clone();
        more.push(Candidate { path: "/added/SKILL.md".to_owned(), ..added });
        let (fewer, more) = (listing(skills), listing(more));
        let lock = Lock::default();
        let Ok(before) = resolve(&reference, &fewer, &lock, &Even, None) else { return Ok(()) };
        let Some(added) = more.candidates.last() else { return Ok(()) };
        let duel = Contest::between(&[before.candidate, added]);
        if duel.is_some_and(|duel| duel.winner == before.candidate) {
            let after = resolve(&reference, &more, &lock, &Even, None).unwrap();
            prop_assert_eq!(after.candidate, before.candidate);
        }
    }
}
