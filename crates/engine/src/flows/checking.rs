//! Looks at what a check asks for.

use std::{collections::BTreeMap, path::Path, time::Duration};

use pacenote_files::{Bytes, Links, read_capped};
use pacenote_fleet::{Ending, Launch, start};
use pacenote_flow::workflow::Check;

use crate::globs::matching;

/// The longest a program of a check may take: a whole test suite.
const PROGRAM: Duration = Duration::from_mins(15);

/// Largest file that is looked through for a word.
const FILE: Bytes = Bytes::mib(16);

/// Looks, and returns whether it is as it should be, or why that cannot be told.
pub(super) fn look(
    check: &Check,
    root: &Path,
    tests: Option<&[String]>,
    variables: &BTreeMap<String, String>,
) -> Result<bool, String> {
    match check {
        Check::Artifact { glob } => Ok(!matching(root, glob).is_empty()),
        Check::Keyword { glob, keyword } => {
            let has_it = |path: &String| {
                let bytes = read_capped(&root.join(path), FILE, Links::Refuse).unwrap_or_default();
                String::from_utf8_lossy(&bytes).contains(keyword.as_str())
            };
            Ok(matching(root, glob).iter().any(has_it))
        }
        Check::Command { argv } => run(argv, root, variables),
        Check::Tests => match tests {
            Some(argv) => run(argv, root, variables),
            None => Err("nobody said how the tests are run".to_owned()),
        },
    }
}

fn run(argv: &[String], root: &Path, variables: &BTreeMap<String, String>) -> Result<bool, String> {
    let Some((program, arguments)) = argv.split_first() else {
        return Err("no program is named".to_owned());
    };
    let launch = Launch::new(program, root).arguments(arguments).variables(variables);
    let finished = start(&launch, PROGRAM).map_err(|error| error.to_string())?;
    match finished.ending {
        Ending::Exited(code) => Ok(code == 0),
        Ending::Signalled(signal) => Err(format!("`{program}` was ended by signal {signal}")),
        Ending::TimedOut => {
            Err(format!("`{program}` did not end within {} minutes", PROGRAM.as_secs() / 60))
        }
        Ending::Lost => Err(format!("nobody knows how `{program}` ended")),
    }
}
