//! The person's own rules as they were when they last had no mistake.
//!
//! Every command keeps a copy in our data, so that a file that was damaged, or is being edited, opens
//! no gate. Hooks never write it, and read it only when the file itself cannot be used.

use std::path::{Path, PathBuf};

use pacenote_files::{Links, Readers, exists, read_text};
use pacenote_flow::lifecycle::{Layer, built_in_layer, mentions_tool_gate, merge, read};

use super::{
    PROJECT_FILE,
    loading::{FILE, read_rules},
};
use crate::{
    Data, EngineError,
    presence::{Presence, TrustedRules, digits_of, has_roots},
};

/// The directory of ours in which the copies are kept.
pub(crate) const LAST_GOOD: &str = "last-good";

/// Keeps a copy of the person's own rules if they have no mistake, and removes it once the file is
/// gone: that is the person's decision. Where there is no data yet, none is made for this.
pub fn keep_last_good(data: &Data, path: &Path) -> Result<(), EngineError> {
    if !exists(data.directory()) {
        return Ok(());
    }
    let copy = copy_of(path);
    let Ok(present) = read_rules(path, Links::Follow) else { return Ok(()) };
    let Some(text) = present else {
        let is_kept = exists(&data.directory().join(&copy));
        return if is_kept { Ok(data.files()?.remove_file(&copy)?) } else { Ok(()) };
    };
    if last_good(data, path).as_deref() == Some(&text) {
        return Ok(());
    }
    let layer = read(&text, "", Layer::User);
    let sound = layer.ok().filter(|layer| layer.unknown_names.is_empty());
    if sound.is_some_and(|layer| merge([built_in_layer(), layer]).is_ok()) {
        data.files()?.write(&copy, text.as_bytes(), Readers::Owner)?;
    }
    Ok(())
}

/// Returns the person's own rules as they last were without a mistake, if that was ever seen.
pub(super) fn last_good(data: &Data, path: &Path) -> Option<String> {
    read_text(&data.directory().join(copy_of(path)), FILE, Links::Refuse).ok()
}

/// Reports whether rules or runs may refuse a tool, without the store and without parsing them: for
/// when nothing else can be found out in time. `here` is the directory and what a look at it told; an
/// unknown one may be that of any project that refuses tools.
pub fn may_refuse_tools(
    data: &Data,
    user: Option<&Path>,
    here: Option<(&Path, &Presence)>,
) -> bool {
    let own_may = |path: &Path| match read_rules(path, Links::Follow) {
        Ok(Some(text)) => {
            mentions_tool_gate(&text)
                || last_good(data, path).is_some_and(|text| mentions_tool_gate(&text))
        }
        Ok(None) => false,
        Err(_) => true,
    };
    // Data of an earlier version has no mark until the first event that is not about a tool.
    let in_repository = |above: &Path| {
        let text = read_rules(&above.join(PROJECT_FILE), Links::Refuse);
        text.is_ok_and(|text| text.is_some_and(|text| mentions_tool_gate(&text)))
    };
    let rules_may = |directory: &Path, rules| match rules {
        TrustedRules::WithGates => true,
        TrustedRules::WithoutGates => false,
        TrustedRules::Unmarked => directory.ancestors().any(in_repository),
    };
    let project_may = match here {
        Some((directory, presence)) => presence.has_runs || rules_may(directory, presence.rules),
        None => has_roots(data),
    };
    project_may || user.is_some_and(own_may)
}

/// Returns where the copy lies in our data. Its name comes from the file's path, because `XDG_CONFIG_HOME` may
/// name other rules for the same data.
fn copy_of(path: &Path) -> PathBuf {
    let digits = digits_of(path.as_os_str().as_encoded_bytes());
    Path::new(LAST_GOOD).join(digits).with_extension("yaml")
}

#[cfg(test)]
mod tests {
    use pacenote_files::{create_private_directory, remove_file, write_atomically};

    use super::*;

    #[test]
    fn only_rules_without_a_mistake_are_kept_and_only_while_there_are_any() {
        let directory = tempfile::tempdir().unwrap();
        let data = Data::new(directory.path().join("data"));
        let path = directory.path().join("lifecycle.yaml");
        let kept = || {
            keep_last_good(&data, &path).unwrap();
            last_good(&data, &path)
        };
        let (good, other) = ("disable: [news]\n", "disable: [plan-mode]\n");
        write_atomically(&path, good.as_bytes()).unwrap();
        assert_eq!(kept(), None, "there is no data yet");
        create_private_directory(data.directory()).unwrap();
        assert_eq!(kept().as_deref(), Some(good));
        let unknown = "on_stop: [{action: extract_handoff, when: task.actve}]\n";
        for broken in ["disable: [newz]\n", "on_teatime: []\n", "{", unknown] {
            write_atomically(&path, broken.as_bytes()).unwrap();
            assert_eq!(kept().as_deref(), Some(good), "{broken}");
        }
        remove_file(&path).unwrap();
        create_private_directory(&path).unwrap();
        assert_eq!(kept().as_deref(), Some(good), "a directory is a mistake");
        pacenote_files::remove_tree(&path).unwrap();
        std::os::unix::fs::symlink("nowhere", &path).unwrap();
        assert_eq!(kept().as_deref(), Some(good), "a link that leads nowhere is one too");
        remove_file(&path).unwrap();
        write_atomically(&path, other.as_bytes()).unwrap();
        assert_eq!(kept().as_deref(), Some(other));
        remove_file(&path).unwrap();
        assert_eq!(kept(), None, "the person deleted the file");
    }
}
