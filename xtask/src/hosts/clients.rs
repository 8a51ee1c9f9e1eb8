//! Which clients are driven, in which version, and how one is fetched.

use std::path::{Path, PathBuf};

use serde_json::json;

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
    /// One build for each platform it is made for; on others it is not available.
    builds: &'static [Build],
}

/// A client's package for one platform.
#[derive(Debug)]
struct Build {
    /// Operating system and architecture, in Rust's words.
    platform: (&'static str, &'static str),
    package: &'static str,
    /// The digest npm checks before it unpacks: a version that was published again is refused.
    integrity: &'static str,
    /// The program, inside the package.
    program: &'static str,
}

/// The clients that `cargo xtask test` drives.
pub(super) const CLIENTS: &[Client] = &[Client {
    name: "claude",
    version: "2.1.325",
    variable: "PACENOTE_CLIENT_CLAUDE",
    builds: &[
        Build {
            platform: ("linux", "x86_64"),
            package: "@anthropic-ai/claude-code-linux-x64",
            integrity: "sha512-BqZzMvP/zgLLL34S+7OzbG+cyoFp7gwWHU5koVwsyMlT\
                        Az+0zZAmbY+UkzvtN2RXxp6AcMenbYIjQJxoXfUY3w==",
            program: "claude",
        },
        Build {
            platform: ("linux", "aarch64"),
            package: "@anthropic-ai/claude-code-linux-arm64",
            integrity: "sha512-NCvQcOxr685Y4mkYUjQT8l/Ouzw0k2xWloWeyzfsUtWi\
                        OedHosPkaW6XCSpzAl1dMuvDNBF97qpWgVDrSdK2Vw==",
            program: "claude",
        },
        Build {
            platform: ("macos", "aarch64"),
            package: "@anthropic-ai/claude-code-darwin-arm64",
            integrity: "sha512-Ds1f1B+qy2BWDI+VnmDHwkNyTbXCwFrBtrinPD95RBmU\
                        ubFJu9nCzMgn+wrg5VwwF6vtkkzGexogneZIYZKb6A==",
            program: "claude",
        },
        Build {
            platform: ("macos", "x86_64"),
            package: "@anthropic-ai/claude-code-darwin-x64",
            integrity: "sha512-+wTK42IT/b5GZHxAVVMLNnCHG/CtngztTE6fNn5s4h47\
                        LNXrDQz2RpPLsY5XHr8astNzk7GWPU8GecCG+5EEIQ==",
            program: "claude",
        },
    ],
}];

impl Client {
    /// Returns the package to install on the machine we run on.
    pub(super) fn package_for_this_platform(&self) -> Result<Package, Failure> {
        self.package_for((std::env::consts::OS, std::env::consts::ARCH))
    }

    /// Returns the package for a platform: operating system and architecture, in Rust's words.
    pub(super) fn package_for(&self, platform: (&str, &str)) -> Result<Package, Failure> {
        let (system, architecture) = platform;
        let build =
            self.builds.iter().find(|build| build.platform == platform).ok_or_else(|| {
                let platform = format!("{system}-{architecture}");
                Failure::NotAvailable { client: self.name, platform }
            })?;
        Ok(Package {
            directory: format!("{}-{}-{system}-{architecture}", self.name, self.version),
            name: build.package,
            version: self.version,
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
    version: &'static str,
    program: &'static str,
}

impl Package {
    /// Returns where the program is, inside the directory the package was downloaded to.
    pub(super) fn program(&self) -> PathBuf {
        ["node_modules", self.name, self.program].iter().collect()
    }

    /// Has npm install exactly this package into an empty directory, running none of its scripts.
    pub(super) fn download(&self, directory: &Path) -> Result<(), Failure> {
        let manifest = json!({ "private": true, "dependencies": { self.name: self.version } });
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
    use super::{CLIENTS, Client};

    fn claude() -> &'static Client {
        CLIENTS.iter().find(|client| client.name == "claude").unwrap()
    }

    #[test]
    fn a_platform_has_its_package() {
        let package = claude().package_for(("linux", "x86_64")).unwrap();
        assert_eq!(package.name, "@anthropic-ai/claude-code-linux-x64");
        assert_eq!(
            package.program().to_str(),
            Some("node_modules/@anthropic-ai/claude-code-linux-x64/claude")
        );
    }

    #[test]
    fn a_platform_without_a_package_is_named() {
        let failure = claude().package_for(("plan9", "mips")).unwrap_err();
        assert_eq!(failure.to_string(), "client `claude` is not available for `plan9-mips`");
        assert!(failure.hint().unwrap().contains("--without-clients"));
    }
}
