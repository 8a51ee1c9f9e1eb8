//! Which files a command writes, where its words leave no doubt.
//!
//! This lets something pass, so it must not be cleverer than the shell: every sign and every program
//! that is not known here makes the answer unknown.

use std::{iter::Peekable, str::Chars};

use super::{DEPTH, is_no_file, words_write, writes};

/// What a command writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing, as far as its words show.
    Nothing,
    /// Exactly these.
    Paths(Vec<Target>),
    /// Something that its words do not show.
    Unknown,
}

/// Something that a command writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its path, as it was written.
    pub path: String,
    pub kind: TargetKind,
}

/// What is written at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    File,
    /// A directory that is made, and nothing in it.
    Directory,
    /// A directory, with any number of files below it.
    Tree,
}

/// Programs that only read, whatever their arguments are.
const READERS: [&str; 21] = [
    "basename", "cat", "cmp", "comm", "cut", "diff", "dirname", "du", "echo", "false", "grep",
    "head", "jq", "ls", "nl", "pwd", "seq", "stat", "tail", "true", "wc",
];

/// Programs that pass by themselves unless a table says that they write: so they do with their output in
/// a file that is known.
const PASSING: [&str; 16] = [
    "cargo", "date", "find", "git", "go", "gradle", "make", "mvn", "npm", "pnpm", "pytest", "rg",
    "sort", "tree", "uniq", "yarn",
];

/// Signs without a meaning outside quotes, beside letters and digits.
const PLAIN: &str = "_-./,:@%+=";

/// Signs that a path may not have, in quotes neither: each means something to some shell.
const UNSAFE: &str = "$`*?[]{}~!\\\"'<>|&;()#^";

/// Returns what a command writes.
pub fn written(command: &str) -> Written {
    if !writes(command) {
        return Written::Nothing;
    }
    let targets = read_calls(command).and_then(|calls| {
        let targets: Option<Vec<Vec<Target>>> = calls.iter().map(Call::targets).collect();
        targets.map(|targets| targets.concat())
    });
    let Some(targets) = targets.filter(|targets| !targets.is_empty()) else {
        return Written::Unknown;
    };
    let has = |kind| targets.iter().any(|target| target.kind == kind);
    // What is copied into a directory that was just made has another name than it seems, and a tree
    // may bring links that what is written next would follow.
    let copies = read_calls(command).is_some_and(|calls| calls.iter().any(Call::copies));
    let is_misleading = has(TargetKind::Directory) && copies && !has(TargetKind::Tree)
        || has(TargetKind::Tree) && targets.len() > 1;
    if is_misleading { Written::Unknown } else { Written::Paths(targets) }
}

/// One command: its words, and where its output goes.
#[derive(Debug, Default)]
struct Call {
    words: Vec<String>,
    outputs: Vec<String>,
}

impl Call {
    fn copies(&self) -> bool {
        self.words.first().is_some_and(|name| name == "cp")
    }

    /// Returns what it writes; `None` where that is not known.
    fn targets(&self) -> Option<Vec<Target>> {
        let outputs = self.outputs.iter().map(String::as_str).filter(|path| !is_no_file(path));
        let outputs = outputs.map(|path| target(path, TargetKind::File));
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let named: Option<Vec<Target>> = match words.as_slice() {
            [] | ["pacenote", "flow" | "task" | "skill" | "mail", ..] => Some(Vec::new()),
            [name, first, ..] if *name == "printf" && !first.starts_with('-') => Some(Vec::new()),
            [name, ..] if READERS.contains(name) => Some(Vec::new()),
            ["tee", "-a" | "--append", paths @ ..] | ["tee", paths @ ..] => {
                let paths = paths.iter().filter(|path| !is_no_file(path));
                paths.map(|path| target(path, TargetKind::File)).collect()
            }
            ["mkdir", "-p" | "--parents", paths @ ..] | ["mkdir", paths @ ..] => {
                paths.iter().map(|path| target(path, TargetKind::Directory)).collect()
            }
            ["touch", paths @ ..] => {
                paths.iter().map(|path| target(path, TargetKind::File)).collect()
            }
            ["cp", "-r" | "-R" | "-a" | "--recursive", from @ .., to]
                if !from.is_empty() && !from.iter().any(|from| from.starts_with('-')) =>
            {
                target(to, TargetKind::Tree).map(|to| vec![to])
            }
            ["cp", from, to] if !from.starts_with('-') => {
                target(to, TargetKind::File).map(|to| vec![to])
            }
            ["rm", "-f", paths @ ..] | ["rm", paths @ ..]
                if !paths.iter().any(|path| path.starts_with('-')) =>
            {
                paths.iter().map(|path| target(path, TargetKind::File)).collect()
            }
            ["rm", "-r" | "-rf" | "-fr", path] => {
                target(path, TargetKind::Tree).map(|tree| vec![tree])
            }
            ["mv", from, to] => {
                [from, to].into_iter().map(|path| target(path, TargetKind::File)).collect()
            }
            [name, ..] if PASSING.contains(name) && !words_write(&words, "", DEPTH) => {
                Some(Vec::new())
            }
            [_, ..] => None,
        };
        outputs.chain(named?.into_iter().map(Some)).collect()
    }
}

fn target(path: &str, kind: TargetKind) -> Option<Target> {
    let is_unsafe = |sign: char| sign.is_control() || UNSAFE.contains(sign);
    let is_plain = !path.is_empty()
        && !path.starts_with(['-', '+', '='])
        && !path.contains(is_unsafe)
        && path.split('/').all(|part| part != "..");
    is_plain.then(|| Target { path: path.to_owned(), kind })
}

/// What the word that is read is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expects {
    Argument,
    Output,
    Input,
    Document,
}

struct Reading<'s> {
    rest: Peekable<Chars<'s>>,
    calls: Vec<Call>,
    call: Call,
    word: Option<String>,
    quoted: bool,
    expects: Expects,
    /// The ends of the inputs that begin on the next line, and whether their text is plain.
    documents: Vec<(String, bool)>,
}

/// Splits a command line; `None` where it has anything that could mean more than it seems.
fn read_calls(command: &str) -> Option<Vec<Call>> {
    let mut reading = Reading {
        rest: command.chars().peekable(),
        calls: Vec::new(),
        call: Call::default(),
        word: None,
        quoted: false,
        expects: Expects::Argument,
        documents: Vec::new(),
    };
    while let Some(sign) = reading.rest.next() {
        reading.step(sign)?;
    }
    reading.end_call()?;
    reading.documents.is_empty().then_some(reading.calls)
}

impl Reading<'_> {
    fn step(&mut self, sign: char) -> Option<()> {
        match sign {
            ' ' | '\t' => self.end_word(),
            '\n' => {
                self.end_call()?;
                self.read_documents()
            }
            ';' => self.end_call(),
            '|' => {
                self.rest.next_if_eq(&'|');
                if self.rest.peek() == Some(&'&') {
                    return None;
                }
                self.end_call()
            }
            '&' => match self.rest.next()? {
                '&' => self.end_call(),
                '>' => {
                    self.end_word()?;
                    self.rest.next_if_eq(&'>');
                    self.expect(Expects::Output)
                }
                _ => None,
            },
            '>' => self.output(),
            '<' => self.input(),
            '\'' => {
                self.open_quotes();
                loop {
                    match self.rest.next()? {
                        '\'' => return Some(()),
                        other => self.push(other),
                    }
                }
            }
            '"' => {
                self.open_quotes();
                loop {
                    match self.rest.next()? {
                        '"' => return Some(()),
                        '$' | '`' | '!' => return None,
                        '\\' => match self.rest.next()? {
                            escaped @ ('"' | '\\') => self.push(escaped),
                            '$' | '`' | '!' | '\n' => return None,
                            other => {
                                self.push('\\');
                                self.push(other);
                            }
                        },
                        other => self.push(other),
                    }
                }
            }
            '#' if self.word.is_none() => {
                while self.rest.next_if(|next| *next != '\n').is_some() {}
                Some(())
            }
            other if other.is_alphanumeric() || PLAIN.contains(other) => {
                self.push(other);
                Some(())
            }
            _ => None,
        }
    }

    fn output(&mut self) -> Option<()> {
        self.drop_descriptor();
        self.end_word()?;
        match self.rest.peek() {
            Some('>' | '|') => {
                self.rest.next();
                self.expect(Expects::Output)
            }
            Some('&') => {
                self.rest.next();
                // Only a descriptor: a name means different things to different shells.
                self.rest.next_if(char::is_ascii_digit)?;
                let ends = self.rest.peek().is_none_or(|next| " \t\n;|&)".contains(*next));
                ends.then_some(())
            }
            Some(_) | None => self.expect(Expects::Output),
        }
    }

    fn input(&mut self) -> Option<()> {
        if self.word.is_some() {
            return None;
        }
        match self.rest.peek()? {
            '<' => {
                self.rest.next();
                self.rest.next_if_eq(&'-');
                if self.rest.peek() == Some(&'<') {
                    return None;
                }
                self.expect(Expects::Document)
            }
            '>' | '(' | '&' => None,
            _ => self.expect(Expects::Input),
        }
    }

    /// Takes a number before `>` for what it is.
    fn drop_descriptor(&mut self) {
        let is_number = |word: &String| word.chars().all(|sign| sign.is_ascii_digit());
        if !self.quoted && self.word.as_ref().is_some_and(is_number) {
            self.word = None;
        }
    }

    fn expect(&mut self, expects: Expects) -> Option<()> {
        let is_free = self.expects == Expects::Argument;
        self.expects = expects;
        is_free.then_some(())
    }

    fn open_quotes(&mut self) {
        self.word.get_or_insert_default();
        self.quoted = true;
    }

    fn push(&mut self, sign: char) {
        self.word.get_or_insert_default().push(sign);
    }

    fn end_word(&mut self) -> Option<()> {
        let quoted = std::mem::take(&mut self.quoted);
        let Some(word) = self.word.take() else { return Some(()) };
        match std::mem::replace(&mut self.expects, Expects::Argument) {
            Expects::Argument => self.call.words.push(word),
            Expects::Output => self.call.outputs.push(word),
            Expects::Input => {}
            Expects::Document => {
                let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
                if word.is_empty() || !word.chars().all(is_name) {
                    return None;
                }
                self.documents.push((word, quoted));
            }
        }
        Some(())
    }

    fn end_call(&mut self) -> Option<()> {
        self.end_word()?;
        self.calls.push(std::mem::take(&mut self.call));
        // A place that was never named.
        (self.expects == Expects::Argument).then_some(())
    }

    /// Reads the inputs that begin here, up to their ends.
    fn read_documents(&mut self) -> Option<()> {
        for (end, is_plain) in std::mem::take(&mut self.documents) {
            loop {
                self.rest.peek()?;
                let mut line = String::new();
                while let Some(sign) = self.rest.next_if(|next| *next != '\n') {
                    line.push(sign);
                }
                self.rest.next();
                if line == end {
                    break;
                }
                // A line that only some shells take for the end, or that a shell fills in.
                if line.trim() == end || !is_plain && line.contains(['$', '`', '\\']) {
                    return None;
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(command: &str) -> String {
        match written(command) {
            Written::Nothing => "nothing".to_owned(),
            Written::Unknown => "unknown".to_owned(),
            Written::Paths(targets) => {
                let mark = |target: &Target| match target.kind {
                    TargetKind::File => "",
                    TargetKind::Directory => "/",
                    TargetKind::Tree => "/**",
                };
                let paths = targets.iter().map(|target| format!("{}{}", target.path, mark(target)));
                paths.collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn what_a_command_writes_is_known_or_refused() {
        for (command, expected) in [
            ("ls -la", "nothing"),
            ("cat a 2>/dev/null", "nothing"),
            ("grep '>' a", "nothing"),
            ("# echo > a", "nothing"),
            ("echo x > a", "a"),
            ("echo x>a", "a"),
            ("echo x >> a", "a"),
            ("echo x >| a", "a"),
            ("ls &> a", "a"),
            ("ls &>> a", "a"),
            ("ls 2> a", "a"),
            ("ls > a 2>&1", "a"),
            ("ls > a 2> b", "a b"),
            ("ls > a > b", "a b"),
            ("> a", "a"),
            ("> a echo x", "a"),
            ("echo x > 'a b'", "a b"),
            ("echo x > \"a\"b", "ab"),
            ("printf 'a\\n%s' \"b\" >> a", "a"),
            ("cat > a <<'EOF'\n$(rm b) `x`\nEOF", "a"),
            ("cat <<EOF > a\ntext > b\nEOF\n", "a"),
            ("cat > a <<'EOF'\nx\nEOF\necho y > b", "a b"),
            ("cat > a <<'EOF' && pacenote flow next 1 --at 2\nx\nEOF", "a"),
            ("ls | tee a", "a"),
            ("ls | tee -a a b", "a b"),
            ("ls | tee a > /dev/null", "a"),
            ("mkdir -p d/e", "d/e/"),
            ("mkdir -p d && echo x > d/a", "d/ d/a"),
            ("cp a b", "b"),
            ("cp -r a b", "b/**"),
            ("cp -r a c b", "b/**"),
            ("cp -a ./a/. b", "b/**"),
            ("touch a b", "a b"),
            ("echo a; echo b > c # > d", "c"),
            ("echo x > /etc/a", "/etc/a"),
            // Ways out.
            ("echo x > $HOME/a", "unknown"),
            ("echo x > \"$HOME/a\"", "unknown"),
            ("echo x > '$HOME/a'", "unknown"),
            ("echo x > ~/a", "unknown"),
            ("echo x > '~/a'", "unknown"),
            ("echo x > a/../b", "unknown"),
            ("echo x > a*", "unknown"),
            ("echo x > a{b,c}", "unknown"),
            ("echo x > `pwd`/a", "unknown"),
            ("echo $(rm b) > a", "unknown"),
            ("echo \"$(rm b)\" > a", "unknown"),
            ("cat > a <<EOF\n$(rm b)\nEOF", "unknown"),
            ("cat > a <<'EOF'\nx", "unknown"),
            ("cat > a <<'EOF'\nx\n EOF\nrm b\nEOF", "unknown"),
            ("cat > a <<-'EOF'\nx\n\tEOF\nrm b\nEOF", "unknown"),
            ("sh <<'EOF'\necho x > a\nEOF", "unknown"),
            ("cat <<'EOF' | sh > a\nrm b\nEOF", "unknown"),
            ("cd src && echo x > a", "unknown"),
            ("cd src; echo x > a", "unknown"),
            ("pushd src\necho x > a", "unknown"),
            ("(echo x > a)", "unknown"),
            ("{ echo x > a; }", "unknown"),
            ("echo x > a & rm b", "unknown"),
            ("echo x > a; rm b", "a b"),
            ("echo x > a && rm -f b c", "a b c"),
            ("echo x > a || mv b c", "a b c"),
            ("echo x > a\nrm b", "a b"),
            ("rm -rf a", "a/**"),
            ("rm -rf a b", "unknown"),
            ("rm -d a", "unknown"),
            ("mv a b c", "unknown"),
            ("mv -t a b", "unknown"),
            ("git diff > a", "a"),
            ("git log --oneline -5 | tee a", "a"),
            ("git checkout b > a", "unknown"),
            ("git -c alias.x='!rm b' x > a", "unknown"),
            ("cargo test > a 2>&1", "a"),
            ("cargo fmt > a", "unknown"),
            ("find . -name x > a", "a"),
            ("find . -exec rm x ';' > a", "unknown"),
            ("sort -o b a > c", "unknown"),
            ("printf \"RESULT: PASS\\n\" > a", "a"),
            ("echo \"a \\\" b\" > c", "c"),
            ("echo \"\\$HOME\" > c", "unknown"),
            ("echo x > a |& tee b", "unknown"),
            ("echo x \\\n> a", "unknown"),
            ("echo x > a\\ b", "unknown"),
            ("echo x >& a", "unknown"),
            ("echo x <> a > b", "unknown"),
            ("echo x > >(tee b)", "unknown"),
            ("cat <(rm b) > a", "unknown"),
            ("cp -t d a", "unknown"),
            ("cp a b c", "unknown"),
            ("cp -r a", "unknown"),
            ("cp -r -l a b", "unknown"),
            ("cp -rl a b", "unknown"),
            ("cp -r a -t b", "unknown"),
            ("cp -r a b && cp -r c b", "unknown"),
            ("cp -r a b && echo x > b/a", "unknown"),
            ("mkdir b && cp -r a b", "unknown"),
            ("cp -r a $HOME", "unknown"),
            ("mkdir a && cp b a", "unknown"),
            ("mkdir -m 777 a", "unknown"),
            ("touch -r a b", "unknown"),
            ("tee -- a", "unknown"),
            ("mv a b", "a b"),
            ("ln -s a b", "unknown"),
            ("sed -i s/a/b/ a", "unknown"),
            ("git checkout -- a", "unknown"),
            ("git log --output=b > a", "unknown"),
            ("env X=1 tee a", "unknown"),
            ("X=1 tee a", "unknown"),
            ("ls | xargs tee a", "unknown"),
            ("bash -c 'echo x > a'", "unknown"),
            ("eval 'echo x > a'", "unknown"),
            ("./cat > a", "unknown"),
            ("awk '{ print > \"b\" }' x > a", "unknown"),
            ("python3 x.py > a", "unknown"),
            ("printf -v PATH x > a", "unknown"),
            ("f() { rm b; }; echo x > a", "unknown"),
            ("alias cat=rm; cat b > a", "unknown"),
            ("if true; then echo x > a; fi", "unknown"),
            ("echo x > a 'unclosed", "unknown"),
        ] {
            assert_eq!(say(command), expected, "{command}");
        }
    }
}
