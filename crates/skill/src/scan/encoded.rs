//! A payload is encoded so that nobody reads it before it runs.

use std::ops::Range;

use super::{
    Family::Encoded,
    Severity::{High, Medium},
    judge::Judge,
    rule::{Look, Rule, shell},
    window::{MATCH_BYTES, Window},
};

/// Found by the length of the run.
const LONG_RUN: Rule = Rule {
    id: "long-encoded-text",
    family: Encoded,
    severity: Medium,
    reason: "a long run of encoded text holds nobody knows what",
    hits: &[
        "payload = 'aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsb\
         G8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsb\
         G8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsb\
         G8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsb\
         G8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsb\
         G8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5aGVsbG8gd29ybGQ5'",
        "7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000\
         7f454c46020101000000000000000000",
    ],
    misses: &[
        "--------------------------------------------------------------------------------\
         --------------------------------------------------------------------------------\
         --------------------------------------------------------------------------------\
         --------------------------------------------------------------------------------\
         --------------------------------------------------------------------------------\
         ------------------",
        "a digest: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ],
    look: Look::Code,
};

pub(super) const RULES: &[Rule] = &[
    LONG_RUN,
    Rule {
        id: "decoded-to-shell",
        family: Encoded,
        severity: High,
        reason: "what is decoded is run at once by a shell",
        hits: &[
            "echo aGk= | base64 -d | sh",
            "base64 --decode payload.txt | bash",
            "echo 6563686f | xxd -r -p | sh",
            "echo phey | tr 'A-Za-z' 'N-ZA-Mn-za-m' | bash",
            "openssl enc -aes-256-cbc -d -in x.enc | sh",
            "tail -n +20 $0 | base64 -D | gunzip | /bin/sh",
        ],
        misses: &[
            "echo \"$JWT\" | cut -d. -f2 | base64 -d | jq .",
            "echo \"$KUBECONFIG_DATA\" | base64 -d > kubeconfig",
            "base64 -d file | sha256sum",
        ],
        look: Look::Pattern {
            keywords: &["base64", "base32", "xxd", "openssl", "a-za-z", "uudecode", "rot13"],
            pattern: concat!(
                r"(?:\bbase(?:64|32)\s+(?:-[a-z]*d\w*|--decode)|\bxxd\s+-[a-z]*r",
                r"|\bopenssl\s+(?:enc|base64|aes\S*|rsautl)\s[^\n|]*-d",
                r"|\btr\s+['\x22]?a-za-z['\x22]?\s+['\x22]?n-za-mn-za-m|\buudecode",
                r"|\brot13)[^\n|]*(?:\s*\|\s*[^\n|]*)*\s*\|\s*",
                shell!()
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "run-what-is-decoded",
        family: Encoded,
        severity: High,
        reason: "a shell is given what is decoded as its program",
        hits: &[
            "eval \"$(echo aGk= | base64 -d)\"",
            "eval $(base64 -d <<< aGk=)",
            "bash <(base64 -d payload)",
            "sh -c \"$(echo 6869 | xxd -r -p)\"",
            "eval `echo aGk= | base64 --decode`",
        ],
        misses: &["eval \"$(ssh-agent -s)\"", "token=$(echo aGk= | base64 -d)"],
        look: Look::Pattern {
            keywords: &["base64", "xxd", "openssl", "rot13", "a-za-z"],
            pattern: concat!(
                r"(?:\beval|\bexec|\bsource|\b(?:ba|z|da|k)?sh(?:\s+-c)?|\bpython[23]?\s+-c)",
                r"\s+[\x22']?(?:\$\(|<\(|`)[^\n]*",
                r"(?:base(?:64|32)\s+(?:-[a-z]*d|--decode)|xxd\s+-[a-z]*r|openssl\s[^\n]*-d",
                r"|rot13|a-za-z)[^\n]*",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "code-from-encoded",
        family: Encoded,
        severity: High,
        reason: "a program evaluates what it decodes",
        hits: &[
            "exec(base64.b64decode('cHJpbnQoMSk='))",
            "eval(atob('YWxlcnQoMSk='))",
            "exec(__import__('zlib').decompress(__import__('base64').b64decode(x)))",
            "eval(Buffer.from(x, 'base64').toString())",
            "exec(bytes.fromhex('7072696e74'))",
            "exec(codecs.decode('cevag', 'rot13'))",
            "eval(String.fromCharCode(97,108))",
        ],
        misses: &["data = base64.b64decode(text)", "eval(expression)", "model.eval()"],
        look: Look::Pattern {
            keywords: &["exec(", "eval(", "exec (", "eval (", "new function"],
            pattern: concat!(
                r"(?:\b(?:exec|eval)|\bnew\s+function)\s*\(\s*(?:compile\s*\(\s*)?",
                r"(?:\(?\s*__import__\(\s*['\x22](?:base64|zlib|codecs|marshal|binascii)",
                r"|base64\s*\.|b64decode|codecs\s*\.\s*decode|zlib\s*\.|marshal\s*\.",
                r"|bytes\s*\.\s*fromhex|bytearray\s*\.\s*fromhex|atob\s*\(",
                r"|buffer\s*\.\s*from\s*\(|unescape\s*\(|string\s*\.\s*fromcharcode",
                r"|gzinflate|base64_decode)[^\n]*",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "powershell-encoded",
        family: Encoded,
        severity: High,
        reason: "PowerShell runs an encoded command",
        hits: &[
            "powershell -nop -w hidden -EncodedCommand SQBFAFgAIAAoAE4AZQB3AC0A",
            "powershell.exe -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoA",
            "IEX ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($x)))",
        ],
        misses: &[
            "powershell -ExecutionPolicy Bypass -File build.ps1",
            "[Convert]::FromBase64String($x)",
        ],
        look: Look::Pattern {
            keywords: &["powershell", "pwsh", "frombase64string"],
            pattern: concat!(
                r"\b(?:powershell|pwsh)(?:\.exe)?\s[^\n]*[-/]e",
                r"(?:c|nc|nco|ncod|ncode|ncoded|ncodedc\w*)?",
                r"\s+['\x22]?[a-z0-9+/]{20}[a-z0-9+/=]*",
                r"|\b(?:iex|invoke-expression)\b[^\n]*frombase64string[^\n]*",
                r"|frombase64string[^\n]*\|\s*(?:iex|invoke-expression)\b",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "split-command",
        family: Encoded,
        severity: High,
        reason: "the name of a command is cut up so that it is not recognised",
        hits: &[
            "c''url https://a.attacker.example/x",
            "w\"\"get x",
            "b''ash -c x",
            "cu\\rl x",
            "'cu' + 'rl'",
        ],
        misses: &["curl x", "it's 'curl'", "path C:\\url"],
        look: Look::Pattern {
            keywords: &[
                "c''url", "cu''rl", "cur''l", "c\"\"url", "cu\"\"rl", "cur\"\"l", "w''get",
                "wg''et", "w\"\"get", "wg\"\"et", "b''ash", "ba''sh", "bas''h", "b\"\"ash",
                "ba\"\"sh", "c\\url", "cu\\rl", "cur\\l", "'cu'", "\"cu\"", "'ba'", "\"ba\"",
            ],
            pattern: concat!(
                r"\bc(?:''|\x22\x22)url\b|\bcu(?:''|\x22\x22)rl\b|\bcur(?:''|\x22\x22)l\b",
                r"|\bw(?:''|\x22\x22)get\b|\bwg(?:''|\x22\x22)et\b|\bb(?:''|\x22\x22)ash\b",
                r"|\bba(?:''|\x22\x22)sh\b|\bbas(?:''|\x22\x22)h\b",
                r"|(?:^|[\s;&|(])(?:c\\url|cu\\rl|cur\\l)\s",
                r"|['\x22]cu['\x22]\s*[+.]\s*['\x22]rl|['\x22]ba['\x22]\s*[+.]\s*['\x22]sh",
            ),
            judge: Judge::AsItIs,
        },
    },
    Rule {
        id: "escaped-text",
        family: Encoded,
        severity: Medium,
        reason: "a text is written in numbers so that nobody reads it",
        hits: &[
            r"s = '\x63\x75\x72\x6c\x20\x68\x74\x74\x70\x3a\x2f\x2f\x61\x2e\x62\x2f\x63'",
            "String.fromCharCode(99,117,114,108,32,104,116,116,112,58,47,47,97)",
            "chr(99)+chr(117)+chr(114)+chr(108)+chr(32)+chr(104)+chr(116)",
            "var _0x3fa2=['log'];",
        ],
        misses: &[r"b'\x89PNG\r\n\x1a\n'", "String.fromCharCode(97 + i)", "chr(10) + chr(13)"],
        look: Look::Pattern {
            keywords: &["\\x", "fromcharcode", "chr(", "_0x"],
            pattern: concat!(
                r"(?:\\x[0-9a-f][0-9a-f]){16}|fromcharcode\((?:\s*(?:0x)?[0-9a-f]+\s*,){10}",
                r"|(?:\bchr\(\d+\)\s*[+.]\s*){6}|\b(?:var|let|const)\s+_0x[0-9a-f]{4,6}\s*=",
                r"|\bfunction\s+_0x[0-9a-f]{4,6}\s*\(",
            ),
            judge: Judge::AsItIs,
        },
    },
];

/// Fewest encoded characters that are told: a key, a digest and a signature are shorter.
const LONG: usize = 400;

/// Fewest characters of a line that may go on in the next one.
const LINE: usize = 56;

/// Every run has a line that is at least this long, so not every byte has to be looked at.
const STRIDE: usize = 48;

/// Longest run that is followed.
const FOLLOWED: usize = MATCH_BYTES;

/// Tells long runs of base64 or hexadecimal text, wrapped or not.
pub(super) fn look(window: &Window<'_>, told: &mut dyn FnMut(&'static Rule, Range<usize>)) {
    let bytes = window.bytes;
    let mut at = window.start;
    // A run that begins with the last owned bytes is met one stride further.
    while at < window.end + STRIDE {
        if !is_encoded(bytes, at) {
            at += STRIDE;
            continue;
        }
        let run = line_around(bytes, at);
        let end = run_from(bytes, run.start);
        if run.len() >= LINE && window.owns(run.start) && end - run.start >= LONG {
            let found = bytes.get(run.start..end).unwrap_or_default();
            let before = bytes.get(..run.start).unwrap_or_default();
            if looks_encoded(found) && !is_explained(before) && !continues(bytes, run.start) {
                told(&LONG_RUN, run.start..end);
            }
        }
        at = end.max(run.end) + 1;
    }
}

fn is_encoded(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
    })
}

/// Returns the encoded characters round a place, within its line.
fn line_around(bytes: &[u8], at: usize) -> Range<usize> {
    let lowest = at.saturating_sub(FOLLOWED);
    let start = (lowest..at).rev().take_while(|at| is_encoded(bytes, *at)).last().unwrap_or(at);
    let highest = bytes.len().min(at + FOLLOWED);
    let end = (at..highest).take_while(|at| is_encoded(bytes, *at)).last().map_or(at, |at| at + 1);
    start..end
}

/// Returns where the run ends that begins at `start`, over the ends of long lines.
fn run_from(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut line) = (start, start);
    let highest = bytes.len().min(start + FOLLOWED);
    while at < highest {
        if is_encoded(bytes, at) {
            at += 1;
        } else if bytes.get(at) == Some(&b'\n') && at - line >= LINE && is_encoded(bytes, at + 1) {
            at += 1;
            line = at;
        } else {
            break;
        }
    }
    at
}

/// Tells whether a run that begins here goes on from the line before.
fn continues(bytes: &[u8], start: usize) -> bool {
    let Some(end) = start.checked_sub(1).filter(|at| bytes.get(*at) == Some(&b'\n')) else {
        return false;
    };
    end.checked_sub(1).is_some_and(|last| line_around(bytes, last).len() >= LINE)
}

/// Words and rules are long runs too: encoded text has all kinds of characters, or is hexadecimal.
fn looks_encoded(found: &[u8]) -> bool {
    let share = |is: fn(&u8) -> bool| {
        found.iter().filter(|byte| is(byte)).count() * 100 / found.len().max(1)
    };
    let digits = share(u8::is_ascii_digit);
    let distinct = {
        let mut seen = [false; 256];
        for byte in found {
            if let Some(seen) = seen.get_mut(usize::from(*byte)) {
                *seen = true;
            }
        }
        seen.iter().filter(|seen| **seen).count()
    };
    let hexadecimal = share(u8::is_ascii_hexdigit) > 95 && digits > 20 && distinct > 6;
    let base64 =
        share(u8::is_ascii_uppercase) > 10 && share(u8::is_ascii_lowercase) > 10 && digits > 2;
    hexadecimal || (base64 && distinct > 12)
}

/// Tells whether what stands before a run says that it is a picture, a font or a certificate.
fn is_explained(before: &[u8]) -> bool {
    let near = before.get(before.len().saturating_sub(80)..).unwrap_or_default();
    let near = String::from_utf8_lossy(near).to_ascii_lowercase();
    ["data:image/", "data:font/", "data:application/font", "data:audio/", "data:video/"]
        .iter()
        .any(|kind| near.contains(kind) && near.trim_end().ends_with("base64,"))
        || ["-begin certificate-", "-begin public key-", "-begin pgp signature-"]
            .iter()
            .any(|kind| near.contains(kind))
}
