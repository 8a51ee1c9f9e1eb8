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
use crate::{disk, order, say};

/// The smallest package that shows whether a program can be linked; a workspace of its own, wherever
/// it lies.
const PROBE: &str = "[package]\nname = \"probe\"\nedition = \"2024\"\n\n[workspace]\n";

/// Returns what cargo has to be told to build a standalone program, as far as that can be done here.
pub(crate) fn flags(environment: &Environment) -> Result<Vec<String>, Failure> {
    let Some(host) = host_with_static_library(environment)? else { return Ok(Vec::new()) };
    let ordered = flags_for(&host, link_argument("-T", &order::list(&environment.root)));
    if links(environment, &ordered)? {
        return Ok(ordered);
    }
    say::note("the linker here puts functions in no order, so hooks will take a little longer");
    Ok(flags_for(&host, None))
}

/// Returns what cargo has to be told to build the same program with the names of its functions, and
/// without their order, and to write into `map` where each of them lies.
///
/// A profile that keeps names would be another one, and names hold a hash of it.
pub(crate) fn flags_with_map(
    environment: &Environment,
    map: &Path,
) -> Result<Vec<String>, Failure> {
    let host = host_with_static_library(environment)?.ok_or(Failure::NotStandalone)?;
    let mapped = link_argument("-Wl,-Map=", map);
    Ok(flags_for(&host, ["-Cstrip=none".to_owned()].into_iter().chain(mapped)))
}

/// Returns the platform of the toolchain, if standalone programs can be linked for it here.
fn host_with_static_library(environment: &Environment) -> Result<Option<String>, Failure> {
    let version = cargo(environment, ["-vV"]);
    let told = version.read_output()?;
    let host = host_of(&told).ok_or_else(|| version.unexpected("it does not name its host"))?;
    // Elsewhere the C library is part of the system and only to be had from it.
    if !host.ends_with("-linux-gnu") {
        return Ok(None);
    }
    if links(environment, &flags_for(host, None))? {
        return Ok(Some(host.to_owned()));
    }
    say::note("there is no static C library here, so the program will need those of the system");
    Ok(None)
}

/// Tells whether a program can be linked with such flags of cargo and whatever else the developer has
/// told cargo for this directory, such as another linker.
fn links(environment: &Environment, flags: &[String]) -> Result<bool, Failure> {
    let target = environment.root.join("target");
    disk::create_directory(&target)?;
    let directory = disk::temporary_directory(&target, "pacenote-link-")?;
    let source = directory.path().join("src");
    disk::create_directory(&source)?;
    disk::write(&directory.path().join("Cargo.toml"), PROBE)?;
    disk::write(&source.join("main.rs"), "fn main() {}\n")?;
    let build = cargo(environment, ["build", "--quiet", "--offline", "--target-dir", "target"])
        .arguments(flags)
        .directory(directory.path());
    Ok(build.succeeds())
}

/// Reads the platform out of what `cargo -vV` prints.
fn host_of(version: &str) -> Option<&str> {
    version.lines().find_map(|line| line.strip_prefix("host: "))
}

/// Returns the flag that hands a linker an option with a path; none for a path that is no text, for
/// what it would say is not worth a failure.
fn link_argument(option: &str, path: &Path) -> Option<String> {
    path.to_str().map(|path| format!("-Clink-arg={option}{path}"))
}

fn flags_for(host: &str, further: impl IntoIterator<Item = String>) -> Vec<String> {
    // A standalone program finds no function of the C library by its name while it runs. Whoever
    // looks for the one that asks the system for random bytes would open files instead.
    let always = [
        "-Ctarget-feature=+crt-static",
        "-Crelocation-model=static",
        r#"--cfg=getrandom_backend="linux_getrandom""#,
    ];
    let flags: Vec<String> = always.map(str::to_owned).into_iter().chain(further).collect();
    // With a target, cargo leaves build scripts and macros alone, which must stay loadable. A list of
    // texts is written in JSON as it is in TOML.
    [
        "--target".to_owned(),
        host.to_owned(),
        "--config".to_owned(),
        format!("target.{host}.rustflags={}", serde_json::Value::from(flags)),
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
        let further = link_argument("-T", Path::new("/a \"b\"/hook.ld"));
        let [target, host, config, setting] = flags_for("x-linux-gnu", further).try_into().unwrap();
        assert_eq!([target.as_str(), &host, &config], ["--target", "x-linux-gnu", "--config"]);
        assert!(setting.starts_with("target.x-linux-gnu.rustflags=[\"-C"), "{setting}");
        assert!(setting.ends_with(r#""-Clink-arg=-T/a \"b\"/hook.ld"]"#), "{setting}");
    }
}
