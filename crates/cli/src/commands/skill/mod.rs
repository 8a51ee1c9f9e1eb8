//! `pacenote skill`.

mod arguments;
mod examine;
mod find;
mod pins;
mod show;
mod views;

use std::process::ExitCode;

use pacenote_context::inert;
use pacenote_engine::{
    Desk, EngineError,
    skills::{self, Destination, Library, Surroundings},
};
use pacenote_skill::{
    choice::stand_in,
    listing::{Candidate, Standing},
    reference::Reference,
    resolve::resolve_all,
};
use pacenote_store::Access;

pub(crate) use self::arguments::SkillArguments;
use self::{
    arguments::{
        EjectArguments, ListArguments, NewArguments, PlaceArgument, ResolveArguments,
        RootsArguments, SkillCommand,
    },
    views::{
        FailedView, ResolutionView, ResolvedView, RootsView, SkillView, SkillsView, WrittenView,
    },
};
use super::columns;
use crate::{
    arguments::JsonFlag,
    environment::{Environment, working_directory},
    failure::{Failure, Kind},
    output::Output,
};

/// Characters of a description shown in a list.
const DESCRIPTION_CHARACTERS: usize = 60;

pub(crate) fn run(
    environment: &Environment,
    arguments: &SkillArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    match &arguments.verb {
        SkillCommand::List(list) => self::list(environment, list, output)?,
        SkillCommand::Show(show) => show::show(environment, show, output)?,
        SkillCommand::Roots(roots) => self::roots(environment, roots, output)?,
        SkillCommand::Resolve(resolve) => return self::resolve(environment, resolve, output),
        SkillCommand::Search(search) => find::search(environment, search, output)?,
        SkillCommand::ForTask(task) => return find::for_task(environment, task, output),
        SkillCommand::History(history) => find::history(environment, history, output)?,
        SkillCommand::Parse(parse) => return examine::parse(environment, parse, output),
        SkillCommand::Scan(scan) => return examine::scan(environment, scan, output),
        SkillCommand::Chain(chain) => examine::chain(environment, chain, output)?,
        SkillCommand::Lint(lint) => return show::lint(environment, lint, output),
        SkillCommand::Lock(lock) => pins::lock(environment, lock, output)?,
        SkillCommand::Verify(verify) => return pins::verify(environment, verify, output),
        SkillCommand::Diff(diff) => pins::diff(environment, diff, output)?,
        SkillCommand::Approve(approve) => pins::approve(environment, approve, output)?,
        SkillCommand::New(new) => self::new(environment, new, output)?,
        SkillCommand::Eject(eject) => self::eject(environment, eject, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the library of the project at hand, with the desk it rests on.
fn open(environment: &Environment, output: &mut Output) -> Result<(Desk, Library), Failure> {
    let (desk, library) = open_for(environment, &[])?;
    warn_of_lock(&desk, output);
    Ok((desk, library))
}

/// Warns of a lock file that cannot be read.
pub(super) fn warn_of_lock(desk: &Desk, output: &mut Output) {
    if let Some(trouble) = skills::lock_trouble(desk) {
        output.warn(&inert(&trouble));
    }
}

/// Opens as much of the library as some names need; without names, all of it.
fn open_for(
    environment: &Environment,
    references: &[Reference],
) -> Result<(Desk, Library), Failure> {
    // Where nothing can be written, skills are still found; only the index is not kept.
    let mut desk = match environment.desk(Access::Write) {
        Ok(desk) => desk,
        Err(failure) => environment.desk(Access::Read).map_err(|_| failure)?,
    };
    let surroundings = Surroundings {
        home: environment.home(),
        directory: working_directory()?,
        variable: &|name| environment.variable(name),
        extra: environment.settings()?.skills_extra_roots(),
    };
    let quick = if references.is_empty() {
        None
    } else {
        Library::open_for(&desk, &surroundings, references)?
    };
    let library = match quick {
        Some(library) => library,
        None => Library::open(&mut desk, &surroundings)?,
    };
    Ok((desk, library))
}

/// Returns why a skill cannot be used here, where that is so and can be told.
pub(super) fn why_unusable(environment: &Environment, raw: &str) -> Option<String> {
    let wanted = match Reference::parse(raw) {
        Ok(wanted) => wanted,
        Err(error) => return Some(error.to_string()),
    };
    let (_, library) = open_for(environment, std::slice::from_ref(&wanted)).ok()?;
    let wanted: Vec<Reference> = stand_in(&wanted).into_iter().chain([wanted]).collect();
    let (lock, approved) = (&library.lock, &library.approved);
    let mut answers = resolve_all(&wanted, &library.listing, lock, approved, None);
    let (_, unresolved) = answers.failed.pop().filter(|_| answers.resolved.is_empty())?;
    Some(unresolved.to_string())
}

/// Parses one reference; a relative path is meant from the working directory.
fn reference(raw: &str) -> Result<Reference, Failure> {
    let parsed = Reference::parse(raw).map_err(EngineError::from)?;
    Ok(parsed.under(&working_directory()?.display().to_string()))
}

fn list(
    environment: &Environment,
    list: &ListArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (_, library) = open(environment, output)?;
    let seen =
        |candidate: &&Candidate| list.host.as_deref().is_none_or(|host| candidate.is_seen_by(host));
    let mut chosen: Vec<&Candidate> = library.listing.candidates.iter().filter(seen).collect();
    chosen.sort_by_key(|candidate| {
        (candidate.reference().to_string(), candidate.level, candidate.path.clone())
    });
    if list.json.json {
        let skills = chosen.iter().map(|candidate| SkillView::listed(candidate)).collect();
        return output.json(&SkillsView { skills });
    }
    let rows: Vec<[String; 5]> = chosen
        .iter()
        .map(|candidate| {
            let standing = match candidate.standing {
                Standing::Usable => String::new(),
                Standing::ListedOnly => "not in use".into(),
                Standing::HeldBack => "held back".into(),
            };
            let about = match candidate.standing {
                Standing::Usable => shortened(&candidate.description),
                Standing::ListedOnly | Standing::HeldBack => "listed by name only".into(),
            };
            [
                inert(&candidate.reference().to_string()),
                candidate.level.word().replace('_', " "),
                format!("{} tokens", candidate.tokens),
                standing,
                inert(&about),
            ]
        })
        .collect();
    output.text(&columns(&rows))?;
    if chosen.iter().any(|candidate| candidate.standing == Standing::ListedOnly) {
        output.say(
            "`pacenote skill approve --project` approves the project's own skills as they are now",
        );
    }
    Ok(())
}

/// Returns the beginning of a description, on one line, with a mark where more follows.
fn shortened(description: &str) -> String {
    let line = description.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= DESCRIPTION_CHARACTERS {
        return line;
    }
    let kept: String = line.chars().take(DESCRIPTION_CHARACTERS - 1).collect();
    format!("{}…", kept.trim_end())
}

fn roots(
    environment: &Environment,
    roots: &RootsArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (_, library) = open(environment, output)?;
    if roots.json.json {
        return output.json(&RootsView::new(&library));
    }
    let rows: Vec<[String; 4]> = library
        .shelves
        .iter()
        .map(|shelf| {
            let plugin = shelf.root.origin.as_ref().map(|origin| match &origin.version {
                Some(version) => format!("{}@{version}: ", origin.plugin),
                None => format!("{}: ", origin.plugin),
            });
            [
                shelf.root.level.word().replace('_', " "),
                shelf.contents.skills.len().to_string(),
                inert(&shelf.root.path.display().to_string()),
                inert(&format!("{}{}", plugin.unwrap_or_default(), shelf.root.why)),
            ]
        })
        .collect();
    let built_in = pacenote_skill::builtin::BUILT_IN.len();
    output.text(&format!("{}\nbuilt in  {built_in}  part of this binary", columns(&rows)))?;
    for refused in library.shelves.iter().flat_map(|shelf| &shelf.contents.refused) {
        output.warn(&inert(refused));
    }
    for note in &library.notes {
        output.say(&inert(note));
    }
    Ok(())
}

fn resolve(
    environment: &Environment,
    arguments: &ResolveArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let directory = working_directory()?.display().to_string();
    let mut references = Vec::new();
    let mut failed = Vec::new();
    for (raw, parsed) in
        arguments.references.split(',').zip(Reference::parse_list(&arguments.references))
    {
        match parsed {
            Ok(reference) => references.push(reference.under(&directory)),
            Err(error) => failed.push(FailedView {
                reference: raw.chars().take(DESCRIPTION_CHARACTERS).collect(),
                reason: error.to_string(),
                searched: Vec::new(),
                nearest: Vec::new(),
            }),
        }
    }
    let trusted: &[Reference] = if arguments.indexed { &references } else { &[] };
    let (desk, library) = open_for(environment, trusted)?;
    warn_of_lock(&desk, output);
    let answers = resolve_all(
        &references,
        &library.listing,
        &library.lock,
        &library.approved,
        arguments.host.as_deref(),
    );
    failed.extend(answers.failed.iter().map(|(reference, why)| FailedView::new(reference, why)));
    let code = if answers.resolved.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS };
    if arguments.json.json {
        let resolved = answers.resolved.iter().map(ResolutionView::new).collect();
        output.json(&ResolvedView { resolved, failed })?;
        return Ok(code);
    }
    let rows: Vec<[String; 4]> = answers
        .resolved
        .iter()
        .map(|found| {
            [
                inert(&found.reference.to_string()),
                found.decided_by.word().replace('_', " "),
                found.candidate.digest.short(),
                inert(&found.candidate.path),
            ]
        })
        .collect();
    output.text(&columns(&rows))?;
    for warning in answers.resolved.iter().flat_map(|found| &found.warnings) {
        output.warn(&inert(&warning.to_string()));
    }
    for failure in &failed {
        output.warn(&inert(&failure.reason));
        for searched in &failure.searched {
            output.say(&inert(&format!("  searched {searched}")));
        }
        if let Some(nearest) = failure.nearest.first() {
            output.say(&inert(&format!("  did you mean `{nearest}`?")));
        }
    }
    Ok(code)
}

fn new(environment: &Environment, new: &NewArguments, output: &mut Output) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let destination = destination(environment, new.place)?;
    let written = skills::scaffold(&desk, &new.name, new.description.as_deref(), &destination)?;
    show_written(&written, new.json, output)
}

fn eject(
    environment: &Environment,
    eject: &EjectArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let destination = destination(environment, eject.place)?;
    show_written(&skills::eject(&desk, &eject.name, &destination)?, eject.json, output)
}

fn destination(environment: &Environment, place: PlaceArgument) -> Result<Destination, Failure> {
    match place {
        PlaceArgument::Project => Ok(Destination::Project),
        PlaceArgument::User => environment.home().map(Destination::User).ok_or_else(|| {
            Failure::new(Kind::Environment, "there is no home to write to: `HOME` is not set")
        }),
    }
}

fn show_written(
    written: &skills::Written,
    json: JsonFlag,
    output: &mut Output,
) -> Result<(), Failure> {
    let path = written.path.display().to_string();
    if json.json { output.json(&WrittenView { path }) } else { output.text(&inert(&path)) }
}
