//! What Claude Code writes down about plugins: which are installed, which are switched off.
//!
//! An entry is taken as it stands; whether its path may be used is decided where it is used.
//! Fields we do not know are the client's business.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

use super::places::{Places, home};

/// The version of `installed_plugins.json` that is understood.
const VERSION: u64 = 2;

/// Why a registry could not be read.
#[derive(Debug, Error)]
pub enum RegistryError {
    /// The bytes are not JSON of the expected shape.
    #[error("this is not {what}")]
    NotTheFile {
        /// What was expected, with its article.
        what: &'static str,
        /// What the parser says.
        #[source]
        source: serde_json::Error,
    },
    /// The registry is of a version that is read differently.
    #[error("the registry of plugins has version {found}, understood is version {VERSION}")]
    Version {
        /// The version it says it has.
        found: u64,
    },
}

/// Where Claude Code keeps what it knows of plugins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginFiles {
    /// The plugins that are installed.
    pub installed: PathBuf,
    /// The marketplaces they come from.
    pub marketplaces: PathBuf,
    /// The plugins' own files, by marketplace, name and version.
    pub cache: PathBuf,
    /// The settings that switch plugins on and off; a later file wins.
    pub settings: Vec<PathBuf>,
}

/// Returns where Claude Code keeps what it knows of plugins; without a home there is nothing.
pub fn plugin_files(places: &Places<'_>) -> Option<PluginFiles> {
    let claude = home(places)?.join(".claude");
    let plugins = claude.join("plugins");
    let project = places.project_root.as_deref().filter(|root| root.is_absolute());
    let of_project = |name| project.map(|root| root.join(".claude").join(name));
    let mut settings = vec![claude.join("settings.json")];
    settings.extend(["settings.json", "settings.local.json"].into_iter().filter_map(of_project));
    settings.dedup();
    Some(PluginFiles {
        installed: plugins.join("installed_plugins.json"),
        marketplaces: plugins.join("known_marketplaces.json"),
        cache: plugins.join("cache"),
        settings,
    })
}

/// For whom a plugin was installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// For all projects of the user.
    User,
    /// For everybody who works on a project.
    Project,
    /// For the user in one project.
    Local,
    /// For a reason we do not know; it counts for all projects.
    #[serde(other)]
    Other,
}

/// An entry of the registry: a plugin may have several, one for each scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledPlugin {
    /// The plugin's name.
    pub plugin: String,
    /// The marketplace it comes from; empty where the entry names none.
    pub marketplace: String,
    /// For whom it was installed.
    pub scope: Scope,
    /// The project it was installed for, when for one.
    pub project_path: Option<String>,
    /// Where its files were copied to; empty where the entry does not say.
    pub install_path: String,
    /// Its version, as the client wrote it.
    pub version: Option<String>,
}

impl InstalledPlugin {
    /// Returns the name by which settings know the plugin: `plugin@marketplace`.
    pub fn id(&self) -> String {
        format!("{}@{}", self.plugin, self.marketplace)
    }
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default = "other_scope")]
    scope: Scope,
    #[serde(rename = "projectPath")]
    project_path: Option<String>,
    #[serde(default, rename = "installPath")]
    install_path: String,
    version: Option<String>,
}

fn other_scope() -> Scope {
    Scope::Other
}

/// Parses `installed_plugins.json`.
pub fn parse_installed_plugins(bytes: &[u8]) -> Result<Vec<InstalledPlugin>, RegistryError> {
    const WHAT: &str = "a registry of installed plugins";
    #[derive(Deserialize)]
    struct Head {
        version: u64,
    }
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        plugins: BTreeMap<String, Vec<Entry>>,
    }
    let whole = object(WHAT, bytes)?;
    // The version is looked at first: what another one means by `plugins` cannot be known.
    let Head { version } = shaped(WHAT, whole.clone())?;
    if version != VERSION {
        return Err(RegistryError::Version { found: version });
    }
    let File { plugins } = shaped(WHAT, whole)?;
    let installed = plugins.into_iter().flat_map(|(id, entries)| {
        // A plugin's own name may hold an `@`, a marketplace's may not.
        let (plugin, marketplace) = id.rsplit_once('@').unwrap_or((&id, ""));
        let (plugin, marketplace) = (plugin.to_owned(), marketplace.to_owned());
        entries.into_iter().map(move |entry| InstalledPlugin {
            plugin: plugin.clone(),
            marketplace: marketplace.clone(),
            scope: entry.scope,
            project_path: entry.project_path,
            install_path: entry.install_path,
            version: entry.version,
        })
    });
    Ok(installed.collect())
}

/// Parses a `settings.json` for the plugins it switches on (`true`) and off.
///
/// Whatever else the file holds is passed over, and so is a switch that is neither.
pub fn parse_enabled(bytes: &[u8]) -> Result<BTreeMap<String, bool>, RegistryError> {
    const WHAT: &str = "a settings file";
    #[derive(Deserialize)]
    struct Settings {
        #[serde(default, rename = "enabledPlugins")]
        enabled: BTreeMap<String, Value>,
    }
    let Settings { enabled } = shaped(WHAT, object(WHAT, bytes)?)?;
    let switches = enabled.into_iter().filter_map(|(id, switch)| Some((id, switch.as_bool()?)));
    Ok(switches.collect())
}

/// Reads all of the bytes as one JSON object, which bounds the nesting even of fields we pass over.
pub(super) fn object(what: &'static str, bytes: &[u8]) -> Result<Value, RegistryError> {
    serde_json::from_slice::<Map<String, Value>>(bytes)
        .map(Value::Object)
        .map_err(|source| RegistryError::NotTheFile { what, source })
}

/// Reads the fields we know out of an object.
pub(super) fn shaped<T: DeserializeOwned>(
    what: &'static str,
    value: Value,
) -> Result<T, RegistryError> {
    T::deserialize(value).map_err(|source| RegistryError::NotTheFile { what, source })
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use proptest::prelude::*;

    use super::*;

    const INSTALLED: &str = include_str!("fixtures/installed_plugins.json");
    const SETTINGS: &str = include_str!("fixtures/settings.json");

    fn told(bytes: &[u8]) -> String {
        match parse_installed_plugins(bytes) {
            Ok(installed) => {
                let line = |plugin: &InstalledPlugin| {
                    format!(
                        "{} {:?} {} {} {}",
                        plugin.id(),
                        plugin.scope,
                        plugin.project_path.as_deref().unwrap_or("-"),
                        plugin.install_path,
                        plugin.version.as_deref().unwrap_or("-")
                    )
                };
                installed.iter().map(line).collect::<Vec<_>>().join("\n")
            }
            Err(error) => {
                let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
                format!("error: {error}{cause}")
            }
        }
    }

    #[test]
    fn a_registry_is_read_with_all_its_scopes() {
        insta::assert_snapshot!(told(INSTALLED.as_bytes()), @"
        demo@mymkt User - /home/dev/.claude/plugins/cache/mymkt/demo/1.2.3 1.2.3
        superpowers@official Project /home/dev/shop /home/dev/.claude/plugins/cache/official/superpowers/6.1.0 6.1.0
        superpowers@official User - /home/dev/.claude/plugins/cache/official/superpowers/5.0.2 5.0.2
        superpowers@official Local /home/dev/other /home/dev/.claude/plugins/cache/official/superpowers/4.9.0 4.9.0
        ");
    }

    #[test]
    fn other_versions_are_refused_by_name() {
        insta::assert_snapshot!(told(br#"{"version":1,"plugins":{"demo@mymkt":{"version":"1.2.3"}}}"#), @"error: the registry of plugins has version 1, understood is version 2");
        insta::assert_snapshot!(told(br#"{"version":3,"plugins":[]}"#), @"error: the registry of plugins has version 3, understood is version 2");
        insta::assert_snapshot!(told(br#"{"plugins":{}}"#), @"error: this is not a registry of installed plugins: missing field `version`");
        insta::assert_snapshot!(told(b"[2]"), @"error: this is not a registry of installed plugins: invalid type: sequence, expected a map at line 1 column 0");
    }

    #[test]
    fn odd_entries_are_kept_for_whoever_judges_them() {
        let odd = br#"{"version":2,"new":1,"plugins":{
            "bare":[{"installPath":"relative","x":{}}],
            "a@b@m":[{"scope":"managed"}],
            "none@m":[]}}"#;
        insta::assert_snapshot!(told(odd), @"
        a@b@m Other -  -
        bare@ Other - relative -
        ");
        assert!(told(br#"{"version":2}"#).is_empty());
    }

    #[test]
    fn switches_are_read_from_settings() {
        let enabled = parse_enabled(SETTINGS.as_bytes()).unwrap();
        let switches: Vec<_> = enabled.iter().map(|(id, on)| format!("{id}={on}")).collect();
        assert_eq!(switches, ["demo@mymkt=true", "noisy@official=false"]);
        assert!(parse_enabled(b"{}").unwrap().is_empty());
        assert!(parse_enabled(br#"{"enabledPlugins":[]}"#).is_err());
        assert!(parse_enabled(b"").is_err());
    }

    #[test]
    fn the_files_are_found_from_home_and_project() {
        let nothing = |_: &str| None;
        let mut places = Places {
            home: Some("/home/dev".into()),
            project_root: Some("/home/dev/shop".into()),
            working_directory: "/home/dev/shop/web".into(),
            variable: &nothing,
        };
        let files = plugin_files(&places).unwrap();
        assert_eq!(files.cache, PathBuf::from("/home/dev/.claude/plugins/cache"));
        let settings: Vec<_> =
            files.settings.iter().map(|path| path.display().to_string()).collect();
        assert_eq!(
            settings,
            [
                "/home/dev/.claude/settings.json",
                "/home/dev/shop/.claude/settings.json",
                "/home/dev/shop/.claude/settings.local.json",
            ]
        );
        places.home = None;
        assert_eq!(plugin_files(&places), None);
    }

    #[test]
    fn a_registry_cut_at_any_byte_is_refused() {
        let installed = INSTALLED.trim_end().as_bytes();
        for end in 0..installed.len() {
            assert!(parse_installed_plugins(&installed[..end]).is_err(), "{end}");
        }
        let settings = SETTINGS.trim_end().as_bytes();
        for end in 0..settings.len() {
            assert!(parse_enabled(&settings[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = format!(r#"{{"version":2,"x":{}"#, "[".repeat(100_000));
        assert!(told(deep.as_bytes()).contains("recursion limit"));
    }

    proptest! {
        /// No byte in a registry, whatever it becomes, makes the reader panic.
        #[test]
        fn a_damaged_registry_never_panics(
            place in 0..INSTALLED.len(),
            bytes in prop::collection::vec(any::<u8>(), 0..8),
        ) {
            let mut registry = INSTALLED.as_bytes().to_vec();
            registry.splice(place..=place, bytes);
            drop(parse_installed_plugins(&registry));
            drop(parse_enabled(&registry));
        }
    }
}
