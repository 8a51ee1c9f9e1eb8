//! The files that hosts read into every context by themselves.

use std::path::{Path, PathBuf};

use pacenote_model::HostName;

/// What one host reads, relative to the project and to the user's home.
struct Row {
    host: &'static str,
    project: &'static [&'static str],
    home: &'static [&'static str],
}

/// One row per host, as their documentation names the files.
const ROWS: [Row; 5] = [
    Row {
        host: "claude",
        project: &["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"],
        home: &[".claude/CLAUDE.md"],
    },
    Row { host: "codex", project: &["AGENTS.md"], home: &[".codex/AGENTS.md"] },
    Row { host: "gemini", project: &["GEMINI.md"], home: &[".gemini/GEMINI.md"] },
    Row { host: "opencode", project: &["AGENTS.md"], home: &[".config/opencode/AGENTS.md"] },
    Row { host: "copilot", project: &["AGENTS.md", ".github/copilot-instructions.md"], home: &[] },
];

/// Returns the files a host reads for a project; they need not exist.
pub fn files(host: &HostName, project: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let Some(row) = ROWS.iter().find(|row| row.host == host.as_str()) else { return Vec::new() };
    let own = row.project.iter().map(|name| project.join(name));
    let users = home.into_iter().flat_map(|home| row.home.iter().map(move |name| home.join(name)));
    own.chain(users).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_reads_its_own_files() {
        let told = |host: &str| {
            let host = HostName::parse(host).unwrap();
            let found = files(&host, Path::new("/p"), Some(Path::new("/h")));
            found.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            told("claude"),
            "/p/CLAUDE.md /p/.claude/CLAUDE.md /p/CLAUDE.local.md /h/.claude/CLAUDE.md"
        );
        assert_eq!(told("gemini"), "/p/GEMINI.md /h/.gemini/GEMINI.md");
        assert_eq!(told("unheard-of"), "");
    }
}
