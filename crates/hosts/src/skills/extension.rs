//! Extensions of Gemini, which carry skills as plugins of Claude Code do.

use std::path::{Component, Path};

use pacenote_model::SkillLevel;
use serde::Deserialize;

use super::places::{Places, RootSpec, home};
use super::registry::{RegistryError, object, shaped};

/// What an extension says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Extension {
    pub name: String,
    /// Its version, as it was written.
    pub version: Option<String>,
}

/// Parses a `gemini-extension.json`.
pub fn parse_extension(bytes: &[u8]) -> Result<Extension, RegistryError> {
    const WHAT: &str = "an extension's manifest";
    shaped(WHAT, object(WHAT, bytes)?)
}

/// Returns where the skills of an extension are, by the name of its directory in
/// `~/.gemini/extensions`; a name that would lead out of there gives nothing.
pub fn extension_root(places: &Places<'_>, directory: &str, rank: u32) -> Option<RootSpec> {
    let mut components = Path::new(directory).components();
    let (Some(Component::Normal(name)), None) = (components.next(), components.next()) else {
        return None;
    };
    Some(RootSpec {
        path: home(places)?.join(".gemini/extensions").join(name).join("skills"),
        level: SkillLevel::Plugin,
        hosts: &["gemini"],
        rank,
        allows_single_files: false,
        depth_note: "one level",
        why: "skills of a Gemini extension",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_the_extension() {
        let manifest = br#"{"name":"shop","version":"0.3.0","contextFileName":"GEMINI.md"}"#;
        let extension = parse_extension(manifest).unwrap();
        assert_eq!(
            (extension.name.as_str(), extension.version.as_deref()),
            ("shop", Some("0.3.0"))
        );
        assert_eq!(parse_extension(br#"{"name":"n"}"#).unwrap().version, None);
        for end in 0..manifest.len() {
            assert!(parse_extension(&manifest[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn only_a_name_leads_to_an_extension() {
        let nothing = |_: &str| None;
        let places = Places {
            home: Some("/home/dev".into()),
            project_root: None,
            working_directory: "/".into(),
            variable: &nothing,
        };
        let root = extension_root(&places, "shop", 3).unwrap();
        assert_eq!(root.path, Path::new("/home/dev/.gemini/extensions/shop/skills"));
        assert_eq!((root.level, root.rank), (SkillLevel::Plugin, 3));
        for hostile in ["", ".", "..", "/etc", "a/b", "../a", "a/.."] {
            assert_eq!(extension_root(&places, hostile, 0), None, "{hostile:?}");
        }
    }
}
