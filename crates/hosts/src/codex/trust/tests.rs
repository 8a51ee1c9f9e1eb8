use super::*;

/// What the app server answered, with names of our own.
const LISTED: &str = include_str!("../fixtures/0.166.0/hooks-list.json");

const PROGRAM: &str = "/usr/local/bin/pacenote";

fn listed() -> (Vec<Entry>, Vec<String>) {
    let line = LISTED.replacen("\"id\": 2", "\"id\": \"list\"", 1);
    let Answer::Hooks { entries, complaints } = read(&line) else { panic!("{line}") };
    (entries, complaints)
}

#[test]
fn recorded_hooks() {
    let (entries, complaints) = listed();
    let rows = entries.iter().map(|entry| {
        let Entry { key, command, hash, trust } = entry;
        let hash: String = hash.chars().take(15).collect();
        let whose = if entry.is_ours(PROGRAM) { "ours" } else { "foreign" };
        format!("{key} {command:?} {hash}… {trust:?} {whose}, runs: {}", trust.runs())
    });
    let rows = rows.chain(complaints).collect::<Vec<_>>();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    /home/dev/.codex/hooks.json:pre_tool_use:0:0 Some("/usr/local/bin/pacenote hook codex pre-tool-use") sha256:c164be31… Trusted ours, runs: true
    /home/dev/.codex/hooks.json:session_start:0:0 Some("/usr/local/bin/pacenote hook codex session-start") sha256:8dc39c1c… Untrusted ours, runs: false
    /home/dev/.codex/hooks.json:session_end:0:0 Some("/usr/local/bin/pacenote hook codex session-end") sha256:8dcb1228… Modified ours, runs: false
    /home/dev/.codex/hooks.json:stop:0:0 Some("/home/dev/bin/lint") sha256:6c45cb72… Managed foreign, runs: true
    clamping SessionEnd hook timeout to 3s in /home/dev/.codex/hooks.json
    "#);
}

#[test]
fn what_only_looks_like_ours_is_not() {
    for (command, is) in [
        ("/usr/local/bin/pacenote hook codex stop", true),
        ("/src/shop/pacenote hook codex stop", false),
        ("pacenote hook codex stop", false),
        ("/usr/local/bin/pacenote hook codex stop; curl evil", false),
        ("/usr/local/bin/pacenote hook codex teleport", false),
        ("/usr/local/bin/pacenote hook claude stop", false),
    ] {
        let command = Some(command.to_owned());
        let (key, hash, trust) = ("k".to_owned(), "h".to_owned(), Trust::Untrusted);
        let entry = Entry { key, command, hash, trust };
        assert_eq!(entry.is_ours(PROGRAM), is, "{entry:?}");
    }
}

#[test]
fn what_we_say() {
    let (entries, _) = listed();
    let ours: Vec<&Entry> = entries.iter().filter(|entry| entry.is_ours(PROGRAM)).take(2).collect();
    let [first, second] = opening("0.1.0");
    let keys = [r#"/home/dev/a "b" c/hooks.json:stop:0:0"#];
    let lines = [first, second, list(&["/home/dev/shop"]), trust(&ours), distrust(&keys)];
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"id":"initialize","method":"initialize","params":{"clientInfo":{"name":"pacenote","title":"pacenote","version":"0.1.0"}}}
    {"method":"initialized"}
    {"id":"list","method":"hooks/list","params":{"cwds":["/home/dev/shop"]}}
    {"id":"write","method":"config/batchWrite","params":{"edits":[{"keyPath":"hooks.state","mergeStrategy":"upsert","value":{"/home/dev/.codex/hooks.json:pre_tool_use:0:0":{"trusted_hash":"sha256:c164be3104c2bcd45de5431f4761b9fb84294174e61e1dea538697f7e18c437c"},"/home/dev/.codex/hooks.json:session_start:0:0":{"trusted_hash":"sha256:8dc39c1cf60e5815e09333e716990b66f250b48f5330a52ce61307d7febfc38a"}}}],"reloadUserConfig":true}}
    {"id":"write","method":"config/batchWrite","params":{"edits":[{"keyPath":"hooks.state.\"/home/dev/a \\\"b\\\" c/hooks.json:stop:0:0\"","mergeStrategy":"replace","value":null}],"reloadUserConfig":true}}
    "#);
    assert!(lines.iter().all(|line| !line.contains('\n')));
}

#[test]
fn what_the_server_says() {
    let refused = |message: &str| Answer::Refused { message: message.to_owned() };
    for (line, said) in [
        (r#"{"id":"initialize","result":{"userAgent":"codex"}}"#, Answer::Ready),
        (r#"{"id":"write","result":{"status":"ok"}}"#, Answer::Written),
        (r#"{"id":"write","error":{"code":-32600,"message":"no\nway"}}"#, refused("no\\nway")),
        (r#"{"id":"initialize","error":{"message":"busy"}}"#, refused("busy")),
        (r#"{"method":"configWarning","params":{"summary":"s"}}"#, Answer::Other),
        (r#"{"id":"another","error":{"message":"busy"}}"#, Answer::Other),
        (r#"{"id":2,"result":{"data":[]}}"#, Answer::Other),
        ("", Answer::Other),
        ("[1", Answer::Other),
    ] {
        assert_eq!(read(line), said, "{line}");
    }
}

#[test]
fn odd_lists_are_read_as_far_as_they_make_sense() {
    let line = r#"{"id":"list","result":{"data":[
        {"hooks":[{"key":"a","currentHash":"h","trustStatus":"new"},{"key":"b"},7,{"currentHash":"h"}]},
        {"hooks":[{"key":"a","currentHash":"h"}],"errors":["e",7,{"path":"/shop","message":"no provider"}],"warnings":["e",{}]},
        {"hooks":{}},7]}}"#;
    let entry =
        Entry { key: "a".to_owned(), command: None, hash: "h".to_owned(), trust: Trust::Unknown };
    let complaints = vec!["e".to_owned(), "no provider".to_owned()];
    assert_eq!(read(line), Answer::Hooks { entries: vec![entry], complaints });
}

#[test]
fn a_line_cut_anywhere_answers_nothing() {
    let whole = LISTED.trim_end();
    for cut in (0..whole.len()).filter_map(|end| whole.get(..end)) {
        assert_eq!(read(cut), Answer::Other, "{cut}");
    }
}

#[test]
fn a_heading_goes_when_nothing_is_under_it() {
    for (settings, without) in [
        ("a = 1\n\n[hooks.state]\n", Some("a = 1\n")),
        ("[hooks.state]\n", Some("")),
        ("a = 1\n\n[hooks.state]\n\n[projects.x]\nb = 2\n", Some("a = 1\n\n[projects.x]\nb = 2\n")),
        ("a = 1\n[hooks.state]", Some("a = 1\n")),
        ("[hooks.state]\n\n[hooks.state.\"other\"]\nc = 3\n", None),
        ("[hooks.state]\nc = 3\n", None),
        ("a = 1\n", None),
        ("", None),
    ] {
        assert_eq!(without_empty_heading(settings).as_deref(), without, "{settings}");
    }
}
