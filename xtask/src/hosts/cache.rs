//! Where clients are kept between runs.
//!
//! A client is there whole or not at all: it is made ready under another name, marked last and
//! renamed, all under a lock, so neither an interrupted nor a second run can leave half of one.
//! What cannot be renamed is filled in place, and counts only once it is marked.

use std::path::{self, Path, PathBuf};

use super::clients::Package;
use crate::disk;
use crate::environment::Environment;
use crate::failure::Failure;

/// The file that says which bytes were installed; it is written when all else is in place.
const MARKER: &str = "installed";

/// How the name of a directory begins that is being filled.
const PARTIAL: &str = "partial-";

/// The cache's directory.
#[derive(Debug)]
pub(super) struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// Chooses the directory: the developer's own choice, else the place for caches.
    pub(super) fn locate(environment: &Environment) -> Result<Self, Failure> {
        let below_cache = |cache: &Path| cache.join("pacenote").join("hosts");
        // A relative cache home is to be ignored, says the XDG base directory specification.
        let cache_home = environment.cache_home.as_deref().filter(|path| path.is_absolute());
        let chosen = if let Some(directory) = &environment.hosts_cache {
            directory.clone()
        } else if let Some(cache) = cache_home {
            below_cache(cache)
        } else if let Some(home) = &environment.home {
            below_cache(&home.join(".cache"))
        } else {
            return Err(Failure::NoCache);
        };
        let directory = path::absolute(&chosen).map_err(|source| Failure::File {
            action: "locate",
            path: chosen,
            source,
        })?;
        Ok(Self { directory })
    }

    /// Returns the package's program, after `download` has filled an empty directory with the
    /// package if it is not there yet.
    pub(super) fn provide(
        &self,
        package: &Package,
        download: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<PathBuf, Failure> {
        let home = self.directory.join(&package.directory);
        let program = home.join(package.program());
        disk::create_directory(&self.directory)?;
        let _alone = disk::lock(&self.directory.join("lock"))?;
        if is_installed(&home, package) {
            return Ok(program);
        }
        self.sweep()?;
        disk::remove_directory(&home)?;
        // The name is new each time: a download that outlived its run may still write to the last.
        let partial = disk::temporary_directory(&self.directory, PARTIAL)?;
        download(partial.path())?;
        // Opening it is the proof that the package holds what the table says.
        disk::open(&partial.path().join(package.program()))?;
        disk::write(&partial.path().join(MARKER), package.integrity)?;
        disk::rename(&partial.keep(), &home)?;
        Ok(program)
    }

    /// Returns a program inside `name`, a directory that cannot be renamed once it is filled.
    ///
    /// It is filled again unless the marker, written last, says `integrity` and the program runs.
    pub(super) fn provide_in_place(
        &self,
        name: &str,
        integrity: &str,
        program: &Path,
        runs: impl FnOnce(&Path) -> bool,
        fill: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<PathBuf, Failure> {
        let home = self.directory.join(name);
        let program = home.join(program);
        disk::create_directory(&self.directory)?;
        let _alone = disk::lock(&self.directory.join("lock"))?;
        let marked = disk::read(&home.join(MARKER)).is_ok_and(|marker| marker == integrity);
        if marked && runs(&program) {
            return Ok(program);
        }
        disk::remove_directory(&home)?;
        disk::create_directory(&home)?;
        fill(&home)?;
        disk::open(&program)?;
        disk::write(&home.join(MARKER), integrity)?;
        Ok(program)
    }

    /// Removes what interrupted runs have left.
    fn sweep(&self) -> Result<(), Failure> {
        disk::entries(&self.directory)?
            .iter()
            .filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PARTIAL.as_bytes()))
            .try_for_each(|entry| disk::remove_directory(&entry.path()))
    }
}

fn is_installed(home: &Path, package: &Package) -> bool {
    disk::read(&home.join(MARKER)).is_ok_and(|marker| marker == package.integrity)
        && disk::open(&home.join(package.program())).is_ok()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::super::pins::CLIENTS;
    use super::{Cache, Environment, Failure, MARKER, Package, Path, PathBuf, disk};

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::from_lookup(|wanted| {
            [("CARGO_MANIFEST_DIR", "/repository/xtask")]
                .iter()
                .chain(variables)
                .find(|(variable, _)| *variable == wanted)
                .map(|(_, value)| value.into())
        })
        .unwrap()
    }

    #[test]
    fn the_nearest_choice_decides_the_directory() {
        const OWN: (&str, &str) = ("PACENOTE_HOSTS_CACHE", "/own");
        const XDG: (&str, &str) = ("XDG_CACHE_HOME", "/xdg");
        const RELATIVE: (&str, &str) = ("XDG_CACHE_HOME", "xdg");
        const HOME: (&str, &str) = ("HOME", "/home/developer");
        let table: [(&[(&str, &str)], &str); 5] = [
            (&[OWN, XDG, HOME], "/own"),
            (&[OWN], "/own"),
            (&[XDG, HOME], "/xdg/pacenote/hosts"),
            (&[RELATIVE, HOME], "/home/developer/.cache/pacenote/hosts"),
            (&[HOME], "/home/developer/.cache/pacenote/hosts"),
        ];
        for (variables, directory) in table {
            let cache = Cache::locate(&environment(variables)).unwrap();
            assert_eq!(cache.directory, Path::new(directory), "{variables:?}");
        }
    }

    #[test]
    fn without_a_home_the_failure_says_what_to_set() {
        let failure = Cache::locate(&environment(&[])).unwrap_err();
        assert!(matches!(failure, Failure::NoCache));
        assert!(failure.hint().unwrap().contains("PACENOTE_HOSTS_CACHE"));
    }

    struct Desk {
        directory: tempfile::TempDir,
        package: Package,
    }

    impl Desk {
        fn new() -> Self {
            let package = CLIENTS.first().unwrap().package_for(("linux", "x86_64")).unwrap();
            Self { directory: tempfile::tempdir().unwrap(), package }
        }

        fn provide(
            &self,
            download: impl FnOnce(&Path) -> Result<(), Failure>,
        ) -> Result<PathBuf, Failure> {
            Cache { directory: self.directory.path().to_owned() }.provide(&self.package, download)
        }

        fn unpack(&self, directory: &Path) -> Result<(), Failure> {
            let program = directory.join(self.package.program());
            disk::create_directory(program.parent().unwrap())?;
            disk::write(&program, "program")
        }
    }

    #[test]
    fn a_client_is_downloaded_once() {
        let desk = Desk::new();
        let program = desk.provide(|directory| desk.unpack(directory)).unwrap();
        assert_eq!(disk::read(&program).unwrap(), "program");
        assert_eq!(desk.provide(|_| panic!("it is there already")).unwrap(), program);
    }

    #[test]
    fn an_interrupted_download_is_done_again() {
        let desk = Desk::new();
        let interrupted = desk.provide(|directory| {
            desk.unpack(directory)?;
            Err(Failure::NoCache)
        });
        assert!(interrupted.is_err());
        // What a killed run leaves, because nobody was there to clear it away.
        let left_over = desk.directory.path().join("partial-killed");
        disk::create_directory(&left_over).unwrap();
        let program = desk.provide(|directory| desk.unpack(directory)).unwrap();
        assert_eq!(disk::read(&program).unwrap(), "program");
        assert!(!left_over.exists());
    }

    #[test]
    fn a_client_without_its_marker_is_done_again() {
        let desk = Desk::new();
        let program = desk.provide(|directory| desk.unpack(directory)).unwrap();
        let marker = desk.directory.path().join(&desk.package.directory).join(MARKER);
        disk::write(&marker, "sha512-ha").unwrap();
        disk::write(&program, "other bytes").unwrap();
        desk.provide(|directory| desk.unpack(directory)).unwrap();
        assert_eq!(disk::read(&program).unwrap(), "program");
    }

    #[test]
    fn a_package_without_the_program_is_a_failure() {
        let desk = Desk::new();
        assert!(matches!(desk.provide(|_| Ok(())), Err(Failure::File { action: "open", .. })));
    }

    #[test]
    fn what_is_filled_in_place_is_filled_until_it_is_whole_and_runs() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache { directory: directory.path().to_owned() };
        let provide = |runs: bool, fill: &dyn Fn(&Path) -> Result<(), Failure>| {
            cache.provide_in_place("oracle", "digest", Path::new("program"), |_| runs, fill)
        };
        let unpack =
            |text: &'static str| move |home: &Path| disk::write(&home.join("program"), text);
        let interrupted = provide(true, &|home| {
            disk::write(&home.join("program"), "half")?;
            Err(Failure::NoCache)
        });
        assert!(interrupted.is_err());
        let program = provide(true, &unpack("first")).unwrap();
        assert_eq!(disk::read(&program).unwrap(), "first");
        provide(true, &|_| panic!("it is there already")).unwrap();
        provide(false, &unpack("second")).unwrap();
        assert_eq!(disk::read(&program).unwrap(), "second");
        assert!(provide(false, &|_| Ok(())).is_err(), "there is no program");
    }

    #[test]
    fn runs_at_the_same_time_download_once() {
        let desk = Desk::new();
        let downloads = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let program = desk.provide(|directory| {
                        downloads.fetch_add(1, Ordering::Relaxed);
                        desk.unpack(directory)
                    });
                    assert_eq!(disk::read(&program.unwrap()).unwrap(), "program");
                });
            }
        });
        assert_eq!(downloads.into_inner(), 1);
    }
}
