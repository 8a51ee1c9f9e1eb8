//! `pacenote bench`: recall, measured through the product itself.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use pacenote_engine::bench::{self, Run};
use serde::Serialize;

use crate::{arguments::JsonFlag, export::write_export, failure::Failure, output::Output};

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    #[command(subcommand)]
    verb: BenchCommand,
}

#[derive(Debug, Subcommand)]
enum BenchCommand {
    /// Ask for skills by requests whose right answer is known
    Skills(SkillsArguments),
}

#[derive(Debug, Args)]
struct SkillsArguments {
    /// A directory with `docs.jsonl`, `queries.jsonl` and perhaps `near_miss.jsonl`
    #[arg(long, value_name = "DIR")]
    set: PathBuf,
    /// Where to write a line for each request: `{"qid","ranked","ms"}`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(arguments: &BenchArguments, output: &mut Output) -> Result<(), Failure> {
    let BenchCommand::Skills(skills) = &arguments.verb;
    let scratch = pacenote_files::ScratchDirectory::new()?;
    let run = bench::skills(&skills.set, &scratch)?;
    if let Some(path) = &skills.out {
        write_export(path, lines(&run).as_bytes())?;
    }
    let figures = Figures::of(&run);
    if skills.json.json {
        return output.json(&figures);
    }
    output.text(&figures.told())
}

fn lines(run: &Run) -> String {
    let lines = run.answers.iter().map(|answer| {
        let ms = answer.took.as_secs_f64() * 1000.0;
        let line = serde_json::json!({ "qid": answer.qid, "ranked": answer.ranked, "ms": ms });
        format!("{line}\n")
    });
    lines.collect()
}

#[derive(Serialize)]
struct Figures {
    skills: usize,
    requests: usize,
    first: f64,
    among_five: f64,
    reciprocal_rank: f64,
    silent: f64,
    near_miss: Option<f64>,
    median_ms: f64,
}

impl Figures {
    fn of(run: &Run) -> Self {
        let mut times: Vec<f64> =
            run.answers.iter().map(|answer| answer.took.as_secs_f64() * 1000.0).collect();
        times.sort_by(f64::total_cmp);
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        Self {
            skills: run.documents,
            requests: run.answers.len(),
            first: rounded(run.first),
            among_five: rounded(run.among_five),
            reciprocal_rank: rounded(run.reciprocal),
            silent: rounded(run.silent),
            near_miss: run.near_miss.map(rounded),
            median_ms: rounded(median),
        }
    }

    fn told(&self) -> String {
        let mut lines = vec![
            format!("{} requests, {} skills", self.requests, self.skills),
            format!("the right one first          {:.3}", self.first),
            format!("among the first five         {:.3}", self.among_five),
            format!("mean reciprocal rank         {:.3}", self.reciprocal_rank),
            format!("nothing answered             {:.3}", self.silent),
        ];
        let near = self.near_miss;
        lines.extend(near.map(|share| format!("a forbidden one first        {share:.3}")));
        lines.push(format!("median time                  {:.1} ms", self.median_ms));
        lines.join("\n")
    }
}

fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}
