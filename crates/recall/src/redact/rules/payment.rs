//! Payment and shops.

use super::hit;
use crate::redact::{
    before::Before::{Anything, NoWord},
    rule::{
        Judge::{Random, Shape},
        Length::{Fixed, Open},
        Look, Rule,
    },
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "stripe-key",
        keywords: &["sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_org_"],
        look: Look::Token {
            before: Anything,
            run: 24,
            length: Open,
            pattern: r"[sr]k_(?:live|test|org)_[A-Za-z0-9_]{16,}",
            judge: Shape,
        },
        hits: &[
            hit(
                "",
                [
                    "sk_live_",
                    "51eJPqLc9AUmH6CutqZOIJPEY0e5D2Z3gvbOC6YNZ4t7wZ2WrVECSv4qrgx2k8Abq0\
                     QRTtHLY6bjB8GWBnwGsMAh4Ac7uD0Tiry",
                ],
                "",
            ),
            hit("", ["rk_live_", "l7Xs5c6OOGelbdllHDqSZAEe"], ""),
        ],
        misses: &["pk_live_4eC39HqLyjWDarjtT1zdp7dc", "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx"],
    },
    Rule {
        id: "webhook-secret",
        keywords: &["whsec_"],
        look: Look::Token {
            before: Anything,
            run: 30,
            length: Open,
            pattern: r"whsec_[A-Za-z0-9+/=]{24,}",
            judge: Shape,
        },
        hits: &[hit("", ["whsec_", "tXRwz0izVkDoLrc6rbNWRuCWHyknWDd0"], "")],
        misses: &["whsec_..."],
    },
    Rule {
        id: "shopify-token",
        keywords: &["shpat_", "shpss_", "shpca_", "shppa_", "shpua_"],
        look: Look::Token {
            before: Anything,
            run: 38,
            length: Fixed,
            pattern: r"shp(?:at|ss|ca|pa|ua)_[A-Fa-f0-9]{32,}",
            judge: Shape,
        },
        hits: &[hit("", ["shpat_", "bb84a82f7445b7dcc0075d7e40731ca6"], "")],
        misses: &["shpat_"],
    },
    Rule {
        id: "square-token",
        keywords: &["sq0csp-", "sq0atp-", "eaaa"],
        look: Look::Token {
            before: NoWord,
            run: 30,
            length: Open,
            pattern: r"(?:sq0(?:csp|atp)-[A-Za-z0-9_-]{22,}|EAAA[A-Za-z0-9_-]{60,})",
            judge: Random(3.0),
        },
        hits: &[hit("", ["sq0csp-", "5DfQYowJnwIJ1Vf8EDczvNz9x3Hlb5Ye6EHY0bqsTWD"], "")],
        misses: &["beaaa", "sq0csp-"],
    },
    Rule {
        id: "payment-token",
        keywords: &["access_token$production$", "rzp_live_", "flwseck-", "access-production-"],
        look: Look::Token {
            before: Anything,
            run: 23,
            length: Fixed,
            pattern: concat!(
                r"(?:access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}",
                r"|rzp_live_[A-Za-z0-9]{14,}|FLWSECK-[a-f0-9]{32}-X",
                r"|access-production-[a-f0-9-]{36})"
            ),
            judge: Shape,
        },
        hits: &[
            hit("", ["rzp_live_", "bwOOUdGesomptA"], ""),
            hit("", ["access-production-", "0cd4754b-1a2b-4c3d-8e4f-1d264fa82134"], ""),
        ],
        misses: &["rzp_live_"],
    },
];
