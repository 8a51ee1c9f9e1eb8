//! Which programs change files, and when.

/// When a program changes files.
#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    /// However it is called.
    Always,
    /// Unless one of these words is among its arguments.
    Unless(&'static [&'static str]),
    /// When it is given a file.
    Named,
    /// When an argument begins with this and goes on with a file.
    Operand(&'static str),
    /// When its first word, with or without a hyphen, has one of these letters.
    Letters(&'static str),
    /// With an option; letters in `valued` take the rest of their word for themselves.
    Option { long: &'static str, short: char, valued: &'static str },
}

/// Programs that change files.
pub(super) const WRITERS: &[(&str, When)] = &[
    ("chgrp", When::Named),
    ("chmod", When::Named),
    ("chown", When::Named),
    ("cp", When::Named),
    ("csplit", When::Named),
    ("ed", When::Named),
    ("ex", When::Named),
    ("install", When::Named),
    ("ln", When::Named),
    ("mkdir", When::Named),
    ("mkfifo", When::Named),
    ("mv", When::Named),
    ("rm", When::Named),
    ("rmdir", When::Named),
    ("rsync", When::Unless(&["-n", "--dry-run", "--list-only"])),
    ("scp", When::Named),
    ("shred", When::Named),
    ("split", When::Named),
    ("tee", When::Named),
    ("touch", When::Named),
    ("truncate", When::Named),
    ("unlink", When::Named),
    ("dd", When::Operand("of=")),
    ("patch", When::Unless(&["--dry-run"])),
    ("unzip", When::Unless(&["-l", "-p", "-t", "-v", "-Z"])),
    ("wget", When::Unless(&["-O-", "-qO-", "--spider"])),
    ("mktemp", When::Always),
    ("awk", When::Option { long: "--include", short: 'i', valued: "fvF" }),
    ("curl", When::Option { long: "--output", short: 'o', valued: "AbcdeFHmTuwXx" }),
    ("cargo", When::Option { long: "--fix", short: '\0', valued: "" }),
    ("curl", When::Option { long: "--stderr", short: '\0', valued: "" }),
    ("curl", When::Option { long: "--remote-name", short: 'O', valued: "AbcdeFHmTuwXxo" }),
    ("gawk", When::Option { long: "--include", short: 'i', valued: "fvF" }),
    ("git", When::Option { long: "--output", short: '\0', valued: "" }),
    ("gofmt", When::Option { long: "--w", short: 'w', valued: "" }),
    ("perl", When::Option { long: "--in-place", short: 'i', valued: "eEFIMmx" }),
    ("prettier", When::Option { long: "--write", short: 'w', valued: "" }),
    ("eslint", When::Option { long: "--fix", short: '\0', valued: "" }),
    ("ruby", When::Option { long: "--in-place", short: 'i', valued: "eFIrx" }),
    ("sed", When::Option { long: "--in-place", short: 'i', valued: "efl" }),
    ("sort", When::Option { long: "--output", short: 'o', valued: "kStT" }),
    ("tar", When::Letters("xcru")),
    ("tar", When::Option { long: "--extract", short: 'x', valued: "Cf" }),
    ("tar", When::Option { long: "--create", short: 'c', valued: "Cf" }),
    ("yq", When::Option { long: "--inplace", short: 'i', valued: "" }),
];

/// Programs whose first word decides, and the words that make it harmless again.
pub(super) const SUBCOMMANDS: &[(&str, &str, &[&str])] = &[
    ("cargo", "add", &["--dry-run"]),
    ("cargo", "fix", &[]),
    ("cargo", "fmt", &["--check"]),
    ("cargo", "init", &[]),
    ("cargo", "new", &[]),
    ("cargo", "remove", &["--dry-run"]),
    ("git", "am", &[]),
    ("git", "archive", &[]),
    ("git", "apply", &["--check", "--numstat", "--stat", "--summary"]),
    ("git", "bisect", &["log", "view"]),
    ("git", "checkout", &[]),
    ("git", "checkout-index", &[]),
    ("git", "cherry-pick", &[]),
    ("git", "clean", &["-n", "-nd", "-dn", "-ndx", "--dry-run"]),
    ("git", "clone", &[]),
    ("git", "commit", &["--dry-run"]),
    ("git", "filter-branch", &[]),
    ("git", "format-patch", &["--stdout"]),
    ("git", "init", &[]),
    ("git", "merge", &[]),
    ("git", "mv", &["-n", "--dry-run"]),
    ("git", "pull", &[]),
    ("git", "read-tree", &[]),
    ("git", "rebase", &[]),
    ("git", "reset", &[]),
    ("git", "restore", &[]),
    ("git", "revert", &[]),
    ("git", "rm", &["-n", "--dry-run"]),
    ("git", "sparse-checkout", &["list"]),
    ("git", "stash", &["list", "show"]),
    ("git", "submodule", &["status", "summary"]),
    ("git", "switch", &[]),
    ("git", "worktree", &["list"]),
    ("go", "fmt", &[]),
    ("ruff", "format", &["--check", "--diff"]),
];

/// Programs that run their arguments as a script.
pub(super) const SHELLS: [&str; 6] = ["sh", "bash", "zsh", "dash", "ksh", "fish"];

/// Programs that run code of a language, with or without a version behind the name.
pub(super) const INTERPRETERS: [&str; 7] = ["python", "node", "ruby", "perl", "deno", "bun", "php"];

/// The options of these programs before code, short and long.
pub(super) const CODE_LETTERS: [char; 5] = ['c', 'e', 'E', 'p', 'r'];
/// See [`CODE_LETTERS`].
pub(super) const CODE_OPTIONS: [&str; 2] = ["--eval", "--print"];

/// What code that changes files has in it, beside `open`.
pub(super) const WRITING_CODE: [&str; 26] = [
    ".mkdir(",
    ".rename(",
    ".touch(",
    ".unlink(",
    "Bun.write",
    "Deno.remove",
    "Deno.write",
    "File.delete",
    "File.write",
    "FileUtils.",
    "appendFile",
    "copyFile",
    "createWriteStream",
    "file_put_contents",
    "mkdirSync",
    "os.makedirs",
    "os.remove",
    "os.replace",
    "os.rmdir",
    "renameSync",
    "rmSync",
    "shutil.",
    "unlinkSync",
    "writeFile",
    "write_bytes(",
    "write_text(",
];

/// Words before a command that belong to the shell.
pub(super) const LEADING_WORDS: [&str; 11] =
    ["!", "{", "}", "then", "do", "else", "elif", "if", "while", "until", "coproc"];

/// What stands between a variable and its value before a command.
pub(super) const ASSIGNMENT_END: char = '=';

/// A program that runs another.
pub(super) struct Wrapper {
    pub(super) name: &'static str,
    /// Its options that take the next word.
    pub(super) valued: &'static [&'static str],
    /// How many words of its own stand before the other program.
    pub(super) own: usize,
    /// Whether it adds arguments.
    pub(super) feeds: bool,
}

/// Programs that run another.
pub(super) const WRAPPERS: &[Wrapper] = &[
    runs("builtin", &[]),
    runs("busybox", &[]),
    runs("command", &[]),
    runs("doas", &["-u", "-C"]),
    runs("env", &["-u", "-C", "-S"]),
    runs("exec", &["-a"]),
    Wrapper { name: "flock", valued: &["-w", "-E"], own: 1, feeds: false },
    runs("ionice", &["-c", "-n"]),
    runs("nice", &["-n"]),
    runs("nohup", &[]),
    runs("setsid", &[]),
    runs("stdbuf", &["-i", "-o", "-e"]),
    runs("sudo", &["-u", "-g", "-h", "-p", "-C", "-D", "-r", "-t", "-U"]),
    runs("time", &["-f", "-o"]),
    Wrapper { name: "timeout", valued: &["-s", "-k"], own: 1, feeds: false },
    Wrapper {
        name: "xargs",
        valued: &["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"],
        own: 0,
        feeds: true,
    },
];

impl Wrapper {
    /// Returns the words behind its options and its own words.
    pub(super) fn behind<'w>(&self, words: &'w [&'w str]) -> &'w [&'w str] {
        let mut rest = words;
        let mut own = self.own;
        while let Some((word, after)) = rest.split_first() {
            if *word == "--" {
                return after;
            }
            if word.starts_with('-') {
                let takes_next = self.valued.contains(word);
                rest = after.get(usize::from(takes_next)..).unwrap_or_default();
            } else if own > 0 {
                own -= 1;
                rest = after;
            } else {
                break;
            }
        }
        rest
    }
}

const fn runs(name: &'static str, valued: &'static [&'static str]) -> Wrapper {
    Wrapper { name, valued, own: 0, feeds: false }
}
