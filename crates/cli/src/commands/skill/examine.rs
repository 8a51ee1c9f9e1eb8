//! `pacenote skill parse`, `scan` and `chain`: what the texts of skills say.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use pacenote_context::inert;
use pacenote_engine::skills::{self, Library};
use pacenote_skill::{
    listing::Candidate,
    reference::Reference,
    resolve::{Unresolved, resolve, resolve_all},
    scan::{Scan, Severity, Suspicion},
    structure::{Remark, Structure},
};
use serde::Serialize;

use super::{
    arguments::{
        ChainArguments, FailOnArgument, FormatArgument, GraphArgument, ParseArguments,
        ScanArguments,
    },
    open, reference,
    views::FailedView,
};
use crate::{
    environment::{Environment, working_directory},
    failure::{Failure, Kind},
    output::Output,
};

pub(super) fn parse(
    environment: &Environment,
    arguments: &ParseArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let (_, library) = open(environment, output)?;
    let directory = working_directory()?.display().to_string();
    let wanted: Vec<Reference> = Reference::parse_list(&arguments.references)
        .into_iter()
        .map(|parsed| parsed.map(|reference| reference.under(&directory)))
        .collect::<Result<_, _>>()
        .map_err(pacenote_engine::EngineError::from)?;
    let answers = resolve_all(&wanted, &library.listing, &library.lock, &library.approved, None);
    let mut parsed = ParsedView::default();
    for found in &answers.resolved {
        let source = found.reference.to_string();
        let (structure, remarks) = skills::structure_of(&library, found.candidate, &source)?;
        for remark in &remarks {
            output.warn(&inert(&format!("`{source}`: {remark}")));
        }
        parsed.remarks.extend(remarks.iter().map(|remark| RemarkView::new(&source, remark)));
        parsed.resolved_skills.push(structure);
    }
    for (reference, unresolved) in &answers.failed {
        let failed = FailedView::new(reference, unresolved);
        output.warn(&inert(&failed.reason));
        parsed.failed.push(failed);
    }
    let is_empty = parsed.resolved_skills.is_empty();
    let code = if is_empty { ExitCode::from(1) } else { ExitCode::SUCCESS };
    if arguments.json.json || arguments.format == FormatArgument::Json {
        output.json(&parsed)?;
    } else {
        output.text(&yaml(&parsed)?)?;
    }
    Ok(code)
}

#[derive(Default, Serialize)]
struct ParsedView {
    resolved_skills: Vec<Structure>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<RemarkView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<FailedView>,
}

#[derive(Serialize)]
struct RemarkView {
    source: String,
    file: Option<String>,
    line: usize,
    problem: String,
}

impl RemarkView {
    fn new(source: &str, remark: &Remark) -> Self {
        Self {
            source: source.to_owned(),
            file: remark.file.as_ref().map(ToString::to_string),
            line: remark.line,
            problem: remark.problem.to_string(),
        }
    }
}

fn yaml(parsed: &ParsedView) -> Result<String, Failure> {
    serde_saphyr::to_string(parsed)
        .map_err(|error| Failure::new(Kind::Bug, format!("cannot print as YAML: {error}")))
}

pub(super) fn scan(
    environment: &Environment,
    arguments: &ScanArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let mut scanned = Vec::new();
    if arguments.references.is_empty() {
        let (_, library) = open(environment, output)?;
        let mut all: Vec<&Candidate> = library.listing.candidates.iter().collect();
        all.sort_by(|one, other| one.path.cmp(&other.path));
        for candidate in all {
            match skills::scan(candidate, &library) {
                Ok(scan) => scanned.push(Scanned::of(candidate, scan)),
                // One that is gone does not keep the others from being looked through.
                Err(error) => output.warn(&inert(&Failure::from(error).parts().0)),
            }
        }
    } else {
        scanned = scan_named(environment, &arguments.references, output)?;
    }
    let least = match arguments.fail_on {
        FailOnArgument::High => Some(Severity::High),
        FailOnArgument::Medium => Some(Severity::Medium),
        FailOnArgument::Low => Some(Severity::Low),
        FailOnArgument::Never => None,
    };
    let gravest = scanned.iter().filter_map(|one| one.scan.gravest()).max();
    let fails = least.is_some_and(|least| gravest.is_some_and(|gravest| gravest >= least));
    let code = if fails { ExitCode::from(1) } else { ExitCode::SUCCESS };
    if arguments.json.json {
        output.json(&ScansView { skills: scanned.iter().map(ScanView::new).collect() })?;
        return Ok(code);
    }
    for one in &scanned {
        let mut lines = vec![format!("{}: {}", one.name, one.scan.verdict())];
        lines.extend(one.scan.suspicions.iter().map(|suspicion| format!("  {suspicion}")));
        output.text(&inert(&lines.join("\n")))?;
    }
    if gravest.is_some() {
        output.say("a scan knows some attacks and not others: read what it names yourself");
    }
    Ok(code)
}

/// What was found in one skill.
struct Scanned {
    name: String,
    path: String,
    scan: Scan,
}

impl Scanned {
    fn of(candidate: &Candidate, scan: Scan) -> Self {
        Self { name: candidate.reference().to_string(), path: candidate.path.clone(), scan }
    }
}

fn scan_named(
    environment: &Environment,
    named: &[String],
    output: &mut Output,
) -> Result<Vec<Scanned>, Failure> {
    let mut scanned = Vec::new();
    let mut library: Option<Library> = None;
    for raw in named {
        // A directory need not be in any root: that is the moment before it is installed.
        if let Some(directory) = directory(raw) {
            let scan = skills::scan_directory(&directory)?;
            scanned.push(Scanned {
                name: raw.clone(),
                path: directory.display().to_string(),
                scan,
            });
            continue;
        }
        let wanted = reference(raw)?;
        if library.is_none() {
            library = Some(open(environment, output)?.1);
        }
        let Some(library) = &library else { continue };
        let candidate = skill_to_scan(&wanted, library)?;
        scanned.push(Scanned::of(candidate, skills::scan(candidate, library)?));
    }
    Ok(scanned)
}

/// Returns the directory that an argument means: one that is there, or that of a SKILL.md.
fn directory(raw: &str) -> Option<PathBuf> {
    let path = Path::new(raw);
    let is_written_as_path = raw.contains('/') || [".", ".."].contains(&raw);
    if !is_written_as_path || !pacenote_files::exists(path) {
        return None;
    }
    let is_file = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
    Some(if is_file { path.parent()?.to_path_buf() } else { path.to_path_buf() })
}

/// Returns the skill a name means, also one that waits for approval: it is looked through so that
/// somebody can decide about it.
fn skill_to_scan<'l>(wanted: &Reference, library: &'l Library) -> Result<&'l Candidate, Failure> {
    let listing = &library.listing;
    match resolve(wanted, listing, &library.lock, &library.approved, None) {
        Ok(found) => Ok(found.candidate),
        Err(Unresolved::Drifted { candidate, .. }) => Ok(candidate),
        Err(
            unresolved @ (Unresolved::Unknown { .. }
            | Unresolved::ListedOnly { .. }
            | Unresolved::HeldBack { .. }
            | Unresolved::OtherHost { .. }),
        ) => listing
            .candidates
            .iter()
            .find(|candidate| wanted.names(candidate))
            .ok_or_else(|| skills::unresolved_error(&unresolved).into()),
    }
}

#[derive(Serialize)]
struct ScansView<'a> {
    skills: Vec<ScanView<'a>>,
}

#[derive(Serialize)]
struct ScanView<'a> {
    #[serde(rename = "ref")]
    reference: &'a str,
    path: &'a str,
    verdict: String,
    files: usize,
    bytes: u64,
    findings: &'a [Suspicion],
}

impl<'a> ScanView<'a> {
    fn new(scanned: &'a Scanned) -> Self {
        Self {
            reference: &scanned.name,
            path: &scanned.path,
            verdict: scanned.scan.verdict(),
            files: scanned.scan.files,
            bytes: scanned.scan.bytes,
            findings: &scanned.scan.suspicions,
        }
    }
}

pub(super) fn chain(
    environment: &Environment,
    arguments: &ChainArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (_, library) = open(environment, output)?;
    let mut graph = skills::chain(&library);
    if let Some(from) = &arguments.from {
        let roots: Vec<Reference> = Reference::parse_list(from)
            .into_iter()
            .collect::<Result<_, _>>()
            .map_err(pacenote_engine::EngineError::from)?;
        let part = graph.reachable(&roots);
        if let Some(unknown) = part.unknown.first() {
            let failure = Failure::new(Kind::User, format!("no skill named `{unknown}` is in use"));
            return Err(failure.hint("`pacenote skill list` lists them all"));
        }
        graph = part.graph;
    }
    if arguments.json.json {
        return output.json(&graph);
    }
    match arguments.graph {
        Some(GraphArgument::Dot) => output.text(&graph.dot().to_string()),
        Some(GraphArgument::Mermaid) => output.text(&graph.mermaid().to_string()),
        None => output.text(&inert(&graph.text().to_string())),
    }
}
