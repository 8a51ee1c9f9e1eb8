//! Registries of packages and images.

use super::hit;
use crate::redact::{
    before::Before::{Anything, NoWord},
    rule::{
        Judge::{Random, Shape},
        Length::{Exact, Fixed, Open},
        Look, Rule,
    },
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "npm-token",
        keywords: &["npm_"],
        look: Look::Token {
            before: Anything,
            run: 40,
            length: Fixed,
            pattern: r"npm_[A-Za-z0-9]{36,}",
            judge: Shape,
        },
        hits: &[hit(
            "//registry.example/:_authToken=",
            ["npm_", "b8plph3cLgQPeAhFEokdndahZmwYbzsISGr1"],
            "",
        )],
        misses: &["npm_config_registry", "npm_package_version"],
    },
    Rule {
        id: "pypi-token",
        keywords: &["pypi-"],
        look: Look::Token {
            before: Anything,
            run: 55,
            length: Open,
            pattern: r"pypi-[A-Za-z0-9_-]{50,}",
            judge: Shape,
        },
        hits: &[hit(
            "password = ",
            [
                "pypi-",
                "AgEIcHlwaS5vcmcCqV7JE2tWKxfRy9b1k8xQIorSsOeE93YZpAsQpakKNXBdeVIwIc\
                 kZLIjCZACvMIYo3S1Ljwcc0GrUPDFD9NVGTGLy28HyExAwTHdC1reuNgpcdzt5wUJB\
                 dabfnyT5BrKocxkl7xieRdHx",
            ],
            "",
        )],
        misses: &["pypi-server"],
    },
    Rule {
        id: "crates-io-token",
        keywords: &["cio"],
        look: Look::Token {
            before: NoWord,
            run: 35,
            length: Exact,
            pattern: r"cio[A-Za-z0-9]{32}",
            judge: Random(3.0),
        },
        hits: &[hit("cargo login ", ["cio", "Np1WaCPEZPl0Z2OM3RAMRqzD105podYR"], "")],
        misses: &["cio", "ciotat"],
    },
    Rule {
        id: "rubygems-key",
        keywords: &["rubygems_"],
        look: Look::Token {
            before: Anything,
            run: 57,
            length: Fixed,
            pattern: r"rubygems_[a-f0-9]{48}",
            judge: Shape,
        },
        hits: &[hit("", ["rubygems_", "846ad3fdb7c87110ba0053e154d401e326b6f77c3a0435dd"], "")],
        misses: &["rubygems_api_key"],
    },
    Rule {
        id: "docker-token",
        keywords: &["dckr_pat_", "dckr_oat_"],
        look: Look::Token {
            before: Anything,
            run: 33,
            length: Open,
            pattern: r"dckr_[po]at_[A-Za-z0-9_-]{24,}",
            judge: Shape,
        },
        hits: &[hit("docker login -p ", ["dckr_pat_", "0LOtGDwA5H68FHtdnhbu8YGORvT"], "")],
        misses: &["dckr_pat_"],
    },
    Rule {
        id: "nuget-key",
        keywords: &["oy2"],
        look: Look::Token {
            before: NoWord,
            run: 46,
            length: Exact,
            pattern: r"oy2[a-z0-9]{43}",
            judge: Shape,
        },
        hits: &[hit("nuget push -k ", ["oy2", "nhpakm45cgcda37n6j7hb2lolgoddie7fggo2e5743g"], "")],
        misses: &["oy2", "toy2"],
    },
    Rule {
        id: "clojars-token",
        keywords: &["clojars_"],
        look: Look::Token {
            before: Anything,
            run: 68,
            length: Fixed,
            pattern: r"CLOJARS_[a-f0-9]{60}",
            judge: Shape,
        },
        hits: &[hit(
            "",
            ["CLOJARS_", "fae712d330c0e32875f6c9f612fccb370a610075cd86e30a8b76956fa4cb"],
            "",
        )],
        misses: &["CLOJARS_USERNAME"],
    },
    Rule {
        id: "artifactory-token",
        keywords: &["cmvmdgtu", "akcp"],
        look: Look::Token {
            before: Anything,
            run: 58,
            length: Open,
            pattern: r"(?:cmVmdGtu[A-Za-z0-9]{50,}|AKCp[0-9][A-Za-z0-9]{60,})",
            judge: Shape,
        },
        hits: &[
            hit(
                "",
                [
                    "AKCp",
                    "8SY1EeGw3BPGGHX6Z0J4siJrjbKLyKVz64eBbnTqqoqQyR612SrSRRqGyBDEayCGzv\
                     ptw",
                ],
                "",
            ),
            hit("", ["cmVmdGtu", "UBVeu5NPciIiNJJE6S9zm5WoSqx4vYovukRc32ANI5ex9t5vLzC6td1r"], ""),
        ],
        misses: &["AKCp"],
    },
];
