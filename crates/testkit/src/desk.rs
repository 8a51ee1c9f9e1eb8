//! A desk at which a test runs `pacenote` and reads it back like a transcript.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fmt::Write as _,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use pacenote_fleet::{Ending, Launch, start};
use tempfile::TempDir;

/// Longest life of one command. Generous: a test must not fail because the machine is busy.
const DEADLINE: Duration = Duration::from_mins(2);

/// How often a desk is cleared while somebody still puts things on it, and how long they are given in
/// between: a worker that finds its files gone gives up at once.
const CLEARINGS: usize = 50;
const BETWEEN_CLEARINGS: Duration = Duration::from_millis(20);

/// A home, a project and a way to run the binary in them.
///
/// The environment is empty but for what the desk sets, so that nothing of the machine leaks in.
pub struct Desk {
    root: TempDir,
    binary: PathBuf,
    variables: BTreeMap<String, String>,
    directory: PathBuf,
    /// Ids that were met, in order, so that a transcript shows `t-1` for whatever came first.
    ids: std::cell::RefCell<Vec<String>>,
}

impl Desk {
    /// Sets up an empty home and the project `shop`, and acts as the agent `backend`.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        let root = TempDir::new().expect("a directory");
        let directory = root.path().join("shop");
        std::fs::create_dir_all(directory.join(".git")).expect("a project");
        std::fs::write(directory.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a HEAD");
        std::fs::create_dir_all(directory.join(".git/objects")).expect("objects");
        std::fs::create_dir_all(directory.join(".git/refs")).expect("refs");
        std::fs::create_dir_all(root.path().join("home")).expect("a home");
        let home = root.path().join("home").display().to_string();
        let variables = [("HOME".into(), home), ("PACENOTE_AGENT".into(), "backend".into())].into();
        Self { root, binary: binary.into(), variables, directory, ids: Vec::new().into() }
    }

    /// Installs the binary in the home, outside any build directory, and runs it from there.
    pub fn install(&mut self) -> &mut Self {
        let directory = self.root.path().join("home/.local/bin");
        let installed = directory.join("pacenote");
        std::fs::create_dir_all(&directory).expect("a directory");
        if std::fs::hard_link(&self.binary, &installed).is_err() {
            std::fs::copy(&self.binary, &installed).expect("a copy");
        }
        self.binary = installed;
        let search = format!("{}:/usr/bin:/bin", directory.display());
        self.set("PATH", &search)
    }

    /// Sets up a desk at which the binary is installed as a person would have it, in
    /// `~/.local/bin`, and nobody is said to be an agent.
    ///
    /// Clients are only ever told of an installed program, never of one in a build directory.
    pub fn with_installed(binary: impl AsRef<Path>) -> Self {
        let mut desk = Self::new(binary.as_ref());
        desk.binary = desk.root.path().join("home/.local/bin/pacenote");
        std::fs::create_dir_all(desk.binary.parent().expect("a parent")).expect("a directory");
        // The binary may lie on another file system, to which no link leads.
        std::fs::hard_link(&binary, &desk.binary)
            .or_else(|_| std::fs::copy(&binary, &desk.binary).map(drop))
            .expect("an installed binary");
        desk.unset("PACENOTE_AGENT");
        desk
    }

    /// Returns the program that the desk runs.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// Sets a variable for all later commands.
    pub fn set(&mut self, name: &str, value: &str) -> &mut Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Takes a variable away from all later commands.
    pub fn unset(&mut self, name: &str) -> &mut Self {
        self.variables.remove(name);
        self
    }

    /// Runs later commands in another directory below the desk's root, made if it is missing.
    pub fn go_to(&mut self, directory: &str) -> &mut Self {
        self.directory = self.root.path().join(directory);
        std::fs::create_dir_all(&self.directory).expect("a directory");
        self
    }

    /// Returns the desk's root: `home` and `shop` lie below it.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Returns the directory of the user's data.
    pub fn data(&self) -> PathBuf {
        self.root.path().join("home/.local/share/pacenote")
    }

    /// Writes a file below the working directory.
    pub fn write(&self, path: &str, content: &str) {
        let path = self.directory.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, content).expect("a file");
    }

    /// Runs a command line, split at white space with `"…"` and `'…'` kept together.
    pub fn run(&self, line: &str) -> Ran {
        self.run_with_input(line, "")
    }

    /// Runs a command line with standard input.
    pub fn run_with_input(&self, line: &str, input: &str) -> Ran {
        let arguments: Vec<String> = words(line).into_iter().map(|word| self.real(&word)).collect();
        self.run_arguments(&arguments, input)
    }

    /// Runs the binary with arguments as they are.
    pub fn run_arguments(&self, arguments: &[impl AsRef<str>], input: &str) -> Ran {
        let arguments = arguments.iter().map(|argument| argument.as_ref().to_owned());
        let launch = self.launch(&self.binary).arguments(arguments).input(input.as_bytes());
        Ran::of(&launch)
    }

    /// Describes another program in the surroundings of the desk's commands.
    pub fn launch(&self, program: impl Into<OsString>) -> Launch {
        Launch::new(program, &self.directory).variables(self.variables.clone())
    }

    /// Runs commands one after the other and returns what a person would have seen.
    pub fn transcript(&self, lines: &[&str]) -> String {
        let mut shown = String::new();
        for line in lines {
            let ran = self.run(line);
            writeln!(shown, "$ pacenote {line}").expect("a string");
            shown.push_str(&self.tidy(&ran.stdout));
            shown.push_str(&self.tidy(&ran.stderr));
            if ran.code != "0" {
                writeln!(shown, "[exit {}]", ran.code).expect("a string");
            }
        }
        shown
    }

    /// Replaces what differs from run to run: paths, moments, ids.
    pub fn tidy(&self, text: &str) -> String {
        let root = self.root.path().display().to_string();
        let canonical = std::fs::canonicalize(self.root.path()).expect("a path");
        let text = text.replace(&canonical.display().to_string(), "/desk").replace(&root, "/desk");
        let mut tidy = String::new();
        for piece in pieces(&text) {
            if is_task_id(piece) || is_uuid(piece) || is_session_name(piece) || is_short_id(piece) {
                tidy.push_str(&self.stable(piece));
            } else if is_moment(piece) {
                tidy.push_str("[moment]");
            } else {
                tidy.push_str(piece);
            }
        }
        tidy
    }

    /// Returns the name a transcript gives to an id.
    fn stable(&self, id: &str) -> String {
        let mut ids = self.ids.borrow_mut();
        let place = ids.iter().position(|known| known == id).unwrap_or_else(|| {
            ids.push(id.to_owned());
            ids.len() - 1
        });
        let kind = kind_of(id);
        let number = ids.iter().take(place + 1).filter(|known| kind_of(known) == kind).count();
        format!("{kind}-{number}")
    }

    /// Turns the `t-1` of a transcript back into the id that stands behind it.
    fn real(&self, word: &str) -> String {
        let ids = self.ids.borrow();
        let wanted = |kind: fn(&str) -> bool, number: &str| {
            let number: usize = number.parse().ok()?;
            ids.iter().filter(|id| kind(id)).nth(number.checked_sub(1)?).cloned()
        };
        let real = match word.split_once('-') {
            Some(("t", number)) if number.len() < 5 => wanted(is_task_id, number),
            Some(("uuid", number)) => wanted(is_uuid, number),
            _ => None,
        };
        real.unwrap_or_else(|| word.to_owned())
    }
}

impl Drop for Desk {
    /// Clears the desk. A worker that a hook let go of may still write while its directory goes.
    fn drop(&mut self) {
        for _ in 0..CLEARINGS {
            match std::fs::remove_dir_all(self.root.path()) {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                    std::thread::sleep(BETWEEN_CLEARINGS);
                }
                // The rest is the temporary directory's own business.
                Ok(()) | Err(_) => break,
            }
        }
    }
}

/// What a command did.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Its exit code, or how else it ended.
    pub code: String,
    /// What it printed.
    pub stdout: String,
    /// What it said besides.
    pub stderr: String,
}

impl Ran {
    /// Runs a process to its end.
    pub fn of(launch: &Launch) -> Self {
        let finished = start(launch, DEADLINE).expect("the binary");
        let code = match finished.ending {
            Ending::Exited(code) => code.to_string(),
            other @ (Ending::Signalled(_) | Ending::TimedOut | Ending::Lost) => {
                format!("{other:?}")
            }
        };
        Self {
            code,
            stdout: finished.output.text().into_owned(),
            stderr: finished.errors.text().into_owned(),
        }
    }

    /// Parses standard output as JSON, once the command succeeded.
    pub fn json(&self) -> serde_json::Value {
        assert_eq!(self.code, "0", "{}", self.stderr);
        serde_json::from_str(&self.stdout).expect("JSON on standard output")
    }
}

/// Splits a command line as a shell would, without any of its other magic.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            (Some(_) | None, other) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

/// Cuts a text into runs that may be ids or moments, and what lies between.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut inside = false;
    for (at, character) in text.char_indices() {
        let part = character.is_ascii_alphanumeric() || "-:.".contains(character);
        if part != inside {
            pieces.push(&text[start..at]);
            start = at;
            inside = part;
        }
    }
    pieces.push(&text[start..]);
    // A sentence's full stop or a label's colon is not part of an id.
    pieces
        .into_iter()
        .flat_map(|piece| {
            let kept = piece.trim_end_matches(['.', ':']).len();
            [&piece[..kept], &piece[kept..]]
        })
        .filter(|piece| !piece.is_empty())
        .collect()
}

fn is_task_id(piece: &str) -> bool {
    piece.strip_prefix("t-").is_some_and(|digits| {
        digits.len() >= 5 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

fn is_uuid(piece: &str) -> bool {
    uuid::Uuid::try_parse(piece).is_ok() && piece.len() == 36
}

/// The name of a session that was given none: its host, and digits of its id.
fn is_session_name(piece: &str) -> bool {
    piece.strip_prefix("claude-").is_some_and(|digits| {
        digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// The short id of a session that a real client began.
fn is_short_id(piece: &str) -> bool {
    piece.strip_prefix("s-").is_some_and(|digits| {
        digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Returns the word by which a transcript calls an id.
fn kind_of(id: &str) -> &'static str {
    if is_uuid(id) {
        "uuid"
    } else if is_session_name(id) {
        "claude"
    } else if is_short_id(id) {
        "s"
    } else {
        "t"
    }
}

fn is_moment(piece: &str) -> bool {
    piece.len() == 24 && piece.ends_with('Z') && piece.as_bytes().get(10) == Some(&b'T')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_like_a_shell_does() {
        assert_eq!(
            words(r#"task add "Add login" --assign '' x"y z""#),
            ["task", "add", "Add login", "--assign", "", "xy z"]
        );
    }

    #[test]
    fn ids_and_moments_are_recognised() {
        assert_eq!(pieces("at t-3fa92: x"), ["at", " ", "t-3fa92", ":", " ", "x"]);
        assert!(is_moment("2026-11-15T19:45:12.345Z"));
        assert!(is_task_id("t-3fa92") && !is_task_id("t-1") && !is_task_id("t-shirt"));
    }
}
