//! Which step a message is about, as far as its words say.
//!
//! A message may name a task and a kind of review; what it names has to be the step's. It decides
//! nothing about who may speak of a step, and in doubt a message is not about it.

use pacenote_model::{Forest, Task, TaskId};

use crate::{
    review_words::{
        ALIKE, BARE, COUNTED, MATTERS, REPOSITORIES, REQUESTS, REVIEW_WORDS, is_among, is_number,
        is_review, kind_of, reviews_in, words_of,
    },
    task_name::task_names,
    verdict::{Clause, Reading, Stretch, Verdict, is_of_verdict},
};

/// Who says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// The agent that holds the step.
    Holder,
    /// Anybody else.
    Other,
}

/// What a message is about.
pub(crate) struct About<'r> {
    reading: &'r Reading,
    /// For each task that is named, those that it can be; none where there is no such task.
    tasks: Vec<Vec<TaskId>>,
    /// For each review that is named, its kinds.
    reviews: Vec<Vec<String>>,
}

impl<'r> About<'r> {
    pub(crate) fn of(reading: &'r Reading, forest: &Forest<'_>) -> Self {
        use Stretch::{Above, Lead, Trail, Verdict};
        let called: Vec<Called> = forest.walk().iter().map(|(_, task)| Called::of(task)).collect();
        let tasks =
            nearest(reading, &[Verdict, Lead, Trail, Above], |words| tasks_in(words, &called));
        let reviews = nearest(reading, &[Verdict, Lead, Above], reviews_in);
        Self { reading, tasks, reviews }
    }

    /// Tells whether a task is named.
    pub(crate) const fn names_task(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// Tells whether the words fit a step: `beside` are the steps of the same task, with itself.
    pub(crate) fn fits(
        &self,
        forest: &Forest<'_>,
        step: &Task,
        beside: &[&Task],
        speaker: Speaker,
    ) -> bool {
        let above = forest.ancestors(step.id);
        // A review is about the work beside it.
        let judged = beside.iter().filter(|one| !above.is_empty() && !is_review(one));
        let judged = judged.filter(|_| is_review(step)).map(|one| one.id);
        let own: Vec<TaskId> = above.iter().map(|one| one.id).chain([step.id]).collect();
        let meant: Vec<TaskId> = own.iter().copied().chain(judged).collect();
        if !self.tasks.iter().all(|named| named.iter().any(|one| meant.contains(one))) {
            return false;
        }
        let titles = above.iter().copied().chain([step]);
        let titles: Vec<String> = titles.flat_map(|one| words_of(one.title.as_str())).collect();
        let is_other = |word: &str| !titles.iter().any(|own| own == word);
        if self.reading.verdict == Verdict::Finished {
            let is_elsewhere = self.says(&[Stretch::Verdict, Stretch::Lead], |word| {
                is_other(word) && (is_among(MATTERS, word) || REPOSITORIES.contains(&word))
            });
            return self.reviews.is_empty() && (self.names_task() || !is_elsewhere);
        }
        let mut kinds = self.reviews.iter().filter(|kinds| !kinds.is_empty()).peekable();
        let is_kind_named = kinds.peek().is_some();
        if !kinds.all(|kinds| is_of_kind(kinds, step, &titles, beside)) {
            return false;
        }
        let before = [Stretch::Verdict, Stretch::Lead, Stretch::Above];
        let is_repository = |word: &str| is_other(word) && REPOSITORIES.contains(&word);
        let is_matter = |word: &str| is_other(word) && is_among(MATTERS, word);
        if self.says(&before, is_repository) && !self.names_task() {
            return false;
        }
        if is_kind_named {
            return true;
        }
        if self.says(&[Stretch::Verdict, Stretch::Lead], is_matter) {
            return false;
        }
        if speaker == Speaker::Holder {
            return true;
        }
        let is_aside = |word: &str| is_matter(word) || REQUESTS.contains(&word);
        let is_review_of_task = self.names_task() && !self.reviews.is_empty();
        if !is_review_of_task && self.says(&before, is_aside) {
            return false;
        }
        !self.reviews.is_empty() || self.is_bare(&titles)
    }

    fn says(&self, stretches: &[Stretch], is_meant: impl Fn(&str) -> bool) -> bool {
        let clauses = stretches.iter().flat_map(|stretch| self.reading.stretch(*stretch));
        clauses.flat_map(|clause| &clause.words).any(|word| is_meant(word))
    }

    /// Tells whether a clause says a verdict and nothing else.
    fn is_bare(&self, titles: &[String]) -> bool {
        let is_plain = |word: &String| {
            is_of_verdict(word)
                || is_among(BARE, word)
                || is_number(word)
                || word == "#"
                || titles.contains(word)
        };
        self.reading.stretch(Stretch::Verdict).any(|clause| clause.words.iter().all(is_plain))
    }
}

/// Tells whether a review of these kinds is the step, and no step beside it is so more exactly.
fn is_of_kind(kinds: &[String], step: &Task, titles: &[String], beside: &[&Task]) -> bool {
    let kinds_in = |title: &str| -> Vec<&'static str> {
        words_of(title).iter().filter_map(|word| kind_of(word)).collect()
    };
    let own = kinds_in(step.title.as_str());
    let is_alike = |kind: &str| ALIKE.contains(&kind) && own.iter().any(|one| ALIKE.contains(one));
    let is_own = |kind: &String| {
        let is_known = kind_of(kind).is_some();
        own.contains(&kind.as_str()) || is_alike(kind) || !is_known && titles.contains(kind)
    };
    let is_exactly = |one: &Task| {
        let found = kinds_in(one.title.as_str());
        found.len() == kinds.len() && kinds.iter().all(|kind| found.contains(&kind.as_str()))
    };
    let mut others = beside.iter().filter(|one| one.id != step.id && is_review(one));
    kinds.iter().all(is_own) && (is_exactly(step) || !others.any(|one| is_exactly(one)))
}

/// Returns what is found in the nearest stretch that has something.
fn nearest<T>(
    reading: &Reading,
    stretches: &[Stretch],
    find: impl Fn(&[&str]) -> Vec<T>,
) -> Vec<T> {
    let find_in = |clause: &Clause| {
        let words: Vec<&str> = clause.words.iter().map(String::as_str).collect();
        find(&words)
    };
    let found = stretches
        .iter()
        .map(|stretch| -> Vec<T> { reading.stretch(*stretch).flat_map(find_in).collect() });
    found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// What a task is called in a message.
struct Called {
    id: TaskId,
    number: String,
    digits: String,
    /// Its titles and its place in a plan, as words, two at least.
    names: Vec<Vec<String>>,
}

impl Called {
    fn of(task: &Task) -> Self {
        let names = task_names(task).map(|name| words_of(&name));
        // What a review is called is its kind, and a single word is a word like any other.
        let is_name = |name: &Vec<String>| {
            let is_plain = name.iter().any(|word| REVIEW_WORDS.contains(&word.as_str()));
            name.len() > 1 && !is_plain
        };
        let names = names.filter(is_name).collect();
        let digits = task.short.as_str().trim_start_matches("t-").to_owned();
        Self { id: task.id, number: task.number.get().to_string(), digits, names }
    }
}

/// Returns the tasks that the words name, each with those that it can be.
fn tasks_in(words: &[&str], called: &[Called]) -> Vec<Vec<TaskId>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let before = at.checked_sub(1).and_then(|before| words.get(before)).copied();
        let (length, tasks) = task_at(rest, before, called).unwrap_or((1, None));
        found.extend(tasks);
        at += length;
    }
    found
}

/// Returns how many words at the front name a task, and which.
fn task_at(
    words: &[&str],
    before: Option<&str>,
    called: &[Called],
) -> Option<(usize, Option<Vec<TaskId>>)> {
    let ids = |is_meant: &dyn Fn(&Called) -> bool| -> Vec<TaskId> {
        called.iter().filter(|one| is_meant(one)).map(|one| one.id).collect()
    };
    let begins = |name: &&Vec<String>| {
        name.len() <= words.len() && name.iter().zip(words).all(|(name, word)| name == word)
    };
    let names = called.iter().flat_map(|one| &one.names).filter(begins);
    if let Some(name) = names.max_by_key(|name| name.len()) {
        // `Task 1.2` is not `Task 1`.
        let is_part = |at: usize| words.get(at).is_some_and(|word| is_number(word));
        let is_another = is_part(name.len() - 1) && is_part(name.len());
        let tasks = ids(&|one| !is_another && one.names.contains(name));
        return Some((name.len(), Some(tasks)));
    }
    let by_number = |number: &str| ids(&|one| one.number == number);
    match *words {
        ["task" | "tasks", number, ..] if is_number(number) => {
            let is_titled = |one: &Called| one.names.iter().any(|name| *name == ["task", number]);
            let titled = ids(&is_titled);
            let tasks = if titled.is_empty() { by_number(number) } else { titled };
            Some((2, Some(tasks)))
        }
        ["step", number, ..] if is_number(number) => {
            let is_so = |one: &Called| {
                let mut names = one.names.iter();
                names.any(|name| name.windows(2).any(|pair| *pair == ["step", number]))
            };
            Some((2, Some(ids(&is_so))))
        }
        // `Tasks 1 and 2`: the second is named as well.
        ["and", number, ..] if is_number(number) && before.is_some_and(is_number) => {
            Some((2, Some(by_number(number))))
        }
        ["#", number, ..] if is_number(number) => {
            let is_task = before.is_none_or(|before| !COUNTED.contains(&before));
            Some((2, is_task.then(|| by_number(number))))
        }
        ["t", digits, ..] if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            let is_so =
                |one: &Called| one.digits.starts_with(digits) || digits.starts_with(&*one.digits);
            Some((2, Some(ids(&is_so))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
