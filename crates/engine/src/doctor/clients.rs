//! The clients on this machine: whether they call us, who else is called, and what they carry.

use std::path::Path;

use pacenote_files::is_executable;
use pacenote_hosts::{
    Ceiling, Host, Row,
    clients::Scope,
    edit::{Found as Hooks, Ours},
};
use semver::Version;

use super::Check;
use crate::{
    EngineError,
    clients::Found,
    codex::KnownHooks,
    install::{self, Look, Target},
};

/// Differences and hooks of others that are shown of one file.
const SHOWN: usize = 5;

/// What is known about this program and this place when clients are looked at.
pub struct Setting<'a> {
    /// The path that would be registered, if this program is installed.
    pub program: Option<&'a str>,
    /// The project's root.
    pub project: &'a Path,
    /// Asks a client for its version.
    pub version: &'a dyn Fn(&Found) -> Option<Version>,
}

/// Looks at every client that is here.
pub fn look_at_clients(found: &[Found], setting: &Setting<'_>) -> Vec<Check> {
    let there = found.iter().filter(|client| client.is_there());
    there.flat_map(|client| look_at(client, setting)).collect()
}

fn look_at(found: &Found, setting: &Setting<'_>) -> Vec<Check> {
    let mut checks = vec![version(found, setting)];
    let Some(home) = &found.home else { return checks };
    let mut is_called = false;
    for scope in Scope::ALL {
        for target in Target::of(found.client, scope, home, setting.project) {
            let path = target.path.display().to_string();
            match install::look(&target, setting.program) {
                Ok(None) => {}
                Ok(Some(Look { hooks, is_refused })) => {
                    is_called |= hooks.ours != Ours::None;
                    if is_refused {
                        checks.push(refused(found, &path));
                    }
                    checks.extend(look_at_file(found, &path, &hooks));
                }
                Err(error) => {
                    let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
                    let said = format!("{error}{}", cause.unwrap_or_default());
                    let hint = "the client cannot read it either; mend it by hand";
                    checks.push(Check::bad(format!("{} settings", found.client.name), said, hint));
                }
            }
        }
    }
    if !is_called {
        let name = found.client.name;
        let found = "it does not call us, so its agents are told nothing";
        let hint = format!("`pacenote init --host {name}` sets it up");
        checks.push(Check::doubtful(format!("{name} hooks"), found, hint));
    }
    checks.extend(carried(found));
    checks
}

/// Looks whether Codex runs the hooks that are registered with it; `ours` asks it about a program's.
pub fn look_at_trust(
    found: &Found,
    setting: &Setting<'_>,
    ours: impl Fn(&str) -> Result<Option<KnownHooks>, EngineError>,
) -> Option<Check> {
    let home = found.home.as_deref()?;
    let targets = Scope::ALL
        .into_iter()
        .flat_map(|scope| Target::of(found.client, scope, home, setting.project));
    let called = targets
        .filter_map(|target| install::look(&target, None).ok().flatten())
        .find_map(|look| look.hooks.programs.into_iter().next())?;
    let name = format!("{} trust", found.client.name);
    let KnownHooks { entries, complaints } = match ours(&called) {
        Ok(known) => known?,
        Err(error) => {
            let said = format!("it cannot be asked which hooks it runs: {error}");
            return Some(Check::doubtful(name, said, "start it in a terminal: it asks by itself"));
        }
    };
    if entries.is_empty() {
        let complaint = complaints.first().map_or(String::new(), |said| format!(": {said}"));
        let said = format!("it loads none of our hooks{complaint}");
        let hint = "fix its settings, then `pacenote init --host codex` has our hooks trusted";
        return Some(Check::bad(name, said, hint));
    }
    let waiting = entries.iter().filter(|entry| !entry.trust.runs()).count();
    if waiting > 0 {
        let said = format!("it skips {waiting} of {} hooks of ours", entries.len());
        let hint = "`pacenote init --host codex` asks you, and has them trusted";
        return Some(Check::bad(name, said, hint));
    }
    Some(Check::good(name, format!("it runs all {} hooks of ours", entries.len())))
}

fn refused(found: &Found, path: &str) -> Check {
    let said = format!(
        "`{path}` has comments or trailing commas; {} takes nothing of it, no hook either",
        found.client.title
    );
    Check::bad(format!("{} settings", found.client.name), said, "take them out")
}

fn version(found: &Found, setting: &Setting<'_>) -> Check {
    let client = found.client;
    let Some(program) = &found.program else {
        let said = format!("{} has files here, its program is not on the `PATH`", client.title);
        return Check::good(client.name, said);
    };
    let place = program.display();
    let Some(version) = (setting.version)(found) else {
        let said = format!("{} at `{place}` does not say its version", client.title);
        return Check::doubtful(client.name, said, format!("try `{} --version`", client.program));
    };
    let Some((oldest, newest)) = client.measured else {
        let said = format!("{} {version} at `{place}`; all we know of it was read", client.title);
        return Check::good(client.name, said);
    };
    let is_beyond = |other: &str, newer: bool| {
        Version::parse(other)
            .is_ok_and(|other| if newer { version > other } else { version < other })
    };
    let said = format!("{} {version} at `{place}`", client.title);
    if is_beyond(newest, true) {
        let said = format!("{said}, newer than {newest}, which was tried");
        return Check::good(client.name, said);
    }
    if is_beyond(oldest, false) {
        let said = format!("{said}, older than {oldest}, the oldest that was tried");
        return Check::doubtful(client.name, said, "update it: older ones know fewer events");
    }
    Check::good(client.name, said)
}

fn look_at_file(found: &Found, path: &str, hooks: &Hooks) -> Vec<Check> {
    let name = found.client.name;
    let mut checks = Vec::new();
    let again = format!("`pacenote init --host {name}` puts that right");
    match &hooks.ours {
        Ours::None => {}
        Ours::AsExpected => {
            checks.push(Check::good(format!("{name} hooks"), format!("as registered in `{path}`")));
        }
        Ours::Changed(differences) => {
            let mut said: Vec<String> =
                differences.first.iter().take(SHOWN).map(ToString::to_string).collect();
            let more = differences.first.len().saturating_sub(SHOWN) + differences.more;
            said.extend((more > 0).then(|| format!("and {more} more")));
            let said = format!("changed in `{path}`\n{}", said.join("\n"));
            checks.push(Check::doubtful(format!("{name} hooks"), said, again.clone()));
        }
    }
    // Where a bare name leads is the client's affair.
    let registered = hooks.programs.iter().filter(|program| program.contains('/'));
    checks.extend(registered.filter(|program| !is_executable(Path::new(program))).map(|program| {
        let said = format!("`{path}` calls `{program}`, which is no program");
        Check::bad(format!("{name} hooks"), said, again.clone())
    }));
    if hooks.disabled {
        let said = format!("`disableAllHooks` in `{path}` switches every hook off");
        checks.push(Check::bad(format!("{name} hooks"), said, "take it out to be told anything"));
    }
    if !hooks.foreign.first.is_empty() {
        let mut said: Vec<String> = hooks
            .foreign
            .first
            .iter()
            .take(SHOWN)
            .map(|foreign| format!("{}: {}", foreign.event, foreign.command))
            .collect();
        let more = hooks.foreign.first.len().saturating_sub(SHOWN) + hooks.foreign.more;
        said.extend((more > 0).then(|| format!("and {more} more")));
        let said = format!("beside ours in `{path}`\n{}", said.join("\n"));
        checks.push(Check::good(format!("{name} hooks of others"), said));
    }
    checks
}

/// Returns what a client carries, in one sentence.
fn carried(found: &Found) -> Option<Check> {
    let host = Host::from_name(found.client.name)?;
    let known = host.capabilities();
    let most = match known.ceiling {
        Ceiling::Utf16(units) => format!("{units} characters an answer"),
        Ceiling::NoneSeen => "answers of any length".to_owned(),
    };
    let parts = known.parts.map(|parts| format!(", {parts} answers where a context begins"));
    let rows = host.rows();
    let at = |has: &dyn Fn(&Row) -> bool| {
        let words = rows.iter().filter(|row| has(row)).map(|row| row.kind.word());
        words.collect::<Vec<_>>().join(", ")
    };
    let said = format!(
        "{most}{}; text at {}; verdicts at {}; nothing at {}",
        parts.unwrap_or_default(),
        at(&|row| row.context),
        at(&|row| row.verdict.is_some()),
        at(&|row| !row.context && row.verdict.is_none()),
    );
    Some(Check::good(format!("{} carries", found.client.name), said))
}
