//! The addresses in a piece of text, and what is known about their hosts.

use std::net::Ipv4Addr;

/// What is known about a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// This machine or its own network.
    Local,
    /// The maker of a well-known tool, whose installer is documented like this everywhere.
    WellKnown,
    /// Anybody can put a file there, but under an account that can be looked at; or an example.
    Shared,
    /// A name nobody here knows.
    Unknown,
    /// A bare address, or a place for anonymous pastes and drops.
    Shady,
}

/// Installers that honest texts quote all the time: a host, or a host and the beginning of a path.
const WELL_KNOWN: &[&str] = &[
    "aka.ms",
    "ansible.com",
    "app.getambassador.io",
    "astral.sh",
    "awscli.amazonaws.com",
    "baltocdn.com",
    "bun.com",
    "bun.sh",
    "chocolatey.org",
    "claude.ai",
    "cli.github.com",
    "cli.run.pulumi.com",
    "code-server.dev",
    "community.chocolatey.org",
    "cursor.com",
    "deb.nodesource.com",
    "deno.land",
    "devenv.sh",
    "dl.google.com",
    "dl.k8s.io",
    "dot.net",
    "download.docker.com",
    "download.pytorch.org",
    "fly.io",
    "foundry.paradigm.xyz",
    "get.docker.com",
    "get.helm.sh",
    "get.k3s.io",
    "get.pnpm.io",
    "get.pulumi.com",
    "get.rvm.io",
    "get.sdkman.io",
    "get.volta.sh",
    "getcomposer.org",
    "go.dev",
    "goreleaser.com",
    "hf.co",
    "install.determinate.systems",
    "install.duckdb.org",
    "install.python-poetry.org",
    "just.systems",
    "mise.run",
    "moonrepo.dev",
    "nixos.org",
    "nodejs.org",
    "ollama.ai",
    "ollama.com",
    "opencode.ai",
    "pixi.sh",
    "pkgs.k8s.io",
    "proto.moonrepo.dev",
    "python.org",
    "raw.githubusercontent.com/anchore/",
    "raw.githubusercontent.com/aquasecurity/",
    "raw.githubusercontent.com/helm/",
    "raw.githubusercontent.com/homebrew/",
    "raw.githubusercontent.com/kubernetes-sigs/",
    "raw.githubusercontent.com/nvm-sh/",
    "raw.githubusercontent.com/ohmyzsh/",
    "raw.githubusercontent.com/pyenv/",
    "raw.githubusercontent.com/rust-lang/",
    "raw.githubusercontent.com/trufflesecurity/",
    "rustup.rs",
    "rustwasm.github.io",
    "sdk.cloud.google.com",
    "sentry.io",
    "setup.atuin.sh",
    "sh.rustup.rs",
    "starship.rs",
    "storage.googleapis.com/flutter_infra_release/",
    "supabase.com",
    "tailscale.com",
    "vercel.com",
    "win.rustup.rs",
    "www.python.org",
];

/// Where anybody keeps files under a name, and the names that stand for any other.
const SHARED: &[&str] = &[
    "bitbucket.org",
    "codeberg.org",
    "example.com",
    "example.net",
    "example.org",
    "gist.githubusercontent.com",
    "github.com",
    "gitlab.com",
    "huggingface.co",
    "objects.githubusercontent.com",
    "raw.githubusercontent.com",
];

/// Lists hosts twice: to know them, and to see from afar that one of them is named.
macro_rules! shady {
    ($($host:literal),+ $(,)?) => {
        /// Where anybody puts a text or a file without a name.
        const SHADY: &[&str] = &[$($host),+];

        /// What is in every address of a shady host: its name, or a digit where the host begins.
        pub(super) const SHADY_MARKS: &[&str] = &[
            "://0", "://1", "://2", "://3", "://4", "://5", "://6", "://7", "://8", "://9", "@0",
            "@1", "@2", $($host),+
        ];
    };
}

shady![
    "0x0.st",
    "anonfiles.com",
    "bashupload.com",
    "beeceptor.com",
    "burpcollaborator.net",
    "catbox.moe",
    "controlc.com",
    "dpaste.com",
    "dpaste.org",
    "file.io",
    "ghostbin.com",
    "glot.io",
    "gofile.io",
    "hastebin.com",
    "hookbin.com",
    "interact.sh",
    "ix.io",
    "justpaste.it",
    "localhost.run",
    "loca.lt",
    "ngrok-free.app",
    "ngrok-free.dev",
    "ngrok.app",
    "ngrok.io",
    "oast.fun",
    "oast.live",
    "oast.me",
    "oast.online",
    "oast.pro",
    "oast.site",
    "oastify.com",
    "paste.ee",
    "pastebin.com",
    "pastebin.pl",
    "pipedream.net",
    "privatebin.net",
    "requestbin.com",
    "requestbin.net",
    "requestcatcher.com",
    "rentry.co",
    "rentry.org",
    "serveo.net",
    "sprunge.us",
    "temp.sh",
    "termbin.com",
    "textbin.net",
    "tmpfiles.org",
    "transfer.sh",
    "trycloudflare.com",
    "webhook.site",
];

/// Returns what is known about each host that a text names with `http` or `ftp`, in order.
pub(super) fn standings(text: &[u8]) -> impl Iterator<Item = Standing> {
    let text = String::from_utf8_lossy(text).to_ascii_lowercase();
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("://") {
        if ["http", "https", "ftp"].iter().any(|scheme| before.ends_with(scheme)) {
            found.push(standing(after));
        }
        rest = after;
    }
    found.into_iter()
}

/// Judges what follows the scheme of an address.
fn standing(after: &str) -> Standing {
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ')' | '>' | '|' | '<');
    let address = after.split(is_end).next().unwrap_or_default();
    let (authority, path) = address.split_once(['/', '?', '#', '\\']).unwrap_or((address, ""));
    // What stands before `@` is a name to log in with, however much it looks like a host.
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().trim_end_matches('.');
    if is_local(host) {
        return Standing::Local;
    }
    let among = |list: &[&str]| list.iter().any(|known| is_at(host, path, known));
    if among(SHADY) || is_number(host) {
        Standing::Shady
    } else if among(WELL_KNOWN) {
        Standing::WellKnown
    } else if among(SHARED) || !host.contains('.') {
        Standing::Shared
    } else {
        Standing::Unknown
    }
}

/// Tells whether a host is a known one or below it, and the path begins as the known one's does.
fn is_at(host: &str, path: &str, known: &str) -> bool {
    let (known_host, known_path) = known.split_once('/').unwrap_or((known, ""));
    let is_host = host == known_host
        || host.strip_suffix(known_host).is_some_and(|below| below.ends_with('.'));
    is_host && path.starts_with(known_path)
}

fn is_local(host: &str) -> bool {
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        // Link-local addresses are the metadata services of clouds, which have their own rule.
        return address.is_loopback()
            || address.is_private()
            || address.is_unspecified()
            || address.is_link_local();
    }
    host == "localhost"
        || [".local", ".localhost", ".internal", ".test"].iter().any(|end| host.ends_with(end))
}

/// Tells whether a host is an address, in dots or as one number, decimal or not.
fn is_number(host: &str) -> bool {
    let hexadecimal =
        host.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let decimal = host.len() >= 8 && host.bytes().all(|byte| byte.is_ascii_digit());
    hexadecimal || decimal || host.parse::<Ipv4Addr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_known_by_their_end() {
        for (text, expected) in [
            ("https://sh.rustup.rs", Standing::WellKnown),
            ("https://SH.RUSTUP.RS/x", Standing::WellKnown),
            ("https://rustup.rs.evil.example/x", Standing::Unknown),
            ("https://notrustup.rs/x", Standing::Unknown),
            ("https://github.com@evil.example/x", Standing::Unknown),
            ("https://raw.githubusercontent.com/Homebrew/install/HEAD/x", Standing::WellKnown),
            ("https://raw.githubusercontent.com/somebody/x", Standing::Shared),
            ("http://localhost:3000/x", Standing::Local),
            ("http://10.1.2.3/x", Standing::Local),
            ("http://192.0.2.7:8080/x", Standing::Shady),
            ("http://3221225985/x", Standing::Shady),
            ("http://0xc0000207/x", Standing::Shady),
            ("https://eu.webhook.site/x", Standing::Shady),
            ("ftp://files.example/x", Standing::Unknown),
            ("http://", Standing::Shared),
        ] {
            assert_eq!(standings(text.as_bytes()).collect::<Vec<_>>(), [expected], "{text}");
        }
        assert_eq!(standings(b"://x and file://y, http:/z").count(), 0);
    }
}
