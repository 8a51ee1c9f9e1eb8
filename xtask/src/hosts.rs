//! `hosts`: installs the pinned real clients that end-to-end tests drive, and the reference
//! validator that judges our own.
//!
//! They go to a cache outside the repository and never touch what the developer has installed.

mod cache;
mod clients;
mod oracle;
mod pins;

use std::iter;
use std::path::PathBuf;

use clap::Args;

use self::cache::Cache;
use self::clients::{Client, Pace};
use self::pins::CLIENTS;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::say;

/// What to show.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Print the name and the path of each client, separated by a tab
    #[arg(long)]
    print: bool,
}

/// A client that is ready to be driven.
#[derive(Debug)]
pub(crate) struct Installed {
    /// The client's name.
    pub(crate) name: &'static str,
    /// The environment variable by which tests find it.
    pub(crate) variable: &'static str,
    /// Where its program is, absolute.
    pub(crate) binary: PathBuf,
}

/// Which clients a run drives; the validator is always among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// Every client.
    All,
    /// Those whose tests do not take long.
    Quick,
}

impl Selection {
    fn includes(self, client: &Client) -> bool {
        match self {
            Self::All => true,
            Self::Quick => client.pace == Pace::Quick,
        }
    }
}

/// A program of another's, as the tests know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// The version it is pinned to.
    pub(crate) version: &'static str,
    /// The environment variable by which tests find it.
    pub(crate) variable: &'static str,
}

/// Installs what is missing and, when asked, prints where everything is.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    for client in install_selected(environment, Selection::All)? {
        if options.print {
            say::result(format_args!("{}\t{}", client.name, client.binary.display()))?;
        }
    }
    Ok(())
}

/// Installs what is missing and returns the selected clients, the validator among them.
pub(crate) fn install_selected(
    environment: &Environment,
    selection: Selection,
) -> Result<Vec<Installed>, Failure> {
    let cache = Cache::locate(environment)?;
    let selected = CLIENTS.iter().filter(|client| selection.includes(client));
    let clients = selected.map(|client| install(client, &cache));
    clients.chain(iter::once_with(|| oracle::install(&cache))).collect()
}

/// The clients and the validator.
pub(crate) fn known() -> impl Iterator<Item = Known> {
    CLIENTS.iter().map(Client::known).chain([oracle::KNOWN])
}

/// The clients that a selection leaves out.
pub(crate) fn left_out(selection: Selection) -> impl Iterator<Item = Known> {
    CLIENTS.iter().filter(move |client| !selection.includes(client)).map(Client::known)
}

fn install(client: &Client, cache: &Cache) -> Result<Installed, Failure> {
    let package = client.package_for_this_platform()?;
    let binary = cache
        .provide(&package, |directory| {
            say::note(format_args!("installing {} {}", client.name, client.version));
            package.download(directory)
        })
        .map_err(|source| Failure::Install { client: client.name, source: Box::new(source) })?;
    Ok(Installed { name: client.name, variable: client.variable, binary })
}
