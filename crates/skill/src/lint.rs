//! Judges a skill by the Agent Skills specification, and tells what hosts do with it.
//!
//! The specification's rules are those its own validator (`skills-ref` 0.1.1) applies, its dialect
//! of YAML included: every value is a text, and brackets, tags, anchors and repeated keys are
//! refused. Whether a file passes there and whether it has no error of [`Rule::Specification`] here
//! is one question.
//!
//! [`Rule::Specification`]: crate::finding::Rule::Specification

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{
    decode::decode,
    finding::{Finding, Problem, Rule, Severity},
    frontmatter::{self, FENCE, Head, Parts},
    skill::{Place, Skill, read},
    strict::{self, Node, Raw, Refusal, line_of, range_of, written},
};

/// The keys of the specification.
const KEYS: [&str; 6] =
    ["name", "description", "license", "allowed-tools", "metadata", "compatibility"];

/// Longest name, in characters.
const NAME_CHARACTERS: usize = 64;

/// Longest description, in characters.
const DESCRIPTION_CHARACTERS: usize = 1024;

/// Longest note on compatibility, in characters.
const COMPATIBILITY_CHARACTERS: usize = 500;

/// Most lines of a body that the specification recommends.
const BODY_LINES: usize = 500;

/// Most tokens of a body that the specification recommends.
const BODY_TOKENS: usize = 5000;

/// Most tokens that name and description usually take in a host's catalogue.
const CATALOGUE_TOKENS: usize = 100;

/// Characters of English text that make about one token.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Returns everything there is to say about a skill: how it was read, what the specification's
/// validator refuses, and what hosts do with it.
pub fn lint(bytes: &[u8], place: &Place<'_>) -> Vec<Finding> {
    let (skill, mut findings) = read(bytes, place);
    let broken = findings.iter().any(Finding::is_lenient);
    judge_file(bytes, place, &mut findings);
    recommend(&skill, &mut findings);
    foresee(&skill, broken, &mut findings);
    findings
}

/// Applies the rules of the specification as its validator does.
fn judge_file(bytes: &[u8], place: &Place<'_>, findings: &mut Vec<Finding>) {
    let refuse = |problem, line| vec![Finding::specification(problem, line)];
    let odd = findings.iter().find(|finding| {
        matches!(finding.problem, Problem::NotUtf8 { .. } | Problem::ByteOrderMark)
    });
    if let Some(Finding { problem, line, .. }) = odd {
        let refused = refuse(problem.clone(), *line);
        findings.extend(refused);
        return;
    }
    let text = decode(bytes, &mut Vec::new());
    let judged = match head_of(&text) {
        Ok(head) => judge_head(head, &text, place),
        Err(problem) => refuse(problem, Some(1)),
    };
    findings.extend(judged);
    if bytes.contains(&0) {
        findings.extend(refuse(Problem::UnprintableCharacter, None));
    }
}

/// Returns what the validator takes for the frontmatter: all between the first two `---`, wherever
/// they stand.
fn head_of(text: &str) -> Result<&str, Problem> {
    let rest = text.strip_prefix(FENCE).ok_or(Problem::FrontmatterMissing)?;
    rest.split_once(FENCE).map(|(head, _)| head).ok_or(Problem::FrontmatterUnclosed)
}

fn judge_head(head: &str, text: &str, place: &Place<'_>) -> Vec<Finding> {
    let mut judge = Judge { head, findings: Vec::new() };
    let divided = frontmatter::divide(text);
    if let Parts { head: Head::Closed { text: whole, .. }, .. } = divided
        && whole.trim() != head.trim()
    {
        let line = head.matches('\n').count() + 1;
        judge.note(Severity::Warning, Problem::FenceInside, Some(line));
    }
    if head.chars().any(|character| !is_printable(character)) {
        judge.refuse(Problem::UnprintableCharacter, None);
        return judge.findings;
    }
    match strict::parse_node(head) {
        Ok(node) => judge.root(&node, place),
        Err(Refusal { problem, line }) => judge.refuse(problem, line),
    }
    judge.findings
}

/// Collects what the validator says about one frontmatter.
///
/// Its first line is the rest of the fence's, so lines of the frontmatter are lines of the file.
struct Judge<'h> {
    head: &'h str,
    findings: Vec<Finding>,
}

impl Judge<'_> {
    fn refuse(&mut self, problem: Problem, line: Option<usize>) {
        self.note(Severity::Error, problem, line);
    }

    fn note(&mut self, severity: Severity, problem: Problem, line: Option<usize>) {
        self.findings.push(Finding { rule: Rule::Specification, severity, line, problem });
    }

    fn root(&mut self, root: &Node, place: &Place<'_>) {
        self.dialect(root);
        self.tabs(root);
        if !self.findings.iter().all(|finding| finding.severity != Severity::Error) {
            return;
        }
        let Raw::Map(pairs) = &root.value else { return self.refuse(Problem::NotAMap, None) };
        let mut required = [("name", false), ("description", false)];
        for (key, node) in pairs {
            let line = Some(line_of(&key.defined));
            if let Some((_, found)) = required.iter_mut().find(|(name, _)| *name == key.value) {
                *found = true;
            }
            match key.value.as_str() {
                "name" => self.name(node, place, line),
                "description" => self.description(node, line),
                "compatibility" => self.compatibility(node, line),
                // The validator does not look, the specification is clear.
                "metadata" if !matches!(node.value, Raw::Map(_)) => {
                    let problem =
                        Problem::WrongType { key: key.value.clone(), expected: "a map of texts" };
                    self.note(Severity::Warning, problem, line);
                }
                known if KEYS.contains(&known) => {}
                _ => self.refuse(Problem::KeyUnexpected { key: key.value.clone() }, line),
            }
        }
        for (key, _) in required.into_iter().filter(|(_, found)| !found) {
            self.refuse(Problem::KeyMissing { key }, None);
        }
    }

    /// Refuses what the validator's dialect of YAML does not have.
    fn dialect(&mut self, node: &Node) {
        let line = Some(line_of(&node.defined));
        if has_tag_or_anchor(node, self.head) {
            self.refuse(Problem::TagOrAnchor, line);
        }
        match &node.value {
            Raw::List(_) | Raw::Map(_) if !written(node, self.head).is_empty() => {
                self.refuse(Problem::FlowStyle, line);
            }
            Raw::List(items) => items.iter().for_each(|item| self.dialect(item)),
            Raw::Map(pairs) => {
                let mut columns = pairs
                    .iter()
                    .filter(|(_, node)| matches!(node.value, Raw::Map(_)))
                    .map(|(_, node)| node.defined.column());
                let first = columns.next();
                if columns.any(|column| Some(column) != first) {
                    self.refuse(Problem::UnevenIndentation, line);
                }
                for (index, (key, node)) in pairs.iter().enumerate() {
                    // `1` and `'1'` are two keys to YAML, and one text to the validator.
                    if pairs.iter().take(index).any(|(other, _)| other.value == key.value) {
                        let problem = Problem::DuplicateKey { key: key.value.clone() };
                        self.refuse(problem, Some(line_of(&key.defined)));
                    }
                    self.dialect(node);
                }
            }
            // Without quotes even a value has no tabs.
            Raw::Text(text) if text.contains('\t') && written(node, self.head) == text => {
                self.refuse(Problem::TabBetween, line);
            }
            Raw::Null | Raw::Bool(_) | Raw::Number | Raw::Text(_) => {}
        }
    }

    /// Refuses tabs outside of keys, values and comments.
    fn tabs(&mut self, root: &Node) {
        let mut covered = Vec::new();
        cover(root, &mut covered);
        covered.push(self.head.len()..self.head.len());
        covered.sort_by_key(|range| range.start);
        let mut end = 0;
        for range in covered {
            let between = self.head.get(end..range.start).unwrap_or_default();
            for (index, line) in between.split('\n').enumerate() {
                let before_comment = line.split('#').next().unwrap_or_default();
                if before_comment.contains('\t') {
                    let before = self.head.get(..end).unwrap_or_default();
                    let line = before.matches('\n').count() + index + 1;
                    return self.refuse(Problem::TabBetween, Some(line));
                }
            }
            end = end.max(range.end);
        }
    }

    /// Returns the text of a value: to the validator every single value is one.
    fn text<'n>(&'n self, node: &'n Node) -> Option<&'n str> {
        match &node.value {
            // Its parser keeps these two for meanings of its own.
            Raw::Text(_) if ["=", "<<"].contains(&written(node, self.head)) => None,
            Raw::Text(text) => Some(text),
            Raw::Null | Raw::Bool(_) | Raw::Number => Some(written(node, self.head)),
            Raw::List(_) | Raw::Map(_) => None,
        }
    }

    fn name(&mut self, node: &Node, place: &Place<'_>, line: Option<usize>) {
        let name: String = self.text(node).unwrap_or_default().trim().nfkc().collect();
        if name.is_empty() {
            return self.refuse(Problem::ValueEmpty { key: "name" }, line);
        }
        self.length("name", &name, NAME_CHARACTERS, line);
        let broken = [
            (name != name.to_lowercase(), Problem::NameNotLowercase),
            (name.starts_with('-') || name.ends_with('-'), Problem::NameHyphenAtEdge),
            (name.contains("--"), Problem::NameDoubleHyphen),
            (!name.chars().all(|c| c == '-' || is_letter_or_digit(c)), Problem::NameCharacters),
        ];
        for (_, problem) in broken.into_iter().filter(|(is_broken, _)| *is_broken) {
            self.refuse(problem, line);
        }
        let directory = place.name();
        if directory.nfkc().ne(name.chars()) {
            self.refuse(Problem::NameNotDirectory { directory: directory.to_owned() }, line);
        }
    }

    fn description(&mut self, node: &Node, line: Option<usize>) {
        let text = self.text(node).unwrap_or_default().to_owned();
        if text.trim().is_empty() {
            return self.refuse(Problem::ValueEmpty { key: "description" }, line);
        }
        self.length("description", &text, DESCRIPTION_CHARACTERS, line);
    }

    fn compatibility(&mut self, node: &Node, line: Option<usize>) {
        let Some(text) = self.text(node).map(str::to_owned) else {
            let key = "compatibility".to_owned();
            return self.refuse(Problem::WrongType { key, expected: "a text" }, line);
        };
        self.length("compatibility", &text, COMPATIBILITY_CHARACTERS, line);
    }

    fn length(&mut self, key: &'static str, text: &str, most: usize, line: Option<usize>) {
        let characters = text.chars().count();
        if characters > most {
            self.refuse(Problem::ValueTooLong { key, characters, most }, line);
        }
    }
}

/// Collects the bytes of keys and single values.
fn cover(node: &Node, covered: &mut Vec<Range<usize>>) {
    match &node.value {
        Raw::List(items) => items.iter().for_each(|item| cover(item, covered)),
        Raw::Map(pairs) => {
            for (key, node) in pairs {
                covered.extend(range_of(&key.defined));
                cover(node, covered);
            }
        }
        Raw::Null | Raw::Bool(_) | Raw::Number | Raw::Text(_) => {
            covered.extend(range_of(&node.defined));
        }
    }
}

/// Tells whether a tag or an anchor stands before a node.
fn has_tag_or_anchor(node: &Node, head: &str) -> bool {
    let start = node.defined.span().byte_offset().and_then(|at| usize::try_from(at).ok());
    let before = start.and_then(|at| head.get(..at)).unwrap_or_default();
    let word = before.split_whitespace().next_back().unwrap_or_default();
    word.starts_with(['!', '&'])
}

/// Tells whether the validator takes a character for a letter or a digit.
///
/// Marks and the letters in black circles and squares count as alphabetic in Unicode, but are
/// neither to Python.
fn is_letter_or_digit(character: char) -> bool {
    character.is_alphanumeric()
        && !is_combining_mark(character)
        && !('\u{1f130}'..='\u{1f189}').contains(&character)
}

/// Tells whether YAML lets a character stand in a file.
fn is_printable(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\u{85}')
        || (!character.is_control() && !matches!(character, '\u{fffe}' | '\u{ffff}'))
}

/// Tells where a body is larger than the specification recommends.
fn recommend(skill: &Skill, findings: &mut Vec<Finding>) {
    let recommended = |problem| Finding {
        rule: Rule::Specification,
        severity: Severity::Note,
        line: Some(skill.body_line),
        problem,
    };
    let lines = skill.body.lines().count();
    if lines > BODY_LINES {
        findings.push(recommended(Problem::BodyLines { lines, most: BODY_LINES }));
    }
    let tokens = tokens(&skill.body);
    if tokens > BODY_TOKENS {
        findings.push(recommended(Problem::BodyTokens { tokens, most: BODY_TOKENS }));
    }
}

/// Tells what hosts do with the skill: they leave out what they cannot list, and list the rest in
/// every session.
fn foresee(skill: &Skill, broken: bool, findings: &mut Vec<Finding>) {
    let Some(description) = &skill.description else {
        let reason = "no description";
        return findings.push(Finding::host(Severity::Warning, Problem::LeftOut { reason }));
    };
    if broken {
        let reason = "a frontmatter that is not valid YAML, unless they repair it";
        findings.push(Finding::host(Severity::Warning, Problem::LeftOut { reason }));
    }
    let tokens = tokens(skill.name.as_str()) + tokens(description);
    if tokens > CATALOGUE_TOKENS {
        let problem = Problem::CatalogueTokens { tokens, most: CATALOGUE_TOKENS };
        findings.push(Finding::host(Severity::Note, problem));
    }
}

/// Returns about how many tokens a text has.
fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(CHARACTERS_PER_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(text: &str, directory: &str) -> String {
        let findings = lint(text.as_bytes(), &Place { directory, file: "SKILL.md" });
        let lines = findings
            .iter()
            .filter(|finding| finding.rule != Rule::Reading)
            .map(|f| format!("{} {}: {f}", f.rule.word(), f.severity.word()));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_the_specification_allows_is_clean() {
        for (head, directory) in [
            ("name: pdf-tools\ndescription: Reads PDF files.", "pdf-tools"),
            ("name: 名前-é2\ndescription: |\n  Two\n  lines.", "名前-é2"),
            ("# why\nname: 'a'\ndescription: 12\nlicense: MIT\ncompatibility: null", "a"),
            ("name: 1\ndescription: d\nmetadata:\n  a: 1\n  b: c\nallowed-tools: Read Write", "1"),
            ("name: ﬁx\ndescription: d", "fix"),
        ] {
            assert_eq!(told(&format!("---\n{head}\n---\nbody\n"), directory), "", "{head}");
        }
    }

    #[test]
    fn what_it_forbids_is_told() {
        let long = |characters| "x".repeat(characters);
        let heads = [
            String::new(),
            "name:\ndescription: ' '".to_owned(),
            "name: -A--b_-\ndescription: d\nversion: 1\nTags: x".to_owned(),
            format!(
                "name: {}\ndescription: {}\ncompatibility: {}",
                long(65),
                long(1025),
                long(501)
            ),
            "name: a\ndescription: d\ncompatibility:\n- x\nmetadata: text".to_owned(),
            "name: a\ndescription: d\nmetadata: {a: b}".to_owned(),
            "name: a\ndescription: d\nmetadata:\n  tags:\n  - [x]".to_owned(),
            "name: &x a\ndescription: !!str d".to_owned(),
            "name: a\ndescription: d\nmetadata:\n  x:\n    a: b\n  y:\n     a: b".to_owned(),
            "name: a\nname: b\ndescription: d".to_owned(),
            "name: a\ndescription:\td".to_owned(),
            "name: a\ndescription: one\ttwo # a\ttab".to_owned(),
            "name: a\ndescription: 'one\ttwo' # a\ttab".to_owned(),
            "name: a\ndescription: d\nmetadata:\n  1: b\n  '1': c".to_owned(),
            "name: a\ndescription: Use when: always".to_owned(),
            "name: a\ndescription: rules --- and more".to_owned(),
            "name: a\ndescription: \"\u{1}\"".to_owned(),
            "- name".to_owned(),
        ];
        let told: Vec<_> =
            heads.iter().map(|head| told(&format!("---\n{head}\n---\nbody\n"), "a")).collect();
        insta::assert_snapshot!(told.join("\n\n"), @"
        specification error: the frontmatter is not a list of keys with values
        host warning: hosts leave out a skill with no description

        specification error: line 2: the value of `name` is not a text with words in it
        specification error: line 3: the value of `description` is not a text with words in it
        host warning: hosts leave out a skill with no description

        specification error: line 2: the name is not in lower case
        specification error: line 2: the name begins or ends with a hyphen
        specification error: line 2: the name has two hyphens in a row
        specification error: line 2: the name has characters other than letters, digits and hyphens
        specification error: line 2: the name is not the directory's, which is `a`
        specification error: line 4: the key `version` is not part of the specification, `metadata` would be its place
        specification error: line 5: the key `Tags` is not part of the specification, `metadata` would be its place

        specification error: line 2: the value of `name` has 65 characters, at most 64 are allowed
        specification error: line 2: the name is not the directory's, which is `a`
        specification error: line 3: the value of `description` has 1025 characters, at most 1024 are allowed
        specification error: line 4: the value of `compatibility` has 501 characters, at most 500 are allowed
        host note: name and description take about 274 tokens of every session, 50 to 100 are usual

        specification error: line 4: the value of `compatibility` is not a text
        specification warning: line 6: the value of `metadata` is not a map of texts

        specification error: line 4: a list or map in brackets is refused, one item on each line is not

        specification error: line 6: a list or map in brackets is refused, one item on each line is not

        specification error: line 2: a YAML tag or anchor is refused
        specification error: line 3: a YAML tag or anchor is refused

        specification error: line 5: maps of one level begin in different columns

        specification error: line 3: the key `name` is repeated, the first one counts
        host warning: hosts leave out a skill with a frontmatter that is not valid YAML, unless they repair it

        specification error: line 3: a tab outside of quotes is refused, spaces are not

        specification error: line 3: a tab outside of quotes is refused, spaces are not



        specification error: line 6: the key `1` is repeated, the first one counts

        specification error: line 3: the frontmatter is not valid YAML: mapping values are not allowed in this context
        host warning: hosts leave out a skill with a frontmatter that is not valid YAML, unless they repair it

        specification warning: line 3: `---` inside the frontmatter ends it too early for the validator

        specification error: a character that cannot be printed may not stand in the frontmatter
        host warning: hosts leave out a skill with a frontmatter that is not valid YAML, unless they repair it

        specification error: the frontmatter is not a list of keys with values
        host warning: hosts leave out a skill with no description
        ");
    }

    #[test]
    fn files_it_cannot_read_are_told() {
        let texts = [
            "# Body",
            "---\nname: a",
            "\u{feff}---\nname: a\ndescription: d\n---\n",
            "\n---\nname: a\ndescription: d\n---\n",
        ];
        insta::assert_snapshot!(texts.map(|text| told(text, "a")).join("\n\n"), @"
        specification error: line 1: there is no frontmatter: the first line is not `---`
        host warning: hosts leave out a skill with no description

        specification error: line 1: the frontmatter is never closed with `---`
        host warning: hosts leave out a skill with no description

        specification error: line 1: the file begins with a byte order mark

        specification error: line 1: there is no frontmatter: the first line is not `---`
        ");
        let findings = lint(
            b"---\nname: a\ndescription: \xff\n---\n",
            &Place { directory: "a", file: "SKILL.md" },
        );
        let refused = Finding::specification(Problem::NotUtf8 { sequences: 1 }, Some(3));
        assert!(findings.contains(&refused), "{findings:?}");
    }

    #[test]
    fn large_skills_are_noted() {
        let description = "word ".repeat(100);
        let text = format!(
            "---\nname: a\ndescription: {description}\n---\n{}",
            "a line of some words, fifty letters or more it has\n".repeat(501)
        );
        insta::assert_snapshot!(told(&text, "a"), @"
        specification note: line 5: the body has 501 lines, at most 500 are recommended
        specification note: line 5: the body has about 6388 tokens, at most 5000 are recommended
        host note: name and description take about 126 tokens of every session, 50 to 100 are usual
        ");
    }

    proptest! {
        #[test]
        fn judging_never_panics(head in "([a-z]{1,4}(: |:)|[-\"'\\[{&!>|# ]|\n|[a-zé]{1,5}){0,20}") {
            for text in [format!("---\n{head}\n---\n"), head.clone(), format!("---{head}")] {
                let place = Place { directory: "a", file: "SKILL.md" };
                prop_assert_eq!(lint(text.as_bytes(), &place), lint(text.as_bytes(), &place));
            }
        }
    }
}
