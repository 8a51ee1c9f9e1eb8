use proptest::prelude::*;

use super::super::{
    parse_enabled, parse_installed_plugins, parse_known_marketplaces, parse_marketplace,
};
use super::*;

const INSTALLED: &str = include_str!("../fixtures/installed_plugins.json");
const KNOWN: &str = include_str!("../fixtures/known_marketplaces.json");
const MARKETPLACE: &str = include_str!("../fixtures/marketplace.json");
const SETTINGS: &str = include_str!("../fixtures/settings.json");

/// What the disk would say: a manifest for every marketplace, and directories of these names.
struct Desk {
    installed: String,
    known: String,
    manifest: Option<String>,
    directories: Vec<&'static str>,
}

impl Desk {
    fn new() -> Self {
        Self {
            installed: INSTALLED.to_owned(),
            known: KNOWN.to_owned(),
            manifest: Some(MARKETPLACE.to_owned()),
            directories: Vec::new(),
        }
    }

    /// A desk with one plugin, `demo@mymkt`, of a marketplace in `/home/dev/mkt`.
    fn with_source(source: &str) -> Self {
        let manifest = serde_json::json!({ "plugins": [{ "name": "demo", "source": source }] });
        Self { manifest: Some(manifest.to_string()), ..Self::new() }
    }

    fn roots(&self, project: Option<&str>) -> PluginRoots {
        let installed = parse_installed_plugins(self.installed.as_bytes()).unwrap();
        let marketplaces = parse_known_marketplaces(self.known.as_bytes()).unwrap();
        let enabled = parse_enabled(SETTINGS.as_bytes()).unwrap();
        let registry = Registry {
            installed: &installed,
            marketplaces: &marketplaces,
            enabled: &enabled,
            manifest: &|_| {
                self.manifest.as_ref().map(|text| parse_marketplace(text.as_bytes()).unwrap())
            },
            is_directory: &|path| {
                self.directories.iter().any(|directory| Path::new(directory) == path)
            },
        };
        plugin_roots(&registry, project.map(Path::new))
    }

    fn told(&self, project: Option<&str>) -> String {
        let found = self.roots(project);
        let root = |root: &PluginRoot| {
            format!(
                "{}@{} {} {:?} {}: {}",
                root.plugin,
                root.marketplace,
                root.version.as_deref().unwrap_or("-"),
                root.registered,
                root.skills_directory.display(),
                root.note
            )
        };
        let roots = found.roots.iter().map(root);
        let left_out = found.left_out.iter().map(|left_out| format!("note: {left_out}"));
        roots.chain(left_out).collect::<Vec<_>>().join("\n")
    }
}

fn installed(id: &str, path: &str) -> String {
    serde_json::json!({
        "version": 2,
        "plugins": { id: [{ "scope": "user", "installPath": path, "version": "1" }] },
    })
    .to_string()
}

#[test]
fn the_projects_entry_comes_before_the_users() {
    insta::assert_snapshot!(Desk::new().told(Some("/home/dev/shop")), @"
    demo@mymkt 1.2.3 User /home/dev/mkt/plugins/demo/skills: read live from its marketplace's folder
    superpowers@official 6.1.0 Project /home/dev/.claude/plugins/cache/official/superpowers/6.1.0/skills: installed for this project
    superpowers@official 5.0.2 User /home/dev/.claude/plugins/cache/official/superpowers/5.0.2/skills: installed for the user
    note: plugin `superpowers@official` is installed for another project
    ");
}

#[test]
fn outside_of_a_project_only_the_users_entries_count() {
    insta::assert_snapshot!(Desk::new().told(None), @"
    demo@mymkt 1.2.3 User /home/dev/mkt/plugins/demo/skills: read live from its marketplace's folder
    superpowers@official 5.0.2 User /home/dev/.claude/plugins/cache/official/superpowers/5.0.2/skills: installed for the user
    note: plugin `superpowers@official` is installed for another project
    note: plugin `superpowers@official` is installed for another project
    ");
}

#[test]
fn a_plugin_that_is_switched_off_is_left_out() {
    let desk = Desk { installed: installed("noisy@official", "/cache/noisy"), ..Desk::new() };
    insta::assert_snapshot!(desk.told(None), @"note: plugin `noisy@official` is switched off in the settings");
}

#[test]
fn a_directory_marketplace_is_read_live_wherever_it_says_the_plugin_lies() {
    for (source, directory) in [
        ("./plugins/demo", "/home/dev/mkt/plugins/demo/skills"),
        ("./", "/home/dev/mkt/skills"),
        (".", "/home/dev/mkt/skills"),
        ("demo", "/home/dev/mkt/demo/skills"),
        ("./a/./b//c/", "/home/dev/mkt/a/b/c/skills"),
    ] {
        let found = Desk::with_source(source).roots(None);
        let demo = found.roots.iter().find(|root| root.plugin == "demo").unwrap();
        assert_eq!(demo.skills_directory, Path::new(directory), "{source}");
        assert_eq!(demo.skills_directory.as_os_str(), directory, "{source}");
        assert!(demo.live);
    }
}

#[test]
fn without_a_manifest_the_folder_is_looked_at() {
    let mut desk = Desk { manifest: None, ..Desk::new() };
    let directory = |desk: &Desk| desk.roots(None).roots[0].skills_directory.clone();
    assert_eq!(directory(&desk), Path::new("/home/dev/mkt/skills"));
    desk.directories = vec!["/home/dev/mkt/demo"];
    assert_eq!(directory(&desk), Path::new("/home/dev/mkt/demo/skills"));
}

#[test]
fn a_plugin_from_elsewhere_is_read_from_its_copy() {
    let desk = Desk { installed: installed("hosted@mymkt", "/cache/hosted"), ..Desk::new() };
    insta::assert_snapshot!(desk.told(None), @"hosted@mymkt 1 User /cache/hosted/skills: installed for the user");
    let desk = Desk { installed: installed("gone@mymkt", "/cache/gone"), ..Desk::new() };
    insta::assert_snapshot!(desk.told(None), @"note: plugin `gone@mymkt` is not in its marketplace any more");
}

#[test]
fn two_entries_that_are_read_live_are_one_directory() {
    let registry = serde_json::json!({ "version": 2, "plugins": { "demo@mymkt": [
        { "scope": "user", "installPath": "/cache/a" },
        { "scope": "local", "projectPath": "/home/dev/shop/", "installPath": "/cache/b" },
    ] } });
    let desk = Desk { installed: registry.to_string(), ..Desk::new() };
    insta::assert_snapshot!(desk.told(Some("/home/dev/shop")), @"demo@mymkt - Project /home/dev/mkt/plugins/demo/skills: read live from its marketplace's folder");
}

#[test]
fn sources_that_lead_out_of_the_marketplace_are_refused() {
    for source in ["../x", "./../x", "a/../../x", "/etc", "..", "a\\..\\b", "./x\0"] {
        let found = Desk::with_source(source).roots(None);
        assert!(found.roots.iter().all(|root| root.plugin != "demo"), "{source:?}");
        let why = found.left_out.iter().find(|left_out| left_out.plugin == "demo@mymkt");
        assert!(matches!(why.unwrap().why, WhyLeftOut::LeavesMarketplace(_)), "{source:?}");
    }
}

#[test]
fn paths_that_are_not_plainly_absolute_are_refused() {
    for path in ["", "relative", "./x", "/cache/../../etc", "C:\\x", "\\\\server\\x", "/a\nb"] {
        let desk = Desk { installed: installed("x@official", path), ..Desk::new() };
        let found = desk.roots(None);
        assert!(found.roots.is_empty(), "{path:?}");
        assert!(matches!(found.left_out[0].why, WhyLeftOut::BadPath(_)), "{path:?}");
        assert!(!found.left_out[0].to_string().contains('\n'), "{path:?}");
    }
}

#[test]
fn a_folder_that_is_not_plainly_absolute_is_refused() {
    for folder in ["mkt", "../mkt", "/home/../etc", ""] {
        let known =
            serde_json::json!({ "mymkt": { "source": { "source": "directory", "path": folder } } });
        let desk = Desk { known: known.to_string(), ..Desk::new() };
        assert!(desk.roots(None).roots.iter().all(|root| root.plugin != "demo"), "{folder:?}");
    }
}

#[test]
fn names_that_could_not_be_asked_for_are_refused() {
    for id in ["", "bare", "@m", "x@", "../x@m", "a:b@m", "a b@m", "a\u{1b}@m", "-x@m", "a,b@m"] {
        let desk = Desk { installed: installed(id, "/cache/x"), ..Desk::new() };
        let found = desk.roots(None);
        assert!(found.roots.is_empty(), "{id:?}");
        assert_eq!(found.left_out[0].why, WhyLeftOut::BadName, "{id:?}");
        assert!(!found.left_out[0].to_string().contains('\u{1b}'), "{id:?}");
    }
}

#[test]
fn the_cache_tells_marketplace_plugin_and_version() {
    let cached = CachedPlugin {
        marketplace: "official".to_owned(),
        plugin: "superpowers".to_owned(),
        version: "6.1.0".to_owned(),
    };
    for path in ["official/superpowers/6.1.0", "official/superpowers/6.1.0/skills"] {
        assert_eq!(cache_layout(Path::new(path)).as_ref(), Some(&cached), "{path}");
    }
    for path in [
        "",
        "official",
        "official/superpowers",
        "official/superpowers/6.1.0/agents",
        "official/superpowers/6.1.0/skills/x",
        "/official/superpowers/6.1.0",
        "../superpowers/6.1.0",
        "official/../6.1.0",
        "official/.git/6.1.0",
    ] {
        assert_eq!(cache_layout(Path::new(path)), None, "{path}");
    }
}

proptest! {
    /// Whatever a marketplace says, a plugin never lies outside of it.
    #[test]
    fn no_source_leaves_its_marketplace(source in "[./a\\\\~%-]{0,24}|\\PC{0,24}") {
        for root in Desk::with_source(&source).roots(None).roots {
            if root.live {
                prop_assert!(root.skills_directory.starts_with("/home/dev/mkt"));
                let parts = root.skills_directory.components();
                prop_assert!(parts.into_iter().all(|part| part != Component::ParentDir));
            }
        }
    }

    /// Whatever stands in the registry, a path that comes out is absolute and has no `..`.
    #[test]
    fn no_install_path_leads_astray(id in "\\PC{0,12}", path in "[./a~-]{0,24}|\\PC{0,24}") {
        let desk = Desk { installed: installed(&id, &path), ..Desk::new() };
        let found = desk.roots(None);
        prop_assert_eq!(found.roots.len() + found.left_out.len(), 1);
        for root in found.roots {
            prop_assert!(root.skills_directory.is_absolute());
            let parts = root.skills_directory.components();
            prop_assert!(parts.into_iter().all(|part| part != Component::ParentDir));
        }
    }
}
