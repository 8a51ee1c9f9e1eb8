//! `pacenote skill lock`, `verify`, `diff` and `approve`.

use std::process::ExitCode;

use pacenote_context::inert;
use pacenote_engine::{
    Desk, EngineError,
    skills::{self, Library, ProjectSkills},
};
use pacenote_skill::{lock::State, reference::Reference};

use super::{
    arguments::{ApproveArguments, DiffArguments, LockArguments, VerifyArguments},
    open, open_for, reference,
    views::{ApprovedView, ComparedView, DifferenceView, DifferencesView, VerifiedView},
};
use crate::{
    commands::columns,
    environment::Environment,
    failure::{Failure, Kind},
    output::Output,
};

pub(super) fn lock(
    environment: &Environment,
    lock: &LockArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (mut desk, mut library) = open_for(environment, &[])?;
    let mut references = Vec::new();
    for raw in &lock.references {
        for parsed in Reference::parse_list(raw) {
            references.push(parsed.map_err(EngineError::from)?);
        }
    }
    let consent = |name: &str| {
        let question = format!("`{name}` changed since it was pinned. Pin it as it is now?");
        environment.consent(lock.yes, &question).is_ok()
    };
    let pinned = skills::lock(&mut desk, &mut library, &references, &consent)?;
    if lock.json.json {
        let skills = library
            .lock
            .compare(&library.listing, &library.approved)
            .iter()
            .map(ComparedView::new)
            .collect();
        return output.json(&VerifiedView { sound: true, skills });
    }
    let rows: Vec<[String; 3]> = pinned
        .iter()
        .map(|(reference, candidate)| {
            [
                inert(&format!("pinned {reference}")),
                candidate.digest.short(),
                inert(&candidate.path),
            ]
        })
        .collect();
    output.text(&columns(&rows))
}

pub(super) fn verify(
    environment: &Environment,
    verify: &VerifyArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let (desk, library) = open_for(environment, &[])?;
    skills::check_lock(&desk)?;
    let compared = library.lock.compare(&library.listing, &library.approved);
    let sound = compared.iter().all(|comparison| match comparison.state {
        State::Same(_) => true,
        State::Approved(_) => !verify.frozen,
        State::Drifted(_) | State::ListedOnly(_) | State::Missing => false,
    });
    let views: Vec<ComparedView> = compared.iter().map(ComparedView::new).collect();
    let code = if sound { ExitCode::SUCCESS } else { ExitCode::from(1) };
    if verify.json.json {
        output.json(&VerifiedView { sound, skills: views })?;
        return Ok(code);
    }
    if views.is_empty() {
        output.say("nothing is pinned here; `pacenote skill lock NAME` pins a skill");
        return Ok(code);
    }
    let rows: Vec<[String; 2]> =
        views.iter().map(|view| [view.state.replace('_', " "), inert(&view.reference)]).collect();
    output.text(&columns(&rows))?;
    if views.iter().any(|view| view.state == "drifted") {
        output.say("a changed skill is left out of new sessions until it is approved");
        output.say("hint: `pacenote skill diff` shows the changes");
    }
    Ok(code)
}

pub(super) fn diff(
    environment: &Environment,
    diff: &DiffArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (desk, library) = open_for(environment, &[])?;
    let only = diff.reference.as_deref().map(reference).transpose()?;
    let differences = skills::differences(&desk, &library, only.as_ref())?;
    if diff.json.json {
        let differences = differences.iter().map(DifferenceView::new).collect();
        return output.json(&DifferencesView { differences });
    }
    if differences.is_empty() {
        output.say("nothing changed since it was pinned");
        return Ok(());
    }
    for difference in &differences {
        match &difference.text {
            Some(text) => {
                let lines: Vec<String> = text.lines().map(inert).collect();
                output.text(&lines.join("\n"))?;
            }
            None => output.say(&inert(&format!(
                "`{}` changed from {} to {}; the pinned text was never seen on this machine",
                difference.reference,
                difference.pinned.short(),
                difference.found.short()
            ))),
        }
    }
    Ok(())
}

pub(super) fn approve(
    environment: &Environment,
    approve: &ApproveArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (mut desk, library) = open(environment, output)?;
    let Some(raw) = &approve.reference else {
        return approve_project(environment, approve, &mut desk, &library, output);
    };
    let wanted = reference(raw)?;
    for difference in skills::differences(&desk, &library, Some(&wanted))? {
        for line in difference.text.unwrap_or_default().lines() {
            output.say(&inert(line));
        }
    }
    environment.consent(approve.yes, &format!("Approve `{wanted}` as it is now?"))?;
    let candidate = skills::approve(&mut desk, &library, &wanted)?;
    if approve.json.json {
        let digest = Some(candidate.digest.to_string());
        let approved = wanted.to_string();
        return output.json(&ApprovedView { approved, digest, later: None });
    }
    output.text(&inert(&format!("approved {wanted} {}", candidate.digest.short())))
}

/// What a person approves of a project.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Its skills as they are now.
    Present,
    /// Also those that are added or changed later.
    Later,
}

fn approve_project(
    environment: &Environment,
    approve: &ApproveArguments,
    desk: &mut Desk,
    library: &Library,
    output: &mut Output,
) -> Result<(), Failure> {
    let name = desk.place().name.clone();
    let waiting = skills::list_unapproved(library);
    for candidate in &waiting {
        output.say(&inert(&format!("{} {}", candidate.path, candidate.digest.short())));
    }
    let reach = match library.project_skills {
        ProjectSkills::AlsoLater => Reach::Later,
        ProjectSkills::These(_) => {
            let reach = choose_reach(environment, approve, &name)?;
            match reach {
                Reach::Present => skills::approve_listed(desk, &waiting)?,
                Reach::Later => skills::approve_later(desk)?,
            }
            reach
        }
    };
    let later = reach == Reach::Later;
    if approve.json.json {
        return output.json(&ApprovedView { approved: name, digest: None, later: Some(later) });
    }
    output.text(&inert(&match reach {
        Reach::Present => format!("the skills of `{name}` are in use as they are now"),
        Reach::Later => format!("the skills of `{name}` are in use, also later ones"),
    }))
}

/// Asks the person whether skills that come later are meant too; who does not say so means no.
fn choose_reach(
    environment: &Environment,
    approve: &ApproveArguments,
    name: &str,
) -> Result<Reach, Failure> {
    if approve.later {
        let question = format!(
            "Use the skills of `{name}`, and all that are added or changed later without asking?"
        );
        return environment.consent(approve.yes, &question).map(|()| Reach::Later);
    }
    if approve.yes {
        return environment.consent(approve.yes, "").map(|()| Reach::Present);
    }
    let question = format!(
        "Use these skills of `{name}`? `y` means as they are now, `later` means also those that \
         are added or changed later [y/later/N]"
    );
    match environment.ask_person(&question)?.as_str() {
        "y" | "yes" => Ok(Reach::Present),
        "l" | "later" => Ok(Reach::Later),
        _ => Err(Failure::new(Kind::User, "nothing was changed")),
    }
}
