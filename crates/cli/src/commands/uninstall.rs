//! `pacenote uninstall`: take back what `init` did.

use std::path::PathBuf;

use clap::Args;
use pacenote_context::inert;
use pacenote_engine::{
    Data, enabling,
    install::{self, Change, Deed, Target},
    presence, purge,
    rules::trust,
};
use pacenote_files::git::ProjectPlace;
use pacenote_hosts::{
    clients::{Client, Scope},
    undo::How,
};
use pacenote_store::Access;
use serde::Serialize;

use super::init::{CODEX, ChangeView, ScopeArgument, codex, find, known_clients};
use crate::{
    arguments::JsonFlag,
    environment::{Environment, working_directory},
    failure::{Failure, Kind},
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
    left_out: Vec<LeftOutView>,
    purged: Vec<String>,
    /// Files of the project that are not trusted any more.
    distrusted: Vec<String>,
}

/// A file that could not be looked at, for programs.
#[derive(Serialize)]
struct LeftOutView {
    host: &'static str,
    path: String,
    is_remembered: bool,
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
    let place = presence::find_place(&data, &working_directory()?)?;
    // A person may think for long; whoever says yes beforehand does not have to be asked.
    let held = if arguments.yes && !arguments.dry_run { install::hold(&data)? } else { None };
    let Plan { changes, left_out } = planned(environment, arguments, &data, &place)?;
    let is_kept = left_out.iter().any(|one| one.is_remembered);
    let doomed = if arguments.purge && !is_kept {
        let settings = [environment.settings_file(), environment.rules_file()];
        purge::doomed(&data, &settings.into_iter().flatten().collect::<Vec<_>>())?
    } else {
        Vec::new()
    };
    let mut view = UninstallView {
        done: false,
        changes: changes.iter().map(RemovalView::new).collect(),
        left_out: left_out.iter().map(LeftOut::view).collect(),
        purged: doomed.iter().map(|one| one.path.display().to_string()).collect(),
        distrusted: Vec::new(),
    };
    for one in &left_out {
        output.warn(&inert(&format!("`{}` is left as it is", one.target.path.display())));
        output.fail(&one.failure);
    }
    // A project is left as a whole, and only when nothing is meant to stay.
    let leaves = arguments.host.is_empty() && arguments.scope.is_none();
    let leaving = Some(enabling::leaving(&data, &place)).filter(|one| leaves && one.is_used);
    if !arguments.json.json {
        let mut plan: Vec<String> = changes.iter().map(|change| inert(&change.diff())).collect();
        let marker = leaving.iter().filter_map(|leaving| leaving.marker.as_ref());
        let gone = marker.chain(doomed.iter().map(|one| &one.path));
        plan.extend(gone.map(|path| inert(&format!("delete {}", path.display()))));
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
    let question = if arguments.purge && !is_kept {
        "Make these changes, and delete all that pacenote ever wrote down?"
    } else {
        "Make these changes?"
    };
    if !changes.is_empty() || !doomed.is_empty() || leaving.is_some() {
        environment.consent(arguments.yes, question)?;
    }
    let _held = if held.is_some() { held } else { install::hold(&data)? };
    if changes.iter().any(|change| change.target.client.name == CODEX) {
        forget_trust(environment, &changes, &data, &place, output);
    }
    for change in &changes {
        install::apply(&data, change)?;
    }
    let is_purged = arguments.purge && !is_kept;
    if leaving.is_some() && !is_purged {
        // Before the marks go: trust that stays in the store would bring them back.
        view.distrusted = withdraw_trust(environment, output);
    }
    let is_gone = if leaving.is_some() { enabling::leave(&data, &place)? } else { false };
    if is_purged {
        purge::purge(&data, &doomed)?;
    }
    if arguments.json.json {
        view.done = !is_kept;
        output.json(&view)?;
        return if is_kept { Err(unfinished(arguments)) } else { Ok(()) };
    }
    let mut lines: Vec<String> = changes.iter().map(told).collect();
    if lines.is_empty() && !is_kept {
        lines.push("no client calls our hooks".to_owned());
    }
    if leaving.is_some() {
        let name = &place.name;
        lines.push(if is_gone {
            format!("{name} does not use pacenote any more")
        } else {
            format!("what is in `.pacenote/` of {name} is yours and stays; hooks find it there")
        });
    }
    if !view.distrusted.is_empty() {
        let files = view.distrusted.join("`, `");
        lines.push(format!("`{files}` of {} is not trusted any more", place.name));
    }
    lines.push(if is_purged {
        "all data of pacenote is deleted".to_owned()
    } else {
        let kept = data.directory().display();
        format!("your tasks, mail and receipts stay in {kept}; `--purge` deletes them")
    });
    output.text(&lines.iter().map(|line| inert(line)).collect::<Vec<_>>().join("\n"))?;
    if is_kept { Err(unfinished(arguments)) } else { Ok(()) }
}

/// Withdraws the trust in all files of the project at hand and returns them. A store that cannot be
/// used must not keep anybody from leaving.
fn withdraw_trust(environment: &Environment, output: &mut Output) -> Vec<String> {
    let paths = environment.desk_of_person(Access::Read).and_then(|desk| {
        let paths = trust::trusted_paths(&desk)?;
        if !paths.is_empty() && desk.store().is_some() {
            trust::revoke(&mut environment.desk_of_person(Access::Write)?, &paths)?;
        }
        Ok(paths)
    });
    paths.unwrap_or_else(|failure| {
        output.warn("the store cannot be used, so what it knows of trusted files stays in it");
        output.fail(&failure);
        Vec::new()
    })
}

/// Returns the error for hooks that are still registered, because their file cannot be edited.
fn unfinished(arguments: &UninstallArguments) -> Failure {
    let said = if arguments.purge {
        "some of our hooks could not be taken out, so no data was deleted"
    } else {
        "some of our hooks could not be taken out"
    };
    Failure::new(Kind::User, said).hint("mend what is named above, and run this again")
}

/// What is to be done.
struct Plan {
    changes: Vec<Change>,
    left_out: Vec<LeftOut>,
}

/// A file that cannot be looked at, and why.
struct LeftOut {
    target: Target,
    /// Whether hooks were registered in it, as far as we remember.
    is_remembered: bool,
    failure: Failure,
}

impl LeftOut {
    fn view(&self) -> LeftOutView {
        LeftOutView {
            host: self.target.client.name,
            path: self.target.path.display().to_string(),
            is_remembered: self.is_remembered,
        }
    }
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
/// this person, whoever put them there. One that cannot be read must not keep the others.
fn planned(
    environment: &Environment,
    arguments: &UninstallArguments,
    data: &Data,
    place: &ProjectPlace,
) -> Result<Plan, Failure> {
    let wanted = known_clients(&arguments.host)?;
    let mut targets: Vec<Target> = Vec::new();
    let mut add = |target: Target| {
        if !targets.iter().any(|known| install::is_same_file(&known.path, &target.path)) {
            targets.push(target);
        }
    };
    let remembered = install::remembered(data)?;
    let known: Vec<PathBuf> = remembered.iter().map(|target| target.path.clone()).collect();
    remembered.into_iter().for_each(&mut add);
    for found in find(environment, &place.root) {
        let Some(home) = &found.home else { continue };
        for scope in Scope::ALL {
            Target::of(found.client, scope, home, &place.root).into_iter().for_each(&mut add);
        }
    }
    let is_meant = |target: &Target| {
        let is_named = |client: &&Client| client.name == target.client.name;
        let by_client = wanted.is_empty() || wanted.iter().any(is_named);
        by_client && arguments.scope.is_none_or(|scope| Scope::from(scope) == target.scope)
    };
    let mut plan = Plan { changes: Vec::new(), left_out: Vec::new() };
    for target in targets.into_iter().filter(is_meant) {
        match install::unregister(data, target.clone()) {
            Ok(change) if change.is_done() => {}
            Ok(change) => plan.changes.push(change),
            Err(error) => plan.left_out.push(LeftOut {
                is_remembered: known.contains(&target.path),
                failure: error.into(),
                target,
            }),
        }
    }
    Ok(plan)
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
