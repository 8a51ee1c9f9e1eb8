//! `pacenote trust`: which files of a repository may act.

use clap::{Args, Subcommand};
use pacenote_context::inert;
use pacenote_engine::rules::trust::{self, FileTrust, Standing};
use pacenote_store::Access;
use serde::Serialize;

use super::{columns, report_upkeep};
use crate::{
    arguments::JsonFlag,
    environment::Environment,
    failure::{Failure, Kind},
    output::Output,
};

#[derive(Debug, Args)]
pub(crate) struct TrustArguments {
    #[command(subcommand)]
    verb: TrustCommand,
}

#[derive(Debug, Subcommand)]
enum TrustCommand {
    /// Show the repository's files that act only when you trust them
    Status(StatusArguments),
    /// Trust files as they are now; a file that changes has to be trusted again
    Approve(ApproveArguments),
    /// Take trust back
    Revoke(RevokeArguments),
}

#[derive(Debug, Args)]
struct StatusArguments {
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct ApproveArguments {
    /// The files, relative to the project's root; all of them without any
    files: Vec<String>,
    /// Say yes for the person who runs this
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct RevokeArguments {
    /// The files, relative to the project's root; all of them without any
    files: Vec<String>,
    /// Say yes for the person who runs this
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &TrustArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    match &arguments.verb {
        TrustCommand::Status(status) => {
            let desk = environment.desk(Access::Read)?;
            let files = trust::status(&desk)?;
            let forgotten = trust::forgotten(&desk)?;
            if let Some(problem) = &forgotten {
                output.warn(&inert(&problem.to_string()));
            }
            if forgotten.is_none() && !status.json.json && files.is_empty() {
                output.say("this repository brings nothing that would act");
                return Ok(());
            }
            show(&files, status.json, output)
        }
        TrustCommand::Approve(approve) => {
            let mut desk = environment.desk(Access::Write)?;
            let wanted = chosen(trust::status(&desk)?, &approve.files)?;
            let waiting: Vec<FileTrust> =
                wanted.into_iter().filter(|file| file.standing.waits()).collect();
            if waiting.is_empty() {
                output.say("there is nothing to trust that is not trusted already");
                return show(&trust::status(&desk)?, approve.json, output);
            }
            for file in &waiting {
                output.say(&inert(&format!("{} {}", file.path, file.digest.short())));
            }
            let name = inert(&desk.place().name);
            let question = format!("Let these files of `{name}` act, as they are now?");
            environment.consent(approve.yes, &question)?;
            trust::approve(&mut desk, &waiting)?;
            report_upkeep(environment, &desk, output);
            show(&trust::status(&desk)?, approve.json, output)
        }
        TrustCommand::Revoke(revoke) => {
            let mut desk = environment.desk(Access::Write)?;
            let trusted = trust::trusted_paths(&desk)?;
            let is_meant = |path: &&String| {
                let mut wanted = revoke.files.iter().map(|path| path.trim_start_matches("./"));
                revoke.files.is_empty() || wanted.any(|wanted| wanted == path.as_str())
            };
            let paths: Vec<String> = trusted.iter().filter(is_meant).cloned().collect();
            if paths.is_empty() {
                output.say("nothing of this is trusted");
            } else {
                // What is trusted may hold gates, and an agent must not open one.
                environment.consent(revoke.yes, "Withdraw your trust in these files?")?;
                trust::revoke(&mut desk, &paths)?;
            }
            show(&trust::status(&desk)?, revoke.json, output)
        }
    }
}

fn chosen(files: Vec<FileTrust>, wanted: &[String]) -> Result<Vec<FileTrust>, Failure> {
    if wanted.is_empty() {
        return Ok(files);
    }
    let bare = |path: &str| path.trim_start_matches("./").to_owned();
    wanted
        .iter()
        .map(|path| {
            let found = files.iter().find(|file| file.path == bare(path)).cloned();
            found.ok_or_else(|| {
                Failure::new(Kind::User, format!("`{}` is no file that could act", inert(path)))
                    .hint("`pacenote trust status` lists those there are")
            })
        })
        .collect()
}

fn show(files: &[FileTrust], json: JsonFlag, output: &mut Output) -> Result<(), Failure> {
    if json.json {
        return output.json(&FilesView { files: files.iter().map(FileView::new).collect() });
    }
    let rows: Vec<[String; 3]> = files
        .iter()
        .map(|file| [file.standing.word().into(), file.digest.short(), inert(&file.path)])
        .collect();
    output.text(&columns(&rows))?;
    for file in files.iter().filter(|file| file.standing == Standing::Gone) {
        let path = inert(&file.path);
        output.say(&format!(
            "`{path}` is trusted, the file is gone; `pacenote trust revoke {path}` ends it"
        ));
    }
    Ok(())
}

#[derive(Serialize)]
struct FilesView<'a> {
    files: Vec<FileView<'a>>,
}

#[derive(Serialize)]
struct FileView<'a> {
    path: &'a str,
    digest: String,
    standing: &'static str,
}

impl<'a> FileView<'a> {
    fn new(file: &'a FileTrust) -> Self {
        let FileTrust { path, digest, standing } = file;
        Self { path, digest: digest.to_string(), standing: standing.word() }
    }
}
