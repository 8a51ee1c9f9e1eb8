//! `pacenote skill lock`, `verify`, `diff` and `approve`.

use std::process::ExitCode;

use pacenote_context::inert;
use pacenote_engine::{EngineError, skills};
use pacenote_skill::{lock::State, reference::Reference};

use super::{
    arguments::{ApproveArguments, DiffArguments, LockArguments, VerifyArguments},
    open, reference,
    views::{ApprovedView, ComparedView, DifferenceView, DifferencesView, VerifiedView},
};
use crate::{commands::columns, environment::Environment, failure::Failure, output::Output};

pub(super) fn lock(
    environment: &Environment,
    lock: &LockArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (mut desk, mut library) = open(environment)?;
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
    let (_, library) = open(environment)?;
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
    let (desk, library) = open(environment)?;
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
    let (mut desk, library) = open(environment)?;
    let Some(raw) = &approve.reference else {
        let name = desk.place().name.clone();
        let question = format!("Take the skills of `{name}` into use, as they are and will be?");
        environment.consent(approve.yes, &question)?;
        skills::take_into_use(&mut desk)?;
        if approve.json.json {
            return output.json(&ApprovedView { approved: name, digest: None });
        }
        return output.text(&inert(&format!("the skills of `{name}` are in use")));
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
        return output.json(&ApprovedView { approved: wanted.to_string(), digest });
    }
    output.text(&inert(&format!("approved {wanted} {}", candidate.digest.short())))
}
