use pacenote_model::SkillLevel;
use proptest::prelude::*;

use super::*;
use crate::{
    digest::digest_of,
    listing::example::{listing, skill},
};

struct Nobody;

impl Approvals for Nobody {
    fn is_approved(&self, _: &Reference, _: &Digest) -> bool {
        false
    }
}

/// Approves one digest for one reference.
struct Person(&'static str, Digest);

impl Approvals for Person {
    fn is_approved(&self, reference: &Reference, digest: &Digest) -> bool {
        reference.canonical() == self.0 && *digest == self.1
    }
}

fn reference(raw: &str) -> Reference {
    Reference::parse(raw).unwrap()
}

fn shop() -> Lock {
    let ours = "/repo/.claude/skills/lint/SKILL.md";
    let mut lock = Lock::default();
    for (name, candidate) in [
        ("superpowers:Brainstorming", skill("brainstorming").of_plugin("superpowers", "v4.0.3")),
        ("Lint", skill("lint").at(SkillLevel::Project, ours)),
        ("deploy", skill("deploy")),
    ] {
        let source = Source::of(&candidate, Some("/repo"));
        assert_eq!(lock.pin(&reference(name), &candidate, source), Ok(None));
    }
    lock
}

#[test]
fn the_file_is_sorted_and_says_what_it_is() {
    insta::assert_snapshot!(shop().to_toml(), @r#"
    # The skills this project pins, written by `pacenote skill lock`.
    # A skill whose digest differs is left out of new sessions until you have looked at the change and
    # run `pacenote skill approve`. Approvals are kept outside the repository: nothing in this file can
    # grant one. `pacenote skill verify` compares it with what is installed.

    version = 1

    [[skill]]
    ref = "deploy"
    digest = "b3-b78cbaec6bd7122312bdbc3ea28e6355b84e8d78378f41bd06f6848a12963920"
    source = "user"

    [[skill]]
    ref = "lint"
    digest = "b3-c2b16bc73dab9afe26a14f8e6c67c254936ec74936b9387cb018cc9b22bb7632"
    source = "project .claude/skills/lint/SKILL.md"

    [[skill]]
    ref = "superpowers:brainstorming"
    digest = "b3-64a21ca8745fcafa024af0fefa2b6f27b16e235c6724201594fbaefcd21dbce2"
    version = "4.0.3"
    source = "plugin superpowers@market"
    "#);
}

#[test]
fn what_is_written_is_read_whatever_the_line_ends() {
    let text = shop().to_toml();
    assert_eq!(Lock::parse(&text), Ok(shop()));
    assert_eq!(Lock::parse(&text.replace('\n', "\r\n")), Ok(shop()));
    assert_eq!(Lock::parse("version = 1"), Ok(Lock::default()));
}

#[test]
fn of_a_large_file_only_the_first_syntax_error_is_told() {
    let text = format!("version = 1\n{}=\n=\n", "# a comment\n".repeat(20_000));
    assert_eq!(Lock::parse(&text).unwrap_err().len(), 1);
    assert!(problems(&text).starts_with("line 20002: "));
    assert_eq!(problems("version = 1\n=\n=\n").lines().count(), 2);
}

fn problems(text: &str) -> String {
    let problems = Lock::parse(text).unwrap_err();
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

#[test]
fn everything_wrong_is_told_with_its_line() {
    let digest = digest_of(b"x");
    let text = format!(
        r#"version = 1
trusted = true

[[skill]]
ref = "lint"
digest = "{digest}"
source = "user"

[[skill]]
ref = "LINT"
digest = "{digest}"
source = "user"

[[skill]]
ref = "../../etc/passwd"
digest = "b3-1234"
version = "1 2"
source = "/etc/passwd"

[[skill]]
ref = "./x/SKILL.md"
digest = "{digest}"
source = "user"
approved = true

[[skill]]
digest = 7
"#
    );
    insta::assert_snapshot!(problems(&text), @"
    line 2: unknown key `trusted`
    line 9: `lint` is already pinned in line 4
    line 15: `../../etc/passwd` names no skill: it has a part `..`
    line 16: `b3-1234` is not a digest: `b3-` and 64 hexadecimal digits
    line 17: `1 2` cannot be a version
    line 18: `/etc/passwd` cannot be a source
    line 20: a path cannot be pinned; pin the skill by its name
    line 24: unknown key `approved`
    line 26: the entry has no `ref`
    line 26: the entry has no `source`
    line 27: `digest` is not a string
    ");
}

#[test]
fn a_conflict_of_git_is_told_by_its_lines() {
    let text = "version = 1\n<<<<<<< ours\n[[skill]]\n=======\n>>>>>>> theirs\n";
    insta::assert_snapshot!(problems(text), @"
    line 2: key with no value, expected `=`
    line 4: extra `=`, expected nothing
    line 5: key with no value, expected `=`
    ");
}

#[test]
fn other_formats_and_other_types_are_refused() {
    let newer = "the format is `version = 1`; update pacenote to read a newer one";
    for text in ["", "version = 2\nskills = []", "version = \"1\"", "[version]"] {
        assert!(problems(text).ends_with(newer), "{text}");
    }
    assert_eq!(problems("version = 1\nskill = 3"), "line 2: `skill` is not a list of tables");
    assert_eq!(problems("version = 1\nskill = [3]"), "line 2: `skill` is not a list of tables");
}

#[test]
fn size_and_entries_are_capped() {
    let large = format!("version = 1\n{}", "#".repeat(LOCK_BYTES));
    assert!(problems(&large).contains("2097164 bytes, at most 2097152"));
    let mut lock = Lock::default();
    let pin = |lock: &mut Lock, n| {
        let candidate = skill(&format!("skill-{n}"));
        lock.pin(&candidate.reference(), &candidate, Source::User)
    };
    for n in 0..LOCK_ENTRIES {
        assert_eq!(pin(&mut lock, n), Ok(None));
    }
    assert_eq!(pin(&mut lock, LOCK_ENTRIES), Err(NotPinned::Full));
    assert!(pin(&mut lock, 0).unwrap().is_some());
    let text = lock.to_toml();
    assert_eq!(Lock::parse(&text), Ok(lock));
    let digest = digest_of(b"");
    let entry = format!("[[skill]]\nref = \"more\"\ndigest = \"{digest}\"\nsource = \"user\"\n");
    assert!(problems(&(text + &entry)).contains("the most a lock may have is 1000"));
    let many = problems(&format!("version = 1\n{}", "[[skill]]\n".repeat(100)));
    assert_eq!(many.lines().count(), 51);
    assert!(many.ends_with("250 more problems follow"));
}

#[test]
fn the_largest_lock_that_is_written_is_read() {
    let mut lock = Lock::default();
    for n in 0..LOCK_ENTRIES {
        let long = |letter: &str, most: usize| format!("{n:04}{}", letter.repeat(most - 4));
        let (plugin, name, version) = (long("p", 64), long("s", 64), long("1", 64));
        let mut candidate = skill(&name).at(SkillLevel::Project, "");
        candidate.path = format!("/repo/{}", "\"".repeat(504));
        candidate.version = Some(version);
        let source = Source::of(&candidate, Some("/repo"));
        let agent = long("a", 64);
        lock.pin(&reference(&format!("{plugin}:{name}/{agent}@1.2.3")), &candidate, source)
            .unwrap();
    }
    let text = lock.to_toml();
    assert!(text.len() > LOCK_BYTES / 2);
    assert_eq!(Lock::parse(&text), Ok(lock));
}

#[test]
fn deep_nesting_is_refused_without_harm() {
    for text in ["a=".to_owned() + &"[".repeat(100_000), "[".repeat(100_000), "a.".repeat(100_000)]
    {
        assert!(Lock::parse(&format!("version = 1\n{text}")).is_err());
    }
}

#[test]
fn a_path_is_never_pinned() {
    let path = reference("./x/SKILL.md");
    assert_eq!(Lock::default().pin(&path, &skill("x"), Source::User), Err(NotPinned::Path));
}

#[test]
fn pins_are_found_and_removed_by_any_spelling() {
    let mut lock = shop();
    assert!(lock.entry(&reference("SUPERPOWERS:brainstorming")).is_some());
    assert!(lock.entry(&reference("superpowers:brainstorming@4.0.3")).is_none());
    assert!(lock.governing(&reference("superpowers:brainstorming@9")).is_some());
    assert!(lock.governing(&reference("brainstorming@9")).is_none());
    assert!(lock.unpin(&reference("DEPLOY")).is_some());
    assert!(lock.unpin(&reference("deploy")).is_none());
}

#[test]
fn a_lock_is_compared_with_what_is_installed() {
    let told = |candidates: Vec<Candidate>, approvals: &dyn Approvals| {
        let (lock, listing) = (shop(), listing(candidates));
        let words = lock.compare(&listing, approvals).into_iter().map(|compared| {
            let state = match compared.state {
                State::Same(_) => "same".to_owned(),
                State::Approved(found) => format!("approved {}", found.digest.short()),
                State::Drifted(found) => format!("drifted {}", found.digest.short()),
                State::ListedOnly(path) => format!("listed only {path}"),
                State::Missing => "missing".to_owned(),
            };
            format!("{}: {state}", compared.entry.reference())
        });
        words.collect::<Vec<_>>().join("\n")
    };
    let changed = digest_of(b"changed");
    let installed = || {
        let ours = "/repo/.claude/skills/lint/SKILL.md";
        vec![
            skill("deploy").saying("changed"),
            skill("lint").at(SkillLevel::Project, ours).listed_only(),
            skill("brainstorming").of_plugin("superpowers", "v4.0.3"),
            skill("brainstorming").of_plugin("superpowers", "5.0.0"),
        ]
    };
    insta::assert_snapshot!(told(installed(), &Nobody), @"
    deploy: drifted b3-6a9f75eec646
    lint: listed only /repo/.claude/skills/lint/SKILL.md
    superpowers:brainstorming: same
    ");
    assert!(told(installed(), &Person("deploy", changed)).starts_with("deploy: approved b3-"));
    assert!(told(installed(), &Person("lint", changed)).starts_with("deploy: drifted b3-"));
    insta::assert_snapshot!(told(Vec::new(), &Nobody), @"
    deploy: missing
    lint: missing
    superpowers:brainstorming: missing
    ");
}

fn any_entry() -> impl Strategy<Value = (String, Candidate)> {
    let plugin = prop::option::of("[a-zé_][a-z0-9._-]{1,5}");
    let path = "/repo/[a-z \"\\\\é#']{1,8}";
    let version = prop::option::of("[0-9]{1,2}(\\.[0-9]{1,3}){0,2}|[ -~]{1,5}");
    ("[a-z][A-Za-z 0-9]{0,8}", plugin, path, version, 0..5_usize).prop_map(
        |(name, plugin, path, version, level)| {
            let mut candidate = skill(&name).at(SkillLevel::ALL[level], &path);
            let reference = plugin.as_ref().map_or(String::new(), |plugin| format!("{plugin}:"));
            (candidate.plugin, candidate.version) = (plugin, version);
            (reference + &name, candidate)
        },
    )
}

proptest! {
    #[test]
    fn every_lock_is_read_back_and_written_the_same(
        entries in prop::collection::vec(any_entry(), 0..8),
    ) {
        let mut lock = Lock::default();
        for (name, candidate) in &entries {
            let source = Source::of(candidate, Some("/repo"));
            lock.pin(&reference(name), candidate, source).unwrap();
        }
        let text = lock.to_toml();
        let again = Lock::parse(&text);
        prop_assert_eq!(again.as_ref(), Ok(&lock));
        prop_assert_eq!(again.unwrap().to_toml(), text);
    }

    #[test]
    fn any_text_is_read_or_refused(
        parts in prop::collection::vec(any_part(), 0..20).prop_map(|parts| parts.concat()),
    ) {
        for text in [parts.clone(), format!("version = 1\n{parts}")] {
            if let Ok(lock) = Lock::parse(&text) {
                prop_assert_eq!(Lock::parse(&lock.to_toml()), Ok(lock));
            }
        }
    }
}

/// Returns a piece that a lock may be made of, or anything.
fn any_part() -> impl Strategy<Value = String> {
    let value = "\"([a-z]{1,2}|user|b3-(00){32})\"|1|\\[|\\{";
    prop_oneof![
        Just("[[skill]]\n".to_owned()),
        ("ref|digest|source|version|x", value)
            .prop_map(|(key, value)| format!("{key} = {value}\n")),
        "[a-z]{1,2}".prop_map(|name| {
            let digest = digest_of(name.as_bytes());
            format!("[[skill]]\nref = \"{name}\"\ndigest = \"{digest}\"\nsource = \"user\"\n")
        }),
        "\\PC{0,3}|.{0,3}",
    ]
}
