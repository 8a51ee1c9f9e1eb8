use super::*;
use proptest::prelude::*;

fn reference(raw: &str) -> Reference {
    Reference::parse(raw).unwrap()
}

fn titled(title: &str) -> TaskView<'_> {
    TaskView { name: "#1", skill: None, title }
}

/// Finds whatever is asked for among these skills.
fn installed(skills: &[&str]) -> impl Fn(&Reference) -> Option<Reference> {
    let skills: Vec<_> = skills.iter().map(|name| reference(name)).collect();
    move |wish| skills.iter().find(|skill| *skill == wish).cloned()
}

/// Finds every skill of our own, and none of any plugin.
fn own_only(wish: &Reference) -> Option<Reference> {
    (!wish.to_string().contains(':')).then(|| wish.clone())
}

#[test]
fn the_table_decides_by_whole_words() {
    let rules = Rules::default();
    let told = |title: &&str| {
        let choice = choose(&titled(title), &[], &&rules, &own_only);
        let by = choice.decided_by.matched().map_or("-", |matched| matched.phrase.as_str());
        format!("{title} | {by} | {}", choice.skill)
    };
    let titles = [
        "Brainstorm the login flow",
        "BRAINSTORMING: names",
        "Set up a worktree",
        "Remove stale worktrees",
        "Write plan",
        "Write the plan",
        "Writing this plan",
        "write-plan for login",
        "Write an implementation plan for login",
        "Implementation planning",
        "Write a good plan",
        "Plan the writing",
        "Task 3: spec review",
        "Code review of the parser",
        "Code reviewed?",
        "quality-review",
        "Review the code",
        "Finish the parser",
        "Finished",
        "Merge branch",
        "merging main",
        "emerge",
        "Open a PR",
        "PRs of this week",
        "pr#12",
        "Open a pull request",
        "Print the report",
        "Improve approval",
        "Add login endpoint",
        "",
        "Brainstorm, then merge",
        "Merge what the brainstorm gave",
    ];
    insta::assert_snapshot!(titles.iter().map(told).collect::<Vec<_>>().join("\n"), @"
    Brainstorm the login flow | brainstorm | brainstorming
    BRAINSTORMING: names | brainstorm | brainstorming
    Set up a worktree | worktree | using-git-worktrees
    Remove stale worktrees | worktree | using-git-worktrees
    Write plan | write plan | writing-plans
    Write the plan | write plan | writing-plans
    Writing this plan | write plan | writing-plans
    write-plan for login | write plan | writing-plans
    Write an implementation plan for login | implementation plan | writing-plans
    Implementation planning | implementation plan | writing-plans
    Write a good plan | - | test-driven-development
    Plan the writing | - | test-driven-development
    Task 3: spec review | spec review | subagent-driven-development
    Code review of the parser | code review | subagent-driven-development
    Code reviewed? | code review | subagent-driven-development
    quality-review | quality review | subagent-driven-development
    Review the code | - | test-driven-development
    Finish the parser | finish | finishing-a-development-branch
    Finished | finish | finishing-a-development-branch
    Merge branch | merge | finishing-a-development-branch
    merging main | merge | finishing-a-development-branch
    emerge | - | test-driven-development
    Open a PR | PR | finishing-a-development-branch
    PRs of this week | PR | finishing-a-development-branch
    pr#12 | PR | finishing-a-development-branch
    Open a pull request | pull request | finishing-a-development-branch
    Print the report | - | test-driven-development
    Improve approval | - | test-driven-development
    Add login endpoint | - | test-driven-development
     | - | test-driven-development
    Brainstorm, then merge | brainstorm | brainstorming
    Merge what the brainstorm gave | brainstorm | brainstorming
    ");
}

#[test]
fn the_first_that_knows_decides() {
    let (lint, gone) = (reference("lint"), reference("gone"));
    let find = installed(&["lint", "writing-plans", "superpowers:brainstorming", "brainstorming"]);
    let rules = Rules::parse(["deploy, ship -> acme:deploy", "login → lint"]).unwrap();
    let epic = TaskView { name: "#9", skill: Some(&lint), title: "merge" };
    let story = TaskView { name: "#10", skill: None, title: "Write the plan" };
    let plain = TaskView { name: "#11", skill: None, title: "Add a field" };
    let told = |task: TaskView<'_>, parents: &[TaskView<'_>]| {
        choose(&task, parents, &&rules, &find).to_string()
    };
    let lines = [
        told(TaskView { skill: Some(&lint), ..titled("brainstorm") }, &[story]),
        told(TaskView { skill: Some(&gone), ..titled("brainstorm") }, &[story]),
        told(titled("Brainstorm the login"), &[story]),
        told(titled("Brainstorm"), &[story]),
        told(titled("Shipping it"), &[]),
        told(titled("Implementation plan"), &[epic]),
        told(plain, &[plain, story, epic]),
        told(plain, &[epic, story]),
        told(plain, &[plain]),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    `lint`: the task names it
    `gone`: the task names it; there is no such skill
    `lint`: the title has `login` (row 2 of the settings)
    `superpowers:brainstorming`: the title has `brainstorm` (row 1 of the built-in rules)
    `acme:deploy`: the title has `ship` (row 1 of the settings); there is no such skill
    `writing-plans`: the title has `implementation plan` (row 3 of the built-in rules); it stands in for `superpowers:writing-plans`, which is not installed
    `writing-plans`: the title of the task above, #10, has `write plan` (row 3 of the built-in rules); it stands in for `superpowers:writing-plans`, which is not installed
    `lint`: the task above, #9, names it
    `superpowers:test-driven-development`: no rule is about this task, so it is the default; there is no such skill
    ");
}

#[test]
fn a_choice_is_told_in_json() {
    let story = TaskView { name: "#10", skill: None, title: "Write the plan" };
    let choice = choose(&titled("Add a field"), &[story], &&Rules::default(), &own_only);
    insta::assert_snapshot!(serde_json::to_string_pretty(&choice).unwrap(), @r##"
    {
      "skill": "writing-plans",
      "missing": false,
      "stands_in_for": "superpowers:writing-plans",
      "decided_by": "parent",
      "rule": {
        "phrase": "write plan",
        "origin": "built_in",
        "row": 3
      },
      "parent": "#10",
      "reason": "`writing-plans`: the title of the task above, #10, has `write plan` (row 3 of the built-in rules); it stands in for `superpowers:writing-plans`, which is not installed"
    }
    "##);
    let wish = reference("acme:gone");
    let task = TaskView { skill: Some(&wish), ..titled("") };
    let choice = choose(&task, &[], &&Rules::default(), &own_only);
    insta::assert_snapshot!(serde_json::to_string(&choice).unwrap(), @r#"{"skill":"acme:gone","missing":true,"stands_in_for":null,"decided_by":"field","rule":null,"parent":null,"reason":"`acme:gone`: the task names it; there is no such skill"}"#);
}

#[test]
fn only_names_that_are_lent_have_a_stand_in() {
    let told = |raw| stand_in(&reference(raw)).map(|own| own.canonical());
    assert_eq!(told("Superpowers:writing-plans@4.0.3").as_deref(), Some("writing-plans"));
    assert_eq!(told("acme:writing-plans"), None);
    assert_eq!(told("writing-plans"), None);
    assert_eq!(told("./writing-plans"), None);
}

#[test]
fn every_error_in_the_rows_is_told_at_once() {
    let long = format!("{} -> a", "word ".repeat(PHRASE_WORDS + 1));
    let many = format!("{} -> a", ["x"; 21].join(","));
    let word = format!("{} -> a", "x".repeat(101));
    let rows = [
        "",
        "# comment",
        "fine -> skill",
        "no arrow\u{1b}",
        " -> a",
        "a, -> b",
        "a -> ../b",
        "a ->",
        &long,
        &many,
        &word,
    ];
    let bad = Rules::parse(rows).unwrap_err();
    let lines: Vec<_> = bad.rows.iter().map(BadRow::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    row 4: `no arrow\u{1b}` has no `->` between the phrases and the skill
    row 5: a phrase has neither letter nor digit
    row 6: a phrase has neither letter nor digit
    row 7: `../b` names no skill: it has a part `..`
    row 8: `` names no skill: it is empty
    row 9: a phrase has more than 8 words
    row 10: there are more than 20 phrases
    row 11: a word of a phrase has more than 100 bytes
    ");
    let too_many = vec!["a -> b"; ROWS + 5];
    insta::assert_snapshot!(Rules::parse(too_many).unwrap_err(), @"row 501: there are more than 500 rows");
}

#[test]
fn the_rows_of_the_settings_stand_before_the_built_in_ones() {
    let rules = Rules::parse(["# mine", "merge -> acme:merge"]).unwrap();
    let rows: Vec<_> = rules.rows().iter().map(Row::to_string).collect();
    insta::assert_snapshot!(rows.join("\n"), @"
    merge -> acme:merge
    brainstorm -> superpowers:brainstorming
    worktree -> superpowers:using-git-worktrees
    write plan, implementation plan -> superpowers:writing-plans
    spec review, code review, quality review -> superpowers:subagent-driven-development
    finish, merge, PR, pull request -> superpowers:finishing-a-development-branch
    ");
    let (row, matched) = rules.first_match("Merge it").unwrap();
    assert_eq!((row.skill.to_string().as_str(), matched.number), ("acme:merge", 2));
    assert_eq!(Rules::parse([]), Ok(Rules::default()));
}

#[test]
fn words_have_their_plain_inflections() {
    for (phrase, title, is_in) in [
        ("merge", "merges merged", true),
        ("merge", "merger", false),
        ("plan", "planning", true),
        ("plan", "plane", false),
        ("try", "trying tried", true),
        ("deny", "denied", true),
        ("fix", "fixing fixes", true),
        ("go", "gos", true),
        ("go", "going", false),
        ("PR", "ｐｒ", true),
        ("straße", "STRASSE", true),
        ("Überprüfung", "überprüfung der rechnung", true),
        ("write plan", "write the of plan", true),
        ("write plan", "write the of a plan", false),
        ("write plan", "write plan", true),
        ("the plan", "the the plan", true),
        ("a b a c", "a b a b a c", true),
    ] {
        let rules = Rules::parse([format!("{phrase} -> found").as_str()]).unwrap();
        let found = rules.first_match(title).is_some_and(|(row, _)| row.origin == Origin::Settings);
        assert_eq!(found, is_in, "{phrase:?} in {title:?}");
    }
}

#[test]
fn skills_compose_from_the_general_to_the_special() {
    let of = |name: &str, category: Option<&str>, kind: Option<&str>, priority: Option<i64>| {
        Ingredient::of(reference(name), category, kind, priority)
    };
    let ordered = compose([
        of("rust", Some("languages"), None, None),
        of("postgres", None, None, Some(10)),
        of("superpowers:writing-plans", None, None, None),
        of("deploying", Some("Release Workflow"), None, Some(60)),
        of("acme:rust", None, None, None),
        of("superpowers:test-driven-development", None, None, None),
        of("reasoning", None, Some("methodology"), Some(99)),
        of("brainstorming", Some("domain"), Some("methodology"), None),
        of("rust", None, Some("process"), None),
        of("urgent", Some("process"), None, Some(-1)),
    ]);
    let lines = ordered.iter().map(|it| format!("{:?} {} {}", it.layer, it.priority, it.skill));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    Methodology 50 brainstorming
    Methodology 50 superpowers:test-driven-development
    Methodology 99 reasoning
    Process -1 urgent
    Process 50 rust
    Process 50 superpowers:writing-plans
    Process 60 deploying
    Domain 10 postgres
    Domain 50 acme:rust
    ");
}

fn any_ingredient() -> impl Strategy<Value = Ingredient> {
    let names = ["a", "b", "c", "acme:a", "acme:b", "zeta:a", "writing-plans"];
    let categories = [None, Some("process"), Some("methodology"), Some("odd")];
    let facts =
        (prop::sample::select(names.to_vec()), prop::sample::select(categories.to_vec()), 0..3_i64);
    facts.prop_map(|(name, category, priority)| {
        Ingredient::of(reference(name), category, None, Some(priority))
    })
}

proptest! {
    #[test]
    fn the_order_of_skills_does_not_depend_on_how_they_come(
        (one, other) in prop::collection::vec(any_ingredient(), 0..12)
            .prop_flat_map(|skills| (Just(skills.clone()), Just(skills).prop_shuffle()))
    ) {
        let ordered = compose(one.clone());
        prop_assert_eq!(&ordered, &compose(other));
        prop_assert_eq!(&ordered, &compose(ordered.clone()));
        for skill in &one {
            let same = ordered.iter().filter(|it| it.skill == skill.skill).count();
            prop_assert_eq!(same, 1);
        }
        let place = |it: &Ingredient| (it.layer, it.priority);
        prop_assert!(ordered.is_sorted_by_key(place));
    }

    #[test]
    fn no_title_and_no_row_is_too_odd(title in "\\PC{0,60}", row in "\\PC{0,30}(->\\PC{0,10})?") {
        let rules = Rules::parse([row.as_str()]).unwrap_or_default();
        let choice = choose(&titled(&title), &[], &&rules, &own_only);
        prop_assert!(choice.decided_by.parent().is_none());
    }

    #[test]
    fn a_row_that_was_read_reads_the_same_again(row in "[a-zA-Z ,-]{1,20} ?(->|→) ?[a-z:-]{1,12}") {
        if let Ok(rules) = Rules::parse([row.as_str()]) {
            let written = rules.rows()[0].to_string();
            prop_assert_eq!(Rules::parse([written.as_str()]), Ok(rules));
        }
    }
}
