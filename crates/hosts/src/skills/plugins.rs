//! From registry entries to the directories in which plugins keep their skills.
//!
//! The registry decides, not the newest directory: old versions stay in the cache. What is left
//! out is told with its reason, and a path is only passed on when it cannot lead astray.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Component, Path, PathBuf};

use pacenote_model::limits;

use super::marketplace::{Manifest, Marketplace, MarketplaceSource, PluginSource};
use super::registry::{InstalledPlugin, Scope};

/// What is known of plugins, with the two questions only the disk can answer.
pub struct Registry<'a> {
    /// The entries of `installed_plugins.json`.
    pub installed: &'a [InstalledPlugin],
    /// The entries of `known_marketplaces.json`.
    pub marketplaces: &'a [Marketplace],
    /// The switches of all settings files, by `plugin@marketplace`.
    pub enabled: &'a BTreeMap<String, bool>,
    /// Reads the manifest of the marketplace in a directory, if it has one.
    pub manifest: &'a dyn Fn(&Path) -> Option<Manifest>,
    /// Tells whether a directory exists.
    pub is_directory: &'a dyn Fn(&Path) -> bool,
}

/// For whom the registry holds an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Registered {
    Project,
    /// For all projects of the user.
    User,
}

/// A plugin's directory of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginRoot {
    /// The plugin's name, which goes before the colon.
    pub plugin: String,
    /// The marketplace it comes from.
    pub marketplace: String,
    /// Its version; a plugin that is read live has the one it was installed with.
    pub version: Option<String>,
    /// Where its skills are.
    pub skills_directory: PathBuf,
    /// The entry it was found by.
    pub registered: Registered,
    /// Whether it is read from its marketplace's folder instead of a copy.
    pub live: bool,
    /// Why this directory, in one line for people.
    pub note: &'static str,
}

/// A plugin whose skills are not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The plugin as settings name it, made printable.
    pub plugin: String,
    /// The reason.
    pub why: WhyLeftOut,
}

/// Why a plugin is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyLeftOut {
    /// The settings switch it off.
    Disabled,
    /// It was installed for another project.
    OtherProject,
    /// Its name or its marketplace's could not be part of a reference.
    BadName,
    /// Its path is relative or has `..` in it, made printable.
    BadPath(String),
    /// Its marketplace says it lies outside of the marketplace, made printable.
    LeavesMarketplace(String),
    /// Its marketplace does not hold it any more.
    NotInMarketplace,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plugin, why } = self;
        match why {
            WhyLeftOut::Disabled => write!(f, "plugin `{plugin}` is switched off in the settings"),
            WhyLeftOut::OtherProject => {
                write!(f, "plugin `{plugin}` is installed for another project")
            }
            WhyLeftOut::BadName => write!(f, "plugin `{plugin}` has a name that cannot be used"),
            WhyLeftOut::BadPath(path) => {
                write!(f, "plugin `{plugin}` has a path that is not plainly absolute: `{path}`")
            }
            WhyLeftOut::LeavesMarketplace(path) => {
                write!(f, "plugin `{plugin}` would be outside of its marketplace: `{path}`")
            }
            WhyLeftOut::NotInMarketplace => {
                write!(f, "plugin `{plugin}` is not in its marketplace any more")
            }
        }
    }
}

/// The plugins' directories, and what was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginRoots {
    /// The directories: by plugin, the project's entry before the user's.
    pub roots: Vec<PluginRoot>,
    /// The plugins that are not looked at.
    pub left_out: Vec<LeftOut>,
}

/// Returns where the installed plugins keep their skills.
///
/// A plugin of a marketplace that is a directory is read from there, as the client does; its copy
/// in the cache may be months old.
pub fn plugin_roots(registry: &Registry<'_>, project_root: Option<&Path>) -> PluginRoots {
    let mut found = PluginRoots::default();
    for entry in registry.installed {
        match root_of(entry, registry, project_root) {
            Ok(root) => found.roots.push(root),
            Err(why) => found.left_out.push(LeftOut { plugin: printable(&entry.id()), why }),
        }
    }
    let order =
        |root: &PluginRoot| (root.plugin.clone(), root.marketplace.clone(), root.registered);
    found.roots.sort_by_cached_key(order);
    // Read live, the project's entry and the user's are one directory: the stronger one stays.
    let mut seen = BTreeSet::new();
    found.roots.retain(|root| {
        seen.insert((root.plugin.clone(), root.marketplace.clone(), root.skills_directory.clone()))
    });
    found
}

fn root_of(
    entry: &InstalledPlugin,
    registry: &Registry<'_>,
    project_root: Option<&Path>,
) -> Result<PluginRoot, WhyLeftOut> {
    if !is_name(&entry.plugin) || !is_name(&entry.marketplace) {
        return Err(WhyLeftOut::BadName);
    }
    let registered = registered(entry, project_root).ok_or(WhyLeftOut::OtherProject)?;
    if registry.enabled.get(&entry.id()) == Some(&false) {
        return Err(WhyLeftOut::Disabled);
    }
    let (plugin_directory, live) = match live_directory(entry, registry)? {
        Some(directory) => (directory, true),
        None => (plainly_absolute(&entry.install_path)?, false),
    };
    let note = match (live, registered) {
        (true, _) => "read live from its marketplace's folder",
        (false, Registered::Project) => "installed for this project",
        (false, Registered::User) => "installed for the user",
    };
    Ok(PluginRoot {
        plugin: entry.plugin.clone(),
        marketplace: entry.marketplace.clone(),
        version: entry.version.clone(),
        skills_directory: plugin_directory.join("skills"),
        registered,
        live,
        note,
    })
}

/// Tells whether an entry counts here, and for whom.
fn registered(entry: &InstalledPlugin, project_root: Option<&Path>) -> Option<Registered> {
    match entry.scope {
        Scope::User | Scope::Other => Some(Registered::User),
        Scope::Project | Scope::Local => {
            let project = entry.project_path.as_deref().map(Path::new)?;
            (Some(project) == project_root).then_some(Registered::Project)
        }
    }
}

/// Returns the plugin's directory inside its marketplace, if that is a directory of this machine.
fn live_directory(
    entry: &InstalledPlugin,
    registry: &Registry<'_>,
) -> Result<Option<PathBuf>, WhyLeftOut> {
    let marketplace = registry.marketplaces.iter().find(|known| known.name == entry.marketplace);
    let path = match marketplace.map(|known| &known.source) {
        Some(MarketplaceSource::Directory { path }) => path,
        Some(MarketplaceSource::Other) | None => return Ok(None),
    };
    let folder = plainly_absolute(path)?;
    let Some(manifest) = (registry.manifest)(&folder) else {
        // Without a manifest the folder holds its plugins by name, or is the one plugin.
        let named = folder.join(&entry.plugin);
        return Ok(Some(if (registry.is_directory)(&named) { named } else { folder }));
    };
    match manifest.plugins.get(&entry.plugin) {
        Some(PluginSource::Relative(source)) => beneath(&folder, source)
            .map(Some)
            .ok_or_else(|| WhyLeftOut::LeavesMarketplace(printable(source))),
        Some(PluginSource::Elsewhere) => Ok(None),
        None => Err(WhyLeftOut::NotInMarketplace),
    }
}

/// Returns a path that is absolute and says where it leads without `..`.
fn plainly_absolute(raw: &str) -> Result<PathBuf, WhyLeftOut> {
    let path = Path::new(raw);
    let plain = path.is_absolute()
        && !raw.chars().any(char::is_control)
        && path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    if plain { Ok(path.to_owned()) } else { Err(WhyLeftOut::BadPath(printable(raw))) }
}

/// Joins a path that only leads downwards.
fn beneath(folder: &Path, source: &str) -> Option<PathBuf> {
    let path = Path::new(source);
    let downwards = !source.contains(['\\', '\0'])
        && path.components().all(|part| matches!(part, Component::CurDir | Component::Normal(_)));
    // Collected anew, because a `.` in the middle of a path makes two spellings of one place.
    let parts = path.components().filter(|part| matches!(part, Component::Normal(_)));
    downwards.then(|| folder.components().chain(parts).collect())
}

/// Tells whether a plugin or marketplace may be named in a reference and in a path.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= limits::SKILL_REF_BYTES
        && !text.starts_with(['.', '-'])
        && !text.contains(['/', '\\', ':', '@', ','])
        && !text.chars().any(|character| character.is_control() || character.is_whitespace())
}

/// Longest excerpt of a foreign text in a note, in characters: a line, not a dump.
const EXCERPT_CHARACTERS: usize = 120;

fn printable(text: &str) -> String {
    text.chars().take(EXCERPT_CHARACTERS).flat_map(char::escape_debug).collect()
}

/// A plugin by its place in the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedPlugin {
    /// The marketplace it comes from.
    pub marketplace: String,
    /// Its name.
    pub plugin: String,
    /// Its version, as the directory is called.
    pub version: String,
}

/// Reads `<marketplace>/<plugin>/<version>`, a path below the plugin cache, with or without
/// `skills` at its end: how plugins are found where there is no registry.
pub fn cache_layout(relative: &Path) -> Option<CachedPlugin> {
    let parts: Option<Vec<&str>> = relative
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str().filter(|name| is_name(name)),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => None,
        })
        .collect();
    match parts?.as_slice() {
        [marketplace, plugin, version] | [marketplace, plugin, version, "skills"] => {
            Some(CachedPlugin {
                marketplace: (*marketplace).to_owned(),
                plugin: (*plugin).to_owned(),
                version: (*version).to_owned(),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
