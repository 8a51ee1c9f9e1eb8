//! The versions of the clients that the tests are written for, down to their bytes.
//!
//! Where a client is published as a small script that looks for the package of its platform, the
//! platform's package is pinned: it is what runs.

use super::clients::{Build, Client, Pace, Platform};

/// The clients that `cargo xtask test` drives.
pub(super) const CLIENTS: &[Client] = &[
    Client {
        name: "claude",
        version: "2.1.325",
        variable: "PACENOTE_CLIENT_CLAUDE",
        pace: Pace::Quick,
        builds: &[
            Build {
                platform: Platform::Only("linux", "x86_64"),
                package: "@anthropic-ai/claude-code-linux-x64",
                edition: "",
                integrity: "sha512-BqZzMvP/zgLLL34S+7OzbG+cyoFp7gwWHU5koVwsyMlT\
                            Az+0zZAmbY+UkzvtN2RXxp6AcMenbYIjQJxoXfUY3w==",
                program: "claude",
            },
            Build {
                platform: Platform::Only("linux", "aarch64"),
                package: "@anthropic-ai/claude-code-linux-arm64",
                edition: "",
                integrity: "sha512-NCvQcOxr685Y4mkYUjQT8l/Ouzw0k2xWloWeyzfsUtWi\
                            OedHosPkaW6XCSpzAl1dMuvDNBF97qpWgVDrSdK2Vw==",
                program: "claude",
            },
            Build {
                platform: Platform::Only("macos", "aarch64"),
                package: "@anthropic-ai/claude-code-darwin-arm64",
                edition: "",
                integrity: "sha512-Ds1f1B+qy2BWDI+VnmDHwkNyTbXCwFrBtrinPD95RBmU\
                            ubFJu9nCzMgn+wrg5VwwF6vtkkzGexogneZIYZKb6A==",
                program: "claude",
            },
            Build {
                platform: Platform::Only("macos", "x86_64"),
                package: "@anthropic-ai/claude-code-darwin-x64",
                edition: "",
                integrity: "sha512-+wTK42IT/b5GZHxAVVMLNnCHG/CtngztTE6fNn5s4h47\
                            LNXrDQz2RpPLsY5XHr8astNzk7GWPU8GecCG+5EEIQ==",
                program: "claude",
            },
        ],
    },
    Client {
        name: "codex",
        version: "0.166.0",
        variable: "PACENOTE_CLIENT_CODEX",
        pace: Pace::Quick,
        builds: &[
            Build {
                platform: Platform::Only("linux", "x86_64"),
                package: "@openai/codex",
                edition: "-linux-x64",
                integrity: "sha512-CxDm3+D1cpbGJeHrdzINoG+3wn9BVncP4qpZaaNYkxe8\
                            iPtRJOYyCJnnPoVjWRIBvI9vPKbRoifsMSA5xDaUpw==",
                program: "vendor/x86_64-unknown-linux-musl/bin/codex",
            },
            Build {
                platform: Platform::Only("linux", "aarch64"),
                package: "@openai/codex",
                edition: "-linux-arm64",
                integrity: "sha512-w0ScAsBr9aZKtIFrh6HN6KU2yjKKeSCzYfbb7DB0Ccj4\
                            BYPzeZtUeQprbycLCwuX3AFQdbdjapmLho2iot74jQ==",
                program: "vendor/aarch64-unknown-linux-musl/bin/codex",
            },
            Build {
                platform: Platform::Only("macos", "aarch64"),
                package: "@openai/codex",
                edition: "-darwin-arm64",
                integrity: "sha512-5fWH6qqUInACcRADIewjlnRxDb4QLe0uriwehiZz0+vi\
                            uAAB8I+WWefqw4xwHvyKaxeiGX4uK56+vrgfvFk3FQ==",
                program: "vendor/aarch64-apple-darwin/bin/codex",
            },
            Build {
                platform: Platform::Only("macos", "x86_64"),
                package: "@openai/codex",
                edition: "-darwin-x64",
                integrity: "sha512-Vj5wXJPizKmrzNtnRNQf9PP6FJkG3iJU/UO3NE4WvkEN\
                            ZGoQfmImdwf4MVRI5NgwjSuC6LT0HbBRHPVVnwGHuw==",
                program: "vendor/x86_64-apple-darwin/bin/codex",
            },
        ],
    },
    Client {
        name: "gemini",
        version: "0.61.0",
        variable: "PACENOTE_CLIENT_GEMINI",
        pace: Pace::Quick,
        builds: &[Build {
            platform: Platform::Any,
            package: "@google/gemini-cli",
            edition: "",
            integrity: "sha512-dbQ9A0qBtFJNi6XBkHvfZ6Azpn6PNgH/P8h2MZ67RLlX\
                            8hSAVjup39CRWqdRxZv7YXIuhrFaytr8y0jKnkoxnQ==",
            program: "bundle/gemini.js",
        }],
    },
    Client {
        name: "opencode",
        version: "1.18.33",
        variable: "PACENOTE_CLIENT_OPENCODE",
        pace: Pace::Slow,
        builds: &[Build {
            platform: Platform::Only("linux", "x86_64"),
            package: "opencode-linux-x64",
            edition: "",
            integrity: "sha512-q/t/3p2CTxOT9y2kvjesb/LZab2+1eqlhhWA02Be6mjT\
                            tmYtNBcBsrI5yDo4Fw7ZSPBW2oyMIGMNRqiKQjiAWw==",
            program: "bin/opencode",
        }],
    },
    Client {
        name: "copilot",
        version: "1.0.102",
        variable: "PACENOTE_CLIENT_COPILOT",
        pace: Pace::Slow,
        builds: &[
            Build {
                platform: Platform::Only("linux", "x86_64"),
                package: "@github/copilot-linux-x64",
                edition: "",
                integrity: "sha512-eGHPbsP0p2QgfVZCjtbGBFZPBOJQ0DN7xIbBRAo7oG8b\
                            1zfLirQIdfI4h8Iy68Dv2cKJGJZg2/EO7W7KpIMJOw==",
                program: "copilot",
            },
            Build {
                platform: Platform::Only("linux", "aarch64"),
                package: "@github/copilot-linux-arm64",
                edition: "",
                integrity: "sha512-5rO0B2/AduCekrE+aUzipySKZxZY2b/tVRZ8Suy8ymPF\
                            NC0Q7HQiQ8DZhxj+3RhHR8rU2Z8KOJVAbtMlROX6+A==",
                program: "copilot",
            },
            Build {
                platform: Platform::Only("macos", "aarch64"),
                package: "@github/copilot-darwin-arm64",
                edition: "",
                integrity: "sha512-M4Jwxvw9CzxQUVoAz4UFbwFw9SpjUXbMzD481ifFJ+o/\
                            GXYJy5+sYxWRSfGhPA9e/w4DlWxdpkSQFnagl/AYbA==",
                program: "copilot",
            },
            Build {
                platform: Platform::Only("macos", "x86_64"),
                package: "@github/copilot-darwin-x64",
                edition: "",
                integrity: "sha512-n4jBdS+QxrXWiQ9v9tUBZUcJ0hlWVG75Qs3Gzo25BRzl\
                            WQSSd5eCNrfOVf4Cr95mAK/L54dne+8rSwASNRG7qA==",
                program: "copilot",
            },
        ],
    },
    Client {
        name: "qwen",
        version: "0.15.10",
        variable: "PACENOTE_CLIENT_QWEN",
        pace: Pace::Slow,
        builds: &[Build {
            platform: Platform::Any,
            package: "@qwen-code/qwen-code",
            edition: "",
            integrity: "sha512-A1rAUg7TTO62yuwogzEstMWLVxQ4n4JO26k9t6s93Ed1\
                            4svp7W+7WEAAZhUMmxPf/q9xQQW7LwX48cuQcgKDBQ==",
            program: "cli.js",
        }],
    },
];
