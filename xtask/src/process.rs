//! The one door to programs: an argument list, never a shell string.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::{disk, say};

/// A program with its arguments and surroundings, ready to be run any number of times.
#[derive(Clone, Debug)]
pub(crate) struct Invocation {
    program: OsString,
    arguments: Vec<OsString>,
    directory: Option<PathBuf>,
    inherited: Inherited,
    /// What is set, or with `None` removed, on top of what is inherited.
    variables: BTreeMap<OsString, Option<OsString>>,
    input: Option<PathBuf>,
}

/// How much of our environment a program sees.
#[derive(Clone, Copy, Debug)]
enum Inherited {
    Everything,
    Nothing,
}

impl Invocation {
    /// Describes a run of `program` with our environment, in our directory, without input.
    pub(crate) fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            directory: None,
            inherited: Inherited::Everything,
            variables: BTreeMap::new(),
            input: None,
        }
    }

    /// Adds arguments.
    pub(crate) fn arguments<A: Into<OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Runs it in `directory`.
    pub(crate) fn directory(mut self, directory: &Path) -> Self {
        self.directory = Some(directory.to_owned());
        self
    }

    /// Shows it nothing of our environment but what is set here.
    pub(crate) fn clean(mut self) -> Self {
        self.inherited = Inherited::Nothing;
        self
    }

    /// Sets an environment variable.
    pub(crate) fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.variables.insert(name.into(), Some(value.as_ref().to_owned()));
        self
    }

    /// Hides an environment variable.
    pub(crate) fn without_variable(mut self, name: &str) -> Self {
        self.variables.insert(name.into(), None);
        self
    }

    /// Feeds it the file at `path`.
    pub(crate) fn input(mut self, path: &Path) -> Self {
        self.input = Some(path.to_owned());
        self
    }

    /// Describes the same run as the guest of `host`, another program such as a profiler.
    pub(crate) fn under(self, host: Invocation) -> Self {
        let guest = [self.program].into_iter().chain(self.arguments);
        Self { program: host.program, arguments: host.arguments, ..self }.arguments(guest)
    }

    /// Announces the run, lets it print to our terminal, and fails unless it succeeds.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.run_with_output_to(Stdio::inherit())
    }

    /// Does the same, but keeps what it prints out of our own results: all goes to standard error.
    pub(crate) fn run_aside(&self) -> Result<(), Failure> {
        self.run_with_output_to(Stdio::from(io::stderr()))
    }

    /// Returns what it prints to standard output; standard error goes to our terminal.
    pub(crate) fn read_output(&self) -> Result<String, Failure> {
        let output = self.finish(self.command()?.stdout(Stdio::piped()))?;
        self.text(output.stdout)
    }

    /// Returns what it prints to standard error; standard output is dropped.
    pub(crate) fn read_errors(&self) -> Result<String, Failure> {
        let output = self.finish(self.command()?.stdout(Stdio::null()).stderr(Stdio::piped()))?;
        self.text(output.stderr)
    }

    /// Returns how long it takes from being started to being reaped, with its output dropped.
    ///
    /// With an absolute program and no hooks between fork and exec the standard library starts it
    /// by `posix_spawn`, so our own size is not part of the time.
    pub(crate) fn time(&self) -> Result<Duration, Failure> {
        let mut command = self.command()?;
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        let status = command.status().map_err(|source| self.not_started(source))?;
        let elapsed = started.elapsed();
        // A command that fails at once would look fast.
        if status.success() { Ok(elapsed) } else { Err(self.ended(status)) }
    }

    /// Tells whether it can be started and succeeds, without showing what it prints.
    pub(crate) fn succeeds(&self) -> bool {
        self.time().is_ok()
    }

    /// The failure of a run that printed something we cannot read.
    pub(crate) fn unexpected(
        &self,
        reason: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Failure {
        Failure::Unexpected { command: self.to_string(), source: reason.into() }
    }

    fn run_with_output_to(&self, output: Stdio) -> Result<(), Failure> {
        say::note(format_args!("$ {self}"));
        let mut command = self.command()?;
        let status = command.stdout(output).status().map_err(|source| self.not_started(source))?;
        if status.success() { Ok(()) } else { Err(self.ended(status)) }
    }

    #[expect(clippy::disallowed_methods, reason = "this module is the door to programs")]
    fn command(&self) -> Result<Command, Failure> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        match self.inherited {
            Inherited::Everything => {}
            Inherited::Nothing => {
                command.env_clear();
            }
        }
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.stdin(match &self.input {
            Some(path) => Stdio::from(disk::open(path)?),
            None => Stdio::null(),
        });
        Ok(command)
    }

    fn finish(&self, command: &mut Command) -> Result<Output, Failure> {
        let output = command
            .spawn()
            .and_then(std::process::Child::wait_with_output)
            .map_err(|source| self.not_started(source))?;
        if output.status.success() { Ok(output) } else { Err(self.ended(output.status)) }
    }

    fn text(&self, bytes: Vec<u8>) -> Result<String, Failure> {
        String::from_utf8(bytes).map_err(|error| self.unexpected(error))
    }

    fn not_started(&self, source: io::Error) -> Failure {
        let program = self.program.to_string_lossy().into_owned();
        if source.kind() == io::ErrorKind::NotFound {
            Failure::Missing { program }
        } else {
            Failure::Start { program, source }
        }
    }

    fn ended(&self, status: std::process::ExitStatus) -> Failure {
        Failure::Ended { command: self.to_string(), status }
    }
}

/// The command line as a developer would type it: the program by its name, arguments with blanks
/// in quotes.
impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = Path::new(&self.program).file_name().unwrap_or(&self.program);
        write!(f, "{}", program.display())?;
        for argument in &self.arguments {
            let argument = argument.to_string_lossy();
            if argument.is_empty() || argument.contains(char::is_whitespace) {
                write!(f, " '{argument}'")?;
            } else {
                write!(f, " {argument}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, Invocation};

    fn shell(script: &str) -> Invocation {
        Invocation::new("/bin/sh").arguments(["-c", script])
    }

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let invocation =
            Invocation::new("/opt/bin/pacenote").arguments(["task", "add", "two words", ""]);
        assert_eq!(invocation.to_string(), "pacenote task add 'two words' ''");
    }

    #[test]
    fn output_and_errors_are_kept_apart() {
        let invocation = shell("echo data; echo trouble >&2");
        assert_eq!(invocation.read_errors().unwrap(), "trouble\n");
        assert_eq!(shell("echo data").read_output().unwrap(), "data\n");
    }

    #[test]
    fn a_clean_environment_holds_only_what_was_set() {
        let invocation = Invocation::new("/usr/bin/env").clean().variable("ONLY", "this");
        assert_eq!(invocation.read_output().unwrap(), "ONLY=this\n");
    }

    #[test]
    fn a_guest_keeps_its_environment() {
        let guest = Invocation::new("/usr/bin/env").clean().variable("ONLY", "this");
        let hosted = guest.under(Invocation::new("/usr/bin/env").arguments(["SECOND=that"]));
        assert_eq!(hosted.to_string(), "env SECOND=that /usr/bin/env");
        assert_eq!(hosted.read_output().unwrap(), "ONLY=this\nSECOND=that\n");
    }

    #[test]
    fn a_failing_run_is_a_failure_with_its_code_and_not_a_time() {
        let failure = shell("exit 7").time().unwrap_err();
        assert_eq!(failure.to_string(), "`sh -c 'exit 7'` ended with exit status: 7");
        assert_eq!(failure.exit_code(), 7.into());
    }

    #[test]
    fn a_program_that_is_not_there_is_called_missing() {
        let failure = Invocation::new("no-such-program").run().unwrap_err();
        assert!(matches!(failure, Failure::Missing { program } if program == "no-such-program"));
    }
}
