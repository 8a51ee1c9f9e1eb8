//! `hosts`: installs the pinned real clients that end-to-end tests drive, and the reference
//! validator that judges our own.
//!
//! They go to a cache outside the repository and never touch what the developer has installed.

mod cache;
mod clients;
mod oracle;

use std::iter;
use std::path::PathBuf;

use clap::Args;

use self::cache::Cache;
use self::clients::{CLIENTS, Client};
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

/// Installs what is missing and, when asked, prints where everything is.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    for client in install_all(environment)? {
        if options.print {
            say::result(format_args!("{}\t{}", client.name, client.binary.display()))?;
        }
    }
    Ok(())
}

/// Installs what is missing and returns all clients, the validator among them.
pub(crate) fn install_all(environment: &Environment) -> Result<Vec<Installed>, Failure> {
    let cache = Cache::locate(environment)?;
    let clients = CLIENTS.iter().map(|client| install(client, &cache));
    clients.chain(iter::once_with(|| oracle::install(&cache))).collect()
}

/// The names of the clients and the validator, with their versions.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let clients = CLIENTS.iter().map(|client| (client.name, client.version));
    clients
        .chain([(oracle::NAME, oracle::VERSION)])
        .map(|(name, version)| format!("{name} {version}"))
}

/// The environment variables by which tests find the clients and the validator.
pub(crate) fn variables() -> impl Iterator<Item = &'static str> {
    CLIENTS.iter().map(|client| client.variable).chain([oracle::VARIABLE])
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
