use super::*;
use proptest::prelude::*;

fn reference(raw: &str) -> Reference {
    Reference::parse(raw).unwrap()
}

fn titled(title: &str) -> TaskView<'_> {
    TaskView { name: "#1", wish: None, title }
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
#[expect(clippy::too_many_lines, reason = "a table of titles and what they call for")]
fn the_table_decides_by_whole_words() {
    let rules = Rules::default();
    let decided = |title: &&str| {
        let choice = choose(&titled(title), &[], &&rules, &own_only);
        let by = choice.decided_by.matched().map_or("-", |matched| matched.phrase.as_str());
        format!("{title} | {by} | {}", choice.skills[0].skill)
    };
    let titles = [
        "Brainstorm the login flow",
        "BRAINSTORMING: names",
        "Set up a worktree",
        "Remove stale worktrees",
        // Plans.
        "Write plan",
        "Write the plan",
        "Writing this plan",
        "write-plan for login",
        "Write an implementation plan for login",
        "Implementation planning",
        "Write a good plan",
        "Write a migration plan",
        "Draft a rough plan",
        "Make a plan",
        "Plan the login feature",
        "Plan a migration to Postgres",
        "Planning the release of 2.0",
        "Task 3: Plan the login feature",
        "Plan how to split the parser",
        "Plan the writing",
        "Plan upgrade flow for billing",
        "Write the test plan",
        "Write the pricing plan page",
        "Follow the plan the team wrote",
        "Change the plan limits",
        // Reviews.
        "Task 3: spec review",
        "Code review of the parser",
        "Code reviewed?",
        "quality-review",
        "Review the code",
        "Review the code of login",
        "Review the new login code",
        "Review all changes of Task 2",
        "Review PR 12",
        "Review the pull request of alice",
        "Review the exit code table",
        "Review the PR template",
        "Review the logo",
        "Reviewer assignment by load",
        // Ends of branches.
        "Finish the branch",
        "Finish the login branch",
        "Step 4: finish the feature branch",
        "Finish release 1.2",
        "Merge branch",
        "Merge the new login branch",
        "Merge login into main",
        "Merge the pull request",
        "Merge PR 12",
        "Open a PR",
        "Open the PR for login",
        "Create a pull request",
        "Raise a PR against main",
        "Finish the parser",
        "Finish the login form",
        "Finished",
        "Finished goods inventory report",
        "Finish line animation",
        "Merge sort implementation",
        "Merge both lists",
        "Merge two sorted arrays",
        "merging main",
        "emerge",
        "Fix merge conflict in parser",
        "Fix the merge conflict on the release branch",
        "Resolve merge conflicts in PR 12",
        "Merge branch names into one list",
        "Fix the bug in PR #12 template renderer",
        "Create a pull request template",
        "Finish the release notes",
        "PRs of this week",
        "pr#12",
        "Pull request webhook",
        "Open the door",
        // Nothing of all that.
        "Print the report",
        "Improve approval",
        "Add login endpoint",
        "",
        "Brainstorm, then merge the branch",
        "Merge what the brainstorm gave",
    ];
    assert!(titles.len() >= 60);
    insta::assert_snapshot!(titles.iter().map(decided).collect::<Vec<_>>().join("\n"), @"
    Brainstorm the login flow | brainstorm | brainstorming
    BRAINSTORMING: names | brainstorm | brainstorming
    Set up a worktree | worktree | using-git-worktrees
    Remove stale worktrees | worktree | using-git-worktrees
    Write plan | write … plan | writing-plans
    Write the plan | write … plan | writing-plans
    Writing this plan | write … plan | writing-plans
    write-plan for login | write … plan | writing-plans
    Write an implementation plan for login | write … plan | writing-plans
    Implementation planning | implementation plan | writing-plans
    Write a good plan | write … plan | writing-plans
    Write a migration plan | write … plan | writing-plans
    Draft a rough plan | draft … plan | writing-plans
    Make a plan | make plan | writing-plans
    Plan the login feature | plan the | writing-plans
    Plan a migration to Postgres | plan a | writing-plans
    Planning the release of 2.0 | plan the | writing-plans
    Task 3: Plan the login feature | plan the | writing-plans
    Plan how to split the parser | plan how | writing-plans
    Plan the writing | plan the | writing-plans
    Plan upgrade flow for billing | - | test-driven-development
    Write the test plan | - | test-driven-development
    Write the pricing plan page | - | test-driven-development
    Follow the plan the team wrote | - | test-driven-development
    Change the plan limits | - | test-driven-development
    Task 3: spec review | spec review | subagent-driven-development
    Code review of the parser | code review | subagent-driven-development
    Code reviewed? | code review | subagent-driven-development
    quality-review | quality review | subagent-driven-development
    Review the code | review … code | subagent-driven-development
    Review the code of login | review … code | subagent-driven-development
    Review the new login code | review … code | subagent-driven-development
    Review all changes of Task 2 | review … changes | subagent-driven-development
    Review PR 12 | review … PR | subagent-driven-development
    Review the pull request of alice | review … pull request | subagent-driven-development
    Review the exit code table | - | test-driven-development
    Review the PR template | - | test-driven-development
    Review the logo | - | test-driven-development
    Reviewer assignment by load | - | test-driven-development
    Finish the branch | finish … branch | finishing-a-development-branch
    Finish the login branch | finish … branch | finishing-a-development-branch
    Step 4: finish the feature branch | finish … branch | finishing-a-development-branch
    Finish release 1.2 | finish … release | finishing-a-development-branch
    Merge branch | merge … branch | finishing-a-development-branch
    Merge the new login branch | merge … branch | finishing-a-development-branch
    Merge login into main | merge … into main | finishing-a-development-branch
    Merge the pull request | merge … pull request | finishing-a-development-branch
    Merge PR 12 | merge … PR | finishing-a-development-branch
    Open a PR | open … PR | finishing-a-development-branch
    Open the PR for login | open … PR | finishing-a-development-branch
    Create a pull request | create … pull request | finishing-a-development-branch
    Raise a PR against main | raise … PR | finishing-a-development-branch
    Finish the parser | - | test-driven-development
    Finish the login form | - | test-driven-development
    Finished | - | test-driven-development
    Finished goods inventory report | - | test-driven-development
    Finish line animation | - | test-driven-development
    Merge sort implementation | - | test-driven-development
    Merge both lists | - | test-driven-development
    Merge two sorted arrays | - | test-driven-development
    merging main | - | test-driven-development
    emerge | - | test-driven-development
    Fix merge conflict in parser | - | test-driven-development
    Fix the merge conflict on the release branch | - | test-driven-development
    Resolve merge conflicts in PR 12 | - | test-driven-development
    Merge branch names into one list | - | test-driven-development
    Fix the bug in PR #12 template renderer | - | test-driven-development
    Create a pull request template | - | test-driven-development
    Finish the release notes | - | test-driven-development
    PRs of this week | - | test-driven-development
    pr#12 | - | test-driven-development
    Pull request webhook | - | test-driven-development
    Open the door | - | test-driven-development
    Print the report | - | test-driven-development
    Improve approval | - | test-driven-development
    Add login endpoint | - | test-driven-development
     | - | test-driven-development
    Brainstorm, then merge the branch | brainstorm | brainstorming
    Merge what the brainstorm gave | brainstorm | brainstorming
    ");
}

#[test]
fn a_title_may_clearly_mean_implementation() {
    for (title, expected) in [
        ("Implement the login form", true),
        ("Add login endpoint", true),
        ("Task 2: Add login endpoint", true),
        ("Step 3: Write minimal implementation", true),
        ("Fix the crash on empty input", true),
        ("Merge sort implementation", true),
        ("Refactor the parser", true),
        ("Fix typo in docs", false),
        ("Add a guide for new users", false),
        ("Update README", false),
        ("Research caching options", false),
        ("Deploy to staging", false),
        ("Design the schema", false),
        ("Additional logging", false),
        ("Step 3: Commit", false),
        ("", false),
    ] {
        assert_eq!(is_implementation(title), expected, "{title}");
        assert!(!expected || !is_other_work(title), "{title}");
    }
    for (title, expected) in [
        ("Research caching options", true),
        ("Find out why the importer is slow", true),
        ("Task 4: Compare the two stores", true),
        ("Update README", true),
        ("Deploy to staging", false),
        ("The query parser", false),
        ("", false),
    ] {
        assert_eq!(is_other_work(title), expected, "{title}");
    }
}

#[test]
fn the_first_that_knows_decides() {
    let wish = |raw: &str| Wish::parse(raw).unwrap();
    let (lint, gone, two, none) = (wish("lint"), wish("gone"), wish("gone,lint"), wish("none"));
    let find = installed(&["lint", "writing-plans", "superpowers:brainstorming", "brainstorming"]);
    let rows = ["deploy, ship -> acme:deploy", "login → lint", "spike -> none"];
    let rules = Rules::parse(rows).unwrap();
    let without = rules.clone().with_default(Wish::NoSkill);
    let epic = TaskView { name: "#9", wish: Some(&lint), title: "merge" };
    let bare = TaskView { name: "#8", wish: Some(&none), title: "Write the plan" };
    let story = TaskView { name: "#10", wish: None, title: "Write the plan" };
    let plain = TaskView { name: "#11", wish: None, title: "Add a field" };
    let decided = |task: TaskView<'_>, parents: &[TaskView<'_>]| {
        choose(&task, parents, &&rules, &find).to_string()
    };
    let lines = [
        decided(TaskView { wish: Some(&lint), ..titled("brainstorm") }, &[story]),
        decided(TaskView { wish: Some(&gone), ..titled("brainstorm") }, &[story]),
        decided(TaskView { wish: Some(&two), ..titled("brainstorm") }, &[story]),
        decided(titled("Brainstorm the login"), &[story]),
        decided(titled("Brainstorm"), &[story]),
        decided(titled("Shipping it"), &[]),
        // A name beats a word, however near the word.
        decided(titled("Implementation plan"), &[epic]),
        decided(titled("Merge the branch of both lists"), &[story, epic]),
        decided(plain, &[plain, story, epic]),
        decided(plain, &[plain, story]),
        decided(plain, &[epic, story]),
        decided(plain, &[plain]),
        // No skill for a task and its steps.
        decided(TaskView { wish: Some(&none), ..titled("brainstorm") }, &[epic]),
        decided(titled("Brainstorm"), &[bare, epic]),
        decided(TaskView { wish: Some(&lint), ..titled("Brainstorm") }, &[bare]),
        decided(titled("A spike of the login"), &[]),
        choose(&plain, &[], &&without, &find).to_string(),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    `lint`: the task names it
    `gone`: the task names it; there is no such skill
    `gone`, `lint`: the task names them; there is no skill `gone`
    `lint`: the title has `login` (row 2 of the settings)
    `superpowers:brainstorming`: the title has `brainstorm` (row 1 of the built-in rules)
    `acme:deploy`: the title has `ship` (row 1 of the settings); there is no such skill
    `lint`: the task above, #9, names it
    `lint`: the task above, #9, names it
    `lint`: the task above, #9, names it
    `writing-plans`: the title of the task above, #10, has `write … plan` (row 3 of the built-in rules); it stands in for `superpowers:writing-plans`, which is not installed
    `lint`: the task above, #9, names it
    `superpowers:test-driven-development`: no rule is about this task, so it is the default; there is no such skill
    no skill: the task asks for none
    no skill: the task above, #8, asks for none
    `lint`: the task names it
    `lint`: the title has `login` (row 2 of the settings)
    no skill: no rule is about this task, and there is no default
    ");
}

#[test]
fn a_choice_is_written_as_json() {
    let story = TaskView { name: "#10", wish: None, title: "Write the plan" };
    let choice = choose(&titled("Add a field"), &[story], &&Rules::default(), &own_only);
    insta::assert_snapshot!(serde_json::to_string_pretty(&choice).unwrap(), @r##"
    {
      "skill": "writing-plans",
      "missing": false,
      "stands_in_for": "superpowers:writing-plans",
      "skills": [
        {
          "skill": "writing-plans",
          "missing": false,
          "stands_in_for": "superpowers:writing-plans"
        }
      ],
      "decided_by": "parent",
      "rule": {
        "phrase": "write … plan",
        "origin": "built_in",
        "row": 3
      },
      "parent": "#10",
      "reason": "`writing-plans`: the title of the task above, #10, has `write … plan` (row 3 of the built-in rules); it stands in for `superpowers:writing-plans`, which is not installed"
    }
    "##);
    for raw in ["acme:gone,lint", "none"] {
        let wish = Wish::parse(raw).unwrap();
        let task = TaskView { wish: Some(&wish), ..titled("") };
        let choice = choose(&task, &[], &&Rules::default(), &own_only);
        let json = serde_json::to_string(&choice).unwrap();
        if raw == "none" {
            insta::assert_snapshot!(json, @r#"{"skill":null,"missing":false,"stands_in_for":null,"skills":[],"decided_by":"field","rule":null,"parent":null,"reason":"no skill: the task asks for none"}"#);
        } else {
            insta::assert_snapshot!(json, @r#"{"skill":"acme:gone","missing":true,"stands_in_for":null,"skills":[{"skill":"acme:gone","missing":true,"stands_in_for":null},{"skill":"lint","missing":false,"stands_in_for":null}],"decided_by":"field","rule":null,"parent":null,"reason":"`acme:gone`, `lint`: the task names them; there is no skill `acme:gone`"}"#);
        }
    }
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
    write … plan, draft … plan, make plan, implementation plan, ^plan the, ^plan a, ^plan an, ^plan our, ^plan how -> superpowers:writing-plans
    spec review, code review, quality review, review … code, review … implementation, review … diff, review … changes, review … branch, review … pull request, review … PR -> superpowers:subagent-driven-development
    finish … branch, finish … release, finish … pull request, finish … PR, merge … branch, merge … release, merge … pull request, merge … PR, merge … into main, merge … into master, merge … to main, open … pull request, open … PR, create … pull request, create … PR, raise … pull request, raise … PR -> superpowers:finishing-a-development-branch
    ");
    let (row, matched) = rules.first_match("Merge it").unwrap();
    assert_eq!((row.wish.to_string().as_str(), matched.number), ("acme:merge", 2));
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
        ("merge … branch", "merge the new login branch", true),
        ("merge ... branch", "merge branch", true),
        ("merge … branch", "merge one two three branch", false),
        ("merge … branch", "merge it into the branch", false),
        ("^plan", "plan it", true),
        ("^plan", "Step 2: plan it", true),
        ("^plan", "the plan", false),
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
