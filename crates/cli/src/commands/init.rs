//! `pacenote init`: set the clients up and take the project into use.

use std::path::Path;

use clap::{Args, ValueEnum};
use pacenote_context::inert;
use pacenote_engine::{
    Data, Desk,
    briefing::{BriefingMoment, Preview, preview},
    clients::{self, Found, Places},
    codex::{Codex, TrustOutcome},
    enabling,
    install::{self, Change, Hindrance, StatusLineOffer, Target},
    presence,
    situation::SettingsSource,
    skills::{self, Library, Surroundings},
};
use pacenote_files::git::ProjectPlace;
use pacenote_hosts::{
    Host,
    clients::{CLIENTS, Client, Scope, client_named},
};
use pacenote_store::Access;
use serde::Serialize;

use super::{report_upkeep, told::parts_for};
use crate::{
    arguments::JsonFlag,
    environment::{Environment, working_directory},
    failure::{Failure, Kind},
    output::Output,
    program,
};

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The clients to set up, such as `claude`; without any, those that are found here
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    host: Vec<String>,
    /// For whom
    #[arg(long, value_enum, default_value = "user")]
    scope: ScopeArgument,
    /// Leave Claude Code's status line alone; without this it shows `pacenote status --line` where you
    /// have none
    #[arg(long)]
    no_status_line: bool,
    /// Say yes for the person who runs this
    #[arg(long)]
    yes: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    json: JsonFlag,
}

/// For whom hooks are registered, as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeArgument {
    /// For you, in every project; where pacenote is not used they do nothing
    User,
    /// For everybody who works on this project: the file is committed
    Project,
    /// For you, in this project only
    Local,
}

impl From<ScopeArgument> for Scope {
    fn from(argument: ScopeArgument) -> Self {
        match argument {
            ScopeArgument::User => Self::User,
            ScopeArgument::Project => Self::Project,
            ScopeArgument::Local => Self::Local,
        }
    }
}

#[derive(Serialize)]
struct InitView {
    done: bool,
    program: String,
    changes: Vec<ChangeView>,
    project: Option<ProjectView>,
    briefing: Option<String>,
}

/// A change of a client's settings, for programs.
#[derive(Serialize)]
pub(crate) struct ChangeView {
    host: &'static str,
    scope: &'static str,
    path: String,
    diff: String,
}

impl ChangeView {
    pub(crate) fn new(change: &Change) -> Self {
        Self {
            host: change.target.client.name,
            scope: change.target.scope.word(),
            path: change.target.path.display().to_string(),
            diff: change.diff(),
        }
    }
}

#[derive(Serialize)]
struct ProjectView {
    name: String,
    marker: String,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &InitArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let program = program::installed(environment)?;
    let data = environment.data()?;
    let place = presence::find_place(&data, &working_directory()?)?;
    let found = find(environment, &place.root);
    // A person may think for long; whoever says yes beforehand does not have to be asked.
    let held = if arguments.yes && !arguments.dry_run && !environment.is_inside() {
        install::hold_new(&data)?
    } else {
        None
    };
    let Plan { clients, changes, left_out } =
        planned(&chosen(&found, arguments)?, arguments, &program, &data, &place)?;
    let marker = enabling::marker_of(&place, environment.home().as_deref());
    let waiting: Vec<&Change> = changes.iter().filter(|change| !change.is_done()).collect();
    let makes_marker = marker.as_ref().filter(|marker| !pacenote_files::exists(marker));
    for (client, failure) in &left_out {
        output.warn(&format!("{} is left out, for it cannot be set up", client.title));
        output.fail(failure);
    }
    let is_shared = arguments.scope == ScopeArgument::Project;
    let ignore = marker.as_deref().filter(|_| is_shared).and_then(enabling::missing_ignore);
    if !arguments.json.json {
        let mut new: Vec<String> = Vec::new();
        new.extend(makes_marker.map(|marker| format!("new directory {}", marker.display())));
        new.extend(ignore.as_ref().map(|(path, text)| new_file(path, text)));
        show_plan(&waiting, &new, output)?;
    }
    let hindered = hindered(&clients, &changes, &place);
    warn(&hindered, arguments.scope, output);
    let mut view = InitView {
        done: false,
        program,
        changes: waiting.iter().map(|change| ChangeView::new(change)).collect(),
        project: marker.as_ref().map(|marker| ProjectView {
            name: place.name.clone(),
            marker: marker.display().to_string(),
        }),
        briefing: None,
    };
    if arguments.dry_run {
        return if arguments.json.json {
            output.json(&view)
        } else {
            output.say("nothing was changed");
            Ok(())
        };
    }
    if !waiting.is_empty() || makes_marker.is_some() || ignore.is_some() {
        environment.consent(arguments.yes, "Make these changes?")?;
    }
    let _held = if held.is_some() { held } else { install::hold_new(&data)? };
    // The project first: where nothing can be written, no hook is registered either.
    let mut desk = environment.desk(Access::Write)?;
    let take = |marker| enabling::take(&mut desk, marker, is_shared);
    let taken = marker.map(take).transpose()?;
    for change in &waiting {
        install::apply(&data, change)?;
    }
    let codex_client = clients.iter().find(|one| one.client.name == CODEX);
    let calls = codex_client.map_or(CodexCalls::Us, |one| {
        tell_of_trust(&codex(environment, one, &view.program, &place.root, &data), output)
    });
    let skills = index_skills(environment, &mut desk)?;
    let briefing = briefing(environment, &desk, clients.first().map(|one| one.client))?;
    report_upkeep(environment, &desk, output);
    if arguments.json.json {
        (view.done, view.briefing) = (true, briefing);
        return output.json(&view);
    }
    let told = |one: &&Found| told(one.client, &changes, &hindered, calls);
    let mut lines: Vec<String> = clients.iter().map(told).collect();
    if let Some(change) = waiting.iter().find(|change| change.adds_status_line()) {
        let title = change.target.client.title;
        lines.push(format!(
            "the status line of {title} shows how the work stands; `init --no-status-line` takes it out"
        ));
    }
    lines.push(match &taken {
        Some(taken) if taken.is_new => {
            format!("{} uses pacenote from now on: {}", place.name, taken.marker.display())
        }
        Some(taken) => format!("{} uses pacenote: {}", place.name, taken.marker.display()),
        None => "your home is no project; run this in one to take it into use".to_owned(),
    });
    lines.push(format!("{skills} found; `pacenote doctor` tells what is wrong with any of it"));
    lines.push("`pacenote uninstall` takes all of this back".to_owned());
    lines.push(match &briefing {
        Some(_) => "the next session begins with:".to_owned(),
        None => "sessions here are told nothing".to_owned(),
    });
    output.text(&lines.iter().map(|line| inert(line)).collect::<Vec<_>>().join("\n"))?;
    match briefing {
        Some(briefing) => output.text(&format!("\n{}", inert(&briefing))),
        None => Ok(()),
    }
}

/// What is to be done.
struct Plan<'f> {
    /// The clients that can be set up.
    clients: Vec<&'f Found>,
    changes: Vec<Change>,
    /// Those that cannot, and why.
    left_out: Vec<(&'static Client, Failure)>,
}

/// Plans what makes the chosen clients call us. One that was named must be set up; among those that
/// happen to be here, one whose file is broken must not keep the others from it.
fn planned<'f>(
    chosen: &[&'f Found],
    arguments: &InitArguments,
    program: &str,
    data: &Data,
    place: &ProjectPlace,
) -> Result<Plan<'f>, Failure> {
    let mut plan = Plan { clients: Vec::new(), changes: Vec::new(), left_out: Vec::new() };
    for one in chosen {
        match changes_of(one, arguments, program, data, place) {
            Ok(changes) => {
                plan.clients.push(one);
                plan.changes.extend(changes);
            }
            Err(failure) if arguments.host.is_empty() => plan.left_out.push((one.client, failure)),
            Err(failure) => return Err(failure),
        }
    }
    // With nobody to set up, the first of the reasons is the error.
    if plan.clients.is_empty() && !plan.left_out.is_empty() {
        return Err(plan.left_out.swap_remove(0).1);
    }
    Ok(plan)
}

/// Returns what makes one client call us.
fn changes_of(
    one: &Found,
    arguments: &InitArguments,
    program: &str,
    data: &Data,
    place: &ProjectPlace,
) -> Result<Vec<Change>, Failure> {
    let home = one.home.as_deref().ok_or_else(|| {
        Failure::new(Kind::Environment, "the home directory cannot be told")
            .hint("set `HOME` to an absolute path")
    })?;
    let scope = Scope::from(arguments.scope);
    let targets = Target::of(one.client, scope, home, &place.root);
    if targets.is_empty() {
        let (title, word) = (one.client.title, scope.word());
        return Err(Failure::new(Kind::User, format!("{title} has no scope `{word}`"))
            .hint("`--scope user` sets it up for you"));
    }
    let offer =
        if arguments.no_status_line { StatusLineOffer::Decline } else { StatusLineOffer::Add };
    let register = |target| install::register(data, target, program, offer).map_err(Failure::from);
    targets.into_iter().map(register).collect()
}

/// Shows a file that is made, as a diff would.
fn new_file(path: &Path, text: &str) -> String {
    let header = format!("--- /dev/null\n+++ {}", path.display());
    text.lines().fold(header, |shown, line| shown + "\n+" + line)
}

fn show_plan(waiting: &[&Change], new: &[String], output: &mut Output) -> Result<(), Failure> {
    let mut plan: Vec<String> = waiting.iter().map(|change| inert(&change.diff())).collect();
    if waiting.iter().any(|change| change.target.client.name == CODEX) {
        let said = "Codex is told to trust these hooks, and writes that into its own settings";
        plan.push(said.to_owned());
    }
    plan.extend(new.iter().map(|one| inert(one)));
    if plan.is_empty() { Ok(()) } else { output.text(&plan.join("\n")) }
}

/// Whether Codex calls our hooks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CodexCalls {
    Us,
    Nobody,
}

/// Lets Codex trust our hooks. Without that they are registered all the same, and it asks by itself.
fn tell_of_trust(codex: &Codex<'_>, output: &mut Output) -> CodexCalls {
    match codex.trust() {
        Ok(TrustOutcome::NotAsked | TrustOutcome::Runs { newly: 0 }) => CodexCalls::Us,
        Ok(TrustOutcome::Runs { newly }) => {
            output.say(&format!("Codex trusts {newly} hooks of ours now, in its own settings"));
            CodexCalls::Us
        }
        Ok(TrustOutcome::Unlisted { complaint }) => {
            let why = complaint.map_or(String::new(), |complaint| format!(": {complaint}"));
            output.warn(&inert(&format!("Codex loads none of our hooks{why}")));
            output.warn("fix its settings, then run `pacenote init --host codex` again");
            CodexCalls::Nobody
        }
        Err(error) => {
            output.warn("Codex could not be asked to trust our hooks; start it once, and it asks");
            output.fail(&error.into());
            CodexCalls::Nobody
        }
    }
}

/// Returns the files that keep a client from calling our hooks: those that change, as they will be,
/// and those of its other scopes, as they are.
fn hindered(
    clients: &[&Found],
    changes: &[Change],
    place: &ProjectPlace,
) -> Vec<(Target, Hindrance)> {
    let mut found: Vec<(Target, Hindrance)> = Vec::new();
    for change in changes {
        let text = change.after.as_deref();
        let hindrance = text.and_then(|text| install::hindrance(&change.target, text));
        found.extend(hindrance.map(|hindrance| (change.target.clone(), hindrance)));
    }
    for (one, scope) in clients.iter().flat_map(|one| Scope::ALL.map(|scope| (one, scope))) {
        let Some(home) = &one.home else { continue };
        for target in Target::of(one.client, scope, home, &place.root) {
            let is_shown = changes.iter().any(|change| change.target.path == target.path);
            let text = install::present(&target).filter(|_| !is_shown);
            let is_off = |text: String| install::hindrance(&target, &text);
            if text.and_then(is_off) == Some(Hindrance::Disabled) {
                found.push((target, Hindrance::Disabled));
            }
        }
    }
    found
}

/// Warns of what will not work as it is.
fn warn(hindered: &[(Target, Hindrance)], scope: ScopeArgument, output: &mut Output) {
    for (target, hindrance) in hindered {
        let (path, title) = (target.path.display(), target.client.title);
        let said = match hindrance {
            Hindrance::Comments => format!(
                "`{path}` has comments or trailing commas, and {title} takes nothing of such a \
                 file: take them out, or no hook is called"
            ),
            Hindrance::Disabled => {
                format!("`disableAllHooks` in `{path}` switches every hook off: take it out")
            }
        };
        output.warn(&inert(&said));
    }
    if scope == ScopeArgument::Project {
        output.warn(
            "others who work on this project need pacenote at the same path; `--scope local` \
             registers it for you alone, where the client knows that",
        );
    }
}

/// The client that runs only what it was told to trust.
pub(crate) const CODEX: &str = "codex";

/// Returns Codex's side of trust.
pub(crate) fn codex<'a>(
    environment: &Environment,
    found: &'a Found,
    program: &'a str,
    directory: &'a Path,
    data: &'a Data,
) -> Codex<'a> {
    let mut variables: Vec<(String, String)> = environment.for_programs().into_iter().collect();
    let own = found.client.home_variable;
    variables.extend(own.and_then(|name| Some((name.to_owned(), environment.variable(name)?))));
    Codex { found, program, directory, variables, data }
}

/// Looks for clients here.
pub(crate) fn find(environment: &Environment, project: &Path) -> Vec<Found> {
    clients::find(&Places {
        home: environment.home(),
        project,
        variable: &|name| environment.variable(name),
    })
}

/// Returns the clients that were named, or all that are there and know the scope.
fn chosen<'f>(found: &'f [Found], arguments: &InitArguments) -> Result<Vec<&'f Found>, Failure> {
    if arguments.host.is_empty() {
        let scope = Scope::from(arguments.scope);
        let knows = |one: &&Found| {
            let home = one.home.as_deref().unwrap_or(Path::new("/"));
            !Target::of(one.client, scope, home, Path::new("/")).is_empty()
        };
        let there: Vec<&Found> = found.iter().filter(|one| one.is_there()).filter(knows).collect();
        if there.is_empty() {
            return Err(Failure::new(Kind::User, "no agent client was found here")
                .hint(format!("name one with `--host`: {}", names())));
        }
        return Ok(there);
    }
    arguments.host.iter().map(|name| by_name(found, name)).collect()
}

fn by_name<'f>(found: &'f [Found], name: &str) -> Result<&'f Found, Failure> {
    found.iter().find(|one| one.client.name == name).ok_or_else(|| unknown_client(name))
}

/// Returns the error for a client that cannot be set up.
pub(crate) fn unknown_client(name: &str) -> Failure {
    Failure::new(Kind::User, format!("no client named `{}` can be set up", inert(name)))
        .hint(format!("these can: {}", names()))
}

/// Makes sure that all named clients are known.
pub(crate) fn known_clients(names: &[String]) -> Result<Vec<&'static Client>, Failure> {
    names.iter().map(|name| client_named(name).ok_or_else(|| unknown_client(name))).collect()
}

fn names() -> String {
    CLIENTS.iter().map(|client| client.name).collect::<Vec<_>>().join(", ")
}

/// Says in one line what became of a client, whatever it took.
fn told(
    client: &Client,
    changes: &[Change],
    hindered: &[(Target, Hindrance)],
    codex: CodexCalls,
) -> String {
    let own = || changes.iter().filter(|change| change.target.client.name == client.name);
    let paths = own().map(|change| change.target.path.display().to_string());
    let paths = paths.collect::<Vec<_>>().join(", ");
    let when = if own().all(Change::is_done) { "already" } else { "now" };
    let is_hindered = hindered.iter().any(|(target, _)| target.client.name == client.name);
    if is_hindered || (client.name == CODEX && codex == CodexCalls::Nobody) {
        return format!("{} has our hooks {when}, and calls none: {paths}", client.title);
    }
    format!("{} calls our hooks {when}: {paths}", client.title)
}

/// Brings the index of skills up to date, and says how many there are.
fn index_skills(environment: &Environment, desk: &mut Desk) -> Result<String, Failure> {
    let (settings, _) = environment.usable_settings();
    let surroundings = Surroundings {
        home: environment.home(),
        directory: working_directory()?,
        variable: &|name| environment.variable(name),
        extra: settings.skills_extra_roots(),
    };
    let library = Library::open(desk, &surroundings)?;
    skills::fill_lists(desk, &library);
    let own = library.shelves.iter().map(|shelf| shelf.contents.skills.len()).sum::<usize>();
    Ok(match own {
        0 => "no skills of your own were".to_owned(),
        1 => "1 skill of your own was".to_owned(),
        more => format!("{more} skills of your own were"),
    })
}

/// Returns what a session that begins now would be told.
fn briefing(
    environment: &Environment,
    desk: &Desk,
    client: Option<&'static Client>,
) -> Result<Option<String>, Failure> {
    let Some(host) = client.and_then(|client| Host::from_name(client.name)) else {
        return Ok(None);
    };
    let (settings, _) = environment.usable_settings();
    let variable = |name: &str| environment.variable(name);
    let person = environment.person(&variable, SettingsSource::Known(&settings));
    let packed = preview(
        desk,
        &person,
        &Preview {
            agent: None,
            host,
            directory: &working_directory()?,
            moment: BriefingMoment::Beginning,
            budget: None,
            parts: parts_for(host, None),
        },
    )?;
    let texts: Vec<&str> = packed.parts.iter().map(|part| part.text.as_str()).collect();
    Ok((!texts.is_empty()).then(|| texts.join("\n")))
}
