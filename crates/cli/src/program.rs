//! Where this program is installed, as clients shall know it.
//!
//! What is registered must be there tomorrow, under the same path in the next version. So it is the
//! path by which the person called it, links and all, and never one in a build directory.

use std::path::{Component, Path, PathBuf};

use pacenote_files::{canonical, exists, is_executable};

use crate::{
    environment::Environment,
    failure::{Failure, Kind},
};

/// What it is called; clients' settings are searched for this name.
const NAME: &str = "pacenote";

/// Files that cargo leaves in a build directory.
const SIGNS_OF_CARGO: [&str; 2] = [".cargo-lock", "CACHEDIR.TAG"];

/// Returns the path to register.
pub(crate) fn installed(environment: &Environment) -> Result<String, Failure> {
    let path = called(environment)?;
    let real = canonical(&path).unwrap_or_else(|_| path.clone());
    if let Some(directory) = build_directory(&real) {
        let said = format!(
            "`{}` lies in the build directory `{}`, and would be gone or changed \
                            with the next build",
            path.display(),
            directory.display()
        );
        return Err(Failure::new(Kind::User, said).hint(
            "install it first: `cargo xtask install`, or `cargo install --path crates/cli`",
        ));
    }
    if path.file_name().is_none_or(|name| name != NAME) {
        let said = format!("`{}` is not called `{NAME}`", path.display());
        let hint = format!("call it `{NAME}`: by that name its hooks are found again");
        return Err(Failure::new(Kind::User, said).hint(hint));
    }
    let Some(text) = path.to_str().filter(|text| !text.contains(char::is_control)) else {
        let said = format!("`{}` cannot be written into settings", path.display());
        return Err(Failure::new(Kind::User, said).hint("install it under a path that is text"));
    };
    Ok(text.to_owned())
}

/// Returns the path by which this process was called, made absolute, its links kept.
fn called(environment: &Environment) -> Result<PathBuf, Failure> {
    let itself = std::env::current_exe().map_err(|source| {
        Failure::new(Kind::Environment, format!("this program cannot be found: {source}"))
    })?;
    let real = canonical(&itself).ok();
    let is_itself = |path: &PathBuf| canonical(path).ok() == real && is_executable(path);
    let first = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let named = if first.components().count() > 1 {
        std::path::absolute(&first).ok().map(without_detour)
    } else {
        let search = environment.variable("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&search)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join(&first));
        places.find(|path| is_itself(path))
    };
    Ok(named.filter(is_itself).unwrap_or(itself))
}

/// Resolves a path that goes back on itself: it would end with the directory that it leads through.
fn without_detour(path: PathBuf) -> PathBuf {
    let goes_back = path.components().any(|part| part == Component::ParentDir);
    let (true, Some(directory), Some(name)) = (goes_back, path.parent(), path.file_name()) else {
        return path;
    };
    canonical(directory).map(|directory| directory.join(name)).unwrap_or(path)
}

fn build_directory(path: &Path) -> Option<&Path> {
    path.ancestors()
        .skip(1)
        .find(|directory| SIGNS_OF_CARGO.iter().any(|sign| exists(&directory.join(sign))))
}
