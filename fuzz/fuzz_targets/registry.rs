//! Whatever stands in the registries of a host, no path that comes out leads astray.
//!
//! The input is four files, divided by NUL: installed plugins, marketplaces, settings, a manifest.

#![no_main]

use std::path::{Component, Path};

use libfuzzer_sys::fuzz_target;
use pacenote_hosts::skills::{
    Registry, parse_enabled, parse_extension, parse_installed_plugins, parse_known_marketplaces,
    parse_marketplace, plugin_roots,
};

fuzz_target!(|bytes: &[u8]| {
    let mut files = bytes.split(|byte| *byte == 0);
    let mut next = || files.next().unwrap_or_default();
    let (installed, known, settings, manifest) = (next(), next(), next(), next());
    drop(parse_extension(installed));
    let Ok(installed) = parse_installed_plugins(installed) else { return };
    let marketplaces = parse_known_marketplaces(known).unwrap_or_default();
    let enabled = parse_enabled(settings).unwrap_or_default();
    let manifest = parse_marketplace(manifest).ok();
    let registry = Registry {
        installed: &installed,
        marketplaces: &marketplaces,
        enabled: &enabled,
        manifest: &|_| manifest.clone(),
        is_directory: &|path| path.as_os_str().len() % 2 == 0,
    };
    let found = plugin_roots(&registry, Some(Path::new("/home/dev/shop")));
    for root in &found.roots {
        assert!(root.skills_directory.is_absolute(), "{root:?}");
        let mut parts = root.skills_directory.components();
        assert!(parts.all(|part| part != Component::ParentDir), "{root:?}");
    }
    for left_out in &found.left_out {
        assert!(!left_out.to_string().contains(char::is_control), "{left_out:?}");
    }
});
