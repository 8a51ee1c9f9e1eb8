use super::*;

const TITLE: &str = "Task 2: The inverted index";

#[test]
fn a_type_for_everything_is_what_its_prompt_says() {
    use Role::{Explorer, Implementer, Other, Planner, Reviewer, Writer};
    for (prompt, role) in [
        // Somebody looks.
        ("Find all usages of Posting and report file and line.", Explorer),
        ("Look for usages and report", Explorer),
        ("Look for add and remove calls in the store.", Explorer),
        ("Find the code that writes the index, and the tests that change it.", Explorer),
        ("Where is the token checked?", Explorer),
        ("Is there a test for the parser?", Explorer),
        ("Which functions create a Posting, fix them up or delete them", Explorer),
        ("Write a summary of docs/x.md", Explorer),
        ("Please search the repository for TODO comments. Return a list.", Explorer),
        ("I want you to investigate why the build is slow.", Explorer),
        ("Explain how the delivery works. Do not change any code.", Explorer),
        ("Research only: compare three libraries for BM25. Add a table of the results.", Explorer),
        ("Run the tests and report what fails.", Explorer),
        ("Read docs/a.md and tell me what it says about retries.", Explorer),
        ("Make a list of all public functions.", Explorer),
        ("Fix nothing. Find out where the panic comes from and change nothing.", Explorer),
        ("Analyze the logs, then write your findings to notes.md.", Explorer),
        ("# Context\n\nWe add rows.\n\n# Task\n\nFind where rows are added.", Explorer),
        ("You are an expert developer. Find every caller of `open`.", Explorer),
        // Somebody changes something.
        ("Find the bug in the parser and fix it", Implementer),
        ("What tests exist for y? Add the missing one", Implementer),
        ("Implement the login form.", Implementer),
        ("You are implementing Task 9: Export", Implementer),
        ("Please refactor the store so that it has one door.", Implementer),
        ("Add a test for docs parsing.", Implementer),
        ("Read the brief in .briefs/2.md. Then implement it.", Implementer),
        ("1. Read src/a.rs.\n2. Rename `open` to `unlock`.\n3. Run the tests.", Implementer),
        ("Implement the index. Do not change the public API.", Implementer),
        ("Fix the failing test. Don't touch any other files.", Implementer),
        ("Create a migration that adds the column.", Implementer),
        ("Your job is to write the failing test first and then make it pass.", Implementer),
        ("Plan the change briefly, then implement it.", Implementer),
        ("Review the findings and fix them.", Implementer),
        (
            "Follow `subagent-driven-development/implementer`; the brief is .briefs/2.md.",
            Implementer,
        ),
        // Somebody judges.
        ("Review the search code, do not change anything", Reviewer),
        ("Review Task 2.\n\n## The task\n\nWrite the index. Fix the store. Commit.", Reviewer),
        ("You are reviewing whether an implementation matches its specification.", Reviewer),
        ("You are a code reviewer. Look at the diff of the last commit.", Reviewer),
        ("Do a security review of the upload handler.", Reviewer),
        ("Spec review of the index", Reviewer),
        ("Code quality review", Reviewer),
        ("Check the implementation against the spec and list what is missing.", Reviewer),
        ("Audit src/auth for injection. Add the severity to each finding.", Reviewer),
        // Somebody plans, somebody writes.
        ("Plan the migration to PostgreSQL.", Planner),
        ("Write an implementation plan for the export.", Planner),
        ("Design the schema of the index. Do not write code.", Planner),
        ("Look at the store and propose how to split it.", Planner),
        ("Update the README with the new flag.", Writer),
        ("Write the documentation of the query language.", Writer),
        ("Fix the dead link in docs/hosts.md.", Writer),
        // Nobody can say.
        ("", Other),
        ("Hello", Other),
        ("gAAAAABn8sX1cQ9wZ0aVb3J", Other),
        ("Do it.", Other),
    ] {
        for agent_type in ["general-purpose", "default", "general", "claude", "other", ""] {
            assert_eq!(role_for(agent_type, prompt, None), role, "{agent_type}: {prompt}");
        }
    }
}

#[test]
fn an_errand_for_an_open_task_carries_it_out_unless_it_only_looks() {
    for (prompt, title, role) in [
        ("Please do #2.", TITLE, Role::Implementer),
        ("SEWING-KIT: do #2 and report", TITLE, Role::Implementer),
        ("It is about #2.", TITLE, Role::Implementer),
        ("#2", TITLE, Role::Implementer),
        ("Do #5: count failures", "Count failures", Role::Implementer),
        ("Review Task 2: Fix the parser", "Task 2: Fix the parser", Role::Reviewer),
        ("Read the plan, then carry out Task 2: The inverted index", TITLE, Role::Implementer),
        ("Read #2 and tell me what it needs.", TITLE, Role::Explorer),
        ("Find where #2 would have to change the store.", TITLE, Role::Explorer),
        ("Review #2.", TITLE, Role::Reviewer),
        ("Plan #2 in more detail.", TITLE, Role::Planner),
        ("Do #7.", "Spec review", Role::Reviewer),
        ("Do #7.", "Task 7: Code quality review", Role::Reviewer),
        ("Do #7.", "Plan the login", Role::Planner),
        ("Do #7.", "Update the README", Role::Writer),
        ("Do #7.", "Research caching options", Role::Other),
    ] {
        assert_eq!(role_for("general-purpose", prompt, Some(title)), role, "{prompt}: {title}");
    }
}

#[test]
fn a_type_that_says_what_it_is_for_decides() {
    for (agent_type, prompt, role) in [
        ("Explore", "Implement #2.", Role::Explorer),
        ("code-reviewer", "Find the callers of `open`.", Role::Reviewer),
        ("Plan", "Fix the parser.", Role::Planner),
        ("implementer", "", Role::Implementer),
        ("implementer", "Review your own diff.", Role::Implementer),
        ("implementer", "Count failures", Role::Explorer),
        ("worker", "Find all usages of foo and report.", Role::Explorer),
        ("statusline-setup", "Show the branch.", Role::Explorer),
        ("rust-expert", "Implement #2.", Role::Implementer),
    ] {
        assert_eq!(role_for(agent_type, prompt, None), role, "{agent_type}: {prompt}");
    }
}

#[test]
fn a_client_may_name_the_type_that_nobody_asked_for() {
    for (asked, begun, same) in [
        ("", "general-purpose", true),
        ("", "default", true),
        ("", "claude", true),
        ("general-purpose", "other", true),
        ("Explore", "Explore", true),
        ("", "Explore", false),
        ("Explore", "general-purpose", false),
    ] {
        assert_eq!(is_same_type(asked, begun), same, "{asked}, {begun}");
    }
}

#[test]
fn titles_of_reviews() {
    for title in ["Spec review", "Code quality review", "Review the code of the parser"] {
        assert!(is_review(title), "{title}");
    }
    for title in ["Add a review page", "Implementation", "Task 2: The reviewer's view", ""] {
        assert!(!is_review(title), "{title}");
    }
}
