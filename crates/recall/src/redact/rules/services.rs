//! Trackers, monitors and other services.

use super::hit;
use crate::redact::{
    before::Before::NoWord,
    rule::{
        Beside,
        Judge::{Random, Shape},
        Length::{Exact, Fixed, Open},
        Look, Rule,
    },
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "linear-key",
        keywords: &["lin_api_", "lin_oauth_"],
        look: Look::Token {
            before: NoWord,
            run: 40,
            length: Fixed,
            pattern: r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}",
            judge: Shape,
        },
        hits: &[hit("", ["lin_api_", "V6nzy4zsTRJzRE3RZAuHT0vzJ8iLm9UX1ibsXfkj"], "")],
        misses: &["lin_api_key"],
    },
    Rule {
        id: "notion-token",
        keywords: &["ntn_", "secret_"],
        look: Look::Token {
            before: NoWord,
            run: 44,
            length: Exact,
            pattern: r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})",
            judge: Random(3.0),
        },
        hits: &[
            hit("", ["ntn_", "XgHhZr6Xj3H2I9FgW6frzkjZhKEiCJUPx1gh85XZBCP46W"], ""),
            hit("", ["secret_", "d4IHblkmNxI7x2MF17QumaMNRcqcc068JoplZQyAynm"], ""),
        ],
        misses: &["secret_key_base", "ntn_"],
    },
    Rule {
        id: "monitor-token",
        keywords: &[
            "glsa_", "glc_", "sntrys_", "sntryu_", "nrak-", "nraa-", "phx_", "phs_", "dt0c01.",
        ],
        look: Look::Token {
            before: NoWord,
            run: 32,
            length: Open,
            pattern: concat!(
                r"(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,}",
                r"|sntry[su]_[A-Za-z0-9+/=_]{40,}|NR(?:AK|AA)-[A-Z0-9]{27}",
                r"|ph[xs]_[A-Za-z0-9]{40,}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64})"
            ),
            judge: Shape,
        },
        hits: &[
            hit("", ["glsa_", "OdJJAQlOvMtIeCpcxt4S6a5m28tD6Ih8_ce3c7045"], ""),
            hit("", ["NRAK-", "4RJC0BNROA9L0Z699FEB02LCJSX"], ""),
            hit(
                "",
                ["sntryu_", "bf9172877a73a6c32a8d9e530ffbebc21ea74541e2e205e890140f68f52f9ca4"],
                "",
            ),
        ],
        misses: &["glsa_", "phs_", "glc_name"],
    },
    Rule {
        id: "tracker-token",
        keywords: &["atatt3", "figd_", "pmak-", "dvc_server_"],
        look: Look::Token {
            before: NoWord,
            run: 31,
            length: Open,
            pattern: concat!(
                r"(?:ATATT3[A-Za-z0-9_=-]{100,}|figd_[A-Za-z0-9_-]{40,}",
                r"|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|dvc_server_[A-Za-z0-9_]{20,})"
            ),
            judge: Shape,
        },
        hits: &[
            hit(
                "",
                [
                    "ATATT3",
                    "xFfGF0eOzg3dOX7wTtX1IhmwQtPJOUrolGgGJmaiYK1ulTMegdeCKQrkw8sqt9Fm7M\
                     7scitUSozV5Z7eqRYyJhQ2LgKTYGbRNtMSlNJhiCM2vSM1bwUCt4HNONlTtzlFvZz3\
                     faHOeQLTbsQenGP7g2tEsyTuHjJ3mbHKlHhzT645YtfM=E33D75AF",
                ],
                "",
            ),
            hit("", ["figd_", "6hKGSn4QMU5Sbp1HkqFU8uWErFNrpEhudi471LBFRPh"], ""),
            hit("", ["PMAK-", "992728d3d43e4eda936cbdfb-25ebb513a114b169fd02d9c355985d13f2"], ""),
        ],
        misses: &["figd_", "PMAK-"],
    },
    Rule {
        id: "age-key",
        keywords: &["age-secret-key-1"],
        look: Look::Token {
            before: NoWord,
            run: 74,
            length: Fixed,
            pattern: r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
            judge: Shape,
        },
        hits: &[hit(
            "",
            ["AGE-SECRET-KEY-1", "U5LXLGDK85F04JV3WJ6QFX5TDPZJDRNETYSR3RKW48D6JKWNSD6KK3KKDN"],
            "",
        )],
        misses: &["AGE-SECRET-KEY-1..."],
    },
    Rule {
        id: "password-manager-token",
        keywords: &["ops_ey"],
        look: Look::Token {
            before: NoWord,
            run: 87,
            length: Open,
            pattern: r"ops_eyJ[A-Za-z0-9_=-]{80,}",
            judge: Shape,
        },
        hits: &[hit(
            "",
            [
                "ops_eyJ",
                "06Yjz1BSPyAnJl9Ft4cjVCIHinxU13XKDwyXBLzFSSr27OSl4AgL6suxK26vcFBlwx\
                 F0l5i1S1ucOc1m50EY2QcdL54dcN8aCwAOQhzV6VuA8HRBTZOEfS59KVer3HFg0HfM\
                 rY1pCLo23dMuEsUgDaoklQDdpxK6p6B88hNFG3c6DNdaPbsFEHNQ46VPlZvg0bkSOW\
                 Mq6jm8M7U0UpOKzvbjsQWumerfkeqPO0hSNjWMvUbxENxghNKIGk",
            ],
            "",
        )],
        misses: &["ops_eyJ"],
    },
    Rule {
        id: "airtable-token",
        // `pat` begins too many words to be a keyword.
        keywords: &["airtable"],
        look: Look::Around {
            before: 150,
            behind: 150,
            run: 82,
            pattern: r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
            beside: Beside::Nothing,
            judge: Shape,
        },
        hits: &[hit(
            "the airtable one: ",
            [
                "pat",
                "5xJ8tpqXJQ4I9d.73cf575dcad6ba2b0aee0ca923732881584d8c4fa2815d2802827283e0ad8417",
            ],
            "",
        )],
        misses: &["airtable: path.to.a.module", "airtable patABCDEFGHIJKLMN.0123"],
    },
    Rule {
        id: "buildkite-token",
        keywords: &["bkua_"],
        look: Look::Token {
            before: NoWord,
            run: 45,
            length: Fixed,
            pattern: r"bkua_[a-f0-9]{40}",
            judge: Shape,
        },
        hits: &[hit("", ["bkua_", "3581569969e58b081006f7e3dfc967a64cb14028"], "")],
        misses: &["bkua_"],
    },
];
