//! Mail and telephone.

use super::hit;
use crate::redact::{
    before::Before::{Anything, NoWord},
    rule::{
        Beside,
        Judge::{Random, Shape},
        Length::{Exact, Fixed, Open},
        Look, Rule,
    },
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "sendgrid-key",
        keywords: &["sg."],
        look: Look::Token {
            before: NoWord,
            run: 36,
            length: Open,
            pattern: r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",
            judge: Random(3.0),
        },
        hits: &[hit(
            "",
            ["SG.", "Sgv0EE7VY3hKXcgV5wJ18P.7hPcBs4gF3HWyJJqaNLcPIC2RrBePNt5TW19JlbfHNl"],
            "",
        )],
        misses: &["msg.value", "SG.prod.example"],
    },
    Rule {
        id: "mailgun-key",
        keywords: &["key-"],
        look: Look::Token {
            before: Anything,
            run: 36,
            length: Exact,
            pattern: r"key-[a-f0-9]{32}",
            judge: Shape,
        },
        hits: &[hit("--user api:", ["key-", "70e80852987614fe9f04da81cb16231d"], "")],
        misses: &["key-value", "key-9f86d081"],
    },
    Rule {
        id: "mailchimp-key",
        keywords: &["-us"],
        look: Look::Around {
            before: 32,
            behind: 2,
            run: 36,
            pattern: r"[a-f0-9]{32}-us[0-9]{1,2}",
            beside: Beside::Nothing,
            judge: Shape,
        },
        hits: &[hit("MC=", ["0626", "5f9ade1fdbe2e57415686ad7ce15-us12"], "")],
        misses: &["en-us", "d41d8cd98f00b204-us1"],
    },
    Rule {
        id: "twilio-key",
        keywords: &[
            "sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb",
            "skc", "skd", "ske", "skf",
        ],
        look: Look::Token {
            before: NoWord,
            run: 34,
            length: Exact,
            pattern: r"SK[a-f0-9]{32}",
            judge: Shape,
        },
        hits: &[hit("", ["SK", "d593a619672a0207464597b7d7a3cb2a"], "")],
        misses: &["task", "SKadi", "desk0"],
    },
    Rule {
        id: "twilio-token",
        keywords: &["twilio"],
        look: Look::Around {
            before: 60,
            behind: 160,
            run: 32,
            pattern: r"[a-f0-9]{32}",
            beside: Beside::Nothing,
            judge: Shape,
        },
        hits: &[hit(
            "client = twilio.rest.Client(sid, \"",
            ["24a0", "d8fe4c368eeb9f68b9610ebf6979"],
            "\")",
        )],
        misses: &[
            "twilio 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
            "twilio in 0b7e4a6c-19d2-4c2f-8f5e-3a1d9c7b6e50",
        ],
    },
    Rule {
        id: "mail-service-token",
        keywords: &["re_", "xkeysib-", "xsmtpsib-"],
        look: Look::Token {
            before: NoWord,
            run: 32,
            length: Fixed,
            pattern: concat!(
                r"(?:re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}|(?:xkeysib",
                r"|xsmtpsib)-[a-f0-9]{64}-[A-Za-z0-9]{16})"
            ),
            judge: Random(3.0),
        },
        hits: &[
            hit("", ["re_", "qauoIZll_R5LfDgjnqOrh52UVDMaLJUl1"], ""),
            hit(
                "",
                [
                    "xkeysib-",
                    "9c4ffdb1c45c9ac60e228a76f5379276ee80afb183fbc731c9d6e73f307ec932-Z\
                     KSrhdYvzvEFeeoK",
                ],
                "",
            ),
        ],
        misses: &["re_export", "are_you_there_already_or_not_yet"],
    },
];
