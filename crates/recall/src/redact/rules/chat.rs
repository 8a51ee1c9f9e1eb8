//! Where people and programs talk.

use super::hit;
use crate::redact::{
    before::Before::Anything,
    rule::{
        Beside,
        Judge::{Random, Shape},
        Length::Open,
        Look, Rule,
    },
};

pub(in crate::redact) const RULES: &[Rule] = &[
    Rule {
        id: "slack-token",
        keywords: &[
            "xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-",
            "xoxd-", "xapp-",
        ],
        look: Look::Token {
            before: Anything,
            run: 22,
            length: Open,
            pattern: concat!(
                r"(?:xox[abceoprsd][-.][A-Za-z0-9%./+_-]{16,}[A-Za-z0-9%]",
                r"|xapp-[0-9]-[A-Za-z0-9-]{20,})"
            ),
            judge: Shape,
        },
        hits: &[
            hit("SLACK=", ["xoxb-", "653931366599-2718295571817-9iUugxoQVm6Xvvzf6bAC8iVg"], ""),
            hit(
                "",
                [
                    "xapp-",
                    "1-AT3DPTIO8OF-2545363943757-4272df74e172107fc597159005a864d1838a9d\
                     109dbc65472748034556e1df4d",
                ],
                "",
            ),
        ],
        misses: &["xoxb-your-token-goes-here"],
    },
    Rule {
        id: "slack-webhook",
        keywords: &["hooks.slack.com/"],
        look: Look::Token {
            before: Anything,
            run: 50,
            length: Open,
            pattern: concat!(
                r"(?i:hooks\.slack\.com)/(?:services|workflows",
                r"|triggers)/([A-Z0-9]{6,14}/[A-Za-z0-9]{6,20}/[A-Za-z0-9/]{16,64})"
            ),
            judge: Shape,
        },
        hits: &[hit(
            "curl https://hooks.slack.com/services/",
            ["TRZQ19ZOZ", "/BI7CGOKEL0G/7GdqY3Lc4HdKy4s2W7aC4SBr"],
            " -d @x",
        )],
        misses: &[
            "https://hooks.slack.com/services/",
            "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXX\
             XXX",
        ],
    },
    Rule {
        id: "discord-webhook",
        keywords: &["/api/webhooks/"],
        look: Look::Token {
            before: Anything,
            run: 70,
            length: Open,
            pattern: r"/api/webhooks/[0-9]{15,21}/([A-Za-z0-9_-]{40,80})",
            judge: Shape,
        },
        hits: &[hit(
            "https://discord.com/api/webhooks/757324788555813637/",
            ["7vdf", "QT28gYt5dM87ischCbZ1fQ97fRIkLhPR9MpjJavCykEWLa0xdG3WMTkD4OHMgfTv"],
            "",
        )],
        misses: &["https://discord.com/api/webhooks/<id>/<token>"],
    },
    Rule {
        id: "discord-token",
        keywords: &[
            "discord",
            "bot token",
            "bot_token",
            "bot-token",
            "bottoken",
            "authorization: bot",
        ],
        look: Look::Around {
            before: 90,
            behind: 120,
            run: 58,
            pattern: r"[MNO][DTjz][A-Za-z0-9_-]{21,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}",
            beside: Beside::Nothing,
            judge: Random(3.0),
        },
        hits: &[hit(
            "the bot token, ",
            ["MT", "k4NjIyNDgzNDcxOTI1MjQ4.0a5ZIx.RPII3zCo6ZMNAGy8vPOBFdm0qP1"],
            " today",
        )],
        misses: &["the bot has no token"],
    },
    Rule {
        id: "telegram-token",
        keywords: &[":aa"],
        look: Look::Around {
            before: 10,
            behind: 44,
            run: 44,
            pattern: r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,40}",
            beside: Beside::Anything,
            judge: Shape,
        },
        hits: &[hit(
            "https://api.telegram.org/bot",
            ["7967151251", ":AA8prLNy1SiB0IdSnKM8YPoIutiT4Wsc494"],
            "/getMe",
        )],
        misses: &["12:AABBCCDD", "mac 00:aa:bb"],
    },
    Rule {
        id: "teams-webhook",
        keywords: &["/incomingwebhook/"],
        look: Look::Token {
            before: Anything,
            run: 86,
            length: Open,
            pattern: r"(?i:/incomingwebhook)/([a-f0-9]{32}/[A-Za-z0-9/-]{36,})",
            judge: Shape,
        },
        hits: &[hit(
            "https://a.webhook.office.com/webhookb2/0b7e4a6c-19d2-4c2f-8f5e-3a1d9c7b6e50@\
             1f2e3d4c-19d2-4c2f-8f5e-3a1d9c7b6e50/IncomingWebhook/",
            ["58dcf307e359", "9a0dde4cb4fcfd2add26/547fd58b-7d1a-4222-8333-32c19b9520e6"],
            "",
        )],
        misses: &["https://a.webhook.office.com/webhookb2/<id>/IncomingWebhook/<id>"],
    },
];
