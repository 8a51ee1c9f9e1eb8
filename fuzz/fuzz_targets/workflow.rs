//! Whatever stands in a workflow's file, it is one that can be followed, or it is told what is
//! wrong, in order and in single lines.

#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use pacenote_flow::workflow::{Library, Shelf, Target, Workflow, read};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let texts = |name: &str| [(name.to_owned(), "A text.".to_owned())].into();
    let library = Library { conventions: texts("style"), resources: texts("form") };
    let workflows = BTreeSet::from(["documentation".to_owned()]);
    match read(text, "made-up.yaml", &Shelf { library: &library, workflows: &workflows }) {
        Ok(workflow) => {
            assert!(workflow.step(&workflow.entry).is_some(), "{workflow:?}");
            for target in workflow.steps.iter().flat_map(|step| step.targets()) {
                assert!(exists(&workflow, target), "{target} of {workflow:?}");
            }
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            assert!(problems.is_sorted_by_key(|problem| problem.line), "{problems:?}");
            for problem in &problems {
                let hint = problem.hint.as_deref().unwrap_or_default();
                assert!(!problem.to_string().contains(char::is_control), "{problem:?}");
                assert!(!hint.contains(char::is_control), "{problem:?}");
            }
        }
    }
});

fn exists(workflow: &Workflow, target: &Target) -> bool {
    match target {
        Target::Step(id) => workflow.step(id).is_some(),
        Target::End => true,
    }
}
