use pacenote_model::{Digest, SkillLevel};

use super::*;
use crate::{
    digest::digest_of,
    listing::{
        Registered,
        example::{listing, skill},
    },
    lock::Source,
};

const HERS: &str = "/home/ada/.claude/skills/lint/SKILL.md";
const OURS: &str = "/repo/.claude/skills/lint/SKILL.md";

struct Nobody;

impl Approvals for Nobody {
    fn is_approved(&self, _: &Reference, _: &Digest) -> bool {
        false
    }
}

/// Approves one content for one reference.
struct Person(&'static str, &'static str);

impl Approvals for Person {
    fn is_approved(&self, reference: &Reference, digest: &Digest) -> bool {
        reference.canonical() == self.0 && *digest == digest_of(self.1.as_bytes())
    }
}

/// Pins references to contents.
fn pins(pins: &[(&str, &str)]) -> Lock {
    let mut lock = Lock::default();
    for (reference, content) in pins {
        let reference = Reference::parse(reference).unwrap();
        lock.pin(&reference, &skill("any").saying(content), Source::User).unwrap();
    }
    lock
}

/// Tells the answer as a person would read it.
fn told_with(
    raw: &str,
    listing: &Listing,
    lock: &Lock,
    approvals: &dyn Approvals,
    host: Option<&str>,
) -> String {
    let reference = Reference::parse(raw).unwrap();
    let answer = match resolve(&reference, listing, lock, approvals, host) {
        Ok(answer) => answer,
        Err(Unresolved::Unknown { nearest, .. }) => return format!("unknown {nearest:?}"),
        Err(other) => return other.to_string(),
    };
    let pin = match answer.pin {
        Pin::Free => "",
        Pin::Held => ", pinned",
        Pin::Approved { .. } => ", approved",
    };
    let decided_by = answer.decided_by.word();
    let mut lines = vec![format!("{} by {decided_by}{pin}", answer.candidate.path)];
    for passed in &answer.passed_over {
        let why = match passed.why {
            Why::Rule(rule) => rule.word(),
            Why::ListedOnly => "listed only",
            Why::HeldBack => "held back",
            Why::OtherHost => "other host",
        };
        lines.push(format!("  not {}: {why}", passed.candidate.path));
    }
    lines.extend(answer.warnings.iter().map(|warning| format!("  warning: {warning}")));
    lines.join("\n")
}

fn told(raw: &str, candidates: impl Into<Vec<Candidate>>) -> String {
    told_with(raw, &listing(candidates), &Lock::default(), &Nobody, None)
}

#[test]
fn the_only_one_is_taken() {
    assert_eq!(told("Lint", [skill("lint"), skill("deploy")]), format!("{HERS} by only_one"));
}

#[test]
fn levels_come_before_roots_and_roots_before_the_rest() {
    let shared = "/repo/.agents/skills/lint/SKILL.md";
    let all = [
        skill("lint").at(SkillLevel::BuiltIn, "lint"),
        skill("lint").of_plugin("acme", "1.0.0").registered(Registered::Project),
        skill("lint").at(SkillLevel::Project, shared).ranked(1).modified(9),
        skill("lint"),
        skill("lint").at(SkillLevel::Project, OURS),
    ];
    insta::assert_snapshot!(told("lint", all), @"
    /repo/.claude/skills/lint/SKILL.md by precedence
      not /repo/.agents/skills/lint/SKILL.md: precedence
      not /home/ada/.claude/skills/lint/SKILL.md: precedence
      not /cache/market/acme/1.0.0/skills/lint/SKILL.md: precedence
      not lint: precedence
    ");
}

#[test]
fn the_registry_knows_which_version_of_a_plugin_is_installed() {
    let versions = || {
        [
            skill("lint").of_plugin("acme", "1.0.0").registered(Registered::User),
            skill("lint").of_plugin("acme", "2.0.0").modified(9),
            skill("lint").of_plugin("acme", "0.9.0").registered(Registered::Project),
        ]
    };
    insta::assert_snapshot!(told("acme:lint", versions()), @"
    /cache/market/acme/0.9.0/skills/lint/SKILL.md by project_registry
      not /cache/market/acme/1.0.0/skills/lint/SKILL.md: project_registry
      not /cache/market/acme/2.0.0/skills/lint/SKILL.md: project_registry
    ");
    let [user, newest, _] = versions();
    insta::assert_snapshot!(told("acme:lint", [user, newest]), @"
    /cache/market/acme/1.0.0/skills/lint/SKILL.md by user_registry
      not /cache/market/acme/2.0.0/skills/lint/SKILL.md: user_registry
    ");
}

#[test]
fn without_a_registry_the_highest_version_wins_then_the_newest_file() {
    let one_plugin = [
        skill("lint").of_plugin("acme", "vendored").modified(99),
        skill("lint").of_plugin("acme", "1.9.0").modified(50),
        skill("lint").of_plugin("acme", "1.10.0"),
    ];
    insta::assert_snapshot!(told("acme:lint", one_plugin), @"
    /cache/market/acme/1.10.0/skills/lint/SKILL.md by version
      not /cache/market/acme/1.9.0/skills/lint/SKILL.md: version
      not /cache/market/acme/vendored/skills/lint/SKILL.md: version
    ");
    let two_plugins = [
        skill("lint").of_plugin("acme", "1.9.0").modified(50),
        skill("lint").of_plugin("acme", "1.10.0").modified(10),
        skill("lint").of_plugin("zeta", "0.1.0").modified(20),
    ];
    insta::assert_snapshot!(told("lint", two_plugins), @"
    /cache/market/zeta/0.1.0/skills/lint/SKILL.md by modified
      not /cache/market/acme/1.10.0/skills/lint/SKILL.md: modified
      not /cache/market/acme/1.9.0/skills/lint/SKILL.md: version
    ");
    let alike = ["/b", "/a"].map(|path| skill("lint").at(SkillLevel::User, path));
    insta::assert_snapshot!(told("lint", alike), @"
    /a by path
      not /b: path
    ");
}

#[test]
fn plugin_version_and_agent_narrow_the_search() {
    let all = [
        skill("lint"),
        skill("lint").of_plugin("acme", "1.0.0"),
        skill("lint").of_plugin("acme", "2.0.0"),
        skill("lint").of_plugin("zeta", "3.0.0"),
        skill("review/lint").of_plugin("zeta", "3.0.0"),
    ];
    let path = |raw| told(raw, all.clone()).lines().next().unwrap().to_owned();
    assert_eq!(
        path("acme:lint@v1.0.0"),
        "/cache/market/acme/1.0.0/skills/lint/SKILL.md by only_one"
    );
    assert_eq!(path("Zeta:Lint"), "/cache/market/zeta/3.0.0/skills/lint/SKILL.md by only_one");
    assert_eq!(path("review/lint"), path("zeta:review/agents/lint"));
    assert_eq!(path("acme:lint@9"), "unknown [\"acme:lint\", \"zeta:lint\", \"lint\"]");
    assert_eq!(
        path("acme:review/lint"),
        "unknown [\"zeta:review/lint\", \"acme:lint\", \"zeta:lint\"]"
    );
}

#[test]
fn a_path_means_its_file_or_its_directory() {
    let all = [skill("lint").at(SkillLevel::Project, OURS), skill("lint")];
    assert_eq!(told(OURS, all.clone()), format!("{OURS} by only_one"));
    assert_eq!(told("/repo/.claude/skills/lint/", all.clone()), format!("{OURS} by only_one"));
    assert_eq!(told("/repo/.claude/skills/lin", all.clone()), "unknown []");
    assert_eq!(told("./.claude/skills/lint", all), "unknown []");
}

#[test]
fn a_project_never_shadows_a_pinned_user_skill_silently() {
    let all = listing([skill("lint").at(SkillLevel::Project, OURS), skill("lint").saying("v1")]);
    insta::assert_snapshot!(told_with("lint", &all, &pins(&[("lint", "v1")]), &Nobody, None), @"
    /home/ada/.claude/skills/lint/SKILL.md by lock, pinned
      not /repo/.claude/skills/lint/SKILL.md: lock
      warning: the lock holds back a project skill of that name: `/repo/.claude/skills/lint/SKILL.md`
    ");
}

#[test]
fn a_pinned_skill_that_changed_waits_for_approval() {
    let lock = pins(&[("lint", "v1")]);
    let all = listing([skill("lint").saying("v2")]);
    let told = |approvals: &dyn Approvals| told_with("LINT", &all, &lock, approvals, None);
    assert_eq!(told(&Nobody), format!("`LINT` changed since it was pinned: `{HERS}`"));
    assert_eq!(told(&Person("deploy", "v2")), told(&Nobody));
    assert_eq!(told(&Person("lint", "v3")), told(&Nobody));
    assert_eq!(told(&Person("lint", "v2")), format!("{HERS} by only_one, approved"));
}

#[test]
fn what_was_approved_is_not_shadowed_either() {
    let all = listing([skill("lint").at(SkillLevel::Project, OURS), skill("lint").saying("v2")]);
    let lock = pins(&[("lint", "v1")]);
    insta::assert_snapshot!(told_with("lint", &all, &lock, &Person("lint", "v2"), None), @"
    /home/ada/.claude/skills/lint/SKILL.md by approval, approved
      not /repo/.claude/skills/lint/SKILL.md: approval
      warning: the lock holds back a project skill of that name: `/repo/.claude/skills/lint/SKILL.md`
    ");
}

#[test]
fn a_change_does_not_slip_in_by_another_spelling() {
    let changed = listing([skill("lint").of_plugin("acme", "1.0.0").saying("v2")]);
    let path = "/cache/market/acme/1.0.0/skills/lint/SKILL.md";
    for pinned in ["lint", "acme:lint", "acme:lint@1.0.0"] {
        for asked in ["lint", "acme:lint", "acme:lint@1.0.0", path] {
            let lock = pins(&[(pinned, "v1")]);
            let drift = format!("`{asked}` changed since it was pinned: `{path}`");
            assert_eq!(told_with(asked, &changed, &lock, &Nobody, None), drift, "{pinned}");
            let approved = told_with(asked, &changed, &lock, &Person("lint", "v2"), None);
            assert_eq!(approved == drift, pinned != "lint", "{pinned} {asked}");
        }
    }
}

#[test]
fn a_pin_of_one_skill_is_none_of_another() {
    let all = listing([skill("lint").saying("v1"), skill("lint").of_plugin("acme", "1.0.0")]);
    let lock = pins(&[("lint", "v1")]);
    let theirs = "/cache/market/acme/1.0.0/skills/lint/SKILL.md";
    let told = told_with("acme:lint", &all, &lock, &Nobody, None);
    assert_eq!(told, format!("{theirs} by only_one"));
    let lock = pins(&[("acme:lint", theirs)]);
    insta::assert_snapshot!(told_with("lint", &all, &lock, &Nobody, None), @"
    /home/ada/.claude/skills/lint/SKILL.md by precedence
      not /cache/market/acme/1.0.0/skills/lint/SKILL.md: precedence
      warning: the skill pinned as `acme:lint` was passed over: `/cache/market/acme/1.0.0/skills/lint/SKILL.md`
    ");
}

#[test]
fn a_host_gets_what_it_sees() {
    let all = listing([
        skill("lint").at(SkillLevel::Project, OURS).seen_by("codex"),
        skill("lint"),
        skill("deploy").seen_by("codex"),
        skill("using-pacenote").at(SkillLevel::BuiltIn, "using-pacenote").seen_by(""),
    ]);
    let told = |raw| told_with(raw, &all, &Lock::default(), &Nobody, Some("claude"));
    insta::assert_snapshot!(told("lint"), @"
    /home/ada/.claude/skills/lint/SKILL.md by only_one
      not /repo/.claude/skills/lint/SKILL.md: other host
    ");
    assert_eq!(told("deploy"), "`deploy` is not seen by `claude`, only by `codex`");
    assert_eq!(told("using-pacenote"), "using-pacenote by only_one");
}

#[test]
fn skills_of_a_project_not_in_use_are_told_but_not_taken() {
    let theirs = || skill("lint").at(SkillLevel::Project, OURS).listed_only();
    let unused = format!("`lint` is a skill of this project that is not in use: `{OURS}`");
    assert_eq!(told("lint", [theirs()]), unused);
    insta::assert_snapshot!(told("lint", [theirs(), skill("lint")]), @"
    /home/ada/.claude/skills/lint/SKILL.md by only_one
      not /repo/.claude/skills/lint/SKILL.md: listed only
    ");
    let all = listing([theirs().saying("v1")]);
    let lock = pins(&[("lint", "v1")]);
    assert_eq!(told_with("lint", &all, &lock, &Person("lint", "v1"), None), unused);
}

#[test]
fn skills_that_an_unreadable_lock_may_pin_are_named_but_not_answered() {
    let theirs = || skill("lint").at(SkillLevel::User, OURS).held_back();
    let held =
        format!("`lint` is held back because the project's lock file cannot be read: `{OURS}`");
    assert_eq!(told("lint", [theirs()]), held);
    insta::assert_snapshot!(told("lint", [theirs(), skill("lint").at(SkillLevel::BuiltIn, "lint")]), @"
    lint by only_one
      not /repo/.claude/skills/lint/SKILL.md: held back
    ");
}

#[test]
fn the_nearest_names_are_suggested() {
    let all = [
        skill("brainstorming").of_plugin("superpowers", "1.0.0"),
        skill("brainstorming").of_plugin("superpowers", "2.0.0"),
        skill("test-driven-development"),
        skill("lint"),
        skill("lint").of_plugin("acme", "1.0.0"),
        skill("mint").at(SkillLevel::Project, "/mint").listed_only(),
        skill("Code: Review"),
    ];
    for (asked, nearest) in [
        ("superpowers:brainstroming", r#"["superpowers:brainstorming"]"#),
        ("brianstorming", r#"["superpowers:brainstorming"]"#),
        ("superpower:brainstorming", r#"["superpowers:brainstorming"]"#),
        ("code:review", r#"["code-review"]"#),
        ("lnt", r#"["lint", "acme:lint"]"#),
        ("entirely-different", "[]"),
    ] {
        assert_eq!(told(asked, all.clone()), format!("unknown {nearest}"), "{asked}");
    }
}

#[test]
fn one_failure_never_stops_the_rest() {
    let all = listing([skill("lint"), skill("deploy")]);
    let asked: Vec<_> =
        Reference::parse_list("lint,nothing,Deploy").into_iter().map(Result::unwrap).collect();
    let answers = resolve_all(&asked, &all, &Lock::default(), &Nobody, None);
    let resolved: Vec<_> =
        answers.resolved.iter().map(|answer| answer.reference.to_string()).collect();
    assert_eq!(resolved, ["lint", "Deploy"]);
    assert_eq!(answers.failed.len(), 1);
    assert_eq!(answers.failed[0].0.to_string(), "nothing");
    assert_eq!(answers.failed[0].1.to_string(), "no skill named `nothing` in 2 roots");
}
