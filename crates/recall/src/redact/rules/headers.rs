//! What goes with a request or a command.

use super::hit;
use crate::redact::{
    authorization,
    before::Before::NoWord,
    command,
    rule::{Judge::Shape, Length::Open, Look, Rule},
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "jwt",
        keywords: &["eyj"],
        look: Look::Token {
            before: NoWord,
            run: 29,
            length: Open,
            pattern: r"eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}){2,4}",
            judge: Shape,
        },
        hits: &[hit(
            "Cookie: session=",
            [
                "eyJ",
                "hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.4SxA\
                 WzX8Is8nepXXCPTdNRBF7nuu6pIB6AJ6un8ospc",
            ],
            "; Path=/",
        )],
        misses: &["eyJhIjoxfQ", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0"],
    },
    Rule {
        id: "bearer-token",
        keywords: &["bearer"],
        look: Look::Read(authorization::bearer),
        hits: &[
            hit("Authorization: Bearer ", ["x9l", "3HHZ5r7LQKUNKExs4ktY3qGvFMXKdM5STUq3F"], "\""),
            hit("authorization: bearer ", ["3a1a", "0d3708d63be3723aa067d8871db7d26ce172"], "\\n"),
            hit("\"bearer\": \"", ["f6c7", "46fc571ec7fb02ad77996c405bdf63642da8"], "\""),
        ],
        misses: &[
            "Bearer authentication is required",
            "Bearer YOUR_TOKEN_1234567",
            "Bearer $TOKEN",
            "Bearer <token>",
        ],
    },
    Rule {
        id: "basic-credentials",
        keywords: &["basic"],
        look: Look::Read(authorization::basic),
        hits: &[
            hit("Authorization: Basic ", ["dXNl", "cjpodW50ZXIyaHVudGVyMg=="], ""),
            hit("header \"basic ", ["YWRt", "aW46czNjcjN0IQ=="], "\""),
        ],
        misses: &[
            "Basic understanding",
            "Basic Operations",
            "basic authentication with a user",
            "Basic <credentials>",
        ],
    },
    Rule {
        id: "command-line-user",
        keywords: &["curl", "wget"],
        look: Look::Read(command::user_flag),
        hits: &[
            hit("curl -s -u deploy:", ["hun", "ter2hunter2"], " https://host"),
            hit("curl --user \"me:", ["corr", "3ct-h0rse"], "\" host"),
            hit("curl \\\n  -u me:", ["corr", "3ct-h0rse"], " \\\n  host"),
        ],
        misses: &[
            "curl -u user:password https://host",
            "`curl -u user:password`.",
            "curl -u \"$USER:$PASSWORD\" https://host",
            "curl -u name: https://host",
            "curl https://host; sort -u a:b1c2d3",
        ],
    },
    Rule {
        id: "command-line-password",
        keywords: &["sshpass", "mysql", "redis-cli", "docker login", "podman login"],
        look: Look::Read(command::password_flag),
        hits: &[
            hit("sshpass -p ", ["hun", "ter2hunter2"], " ssh me@host"),
            hit("mysql -u root -p", ["S3cr", "3tPa55"], " app"),
            hit("redis-cli -h cache -a '", ["corr", "3cthorse"], "' ping"),
            hit("docker login -u me -p ", ["hun", "ter2hunter"], " registry.example"),
            hit("podman login --password=", ["corr", "3cthorse"], " -u me"),
        ],
        misses: &[
            "sshpass -p \"$PASSWORD\" ssh host",
            "mysql -u root -p app",
            "redis-cli -a <password> ping",
            "docker login -u me -p $TOKEN",
            "docker login; docker run -p 8080:80 shop",
            "mysql | less -pattern1",
        ],
    },
    Rule {
        id: "netrc-password",
        keywords: &["machine"],
        look: Look::Read(command::netrc),
        hits: &[
            hit("machine api.example login me password ", ["hun", "ter2hunter"], ""),
            hit("machine a\n  login b\n  password ", ["p4s", "sw0rd!x"], "\n"),
        ],
        misses: &[
            "the machine has a login and a password",
            "machine host login me password <password>",
        ],
    },
    Rule {
        id: "pgpass-password",
        keywords: &[":5432:"],
        look: Look::Read(command::pgpass),
        hits: &[
            hit("db.example:5432:shop:app:", ["hun", "ter2hunter"], "\n"),
            hit("*:5432:*:app:", ["corr", "3ct-h0rse"], ""),
        ],
        misses: &[
            "ports: 127.0.0.1:5432:5432",
            "host:5432:database:user:password",
            "see db:5432: it is up, says: nobody: ever",
        ],
    },
    Rule {
        id: "password-on-standard-input",
        keywords: &["--password-stdin"],
        look: Look::Read(command::piped_password),
        hits: &[
            hit("echo '", ["hun", "ter2hunter"], "' | docker login -u me --password-stdin"),
            hit("echo -n ", ["corr", "3ct-h0rse"], " | helm registry login --password-stdin host"),
            hit("printf '%s' \"", ["S3cr", "3tPa55"], "\" | podman login --password-stdin"),
        ],
        misses: &[
            "echo \"$TOKEN\" | docker login --password-stdin",
            "cat token.txt | docker login --password-stdin",
            "echo done; docker login --password-stdin < file",
            "echo <password> | docker login --password-stdin",
        ],
    },
    Rule {
        id: "registry-credentials",
        keywords: &["auth\"", "auth\\\""],
        look: Look::Read(authorization::registry),
        hits: &[
            hit("{\"auths\": {\"host\": {\"auth\": \"", ["bWU6", "aHVudGVyMmh1bnRlcjI="], "\"}}}"),
            hit("{\\\"auth\\\":\\\"", ["bWU6", "aHVudGVyMmh1bnRlcjI="], "\\\"}"),
        ],
        misses: &["{\"auth\": \"required\"}", "{\"auth\": {}}", "the \"auth\" package"],
    },
    Rule {
        id: "session-cookie",
        keywords: &["cookie:"],
        look: Look::Read(authorization::cookie),
        hits: &[
            hit(
                "Cookie: theme=dark; sessionid=",
                ["a8fr", "cztujawyuh1vauwv1zh87mta5vsq"],
                "; a=1",
            ),
            hit(
                "Set-Cookie: connect.sid=",
                ["s%3A", "XEZY3lEX7bwR2DRGD1qSo7JPRbgUMxXy.9b4BzwoZ648jjNuFD7uacnwIp3S"],
                "; Path=/",
            ),
            hit("curl -H 'cookie: PHPSESSID=", ["fd67", "jikeavstqvvpqzpptejqzh"], "' host"),
        ],
        misses: &[
            "Cookie: theme=dark; lang=de-1996",
            "Cookie: sessionid=<id>",
            "Set-Cookie: session=deleted; Max-Age=0",
            "the cookie: it has a sessionid",
        ],
    },
];
