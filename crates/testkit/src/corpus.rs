//! Skills as they are found in the wild: every one is read, and what is odd is counted.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pacenote_skill::finding::Finding;
use pacenote_skill::skill::{self, Place, Skill};
use pacenote_skill::structure::{Kind, Outside, Structure, structure};

/// The file that holds a skill.
const SKILL_FILE: &str = "SKILL.md";

/// What came of a corpus.
#[derive(Debug, Default)]
pub struct Corpus {
    /// The skills of each class, which is the directory's name up to the first hyphen.
    classes: BTreeMap<String, Class>,
    /// In how many files each kind of finding occurs.
    findings: BTreeMap<String, u32>,
    /// How many skills have each part of a structure, and how many of it there are in all.
    parts: BTreeMap<&'static str, Part>,
    /// Files that gave no name.
    nameless: Vec<PathBuf>,
}

/// What came of the skills of one class.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    skills: u32,
    /// Those whose frontmatter a strict parser would have refused.
    lenient: u32,
    /// Those with a description.
    described: u32,
    findings: u32,
}

/// How much there is of one part of the structures.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    skills: u32,
    total: usize,
}

impl Corpus {
    /// Reads every skill below a directory; a panic names the file it was in.
    pub fn read(directory: &Path) -> Self {
        let reading = name_the_file_on_panic();
        let mut corpus = Self::default();
        for file in skill_files(directory) {
            reading.lock().expect("nobody panics with it").clone_from(&file);
            let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{error}"));
            let parent = file.parent().and_then(Path::file_name).unwrap_or_default();
            let parent = parent.to_string_lossy();
            let place = Place { directory: &parent, file: SKILL_FILE };
            let (skill, findings) = skill::read(&bytes, &place);
            corpus.count(&file, &parent, &skill, &findings);
            let outside = Outside { file: &|_| None, tokens: &|_| 0 };
            let (structure, remarks) = structure(&skill, skill.name.as_str(), &outside);
            corpus.count_parts(&structure, remarks.len());
        }
        corpus
    }

    /// Tells whether there were skills and each has a name.
    pub fn is_clean(&self) -> bool {
        self.nameless.is_empty() && !self.classes.is_empty()
    }

    fn count(&mut self, file: &Path, directory: &str, skill: &Skill, findings: &[Finding]) {
        let (class, _) = directory.split_once('-').unwrap_or((directory, ""));
        let class = self.classes.entry(class.to_owned()).or_default();
        class.skills += 1;
        class.lenient += u32::from(findings.iter().any(Finding::is_lenient));
        class.described += u32::from(skill.description.is_some());
        class.findings += u32::from(!findings.is_empty());
        let mut kinds: Vec<_> = findings.iter().map(kind).collect();
        kinds.sort();
        kinds.dedup();
        for kind in kinds {
            *self.findings.entry(kind).or_default() += 1;
        }
        if skill.name.as_str().trim().is_empty() || skill.key.as_str().is_empty() {
            self.nameless.push(file.to_owned());
        }
    }
}

impl Corpus {
    fn count_parts(&mut self, structure: &Structure, remarks: usize) {
        let method = &structure.methodology;
        for (name, total) in [
            ("approach", method.approach.iter().len()),
            ("auto-validated patterns", structure.auto_validated_patterns.len()),
            ("false-positive rules", structure.false_positive_rules.len()),
            ("focus areas", structure.focus_areas.len()),
            ("mindset", method.mindset.iter().len()),
            ("priority files", structure.priority_files.patterns.len()),
            ("questions", method.questions.len()),
            ("remarks", remarks),
            ("review type", usize::from(structure.kind == Kind::Review)),
            ("sections", structure.sections.len()),
            ("steps", method.steps.len()),
        ] {
            let part = self.parts.entry(name).or_default();
            part.skills += u32::from(total > 0);
            part.total += total;
        }
    }
}

impl fmt::Display for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<24}{:>8}{:>12}{:>10}{:>10}",
            "class", "skills", "described", "lenient", "odd"
        )?;
        for (name, class) in &self.classes {
            let Class { skills, described, lenient, findings } = class;
            writeln!(f, "{name:<24}{skills:>8}{described:>12}{lenient:>10}{findings:>10}")?;
        }
        writeln!(f, "\n{:<24}{:>8}", "finding", "files")?;
        for (name, files) in &self.findings {
            writeln!(f, "{name:<24}{files:>8}")?;
        }
        writeln!(f, "\n{:<24}{:>8}{:>8}", "structure", "skills", "in all")?;
        for (name, Part { skills, total }) in &self.parts {
            writeln!(f, "{name:<24}{skills:>8}{total:>8}")?;
        }
        for file in &self.nameless {
            writeln!(f, "\nwithout a name: {}", file.display())?;
        }
        let skills: u32 = self.classes.values().map(|class| class.skills).sum();
        write!(f, "\n{skills} skills read, {} without a name", self.nameless.len())
    }
}

/// Returns the kind of a finding without what it quotes.
fn kind(finding: &Finding) -> String {
    let told = format!("{:?}", finding.problem);
    told.chars().take_while(|character| character.is_alphanumeric()).collect()
}

/// Returns every file below a directory that holds a skill, in the order of their paths.
fn skill_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        let entries = fs::read_dir(&directory)
            .unwrap_or_else(|error| panic!("could not list `{}`: {error}", directory.display()));
        for entry in entries {
            let entry = entry.expect("an entry");
            let kind = entry.file_type().expect("its kind");
            if kind.is_dir() {
                pending.push(entry.path());
            } else if kind.is_file() && entry.file_name() == SKILL_FILE {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    files
}

/// A release build ends with the panic, so the file has to be named before.
fn name_the_file_on_panic() -> Arc<Mutex<PathBuf>> {
    let reading = Arc::new(Mutex::new(PathBuf::new()));
    let shown = Arc::clone(&reading);
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if let Ok(file) = shown.lock() {
            println!("panicked while reading {}", file.display());
        }
        usual(panic);
    }));
    reading
}
