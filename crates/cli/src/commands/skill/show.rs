//! `pacenote skill show` and `lint`: one skill after the other, as much of it as is wanted.

use std::{path::Path, process::ExitCode};

use pacenote_context::inert;
use pacenote_engine::{EngineError, sessions, skills};
use pacenote_files::{Bytes, Links, read_capped};
use pacenote_model::{SkillLevel, limits};
use pacenote_skill::{
    finding::{Finding, Severity},
    lint::lint as judge,
    reference::{Reference, Target},
    resolve::resolve,
    section::{section, sections},
    skill::{Place, read},
};

use super::{
    arguments::{LintArguments, ShowArguments},
    open, reference,
    views::{FileView, FindingView, LintView, LintedView, ShownView, SkillView},
};
use crate::{environment::Environment, failure::Failure, output::Output};

pub(super) fn show(
    environment: &Environment,
    show: &ShowArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (desk, library) = open(environment, output)?;
    let wanted = reference(&show.reference)?;
    let found = resolve(&wanted, &library.listing, &library.lock, &library.approved, None)
        .map_err(|unresolved| skills::unresolved_error(&unresolved))?;
    let candidate = found.candidate;
    if let Some((host, host_id)) = environment.session() {
        // Where that cannot be recorded the text is shown all the same.
        let skill = candidate.reference().to_string();
        sessions::record_loaded_skill(&desk, host, host_id, &skill).ok();
    }
    if let Some(path) = &show.file {
        let bytes = skills::file_of(&library, candidate, path)?;
        return output.text(&plain(&String::from_utf8_lossy(&bytes)));
    }
    let text = skills::text_of(&library, candidate)?;
    let place = Place { directory: &text.directory, file: &text.file };
    let (skill, findings) = read(&text.bytes, &place);
    let files = skills::beside(&library, candidate)?;
    let body = match &show.section {
        None => skill.body.clone(),
        Some(wanted) => {
            let there = sections(&skill.body).into_iter().map(|section| section.title).collect();
            let found = section(&skill.body, wanted)
                .ok_or_else(|| EngineError::NoSection { wanted: wanted.clone(), there })?;
            skill.body.get(found.bytes).unwrap_or_default().to_owned()
        }
    };
    if show.json.json {
        return output.json(&ShownView {
            skill: SkillView::new(candidate),
            decided_by: found.decided_by.word(),
            findings: findings.iter().map(ToString::to_string).collect(),
            sections: sections(&skill.body).into_iter().map(|section| section.title).collect(),
            body: (!show.refs).then_some(body),
            files: files.iter().map(FileView::new).collect(),
        });
    }
    if show.refs {
        let lines: Vec<String> = files
            .iter()
            .map(|file| inert(&format!("{} ({} bytes)", file.path.display(), file.size)))
            .collect();
        return output.text(&lines.join("\n"));
    }
    for finding in &findings {
        output.warn(&inert(&finding.to_string()));
    }
    if show.section.is_some() {
        return output.text(&plain(&body));
    }
    let head = format!(
        "{}\n{}\n{}, decided by {}, {} tokens, {}\n",
        candidate.name,
        candidate.description,
        candidate.path,
        found.decided_by.word().replace('_', " "),
        candidate.tokens,
        candidate.digest.short(),
    );
    output.text(&plain(&format!("{head}\n{}", body.trim_start())))
}

/// Makes a text of many lines harmless.
fn plain(text: &str) -> String {
    text.lines().map(inert).collect::<Vec<_>>().join("\n")
}

pub(super) fn lint(
    environment: &Environment,
    lint: &LintArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let (_, library) = open(environment, output)?;
    let mut judged: Vec<(String, Vec<Finding>)> = Vec::new();
    if lint.references.is_empty() {
        let own = library
            .listing
            .candidates
            .iter()
            .filter(|candidate| candidate.level == SkillLevel::Project);
        for candidate in own {
            let text = skills::text_of(&library, candidate)?;
            let place = Place { directory: &text.directory, file: &text.file };
            judged.push((candidate.path.clone(), judge(&text.bytes, &place)));
        }
    }
    for raw in &lint.references {
        let wanted = reference(raw)?;
        judged.push(match wanted.target() {
            Target::Path(path) => judge_file(Path::new(path.as_str()))?,
            Target::Named(_) => judge_named(&library, &wanted)?,
        });
    }
    let broken = judged
        .iter()
        .any(|(_, findings)| findings.iter().any(|found| found.severity == Severity::Error));
    if lint.json.json {
        let skills = judged
            .iter()
            .map(|(path, findings)| LintedView {
                path: path.clone(),
                findings: findings.iter().map(FindingView::new).collect(),
            })
            .collect();
        output.json(&LintView { skills })?;
    } else {
        let lines: Vec<String> = judged
            .iter()
            .flat_map(|(path, findings)| {
                findings
                    .iter()
                    .map(move |found| inert(&format!("{}: {path}: {found}", found.severity.word())))
            })
            .collect();
        output.text(&lines.join("\n"))?;
        let count = judged.len();
        output.say(&format!("{count} skill{} judged", if count == 1 { "" } else { "s" }));
    }
    Ok(if broken { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn judge_file(path: &Path) -> Result<(String, Vec<Finding>), Failure> {
    let bytes = read_capped(path, Bytes::new(limits::SKILL_BYTES), Links::Follow)?;
    let name = |path: Option<&Path>| {
        let name = path.and_then(Path::file_name);
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let (directory, file) = (name(path.parent()), name(Some(path)));
    let findings = judge(&bytes, &Place { directory: &directory, file: &file });
    Ok((path.display().to_string(), findings))
}

fn judge_named(
    library: &skills::Library,
    wanted: &Reference,
) -> Result<(String, Vec<Finding>), Failure> {
    let found = resolve(wanted, &library.listing, &library.lock, &library.approved, None)
        .map_err(|unresolved| skills::unresolved_error(&unresolved))?;
    let text = skills::text_of(library, found.candidate)?;
    let place = Place { directory: &text.directory, file: &text.file };
    Ok((found.candidate.path.clone(), judge(&text.bytes, &place)))
}
