//! Which task a prompt is about: its id, its title, or its number in the plan, in running text.
//!
//! It must never guess: with a wrong task somebody does the work of another, with none they ask.

use std::collections::BTreeSet;

use pacenote_model::{Number, Task};

use crate::{
    errand::is_review,
    heading::{STEP, TASK, name_of, numbered},
};

/// Shortest title, in characters, by which a task is recognised without its number.
const TITLE_CHARACTERS: usize = 12;

/// How an id begins: `t-3fa92`, `#12`.
const ID_STARTS: [char; 2] = ['t', '#'];

/// Words that stand between the number of a task and the file of its plan.
const BEFORE_FILE: [&str; 5] = ["of", "in", "from", "the", "plan"];

/// How the file of a plan ends.
const PLAN_ENDING: &str = ".md";

/// Returns the one task that a text is about; `None` where that is none or not clear.
///
/// The first of these decides: an id, a title with its number, a number with the file of the plan, a
/// long title, a number alone.
pub fn find_mentioned_task<'t>(text: &str, tasks: &'t [Task]) -> Option<&'t Task> {
    let said = Said { text: fold(text), is_review: is_review(text) };
    let ids: Vec<&str> = said.text.split(' ').filter(|word| word.starts_with(ID_STARTS)).collect();
    let by_id: Vec<&Task> = tasks.iter().filter(|task| has_id(&ids, task)).collect();
    if let [first, others @ ..] = by_id.as_slice() {
        return others.is_empty().then_some(*first);
    }
    let mut files = BTreeSet::new();
    for plan in tasks.iter().filter_map(|task| task.plan.as_ref()) {
        files.insert(plan.file.as_str());
    }
    files.retain(|file| said.has_file(file));
    let in_file = |known: &&Known<'_>| known.file().is_some_and(|file| files.contains(file));

    let known: Vec<Known<'t>> = tasks.iter().map(Known::of).collect();
    let with_number: Vec<&Known<'t>> =
        known.iter().filter(|one| said.has_number(one, &known)).collect();
    let mut titles: Vec<&Known<'t>> = known.iter().filter(|one| said.has_title(one)).collect();
    if titles.is_empty() {
        let is_named = |known: &&Known<'t>| said.has_name(known);
        let is_near = |known: &&Known<'t>| files.is_empty() || in_file(known);
        titles = with_number.iter().copied().filter(is_named).filter(is_near).collect();
    }
    if !titles.is_empty() {
        let titles = outermost(&titles, |known| &known.title);
        let named: Vec<&Known<'t>> = titles.iter().copied().filter(in_file).collect();
        return said.choose(if named.is_empty() { &titles } else { &named });
    }
    let with_file: Vec<&Known<'t>> = with_number.iter().copied().filter(in_file).collect();
    if !with_file.is_empty() {
        return said.choose(&with_file);
    }
    // The number of a task in a file that is not named is another task's number.
    let by_number = if files.is_empty() { with_number } else { Vec::new() };
    let with_name: Vec<&Known<'t>> = known.iter().filter(|known| said.has_name(known)).collect();
    let (open, over): (Vec<_>, Vec<_>) =
        outermost(&with_name, |known| &known.name).into_iter().partition(|known| known.is_open());
    // Steps have titles like `Implementation`, which are said of other work too.
    let is_counted = known.iter().any(|known| said.says_number(known));
    let is_top = |known: &&&Known<'t>| known.task.parent.is_none();
    let open: Vec<_> = open.iter().filter(|known| !is_counted || is_top(known)).collect();
    let over: Vec<_> = over.iter().filter(is_top).collect();
    match (open.as_slice(), over.as_slice()) {
        ([only], _) => Some(only.task),
        // It may be what a task with a number builds on.
        ([], [only]) => (by_number.is_empty() || said.is_review).then_some(only.task),
        ([], [] | [_, _, ..]) | ([_, _, ..], _) => said.choose(&by_number),
    }
}

/// A text, as it is compared.
struct Said {
    text: String,
    /// Whether it asks for a review, which is often of a task that is over.
    is_review: bool,
}

impl Said {
    /// Reports whether it names a file, by its path or by the end of its path.
    fn has_file(&self, file: &str) -> bool {
        let path = fold(file);
        let ends = path.match_indices('/').filter_map(|(place, _)| path.get(place + 1..));
        let mut names = ends.chain([path.as_str()]);
        names.any(|name| says(&self.text, name)) || says_end(&self.text, &format!("/{path}"))
    }

    fn says_number(&self, known: &Known<'_>) -> bool {
        known.numbers.iter().any(|number| says(&self.text, number))
    }

    /// Reports whether it says a title right after its number.
    fn has_title(&self, known: &Known<'_>) -> bool {
        let is_title = |number: &String| says(&self.text, &format!("{number} {}", known.name));
        known.has_own_name() && known.numbers.iter().any(is_title)
    }

    /// Reports whether it says a title that is long enough to be known without its number.
    fn has_name(&self, known: &Known<'_>) -> bool {
        known.is_distinctive() && says(&self.text, &known.name)
    }

    /// Reports whether it says the number of a task, and does not go on with the title or the file of
    /// another.
    fn has_number(&self, known: &Known<'_>, all: &[Known<'_>]) -> bool {
        let is_other = |rest: &str| {
            let is_title = |other: &Known<'_>| other.is_title() && begins(rest, &other.name);
            !begins(rest, &known.name)
                && (all.iter().any(is_title) || names_other_file(rest, known.file()))
        };
        let mut numbers = known.numbers.iter();
        numbers.any(|number| places(&self.text, number).any(|rest| !is_other(rest)))
    }

    /// Returns the one task that is meant of those that are named. A prompt to build something also
    /// mentions what is done already; a review may be of either.
    fn choose<'t>(&self, named: &[&Known<'t>]) -> Option<&'t Task> {
        let is_step = |task: &Task| named.iter().any(|above| task.parent == Some(above.task.id));
        let named: Vec<&&Known<'t>> = named.iter().filter(|known| !is_step(known.task)).collect();
        let numbers: BTreeSet<&BTreeSet<String>> =
            named.iter().map(|known| &known.numbers).collect();
        if self.is_review && numbers.len() > 1 {
            return None;
        }
        let open: Vec<_> = named.iter().copied().filter(|known| known.is_open()).collect();
        match if open.is_empty() { named } else { open }.as_slice() {
            [only] => Some(only.task),
            [] | [_, _, ..] => None,
        }
    }
}

/// A task, and what a text may call it.
struct Known<'t> {
    task: &'t Task,
    /// Its numbers in the plan, such as `task 2` or `task 2/step 1`.
    numbers: BTreeSet<String>,
    /// Its whole title.
    title: String,
    /// Its title without the number.
    name: String,
}

impl<'t> Known<'t> {
    fn of(task: &'t Task) -> Self {
        let title = task.title.as_str();
        let section = task.plan.as_ref().and_then(|plan| plan.section.as_ref());
        let counted = numbered(TASK, title).map(|task| format!("{TASK} {}", task.number));
        let numbers = section.map(|section| section.as_str().to_owned()).into_iter().chain(counted);
        let numbers = numbers.map(|number| fold(&number)).collect();
        Self { task, numbers, title: fold(title), name: fold(name_of(STEP, name_of(TASK, title))) }
    }

    fn is_open(&self) -> bool {
        !self.task.state.is_over()
    }

    fn file(&self) -> Option<&'t str> {
        self.task.plan.as_ref().map(|plan| plan.file.as_str())
    }

    /// Reports whether it is called more than its number.
    fn has_own_name(&self) -> bool {
        !self.name.is_empty() && !self.numbers.contains(&self.name)
    }

    fn is_distinctive(&self) -> bool {
        self.has_own_name() && self.name.chars().count() >= TITLE_CHARACTERS
    }

    /// Reports whether its name after a number is a title: "Task 2 implementation" names no step.
    fn is_title(&self) -> bool {
        let is_counted = self.has_own_name() && self.name != self.title;
        self.task.parent.is_none() && (is_counted || self.is_distinctive())
    }
}

/// Returns the tasks whose words are not only part of the longer words of another.
fn outermost<'k, 't>(
    named: &[&'k Known<'t>],
    words: impl for<'a> Fn(&'a Known<'t>) -> &'a str,
) -> Vec<&'k Known<'t>> {
    let is_within = |inner: &str, outer: &str| inner.len() < outer.len() && says(outer, inner);
    let is_part = |one: &Known<'t>| named.iter().any(|other| is_within(words(one), words(other)));
    named.iter().copied().filter(|known| !is_part(known)).collect()
}

/// Returns the words of a text in small letters with one space between them. Paths, ids and numbers
/// such as `2.1`, `2/Step 1` and `2-3` stay together.
fn fold(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let text = text.to_lowercase().replace('\\', "/").replace('–', "-");
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '#' | '-' | '_' | '.' | '/');
    for run in text.split(|c: char| !is_part(c)) {
        // `#3` is a number; in `plan.md#task-3` and `shop#3` the sign only separates.
        for (place, part) in run.split('#').enumerate() {
            let word = part.trim_matches(['-', '_', '.', '/']);
            let sign = if place == 1 && run.starts_with('#') { "#" } else { "" };
            if !word.is_empty() {
                words.push(format!("{sign}{word}"));
            }
        }
    }
    words.join(" ")
}

fn has_id(words: &[&str], task: &Task) -> bool {
    let is_number = |word: &str| word.starts_with('#') && Number::parse(word) == Some(task.number);
    words.iter().any(|word| *word == task.short.as_str() || is_number(word))
}

/// Returns what follows each place at which a text says some words, none of them cut.
fn places<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(words).filter_map(move |(place, _)| {
        let before = text.get(..place)?;
        let after = text.get(place + words.len()..)?;
        let is_whole = is_edge(before.chars().next_back()) && is_edge(after.chars().next());
        (is_whole && !words.is_empty()).then(|| after.trim_start())
    })
}

fn says(text: &str, words: &str) -> bool {
    places(text, words).next().is_some()
}

/// Reports whether a word of a text ends so.
fn says_end(text: &str, end: &str) -> bool {
    text.match_indices(end).any(|(place, _)| {
        is_edge(text.get(place + end.len()..).and_then(|after| after.chars().next()))
    })
}

fn begins(rest: &str, words: &str) -> bool {
    let after = rest.strip_prefix(words).filter(|_| !words.is_empty());
    after.is_some_and(|after| is_edge(after.chars().next()))
}

/// Reports whether a word ends beside this character. Many scripts have no spaces between words.
fn is_edge(beside: Option<char>) -> bool {
    beside.is_none_or(|c| c == ' ' || !c.is_ascii())
}

/// Reports whether a number goes on with the file of another plan: "Task 3 of docs/export.md".
fn names_other_file(rest: &str, own: Option<&str>) -> bool {
    let next = rest.split(' ').find(|word| !BEFORE_FILE.contains(word));
    let Some(file) = next.filter(|word| word.ends_with(PLAN_ENDING)) else { return false };
    let is_own = |own: &str| Said { text: file.to_owned(), is_review: false }.has_file(own);
    !own.is_some_and(is_own)
}

#[cfg(test)]
mod tests;
