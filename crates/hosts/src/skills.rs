//! Where each host looks for skills, and how its registries name plugins.
//!
//! The facts of all hosts stand here side by side, because the question is always asked across
//! them: which directories, in which order, read by whom. Nothing here touches the disk: places
//! and payloads are passed in, paths and notes come out. A path from a registry is only ever
//! passed on when it is absolute and stays inside the directory it is said to be in.

mod extension;
mod marketplace;
mod places;
mod plugins;
mod registry;

pub use extension::{Extension, extension_root, parse_extension};
pub use marketplace::{
    Manifest, Marketplace, MarketplaceSource, PluginSource, parse_known_marketplaces,
    parse_marketplace,
};
pub use places::{Places, RootSpec, roots};
pub use plugins::{
    CachedPlugin, LeftOut, PluginRoot, PluginRoots, Registered, Registry, WhyLeftOut, cache_layout,
    plugin_roots,
};
pub use registry::{
    InstalledPlugin, PluginFiles, RegistryError, Scope, parse_enabled, parse_installed_plugins,
    plugin_files,
};
