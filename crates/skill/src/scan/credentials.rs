//! Keys, tokens and password stores are read.

use super::{
    Family::Credentials,
    Severity::{High, Low, Medium},
    judge::Judge,
    rule::{Look, Rule},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "private-key-read",
        family: Credentials,
        severity: High,
        reason: "a private SSH key is read",
        hits: &[
            "cat ~/.ssh/id_rsa",
            "base64 -w0 \"$HOME/.ssh/id_ed25519\"",
            "open(os.path.expanduser('~/.ssh/id_rsa')).read()",
            "cp -r ~/.ssh /tmp/backup",
            "tar czf keys.tgz ~/.ssh/",
        ],
        misses: &[
            "cat ~/.ssh/id_ed25519.pub",
            "ssh -i ~/.ssh/id_rsa me@host",
            "chmod 600 ~/.ssh/id_rsa",
            "cat ~/.ssh/config",
        ],
        look: Look::Pattern {
            keywords: &[".ssh"],
            pattern: concat!(
                r"(?:\b(?:cat|less|more|head|tail|base64|xxd|cp|mv|scp|tar|zip|rsync|strings",
                r"|get-content|type|gc)\s[^\n|;&]*",
                r"|\b(?:open|readfile(?:sync)?|read_text|read_bytes|path|glob)\s*\([^\n]*)",
                r"(?:~|home\}?|/root|/home/[^/\s]+|/users/[^/\s]+|homedir\(\)[^\n/]*",
                r"|%userprofile%)['\x22\s,]*[/\\]+\.ssh",
                r"(?:[/\\]+(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:[^.\w]|$)|\*)",
                r"|[/\\]*['\x22]?(?:\s|$|['\x22)]))",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "token-file-read",
        family: Credentials,
        severity: Medium,
        reason: "a file is read in which a tool keeps its tokens",
        hits: &[
            "cat ~/.aws/credentials",
            "open(Path.home() / '.netrc')",
            "cat ~/.config/gcloud/application_default_credentials.json",
            "jq . ~/.claude/.credentials.json",
            "fs.readFileSync(os.homedir() + '/.codex/auth.json')",
            "grep KEY ~/.openclaw/.env",
        ],
        misses: &["Put your keys into ~/.aws/credentials", "rm -f ~/.netrc", "cat .env.example"],
        look: Look::Pattern {
            keywords: &[
                ".aws",
                "gcloud",
                ".azure",
                ".kube",
                ".docker",
                ".netrc",
                ".npmrc",
                ".pypirc",
                ".git-credentials",
                ".pgpass",
                ".credentials.json",
                "auth.json",
                ".openclaw",
                ".clawdbot",
                "oauth_creds",
            ],
            pattern: concat!(
                r"(?:\b(?:cat|less|more|head|tail|base64|xxd|cp|jq|grep|scp|tar|zip|strings",
                r"|get-content)\s[^\n|;&]*|\b(?:open|readfile(?:sync)?|read_text|path",
                r"|path\.home|homedir)\s*\([^\n]*)",
                r"(?:\.aws[/\\]credentials|gcloud/",
                r"(?:application_default_credentials|credentials\.db|access_tokens\.db)",
                r"|\.azure/(?:accesstokens|msal_token_cache|azureprofile)|\.kube/config",
                r"|\.docker/config\.json|\.netrc\b|\.npmrc\b|\.pypirc\b|\.git-credentials",
                r"|\.pgpass\b|\.claude/\.credentials\.json|\.codex/auth\.json",
                r"|\.gemini/oauth_creds\.json|\.(?:openclaw|clawdbot)/",
                r"(?:\.env|credentials|\S*auth))",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "keychain-read",
        family: Credentials,
        severity: Medium,
        reason: "a password is taken out of the system's keychain",
        hits: &[
            "security find-generic-password -s Chrome -w",
            "secret-tool lookup service mail",
            "vaultcmd /listcreds:\"Windows Credentials\"",
        ],
        misses: &["security find-identity -p codesigning", "security add-generic-password -s tool"],
        look: Look::Pattern {
            keywords: &[
                "find-generic-password",
                "find-internet-password",
                "secret-tool",
                "vaultcmd",
            ],
            pattern: concat!(
                r"\bsecurity\s+find-(?:generic|internet)-password\s[^\n]*-[a-z]*[wg]\b",
                r"|\bsecret-tool\s+(?:lookup|search)\s|\bvaultcmd\s+/list[^\n]*",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "keychain-dump",
        family: Credentials,
        severity: High,
        reason: "all passwords of a keychain are taken out",
        hits: &[
            "security dump-keychain -d login.keychain",
            "cp ~/Library/Keychains/login.keychain-db /tmp/k",
        ],
        misses: &["security list-keychains"],
        look: Look::Pattern {
            keywords: &["dump-keychain", "login.keychain"],
            pattern: concat!(
                r"\bsecurity\s+dump-keychain\b[^\n]*",
                r"|\b(?:cp|cat|zip|tar|base64)\s[^\n]*login\.keychain(?:-db)?",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "browser-passwords",
        family: Credentials,
        severity: High,
        reason: "the passwords or cookies that a browser keeps are read",
        hits: &[
            "cp \"$HOME/Library/Application Support/Google/Chrome/Default/Login Data\" /tmp/l.db",
            "~/.mozilla/firefox/*.default/logins.json",
            "sqlite3 ~/.config/google-chrome/Default/Cookies",
        ],
        misses: &["Chrome keeps cookies for each site", "delete the cookies in Firefox"],
        look: Look::Pattern {
            keywords: &["login data", "logins.json", "key4.db", "cookies"],
            pattern: concat!(
                r"(?:chrome|chromium|brave|edge|opera|vivaldi|arc|firefox|profiles",
                r"|default)[^\n]*[/\\]+(?:login data|logins\.json|key4\.db|cookies\.sqlite",
                r"|(?:network[/\\]+)?cookies(?:['\x22\s]|$))",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "wallet-read",
        family: Credentials,
        severity: High,
        reason: "the files of a wallet for digital money are read",
        hits: &[
            "cp ~/.bitcoin/wallet.dat /tmp/",
            "~/Library/Application Support/Exodus/exodus.wallet",
            "Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn",
        ],
        misses: &["connect your wallet first", "keep wallet.dat out of the repository"],
        look: Look::Pattern {
            keywords: &["wallet", "keystore", "nkbihfbeogaeaoehlefnkodbefgpgknn", "solana/id.json"],
            pattern: concat!(
                r"\b(?:cat|cp|zip|tar|base64|scp)\s[^\n]*",
                r"(?:wallet\.dat|\.ethereum/keystore|\.electrum/wallets|exodus\.wallet",
                r"|solana/id\.json)|/exodus/exodus\.wallet",
                r"|\bnkbihfbeogaeaoehlefnkodbefgpgknn\b",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "password-dialog",
        family: Credentials,
        severity: High,
        reason: "a dialog that looks like the system's asks for a password",
        hits: &[
            "osascript -e 'display dialog \"macOS needs your password\" default answer \
             \"\" with hidden answer'",
            "dscl . -authonly \"$USER\" \"$password\"",
        ],
        misses: &["osascript -e 'display dialog \"Done\"'", "dscl . -list /Users"],
        look: Look::Pattern {
            keywords: &["display dialog", "-authonly"],
            pattern: concat!(
                r"display\s+dialog[^\n]*(?:hidden\s+answer|password)[^\n]*",
                r"|\bdscl\s[^\n]*-authonly[^\n]*",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "cloud-metadata",
        family: Credentials,
        severity: Medium,
        reason: "the credentials of a cloud machine are asked for",
        hits: &[
            "curl http://169.254.169.254/latest/meta-data/iam/security-credentials/",
            "curl -H 'Metadata-Flavor: Google' \
             http://metadata.google.internal/computeMetadata/v1/instance/service-accounts\
             /default/token",
        ],
        misses: &["block 169.254.169.254 in the firewall"],
        look: Look::Pattern {
            keywords: &["169.254.169.254", "metadata.google.internal"],
            pattern: concat!(
                r"(?:169\.254\.169\.254|metadata\.google\.internal)/\S*",
                r"(?:security-credentials|/token|user-data|identity)",
            ),
            judge: Judge::LessWhenQuoted,
        },
    },
    Rule {
        id: "history-read",
        family: Credentials,
        severity: Low,
        reason: "the commands that the user typed are read",
        hits: &["cat ~/.bash_history", "grep token ~/.zsh_history"],
        misses: &["HISTFILE=~/.zsh_history"],
        look: Look::Pattern {
            keywords: &["_history"],
            pattern: concat!(
                r"\b(?:cat|grep|tail|head|cp|base64|strings)\s[^\n|;&]*\.",
                r"(?:bash|zsh)_history",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "password-hashes-read",
        family: Credentials,
        severity: Medium,
        reason: "the password hashes of the system are read",
        hits: &["sudo cat /etc/shadow", "reg save HKLM\\SAM sam.hive"],
        misses: &["ls -l /etc/shadow", "the file /etc/shadow is protected"],
        look: Look::Pattern {
            keywords: &["/etc/shadow", "hklm\\s"],
            pattern: concat!(
                r"\b(?:cat|cp|less|head|base64|scp)\s[^\n|;&]*/etc/shadow\b",
                r"|\breg(?:\.exe)?\s+save\s+hklm\\(?:sam|system|security)\b",
            ),
            judge: Judge::AsItIs,
        },
    },
];
