//! `pacenote completions`.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::{arguments::Arguments, failure::Failure, output::Output};

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &CompletionsArguments, output: &mut Output) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "pacenote", &mut script);
    output.text(&String::from_utf8_lossy(&script))
}
