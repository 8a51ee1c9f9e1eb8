//! The scanner of skills, measured on skills whose names say what they are.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use pacenote_engine::skills::scan_directory;
use pacenote_skill::scan::{Family, Scan, Severity};

/// What the scanner made of a corpus.
#[derive(Debug, Default)]
pub struct Measurement {
    skills: BTreeMap<String, Measured>,
}

/// What the scanner made of one skill.
#[derive(Debug)]
struct Measured {
    truth: Truth,
    scan: Scan,
    taken: Duration,
}

/// What the name of a skill says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is an attack.
    Malicious,
    /// It is honest.
    Benign,
    /// Nobody said.
    Unknown,
}

impl Truth {
    /// All of them, in the order of the columns.
    pub const ALL: [Self; 3] = [Self::Malicious, Self::Benign, Self::Unknown];

    fn of(name: &str) -> Self {
        match name.split_once('-') {
            Some(("malicious", _)) => Self::Malicious,
            Some(("benign", _)) => Self::Benign,
            Some(_) | None => Self::Unknown,
        }
    }
}

impl Measurement {
    /// Scans every directory of a corpus, twice: the second time is the one that counts.
    pub fn of(corpus: &Path) -> Self {
        let mut skills = BTreeMap::new();
        let entries = fs::read_dir(corpus)
            .unwrap_or_else(|error| panic!("could not list `{}`: {error}", corpus.display()));
        for entry in entries {
            let entry = entry.expect("an entry");
            if entry.file_type().expect("its kind").is_dir() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let scan = || {
                    scan_directory(&entry.path()).unwrap_or_else(|error| panic!("{name}: {error}"))
                };
                // The first scan compiles patterns and fetches the files from the disk.
                let first = scan();
                let start = Instant::now();
                let second = scan();
                let taken = start.elapsed();
                assert_eq!(first, second, "{name}: two scans of the same files differ");
                let truth = Truth::of(&name);
                skills.insert(name, Measured { truth, scan: second, taken });
            }
        }
        Self { skills }
    }

    /// Returns how many skills there are of a kind.
    pub fn skills(&self, truth: Truth) -> usize {
        self.skills.values().filter(|skill| skill.truth == truth).count()
    }

    /// Returns the skills of a kind with a suspicion of at least this severity.
    pub fn suspected(&self, truth: Truth, least: Severity) -> Vec<&str> {
        let suspected = self
            .skills
            .iter()
            .filter(|(_, skill)| skill.truth == truth && skill.scan.gravest() >= Some(least));
        suspected.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the skills of a kind with a suspicion of a family of at least this severity.
    pub fn of_family(&self, truth: Truth, family: Family, least: Severity) -> usize {
        let has = |skill: &&Measured| {
            let suspicions = &skill.scan.suspicions;
            skill.truth == truth
                && suspicions.iter().any(|one| one.family == family && one.severity >= least)
        };
        self.skills.values().filter(has).count()
    }

    /// Returns everything that was found, one line each, the gravest first.
    pub fn list(&self) -> String {
        let mut lines = Vec::new();
        for (name, skill) in &self.skills {
            lines.extend(skill.scan.suspicions.iter().map(|one| (one.severity, name, one)));
        }
        lines.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(other.1)));
        let lines = lines.into_iter().map(|(_, name, suspicion)| format!("{name}/{suspicion}\n"));
        lines.collect()
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: u64 = self.skills.values().map(|skill| skill.scan.bytes).sum();
        let files: usize = self.skills.values().map(|skill| skill.scan.files).sum();
        let taken: Duration = self.skills.values().map(|skill| skill.taken).sum();
        #[expect(clippy::cast_precision_loss, reason = "no corpus has that many bytes")]
        let megabytes = bytes as f64 / 1e6;
        writeln!(f, "{:<24}{:>16}{:>16}{:>16}", "", "malicious", "benign", "unknown")?;
        let [malicious, benign, unknown] = Truth::ALL.map(|truth| self.skills(truth));
        writeln!(f, "{:<24}{malicious:>16}{benign:>16}{unknown:>16}", "skills")?;
        for least in Severity::ALL.into_iter().rev() {
            let found = Truth::ALL.map(|truth| self.suspected(truth, least).len());
            let name = format!("found at {}", least.word());
            row(f, &name, found, Truth::ALL.map(|truth| self.skills(truth)))?;
        }
        for (title, least) in
            [("\nfamily, at high", Severity::High), ("\nfamily, at any", Severity::Low)]
        {
            writeln!(f, "{title}")?;
            for family in Family::ALL {
                let found = Truth::ALL.map(|truth| self.of_family(truth, family, least));
                row(f, family.word(), found, Truth::ALL.map(|truth| self.skills(truth)))?;
            }
        }
        for (truth, wrong) in
            [("missed at high", self.missed()), ("false alarm at high", self.alarmed())]
        {
            for name in wrong {
                writeln!(f, "\n{truth}: {name}")?;
            }
        }
        write!(
            f,
            "\n{files} files, {megabytes:.2} MB, {:.1} ms, {:.2} ms for each MB",
            taken.as_secs_f64() * 1e3,
            taken.as_secs_f64() * 1e3 / megabytes.max(f64::MIN_POSITIVE)
        )
    }
}

impl Measurement {
    /// Returns the attacks that a run with `--fail-on high` lets pass.
    pub fn missed(&self) -> Vec<&str> {
        let found = self.suspected(Truth::Malicious, Severity::High);
        let attacks = self.skills.iter().filter(|(_, skill)| skill.truth == Truth::Malicious);
        let missed = attacks.filter(|(name, _)| !found.contains(&name.as_str()));
        missed.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the honest skills that a run with `--fail-on high` stops.
    pub fn alarmed(&self) -> Vec<&str> {
        self.suspected(Truth::Benign, Severity::High)
    }
}

/// Writes how many of how many, and the share.
fn row(f: &mut fmt::Formatter<'_>, name: &str, found: [usize; 3], all: [usize; 3]) -> fmt::Result {
    write!(f, "{name:<24}")?;
    for (found, all) in found.into_iter().zip(all) {
        #[expect(clippy::cast_precision_loss, reason = "no corpus has that many skills")]
        let share = 100.0 * found as f64 / all.max(1) as f64;
        let told = if all == 0 { "-".to_owned() } else { format!("{found} {share:5.1} %") };
        write!(f, "{told:>16}")?;
    }
    writeln!(f)
}
