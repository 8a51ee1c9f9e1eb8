//! The prompt of a role as a project keeps it: a file for whoever starts subagents, with places to
//! fill in.
//!
//! What stands round the prompt is for the one who starts the subagent, and what is to be filled in is
//! told apart from it (the task, the plan, the place): neither reaches the subagent.

/// The line after which a template gives its prompt, indented and inside a fence.
const PROMPT: &str = "prompt: |";

/// Returns what a template says to the subagent, in Markdown; the whole text where it is no template.
pub fn prompt_in(template: &str) -> String {
    let lines: Vec<&str> = template.lines().collect();
    let prompt = lines.iter().position(|line| line.trim() == PROMPT);
    let lines = match prompt {
        Some(place) => {
            let rest: Vec<&str> = lines.into_iter().skip(place + 1).collect();
            let is_fence = |line: &&str| line.starts_with("```");
            let end = rest.iter().rposition(is_fence).unwrap_or(rest.len());
            without_margin(rest.into_iter().take(end).collect())
        }
        None => lines,
    };
    without_empty_sections(lines.into_iter().filter(|line| !has_blank(line)))
}

/// Reports whether a prompt already says what a role prompt says, by most of its headings: whoever
/// started the subagent has filled it in.
pub fn is_in(role_prompt: &str, prompt: &str) -> bool {
    let titles: Vec<&str> = role_prompt.lines().filter(|line| is_heading(line)).collect();
    let has = |title: &&&str| prompt.lines().any(|line| line.trim() == title.trim());
    let found = titles.iter().filter(has).count();
    found > 0 && found * 2 >= titles.len()
}

/// Takes the indentation away that all lines share.
fn without_margin(lines: Vec<&str>) -> Vec<&str> {
    let full = lines.iter().filter(|line| !line.trim().is_empty());
    let margin = full.map(|line| line.len() - line.trim_start_matches(' ').len()).min();
    let margin = margin.unwrap_or_default();
    lines.into_iter().map(|line| line.get(margin..).unwrap_or_default()).collect()
}

/// Reports whether a line has a place to fill in: `[task name]`, but not `[x]` or `[text](link)`.
fn has_blank(line: &str) -> bool {
    let mut rest = line;
    while let Some((_, after)) = rest.split_once('[') {
        let Some((inside, after)) = after.split_once(']') else { return false };
        let is_box = matches!(inside, " " | "x" | "X");
        let is_link = after.starts_with(['(', '[', ':']);
        if !is_box && !is_link && inside.starts_with(|c: char| c.is_alphabetic()) {
            return true;
        }
        rest = after;
    }
    false
}

/// Leaves out headings with nothing below them.
fn without_empty_sections<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for line in lines {
        if is_heading(line) {
            drop_empty_heading(&mut kept);
        }
        kept.push(line);
    }
    drop_empty_heading(&mut kept);
    kept.join("\n").trim().to_owned()
}

/// Drops the last heading if only empty lines follow it.
fn drop_empty_heading(kept: &mut Vec<&str>) {
    let last = kept.iter().rposition(|line| !line.trim().is_empty());
    if let Some(last) = last
        && kept.get(last).is_some_and(|line| is_heading(line))
    {
        kept.truncate(last);
    }
}

fn is_heading(line: &str) -> bool {
    line.starts_with("## ") || line.starts_with("### ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = "\
# Prompt of the implementer

For whoever starts one.

```
Agent (general-purpose):
  description: \"Task N: [name]\"
  prompt: |
    You build Task N: [name].

    ## What to build

    [the whole section of the plan]

    ## How we work

    Work in: [directory]
    - [ ] Write the test first, see [the guide](docs/guide.md).
    - Values such as `[1, 2]` stay.

    ## Answer

    Say what you ran.
```
";

    #[test]
    fn a_template_is_read_without_what_is_to_be_filled_in() {
        let prompt = prompt_in(TEMPLATE);
        insta::assert_snapshot!(prompt, @"
        ## How we work

        - [ ] Write the test first, see [the guide](docs/guide.md).
        - Values such as `[1, 2]` stay.

        ## Answer

        Say what you ran.
        ");
        assert_eq!(prompt_in("Always use the linter.\n"), "Always use the linter.");
        assert_eq!(prompt_in(""), "");
        assert_eq!(prompt_in("prompt: |"), "");
    }

    #[test]
    fn a_prompt_that_was_filled_in_says_it_already() {
        let prompt = prompt_in(TEMPLATE);
        assert!(is_in(&prompt, "You build Task 2.\n\n## How we work\n\n…\n\n  ## Answer\n…"));
        assert!(!is_in(&prompt, "Implement Task 2: The inverted index as the plan says."));
        assert!(!is_in("Always use the linter.", "Always use the linter, and more."));
    }
}
