//! Skills in the styles that people write them, and what becomes of them.

use super::*;
use crate::skill::{Place, read};

/// Reads a skill, with the files beside it, and tells its structure and the remarks a line each.
fn told_with(text: &str, files: &[(&str, &str)]) -> String {
    let (structure, remarks) = structure_of(text, files);
    let mut lines = vec![format!(
        "{} is {:?} for {}",
        structure.name,
        structure.kind,
        structure.primary_agent.as_deref().unwrap_or("everyone")
    )];
    for area in &structure.focus_areas {
        let severity = match (area.severity_range, area.severity) {
            (Some([lowest, highest]), _) => format!("{lowest:?} to {highest:?}"),
            (None, Some(severity)) => format!("{severity:?}"),
            (None, None) => "-".to_owned(),
        };
        lines.push(format!("{} ({severity}): {}", area.name, area.checks.join(" | ")));
    }
    for AutoValidated { id, pattern, description } in &structure.auto_validated_patterns {
        let pattern = pattern.as_deref().unwrap_or("-");
        lines.push(format!("pattern {id}: {pattern}: {description}"));
    }
    lines.extend(structure.false_positive_rules.iter().map(|rule| format!("not: {rule}")));
    if !structure.priority_files.is_empty() {
        lines.push(format!("first: {}", structure.priority_files.patterns.join(" ")));
    }
    let Methodology { approach, mindset, steps, questions } = &structure.methodology;
    lines.extend(approach.iter().map(|approach| format!("approach: {approach}")));
    lines.extend(mindset.iter().map(|mindset| format!("mindset: {mindset}")));
    lines.extend(steps.iter().map(|step| format!("step: {step}")));
    lines.extend(questions.iter().map(|question| format!("question: {question}")));
    lines.extend(remarks.iter().map(|remark| format!("remark: {remark}")));
    lines.join("\n")
}

fn told(text: &str) -> String {
    told_with(text, &[])
}

fn structure_of(text: &str, files: &[(&str, &str)]) -> (Structure, Vec<Remark>) {
    let (skill, _) = read(text.as_bytes(), &Place { directory: "place", file: "SKILL.md" });
    let file = |wanted: &FileReference| {
        let found = files.iter().find(|(name, _)| *name == wanted.to_string());
        found.map(|(_, text)| (*text).to_owned())
    };
    let tokens = |text: &str| u32::try_from(text.len() / 4).unwrap();
    structure(&skill, skill.name.as_str(), &Outside { file: &file, tokens: &tokens })
}

#[test]
fn the_entry_is_written_in_the_order_of_the_contract() {
    let text = "\
---
name: reviewing-security
---
# Security

## Categories Checked

**Secrets (Minor to Critical):**
- Keys in code

## Auto-Validated Patterns

- `key`: `AKIA[0-9A-Z]{16}`: An access key
- `seen`: Anything else
";
    let (structure, _) = structure_of(text, &[]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&structure).unwrap(), @r#"
    {
      "name": "reviewing-security",
      "source": "reviewing-security",
      "type": "review",
      "primary_agent": "security-agent",
      "focus_areas": [
        {
          "name": "Secrets",
          "severity": "Critical",
          "severity_range": [
            "Minor",
            "Critical"
          ],
          "checks": [
            "Keys in code"
          ]
        }
      ],
      "auto_validated_patterns": [
        {
          "id": "key",
          "pattern": "AKIA[0-9A-Z]{16}",
          "description": "An access key"
        },
        {
          "id": "seen",
          "pattern": null,
          "description": "Anything else"
        }
      ],
      "sections": [
        {
          "title": "Security",
          "level": 1,
          "bytes": [
            0,
            179
          ],
          "line": 4,
          "tokens": 44
        },
        {
          "title": "Categories Checked",
          "level": 2,
          "bytes": [
            12,
            84
          ],
          "line": 6,
          "tokens": 18
        },
        {
          "title": "Auto-Validated Patterns",
          "level": 2,
          "bytes": [
            84,
            179
          ],
          "line": 11,
          "tokens": 23
        }
      ]
    }
    "#);
}

#[test]
fn bold_leaders_announce_categories() {
    insta::assert_snapshot!(told("\
---
name: reviewing-security
---
# Security review

Finds holes before others do.

## Configuration

### Security Categories Checked

Look at each of these.

**Injection (Critical):**
- SQL built from strings
- Commands built from input:
  - `exec` with a shell
  - templates

**Secrets & Keys (Major to Critical):**

* In code
* In logs

**Cryptography (Critical/Major)**: weak hashes, short keys, and `ECB` mode.

**Examples (Minor)**: outdated ones

## Hygiene Principles

**Headers (Minor):**
Responses without the usual headers. Report each once.

### More Checks

**Timing:** These are usually Minor. Comparisons that end early.

---

## Scope Prioritization

When reviewing directories, look first at:
- Files with \"auth\", \"login\" in names
- Configuration (`config/*.ts`, `appsettings.json`)
- Middleware

## Security-Specific False Positives

Do NOT flag:
- Placeholders (`\"changeme\"`)
- What is mitigated elsewhere

**Always flag** even so:
- Private keys

## Example Output

**Broken Login (Critical):**
- found in `a.ts`
"), @r#"
    reviewing-security is Review for security-agent
    Injection (Critical): SQL built from strings | Commands built from input: `exec` with a shell | Commands built from input: templates
    Secrets & Keys (Major to Critical): In code | In logs
    Cryptography (Major to Critical): weak hashes | short keys | `ECB` mode
    Examples (Minor): outdated ones
    Headers (Minor): Responses without the usual headers | Report each once
    Timing (Minor): Comparisons that end early
    not: Placeholders (`"changeme"`)
    not: What is mitigated elsewhere
    first: **/*auth* **/*auth*/** **/*login* **/*login*/** **/config/*.ts **/appsettings.json
    "#);
}

#[test]
fn headings_announce_categories() {
    insta::assert_snapshot!(told("\
---
name: plugin:reviewing-bugs
---
# Bugs

## Null Dereference (Critical)
- Missing checks

### Off by One (Major):
1. Loops
2. Slices

#### Races — Major
Shared state without a lock; locks taken in two orders.

## Minor: Dead Branches
- Conditions that never hold

## Leaks [Suggestion]
- Handles

## Critical Rules
- Read the diff first

## When to Use (Critical)
- When something broke

### Details (Major)
- Any
"), @"
    plugin:reviewing-bugs is Review for bug-detection-agent
    Null Dereference (Critical): Missing checks
    Off by One (Major): Loops | Slices
    Races (Major): Shared state without a lock | locks taken in two orders
    Dead Branches (Minor): Conditions that never hold
    Leaks (Suggestion): Handles
    ");
}

#[test]
fn list_items_announce_categories() {
    insta::assert_snapshot!(told("\
---
name: reviewing-performance
---
## What to look for

1. **Queries (Major)**
   - One in a loop
   - Without an index
2. **Rendering** (Minor): layout thrashing, large lists
3. **Memory** — Critical: leaks
- Startup (Suggestion or Minor): lazy loading
- **Caching**
  - Keys that collide. Report as Major.

## Additional Focus Areas

- Battery
- Network

## Documentation Categories

3 categories: Accuracy (Critical), Clarity (Major), Structure (Minor).
"), @"
    reviewing-performance is Review for performance-agent
    Queries (Major): One in a loop | Without an index
    Rendering (Minor): layout thrashing | large lists
    Memory (Critical): leaks
    Startup (Suggestion to Minor): lazy loading
    Caching (Major): Keys that collide. Report as Major.
    Additional Focus Areas (-): Battery | Network
    Accuracy (Critical): 
    Clarity (Major): 
    Structure (Minor):
    ");
}

#[test]
fn an_own_review_skill_is_one_by_its_field_or_by_what_it_lists() {
    insta::assert_snapshot!(told("\
---
name: accessibility
category: review
agent: accessibility-agent
---
## Keyboard (Critical)
- Traps
"), @"
    accessibility is Review for accessibility-agent
    Keyboard (Critical): Traps
    ");
    insta::assert_snapshot!(told("\
---
name: accessibility
---
Looks at pages as everyone uses them.

## Categories Checked
**Keyboard (Critical):**
- Traps
**Contrast (Major):**
- Grey on grey

**Notes:**
- None
"), @"
    accessibility is Review for everyone
    Keyboard (Critical): Traps
    Contrast (Major): Grey on grey
    approach: Looks at pages as everyone uses them.
    ");
    insta::assert_snapshot!(told("\
---
name: reviewing-accessibility
---
Looks at pages as everyone uses them.

## Keyboard (Critical)
- Traps

## Contrast (Minor)
- Grey on grey
"), @"
    reviewing-accessibility is Review for everyone
    Keyboard (Critical): Traps
    Contrast (Minor): Grey on grey
    approach: Looks at pages as everyone uses them.
    ");
}

#[test]
fn one_importance_is_no_scale() {
    insta::assert_snapshot!(told("\
---
name: review-runner
---
Runs the reviewers one after the other.

## Sessions (CRITICAL)
- One each

## Order (CRITICAL)
- By name
"), @"
    review-runner is Methodology for everyone
    approach: Runs the reviewers one after the other.
    ");
}

#[test]
fn emphasis_elsewhere_is_no_severity() {
    insta::assert_snapshot!(told("\
---
name: writing-skills
---
# Writing skills

Write the test before the skill, as with code.

## Token Efficiency (Critical)

Every session pays for it.

**Target:**
- Below 200 words

### Language (CRITICAL)
- Plain words

## Critical: do not skip

A major rewrite is critical. These are usually Major.

| Category (Critical) | Checks |
|---|---|
| Injection (Critical) | all |

```markdown
## Injection (Critical)
- SQL
```

> ## Quoted (Critical)
> - check

<div>
## Html (Critical)
- check
</div>

<!--
## Comment (Critical)
- check
-->
"), @"
    writing-skills is Methodology for everyone
    approach: Write the test before the skill, as with code.
    ");
    assert_eq!(
        structure_of("## Checks\n| A (Critical) |\n|--|\n| **B (Major):** |\n", &[]).0.focus_areas,
        []
    );
    assert_eq!(structure_of("```\n## Checks\n**B (Major):**\n- c\n", &[]).0.focus_areas, []);
}

const RULES: &str = "\
# Validation

## Batches

| Field | Type |
|---|---|
| `file_path` | string |

## Auto-Validation Patterns

**Bug patterns (always valid):**

| Pattern Name | Regex | Description |
|---|---|---|
| `empty_catch` | `catch\\s*\\(.*\\)\\s*\\{\\s*\\}` | Empty catch |
| `missing_await` | `(?:const\\|let)\\s+(?!await)` | Forgotten await |

**Security patterns (always valid):**

| Pattern Name | Regex | Description |
|---|---|---|
| `password` | `(?i)(?:password\\|pwd)\\s*=\\s*['\"]` | A password |
| `upgrade` | N/A (detected via `npm ls`) | An old package |
| `huge` | `(?:x{1000}){1000}` | Much of x |
";

#[test]
fn patterns_of_another_file_are_followed() {
    let files = [("${CLAUDE_PLUGIN_ROOT}/shared/rules.md", RULES)];
    let skill = |name: &str, section: &str| {
        format!("---\nname: {name}\n---\n## Auto–validated patterns\n\n{section}\n")
    };
    let refers = "Definitions are in `${CLAUDE_PLUGIN_ROOT}/shared/rules.md`.";
    insta::assert_snapshot!(told_with(&skill("reviewing-security", refers), &files), @r#"
    reviewing-security is Review for security-agent
    pattern password: (?i)(?:password|pwd)\s*=\s*['"]: A password
    pattern upgrade: -: An old package
    pattern huge: -: Much of x
    remark: ${CLAUDE_PLUGIN_ROOT}/shared/rules.md, line 24: the pattern `huge` is not used: the pattern repeats too much to be compiled
    "#);
    insta::assert_snapshot!(told_with(&skill("reviewing-compliance", refers), &files), @r#"
    reviewing-compliance is Review for compliance-agent
    pattern empty_catch: catch\s*\(.*\)\s*\{\s*\}: Empty catch
    pattern missing_await: -: Forgotten await
    pattern password: (?i)(?:password|pwd)\s*=\s*['"]: A password
    pattern upgrade: -: An old package
    pattern huge: -: Much of x
    remark: ${CLAUDE_PLUGIN_ROOT}/shared/rules.md, line 16: the pattern `missing_await` is not used: the pattern cannot be compiled: look-around, including look-ahead and look-behind, is not supported
    remark: ${CLAUDE_PLUGIN_ROOT}/shared/rules.md, line 24: the pattern `huge` is not used: the pattern repeats too much to be compiled
    "#);
    let names = format!("{refers}\n\n**Patterns:** `upgrade`, `empty_catch` and `unheard_of`");
    insta::assert_snapshot!(told_with(&skill("reviewing-bugs", &names), &files), @r"
    reviewing-bugs is Review for bug-detection-agent
    pattern upgrade: -: An old package
    pattern empty_catch: catch\s*\(.*\)\s*\{\s*\}: Empty catch
    pattern unheard_of: -:
    ");
    let missing = "See [rules](rules.md#bugs), `../rules.md` and `/etc/rules.md`.";
    insta::assert_snapshot!(told_with(&skill("reviewing-bugs", missing), &files), @"
    reviewing-bugs is Review for bug-detection-agent
    remark: line 6: `../rules.md` leads out of the skill and is not followed
    remark: line 6: `/etc/rules.md` leads out of the skill and is not followed
    remark: line 6: `rules.md` was not found or may not be read
    ");
}

#[test]
fn patterns_are_read_from_tables_and_lists() {
    insta::assert_snapshot!(told("\
---
name: reviewing-bugs
---
## Auto-Validated Patterns

These skip validation (marked `auto_validated`):

| Pattern | Description |
|---|---|
| `hard_password` | `password = \"x\"` assignments |

| Id | Pattern | Severity | What |
|----|---------|----------|------|
| B1 | `a\\|b` | Major | either |
| B2 | `(` | Major | broken |

| Regex | Meaning |
|---|---|
| `\\bTODO\\b` | Work left over |

- `empty_catch`: Nothing in a catch
- `eval_input` — `eval\\(.*req` — Input that is run
- **`debugger`** - A statement left behind
- `loose` [Bugs/Major] [JavaScript]: Comparison with `==`
- Everything else is validated
"), @r#"
    reviewing-bugs is Review for bug-detection-agent
    pattern hard_password: -: `password = "x"` assignments
    pattern B1: a|b: either
    pattern B2: -: broken
    pattern work_left_over: \bTODO\b: Work left over
    pattern empty_catch: -: Nothing in a catch
    pattern eval_input: eval\(.*req: Input that is run
    pattern debugger: -: A statement left behind
    pattern loose: -: Comparison with `==` [Bugs/Major] [JavaScript]
    remark: line 15: the pattern `B2` is not used: the pattern cannot be compiled: unclosed group
    "#);
}

#[test]
fn rules_about_false_positives_are_collected() {
    insta::assert_snapshot!(told("\
---
name: reviewing-bugs
---
## False Positives

Apply all rules of the project.

**Bug-specific** - do NOT flag:
- Guarded by the caller
- Skip:
  - Generated code
  - Fixtures
- Frameworks:
  - that promise a value

## How to report

Do not flag:

1. **Style**: others do

### Avoiding false positives

1. Read the caller

- Tests
"), @"
    reviewing-bugs is Review for bug-detection-agent
    not: Guarded by the caller
    not: Generated code
    not: Fixtures
    not: Frameworks: that promise a value
    not: Style: others do
    not: Tests
    ");
}

#[test]
fn a_methodology_has_steps_and_questions() {
    insta::assert_snapshot!(told("\
---
name: superpowers:brainstorming
---
# Brainstorming

## Overview

Turn an idea into a design by asking one question at a time.

**Core principle:** Nothing is obvious until someone else said it.

## When to Use

1. Before code

### Questions to ask

- Not this one?

## The Process

### Phase 1: Understand
1. Read what exists

### Phase 2 — Explore
- Compare

### Phase 3
Write it down.

## Questions

Begin with the goal. What is it for? Then ask:
- Who uses it?
- \"What happens when it fails?\"
- Say \"why?\" and write (why not?)
- Write down the answers.
"), @"
    superpowers:brainstorming is Methodology for everyone
    approach: Turn an idea into a design by asking one question at a time.
    mindset: Nothing is obvious until someone else said it.
    step: Understand
    step: Explore
    step: Write it down.
    question: What is it for?
    question: Who uses it?
    question: What happens when it fails?
    ");
    insta::assert_snapshot!(told("\
---
name: deploying
---
Ship it without fear, and back.

## Mindset
- Small steps
- Nothing by hand

## Checklist
- [ ] Tests pass
- [ ] Tag it
  - [ ] signed
"), @"
    deploying is Methodology for everyone
    approach: Ship it without fear, and back.
    mindset: Small steps; Nothing by hand
    step: Tests pass
    step: Tag it
    ");
    insta::assert_snapshot!(told("\
---
name: reading
---
Read it twice, slowly.

1. **Skim** - headings first
2. Read

Before that, ask yourself:
- Is it worth it?
"), @"
    reading is Methodology for everyone
    approach: Read it twice, slowly.
    step: Skim - headings first
    step: Read
    question: Is it worth it?
    ");
}

#[test]
fn sections_have_bytes_lines_and_tokens() {
    let (structure, _) =
        structure_of("---\nname: a\n---\n# A\nabcd\n## When to use\nabcdefgh\n", &[]);
    insta::assert_snapshot!(serde_json::to_string(&structure.sections).unwrap(), @r#"[{"title":"A","level":1,"bytes":[0,33],"line":4,"tokens":8},{"title":"When to use","level":2,"bytes":[9,33],"line":6,"tokens":6}]"#);
}

#[test]
fn what_is_too_much_is_left_out_and_told() {
    let patterns = |rows: std::ops::Range<u32>, pattern: &str| {
        let rows: Vec<_> = rows.map(|row| format!("|p{row}|`{pattern}`|\n")).collect();
        format!("## Auto-Validated\n|Id|Regex|\n|-|-|\n{}", rows.concat())
    };
    let table = patterns(0..100_000, "a");
    let list = format!("## Checks\n**All (Major):**\n{}", "- x\n".repeat(200_000));
    let areas = format!("## Checks\n{}", "**B (Major):** c\n\n".repeat(5_000));
    let long = patterns(0..1, &"x".repeat(1_000_000));
    let huge = patterns(0..50, "(?:x{1000}){1000}");
    let links = format!("## Auto-Validated\n{}", "`1.md` `2.md` `3.md` `4.md` `5.md` `6.md`");
    let headings = "# a\n".repeat(2_000);
    let told: Vec<_> = [table, list, areas, long, huge, links, headings]
        .iter()
        .map(|body| {
            let (structure, remarks) = structure_of(&format!("---\nname: a\n---\n{body}"), &[]);
            let first = remarks.first().map(ToString::to_string).unwrap_or_default();
            let size = (structure.focus_areas.len(), structure.auto_validated_patterns.len());
            format!("{size:?} {} remarks, {first}", remarks.len())
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @"
    (0, 100) 2 remarks, line 5: there are more than 1000 rows in one table, the rest is left out
    (1, 0) 2 remarks, line 50003: there are more than 50000 blocks, the rest is left out
    (100, 0) 1 remarks, line 207: there are more than 100 focus areas, the rest is left out
    (0, 1) 1 remarks, line 7: the pattern `p0` is not used: the pattern has 16384 bytes, at most 8192 are compiled
    (0, 50) 50 remarks, line 7: the pattern `p0` is not used: the pattern repeats too much to be compiled
    (0, 0) 5 remarks, line 5: there are more than 4 files with patterns, the rest is left out
    (0, 0) 1 remarks, line 1004: there are more than 1000 sections, the rest is left out
    ");
}
