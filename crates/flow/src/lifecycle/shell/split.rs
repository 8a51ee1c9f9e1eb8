//! Splits a script into the commands it would run, without running anything.

use std::{iter::Peekable, str::Chars};

use super::is_no_file;

/// One command with its words, quotes taken off.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) words: Vec<String>,
    /// Whether its output goes to a file.
    pub(super) to_file: bool,
    /// What it is given to read, as far as the script says.
    pub(super) input: String,
}

/// The commands of a script, and the scripts inside it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) calls: Vec<Call>,
    pub(super) nested: Vec<String>,
}

/// Splits a script.
pub(super) fn split(script: &str) -> Parts {
    let mut splitting = Splitting::of(script);
    while let Some(character) = splitting.rest.next() {
        splitting.step(character);
    }
    splitting.end_call();
    splitting.parts
}

/// What the word that is being read is for.
enum Expects {
    Argument,
    /// A place the output goes to.
    Target,
    /// A descriptor the output goes to, or a place.
    Duplicate,
    /// A place the input comes from.
    Source,
    /// The input itself.
    Input,
    /// The line that ends the input.
    Delimiter,
}

struct Splitting<'s> {
    rest: Peekable<Chars<'s>>,
    parts: Parts,
    call: Call,
    word: Option<String>,
    quoted: bool,
    expects: Expects,
    /// Whether we are between `[[` and `]]`, where `>` compares.
    compares: bool,
    /// The inputs that begin on the next line.
    documents: Vec<Document>,
}

/// Lines of a script that are the input of a command.
struct Document {
    /// The command.
    call: usize,
    /// The line that ends them.
    end: String,
    /// Whether a shell leaves them as they are.
    is_plain: bool,
}

impl<'s> Splitting<'s> {
    fn of(script: &'s str) -> Self {
        Self {
            rest: script.chars().peekable(),
            parts: Parts::default(),
            call: Call::default(),
            word: None,
            quoted: false,
            expects: Expects::Argument,
            compares: false,
            documents: Vec::new(),
        }
    }
}

/// Returns the scripts that a shell runs to fill in a text.
fn substitutions(text: &str) -> Vec<String> {
    let behind = |at: usize, mark: &str| text.get(at + mark.len()..).unwrap_or_default();
    let is_meant = |at: usize| !text.get(..at).is_some_and(|before| before.ends_with('\\'));
    let brackets = text.match_indices("$(").filter(|(at, _)| is_meant(*at));
    let brackets = brackets.map(|(at, mark)| Splitting::of(behind(at, mark)).enclosed());
    let backticks = text.split('`').skip(1).step_by(2).map(str::to_owned);
    brackets.chain(backticks).collect()
}

impl Splitting<'_> {
    fn step(&mut self, character: char) {
        match character {
            '\\' => match self.rest.next() {
                Some('\n') | None => {}
                Some(next) => self.push_quoted(next),
            },
            '\'' => {
                self.open_word();
                while let Some(inner) = self.rest.next_if(|c| *c != '\'') {
                    self.push_quoted(inner);
                }
                self.rest.next();
            }
            '"' => self.double_quoted(),
            '`' => self.backticks(),
            '$' if self.rest.peek() == Some(&'(') => {
                self.rest.next();
                self.nested();
            }
            '#' if self.word.is_none() => while self.rest.next_if(|c| *c != '\n').is_some() {},
            '\n' => {
                self.end_call();
                self.read_documents();
            }
            '<' | '>' | '&' | '|' | '(' | ')' if self.compares => self.end_word(),
            '&' if self.rest.peek() == Some(&'>') => {
                self.end_word();
                self.rest.next();
                self.output();
            }
            '(' if self.call.words.is_empty() && self.rest.peek() == Some(&'(') => {
                // Arithmetic, where `>` compares.
                self.rest.next();
                let inner = self.enclosed();
                self.parts.nested.extend(substitutions(&inner));
            }
            ';' | '|' | '&' | '(' | ')' => self.end_call(),
            '<' => self.input(),
            '>' => {
                let is_descriptor = !self.quoted
                    && self.word.as_ref().is_some_and(|word| word.chars().all(is_digit));
                if is_descriptor {
                    self.word = None;
                }
                self.end_word();
                self.output();
            }
            other if other.is_whitespace() => self.end_word(),
            other => self.push(other),
        }
    }

    fn double_quoted(&mut self) {
        self.open_word();
        while let Some(character) = self.rest.next() {
            match character {
                '"' => return,
                '\\' => {
                    if let Some(next) = self.rest.next() {
                        self.push_quoted(next);
                    }
                }
                '`' => self.backticks(),
                '$' if self.rest.peek() == Some(&'(') => {
                    self.rest.next();
                    self.nested();
                }
                other => self.push_quoted(other),
            }
        }
    }

    fn backticks(&mut self) {
        let mut inner = String::new();
        while let Some(character) = self.rest.next_if(|c| *c != '`') {
            inner.push(character);
        }
        self.rest.next();
        self.parts.nested.push(inner);
        self.open_word();
    }

    /// Reads a script in brackets whose first bracket was read; `((` is arithmetic.
    fn nested(&mut self) {
        let is_arithmetic = self.rest.peek() == Some(&'(');
        let inner = self.enclosed();
        if is_arithmetic {
            self.parts.nested.extend(substitutions(&inner));
        } else {
            self.parts.nested.push(inner);
        }
        self.open_word();
    }

    /// Reads up to the bracket that closes the one that was read.
    fn enclosed(&mut self) -> String {
        let mut inner = String::new();
        let mut open = 1_usize;
        let mut quote = None;
        while let Some(character) = self.rest.next() {
            match (quote, character) {
                (Some('"') | None, '\\') => {
                    inner.push(character);
                    inner.extend(self.rest.next());
                    continue;
                }
                (Some(mark), _) if mark == character => quote = None,
                (None, '\'' | '"') => quote = Some(character),
                (None, '(') => open += 1,
                (None, ')') => open -= 1,
                (Some(_) | None, _) => {}
            }
            if open == 0 {
                break;
            }
            inner.push(character);
        }
        inner
    }

    fn output(&mut self) {
        match self.rest.peek() {
            Some('>' | '|') => {
                self.rest.next();
                self.expects = Expects::Target;
            }
            Some('&') => {
                self.rest.next();
                self.expects = Expects::Duplicate;
            }
            Some('(') => {
                self.rest.next();
                self.nested();
            }
            Some(_) | None => self.expects = Expects::Target,
        }
    }

    fn input(&mut self) {
        self.end_word();
        match self.rest.peek() {
            Some('(') => {
                self.rest.next();
                self.nested();
            }
            Some('<') => {
                self.rest.next();
                if self.rest.next_if_eq(&'<').is_some() {
                    self.expects = Expects::Input;
                } else {
                    self.rest.next_if_eq(&'-');
                    self.expects = Expects::Delimiter;
                }
            }
            Some(_) | None => self.expects = Expects::Source,
        }
    }

    fn open_word(&mut self) {
        self.word.get_or_insert_default();
        self.quoted = true;
    }

    fn push(&mut self, character: char) {
        self.word.get_or_insert_default().push(character);
    }

    fn push_quoted(&mut self, character: char) {
        self.push(character);
        self.quoted = true;
    }

    fn end_word(&mut self) {
        let quoted = std::mem::take(&mut self.quoted);
        let Some(word) = self.word.take() else { return };
        match std::mem::replace(&mut self.expects, Expects::Argument) {
            Expects::Argument => {
                if !quoted && word == "[[" {
                    self.compares = true;
                } else if !quoted && word == "]]" {
                    self.compares = false;
                }
                self.call.words.push(word);
            }
            Expects::Target => self.call.to_file |= !is_no_file(&word),
            Expects::Duplicate => {
                let is_descriptor = word == "-" || word.chars().all(is_digit);
                self.call.to_file |= !is_descriptor && !is_no_file(&word);
            }
            Expects::Source => {}
            Expects::Input => self.call.input.push_str(&word),
            Expects::Delimiter => {
                let call = self.parts.calls.len();
                self.documents.push(Document { call, end: word, is_plain: quoted });
            }
        }
    }

    fn end_call(&mut self) {
        self.end_word();
        self.expects = Expects::Argument;
        self.compares = false;
        let awaits_input =
            self.documents.iter().any(|document| document.call == self.parts.calls.len());
        if !self.call.words.is_empty() || self.call.to_file || awaits_input {
            self.parts.calls.push(std::mem::take(&mut self.call));
        }
    }

    /// Reads the inputs that begin on this line, up to their ends.
    fn read_documents(&mut self) {
        for Document { call, end, is_plain } in std::mem::take(&mut self.documents) {
            let mut body = String::new();
            while self.rest.peek().is_some() {
                let mut line = String::new();
                while let Some(character) = self.rest.next_if(|c| *c != '\n') {
                    line.push(character);
                }
                self.rest.next();
                if line.trim_start_matches('\t') == end {
                    break;
                }
                body.push_str(&line);
                body.push('\n');
            }
            if !is_plain {
                self.parts.nested.extend(substitutions(&body));
            }
            if let Some(call) = self.parts.calls.get_mut(call) {
                call.input.push_str(&body);
            }
        }
    }
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}
