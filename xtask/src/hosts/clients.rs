//! What a pinned client is, and how one is fetched.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::Known;
use crate::disk;
use crate::failure::Failure;
use crate::process::Invocation;

/// A real client, pinned.
#[derive(Debug)]
pub(super) struct Client {
    /// What we call it.
    pub(super) name: &'static str,
    /// The one version the tests are written for.
    pub(super) version: &'static str,
    /// The environment variable by which tests find its program.
    pub(super) variable: &'static str,
    /// Whether every run of the tests has the time for it.
    pub(super) pace: Pace,
    /// One build for each platform it is made for; on others it is not available.
    pub(super) builds: &'static [Build],
}

/// How long its tests take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// Every run drives it.
    Quick,
    /// A run that has to be quick leaves it out.
    Slow,
}

/// A client's package for one platform.
#[derive(Debug)]
pub(super) struct Build {
    /// What it runs on.
    pub(super) platform: Platform,
    /// The package's name.
    pub(super) package: &'static str,
    /// What follows the version, where the builds are versions of one package.
    pub(super) edition: &'static str,
    /// The digest npm checks before it unpacks: a version that was published again is refused.
    pub(super) integrity: &'static str,
    /// The program, inside the package.
    pub(super) program: &'static str,
}

/// What a build runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Platform {
    /// One operating system and architecture, in Rust's words.
    Only(&'static str, &'static str),
    /// Wherever Node runs.
    Any,
}

impl Platform {
    fn includes(self, (system, architecture): (&str, &str)) -> bool {
        match self {
            Self::Only(its_system, its_architecture) => {
                (its_system, its_architecture) == (system, architecture)
            }
            Self::Any => true,
        }
    }
}

impl Client {
    /// Returns how the tests know it.
    pub(super) const fn known(&self) -> Known {
        Known { name: self.name, version: self.version, variable: self.variable }
    }

    /// Returns the package to install on the machine we run on.
    pub(super) fn package_for_this_platform(&self) -> Result<Package, Failure> {
        self.package_for((std::env::consts::OS, std::env::consts::ARCH))
    }

    /// Returns the package for a platform: operating system and architecture, in Rust's words.
    pub(super) fn package_for(&self, platform: (&str, &str)) -> Result<Package, Failure> {
        let (system, architecture) = platform;
        let build = self.builds.iter().find(|build| build.platform.includes(platform)).ok_or_else(
            || {
                let platform = format!("{system}-{architecture}");
                Failure::NotAvailable { client: self.name, platform }
            },
        )?;
        Ok(Package {
            directory: format!("{}-{}-{system}-{architecture}", self.name, self.version),
            name: build.package,
            version: format!("{}{}", self.version, build.edition),
            integrity: build.integrity,
            program: build.program,
        })
    }
}

/// An npm package, pinned to its bytes, that holds a program.
#[derive(Clone, Debug)]
pub(super) struct Package {
    /// The name of its directory in the cache.
    pub(super) directory: String,
    /// The digest of its bytes.
    pub(super) integrity: &'static str,
    name: &'static str,
    version: String,
    program: &'static str,
}

impl Package {
    /// Returns where the program is, inside the directory the package was downloaded to.
    pub(super) fn program(&self) -> PathBuf {
        ["node_modules", self.name, self.program].iter().collect()
    }

    /// Has npm install exactly this package into an empty directory, running none of its scripts.
    pub(super) fn download(&self, directory: &Path) -> Result<(), Failure> {
        let manifest =
            json!({ "private": true, "dependencies": { self.name: self.version.as_str() } });
        // A lock file is how npm is told the digest; it names no registry, so the configured one
        // is asked.
        let lock = json!({
            "lockfileVersion": 3,
            "packages": {
                "": { "dependencies": { self.name: self.version } },
                format!("node_modules/{}", self.name): {
                    "version": self.version,
                    "integrity": self.integrity,
                },
            },
        });
        disk::write(&directory.join("package.json"), &manifest.to_string())?;
        disk::write(&directory.join("package-lock.json"), &lock.to_string())?;
        Invocation::new("npm")
            .arguments(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .directory(directory)
            .run_aside()
    }
}

#[cfg(test)]
mod tests {
    use super::super::pins::CLIENTS;
    use super::{Client, Platform};

    fn client(name: &str) -> &'static Client {
        CLIENTS.iter().find(|client| client.name == name).unwrap()
    }

    #[test]
    fn a_platform_has_its_package() {
        let table = [
            (
                "claude",
                ("linux", "x86_64"),
                ("@anthropic-ai/claude-code-linux-x64", "2.1.325"),
                "node_modules/@anthropic-ai/claude-code-linux-x64/claude",
            ),
            (
                "codex",
                ("macos", "aarch64"),
                ("@openai/codex", "0.166.0-darwin-arm64"),
                "node_modules/@openai/codex/vendor/aarch64-apple-darwin/bin/codex",
            ),
            (
                "gemini",
                ("plan9", "mips"),
                ("@google/gemini-cli", "0.61.0"),
                "node_modules/@google/gemini-cli/bundle/gemini.js",
            ),
        ];
        for (name, platform, pinned, program) in table {
            let package = client(name).package_for(platform).unwrap();
            assert_eq!((package.name, package.version.as_str()), pinned);
            assert_eq!(package.program().to_str(), Some(program));
        }
    }

    #[test]
    fn a_platform_without_a_package_is_named() {
        let failure = client("claude").package_for(("plan9", "mips")).unwrap_err();
        assert_eq!(failure.to_string(), "client `claude` is not available for `plan9-mips`");
        assert!(failure.hint().unwrap().contains("--without-clients"));
    }

    #[test]
    fn every_build_is_pinned_to_its_own_bytes() {
        let builds: Vec<_> = CLIENTS.iter().flat_map(|client| client.builds).collect();
        for (position, build) in builds.iter().enumerate() {
            let digest = build.integrity.strip_prefix("sha512-").unwrap();
            assert!(digest.len() == 88 && digest.ends_with("=="), "{build:?}");
            let twin = builds.iter().skip(position + 1).find(|it| it.integrity == build.integrity);
            assert!(twin.is_none(), "{build:?} and {twin:?}");
        }
    }

    #[test]
    fn a_client_for_any_platform_has_one_build() {
        for client in CLIENTS {
            let any = client.builds.iter().any(|build| build.platform == Platform::Any);
            assert!(!any || client.builds.len() == 1, "{client:?}");
        }
    }
}
