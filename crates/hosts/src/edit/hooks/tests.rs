use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

const PROGRAM: &str = "/usr/bin/pacenote";

/// A short table, to keep what is shown short.
fn table() -> Vec<Registration> {
    let registration = |event, matcher, words: &str| Registration {
        event,
        matcher,
        words: words.split(' ').map(str::to_owned).collect(),
        timeout: 10,
        extra: &[],
    };
    vec![
        registration("SessionStart", None, "hook claude session-start --part 1/2"),
        registration("SessionStart", None, "hook claude session-start --part 2/2"),
        registration("PreToolUse", Some("Bash"), "hook claude pre-tool-use"),
    ]
}

fn installed(text: &str) -> String {
    install(Some(text), PROGRAM, &table()).expect(text)
}

fn refused(text: &str) -> String {
    install(Some(text), PROGRAM, &table()).expect_err(text).to_string()
}

#[test]
fn no_file_becomes_one() {
    let written = install(None, PROGRAM, &table()).unwrap();
    assert_eq!(written, installed(""));
    insta::assert_snapshot!(written, @r#"
    {
      "hooks": {
        "SessionStart": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "/usr/bin/pacenote hook claude session-start --part 1/2",
                "timeout": 10
              }
            ]
          },
          {
            "hooks": [
              {
                "type": "command",
                "command": "/usr/bin/pacenote hook claude session-start --part 2/2",
                "timeout": 10
              }
            ]
          }
        ],
        "PreToolUse": [
          {
            "matcher": "Bash",
            "hooks": [
              {
                "type": "command",
                "command": "/usr/bin/pacenote hook claude pre-tool-use",
                "timeout": 10
              }
            ]
          }
        ]
      }
    }
    "#);
}

#[test]
fn comments_and_foreign_hooks_stay_where_they_are() {
    let text = r#"{
    // what agents may do
    "permissions": { "allow": ["Bash(make:*)"], },
    "hooks": {
        "SessionStart": [
            { "matcher": "startup", "hooks": [{ "type": "command", "command": "./greet.sh" }] }, // hello
        ],
        "Stop": [],
    },
}
"#;
    insta::assert_snapshot!(installed(text), @r#"
    {
        // what agents may do
        "permissions": { "allow": ["Bash(make:*)"], },
        "hooks": {
            "SessionStart": [
                { "matcher": "startup", "hooks": [{ "type": "command", "command": "./greet.sh" }] }, // hello
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "/usr/bin/pacenote hook claude session-start --part 1/2",
                            "timeout": 10
                        }
                    ]
                },
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "/usr/bin/pacenote hook claude session-start --part 2/2",
                            "timeout": 10
                        }
                    ]
                },
            ],
            "Stop": [],
            "PreToolUse": [
                {
                    "matcher": "Bash",
                    "hooks": [
                        {
                            "type": "command",
                            "command": "/usr/bin/pacenote hook claude pre-tool-use",
                            "timeout": 10
                        }
                    ]
                }
            ],
        },
    }
    "#);
}

#[test]
fn a_file_on_one_line_stays_on_one_line() {
    let text = r#"{"model":"opus","hooks":{"SessionStart":[]}}"#;
    insta::assert_snapshot!(installed(text), @r#"{"model":"opus","hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"/usr/bin/pacenote hook claude session-start --part 1/2","timeout":10}]},{"hooks":[{"type":"command","command":"/usr/bin/pacenote hook claude session-start --part 2/2","timeout":10}]}],"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"/usr/bin/pacenote hook claude pre-tool-use","timeout":10}]}]}}"#);
}

#[test]
fn tabs_line_ends_and_the_mark_stay() {
    let written = installed("\u{feff}{\r\n\t\"env\": {}\r\n}\r\n");
    assert!(
        written.starts_with(
            "\u{feff}{\r\n\t\"env\": {},\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": ["
        )
    );
    assert!(written.ends_with("\r\n\t\t]\r\n\t}\r\n}\r\n"));
    assert_eq!(written.matches('\n').count(), written.matches("\r\n").count());
}

#[test]
fn a_path_is_quoted_for_the_shell_and_then_for_the_file() {
    let written = install(None, r#"/home/o'hara/"x" \y/pacenote"#, &table()).unwrap();
    let line = written.lines().find(|line| line.contains("pre-tool-use")).unwrap();
    insta::assert_snapshot!(line.trim(), @r#""command": "'/home/o'\\''hara/\"x\" \\y/pacenote' hook claude pre-tool-use","#);
}

#[test]
fn what_is_not_understood_is_left_alone() {
    let rows = [
        "[]",
        "\"settings\"",
        "null",
        r#"{"hooks": []}"#,
        r#"{"hooks": "none"}"#,
        r#"{"hooks": {"PreToolUse": {"hooks": []}}}"#,
        r#"{"hooks": {"SessionStart": null}}"#,
        r#"{"hooks": {}, "hooks": {}}"#,
        r#"{"hooks": {}, "h\u006foks": {}}"#,
        r#"{"hooks": {"SessionStart": [], "SessionStart": []}}"#,
        r#"{"hooks": {}"#,
        "{hooks: {}}",
    ];
    let rows = rows.map(|text| format!("{text}: {}", refused(text)));
    insta::assert_snapshot!(rows.join("\n"), @r#"
    []: the file holds an array, not an object
    "settings": the file holds a string, not an object
    null: the file holds null, not an object
    {"hooks": []}: `hooks` is an array, not an object
    {"hooks": "none"}: `hooks` is a string, not an object
    {"hooks": {"PreToolUse": {"hooks": []}}}: `hooks.PreToolUse` is an object, not an array
    {"hooks": {"SessionStart": null}}: `hooks.SessionStart` is null, not an array
    {"hooks": {}, "hooks": {}}: `hooks` is there more than once
    {"hooks": {}, "h\u006foks": {}}: `hooks` is there more than once
    {"hooks": {"SessionStart": [], "SessionStart": []}}: `hooks.SessionStart` is there more than once
    {"hooks": {}: line 1, column 13 is no JSON: a comma or a closing bracket was expected
    {hooks: {}}: line 1, column 2 is no JSON: a key in double quotes or a closing bracket was expected
    "#);
}

#[test]
fn only_our_program_is_registered() {
    for program in ["pacenote", "/usr/bin/other", "/usr/bin/pacenote/", "", "./pacenote"] {
        let refused = install(None, program, &table()).unwrap_err();
        assert_eq!(refused, EditError::Program { program: program.to_owned() });
    }
}

#[test]
fn a_file_that_would_become_too_large_is_refused() {
    let text = format!("{{}}{}", " ".repeat(SETTINGS_BYTES - 2));
    assert!(matches!(install(Some(&text), PROGRAM, &table()), Err(EditError::TooLarge { .. })));
}

#[test]
fn hostile_files_are_bounded_work() {
    let many = format!("{{\"hooks\":{{{}\"Z\":[]}}}}", "\"A\":[{}],".repeat(40_000));
    assert_eq!(remove(&installed(&many)).unwrap().text, many);
    let ours = r#"{"command":"pacenote hook x"},"#.repeat(20_000);
    let ours = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{ours}]}}]}}}}"#);
    let Ours::Changed(differences) = found(&ours, PROGRAM, &table()).unwrap().ours else {
        panic!()
    };
    assert_eq!(differences.first.len() + differences.more, 20_000 + table().len());
    assert_eq!(remove(&ours).unwrap(), Removed { text: "{}".to_owned(), entries: 20_000 });
}

/// Settings as people have them.
const FILES: [&str; 16] = [
    "",
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "\u{feff}{}",
    " \n",
    "// nothing yet\n",
    "{\"model\":\"opus\"}",
    "{ \"model\": \"opus\", }",
    "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls:*)\"]\n  },\n  \"env\": {\"A\": \"1\"}\n}\n",
    "{\r\n\t\"hooks\": {}\r\n}\r\n",
    "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]}}",
    "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": [] // none\n      }\n    ]\n  }\n}",
    "{\n    \"hooks\": {\n        \"PreToolUse\": [ /* none */ ],\n    }, // all\n}",
    "{\"hooks\":{\"SessionStart\":[{\"hooks\":[{\"type\":\"http\",\"url\":\"http://localhost\"}]}]}, \"half\": \"\\ud800\"}",
];

#[test]
fn installing_twice_is_installing_once() {
    for text in FILES {
        let once = installed(text);
        assert_eq!(installed(&once), once);
        assert_eq!(found(&once, PROGRAM, &table()).unwrap().ours, Ours::AsExpected, "{once}");
    }
}

#[test]
fn an_installation_elsewhere_is_replaced() {
    for text in FILES {
        let elsewhere = install(Some(text), "/My Apps/pacenote", &table()).unwrap();
        let here = installed(&elsewhere);
        assert!(!here.contains("/My Apps"));
        assert_eq!(found(&here, PROGRAM, &table()).unwrap().ours, Ours::AsExpected, "{here}");
    }
}

#[test]
fn what_was_registered_once_is_replaced() {
    let older = r#"{"hooks": {"Notification": [{"hooks": [{"type": "command", "command": "pacenote hook claude notification"}]}]}}"#;
    assert!(!installed(older).contains("Notification"));
}

fn found_in(text: &str) -> String {
    let Found { ours, foreign, disabled, .. } = found(text, PROGRAM, &table()).expect(text);
    let mut told = match ours {
        Ours::None => "none".to_owned(),
        Ours::AsExpected => "as expected".to_owned(),
        Ours::Changed(differences) => {
            let rows: Vec<String> = differences.first.iter().map(ToString::to_string).collect();
            rows.join("\n")
        }
    };
    for Foreign { event, matcher, command } in &foreign.first {
        let matcher = matcher.as_deref().unwrap_or("any");
        write!(told, "\nforeign {event} ({matcher}): {command}").unwrap();
    }
    if foreign.more > 0 {
        write!(told, "\nand {} more", foreign.more).unwrap();
    }
    if disabled {
        told.push_str("\nall disabled");
    }
    told
}

#[test]
fn what_differs_is_told() {
    let ours = installed("{}");
    let rows = [
        ("nothing", String::new()),
        ("disabled", r#"{"disableAllHooks": true}"#.to_owned()),
        ("not disabled", r#"{"disableAllHooks": "true"}"#.to_owned()),
        ("ours", ours.clone()),
        ("another path", ours.replace("/usr/bin/pacenote hook claude pre", "/opt/pacenote hook claude pre")),
        ("another timeout", ours.replacen("10", "600", 1)),
        ("no timeout", ours.replacen(",\n            \"timeout\": 10", "", 1)),
        ("another matcher", ours.replace("Bash", "Write")),
        ("no matcher", ours.replace("\"matcher\": \"Bash\",", "")),
        ("async", ours.replacen("\"timeout\"", "\"async\": true, \"timeout\"", 1)),
        ("quoted", ours.replacen("/usr/bin/pacenote ", "'/usr/bin/pacenote' ", 1)),
        ("one part", ours.replace("--part 2/2", "--part 2/3")),
        ("another event", ours.replace("PreToolUse", "PostToolUse")),
        (
            "arguments",
            ours.replace(
                "\"/usr/bin/pacenote hook claude pre-tool-use\"",
                r#""/usr/bin/pacenote", "args": ["hook", "claude", "pre-tool-use"]"#,
            ),
        ),
        (
            "foreign only",
            r#"{"hooks": {"Stop": [
                {"matcher": "a\nb", "hooks": [{"type": "command", "command": "say done"}, {"type": "http", "url": "http://[::1]/"}]},
                {"hooks": [{"type": "command", "command": "pacenote brief"}, 1, null]}
            ]}}"#
                .to_owned(),
        ),
    ];
    let rows = rows.map(|(name, text)| format!("# {name}\n{}", found_in(&text)));
    insta::assert_snapshot!(rows.join("\n"), @r"
    # nothing
    none
    # disabled
    none
    all disabled
    # not disabled
    none
    # ours
    as expected
    # another path
    `PreToolUse` calls `/opt/pacenote`
    # another timeout
    `SessionStart` has the timeout 600
    # no timeout
    `SessionStart` has no timeout
    # another matcher
    `PreToolUse` is only for `Write`
    # no matcher
    `PreToolUse` has no matcher
    # async
    `SessionStart` is written in another form
    # quoted
    `SessionStart` is written in another form
    # one part
    `SessionStart` lacks `hook claude session-start --part 2/2`
    `SessionStart` has `/usr/bin/pacenote hook claude session-start --part 2/3` besides
    # another event
    `PreToolUse` lacks `hook claude pre-tool-use`
    `PostToolUse` has `/usr/bin/pacenote hook claude pre-tool-use` besides
    # arguments
    `PreToolUse` is written in another form
    # foreign only
    none
    foreign Stop (a\nb): say done
    foreign Stop (a\nb): http://[::1]/
    foreign Stop (any): pacenote brief
    ");
}

#[test]
fn lists_are_capped() {
    let hook = format!(r#"{{"type": "command", "command": "{}"}},"#, "é".repeat(1000));
    let text = format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{}]}}]}}}}"#, hook.repeat(200));
    let Found { foreign, .. } = found(&text, PROGRAM, &table()).unwrap();
    assert_eq!((foreign.first.len(), foreign.more), (LISTED, 200 - LISTED));
    assert!(foreign.first.iter().all(|foreign| foreign.command.chars().count() == 120));
}

#[test]
fn removing_takes_ours_and_what_it_leaves_empty() {
    let ours = r#"{"type": "command", "command": "pacenote hook claude stop"}"#;
    let exec = r#"{"command": "/a b/pacenote", "args": ["hook", "claude"]}"#;
    for (text, left) in [
        ("", ""),
        ("[1]", "[1]"),
        (r#"{"hooks": {}}"#, r#"{"hooks": {}}"#),
        (r#"{"hooks": {"Stop": []}}"#, r#"{"hooks": {"Stop": []}}"#),
        (r#"{"hooks": [OURS]}"#, r#"{"hooks": [OURS]}"#),
        (r#"{"hooks": {"Stop": [{"hooks": [OURS]}]}}"#, "{}"),
        (r#"{ "hooks": {"Stop": [{"hooks": [EXEC]}]} }"#, "{}"),
        (r#"{"hooks": {"Stop": [{"matcher": "x", "hooks": [OURS, EXEC]}]}}"#, "{}"),
        (r#"{"a": 1, "hooks": {"Stop": [{"hooks": [OURS]}]}}"#, r#"{"a": 1}"#),
        (
            r#"{"hooks": {"Stop": [{"hooks": [OURS, {"command": "x"}]}]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}"#,
        ),
        (
            r#"{"hooks": {"Stop": [{"hooks": []}, {"hooks": [OURS]}]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": []}]}}"#,
        ),
        (
            r#"{"hooks": {"A": [], "Stop": [{"hooks": [OURS]}], "Z": 1}}"#,
            r#"{"hooks": {"A": [], "Z": 1}}"#,
        ),
        (
            "{\"hooks\": {\"Stop\": [ // mine\n {\"hooks\": [OURS]}]}}",
            "{\"hooks\": {\"Stop\": [ // mine\n]}}",
        ),
        (
            r#"{"hooks": {"Stop": [{"hooks": [OURS], "hooks": [{"command": "x"}]}]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}"#,
        ),
        (r#"{"hooks": {"A": [{"hooks": [OURS]}]}, "hooks": {"A": [{"hooks": [OURS]}]}}"#, "{}"),
        ("// mine\n{\"hooks\": {\"Stop\": [{\"hooks\": [OURS]}]}} // too", "// mine\n{} // too"),
    ] {
        let [text, left] =
            [text, left].map(|text| text.replace("OURS", ours).replace("EXEC", exec));
        let removed = remove(&text).expect(&text);
        assert_eq!(removed.text, left, "{text}");
        assert_eq!(removed.entries == 0, text == left);
        assert_eq!(remove(&left).unwrap().entries, 0);
    }
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(text in r#"[{}\[\],:"\\/*\n hoks]{0,60}|\PC{0,60}"#) {
        found(&text, PROGRAM, &table()).ok();
        remove(&text).ok();
        if let Ok(written) = install(Some(&text), PROGRAM, &table()) {
            prop_assert_eq!(found(&written, PROGRAM, &table()).unwrap().ours, Ours::AsExpected);
            prop_assert_eq!(remove(&written).unwrap().entries, table().len());
        }
    }
}
