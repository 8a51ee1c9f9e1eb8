//! Which MCP servers a client was told to start: their tools are part of every request.
//!
//! Only names are read. What a server's tools cost nobody knows before it was started, and nothing is
//! started for that.

use std::path::{Path, PathBuf};

use pacenote_model::HostName;
use serde_json::Value;

/// Most servers that are counted in one file: people have a handful.
const SERVERS: usize = 1_000;

/// How a file lists servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// As members of a JSON object of this name.
    Json(&'static str),
    /// As TOML tables whose names begin with this.
    Toml(&'static str),
}

/// A file in which a client finds servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerFile {
    /// The file; it need not exist.
    pub path: PathBuf,
    /// How it lists them.
    pub listing: Listing,
}

/// What one client reads, relative to the project and to the user's home.
struct Row {
    host: &'static str,
    project: &'static [&'static str],
    home: &'static [&'static str],
    listing: Listing,
}

/// One row per client.
const ROWS: [Row; 6] = [
    Row {
        host: "claude",
        project: &[".mcp.json"],
        home: &[".claude.json"],
        listing: Listing::Json("mcpServers"),
    },
    Row {
        host: "codex",
        project: &[".codex/config.toml"],
        home: &[".codex/config.toml"],
        listing: Listing::Toml("mcp_servers."),
    },
    Row {
        host: "gemini",
        project: &[".gemini/settings.json"],
        home: &[".gemini/settings.json"],
        listing: Listing::Json("mcpServers"),
    },
    Row {
        host: "qwen",
        project: &[".qwen/settings.json"],
        home: &[".qwen/settings.json"],
        listing: Listing::Json("mcpServers"),
    },
    Row {
        host: "opencode",
        project: &["opencode.json"],
        home: &[".config/opencode/opencode.json"],
        listing: Listing::Json("mcp"),
    },
    Row {
        host: "copilot",
        project: &[],
        home: &[".copilot/mcp-config.json"],
        listing: Listing::Json("mcpServers"),
    },
];

/// Returns the files in which a client finds servers for a project.
pub fn files(host: &HostName, project: &Path, home: Option<&Path>) -> Vec<ServerFile> {
    let Some(row) = ROWS.iter().find(|row| row.host == host.as_str()) else { return Vec::new() };
    let own = row.project.iter().map(|name| project.join(name));
    let users = home.into_iter().flat_map(|home| row.home.iter().map(move |name| home.join(name)));
    let file = |path: PathBuf| ServerFile { path, listing: row.listing };
    own.chain(users).map(file).collect()
}

/// Returns the names of the servers that a text lists; one that cannot be read lists none.
pub fn servers(text: &str, listing: Listing) -> Vec<String> {
    match listing {
        Listing::Json(key) => {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let value: Value = serde_json::from_str(text).unwrap_or(Value::Null);
            let servers = value.get(key).and_then(Value::as_object);
            servers.into_iter().flat_map(|all| all.keys().take(SERVERS).cloned()).collect()
        }
        Listing::Toml(prefix) => {
            let name = |line: &str| {
                let table = line.trim().strip_prefix('[')?.strip_suffix(']')?;
                let name = table.strip_prefix(prefix)?;
                // A table inside that of a server is no further server.
                (!name.trim_matches('"').contains('.')).then(|| name.trim_matches('"').to_owned())
            };
            text.lines().filter_map(name).take(SERVERS).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_by_name() {
        for (listing, text, names) in [
            (Listing::Json("mcpServers"), r#"{"mcpServers":{"a":{},"b":{}},"c":1}"#, "a b"),
            (Listing::Json("mcpServers"), r#"{"mcpServers":[1]}"#, ""),
            (Listing::Json("mcp"), "no JSON", ""),
            (Listing::Json("mcp"), "\u{feff}{\"mcp\":{\"x\":null}}", "x"),
            (
                Listing::Toml("mcp_servers."),
                "[mcp_servers.rt]\ncommand = \"x\"\n[mcp_servers.rt.env]\nA = \"1\"\n[other.x]\n",
                "rt",
            ),
        ] {
            assert_eq!(servers(text, listing).join(" "), names, "{text}");
        }
    }

    #[test]
    fn each_client_has_its_own_files() {
        let told = |host: &str| {
            let host = HostName::parse(host).unwrap();
            let found = files(&host, Path::new("/p"), Some(Path::new("/h")));
            found.iter().map(|file| file.path.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told("claude"), "/p/.mcp.json /h/.claude.json");
        assert_eq!(told("codex"), "/p/.codex/config.toml /h/.codex/config.toml");
        assert_eq!(told("unheard-of"), "");
    }
}
