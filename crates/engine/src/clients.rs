//! Which agent clients there are on this machine and in this repository.
//!
//! A client is known by its program on the `PATH`, by its directory in the home, and by its directory
//! in the project. Its version is asked of the program itself, with a short patience.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use pacenote_files::{exists, is_executable};
use pacenote_fleet::{Ending, Launch, start};
use pacenote_hosts::clients::{CLIENTS, Client};
use semver::Version;

/// How long a client may take to say its version: the slowest known takes half a second, and several
/// on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where clients are looked for.
pub struct Places<'a> {
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The root of the project at hand.
    pub project: &'a Path,
    /// Looks up a variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

/// A client, and what was found of it.
#[derive(Debug)]
pub struct Found {
    pub client: &'static Client,
    pub program: Option<PathBuf>,
    /// Its directory in the user's home, whether it exists or not.
    pub home: Option<PathBuf>,
    /// Whether that directory exists.
    pub has_home: bool,
    /// Whether the project has a directory for it.
    pub is_in_project: bool,
}

impl Found {
    /// Tells whether there is any sign of it.
    pub const fn is_there(&self) -> bool {
        self.program.is_some() || self.has_home || self.is_in_project
    }

    /// Asks the program for its version.
    pub fn version(
        &self,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Option<Version> {
        let program = self.program.as_ref()?;
        let launch = Launch::new(program, std::env::temp_dir())
            .arguments(["--version"])
            .variables(variables);
        let finished = start(&launch, PATIENCE).ok()?;
        if finished.ending != Ending::Exited(0) {
            return None;
        }
        let said = finished.output.text();
        said.split_whitespace()
            .find_map(|word| Version::parse(word.trim_matches(['v', '.', ','])).ok())
    }
}

/// Looks for every client that can be set up.
pub fn find(places: &Places<'_>) -> Vec<Found> {
    CLIENTS.iter().map(|client| look_for(client, places)).collect()
}

fn look_for(client: &'static Client, places: &Places<'_>) -> Found {
    let variable = |name: &str| (places.variable)(name).filter(|value| !value.is_empty());
    let elsewhere = client.home_variable.and_then(variable);
    // What is registered there is remembered, and taken back from some other directory.
    let elsewhere = elsewhere.and_then(|path| std::path::absolute(path).ok());
    let home = elsewhere.or_else(|| places.home.as_ref().map(|home| home.join(client.home)));
    let path = variable("PATH").unwrap_or_default();
    let program = std::env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(client.program))
        .find(|program| is_executable(program));
    Found {
        client,
        program,
        has_home: home.as_deref().is_some_and(exists),
        home,
        is_in_project: exists(&places.project.join(client.project)),
    }
}
