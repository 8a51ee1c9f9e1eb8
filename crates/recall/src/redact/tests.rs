//! What each rule finds and leaves, and what is left where nothing is secret.

use std::{borrow::Cow, collections::BTreeSet};

use super::{
    rule::{Example, Look},
    *,
};

fn redact(text: &str) -> (String, Vec<&'static str>) {
    let redacted = Redactor::new().redact(text);
    (redacted.text.into_owned(), redacted.found.iter().map(|found| found.rule).collect())
}

fn written(example: &Example) -> String {
    let [first, second] = example.secret;
    format!("{}{first}{second}{}", example.before, example.behind)
}

#[test]
fn every_rule_finds_its_examples_and_nothing_else_in_them() {
    for rule in rules() {
        assert!(!rule.hits.is_empty() && !rule.misses.is_empty(), "{}", rule.id);
        for example in rule.hits {
            let expected = format!("{}[redacted: {}]{}", example.before, rule.id, example.behind);
            assert_eq!(redact(&written(example)).0, expected, "{}", rule.id);
        }
        for miss in rule.misses {
            assert_eq!(redact(miss), ((*miss).to_owned(), vec![]), "{}", rule.id);
        }
    }
}

#[test]
fn rules_keep_their_form() {
    let mut ids = BTreeSet::new();
    for rule in rules() {
        assert!(ids.insert(rule.id), "{} is there twice", rule.id);
        assert!(rule.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        for keyword in rule.keywords {
            assert!(keyword.len() >= 3 && *keyword == keyword.to_ascii_lowercase(), "{keyword}");
        }
        match rule.look {
            Look::Token { pattern, .. } => assert!(pattern::compile_anchored(pattern).is_some()),
            Look::Around { pattern, before, behind, .. } => {
                assert!(pattern::compile(pattern).is_some());
                assert!(before <= place::BEFORE && behind <= place::AHEAD, "{}", rule.id);
            }
            Look::Read(_) => {}
        }
    }
}

#[test]
fn a_wrapped_token_is_put_together() {
    let redactor = Redactor::new();
    for rule in rules() {
        let Look::Token { .. } = rule.look else { continue };
        let keyword = rule.keywords.iter().map(|keyword| keyword.len()).max().unwrap_or_default();
        for example in rule.hits {
            let [first, second] = example.secret;
            let secret = format!("{first}{second}");
            for width in 1..secret.len() {
                let (head, tail) = secret.split_at(width);
                for line_break in ["\n", "\n    ", "\r\n  ", "\\\n", "\n+ ", "\\n"] {
                    // A few bytes alone are no rest of anything, and nobody continues a keyword.
                    let is_escaped = line_break.contains(['\\', '+']);
                    if tail.len() < 16 || is_escaped && head.len() < keyword {
                        continue;
                    }
                    let before = "nothing wraps a line that is shorter than this; ";
                    let text = format!("{before}{}{head}{line_break}{tail} end", example.before);
                    let redacted = redactor.redact(&text).text;
                    let left = redacted.contains(tail);
                    assert!(!left, "{} broken at {width} by {line_break:?}: {redacted}", rule.id);
                }
            }
        }
    }
}

#[test]
fn lines_that_follow_a_secret_are_kept() {
    let github = ["ghp_", "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2"].concat();
    let anthropic =
        ["sk-ant-", "api03-k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1n"].concat();
    let text = format!(
        "one: {github}\ntwo: {github}\nThe next line stays.\n{anthropic}\nThe next line stays.\n\
         {anthropic}\n{anthropic}\nAPI_TOKEN=a1B2k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2\nNEXT=1\n"
    );
    insta::assert_snapshot!(redact(&text).0, @"
    one: [redacted: github-token]
    two: [redacted: github-token]
    The next line stays.
    [redacted: anthropic-key]
    The next line stays.
    [redacted: anthropic-key]
    [redacted: anthropic-key]
    API_TOKEN=[redacted: assigned-secret]
    NEXT=1
    ");
}

#[test]
fn what_only_looks_random_is_kept() {
    for text in [
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "9f86d08..a3bf4f1 main -> main",
        "id 0b7e4a6c-19d2-4c2f-8f5e-3a1d9c7b6e50",
        "019a5c1e-7b2d-7c3f-8a4e-5d6f7a8b9c0d",
        "b3-af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
        "checksum = \"c982642fa9e8606056828ee9a8505737230110bb1099153c79efe865c59d12ba\"",
        "\"integrity\": \"sha512-Hs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1nVcQk2Xt7Mw5Bz3Nv6Cx1Ls8Df0Gh4Jk\
         Q9vT2xLm7Zr8YpW1nBc6A==\"",
        "<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI\
         12P4\">",
        "<div class=\"css-1x2y3z4 sc-bdVaJa kHjPqR_9fZk2\">",
        "FROM alpine@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "etag: W/\"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1nVcQk2X me@host",
        "key_id: 9f86d081884c7d65, cache-key: linux-9f86d081884c7d659a2feaa0c55ad015",
        "uses: actions/checkout@9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "arn:aws:iam::123456789012:role/Deploy2Production",
        "token_budget = 4096, keys: [\"a1\", \"b2\"], password_min_length: 12",
        "let token = self.tokens.get(index + 1).copied();",
        "if password == confirmation { return Err(Weak::Password2); }",
        "export PATH=$HOME/bin:$PATH KEY=value",
    ] {
        assert_eq!(redact(text), (text.to_owned(), vec![]));
    }
}

#[test]
fn a_clean_text_is_borrowed_and_lines_are_counted() {
    let redactor = Redactor::new();
    assert!(matches!(redactor.redact("nothing to see").text, Cow::Borrowed(_)));
    let text = "one\ntwo DB_PASSWORD=hunter2hunter\n\nfour hvs.CAESk2Lw9Zr4YpT1nVc8Hs3Df5GjQ7\n";
    let found = redactor.redact(text).found;
    let told: Vec<_> = found.iter().map(|found| (found.line, found.rule)).collect();
    assert_eq!(told, [(2, "assigned-secret"), (4, "vault-token")]);
}

#[test]
fn an_exact_rule_names_what_a_name_was_given() {
    let secret = ["ghp_", "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2"].concat();
    let (text, found) = redact(&format!("GITHUB_TOKEN={secret}"));
    assert_eq!(text, "GITHUB_TOKEN=[redacted: github-token]");
    assert_eq!(found, ["github-token"]);
}

#[test]
fn bytes_beside_a_secret_stay_whole_characters() {
    let (text, _) = redact("pass: «ä» PASSWORD=hünter2ñß «é»");
    assert_eq!(text, "pass: «ä» PASSWORD=[redacted: assigned-secret] «é»");
}

#[test]
fn a_token_is_found_however_its_signs_are_written() {
    let rest = "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2";
    for head in [
        "ghp_",
        r"ghp\_",
        r"ghp\\_",
        r"ghp\\\\u005f",
        r"g\u{1b}[31mhp_",
        r"ghp\u005f",
        r"ghp\u{5f}",
        "ghp%5F",
        r"gh\u{2060}p_",
        r"gh\u200bp\_",
    ] {
        let (text, found) = redact(&format!("a `{head}{rest}` b"));
        assert_eq!(
            (text.as_str(), found),
            ("a `[redacted: github-token]` b", vec!["github-token"])
        );
    }
}
