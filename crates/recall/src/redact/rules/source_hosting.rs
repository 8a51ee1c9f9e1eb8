//! Where source code is kept.

use super::hit;
use crate::redact::{
    before::Before::Anything,
    rule::{
        Judge::{Random, Shape},
        Length::{Fixed, Open},
        Look, Rule,
    },
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "github-token",
        keywords: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        look: Look::Token {
            before: Anything,
            run: 40,
            length: Fixed,
            pattern: r"gh[pousr]_[A-Za-z0-9]{36,}",
            judge: Shape,
        },
        hits: &[
            hit(
                "git remote set-url origin https://x:",
                ["ghp_", "tbESXTQ1MkwlSSXZCOm68Vg4cpHRljfI6Fk3"],
                "@github.com/a/b",
            ),
            hit("\\n", ["gho_", "G0XTTvv27XixDx8OlIcNBax7JtXWu5Mwy86Z"], "\\n"),
            hit("GH=", ["ghs_", "ufVn0XgcAOgCO9C9wVI2hp4hht6NqZNwPabq"], ""),
        ],
        misses: &[
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_short",
            "a name such as ghp_token_of_the_build_server",
        ],
    },
    Rule {
        id: "github-fine-grained-token",
        keywords: &["github_pat_"],
        look: Look::Token {
            before: Anything,
            run: 51,
            length: Open,
            pattern: r"github_pat_[A-Za-z0-9_]{40,}",
            judge: Shape,
        },
        hits: &[hit(
            "token ",
            [
                "github_pat_",
                "11ITSJJUJ88KV7XH63XS8H_Q479Y6TLyMh0dACljnmJ2YYqWA4bB8hr5mWzbTR2gJe\
                 Jn73MpMbqiBCZxB7",
            ],
            ".",
        )],
        misses: &["github_pat_ is how they begin"],
    },
    Rule {
        id: "gitlab-token",
        keywords: &[
            "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-", "glimt-", "glagent-",
            "gloas-", "glft-",
        ],
        look: Look::Token {
            before: Anything,
            run: 24,
            length: Open,
            pattern: concat!(
                r"gl(?:pat|ptt|dt|rt|cbt|soat|imt|agent|oas",
                r"|ft)-[A-Za-z0-9_.-]{18,}[A-Za-z0-9_-]"
            ),
            judge: Shape,
        },
        hits: &[
            hit("PRIVATE-TOKEN: ", ["glpat-", "gkzNFbvphU2bHhFxPoIP"], ""),
            hit("", ["glrt-", "t1_NwRFaV8YMpAqXaFvWgCqRmdp"], ", "),
        ],
        misses: &["glpat-xxxxxxxxxxxxxxxxxxxx"],
    },
    Rule {
        id: "bitbucket-token",
        keywords: &["atbb", "atctt3xff"],
        look: Look::Token {
            before: Anything,
            run: 32,
            length: Open,
            pattern: r"(?:ATBB[A-Za-z0-9]{28,}|ATCTT3xFf[A-Za-z0-9_=+/-]{60,})",
            judge: Shape,
        },
        hits: &[
            hit("", ["ATBB", "prRRfrSw40tk1lf4wkseFnER1EDF45AE"], " is my app password"),
            hit(
                "",
                [
                    "ATCTT3xFf",
                    "KvdUWWdLOTvNojx1DttgcpIGUJZOD6eCvSeYSHspGk7fzUwcfpkwco4nVNu5dUiZnj\
                     6CDJgnNsnggHrWyzjxXwFmJSugiYpCAK66OYT7LjLAQhsf4thCFExpn23wSblag6BO\
                     D3WdM52wP7HkxHUwjjw9Ic36E7UYRq006WSe5R=142F175D",
                ],
                "",
            ),
        ],
        misses: &["flatbbed", "atbb"],
    },
    Rule {
        id: "personal-access-token",
        keywords: &["_pat="],
        look: Look::Token {
            before: Anything,
            run: 25,
            length: Open,
            pattern: r#"_PAT=["']?([A-Za-z0-9]{20,})"#,
            judge: Random(3.0),
        },
        hits: &[hit(
            "AZURE_DEVOPS_EXT_PAT=",
            ["q3nrwz4x", "7ke2mv5tj6hy8cbdp9gaqsl4fuxz2wkrv7ntme5yhjc3"],
            "",
        )],
        misses: &["date_pat=compiled2patterns4dates", "GITHUB_PAT=$TOKEN", "FILE_PATH=src/a1b2c3"],
    },
];
