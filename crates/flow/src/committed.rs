//! Holds generated files to what they are generated from.

/// Fails unless the file in `assets` says the same as `fresh`, and renews it if that is asked for.
#[expect(clippy::disallowed_methods, reason = "a test looks at the files of its own crate")]
pub(crate) fn assert_committed(name: &str, fresh: &serde_json::Value) {
    let path = format!("{}/assets/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        let text = serde_json::to_string_pretty(fresh).unwrap() + "\n";
        std::fs::write(&path, text).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let committed: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(
        committed == *fresh,
        "`assets/{name}` is out of date; `UPDATE_ASSETS=1 cargo test -p pacenote-flow` renews \
         it, for the next run"
    );
}
