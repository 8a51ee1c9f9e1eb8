//! Twenty-five common credentials, each in all the places where a session shows them.

use super::Redactor;

/// A credential in two parts, so that those who look for leaked ones do not take it for one.
struct Shape {
    name: &'static str,
    secret: [&'static str; 2],
    /// How it stands in a sentence: `…` is the credential.
    sentence: &'static str,
}

const fn shape(name: &'static str, secret: [&'static str; 2]) -> Shape {
    Shape { name, secret, sentence: "and then it said … and stopped" }
}

/// Some have no shape of their own: only a word in front tells what they are.
const fn told(name: &'static str, sentence: &'static str, secret: [&'static str; 2]) -> Shape {
    Shape { name, secret, sentence }
}

const SHAPES: [Shape; 25] = [
    shape("AWS access key id", ["AKIA", "Q3EGR7WMZ5X2LNPV"]),
    told(
        "AWS secret access key",
        "the aws secret is …",
        ["kT9vQ2xLm4", "Zr8YpW1nBc6Hs3Df7Gj0Ka5Ue/Xo+Ivq"],
    ),
    told(
        "AWS session token",
        "the session token is …",
        ["IQoJb3JpZ2luX2Vj", "EJr//////////wEaCXVzLWVhc3QtMSJHMEUCIQDk7w0Zb9Y3kq5Vt8LmNpRs2XcF"],
    ),
    shape("Google API key", ["AIza", "SyD4kQ9vT2xLm7Zr8YpW1nBc6Hs3Df0Gj5A"]),
    shape("Google OAuth access token", ["ya29.", "a0AfH6SMBx7Qk2Lw9Zr4YpT1nVc8Hs3Df5Gj"]),
    told(
        "Azure storage key",
        "it is AccountName=a;AccountKey=…;EndpointSuffix=b",
        [
            "kT9vQ2xLm4Zr8YpW1nBc6Hs3Df7Gj0Ka5UeXoIvq",
            "Rt2Nw8Lz4Qk6Mp1Vb9Cx3Zs7Ya5Df0Gh2Jk4Lq6We8Tr+A==",
        ],
    ),
    shape("GitHub personal token", ["ghp_", "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2"]),
    shape(
        "GitHub fine-grained token",
        [
            "github_pat_",
            "11ABCDE2Y0kQ9vT2xLm7Zr_8YpW1nBc6Hs3Df0Gj5Ka4UeXoIvqRt2Nw8Lz4Qk6Mp1Vb9C\
             x3Zs7Ya5Df0G",
        ],
    ),
    shape("GitLab personal token", ["glpat-", "Zr4YpT1nVc8Hs3Df5GjQ"]),
    shape("Slack bot token", ["xoxb-", "348215904172-5820916374820-Zr4YpT1nVc8Hs3Df5GjQ7xMb"]),
    shape(
        "Slack webhook",
        ["https://hooks.slack.com/services/T4K9Q2XLM/B7Z", "R8YPW1NB/c6Hs3Df7Gj0Ka5UeXoIvqRt2"],
    ),
    told(
        "Discord bot token",
        "the bot token is …",
        ["MTk4NjIyNDgzNDcxOTI1MjQ4", ".Gl2FMQ.Znc8Hs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4"],
    ),
    shape("Telegram bot token", ["5820916374", ":AAHs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1"]),
    shape("Stripe live key", ["sk_live_", "51Hs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1nVc"]),
    told(
        "Twilio auth token",
        "the twilio auth token is …",
        ["9c41f7e2b8", "05d36a1e4f7c9b2d80a6e3"],
    ),
    shape(
        "SendGrid key",
        ["SG.", "Hs3Df5GjQ7xMb6Ra0Ue2Kw.9Lp4Zr8YpT1nVcQk2Xt7Mw5Bz3Nv6Cx1Ls8Df0Gh4J"],
    ),
    shape("npm token", ["npm_", "Hs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1nVc"]),
    shape(
        "PyPI token",
        [
            "pypi-",
            "AgEIcHlwaS5vcmcCJDQ5Hs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1nVcQk2Xt7Mw5Bz3Nv\
             6Cx1Ls8Df0Gh4J",
        ],
    ),
    shape(
        "OpenAI project key",
        [
            "sk-proj-",
            "Hs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1nVcT3BlbkFJQk2Xt7Mw5Bz3Nv6Cx1Ls8Df0Gh\
             4J",
        ],
    ),
    shape(
        "Anthropic key",
        [
            "sk-ant-",
            "api03-Hs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1nVcQk2Xt7Mw5Bz3Nv6Cx1Ls8Df0Gh4J\
             -AA",
        ],
    ),
    shape(
        "JSON web token",
        [
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.",
            "eyJzdWIiOiI1ODIwOTE2Mzc0In0.Hs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1nVcQk2Xt7\
             M",
        ],
    ),
    shape(
        "private key",
        [
            "-----BEGIN RSA PRIV",
            "ATE KEY-----\nMIIEpAIBAAKCAQEAHs3Df5GjQ7xMb6Ra0Ue2Kw9Lp4Zr8YpT1nVcQk2X\
             t7Mw5Bz3\nNv6Cx1Ls8Df0Gh4JkQ9vT2xLm7Zr8YpW1nBc6Hs3Df0Gj5Ka4UeXoIvqRt2N\
             w8L=\n-----END RSA PRIVATE KEY-----",
        ],
    ),
    told(
        "password of a database",
        "it is at postgres://app:…@db.example:5432/app",
        ["kT9vQ2xL", "m4-Zr8"],
    ),
    told("password of a variable", "with DB_PASSWORD=… it works", ["correct", "-h0rse-battery"]),
    told(
        "secret of a variable",
        "with APP_CLIENT_SECRET=… it works",
        ["Zr4YpT1nVc8", "~Hs3Df5GjQ7xMb6Ra"],
    ),
];

/// The places, with `SENTENCE` where the sentence stands.
const PLACES: [(&str, &str); 5] = [
    ("prose", "I looked at the log, SENTENCE. Then I went on."),
    ("command line", "$ deploy --verbose --note 'SENTENCE' --force"),
    ("diff", "@@ -1,2 +1,2 @@\n-# nothing\n+# SENTENCE\n context"),
    ("URL", "see https://host.example/path?page=2&note=SENTENCE&size=10"),
    ("JSON", "{\"role\":\"user\",\"text\":\"first\\nSENTENCE\\nlast \\\"word\\\"\"}"),
];

#[test]
fn twenty_five_credentials_are_gone_from_every_place() {
    let redactor = Redactor::new();
    let mut left = Vec::new();
    for Shape { name, secret: [first, second], sentence } in SHAPES {
        let secret = format!("{first}{second}");
        for (place, around) in PLACES {
            let secret = if place == "JSON" { secret.replace('\n', "\\n") } else { secret.clone() };
            let sentence = sentence.replace('…', &secret);
            let text = around.replace("SENTENCE", &sentence);
            let redacted = redactor.redact(&text).text;
            // No half of it is left either.
            if redacted.contains(second) || redacted.contains(secret.split_at(secret.len() / 2).1) {
                left.push(format!("{name} in {place}: {redacted}"));
            }
            let (head, tail) = around.split_once("SENTENCE").unwrap();
            assert!(redacted.starts_with(head) && redacted.ends_with(tail), "{name}: {redacted}");
        }
    }
    assert!(left.is_empty(), "{} are left\n{}", left.len(), left.join("\n"));
}
