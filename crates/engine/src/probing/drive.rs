//! How each client is run headless against a model on loopback. One row each; all of it was tried.

use serde_json::{Value, json};

/// Makes a call of a tool from a command or a prompt: its name and its input.
pub(super) type Tool = fn(&str) -> (&'static str, Value);

/// Makes the arguments of a turn from its prompt.
pub(super) type Arguments = fn(&Scene<'_>, &str) -> Vec<String>;

/// How a client is run.
pub(super) struct Drive {
    pub(super) name: &'static str,
    /// Variables, given the address of the model and the scratch directory.
    pub(super) variables: fn(&Scene<'_>) -> Vec<(String, String)>,
    /// Files in its home that it cannot do without.
    pub(super) files: fn(&Scene<'_>) -> Vec<(&'static str, String)>,
    /// The arguments of the first turn.
    pub(super) first: Arguments,
    /// The arguments of a further turn of the same session.
    pub(super) next: Option<Arguments>,
    /// Whether the prompt comes on standard input.
    pub(super) reads_prompt: bool,
    /// The tool that runs a command.
    pub(super) shell: Tool,
    /// The tool that starts a subagent.
    pub(super) agent: Option<Tool>,
    /// How it is made to compact.
    pub(super) compaction: Option<Compaction>,
    /// How it spells what hooks answer.
    pub(super) spelling: Spelling,
}

/// How a client spells texts for its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// As they are.
    Exact,
    /// With entities for angle brackets.
    Entities,
}

impl Spelling {
    /// Returns a text as the model reads it.
    pub(super) fn of(self, text: &str) -> String {
        match self {
            Self::Exact => text.to_owned(),
            Self::Entities => text.replace('<', "&lt;").replace('>', "&gt;"),
        }
    }
}

/// How a client is made to compact: by how many tokens the model says it read.
#[derive(Clone, Copy)]
pub(super) enum Compaction {
    /// With a tool call, in the middle of the turn.
    AfterTool {
        /// The tokens.
        usage: u64,
    },
    /// With an answer, before the client ends.
    AfterTurn {
        /// The tokens.
        usage: u64,
    },
    /// With an answer, at the beginning of the next turn.
    NextTurn {
        /// The tokens.
        usage: u64,
    },
    /// At the beginning of a turn for which its settings say that the context is full.
    BySettings {
        /// The file of settings, and what is in it.
        settings: fn() -> (&'static str, String),
    },
    /// By a prompt that asks for it.
    ByPrompt {
        /// The prompt.
        prompt: &'static str,
    },
}

/// What a row needs to know.
pub(super) struct Scene<'a> {
    /// The address of the model.
    pub(super) model: &'a str,
    /// The session's id, for clients that take one.
    pub(super) session: &'a str,
}

/// Returns how a client is run.
pub(super) fn drive_of(name: &str) -> Option<&'static Drive> {
    DRIVES.iter().find(|drive| drive.name == name)
}

static DRIVES: [Drive; 6] = [
    Drive {
        name: "claude",
        variables: |scene| {
            variables(&[
                ("ANTHROPIC_BASE_URL", scene.model),
                ("ANTHROPIC_API_KEY", "fake"),
                ("DISABLE_TELEMETRY", "1"),
                ("DISABLE_AUTOUPDATER", "1"),
                ("DISABLE_ERROR_REPORTING", "1"),
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
                ("CLAUDE_CODE_MAX_RETRIES", "0"),
            ])
        },
        files: |_| Vec::new(),
        first: |scene, _| {
            words(&["-p", "--output-format", "json", "--allowedTools", "Bash,Agent"])
                .chain(words(&["--session-id", scene.session]))
                .collect()
        },
        next: Some(|scene, _| {
            words(&["-p", "--output-format", "json", "--allowedTools", "Bash,Agent"])
                .chain(words(&["--resume", scene.session]))
                .collect()
        }),
        reads_prompt: true,
        shell: |command| ("Bash", json!({ "command": command, "description": "run it" })),
        agent: Some(|prompt| {
            let input = json!({
                "description": "a subagent",
                "subagent_type": "general-purpose",
                "run_in_background": false,
                "prompt": prompt,
            });
            ("Agent", input)
        }),
        compaction: Some(Compaction::AfterTool { usage: 980_000 }),
        spelling: Spelling::Exact,
    },
    Drive {
        name: "codex",
        variables: |_| variables(&[("SCRIPTED_KEY", "fake")]),
        files: |_| Vec::new(),
        first: |scene, prompt| codex(scene, &[prompt]),
        next: Some(|scene, prompt| codex(scene, &["resume", "--last", prompt])),
        reads_prompt: false,
        shell: |command| ("exec_command", json!({ "cmd": command })),
        agent: Some(|prompt| ("spawn_agent", json!({ "message": prompt }))),
        compaction: Some(Compaction::NextTurn { usage: 18_000 }),
        spelling: Spelling::Exact,
    },
    Drive {
        name: "gemini",
        variables: |scene| {
            variables(&[
                ("GEMINI_API_KEY", "fake"),
                ("GOOGLE_GEMINI_BASE_URL", scene.model),
                ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
            ])
        },
        files: |_| vec![gemini_settings(&json!({}))],
        first: |_, prompt| gemini(&[], prompt),
        next: Some(|_, prompt| gemini(&["--resume", "latest"], prompt)),
        reads_prompt: false,
        shell: |command| ("run_shell_command", json!({ "command": command })),
        agent: Some(|prompt| {
            ("invoke_agent", json!({ "agent_name": "generalist", "prompt": prompt }))
        }),
        // It counts anew when a session is resumed, and 5,000 tokens are less than the notes.
        compaction: Some(Compaction::BySettings {
            settings: || gemini_settings(&json!({ "compressionThreshold": 0.005 })),
        }),
        spelling: Spelling::Exact,
    },
    Drive {
        name: "opencode",
        variables: |scene| {
            let config = json!({
                "autoupdate": false,
                "share": "disabled",
                "model": "scripted/scripted-model",
                "small_model": "scripted/scripted-model",
                "permission": "allow",
                "provider": { "scripted": {
                    "npm": "@ai-sdk/openai-compatible",
                    "name": "scripted",
                    "options": { "baseURL": format!("{}/v1", scene.model), "apiKey": "fake" },
                    "models": { "scripted-model": {
                        "name": "scripted",
                        "limit": { "context": 20_000, "output": 4_096 },
                    } },
                } },
            });
            variables(&[
                ("OPENCODE_CONFIG_CONTENT", &config.to_string()),
                ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
                ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
                ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
                ("npm_config_fetch_retries", "0"),
            ])
        },
        files: |_| Vec::new(),
        first: |_, _| words(&["run", "--format", "json"]).collect(),
        next: Some(|_, _| words(&["run", "--format", "json", "-c"]).collect()),
        reads_prompt: true,
        shell: |command| ("bash", json!({ "command": command, "description": "run it" })),
        agent: Some(|prompt| {
            let input = json!({
                "description": "a subagent", "subagent_type": "general", "prompt": prompt,
            });
            ("task", input)
        }),
        compaction: Some(Compaction::AfterTurn { usage: 19_000 }),
        spelling: Spelling::Exact,
    },
    Drive {
        name: "copilot",
        variables: |scene| {
            variables(&[
                ("COPILOT_OFFLINE", "true"),
                ("COPILOT_AUTO_UPDATE", "false"),
                ("COPILOT_PROVIDER_BASE_URL", &format!("{}/v1", scene.model)),
                ("COPILOT_PROVIDER_API_KEY", "fake"),
                ("COPILOT_MODEL", "scripted-model"),
            ])
        },
        files: |_| Vec::new(),
        first: |_, prompt| {
            words(&["--allow-all-tools", "--output-format", "json", "-p", prompt]).collect()
        },
        next: Some(|_, prompt| {
            words(&["--allow-all-tools", "--output-format", "json", "--continue", "-p", prompt])
                .collect()
        }),
        reads_prompt: false,
        shell: |command| ("bash", json!({ "command": command, "description": "run it" })),
        agent: Some(|prompt| {
            let input = json!({
                "agent_type": "general-purpose", "name": "sewer", "description": "a subagent",
                "mode": "sync", "prompt": prompt,
            });
            ("task", input)
        }),
        compaction: Some(Compaction::ByPrompt { prompt: "/compact" }),
        spelling: Spelling::Exact,
    },
    Drive {
        name: "qwen",
        variables: |scene| {
            variables(&[
                ("OPENAI_API_KEY", "fake"),
                ("OPENAI_BASE_URL", &format!("{}/v1", scene.model)),
                ("OPENAI_MODEL", "scripted-model"),
            ])
        },
        files: |_| Vec::new(),
        first: |_, prompt| qwen(&[], prompt),
        next: Some(|_, prompt| qwen(&["--continue"], prompt)),
        reads_prompt: false,
        shell: |command| {
            ("run_shell_command", json!({ "command": command, "is_background": false }))
        },
        agent: Some(|prompt| {
            let input = json!({
                "description": "a subagent", "subagent_type": "general-purpose", "prompt": prompt,
            });
            ("agent", input)
        }),
        compaction: Some(Compaction::AfterTool { usage: 120_000 }),
        spelling: Spelling::Entities,
    },
];

fn codex(scene: &Scene<'_>, last: &[&str]) -> Vec<String> {
    let provider = format!(
        "model_providers.scripted={{name=\"scripted\",base_url=\"{}/v1\",env_key=\"SCRIPTED_KEY\",\
         wire_api=\"responses\",request_max_retries=0,stream_max_retries=0}}",
        scene.model
    );
    let settings = [
        "model=\"scripted-model\"",
        "model_provider=\"scripted\"",
        &provider,
        "model_context_window=20000",
        "model_auto_compact_token_limit=15000",
        "check_for_update_on_startup=false",
        "analytics.enabled=false",
        "feedback.enabled=false",
    ];
    words(&["exec", "--json", "--skip-git-repo-check", "--disable", "plugins"])
        .chain(words(&["-s", "danger-full-access", "--dangerously-bypass-hook-trust"]))
        .chain(settings.iter().flat_map(|setting| ["-c".to_owned(), (*setting).to_owned()]))
        .chain(words(last))
        .collect()
}

fn gemini(more: &[&str], prompt: &str) -> Vec<String> {
    words(&["-o", "json", "--approval-mode", "yolo", "-m", "gemini-2.5-flash"])
        .chain(words(more))
        .chain(words(&["-p", prompt]))
        .collect()
}

fn qwen(more: &[&str], prompt: &str) -> Vec<String> {
    words(&["--auth-type", "openai", "-o", "json", "--approval-mode", "yolo"])
        .chain(words(more))
        .chain(words(&["-p", prompt]))
        .collect()
}

fn gemini_settings(model: &Value) -> (&'static str, String) {
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "privacy": { "usageStatisticsEnabled": false },
        "general": { "enableAutoUpdate": false },
        "model": model,
    });
    (".gemini/settings.json", settings.to_string())
}

fn words(words: &[&str]) -> impl Iterator<Item = String> {
    words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>().into_iter()
}

fn variables(variables: &[(&str, &str)]) -> Vec<(String, String)> {
    variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
