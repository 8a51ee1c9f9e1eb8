//! How far the estimate of tokens lies from a real tokenizer, on texts like those we inject.
//!
//! The tokenizer is `o200k`, whose table is part of the crate: no network is needed. The
//! one of Claude is not public, so this shows the order of the error and that it does not grow.

use pacenote_context::estimate_tokens;

/// The band that `estimate.rs` promises, in percent of what the tokenizer counts.
const BAND: std::ops::RangeInclusive<i64> = -10..=35;

/// Texts in the languages of people and machines.
const SAMPLES: [(&str, &str); 13] = [
    ("readme", include_str!("../../../README.md")),
    ("architecture", include_str!("../../../ARCHITECTURE.md")),
    ("changelog", include_str!("../../../CHANGELOG.md")),
    ("documentation", include_str!("../../../docs/skills.md")),
    ("json", include_str!("../../../docs/json.md")),
    ("skill on plans", include_str!("../../skill/assets/writing-plans/SKILL.md")),
    ("skill on tests", include_str!("../../skill/assets/test-driven-development/SKILL.md")),
    ("rust", include_str!("../src/escape.rs")),
    ("rust tests", include_str!("../src/position.rs")),
    ("toml", include_str!("../../../Cargo.toml")),
    ("japanese", JAPANESE),
    ("chinese", CHINESE),
    ("german", GERMAN),
];

const JAPANESE: &str = "\
現在の作業はログイン機能の追加です。仕様を確認してから、テストを書き、実装を進めてください。
終わったら、次の担当者が迷わないように、決めたことと残っていることを短くまとめます。
認証情報はファイルに保存しないでください。質問があれば、メールで知らせてください。
";

const CHINESE: &str = "\
当前任务是添加登录功能。请先确认规格，然后编写测试，再进行实现。
完成后，请简要总结已经决定的事情和剩下的工作，并关闭任务。有问题请写信。✅ 🚀
";

const GERMAN: &str = "\
Die Anmeldung ist fertig, aber die Überprüfung der Zugangsdaten fehlt noch. Bitte zuerst die Tests
schreiben, dann den Fehler beheben und anschließend die Aufgabe schließen. Für größere Änderungen
müssen wir vorher miteinander sprechen, weil auch die Oberfläche davon abhängt.
";

#[test]
fn the_estimate_stays_within_its_band() {
    let tokenizer = tiktoken_rs::o200k_base().expect("the table is part of the crate");
    let mut outside = Vec::new();
    for (name, text) in SAMPLES {
        let exact = i64::try_from(tokenizer.encode_ordinary(text).len()).expect("a small text");
        let error = (i64::from(estimate_tokens(text)) - exact) * 100 / exact;
        println!("{name}: {exact} tokens, estimate off by {error} %");
        if !BAND.contains(&error) {
            outside.push((name, error));
        }
    }
    assert_eq!(outside, [], "outside of {BAND:?}");
}
