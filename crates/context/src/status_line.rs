//! One line for the person: what an agent was just given to read, or how the work stands.
//!
//! It names things and counts them, and quotes nothing but titles and names. It fits a status bar, so
//! it has no line break, no control character and no long title.

use pacenote_model::{AgentName, Forest, Number, Task, TaskState};

use crate::{
    escape::inert,
    heading::{TASK, numbered},
    tree::StepCount,
    wording::{counted, one_line},
};

/// What the line begins with.
const MARK: &str = "pacenote: ";

/// Longest title in the line, in characters: a status bar has 80 for everything.
const TITLE_CHARACTERS: usize = 40;

/// Longest account of something that somebody did, in characters.
const NEWS_CHARACTERS: usize = 80;

/// Most names in a list before the others are counted.
const NAMED: usize = 2;

/// Skills that people call by other names than their own.
const NICKNAMES: [(&str, &str); 1] = [("test-driven-development", "TDD")];

/// What the person is shown, in the order of the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusLine {
    /// The kind of the subagent that reads, where it is one.
    pub subagent: Option<String>,
    pub task: TaskShown,
    pub run: Option<RunShown>,
    /// The session whose work goes on.
    pub continues: Option<Number>,
    pub mail: MailShown,
    /// What others did, such as `@frontend claimed t-92dd2`.
    pub news: Vec<String>,
    /// How many things wait for an answer of the person.
    pub questions: usize,
    pub skills: Vec<String>,
    /// What else was injected, in the words of receipts.
    pub besides: Vec<String>,
    pub tokens: Option<u32>,
}

/// The task at hand, as far as the line is about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TaskShown {
    /// The line is about something else.
    #[default]
    Unasked,
    /// There is none.
    Idle,
    /// What it is called and how far it is.
    At(String),
}

/// A run of a workflow and its step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunShown {
    pub number: Number,
    pub workflow: String,
    pub step: u32,
    pub total: u32,
}

/// Messages that wait, or that came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailShown {
    pub messages: usize,
    pub urgent: usize,
    /// Who wrote them, where that is one and the line has room for it.
    pub from: Option<AgentName>,
}

impl TaskShown {
    /// Describes the task that `agent` holds, or whoever works when the agent has no name.
    pub fn of(forest: &Forest<'_>, agent: Option<&AgentName>) -> Self {
        let is_own = |task: &&Task| agent.is_none() || task.assignee.as_ref() == agent;
        let walk = || forest.walk().into_iter().map(|(_, task)| task);
        let is_blocked = |task: &&Task| task.state == TaskState::Blocked && task.assignee.is_some();
        let task = forest.current(agent).filter(is_own);
        match task.or_else(|| walk().filter(is_own).find(is_blocked)) {
            Some(task) => Self::at(forest, task, agent),
            None => Self::Idle,
        }
    }

    /// Describes a task; one that is a step is shown as the task it is a step of.
    pub fn at(forest: &Forest<'_>, task: &Task, agent: Option<&AgentName>) -> Self {
        let is_leaf = forest.children(Some(task.id)).is_empty();
        let above = task.parent.filter(|_| is_leaf).and_then(|above| forest.get(above));
        let task = above.unwrap_or(task);
        let holder = task.assignee.as_ref().filter(|holder| Some(*holder) != agent);
        let holder = holder.map(|holder| format!(" (@{holder})")).unwrap_or_default();
        let far = if task.state == TaskState::Blocked {
            ", blocked".to_owned()
        } else {
            let count = StepCount::of(forest, task.id);
            count.map(|count| format!(", {}", count.in_figures())).unwrap_or_default()
        };
        Self::At(format!("{}{holder}{far}", quote(task.title.as_str())))
    }
}

impl StatusLine {
    /// Returns the line; `None` where there is nothing to say.
    pub fn to_text(&self) -> Option<String> {
        let task = match &self.task {
            TaskShown::Unasked => None,
            TaskShown::Idle => Some("no active task".to_owned()),
            TaskShown::At(text) => Some(text.clone()),
        };
        let run = self.run.as_ref().map(|run| {
            let RunShown { number, workflow, step, total } = run;
            format!("run {number} {}, step {step}/{total}", one_line(workflow, TITLE_CHARACTERS))
        });
        let subagent = self.subagent.as_deref();
        let subagent =
            subagent.map(|kind| format!("subagent {}", one_line(kind, TITLE_CHARACTERS)));
        let continues = self.continues.map(|number| format!("continues session {number}"));
        let questions = (self.questions > 0).then(|| match self.questions {
            1 => "1 question for you".to_owned(),
            more => format!("{more} questions for you"),
        });
        let tokens = self.tokens.map(|tokens| match tokens {
            1 => "1 token".to_owned(),
            more => format!("{} tokens", in_thousands(more)),
        });
        let parts = [subagent, task, run, continues, self.mail.to_text(), self.news(), questions];
        let parts = parts.into_iter().chain([name_skills(&self.skills), self.besides(), tokens]);
        let parts: Vec<String> = parts.flatten().collect();
        (!parts.is_empty()).then(|| one_inert_line(&format!("{MARK}{}", parts.join(" · "))))
    }

    fn news(&self) -> Option<String> {
        let shown = self.news.iter().take(NAMED).map(|news| one_line(news, NEWS_CHARACTERS));
        let more = self.news.len().saturating_sub(NAMED);
        let more = (more > 0).then(|| format!("{more} more"));
        let parts: Vec<String> = shown.chain(more).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    fn besides(&self) -> Option<String> {
        (!self.besides.is_empty()).then(|| self.besides.join(", "))
    }
}

impl MailShown {
    fn to_text(&self) -> Option<String> {
        if self.messages == 0 {
            return None;
        }
        let from = self.from.as_ref().map(|from| format!(" from @{from}")).unwrap_or_default();
        let urgent = match (self.messages, self.urgent) {
            (_, 0) => String::new(),
            (1, _) => " (urgent)".to_owned(),
            (_, urgent) => format!(" ({urgent} urgent)"),
        };
        Some(format!("{}{from}{urgent}", counted(self.messages, "message")))
    }
}

/// Returns a title as a person says it: `Task 2 "The command"`.
fn quote(title: &str) -> String {
    match numbered(TASK, title) {
        Some(task) if !task.name.is_empty() => {
            format!("{TASK} {} \"{}\"", task.number, one_line(task.name, TITLE_CHARACTERS))
        }
        Some(_) | None => format!("\"{}\"", one_line(title, TITLE_CHARACTERS)),
    }
}

/// Names a few skills: `skill a`, `skills a, b and 3 more`.
fn name_skills(names: &[String]) -> Option<String> {
    let plural = if names.len() == 1 { "" } else { "s" };
    let said = |name: &String| {
        let nickname = NICKNAMES.iter().find(|(known, _)| known == name);
        nickname.map_or_else(|| one_line(name, TITLE_CHARACTERS), |(_, said)| (*said).to_owned())
    };
    let named: Vec<String> = names.iter().take(NAMED).map(said).collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!named.is_empty()).then(|| format!("skill{plural} {}{more}", named.join(", ")))
}

/// Writes a number with a comma between thousands.
fn in_thousands(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a text in which nothing is left that a terminal or a status bar would act on.
fn one_inert_line(text: &str) -> String {
    inert(text).replace(['\n', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use pacenote_model::TaskState;

    use super::*;
    use crate::example::{agent, shop, task};

    fn line(change: impl FnOnce(&mut StatusLine)) -> String {
        let mut line = StatusLine::default();
        change(&mut line);
        line.to_text().unwrap_or_default()
    }

    fn mail(messages: usize, urgent: usize, from: Option<&str>) -> MailShown {
        MailShown { messages, urgent, from: from.map(agent) }
    }

    #[test]
    fn the_line_says_what_matters() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let at = |text: &str| TaskShown::At(text.to_owned());
        let lines = [
            line(|_| {}),
            line(|line| (line.task, line.tokens) = (TaskShown::Idle, Some(91))),
            line(|line| {
                line.task = at("Task 2 \"The command\", 1/3 steps");
                line.mail = mail(2, 1, None);
                line.skills = names(&["test-driven-development"]);
                line.tokens = Some(1_240);
            }),
            line(|line| line.mail = mail(1, 1, Some("claude-0956"))),
            line(|line| line.mail = mail(3, 3, None)),
            line(|line| line.news = names(&["@frontend claimed t-92dd2 \"Task 5: The command\""])),
            line(|line| line.news = names(&["@a x", "@b y", "@c z", "@d w"])),
            line(|line| {
                line.run = Some(RunShown {
                    number: Number::new(3),
                    workflow: "deepthink".to_owned(),
                    step: 2,
                    total: 5,
                });
                line.continues = Some(Number::new(4));
                line.questions = 1;
                line.skills = names(&["a", "b", "c"]);
            }),
            line(|line| {
                line.subagent = Some("code-reviewer".to_owned());
                line.besides = names(&["role", "plan"]);
                line.tokens = Some(1_234_567);
            }),
        ];
        insta::assert_snapshot!(lines.join("\n"), @r#"

        pacenote: no active task · 91 tokens
        pacenote: Task 2 "The command", 1/3 steps · 2 messages (1 urgent) · skill TDD · 1,240 tokens
        pacenote: 1 message from @claude-0956 (urgent)
        pacenote: 3 messages (3 urgent)
        pacenote: @frontend claimed t-92dd2 "Task 5: The command"
        pacenote: @a x · @b y · 2 more
        pacenote: run #3 deepthink, step 2/5 · continues session #4 · 1 question for you · skills a, b and 1 more
        pacenote: subagent code-reviewer · role, plan · 1,234,567 tokens
        "#);
    }

    #[test]
    fn the_task_is_the_readers_own_and_named_as_people_say_it() {
        let mut tasks = shop();
        let shown = |tasks: &[Task], who: Option<&str>| {
            let who = who.map(agent);
            match TaskShown::of(&Forest::new(tasks), who.as_ref()) {
                TaskShown::At(text) => text,
                TaskShown::Idle => "idle".to_owned(),
                TaskShown::Unasked => "unasked".to_owned(),
            }
        };
        let seen = [
            shown(&tasks, Some("backend")),
            shown(&tasks, Some("frontend")),
            shown(&tasks, None),
            shown(&[], None),
        ];
        insta::assert_snapshot!(seen.join("\n"), @r#"
        "Add login endpoint", 1/3 steps
        idle
        "Add login endpoint" (@backend), 1/3 steps
        idle
        "#);
        tasks[1].state = TaskState::Blocked;
        assert_eq!(shown(&tasks, Some("backend")), "\"Add login endpoint\", blocked");
        let mut numbered = task(1, "Task 12: The button that begins an export of all invoices");
        numbered.state = TaskState::InProgress;
        assert_eq!(
            shown(&[numbered], None),
            "Task 12 \"The button that begins an export of all…\""
        );
    }

    #[test]
    fn no_title_moves_the_cursor() {
        let mut hostile = task(1, "x");
        hostile.title = pacenote_model::Title::parse("a\u{202e}b").unwrap_or(hostile.title);
        hostile.state = TaskState::InProgress;
        let line = StatusLine {
            task: TaskShown::of(&Forest::new(&[hostile]), None),
            news: vec!["\u{1b}[2J\nall\tgone".to_owned()],
            ..StatusLine::default()
        };
        let text = line.to_text().unwrap_or_default();
        assert!(!text.chars().any(char::is_control) && !text.contains('\u{202e}'), "{text}");
    }

    #[test]
    fn thousands_are_set_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345, "12,345")] {
            assert_eq!(in_thousands(number), text);
        }
    }
}
