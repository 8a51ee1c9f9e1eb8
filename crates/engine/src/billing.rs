//! What a session pays for before its first word: our notes, and everything beside them.

use pacenote_context::estimate_tokens;
use pacenote_files::{Bytes, Links, read_capped, read_text_if_present};
use pacenote_hosts::{clients::Scope, instructions, mcp};
use pacenote_model::HostName;

use crate::{
    Desk, EngineError,
    briefing::{Preview, preview},
    clients::{Places, find},
    install::{Target, look},
    situation::Person,
    skills::Library,
};

/// Largest instruction file that is counted; hosts read no more of one.
const INSTRUCTIONS: Bytes = Bytes::mib(1);

/// Something that a session pays for before its first word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// What it is.
    pub what: String,
    /// About how many tokens it costs; `None` where nobody knows before it was tried.
    pub tokens: Option<u32>,
}

/// Adds up what a session of a host pays for before its first word.
pub fn bill(
    desk: &Desk,
    person: &Person<'_>,
    library: &Library,
    request: &Preview<'_>,
) -> Result<Vec<Charge>, EngineError> {
    let notes = preview(desk, person, request)?;
    let tokens = Some(notes.tokens());
    let mut charges = vec![Charge { what: "the notes of pacenote".into(), tokens }];
    let seen: Vec<_> = library
        .listing
        .candidates
        .iter()
        .filter(|candidate| candidate.hosts.iter().any(|host| host == request.host.name()))
        .collect();
    let listed: u32 = seen
        .iter()
        .map(|candidate| estimate_tokens(&format!("{}: {}", candidate.name, candidate.description)))
        .sum();
    let what = format!("the list of {} skills that the host shows its model", seen.len());
    charges.push(Charge { what, tokens: Some(listed) });
    let (home, host) = (person.home.as_deref(), HostName::parse(request.host.name())?);
    for path in instructions::files(&host, &desk.place().root, home) {
        if let Ok(bytes) = read_capped(&path, INSTRUCTIONS, Links::Follow) {
            let tokens = Some(estimate_tokens(&String::from_utf8_lossy(&bytes)));
            charges.push(Charge { what: path.display().to_string(), tokens });
        }
    }
    charges.extend(of_servers(desk, person, &host));
    charges.extend(of_hooks(desk, person, &host));
    Ok(charges)
}

/// Returns the MCP servers whose tools the host shows its model.
fn of_servers(desk: &Desk, person: &Person<'_>, host: &HostName) -> Vec<Charge> {
    let home = person.home.as_deref();
    let files = mcp::files(host, &desk.place().root, home).into_iter();
    let charge = |file: mcp::ServerFile| {
        let text = read_text_if_present(&file.path, INSTRUCTIONS, Links::Follow).ok()??;
        let names = mcp::servers(&text, file.listing);
        let path = file.path.display();
        (!names.is_empty()).then(|| Charge {
            what: format!(
                "the tools of {}, as {path} says: {}",
                servers(names.len()),
                names.join(", ")
            ),
            tokens: None,
        })
    };
    files.filter_map(charge).collect()
}

/// Returns the hooks of others that may tell the model something at a start.
fn of_hooks(desk: &Desk, person: &Person<'_>, host: &HostName) -> Vec<Charge> {
    let found = find(&Places {
        home: person.home.clone(),
        project: &desk.place().root,
        variable: person.variable,
    });
    let Some((client, home)) = found
        .iter()
        .find(|one| one.client.name == host.as_str())
        .and_then(|one| Some((one.client, one.home.as_deref()?)))
    else {
        return Vec::new();
    };
    let targets = Scope::ALL
        .into_iter()
        .flat_map(|scope| Target::of(client, scope, home, &desk.place().root));
    let charge = |target: Target| {
        let foreign = look(&target, None).ok()??.hooks.foreign;
        let count = foreign.first.len() + foreign.more;
        let path = target.path.display();
        let hooks = if count == 1 { "1 hook".to_owned() } else { format!("{count} hooks") };
        (count > 0).then(|| Charge {
            what: format!("what {hooks} of others say, in {path}"),
            tokens: None,
        })
    };
    targets.filter_map(charge).collect()
}

fn servers(count: usize) -> String {
    if count == 1 { "1 MCP server".to_owned() } else { format!("{count} MCP servers") }
}
