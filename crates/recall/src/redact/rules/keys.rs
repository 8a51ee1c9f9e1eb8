//! Private keys.

use super::hit;
use crate::redact::{
    before::Before::Anything,
    private_key,
    rule::{Judge::Shape, Length::Open, Look, Rule},
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "private-key",
        keywords: &["begin"],
        look: Look::Read(private_key::read),
        hits: &[
            hit(
                "",
                [
                    "-----BEGIN RSA PRIV",
                    "ATE KEY-----\n8s13qcVkshf2kDf/gRrkCBvF3s9OQyGW18adFk2Gmffm77oio+YI\
                     YB/LiZjWMT1U\n3GcLp+nOHQz4Oiff43IgFF8LkYP/coFGn6PTv/FRE1Mq+WFUI3qj\
                     cN5uinMG+lcs\n/nbPYjuZ/S7RyvYQ2RXLfWZr1wxRKwpI1ag7RbGnd6e81vLlYHdD\
                     uqXAZdAnfpq8\n-----END RSA PRIVATE KEY-----",
                ],
                "\n",
            ),
            hit(
                "\"private_key\": \"",
                [
                    "-----BEGIN PRIV",
                    "ATE KEY-----\\nzgdyLH52bBwR6sfXJI31frfPp3jU1Og8qHmls9BxDIzePHfk9sZ\
                     +I9Aef/9JMYvl\\nBFAN04Cbp1r8bVkqf77tgtHwKETXiW==\\n-----END PRIVAT\
                     E KEY-----",
                ],
                "\\n\"",
            ),
            hit(
                "",
                [
                    "-----BEGIN PGP PRIV",
                    "ATE KEY BLOCK-----\nVersion: 2\n\nhYH4lNVfvgfpkGpDp+ka3VFBpcVdnuXS\
                     5XlWN6iiVkRwAXYzz5bq3mjpC3a7aYX3\n=xOXm\n-----END PGP PRIVATE KEY \
                     BLOCK-----",
                ],
                "",
            ),
            hit(
                "+",
                [
                    "-----BEGIN OPENSSH PRIV",
                    "ATE KEY-----\n+y4OgCrIXySDTUK/S2oKljHrBw4ruF6DzH2D0FvBJ7bmNXrm9ORX\
                     42m8BcC9pmJxDgJGhPx\n+bcATgvzO5Ohcy36dK53seFq0rvJi4st04DIBCTwd\n+-\
                     ----END OPENSSH PRIVATE KEY-----",
                ],
                "\n",
            ),
            hit(
                "",
                [
                    "-----BEGIN ENCRYPTED PRIV",
                    "ATE KEY-----\nGJaoVZ2FsMKIyKRBYFDKA5kVm1xx4zXUxCM+y5Tue1OBd5br4p4G\
                     CoRyx40ASS3a\nNriztNFF200QWKFVxXvKLgvlM697Z3LUBfHm8Krf4y5pNr+Ux/FK\
                     OZsz2pEdX8hI",
                ],
                "\nand then it was cut off",
            ),
            hit(
                "",
                [
                    "-----BEGIN RSA PRIV",
                    "ATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n\
                     HdN8nGHFK6hx0dh5xNKqVqk8gF0kWb0q3pYvQ2xLm4Zr8YpW1nBc6Hs3Df7Gj0Ka",
                ],
                "\nand then it was cut off",
            ),
        ],
        misses: &[
            "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAK\n--\
             ---END PUBLIC KEY-----",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
            "-----BEGIN CERTIFICATE-----",
        ],
    },
    Rule {
        id: "encoded-private-key",
        keywords: &["ls0tls1crudjti"],
        look: Look::Token {
            before: Anything,
            run: 56,
            length: Open,
            pattern: r"LS0tLS1CRUdJTi(?:BS|BF|BQ|BP|BE)[A-Za-z0-9+/]{40,}={0,2}",
            judge: Shape,
        },
        hits: &[hit(
            "client-key-data: ",
            [
                "LS0tLS1CRUdJTi",
                "BSU0EgUFJJVkFURSBLRVktLS0tLQNKQLKkM6n+79rrTYNO4erksVw9ojhpMZCc5R+x\
                 TdMzBdiOQUzeFmQIcBpmQuaRR45hJcAglkwUlWQPUmSil6+ap4on7dk7xGTgjzz/pr\
                 keOqf9tC/30ofyOvcg0cPUqI4bsNDIBeinh93hUlT9nTyqbTL//XKdRBQnIXYtGNxH\
                 th4sv4rvpszRuh8dSyZ+cgskrR1q1iJr8C8lTQd2FUK1GmKUVpNkmSKA0aV9eEtVom\
                 Kn+ZFpTDVIAeC7Yyy9NW3Ql3wJQiMqeLC/igkVy2N4VJrWfUoZ0SKG3CUKJdUfwl==",
            ],
            "\n",
        )],
        misses: &["certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk\
         1JSUR6VENDQXJXZ0F3SUJBZ0lVWUp"],
    },
    Rule {
        id: "putty-key",
        keywords: &["private-lines:"],
        look: Look::Read(private_key::putty),
        hits: &[
            hit(
                "Public-Lines: 1\nAAAA\nPrivate-Lines: 3\n",
                [
                    "3UHKwkflF6XUi5AhuqpfEnbtXAqwK8jZfALhLSzFyCmmdKTxp/TkSF2RCdKDFRuN\n",
                    "w5GCf+hA6ILI8gJhead6/wJ9kFZJSqgmRB9H+iMb+lk777PZnK8Cl6J5ixaaJLSh\n\
                     8XIm0ogR4HtXOf54fZBK",
                ],
                "\nPrivate-MAC: 1a2b",
            ),
            hit(
                "Private-Lines: 1\\r\\n",
                ["3UHKwkfl", "F6XUi5AhuqpfEnbtXAqwK8jZfALhLSzF"],
                "\\r\\nPrivate-MAC",
            ),
            hit("Private-Lines: 9\n", ["AAAAgQC7", "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2"], ""),
        ],
        misses: &["Private-Lines: 0\nPrivate-MAC", "Private-Lines: 3\nand then the key"],
    },
];
