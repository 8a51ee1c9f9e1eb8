//! What a subagent is asked to do, judged by the words of its prompt.
//!
//! Clients have types for everything (`general-purpose`, `default`, none at all), which say nothing
//! about the work. The verbs with which the clauses of a prompt begin do. Words inside a clause do
//! not count: "find the calls that add a row" adds nothing. A prompt that is not clear has no role;
//! a wrong one would be worse, because it brings instructions that nobody wanted.

use crate::role::{Role, role_of};

mod clauses;
mod verbs;

use self::{
    clauses::{Clause, clauses_of},
    verbs::{Verb, forbids_changes, is_lasting, verb_of},
};

/// Types by which clients call a subagent for everything, in lower case. `other` is our own word
/// where a client says nothing.
const FOR_EVERYTHING: [&str; 5] = ["general-purpose", "general", "default", "claude", "other"];

/// Reports whether a type says nothing about what its subagents are there for.
pub fn is_for_everything(agent_type: &str) -> bool {
    agent_type.is_empty() || FOR_EVERYTHING.contains(&agent_type.to_lowercase().as_str())
}

/// Reports whether what was asked of one type may be what a subagent of the other begins with. A
/// client that was given no type names the one it chose.
pub fn is_same_type(asked: &str, begun: &str) -> bool {
    asked == begun || (is_for_everything(asked) && is_for_everything(begun))
}

/// Returns what a subagent is there for: by its type where that says it, else by its prompt, else by
/// the title of the task that the prompt names.
pub fn role_for(agent_type: &str, prompt: &str, task_title: Option<&str>) -> Role {
    let by_prompt = || role_in(prompt, task_title);
    match role_of(agent_type) {
        // Somebody who only looks has no use for advice about changes, whatever it is called.
        Role::Implementer if task_title.is_none() && by_prompt() == Role::Explorer => {
            Role::Explorer
        }
        Role::Implementer => Role::Implementer,
        Role::Other => by_prompt(),
        role @ (Role::Explorer | Role::Reviewer | Role::Planner | Role::Writer) => role,
    }
}

/// Returns the role of somebody who is asked this, and by that named a task or not.
fn role_in(prompt: &str, task_title: Option<&str>) -> Role {
    let asked = Asked::of(prompt);
    if let Some(role) = asked.role() {
        return role;
    }
    let Some(title) = task_title else {
        return if asked.only_looks() { Role::Explorer } else { Role::Other };
    };
    if asked.only_looks() && !asked.has(Verb::Do) {
        return Role::Explorer;
    }
    // It does what the title says: "Spec review" is not implemented.
    match Asked::of(without_number(title)).role() {
        Some(role @ (Role::Reviewer | Role::Planner | Role::Writer)) => role,
        // It has to know its task, so it is not somebody whose prompt says everything.
        Some(Role::Explorer) => Role::Other,
        Some(Role::Implementer | Role::Other) | None => Role::Implementer,
    }
}

/// Reports whether a title or a prompt means that somebody else's work is judged.
pub fn is_review(title: &str) -> bool {
    Asked::of(without_number(title)).role() == Some(Role::Reviewer)
}

/// Returns a title without the number that a plan gives it: "Task 2: The parser".
fn without_number(title: &str) -> &str {
    match title.split_once(':') {
        Some((number, title)) if number.to_lowercase().starts_with("task ") => title,
        Some(_) | None => title,
    }
}

/// What a prompt asks for.
struct Asked {
    /// What its clauses ask for, in order.
    verbs: Vec<Verb>,
    /// The role that it gives its reader by name, such as "You are a code reviewer".
    named: Option<Role>,
    /// Whether it says that nothing may be changed.
    is_read_only: bool,
}

impl Asked {
    fn of(prompt: &str) -> Self {
        let (mut verbs, mut named, mut is_read_only) = (Vec::new(), None, false);
        let mut asking = None;
        for clause in clauses_of(prompt) {
            // What follows under a later heading is material: a plan, a brief, a form of the report.
            if asking.is_some_and(|asking| asking != clause.section) {
                break;
            }
            named = named.or_else(|| role_named_in(&clause));
            if forbids_changes(&clause) {
                is_read_only = true;
            } else {
                verbs.extend(verb_of(&clause));
            }
            asking = (!verbs.is_empty()).then_some(clause.section);
        }
        Self { verbs, named, is_read_only }
    }

    fn has(&self, verb: Verb) -> bool {
        self.verbs.contains(&verb)
    }

    /// Reports whether all that it asks for is to look and to say what was found.
    fn only_looks(&self) -> bool {
        self.has(Verb::Look) || self.has(Verb::Say) || self.is_read_only
    }

    /// Returns the role, where the words are clear.
    fn role(&self) -> Option<Role> {
        let first = self.verbs.iter().find(|verb| is_lasting(**verb));
        let by_verbs = match first {
            Some(Verb::Review) if self.has(Verb::Fix) && !self.is_read_only => Role::Implementer,
            Some(Verb::Review) => Role::Reviewer,
            Some(Verb::Plan) if self.has(Verb::Implement) && !self.is_read_only => {
                Role::Implementer
            }
            Some(Verb::Plan) => Role::Planner,
            Some(Verb::Look | Verb::Document | Verb::Implement | Verb::Fix | Verb::Change)
                if self.is_read_only =>
            {
                self.judged().unwrap_or(Role::Explorer)
            }
            Some(Verb::Implement | Verb::Fix | Verb::Change) => Role::Implementer,
            Some(Verb::Look | Verb::Document) => self.after_looking(),
            Some(Verb::Say | Verb::Do) | None => return self.named,
        };
        // "You are a code reviewer. Look at the diff": the name says what the looking is for.
        match (by_verbs, self.named) {
            (Role::Explorer, Some(named @ (Role::Reviewer | Role::Planner))) => Some(named),
            (
                Role::Explorer
                | Role::Implementer
                | Role::Reviewer
                | Role::Planner
                | Role::Writer
                | Role::Other,
                _,
            ) => Some(by_verbs),
        }
    }

    /// Returns the role of somebody who looks or documents first, and then perhaps does more.
    fn after_looking(&self) -> Role {
        if self.has(Verb::Implement) || self.has(Verb::Fix) || self.has(Verb::Change) {
            return Role::Implementer;
        }
        if self.has(Verb::Document) {
            return Role::Writer;
        }
        self.judged().unwrap_or(Role::Explorer)
    }

    /// Returns the role of somebody whose looking ends in a judgement or a plan.
    fn judged(&self) -> Option<Role> {
        if self.has(Verb::Review) {
            return Some(Role::Reviewer);
        }
        self.has(Verb::Plan).then_some(Role::Planner)
    }
}

/// Returns the role by which a clause calls its reader: "You are a code reviewer", or the name of a
/// role prompt.
fn role_named_in(clause: &Clause) -> Option<Role> {
    let is_told = clause.starts_with(&["you", "are"]) || clause.starts_with(&["act", "as"]);
    let words: Vec<&str> = clause.words().collect();
    let name = if is_told {
        words.join(" ")
    } else {
        let is_prompt = |word: &&str| word.contains("subagent-driven-development/");
        words.iter().copied().find(is_prompt)?.to_owned()
    };
    match role_of(&name) {
        Role::Other => None,
        role @ (Role::Explorer
        | Role::Implementer
        | Role::Reviewer
        | Role::Planner
        | Role::Writer) => Some(role),
    }
}

#[cfg(test)]
mod tests;
