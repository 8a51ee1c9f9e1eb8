//! Providers of models.

use super::hit;
use crate::redact::{
    before::Before::{Anything, NoWord},
    rule::{
        Beside,
        Judge::{Random, Shape},
        Length::Open,
        Look, Rule,
    },
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "anthropic-key",
        keywords: &["sk-ant-"],
        look: Look::Token {
            before: Anything,
            run: 39,
            length: Open,
            pattern: r"sk-ant-[A-Za-z0-9_-]{32,}",
            judge: Shape,
        },
        hits: &[hit(
            "ANTHROPIC_API_KEY=",
            [
                "sk-ant-",
                "api03-k2hyhEV4cgoENjHOIy0R0Ldf5oRVZctqawkbyQvlfcU99DWhQ4BwYZm5TfW8\
                 jpqYP7zZ0jj0RJORajvwStJanxT2jerJFAA",
            ],
            "",
        )],
        misses: &["sk-ant-api03-your-key-here-and-nothing-else", "sk-ant-..."],
    },
    Rule {
        id: "openai-key",
        keywords: &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-"],
        look: Look::Token {
            before: Anything,
            run: 28,
            length: Open,
            pattern: r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}",
            judge: Shape,
        },
        hits: &[hit(
            "",
            [
                "sk-proj-",
                "4Wr5ZHFLoYIsJrjZGK3eRaiu74CpM1tn2wRKitwSzDKXr2G7jSy5Hdy1xISbl3FQmu\
                 GUeSXjPNT3BlbkFJip3CkN0AvBEIr7FXf849lhsD5k9UFCVuqoANFT55VSL4XVIxg0\
                 ZsIY22myhEzRshnmkGTJbbjB",
            ],
            "",
        )],
        misses: &["sk-proj-xxxxxxxxxxxxxxxxxxxxxxxx"],
    },
    Rule {
        id: "model-provider-key",
        keywords: &["sk-"],
        look: Look::Token {
            before: NoWord,
            run: 23,
            length: Open,
            pattern: r"sk-(?:[a-z]{2,8}-(?:v[0-9]-)?)?[A-Za-z0-9_-]{20,}",
            judge: Random(3.0),
        },
        hits: &[
            hit(
                "curl -H \"x-api-key: ",
                ["sk-", "VUVeBXPuuokTE5UI4gfOT3BlbkFJrx6nP6kv2vGOl1WSfptu"],
                "\"",
            ),
            hit(
                "",
                [
                    "sk-or-",
                    "v1-055a17fd96c3ab7230e8fbb70fc56e7221482cc337e3b72d1943cb221f4746b\
                     c",
                ],
                "",
            ),
        ],
        misses: &[
            "sk-learn-contrib-something-else-2",
            "risk-assessment-matrix-2024-v3",
            "sk-your-openai-key-goes-here-123",
        ],
    },
    Rule {
        id: "hugging-face-token",
        keywords: &["hf_", "api_org_"],
        look: Look::Token {
            before: NoWord,
            run: 33,
            length: Open,
            pattern: r"(?:hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z0-9]{34})",
            judge: Shape,
        },
        hits: &[hit("HF_TOKEN=", ["hf_", "mfVdfKjDsuAdVLXrnvKtAZjlGZWUGaHfKv"], "")],
        misses: &["hf_hub_download", "half_"],
    },
    Rule {
        id: "model-service-token",
        keywords: &[
            "gsk_", "r8_", "xai-", "pplx-", "nvapi-", "lsv2_", "pcsk_", "tgp_v1_", "fw_", "csk-",
        ],
        look: Look::Token {
            before: NoWord,
            run: 25,
            length: Open,
            pattern: concat!(
                r"(?:gsk_[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{36,}|xai-[A-Za-z0-9]{60,}",
                r"|pplx-[A-Za-z0-9]{40,}|nvapi-[A-Za-z0-9_-]{50,}",
                r"|lsv2_[a-z]{2}_[a-f0-9]{32}_[a-f0-9]{10}|pcsk_[A-Za-z0-9_]{40,}",
                r"|tgp_v1_[A-Za-z0-9_-]{40,}|fw_[A-Za-z0-9]{22,}|csk-[a-z0-9]{40,})"
            ),
            judge: Random(3.0),
        },
        hits: &[
            hit("", ["gsk_", "pWfvUN6MwUWVXkX1bcbtPYZqPlUzNjO55ahAgxfzSD7WyehkrEek"], ""),
            hit("", ["r8_", "b68v8vxf1XPKSmuctIggAoTJMAngeW7HNNjZB"], ""),
            hit(
                "",
                [
                    "xai-",
                    "nSLvb0D9vuTFBz6BcWfhp3bD8ye2dpEIi1FBbslYvYGNeN9IRZTSERdjTdG7OCpJvL\
                     cRtwJWsX0h2ILT",
                ],
                "",
            ),
            hit("", ["lsv2_", "pt_c7664cf6cba3fbcbcf97cdb6f9495a29_c13a760edf"], ""),
        ],
        misses: &["gsk_", "fw_version", "disk-r8_x"],
    },
    Rule {
        id: "model-tool-key",
        keywords: &["tvly-", "fc-", "sk_", "aq.ab"],
        look: Look::Token {
            before: NoWord,
            run: 25,
            length: Open,
            pattern: concat!(
                r"(?:tvly-(?:[a-z]{2,8}-)?[A-Za-z0-9]{20,}|fc-[a-f0-9]{32}|sk_[a-f0-9]{48}",
                r"|AQ\.Ab[A-Za-z0-9_-]{40,})"
            ),
            judge: Random(3.0),
        },
        hits: &[
            hit("TAVILY=", ["tvly-", "dev-cSmEHgaKwVJ7faC9qEwjky40UVsWmflz"], ""),
            hit("", ["fc-", "e228f219e9cb0eb53f16947ccf25ec84"], " is for the crawler"),
            hit("xi-api-key: ", ["sk_", "d8dbc74254770f58904dba41ecccc3fc1626e53a13043b02"], ""),
            hit("", ["AQ.", "Ab8RN63NnYJoQ9WmXeHH2fdeeTFJGvVvQe1sKhBN88hXJsi6BwhT"], ""),
        ],
        misses: &["tvly-dev", "fc-cache -fv", "sk_buff", "AQ.Abstract", "task_0123456789abcdef"],
    },
    Rule {
        id: "aws-model-key",
        keywords: &["absk", "bedrock-api-key-"],
        look: Look::Token {
            before: NoWord,
            run: 64,
            length: Open,
            pattern: r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{60,}={0,2}",
            judge: Random(3.0),
        },
        hits: &[hit(
            "AWS_BEARER=",
            [
                "ABSK",
                "QmVkcm9ja0FQSUtleSU8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oool8DklZDOCj2ISaJ\
                 iHkTj0rLGlkoMXGjtEkDnNfribxUdl7dXTPyLsxPFkThf4Vu==",
            ],
            "",
        )],
        misses: &["ABSK", "bedrock-api-key-name"],
    },
    Rule {
        id: "azure-model-key",
        keywords: &["jqqj99"],
        look: Look::Around {
            before: 60,
            behind: 40,
            run: 80,
            pattern: r"[A-Za-z0-9]{48,56}JQQJ99[A-Za-z0-9]{22,30}",
            beside: Beside::Nothing,
            judge: Shape,
        },
        hits: &[hit(
            "api-key: ",
            [
                "p3Fs2QhX6KWxOiixgVoO",
                "nzyw2MzP0ZvzOMhfWuBByReQMsm9Wcz7JQQJ99uW9XFOGOeMVNen5n1Ae6pWzpF1",
            ],
            "\n",
        )],
        misses: &["JQQJ99 is in the middle of them"],
    },
];
