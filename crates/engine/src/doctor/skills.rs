//! Skills as each client shows them to its model: which are cut, and which hide each other.

use std::collections::BTreeMap;

use pacenote_model::SkillLevel;
use pacenote_skill::listing::Candidate;

use super::{Check, counted};
use crate::{
    Desk, EngineError,
    clients::Found,
    skills::{Library, Surroundings},
};

/// Names that are shown of one kind of trouble.
const SHOWN: usize = 5;

/// Looks at the skills that the clients here list by themselves.
pub fn look_at_skills(
    desk: &Desk,
    surroundings: &Surroundings<'_>,
    found: &[Found],
) -> Result<Vec<Check>, EngineError> {
    let library = Library::look(desk, surroundings)?;
    let there = found.iter().filter(|client| client.is_there());
    Ok(there.flat_map(|client| of_client(client, &library.listing.candidates)).collect())
}

fn of_client(found: &Found, candidates: &[Candidate]) -> Vec<Check> {
    let name = found.client.name;
    let listed: Vec<&Candidate> = candidates
        .iter()
        .filter(|one| one.level != SkillLevel::BuiltIn && one.agent_of.is_none())
        .filter(|one| one.hosts.iter().any(|host| host == name))
        .collect();
    if listed.is_empty() {
        return Vec::new();
    }
    let mut checks = vec![Check::good(
        format!("{name} skills"),
        format!("{} in its directories", counted(listed.len(), "skill")),
    )];
    checks.extend(cut(found, &listed));
    checks.extend(too_many(found, &listed));
    checks.extend(conflicts(found, &listed));
    checks
}

/// Descriptions that the client cuts.
fn cut(found: &Found, listed: &[&Candidate]) -> Option<Check> {
    let most = found.client.listing.as_ref()?.description;
    let long: Vec<String> = listed
        .iter()
        .filter(|one| one.description.chars().count() > most)
        .map(|one| format!("{} ({} characters)", one.name, one.description.chars().count()))
        .collect();
    if long.is_empty() {
        return None;
    }
    let title = found.client.title;
    let said = format!("{title} cuts descriptions at {most} characters\n{}", first(&long));
    let hint = "say when to use a skill in its first sentences";
    Some(Check::doubtful(format!("{} skills", found.client.name), said, hint))
}

/// More of them than the client has room for.
fn too_many(found: &Found, listed: &[&Candidate]) -> Option<Check> {
    let listing = found.client.listing.as_ref()?;
    let length = |one: &&Candidate| {
        one.name.as_str().chars().count() + one.description.chars().count().min(listing.description)
    };
    let all: usize = listed.iter().map(length).sum();
    if all <= listing.all {
        return None;
    }
    let said = format!(
        "their descriptions take {all} characters, and {} shows about {} of them with the smaller \
         models: the rest is listed by name only",
        found.client.title, listing.all
    );
    let hint = "move what you do not need; what a task needs, pacenote tells by itself";
    Some(Check::doubtful(format!("{} skills", found.client.name), said, hint))
}

/// Skills of one name, of which the client shows only one or both alike.
fn conflicts(found: &Found, listed: &[&Candidate]) -> Option<Check> {
    let mut by_name: BTreeMap<String, Vec<&Candidate>> = BTreeMap::new();
    for one in listed {
        by_name.entry(one.reference().to_string()).or_default().push(one);
    }
    let said: Vec<String> = by_name
        .iter()
        .filter(|(_, same)| same.len() > 1)
        .map(|(name, same)| {
            let places: Vec<&str> = same.iter().map(|one| one.path.as_str()).collect();
            format!("{name}: {}", places.join(" and "))
        })
        .collect();
    if said.is_empty() {
        return None;
    }
    let hint = "rename or remove one of each; `pacenote skill resolve NAME` tells which one we use";
    let said = format!("several have the same name\n{}", first(&said));
    Some(Check::doubtful(format!("{} skills", found.client.name), said, hint))
}

fn first(all: &[String]) -> String {
    let mut shown: Vec<String> = all.iter().take(SHOWN).cloned().collect();
    let more = all.len().saturating_sub(SHOWN);
    shown.extend((more > 0).then(|| format!("and {more} more")));
    shown.join("\n")
}
