//! The description of a process to start.
//!
//! A launch says everything a process gets; what is not named here it does not get.
//! Its `Debug` form never shows the values of variables or the input, for they may be secrets.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::StartError;

/// A program with its arguments, directory, environment and input.
#[derive(Clone)]
pub struct Launch {
    program: OsString,
    directory: PathBuf,
    arguments: Vec<OsString>,
    variables: BTreeMap<OsString, OsString>,
    input: Option<Vec<u8>>,
    memory: Option<u64>,
}

impl Launch {
    /// Describes a program, by absolute path or by a name to look for in the given `PATH`, that
    /// starts in `directory` with no arguments, an empty environment and no input.
    pub fn new(program: impl Into<OsString>, directory: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            directory: directory.into(),
            arguments: Vec::new(),
            variables: BTreeMap::new(),
            input: None,
            memory: None,
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments, in order.
    #[must_use]
    pub fn arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets an environment variable; a later value for the same name replaces the earlier one.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Sets environment variables; a later value for the same name replaces the earlier one.
    #[must_use]
    pub fn variables<N: Into<OsString>, V: Into<OsString>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        self.variables.extend(variables);
        self
    }

    /// Sets the bytes the process finds on its standard input.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = Some(bytes.into());
        self
    }

    /// Limits the memory that each process may fill, in bytes; files that it maps do not count.
    ///
    /// Only Linux can do this to a process that runs; elsewhere nothing is limited.
    #[must_use]
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    pub(crate) const fn memory_limit(&self) -> Option<u64> {
        self.memory
    }

    /// Returns the program as it was named.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    pub(crate) fn given_input(&self) -> Option<&[u8]> {
        self.input.as_deref()
    }

    /// Checks the description and builds the command, with its output piped.
    #[expect(clippy::disallowed_methods, reason = "this is the one door to processes")]
    pub(crate) fn command(&self, input: Stdio) -> Result<Command, StartError> {
        self.check()?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env_clear()
            .envs(&self.variables)
            .current_dir(&self.directory)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        Ok(command)
    }

    fn check(&self) -> Result<(), StartError> {
        self.check_for_nul("the name of the program", &self.program)?;
        self.check_for_nul("the directory", self.directory.as_os_str())?;
        for (position, argument) in self.arguments.iter().enumerate() {
            self.check_for_nul(&format!("argument {}", position + 1), argument)?;
        }
        for (name, value) in &self.variables {
            if name.is_empty() || name.as_bytes().contains(&b'=') {
                return Err(StartError::VariableName { name: name.clone() });
            }
            self.check_for_nul("the name of a variable", name)?;
            self.check_for_nul(&format!("variable `{}`", name.display()), value)?;
        }
        // A relative path would mean another file before and after the change of directory, and a
        // bare name without `PATH` would be looked for in ours, which the process does not get.
        let bare = !self.program.as_bytes().contains(&b'/');
        let searchable = bare && self.variables.contains_key(OsStr::new("PATH"));
        if !Path::new(&self.program).is_absolute() && !searchable {
            return Err(StartError::Unfindable { program: self.program.clone() });
        }
        // Otherwise the system reports a missing directory in the words of a missing program.
        if !self.directory.is_dir() {
            return Err(StartError::Directory {
                program: self.program.clone(),
                directory: self.directory.clone(),
            });
        }
        Ok(())
    }

    fn check_for_nul(&self, part: &str, text: &OsStr) -> Result<(), StartError> {
        if text.as_bytes().contains(&0) {
            return Err(StartError::Nul { program: self.program.clone(), part: part.to_owned() });
        }
        Ok(())
    }
}

impl fmt::Debug for Launch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Launch")
            .field("program", &self.program)
            .field("directory", &self.directory)
            .field("arguments", &self.arguments)
            .field("variables", &self.variables.keys().collect::<Vec<_>>())
            .field("input", &self.input.as_ref().map(Vec::len))
            .field("memory", &self.memory)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(launch: &Launch) -> String {
        launch.command(Stdio::null()).expect_err("the launch is refused").to_string()
    }

    #[test]
    fn what_no_process_can_be_given_is_refused_by_name() {
        let launch = || Launch::new("/bin/true", "/");
        let table = [
            (
                Launch::new("/bin/tr\0ue", "/"),
                "a NUL byte in the name of the program for `/bin/tr\0ue`",
            ),
            (Launch::new("/bin/true", "/\0"), "a NUL byte in the directory for `/bin/true`"),
            (launch().arguments(["a", "b\0"]), "a NUL byte in argument 2 for `/bin/true`"),
            (launch().variable("KEY", "\0"), "a NUL byte in variable `KEY` for `/bin/true`"),
            (launch().variable("K\0", ""), "a NUL byte in the name of a variable for `/bin/true`"),
            (launch().variable("A=B", ""), "`A=B` cannot be the name of an environment variable"),
            (launch().variable("", ""), "`` cannot be the name of an environment variable"),
            (
                Launch::new("true", "/"),
                "`true` is neither an absolute path nor a name to look for in a given `PATH`",
            ),
            (
                Launch::new("bin/true", "/").variable("PATH", "/bin"),
                "`bin/true` is neither an absolute path nor a name to look for in a given `PATH`",
            ),
            (
                Launch::new("/bin/true", "/no/such/place"),
                "no directory `/no/such/place` to start `/bin/true` in",
            ),
        ];
        for (launch, message) in table {
            assert_eq!(refusal(&launch), message);
        }
    }

    #[test]
    fn secrets_do_not_show_in_the_debug_form() {
        let launch = Launch::new("/bin/true", "/").variable("KEY", "hunter2").input("hunter2");
        assert_eq!(
            format!("{launch:?}"),
            r#"Launch { program: "/bin/true", directory: "/", arguments: [], variables: ["KEY"], input: Some(7), memory: None }"#
        );
    }
}
