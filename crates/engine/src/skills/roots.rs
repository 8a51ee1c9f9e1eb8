//! Where skills are looked for here: what the hosts' table says, what their registries add.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use pacenote_files::{
    Bytes, Links,
    git::ProjectPlace,
    list_directory, read_capped,
    walk::{LinkPolicy, Singles},
};
use pacenote_hosts::skills::{
    self as known, CachedPlugin, Places, PluginFiles, Registry, RegistryError, RootSpec,
};
use pacenote_model::SkillLevel;
use pacenote_skill::listing::Registered;

/// Largest registry or manifest that is read: with hundreds of plugins one is under 200 KiB.
const REGISTRY: Bytes = Bytes::mib(4);

/// A directory in which skills are looked for, and what its skills inherit from it.
#[derive(Clone, Debug)]
pub struct Root {
    /// The directory; it need not exist.
    pub path: PathBuf,
    /// Whose it is.
    pub level: SkillLevel,
    /// Its place inside the level.
    pub rank: u32,
    /// The hosts that read it.
    pub hosts: Vec<String>,
    /// Whether single files count.
    pub singles: Singles,
    /// Where links may lead.
    pub links: LinkPolicy,
    /// The plugin or extension it belongs to.
    pub origin: Option<Origin>,
    /// Why it is looked at, in one line.
    pub why: String,
}

/// The plugin or extension that brings a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its name.
    pub plugin: String,
    /// Where it comes from.
    pub marketplace: Option<String>,
    pub version: Option<String>,
    /// Who has it in the registry.
    pub registered: Registered,
}

/// All roots, the strongest first, and what was left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    pub(super) list: Vec<Root>,
    /// What was left out, in words.
    pub(super) notes: Vec<String>,
}

/// Finds every root for a project.
pub(super) fn find(
    places: &Places<'_>,
    place: &ProjectPlace,
    extra: &[PathBuf],
    also_later: bool,
) -> Roots {
    let user = LinkPolicy::User { owner: pacenote_files::current_user() };
    let mut roots = Roots::default();
    for spec in known::roots(places) {
        let links = match spec.level {
            SkillLevel::Project => LinkPolicy::Within(place.root.clone()),
            SkillLevel::User | SkillLevel::Extra | SkillLevel::Plugin | SkillLevel::BuiltIn => {
                user.clone()
            }
        };
        roots.list.push(plain(spec, links));
    }
    for (rank, path) in (0..).zip(extra) {
        roots.list.push(Root {
            path: path.clone(),
            level: SkillLevel::Extra,
            rank,
            hosts: Vec::new(),
            singles: Singles::Ignore,
            links: user.clone(),
            origin: None,
            why: "named by the setting `skills.extra_roots`".into(),
        });
    }
    add_plugins(&mut roots, places, &user, also_later);
    add_extensions(&mut roots, places, &user);
    roots.list.sort_by_key(|root| (root.level, root.rank));
    roots
}

fn plain(spec: RootSpec, links: LinkPolicy) -> Root {
    Root {
        path: spec.path,
        level: spec.level,
        rank: spec.rank,
        hosts: spec.hosts.iter().map(|host| (*host).to_owned()).collect(),
        singles: if spec.allows_single_files { Singles::Accept } else { Singles::Ignore },
        links,
        origin: None,
        why: spec.why.into(),
    }
}

/// The rank of the first plugin: after the directories that hosts name themselves.
fn next_rank(roots: &Roots) -> u32 {
    let plugins = roots.list.iter().filter(|root| root.level == SkillLevel::Plugin);
    plugins.map(|root| root.rank + 1).max().unwrap_or(0)
}

fn add_plugins(roots: &mut Roots, places: &Places<'_>, links: &LinkPolicy, also_later: bool) {
    let Some(files) = known::plugin_files(places) else { return };
    let installed = match read_registry(&files.installed, known::parse_installed_plugins) {
        None => return add_cached(roots, &files, links),
        Some(Ok(installed)) => installed,
        Some(Err(error)) => {
            roots.notes.push(format!("`{}`: {error}", files.installed.display()));
            return add_cached(roots, &files, links);
        }
    };
    let marketplaces = match read_registry(&files.marketplaces, known::parse_known_marketplaces) {
        Some(Ok(marketplaces)) => marketplaces,
        Some(Err(error)) => {
            roots.notes.push(format!("`{}`: {error}", files.marketplaces.display()));
            Vec::new()
        }
        None => Vec::new(),
    };
    let mut enabled = BTreeMap::new();
    for settings in &files.settings {
        let own = places.project_root.as_ref().is_some_and(|root| settings.starts_with(root));
        if let Some(Ok(switches)) = read_registry(settings, known::parse_enabled) {
            // To switch a plugin on is to bring skills that nobody has seen.
            enabled.extend(switches.into_iter().filter(|(_, on)| !own || also_later || !on));
        }
    }
    let registry = Registry {
        installed: &installed,
        marketplaces: &marketplaces,
        enabled: &enabled,
        manifest: &|directory| {
            let path = directory.join(".claude-plugin/marketplace.json");
            read_registry(&path, known::parse_marketplace)?.ok()
        },
        is_directory: &|path| list_directory(path).is_ok(),
    };
    let found = known::plugin_roots(&registry, places.project_root.as_deref());
    roots.notes.extend(found.left_out.iter().map(ToString::to_string));
    for (rank, plugin) in (next_rank(roots)..).zip(found.roots) {
        let registered = match plugin.registered {
            known::Registered::Project => Registered::Project,
            known::Registered::User => Registered::User,
        };
        let origin = Origin {
            plugin: plugin.plugin,
            marketplace: Some(plugin.marketplace),
            version: plugin.version,
            registered,
        };
        roots.list.push(of_plugin(plugin.skills_directory, rank, origin, links, plugin.note));
    }
}

fn of_plugin(path: PathBuf, rank: u32, origin: Origin, links: &LinkPolicy, why: &str) -> Root {
    Root {
        path,
        level: SkillLevel::Plugin,
        rank,
        hosts: vec!["claude".into()],
        singles: Singles::Ignore,
        links: links.clone(),
        origin: Some(origin),
        why: why.into(),
    }
}

/// Where there is no registry, the plugin cache itself is read: every version counts.
fn add_cached(roots: &mut Roots, files: &PluginFiles, links: &LinkPolicy) {
    let below = |path: &Path| -> Vec<PathBuf> {
        let entries = list_directory(path).unwrap_or_default();
        entries.into_iter().map(|entry| path.join(entry.name)).collect()
    };
    let versions = below(&files.cache)
        .iter()
        .flat_map(|marketplace| below(marketplace))
        .flat_map(|plugin| below(&plugin))
        .collect::<Vec<_>>();
    // All of one rank: among the versions of a plugin the highest counts, not the first listed.
    let rank = next_rank(roots);
    for version in versions {
        let relative = version.strip_prefix(&files.cache).unwrap_or(&version);
        let Some(CachedPlugin { marketplace, plugin, version: number }) =
            known::cache_layout(relative)
        else {
            continue;
        };
        let origin = Origin {
            plugin,
            marketplace: Some(marketplace),
            version: Some(number),
            registered: Registered::No,
        };
        let why = "in the plugin cache; there is no registry to ask";
        roots.list.push(of_plugin(version.join("skills"), rank, origin, links, why));
    }
}

fn add_extensions(roots: &mut Roots, places: &Places<'_>, links: &LinkPolicy) {
    let Some(home) = &places.home else { return };
    let directory = home.join(".gemini/extensions");
    let names = list_directory(&directory).unwrap_or_default();
    for entry in names {
        let Some(name) = entry.name.to_str() else { continue };
        let Some(spec) = known::extension_root(places, name, next_rank(roots)) else { continue };
        let manifest = directory.join(name).join("gemini-extension.json");
        let told = read_registry(&manifest, known::parse_extension).and_then(Result::ok);
        let Some(extension) = told else { continue };
        let mut root = plain(spec, links.clone());
        root.origin = Some(Origin {
            plugin: extension.name,
            marketplace: None,
            version: extension.version,
            registered: Registered::User,
        });
        roots.list.push(root);
    }
}

/// Reads and parses a host's own file; `None` when it is not there or cannot be read.
fn read_registry<T>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, RegistryError>,
) -> Option<Result<T, RegistryError>> {
    read_capped(path, REGISTRY, Links::Follow).ok().map(|bytes| parse(&bytes))
}
