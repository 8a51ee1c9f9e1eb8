//! Marketplaces of Claude Code: where one is, and where its plugins lie inside it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::registry::{RegistryError, object, shaped};

/// A marketplace that was added to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marketplace {
    pub name: String,
    /// What it was added from.
    pub source: MarketplaceSource,
    /// Where the client keeps it.
    pub install_location: Option<String>,
}

/// What a marketplace was added from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarketplaceSource {
    /// A directory of this machine: its plugins are read live, not from a copy.
    Directory {
        /// The directory, as the client wrote it.
        path: String,
    },
    /// Anything that is copied: a repository, an address.
    Other,
}

/// Parses `known_marketplaces.json`.
///
/// An entry that is not an object says nothing about where plugins lie and is passed over.
pub fn parse_known_marketplaces(bytes: &[u8]) -> Result<Vec<Marketplace>, RegistryError> {
    const WHAT: &str = "a list of marketplaces";
    let entries: BTreeMap<String, Value> = shaped(WHAT, object(WHAT, bytes)?)?;
    let known = entries.into_iter().filter(|(_, entry)| entry.is_object());
    Ok(known.map(|(name, entry)| marketplace(name, &entry)).collect())
}

fn marketplace(name: String, entry: &Value) -> Marketplace {
    let text = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let source = match (text("/source/source").as_deref(), text("/source/path")) {
        (Some("directory"), Some(path)) => MarketplaceSource::Directory { path },
        (_, _) => MarketplaceSource::Other,
    };
    Marketplace { name, source, install_location: text("/installLocation") }
}

/// What a marketplace says of its own plugins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Where each plugin lies, by name.
    pub plugins: BTreeMap<String, PluginSource>,
}

/// Where a plugin of a marketplace lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PluginSource {
    /// Inside the marketplace, at this path; it may lead anywhere until it is checked.
    Relative(String),
    /// Somewhere else, from where it is copied.
    Elsewhere,
}

/// Parses a marketplace's own `.claude-plugin/marketplace.json`.
///
/// A plugin without a name cannot be asked for and is passed over.
pub fn parse_marketplace(bytes: &[u8]) -> Result<Manifest, RegistryError> {
    const WHAT: &str = "a marketplace";
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        plugins: Vec<Value>,
        #[serde(default)]
        metadata: Value,
    }
    let File { plugins, metadata } = shaped(WHAT, object(WHAT, bytes)?)?;
    let base = metadata.get("pluginRoot").and_then(Value::as_str);
    let named =
        |entry: &Value| Some((entry.get("name")?.as_str()?.to_owned(), source(entry, base)));
    Ok(Manifest { plugins: plugins.iter().filter_map(named).collect() })
}

/// A path that begins with `./` starts at the marketplace, any other at its `pluginRoot`.
fn source(entry: &Value, base: Option<&str>) -> PluginSource {
    match (entry.get("source").and_then(Value::as_str), base) {
        (Some(path), Some(base)) if !path.starts_with('.') && !path.starts_with('/') => {
            PluginSource::Relative(format!("{}/{path}", base.trim_end_matches('/')))
        }
        (Some(path), _) => PluginSource::Relative(path.to_owned()),
        (None, _) => PluginSource::Elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &str = include_str!("fixtures/known_marketplaces.json");
    const MARKETPLACE: &str = include_str!("fixtures/marketplace.json");

    #[test]
    fn marketplaces_are_read_with_what_they_were_added_from() {
        let known = parse_known_marketplaces(KNOWN.as_bytes()).unwrap();
        let line = |marketplace: &Marketplace| {
            let source = match &marketplace.source {
                MarketplaceSource::Directory { path } => format!("directory {path}"),
                MarketplaceSource::Other => "other".to_owned(),
            };
            let location = marketplace.install_location.as_deref().unwrap_or("-");
            format!("{} {source} {location}", marketplace.name)
        };
        insta::assert_snapshot!(known.iter().map(line).collect::<Vec<_>>().join("\n"), @"
        mymkt directory /home/dev/mkt /home/dev/mkt
        official other /home/dev/.claude/plugins/marketplaces/official
        ");
    }

    #[test]
    fn a_marketplace_says_where_its_plugins_lie() {
        let manifest = parse_marketplace(MARKETPLACE.as_bytes()).unwrap();
        let line = |(name, source): (&String, &PluginSource)| match source {
            PluginSource::Relative(path) => format!("{name} {path}"),
            PluginSource::Elsewhere => format!("{name} elsewhere"),
        };
        insta::assert_snapshot!(manifest.plugins.iter().map(line).collect::<Vec<_>>().join("\n"), @"
        demo ./plugins/demo
        hosted elsewhere
        short ./plugins/short
        whole ./
        ");
    }

    #[test]
    fn odd_entries_are_passed_over() {
        let odd = br#"{"a":7,"b":{},"c":{"source":{"source":"directory"}}}"#;
        let names: Vec<_> =
            parse_known_marketplaces(odd).unwrap().into_iter().map(|known| known.name).collect();
        assert_eq!(names, ["b", "c"]);
        let manifest = parse_marketplace(br#"{"plugins":[7,{"name":3},{"name":"n"}]}"#).unwrap();
        assert_eq!(manifest.plugins.get("n"), Some(&PluginSource::Elsewhere));
        assert_eq!(manifest.plugins.len(), 1);
        assert!(parse_marketplace(br#"{"plugins":{}}"#).is_err());
    }

    #[test]
    fn what_is_cut_at_any_byte_is_refused() {
        for end in 0..KNOWN.trim_end().len() {
            assert!(parse_known_marketplaces(&KNOWN.as_bytes()[..end]).is_err(), "{end}");
        }
        for end in 0..MARKETPLACE.trim_end().len() {
            assert!(parse_marketplace(&MARKETPLACE.as_bytes()[..end]).is_err(), "{end}");
        }
    }
}
