//! What a text holds of what is needed, and which of its lines are about that.

use super::{SituationView, table::Situation};

/// Characters that make about one token.
const TOKEN_CHARACTERS: usize = 4;

/// What is needed, as texts.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Each must be in the text.
    pub(super) facts: Vec<String>,
    /// Lines of sections: each must be in the text.
    pub(super) lines: Vec<String>,
    /// Lines that are useful where they stand: boxes, which may be ticked, and what a goal comes with.
    pub(super) boxes: Vec<String>,
    /// Skills whose bodies are useful.
    pub(super) skills: Vec<String>,
    pub(super) absent: Vec<String>,
}

/// What became of one situation.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) tokens: usize,
    pub(super) useful: usize,
    facts: usize,
    missing: Vec<String>,
    unwanted: Vec<String>,
    most: Option<usize>,
}

/// Judges a text.
pub(super) fn judge(text: &str, needs: &Needs, situation: &Situation) -> Verdict {
    let all = || needs.facts.iter().chain(&needs.lines);
    let missing = all().filter(|fact| !text.contains(fact.as_str())).cloned().collect();
    let unwanted = needs.absent.iter().filter(|one| text.contains(one.as_str())).cloned().collect();
    Verdict {
        tokens: tokens_of(text),
        useful: useful_tokens(text, needs),
        facts: all().count(),
        missing,
        unwanted,
        most: situation.most,
    }
}

fn tokens_of(text: &str) -> usize {
    text.chars().count().div_ceil(TOKEN_CHARACTERS)
}

/// Counts the tokens of lines that hold a needed fact, or label a block with such a line.
fn useful_tokens(text: &str, needs: &Needs) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let mut is_useful: Vec<bool> = lines.iter().map(|line| holds_need(line, needs)).collect();
    mark_skills(&lines, &needs.skills, &mut is_useful);
    mark_labels(&lines, &mut is_useful);
    let useful = lines.iter().zip(&is_useful).filter(|(_, useful)| **useful);
    useful.map(|(line, _)| line.chars().count() + 1).sum::<usize>() / TOKEN_CHARACTERS
}

fn holds_need(line: &str, needs: &Needs) -> bool {
    // On a page, lines of others are quoted.
    let bare = line.strip_prefix("> ").unwrap_or(line).trim();
    let holds = |fact: &String| {
        line.contains(fact.as_str()) || fact.lines().any(|part| !part.is_empty() && part == bare)
    };
    let unticked = bare.replacen("- [x] ", "- [ ] ", 1);
    needs.facts.iter().any(holds)
        || needs.lines.iter().any(|one| one.trim() == bare)
        || needs.boxes.contains(&unticked)
}

/// Marks the bodies of skills that are needed.
fn mark_skills(lines: &[&str], skills: &[String], is_useful: &mut [bool]) {
    let mut inside = false;
    for (line, useful) in lines.iter().zip(is_useful) {
        let begins = |skill: &String| line.contains(&format!("name=\"{skill}\""));
        inside |= line.starts_with("<skill") && skills.iter().any(begins);
        *useful |= inside;
        inside &= !line.starts_with("</skill>");
    }
}

/// Marks tags, headings and blank lines round something useful.
fn mark_labels(lines: &[&str], is_useful: &mut [bool]) {
    let is_tag = |line: &str| line.starts_with('<') && line.ends_with('>') && !line.contains("</");
    for place in 0..lines.len() {
        let Some(line) = lines.get(place) else { continue };
        let ends = |other: &&str| other.starts_with("</") || other.starts_with("## ");
        let is_label = is_tag(line) || line.starts_with("## ") || line.starts_with("# ");
        if !is_label {
            continue;
        }
        let length = lines.iter().skip(place + 1).position(ends).unwrap_or(usize::MAX);
        let end = place.saturating_add(length).saturating_add(1).min(lines.len().saturating_sub(1));
        let inner = is_useful.get(place + 1..=end).unwrap_or_default();
        if inner.iter().any(|useful| *useful) {
            for label in [place, end] {
                if let Some(useful) = is_useful.get_mut(label) {
                    *useful |=
                        label == place || lines.get(label).is_some_and(|l| l.starts_with("</"));
                }
            }
        }
    }
    // A blank line belongs to what stands round it.
    for place in 1..lines.len().saturating_sub(1) {
        let is_blank =
            lines.get(place).is_some_and(|line| line.trim().trim_matches('>').is_empty());
        let around =
            [place - 1, place + 1].map(|near| is_useful.get(near).copied().unwrap_or(false));
        if is_blank
            && around == [true, true]
            && let Some(useful) = is_useful.get_mut(place)
        {
            *useful = true;
        }
    }
}

impl Verdict {
    /// Returns a share in percent; nothing is all of nothing.
    pub(super) fn percent(part: usize, all: usize) -> usize {
        part.saturating_mul(100).checked_div(all).unwrap_or(100)
    }

    /// Returns it for programs.
    pub(super) fn into_view(self, name: &str) -> SituationView {
        let Self { tokens, useful, facts, missing, unwanted, most } = self;
        SituationView { id: name.to_owned(), facts, missing, unwanted, tokens, useful, most }
    }

    pub(super) fn is_met(&self) -> bool {
        self.complaints().is_empty()
    }

    pub(super) fn line(&self, name: &str) -> String {
        let found = self.facts.saturating_sub(self.missing.len());
        let share = Self::percent(self.useful, self.tokens);
        let facts = format!("{found}/{}", self.facts);
        format!("{name:<58}{facts:>8}{share:>7} %{:>8}", self.tokens)
    }

    pub(super) fn complaints(&self) -> Vec<String> {
        let missing = self.missing.iter().map(|fact| format!("missing: {fact}"));
        let unwanted = self.unwanted.iter().map(|text| format!("not wanted: {text}"));
        let most = self.most.filter(|most| self.tokens > *most);
        let long = most.map(|most| format!("too long: at most {most} tokens"));
        missing.chain(unwanted).chain(long).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(facts: &[&str], lines: &[&str]) -> Needs {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Needs { facts: owned(facts), lines: owned(lines), ..Needs::default() }
    }

    #[test]
    fn what_is_missing_unwanted_or_too_long_is_said() {
        let situation = Situation { most: Some(3), ..Situation::default() };
        let mut needs = needs(&["apple", "pear"], &["fn x() {}"]);
        needs.absent.push("digest".to_owned());
        let verdict = judge("an apple\nand a digest of it", &needs, &situation);
        assert_eq!(
            verdict.complaints(),
            [
                "missing: pear",
                "missing: fn x() {}",
                "not wanted: digest",
                "too long: at most 3 tokens",
            ]
        );
        assert!(verdict.line("fruit").contains("1/3"));
        let view = serde_json::to_value(verdict.into_view("fruit")).unwrap();
        let expected = serde_json::json!({
            "id": "fruit", "facts": 3, "missing": ["pear", "fn x() {}"], "unwanted": ["digest"],
            "tokens": 7, "useful": 2, "most": 3,
        });
        assert_eq!(view, expected);
    }

    #[test]
    fn lines_with_a_fact_and_the_tags_round_them_are_useful() {
        let text = "<plan file=\"x\">\n## Task 2\n\n    let x;\n</plan>\n<skills>\n- executor\n</skills>\n";
        let needs = needs(&["## Task 2"], &["    let x;"]);
        let useful = useful_tokens(text, &needs);
        let expected =
            "<plan file=\"x\">\n## Task 2\n\n    let x;\n</plan>\n".len() / TOKEN_CHARACTERS;
        assert_eq!(useful, expected);
        assert_eq!(Verdict::percent(0, 0), 100);
    }

    #[test]
    fn the_body_of_a_skill_is_useful_where_it_is_needed() {
        let text = "<skill name=\"tdd\">\n# A\nb\n</skill>\n<skill name=\"x\">\nc\n</skill>\n";
        let needs = Needs { skills: vec!["tdd".to_owned()], ..Needs::default() };
        assert_eq!(
            useful_tokens(text, &needs),
            "<skill name=\"tdd\">\n# A\nb\n</skill>\n".len() / 4
        );
    }
}
