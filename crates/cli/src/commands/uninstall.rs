//! `pacenote uninstall`: take back what `init` did.

use clap::Args;
use pacenote_context::inert;
use pacenote_engine::{
    Data, EngineError,
    install::{self, Change, Deed, Target},
    presence, purge,
};
use pacenote_files::git::ProjectPlace;
use pacenote_hosts::{
    clients::{Client, Scope},
    undo::How,
};
use serde::Serialize;

use super::init::{CODEX, ChangeView, ScopeArgument, codex, find, known_clients};
use crate::{
    arguments::JsonFlag,
    environment::{Environment, working_directory},
    failure::Failure,
    output::Output,
};

#[derive(Debug, Args)]
pub(crate) struct UninstallArguments {
    /// Only these clients
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    host: Vec<String>,
    /// Only what was registered for these
    #[arg(long, value_enum)]
    scope: Option<ScopeArgument>,
    /// Delete our data too: tasks, mail, sessions, receipts, backups, settings
    #[arg(long)]
    purge: bool,
    /// Say yes for the person who runs this
    #[arg(long)]
    yes: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Serialize)]
struct UninstallView {
    done: bool,
    changes: Vec<RemovalView>,
    purged: Vec<String>,
}

#[derive(Serialize)]
struct RemovalView {
    #[serde(flatten)]
    change: ChangeView,
    how: &'static str,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &UninstallArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let data = environment.data()?;
    let place = pacenote_files::git::find_project(&working_directory()?)?;
    let changes = planned(environment, arguments, &data, &place)?;
    let doomed = if arguments.purge {
        let settings = [environment.settings_file(), environment.rules_file()];
        purge::doomed(&data, &settings.into_iter().flatten().collect::<Vec<_>>())?
    } else {
        Vec::new()
    };
    let mut view = UninstallView {
        done: false,
        changes: changes.iter().map(RemovalView::new).collect(),
        purged: doomed.iter().map(|one| one.path.display().to_string()).collect(),
    };
    if !arguments.json.json {
        let mut plan: Vec<String> = changes.iter().map(|change| inert(&change.diff())).collect();
        plan.extend(doomed.iter().map(|one| format!("delete {}", one.path.display())));
        if !plan.is_empty() {
            output.text(&plan.join("\n"))?;
        }
    }
    if arguments.dry_run {
        return if arguments.json.json {
            output.json(&view)
        } else {
            output.say("nothing was changed");
            Ok(())
        };
    }
    let question = if arguments.purge {
        "Make these changes, and delete all that pacenote ever wrote down?"
    } else {
        "Make these changes?"
    };
    if !changes.is_empty() || !doomed.is_empty() {
        environment.consent(arguments.yes, question)?;
    }
    if changes.iter().any(|change| change.target.client.name == CODEX) {
        forget_trust(environment, &changes, &data, &place, output);
    }
    for change in &changes {
        install::apply(&data, change)?;
    }
    // A project is left as a whole, and only when nothing is meant to stay.
    let leaves = arguments.host.is_empty() && arguments.scope.is_none();
    let is_gone = if leaves { presence::leave(&data, &place)? } else { false };
    if arguments.purge {
        purge::purge(&data, &doomed)?;
    }
    if arguments.json.json {
        view.done = true;
        return output.json(&view);
    }
    let mut lines: Vec<String> = changes.iter().map(told).collect();
    if lines.is_empty() {
        lines.push("no client calls our hooks".to_owned());
    }
    if leaves {
        let name = &place.name;
        lines.push(if is_gone {
            format!("{name} does not use pacenote any more")
        } else {
            format!("what is in `.pacenote/` of {name} is yours and stays; hooks find it there")
        });
    }
    lines.push(if arguments.purge {
        "all data of pacenote is deleted".to_owned()
    } else {
        let kept = data.directory().display();
        format!("your tasks, mail and receipts stay in {kept}; `--purge` deletes them")
    });
    output.text(&lines.iter().map(|line| inert(line)).collect::<Vec<_>>().join("\n"))
}

/// Takes back that Codex trusts our hooks, as long as they are there to be found.
fn forget_trust(
    environment: &Environment,
    changes: &[Change],
    data: &Data,
    place: &ProjectPlace,
    output: &mut Output,
) {
    let found = find(environment, &place.root);
    let Some(client) = found.iter().find(|one| one.client.name == CODEX) else { return };
    let files = changes.iter().filter(|change| change.target.client.name == CODEX);
    let programs = files.filter_map(|change| install::look(&change.target, None).ok().flatten());
    let mut programs: Vec<String> = programs.flat_map(|look| look.hooks.programs).collect();
    programs.dedup();
    for program in programs {
        let trust = codex(environment, client, &program, &place.root, data);
        if let Err(error) = trust.distrust() {
            output.warn("Codex could not be told to forget our hooks; what is left in its settings has no effect");
            output.fail(&error.into());
        }
    }
}

/// Plans to take our hooks out of every file that we remember, and out of those of this project and
/// this person, whoever put them there.
fn planned(
    environment: &Environment,
    arguments: &UninstallArguments,
    data: &Data,
    place: &ProjectPlace,
) -> Result<Vec<Change>, Failure> {
    let wanted = known_clients(&arguments.host)?;
    let mut targets: Vec<Target> = install::remembered(data)?;
    for found in find(environment, &place.root) {
        let Some(home) = &found.home else { continue };
        for scope in Scope::ALL {
            for target in Target::of(found.client, scope, home, &place.root) {
                if !targets.iter().any(|known| known.path == target.path) {
                    targets.push(target);
                }
            }
        }
    }
    let is_meant = |target: &Target| {
        let is_named = |client: &&Client| client.name == target.client.name;
        let by_client = wanted.is_empty() || wanted.iter().any(is_named);
        by_client && arguments.scope.is_none_or(|scope| Scope::from(scope) == target.scope)
    };
    let plans = targets.into_iter().filter(is_meant);
    let changes: Vec<Change> = plans
        .map(|target| install::unregister(data, target))
        .collect::<Result<_, EngineError>>()?;
    Ok(changes.into_iter().filter(|change| !change.is_done()).collect())
}

fn told(change: &Change) -> String {
    let path = change.target.path.display();
    let how = match change.deed {
        Deed::Remove(How::Restored) if change.after.is_none() => "is gone again, as before",
        Deed::Remove(How::Restored) => "is what it was, byte for byte",
        Deed::Remove(How::SpansCut) => "was edited since: only what we wrote was cut out",
        Deed::Remove(How::ByMeaning) => {
            "was written anew since: our hooks were taken out by their meaning, look at the rest"
        }
        Deed::Remove(How::NothingOfOurs) | Deed::Register => "had nothing of ours",
    };
    format!("{path} {how}")
}

impl RemovalView {
    fn new(change: &Change) -> Self {
        let how = match change.deed {
            Deed::Remove(How::Restored) => "restored",
            Deed::Remove(How::SpansCut) => "spans",
            Deed::Remove(How::ByMeaning) => "meaning",
            Deed::Remove(How::NothingOfOurs) | Deed::Register => "nothing",
        };
        Self { change: ChangeView::new(change), how }
    }
}
