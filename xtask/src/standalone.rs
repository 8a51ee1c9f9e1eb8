//! Programs that need no library when they run.
//!
//! Before a program's first line, the system finds its libraries, maps them and writes their
//! addresses into it: a third of the time that a hook takes. A program that holds its libraries and
//! stands at a fixed place skips all of that. It takes a C library made for it, which not every
//! system installs with its compiler; where there is none, an ordinary program is built.

use std::path::Path;

use crate::cargo::cargo;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;
use crate::{disk, say};

/// The smallest program that shows whether one can be linked.
const PROBE: &str = "int main(void) { return 0; }\n";

/// Returns what cargo has to be told to build a standalone program, if that can be done here.
pub(crate) fn flags(environment: &Environment) -> Result<Vec<String>, Failure> {
    let version = cargo(environment, ["-vV"]);
    let told = version.read_output()?;
    let host = host_of(&told).ok_or_else(|| version.unexpected("it does not name its host"))?;
    // Elsewhere the C library is part of the system and only to be had from it.
    if !host.ends_with("-linux-gnu") {
        return Ok(Vec::new());
    }
    let directory = disk::temporary_directory(&environment.temporary, "pacenote-link-")?;
    if links(directory.path())? {
        return Ok(flags_for(host));
    }
    say::note("there is no static C library here, so the program will need those of the system");
    Ok(Vec::new())
}

/// Reads the platform out of what `cargo -vV` prints.
fn host_of(version: &str) -> Option<&str> {
    version.lines().find_map(|line| line.strip_prefix("host: "))
}

/// Tells whether a program can be linked with everything it needs.
fn links(directory: &Path) -> Result<bool, Failure> {
    let source = directory.join("probe.c");
    disk::write(&source, PROBE)?;
    let link = Invocation::new("cc").arguments([Path::new("-static"), Path::new("-o")]);
    Ok(link.arguments([directory.join("probe"), source]).succeeds())
}

fn flags_for(host: &str) -> Vec<String> {
    // A standalone program finds no function of the C library by its name while it runs. Whoever
    // looks for the one that asks the system for random bytes would open files instead.
    let flags = r#"["-Ctarget-feature=+crt-static", "-Crelocation-model=static", '--cfg=getrandom_backend="linux_getrandom"']"#;
    // With a target, cargo leaves build scripts and macros alone, which must stay loadable.
    [
        "--target".to_owned(),
        host.to_owned(),
        "--config".to_owned(),
        format!("target.{host}.rustflags={flags}"),
    ]
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_the_one_of_the_toolchain() {
        let told =
            "cargo 1.95.0 (abc 2026-04-14)\nrelease: 1.95.0\nhost: aarch64-unknown-linux-gnu\n";
        assert_eq!(host_of(told), Some("aarch64-unknown-linux-gnu"));
        assert_eq!(host_of("cargo 1.95.0"), None);
    }

    #[test]
    fn cargo_is_told_for_one_target_only() {
        let [target, host, config, setting] = flags_for("x-linux-gnu").try_into().unwrap();
        assert_eq!([target.as_str(), &host, &config], ["--target", "x-linux-gnu", "--config"]);
        assert!(setting.starts_with("target.x-linux-gnu.rustflags=["), "{setting}");
    }
}
