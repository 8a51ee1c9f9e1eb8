//! What this room promises across threads, processes, a full disk and the real git.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests make, replace and remove files by path")
)]

#[cfg(test)]
mod child;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod hostile_files;
#[cfg(test)]
mod log_law;
#[cfg(test)]
mod many_processes;
#[cfg(test)]
mod real_git;
#[cfg(test)]
mod swapped_links;
