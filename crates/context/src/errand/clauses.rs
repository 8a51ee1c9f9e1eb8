//! A prompt as clauses: what stands between two marks, without what is only quoted.

/// Most clauses of a prompt that are looked at: what is asked stands at its beginning.
const CLAUSES: usize = 120;

/// Words with which a question begins, with its mark or without, in lower case.
const ASKING: [&str; 6] = ["where", "which", "what", "how", "why", "who"];

/// Words with which a sentence begins that is a question if it has the mark, in lower case.
const ALSO_ASKING: [&str; 10] =
    ["when", "is", "are", "does", "do", "did", "can", "could", "has", "have"];

/// How a clause begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// With a line, a sentence or a mark.
    Sentence,
    /// With "and", "or" or "then", or after a comma: the word after it may be a noun of a list.
    Joined,
}

/// A part of a sentence, in lower case.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    words: Vec<String>,
    /// How many headings stand above it.
    pub(super) section: usize,
    pub(super) beginning: Beginning,
    /// Whether its sentence is a question.
    pub(super) is_question: bool,
}

impl Clause {
    /// Returns its words.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// Reports whether it begins with these words.
    pub(super) fn starts_with(&self, words: &[&str]) -> bool {
        self.words.len() >= words.len() && self.words().zip(words).all(|(own, word)| own == *word)
    }
}

/// Divides a prompt into clauses. Code, quotations and the boxes of plans are left out: they are
/// material.
pub(super) fn clauses_of(prompt: &str) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let (mut section, mut is_code) = (0, false);
    for line in prompt.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        let is_box =
            ["- [ ]", "- [x]", "* [ ]", "* [x]"].iter().any(|start| line.starts_with(start));
        if is_code || is_box || line.starts_with('>') {
            continue;
        }
        if line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') {
            section += 1;
            continue;
        }
        sentences_in(line, section, &mut clauses);
        if clauses.len() >= CLAUSES {
            break;
        }
    }
    clauses
}

/// Divides a line at the marks that end a sentence, and these at the words that join clauses.
fn sentences_in(line: &str, section: usize, clauses: &mut Vec<Clause>) {
    let mut words: Vec<String> = Vec::new();
    let mut sentences: Vec<(Vec<String>, Option<char>)> = Vec::new();
    for raw in line.split_whitespace() {
        // A mark at the end of a word ends a sentence; one within it belongs to a path or a number.
        let ends = raw.trim_end_matches(['"', '\'', '`', ')', '*', '_']);
        let mark = ends.chars().last().filter(|mark| ".!?;:".contains(*mark));
        let has_comma = ends.ends_with(',');
        let is_bullet = words.is_empty() && is_mark(raw);
        let word: String = raw
            .trim_matches(|c: char| !(c.is_alphanumeric() || c == '#' || c == '/'))
            .replace('’', "'")
            .to_lowercase();
        if !word.is_empty() && !is_bullet {
            words.push(word);
        }
        if has_comma {
            words.push(",".to_owned());
        }
        if (mark.is_some() && !is_bullet) || matches!(raw, "-" | "–" | "—" | "->" | "→") {
            sentences.push((std::mem::take(&mut words), mark));
        }
    }
    sentences.push((words, None));
    let mut is_title = false;
    for (words, mark) in sentences {
        // "Do #5: count failures" gives the title of what is to be done.
        let names_task = mark == Some(':') && ends_with_task(&words);
        let is_skipped = std::mem::replace(&mut is_title, names_task);
        if is_skipped {
            continue;
        }
        let first = words.first().map(String::as_str).unwrap_or_default();
        let is_question =
            ASKING.contains(&first) || (mark == Some('?') && ALSO_ASKING.contains(&first));
        let mut beginning = Beginning::Sentence;
        let joins =
            |word: &String| matches!(word.as_str(), "," | "and" | "then" | "or" | "but" | "&");
        for part in words.split(joins) {
            if !part.is_empty() {
                let words = part.to_vec();
                clauses.push(Clause { words, section, beginning, is_question });
            }
            beginning = Beginning::Joined;
        }
    }
}

/// Reports whether a part of a sentence ends with the name of a task: `#5`, `t-3fa92`, `task 2`.
fn ends_with_task(words: &[String]) -> bool {
    let mut backwards = words.iter().rev().map(String::as_str);
    let last = backwards.next().unwrap_or_default();
    let is_number = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    last.strip_prefix('#').is_some_and(is_number)
        || last.strip_prefix("t-").is_some_and(|id| id.chars().all(|c| c.is_ascii_hexdigit()))
        || (is_number(last) && backwards.next() == Some("task"))
}

/// Reports whether a word is the mark of a list: a dash, a star or a number.
fn is_mark(raw: &str) -> bool {
    let number = raw.trim_end_matches(['.', ')']);
    matches!(raw, "-" | "*" | "•" | "+")
        || (number.len() < raw.len() && !number.is_empty())
            && number.chars().all(|c| c.is_ascii_digit())
}
