//! A skill as it was read.
//!
//! Reading never fails as a whole: whatever the bytes are, there is a skill with a name, and what
//! had to be guessed is in the findings. The body is not parsed.

use pacenote_model::{SkillKey, SkillName, limits};

use crate::{
    decode::decode,
    fields::{self, Fields, Sorted},
    finding::{Finding, Problem},
    frontmatter::{self, Parts},
    key::derive_key,
    strict::Entry,
    value::Value,
};

/// The name of a skill whose file and place give none.
const UNNAMED: &str = "unnamed";

/// Where a file was found, as far as it matters for its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'p> {
    /// The name of the directory the file lies in.
    pub directory: &'p str,
    /// The name of the file.
    pub file: &'p str,
}

impl<'p> Place<'p> {
    /// Returns the name the place gives: the directory's, or that of a single file `name.md`.
    pub fn name(&self) -> &'p str {
        let stem = match self.file.rsplit_once('.') {
            Some((stem, "md" | "MD")) => stem,
            Some(_) | None => self.file,
        };
        if stem.eq_ignore_ascii_case("skill") || stem.is_empty() { self.directory } else { stem }
    }
}

/// A skill as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The name as found, or that of the place.
    pub name: SkillName,
    /// The key that stands for the name in paths and lock files.
    pub key: SkillKey,
    /// When to use it, which is all a model sees before the body.
    pub description: Option<String>,
    /// The known fields.
    pub fields: Fields,
    /// The other keys, and values of the wrong kind, in order.
    pub unknown: Vec<(String, Value)>,
    /// The text after the frontmatter.
    pub body: String,
    /// The line of the file on which the body begins, counted from one.
    pub body_line: usize,
}

/// Reads a skill from the bytes of its file.
pub fn read(bytes: &[u8], place: &Place<'_>) -> (Skill, Vec<Finding>) {
    let mut findings = Vec::new();
    let text = decode(bytes, &mut findings);
    let Parts { head, body, body_line } = frontmatter::divide(&text);
    let mut entries = frontmatter::entries(head, &mut findings);
    let name = take(&mut entries, "name", &mut findings);
    let name = name_of(name.as_ref(), place, &mut findings);
    let description = take(&mut entries, "description", &mut findings);
    let description = description_of(description.as_ref(), &mut findings);
    let Sorted { fields, unknown } = fields::sort(entries, &mut findings);
    let key = derive_key(name.as_str());
    let body = body.to_owned();
    (Skill { name, key, description, fields, unknown, body, body_line }, findings)
}

/// Takes the entry of a key out of the others, in any case if there is none in lower case.
///
/// A list or a map is left among them and told.
fn take(entries: &mut Vec<Entry>, key: &str, findings: &mut Vec<Finding>) -> Option<Entry> {
    let exact = entries.iter().position(|entry| entry.key == key);
    let found =
        exact.or_else(|| entries.iter().position(|entry| entry.key.eq_ignore_ascii_case(key)))?;
    let entry = entries.get(found)?;
    if matches!(entry.value, Value::List(_) | Value::Map(_)) {
        let problem = Problem::WrongType { key: key.to_owned(), expected: "a text" };
        findings.push(Finding::reading(problem, Some(entry.line)));
        return None;
    }
    Some(entries.remove(found))
}

fn name_of(entry: Option<&Entry>, place: &Place<'_>, findings: &mut Vec<Finding>) -> SkillName {
    let line = entry.map(|entry| entry.line);
    let written = entry.and_then(|entry| entry.value.scalar()).unwrap_or_default();
    if let Ok(name) = SkillName::parse(written) {
        return name;
    }
    if let Some(name) = cleaned(written) {
        let used = name.to_string();
        findings.push(Finding::reading(Problem::NameCleaned { used }, line));
        return name;
    }
    let name = [place.name(), place.directory, UNNAMED].into_iter().find_map(cleaned);
    let name = name.unwrap_or_else(unnamed);
    findings.push(Finding::reading(Problem::NameMissing { used: name.to_string() }, line));
    name
}

/// Makes a name of a text: one line without control characters, cut to the longest name.
fn cleaned(text: &str) -> Option<SkillName> {
    let spaced = text.replace(char::is_control, " ");
    let line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    SkillName::parse(line.get(..line.floor_char_boundary(limits::SKILL_REF_BYTES))?).ok()
}

#[expect(clippy::expect_used, reason = "the constant is a name")]
fn unnamed() -> SkillName {
    SkillName::parse(UNNAMED).expect("a name")
}

fn description_of(entry: Option<&Entry>, findings: &mut Vec<Finding>) -> Option<String> {
    let text = entry.and_then(|entry| entry.value.scalar()).unwrap_or_default().trim();
    if text.is_empty() {
        let line = entry.map(|entry| entry.line);
        findings.push(Finding::reading(Problem::DescriptionMissing, line));
        return None;
    }
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLACE: Place<'static> = Place { directory: "place", file: "SKILL.md" };

    /// Returns name, key, description and findings, a line each.
    fn told(bytes: &[u8]) -> String {
        let (skill, findings) = read(bytes, &PLACE);
        let mut lines = vec![
            format!("{} ({})", skill.name, skill.key),
            format!(
                "{:?}",
                skill.description.map(|text| text.chars().take(60).collect::<String>())
            ),
        ];
        lines.extend(findings.iter().map(|f| format!("{}: {f}", f.severity.word())));
        lines.join("\n")
    }

    #[test]
    fn an_ordinary_skill_is_read_whole() {
        let (skill, findings) = read(
            b"---\nname: Code Review\ndescription: >-\n  Review Rust\n  code.\nallowed-tools: Read, Bash(cargo *)\nversion: 1.10\nmetadata:\n  gobby: {audience: worker}\nodd: [1, true, {z: 1, a: ~}]\n---\n\n# Review\n",
            &PLACE,
        );
        assert_eq!(findings, []);
        assert_eq!((skill.name.as_str(), skill.key.as_str()), ("Code Review", "code-review"));
        assert_eq!(skill.description.as_deref(), Some("Review Rust code."));
        insta::assert_snapshot!(serde_json::to_string(&skill.fields.metadata).unwrap(), @r#"[["gobby",{"audience":"worker"}]]"#);
        assert_eq!(skill.fields.allowed_tools, ["Read", "Bash(cargo *)"]);
        insta::assert_snapshot!(serde_json::to_string(&skill.unknown).unwrap(), @r#"[["odd",[1,true,{"z":1,"a":null}]]]"#);
        assert_eq!((skill.body.as_str(), skill.body_line), ("\n# Review\n", 12));
    }

    #[test]
    fn odd_bytes_are_tolerated() {
        insta::assert_snapshot!(told(b"\xef\xbb\xbf---\r\nname: a\0b\r\ndescription: c\xff\r\n---\r\nbody\r\n"), @r#"
        ab (ab)
        Some("c�")
        warning: line 3: bytes that are not UTF-8 were replaced, 1 sequences in all
        note: line 1: the file begins with a byte order mark
        warning: line 2: NUL characters were removed, 1 in all
        note: line 1: lines end with carriage returns
        "#);
        insta::assert_snapshot!(told(b""), @"
        place (place)
        None
        warning: line 1: there is no frontmatter: the first line is not `---`
        warning: there is no name, the skill is called `place` after its place
        warning: there is no description
        ");
        insta::assert_snapshot!(told(b"\0\0\0"), @"
        place (place)
        None
        warning: line 1: NUL characters were removed, 3 in all
        warning: line 1: there is no frontmatter: the first line is not `---`
        warning: there is no name, the skill is called `place` after its place
        warning: there is no description
        ");
        insta::assert_snapshot!(told(b"\xff\xfen\0a\0m\0e\0"), @"
        place (place)
        None
        warning: line 1: bytes that are not UTF-8 were replaced, 2 sequences in all
        warning: line 1: NUL characters were removed, 4 in all
        warning: line 1: there is no frontmatter: the first line is not `---`
        warning: there is no name, the skill is called `place` after its place
        warning: there is no description
        ");
    }

    #[test]
    fn odd_heads_are_tolerated() {
        insta::assert_snapshot!(told(b"# Only a body\n"), @"
        place (place)
        None
        warning: line 1: there is no frontmatter: the first line is not `---`
        warning: there is no name, the skill is called `place` after its place
        warning: there is no description
        ");
        insta::assert_snapshot!(told(b"---\nname: open\ndescription: Build for AWS: ECS\n\n# Body\n"), @r#"
        open (open)
        Some("Build for AWS: ECS")
        warning: line 1: the frontmatter is never closed with `---`
        warning: line 3: the value of `description` is not valid YAML and was read as it stands
        "#);
        insta::assert_snapshot!(told(b"---\nname: cloud\ndescription: Build for AWS: ECS\n---\n"), @r#"
        cloud (cloud)
        Some("Build for AWS: ECS")
        warning: line 3: the frontmatter is not valid YAML: mapping values are not allowed in this context
        warning: line 3: the value of `description` is not valid YAML and was read as it stands
        "#);
        insta::assert_snapshot!(told(b"---\nname: one\ndescription: d\nname: two\n---\n"), @r#"
        one (one)
        Some("d")
        warning: line 4: the key `name` is repeated, the first one counts
        "#);
        insta::assert_snapshot!(told(b"---\nname: [a, b]\ndescription: {a: b}\n---\n"), @"
        place (place)
        None
        warning: line 2: the value of `name` is not a text
        warning: there is no name, the skill is called `place` after its place
        warning: line 3: the value of `description` is not a text
        warning: there is no description
        ");
        insta::assert_snapshot!(told(b"---\nname: \"two\\nlines\\u0007\"\ndescription: 12\n---\n"), @r#"
        two lines (two-lines)
        Some("12")
        warning: line 2: the name cannot be kept as it is and became `two lines`
        "#);
        insta::assert_snapshot!(told(b"---\nName: Capital\nDESCRIPTION: loud\n---\n"), @r#"
        Capital (capital)
        Some("loud")
        "#);
        insta::assert_snapshot!(told(b"---\nname: !!python/object:os.system x\ndescription: d\n---\n"), @r#"
        !!python/object:os.system x (python-object-os-system-x)
        Some("d")
        warning: line 2: the frontmatter is not valid YAML: unsupported tag `!!python/object:os.system`
        warning: line 2: the value of `name` is not valid YAML and was read as it stands
        "#);
        insta::assert_snapshot!(told(b"---\non: yes\nname: on\ndescription: no\n---\n"), @r#"
        on (on)
        Some("no")
        "#);
        insta::assert_snapshot!(told(b"---\nmetadata:\n\tauthor: me\nname: tabbed\ndescription: d\n---\n"), @r#"
        tabbed (tabbed)
        Some("d")
        warning: line 3: the frontmatter is not valid YAML: tabs disallowed within this context (block indentation)
        warning: line 3: a tab indents the line, it was read as spaces
        "#);
        insta::assert_snapshot!(told(b"---\n- a\n- list\n---\n"), @"
        place (place)
        None
        warning: line 2: the frontmatter is not a list of keys with values
        warning: line 2: the line belongs to no key and was left out
        warning: line 3: the line belongs to no key and was left out
        warning: there is no name, the skill is called `place` after its place
        warning: there is no description
        ");
        insta::assert_snapshot!(told(b"---\n&a name: *a\n---\n"), @"
        name (name)
        None
        warning: there is no description
        ");
    }

    #[test]
    fn hostile_heads_still_give_a_skill() {
        let head = |rest: &str| format!("---\nname: kept\n{rest}\ndescription: d\n---\nbody\n");
        let levels = (1..9).map(|level| {
            let below = vec![format!("*a{}", level - 1); 9].join(", ");
            format!("a{level}: &a{level} [{below}]")
        });
        let bomb = std::iter::once("a0: &a0 [x, x, x, x]".to_owned()).chain(levels);
        let bomb = bomb.collect::<Vec<_>>().join("\n");
        let long = "x".repeat(100_000);
        let texts = [
            head(&bomb),
            head(&format!("a: {}", "[".repeat(50_000))),
            format!("---\nname: kept\ndescription: {long}\n---\nbody\n"),
            format!("---\nname: kept\ndescription: {}", "x ".repeat(600_000)),
            format!("---\nname: {long}\n---\n"),
            head(&"[".repeat(100_000)),
        ];
        let told: Vec<_> = texts.iter().map(|text| told(text.as_bytes())).collect();
        insta::assert_snapshot!(told.join("\n--\n"), @r#"
        kept (kept)
        Some("d")
        warning: line 6: the frontmatter is nested or repeated beyond every bound
        warning: line 4: the value of `a1` is not valid YAML and was read as it stands
        warning: line 5: the value of `a2` is not valid YAML and was read as it stands
        warning: line 6: the value of `a3` is not valid YAML and was read as it stands
        warning: line 7: the value of `a4` is not valid YAML and was read as it stands
        warning: line 8: the value of `a5` is not valid YAML and was read as it stands
        warning: line 9: the value of `a6` is not valid YAML and was read as it stands
        warning: line 10: the value of `a7` is not valid YAML and was read as it stands
        warning: line 11: the value of `a8` is not valid YAML and was read as it stands
        --
        kept (kept)
        Some("d")
        warning: line 3: the frontmatter is nested or repeated beyond every bound
        warning: line 3: the value of `a` is not valid YAML and was read as it stands
        --
        kept (kept)
        Some("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
        warning: line 2: the frontmatter has 100025 bytes, only the first 65536 are read, line by line
        --
        kept (kept)
        Some("x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x ")
        warning: the file has 1200028 bytes, only the first 1048576 are read
        warning: line 1: the frontmatter is never closed with `---`
        --
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx (xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx)
        None
        warning: line 2: the frontmatter has 100007 bytes, only the first 65536 are read, line by line
        warning: line 2: the name cannot be kept as it is and became `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`
        warning: there is no description
        --
        kept (kept)
        None
        warning: line 2: the frontmatter has 100027 bytes, only the first 65536 are read, line by line
        warning: line 3: the line belongs to no key and was left out
        warning: there is no description
        "#);
    }

    #[test]
    fn the_place_gives_a_name_where_the_file_has_none() {
        for (directory, file, name) in [
            ("review", "SKILL.md", "review"),
            ("review", "skill.md", "review"),
            ("skills", "tdd.md", "tdd"),
            ("skills", "a.b.md", "a.b"),
            (" odd\u{1} name ", "SKILL.md", "odd name"),
            ("", "SKILL.md", "unnamed"),
            ("d", ".md", "d"),
        ] {
            let (skill, findings) = read(b"body", &Place { directory, file });
            assert_eq!(skill.name.as_str(), name);
            let missing = Problem::NameMissing { used: name.to_owned() };
            assert!(findings.iter().any(|finding| finding.problem == missing), "{findings:?}");
        }
    }

    /// Bytes that look like a skill now and then.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"---\n".to_vec()),
            Just(b"name: x\n".to_vec()),
            Just(b"description: >-\n".to_vec()),
            Just(b"metadata:\n".to_vec()),
            "[-:# \"'\\[\\]{},&*!|>%@`?~\t \r\na-zé\u{feff}\0]{0,16}".prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..8),
        ];
        let pieces = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
        (any::<bool>(), pieces).prop_map(|(fenced, rest)| {
            let fence: &[u8] = if fenced { b"---\n" } else { b"" };
            [fence, &rest].concat()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2048, ..ProptestConfig::default() })]

        #[test]
        fn reading_never_panics_and_is_the_same_twice(bytes in bytes()) {
            let once = read(&bytes, &PLACE);
            prop_assert_eq!(&once, &read(&bytes, &PLACE));
            let (skill, findings) = once;
            prop_assert_eq!(&skill.key, &derive_key(skill.name.as_str()));
            prop_assert!(findings.iter().all(|finding| finding.line != Some(0)));
        }
    }
}
