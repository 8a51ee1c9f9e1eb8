//! Plays a situation in a project of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::judge::Needs;
use super::table::Situation;
use crate::disk;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// A project in which a situation is played.
pub(super) struct Stage {
    program: PathBuf,
    search: std::ffi::OsString,
    plans: PathBuf,
    home: PathBuf,
    store: PathBuf,
    shop: PathBuf,
}

#[derive(Deserialize)]
struct TaskList {
    tasks: Vec<ListedTask>,
}

#[derive(Deserialize)]
struct ListedTask {
    id: String,
    title: String,
}

impl Stage {
    pub(super) fn prepare(
        environment: &Environment,
        program: &Path,
        data: &Path,
        ground: &Path,
        situation: &Situation,
    ) -> Result<Self, Failure> {
        let [home, store, shop] = ["home", "store", "shop"].map(|name| ground.join(name));
        for directory in [&home, &shop.join("docs/plans"), &shop.join(".pacenote")] {
            disk::create_directory(directory)?;
        }
        let stage = Self {
            program: program.to_owned(),
            search: environment.path.clone(),
            plans: data.join("plans"),
            home,
            store,
            shop,
        };
        if situation.git {
            stage
                .here("git")
                .arguments(["init", "--quiet", "--initial-branch=main"])
                .read_output()?;
        }
        Ok(stage)
    }

    /// Plays all steps, and returns what the last one brings its reader.
    pub(super) fn play(&self, situation: &Situation) -> Result<String, Failure> {
        let mut last = String::new();
        for step in &situation.steps {
            last = self.play_step(&self.fill(step)?)?;
        }
        Ok(last)
    }

    /// Returns what is needed, with everything filled in.
    pub(super) fn expand(&self, situation: &Situation) -> Result<Needs, Failure> {
        let mut needs = Needs::default();
        for need in &situation.needs {
            if let Some(place) = need.strip_prefix("section:") {
                let (file, title) = place.split_once('#').unwrap_or((place, ""));
                let (boxes, lines): (Vec<String>, Vec<String>) = section(&self.plan(file)?, title)
                    .into_iter()
                    .partition(|line| line.starts_with("- [ ]"));
                needs.lines.extend(lines);
                needs.boxes.extend(boxes);
            } else if let Some(file) = need.strip_prefix("goal:") {
                let plan = self.plan(file)?;
                let goal = plan.lines().find_map(|line| line.strip_prefix("**Goal:** "));
                needs.facts.extend(goal.map(str::to_owned));
                let is_head = |line: &&str| line.starts_with("**") && !line.starts_with("**Goal");
                let head = plan.lines().take_while(|line| !line.starts_with("##")).filter(is_head);
                needs.boxes.extend(head.map(str::to_owned));
            } else if let Some(file) = need.strip_prefix("constraints:") {
                let lines = section(&self.plan(file)?, "Global Constraints");
                // Tasks may be headings below it.
                let own = lines.into_iter().skip(1).take_while(|line| !line.starts_with('#'));
                needs.lines.extend(own);
            } else if let Some(skill) = need.strip_prefix("skill:") {
                needs.skills.push(skill.to_owned());
            } else {
                needs.facts.push(self.fill(need)?);
            }
        }
        for text in &situation.absent {
            needs.absent.push(self.fill(text)?);
        }
        Ok(needs)
    }

    fn plan(&self, file: &str) -> Result<String, Failure> {
        disk::read(&self.plans.join(file))
    }

    /// Puts ids in the place of `{Title}`.
    fn fill(&self, text: &str) -> Result<String, Failure> {
        let mut filled = String::new();
        let mut rest = text;
        let mut titles: Option<BTreeMap<String, String>> = None;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let named = after.split_once('}').filter(|(title, _)| {
                title.starts_with(|first: char| first.is_alphabetic()) && !title.contains('"')
            });
            let Some((title, next)) = named else {
                filled.push('{');
                rest = after;
                continue;
            };
            if titles.is_none() {
                titles = Some(self.titles()?);
            }
            let known = titles.iter().flatten();
            let found = known.into_iter().find(|(known, _)| known.starts_with(title));
            let kept = format!("{{{title}}}");
            filled.push_str(found.map_or(&kept, |(_, id)| id));
            rest = next;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    fn titles(&self) -> Result<BTreeMap<String, String>, Failure> {
        let list = self.call("person", &["task", "list", "--json"]).read_output()?;
        let read = serde_json::from_str::<TaskList>(&list);
        let list = read.map_err(|error| Failure::BadTable { reason: error.to_string() })?;
        Ok(list.tasks.into_iter().map(|task| (task.title, task.id)).collect())
    }

    fn play_step(&self, step: &str) -> Result<String, Failure> {
        if let Some(name) = step.strip_prefix("plan ") {
            let file = format!("docs/plans/{name}.md");
            disk::copy(&self.plans.join(format!("{name}.md")), &self.shop.join(&file))?;
            return self.call("person", &["task", "import", &file]).read_output();
        }
        if let Some(rest) = step.strip_prefix("write ") {
            let (path, text) = rest.split_once(' ').unwrap_or((rest, ""));
            disk::write(&self.shop.join(path), text)?;
            return Ok(String::new());
        }
        if let Some(rest) = step.strip_prefix("hook ") {
            return self.fire(rest);
        }
        let wrong = || Failure::BadTable { reason: format!("`{step}` is not a step") };
        let (who, arguments) = step.split_once(": ").ok_or_else(wrong)?;
        let words = words_of(arguments);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.call(who, &words).read_output()
    }

    /// Fires a hook, and returns what the model reads.
    fn fire(&self, rest: &str) -> Result<String, Failure> {
        let wrong = || Failure::BadTable { reason: format!("`hook {rest}` is not a step") };
        let (who, rest) = rest.split_once(' ').ok_or_else(wrong)?;
        let (event, fields) = rest.split_once(' ').ok_or_else(wrong)?;
        let (session, agent) = who.split_once('@').unwrap_or((who, ""));
        let mut payload: Value = serde_json::from_str(fields)
            .map_err(|error| Failure::BadTable { reason: format!("{error}: `{fields}`") })?;
        if let Some(fields) = payload.as_object_mut() {
            fields.insert("session_id".to_owned(), session.into());
            fields.insert("cwd".to_owned(), self.shop.display().to_string().into());
        }
        let input = self.home.join("payload.json");
        disk::write(&input, &payload.to_string())?;
        let mut text = String::new();
        // As many answers as Claude Code is set up to ask for where a context begins.
        let parts = if event == "session-start" { 4 } else { 1 };
        for part in 1..=parts {
            let part = format!("{part}/{parts}");
            let mut hook = self.here(&self.program);
            if !agent.is_empty() {
                hook = hook.variable("PACENOTE_AGENT", agent);
            }
            let hook = hook.arguments(["hook", "claude", event, "--part", &part]).input(&input);
            let answer: Value = serde_json::from_str(&hook.read_output()?).unwrap_or(Value::Null);
            let context = answer.pointer("/hookSpecificOutput/additionalContext");
            text.push_str(context.and_then(Value::as_str).unwrap_or_default());
        }
        Ok(text)
    }

    fn call(&self, who: &str, arguments: &[&str]) -> Invocation {
        let call = self.here(&self.program).arguments(arguments.iter().copied());
        match who.strip_prefix('@') {
            Some(agent) => call.variable("PACENOTE_AGENT", agent),
            None if who == "person" => call,
            None => call.variable("CLAUDECODE", "1").variable("CLAUDE_CODE_SESSION_ID", who),
        }
    }

    fn here(&self, program: impl Into<std::ffi::OsString>) -> Invocation {
        Invocation::new(program)
            .clean()
            .directory(&self.shop)
            .variable("PATH", &self.search)
            .variable("HOME", &self.home)
            .variable("PACENOTE_HOME", &self.store)
    }
}

/// Returns the lines of a section that say something, its heading among them.
fn section(plan: &str, title: &str) -> Vec<String> {
    let level = |line: &str| line.chars().take_while(|c| *c == '#').count();
    let mut lines = plan.lines().skip_while(|line| {
        let name = line.trim_start_matches('#').trim_start();
        level(line) == 0 || !(name == title || name.starts_with(&format!("{title}:")))
    });
    let Some(heading) = lines.next() else { return Vec::new() };
    let mut in_code = false;
    let body = lines.take_while(|line| {
        in_code ^= line.starts_with("```");
        in_code || level(line) == 0 || level(line) > level(heading)
    });
    let said = body.filter(|line| !line.trim().is_empty() && *line != "---");
    [heading].into_iter().chain(said).map(str::to_owned).collect()
}

/// Splits arguments at spaces, but for those in quotes.
fn words_of(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match (letter, quote) {
            (' ', None) => words.extend(word.take()),
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, Some(open)) if letter == open => quote = None,
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_but_for_quotes() {
        assert_eq!(
            words_of(r#"task add "Build login" --parent #1"#),
            ["task", "add", "Build login", "--parent", "#1"]
        );
        assert_eq!(words_of("a 'b \"c\"' ''"), ["a", "b \"c\"", ""]);
    }

    #[test]
    fn a_section_ends_at_the_next_of_its_level_and_not_in_code() {
        let plan = "# P\n\n## A\n\none\n\n```sh\n## not a heading\n```\n### B: x\n\n- [ ] step\ntwo\n## C\nthree\n";
        assert_eq!(
            section(plan, "A"),
            ["## A", "one", "```sh", "## not a heading", "```", "### B: x", "- [ ] step", "two"]
        );
        assert_eq!(section(plan, "B"), ["### B: x", "- [ ] step", "two"]);
        assert!(section(plan, "Z").is_empty());
    }
}
