//! Clouds and what runs in them.

use super::hit;
use crate::redact::{
    before::Before::{Anything, NoWord},
    rule::{
        Beside,
        Judge::{Mixed, Random, Shape},
        Length::{Exact, Fixed, Open},
        Look, Rule,
    },
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "aws-access-key-id",
        keywords: &["akia", "asia", "abia", "acca"],
        look: Look::Token {
            before: Anything,
            run: 20,
            length: Exact,
            pattern: r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}",
            judge: Shape,
        },
        hits: &[
            hit("", ["AKIA", "KH2ITK4HBTL7FLR4"], ""),
            hit("the documentation has ", ["AKIA", "IOSFODNN7EXAMPLE"], "."),
            hit("AWS_ACCESS_KEY_ID=", ["ASIA", "XV362MIBH74GOZOJ"], "\n"),
        ],
        misses: &["Asia and Akia", "AKIAtooShort", "ASIAPACIFICREGIONS"],
    },
    Rule {
        id: "aws-secret-key",
        keywords: &["aws", "secretaccesskey", "secret_access_key", "akia", "asia"],
        look: Look::Around {
            before: 150,
            behind: 150,
            run: 40,
            pattern: r"[A-Za-z0-9/+]{40}",
            beside: Beside::Nothing,
            judge: Mixed(4.2),
        },
        hits: &[
            hit("my aws secret is ", ["wJalrXUtn", "FEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"], ""),
            hit("aws_secret_access_key = ", ["AG4q", "9aBm7SLcCjExm9ufeHOk6Qf1I4q9eY+C/euC"], "\n"),
            hit(
                "aws_access_key_id and then ",
                ["LUER", "7dQf+erIbJSoTWg7f4cAguZTTk6BurC54W7G"],
                "\"",
            ),
        ],
        misses: &[
            "aws at 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
            "the laws /usr/local/share/applications/somewhere",
            "aws s3 ls s3://bucket/Users/Documents/Projects/Alpha2",
        ],
    },
    Rule {
        id: "aws-session-token",
        keywords: &["iqojb3jpz2lux2vj", "fwogzxivyxdz"],
        look: Look::Token {
            before: Anything,
            run: 70,
            length: Open,
            pattern: r"(?:IQoJb3JpZ2luX2Vj|FwoGZXIvYXdz)[A-Za-z0-9+/=]{60,}",
            judge: Shape,
        },
        hits: &[hit(
            "AWS_SESSION_TOKEN=",
            [
                "IQoJb3JpZ2luX2Vj",
                "+gfxw4s3MB9qSa3VNZwojpX/XjjV4yrvpCbf9ktNw7Klt9u/t8uNhQ1thA8UokoPjq\
                 ronRxw5DxSOxgNM0/5UbbJAF7Qc9Sn5z6vgthNP/RqpzX6oiuYYLzw4UZMgjpieJRk\
                 8yo0PTAOkoD8im9FyoQdNgdTKIKB4MgySKVQzahhSF1bRJw/NAP9WL3dSoh1UCzexi\
                 Fp==",
            ],
            "\n",
        )],
        misses: &["IQoJb3JpZ2luX2Vj"],
    },
    Rule {
        id: "google-api-key",
        keywords: &["aiza"],
        look: Look::Token {
            before: Anything,
            run: 39,
            length: Fixed,
            pattern: r"AIza[A-Za-z0-9_-]{35,}",
            judge: Shape,
        },
        hits: &[hit(
            "https://maps.example/js?key=",
            ["AIza", "SyLzlx5dXd0OFpHJ80YOgUcK7fl52_qEkvV"],
            "&v=3",
        )],
        misses: &["AIzawa"],
    },
    Rule {
        id: "google-oauth-token",
        keywords: &["ya29.", "1//0", "gocspx-"],
        look: Look::Token {
            before: Anything,
            run: 25,
            length: Open,
            pattern: concat!(
                r"(?:ya29\.[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]+)*|1//0[A-Za-z0-9_-]{30,}",
                r"|GOCSPX-[A-Za-z0-9_-]{24,})"
            ),
            judge: Shape,
        },
        hits: &[
            hit(
                "Authorization: OAuth ",
                [
                    "ya29.",
                    "a0IweQFA7yLUH5hNp2R7roacz5Ra9V8ffUVk61ATwpRV0wjSimPWLVoEgCQhvayDrM\
                     0BBnG19IqpemeINwWSCJyy5xxy5IADSpWPX2v9XDn0Goxp1lYAorxApf",
                ],
                "",
            ),
            hit(
                "refresh ",
                ["1//0", "gvzdiV3LFRb77P20smzx0nai9GNDagYHnbtRfMz3cfpP5P4PkFY5ORNoPMS0z"],
                "",
            ),
            hit("", ["GOCSPX-", "bohcMBc4dvCXYQ163RnPWPqQdKyt"], ""),
        ],
        misses: &["ya29.5", "1//0 is a comment"],
    },
    Rule {
        id: "azure-account-key",
        keywords: &["accountkey=", "sharedaccesskey="],
        look: Look::Token {
            before: Anything,
            run: 51,
            length: Open,
            pattern: r"(?i:accountkey|sharedaccesskey)=([A-Za-z0-9+/]{40,}={0,2})",
            judge: Shape,
        },
        hits: &[
            hit(
                "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=",
                [
                    "Nw",
                    "AjW2YyRSZQxStmof6ymsEJveFts+vUQCv/8LPHuYa09zkzrUzHI8CS3CZxngijwvsN\
                     orfoX+1o9f99dRVw9a==",
                ],
                ";EndpointSuffix=core",
            ),
            hit(
                "Endpoint=sb://a/;SharedAccessKeyName=R;SharedAccessKey=",
                ["/O", "OT6yoQ5UEhHyyi0K3avDKmu/AAQ2u3KD21mryPl9j="],
                "",
            ),
        ],
        misses: &["AccountKey=<your-key>", "AccountKey=..."],
    },
    Rule {
        id: "azure-signature",
        keywords: &["sig="],
        look: Look::Around {
            before: 1,
            behind: 120,
            run: 44,
            pattern: r"[?&;]sig=([A-Za-z0-9%+/_-]{40,}={0,2})",
            beside: Beside::Anything,
            judge: Shape,
        },
        hits: &[hit(
            "https://a.blob/c?sv=2024-11-04&sig=",
            ["Fr", "WfT7xdX7Qwqu82HraC7lSUK3ORyDevUM08urQVjI%3D"],
            "&se=2026",
        )],
        misses: &["&sig=abc", "config=1"],
    },
    Rule {
        id: "azure-client-secret",
        keywords: &["0q~", "1q~", "2q~", "3q~", "4q~", "5q~", "6q~", "7q~", "8q~", "9q~"],
        look: Look::Around {
            before: 3,
            behind: 40,
            run: 37,
            pattern: r"[A-Za-z0-9_.~-]{3}[0-9]Q~[A-Za-z0-9_.~-]{31,34}",
            beside: Beside::Anything,
            judge: Shape,
        },
        hits: &[hit("the app secret ", ["wLk8", "Q~SIItDLqySkkXPbJE6w6RPMLmkHvIRm4CHC"], "")],
        misses: &["faq~", "a8Q~short"],
    },
    Rule {
        id: "digitalocean-token",
        keywords: &["dop_v1_", "doo_v1_", "dor_v1_"],
        look: Look::Token {
            before: Anything,
            run: 71,
            length: Fixed,
            pattern: r"do[opr]_v1_[a-f0-9]{64}",
            judge: Shape,
        },
        hits: &[hit(
            "",
            ["dop_v1_", "7a04208f05c3055b3ebf9ed4f9e1d0df4ba07ffbb74e3c46250732b588d0cfb2"],
            "",
        )],
        misses: &["dop_v1_ tokens"],
    },
    Rule {
        id: "heroku-key",
        keywords: &["heroku"],
        look: Look::Token {
            before: Anything,
            run: 45,
            length: Fixed,
            pattern: concat!(
                r"(?i)heroku[a-z_.-]{0,30}(?:key|token|secret|auth)[=:]",
                r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
            ),
            judge: Shape,
        },
        hits: &[hit("HEROKU_API_KEY=", ["9ae99116", "-aec0-4b69-aedf-b8d24f8c4884"], "")],
        misses: &["heroku apps:info 0b7e4a6c-19d2-4c2f-8f5e-3a1d9c7b6e50"],
    },
    Rule {
        id: "heroku-token",
        keywords: &["hrku-aa"],
        look: Look::Token {
            before: Anything,
            run: 57,
            length: Open,
            pattern: r"HRKU-AA[A-Za-z0-9_-]{50,}",
            judge: Shape,
        },
        hits: &[hit(
            "",
            ["HRKU-", "AAcm9wB6coxMOin9z9HYMp6sJDT0ueUSMJvsZl8RbyKQUdiKb3elcBzDXzHy"],
            "",
        )],
        misses: &["HRKU-AA"],
    },
    Rule {
        id: "databricks-token",
        keywords: &["dapi"],
        look: Look::Token {
            before: Anything,
            run: 36,
            length: Fixed,
            pattern: r"dapi[a-f0-9]{32}(?:-[0-9]+)?",
            judge: Shape,
        },
        hits: &[hit("", ["dapi", "58f3e75b493853d220dacff7f0a58cee-2"], "")],
        misses: &["dapi", "jedapi.example"],
    },
    Rule {
        id: "vault-token",
        keywords: &["hvs.", "hvb.", "hvr."],
        look: Look::Token {
            before: Anything,
            run: 28,
            length: Open,
            pattern: r"hv[sbr]\.[A-Za-z0-9_-]{24,}",
            judge: Shape,
        },
        hits: &[hit(
            "VAULT=",
            [
                "hvs.",
                "CAESWjOjGbtRBSA2KHAVGQEv5g0XjsN0r93QEgngGFpBhfp8qOgWULMjPWnbJ3eynK\
                 dH21Uy0qrusitrogrjsYHQ9t6fzt",
            ],
            "",
        )],
        misses: &["the hvs. prefix"],
    },
    Rule {
        id: "terraform-token",
        keywords: &[".atlasv1."],
        look: Look::Around {
            before: 14,
            behind: 80,
            run: 83,
            pattern: r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}",
            beside: Beside::Anything,
            judge: Shape,
        },
        hits: &[hit(
            "token = \"",
            [
                "hOYzVX3q3mgrQi",
                ".atlasv1.RPekApYKyDjJaxcolvrOWe87axp54iuEoao9uHkiY1adG404RlVAIIRmq\
                 fiRxbkNjk5",
            ],
            "\"",
        )],
        misses: &["x.atlasv1.y"],
    },
    Rule {
        id: "alibaba-key-id",
        keywords: &["ltai"],
        look: Look::Token {
            before: NoWord,
            run: 20,
            length: Exact,
            pattern: r"LTAI[A-Za-z0-9]{16,24}",
            judge: Random(3.0),
        },
        hits: &[hit("", ["LTAI", "5t1RPDhQvxeFV4FDeEOg"], "")],
        misses: &["LTAI5t"],
    },
    Rule {
        id: "cloud-platform-token",
        keywords: &[
            "pscale_",
            "sbp_",
            "sb_secret_",
            "nfp_",
            "dp.pt.",
            "dp.st.",
            "fm2_",
            "fo1_",
            "tskey-",
            "rnd_",
            "cfut_",
        ],
        look: Look::Token {
            before: NoWord,
            run: 25,
            length: Open,
            pattern: concat!(
                r"(?:pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,}|sbp_[a-f0-9]{40}",
                r"|sb_secret_[A-Za-z0-9_-]{20,}|nfp_[A-Za-z0-9]{36}|dp\.(?:pt",
                r"|st)\.[A-Za-z0-9.]{40,}|(?:fm2|fo1)_[A-Za-z0-9+/=_,-]{40,}",
                r"|tskey-[a-z]+-[A-Za-z0-9-]{20,}|rnd_[A-Za-z0-9]{28,}",
                r"|cfut_[A-Za-z0-9]{40,})"
            ),
            judge: Shape,
        },
        hits: &[
            hit("", ["pscale_tkn_", "YABwQ37j093QZaoKfqEAtIu1r92v6A4lblKVgotoUC1"], ""),
            hit("", ["sbp_", "8abeac339291e2dc77a78f9f567e91376d7e4f46"], ""),
            hit("", ["tskey-", "auth-wdR59QPLObUyCNTRL-uXjDdGdV4wT53pfk2HOpuPmaG06AaD1I"], ""),
        ],
        misses: &["pscale_tkn_", "rnd_seed", "tskey-auth"],
    },
    Rule {
        id: "vercel-token",
        keywords: &["vcp_", "vci_", "vca_", "vcr_", "vck_"],
        look: Look::Token {
            before: NoWord,
            run: 28,
            length: Open,
            pattern: r"vc[piark]_[A-Za-z0-9]{24,}",
            judge: Random(3.0),
        },
        hits: &[hit(
            "vercel --token ",
            ["vcp_", "qH6YytwMe4LbyoVFz8uZdZv8FuKKIBJl5dzpJn0meq7WJjjIBAzupGhv"],
            " deploy",
        )],
        misses: &["vcr_cassette_of_the_login_test", "vci_"],
    },
    Rule {
        id: "aws-signature",
        keywords: &["x-amz-signature="],
        look: Look::Token {
            before: Anything,
            run: 80,
            length: Fixed,
            pattern: r"(?i:x-amz-signature)=([a-f0-9]{64})",
            judge: Shape,
        },
        hits: &[hit(
            "https://a.s3.example/o?X-Amz-Expires=900&X-Amz-Signature=",
            ["4d66", "08697a8d41bed440e50454f31af3176813e02ea68ef786e4d3cea27d2693"],
            "&X-Amz-SignedHeaders=host",
        )],
        misses: &["X-Amz-Signature=<signature>"],
    },
];
