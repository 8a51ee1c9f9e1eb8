//! Messages as envelopes, with the bodies of those that cannot wait.

use std::{borrow::Cow, cmp::Reverse};

use pacenote_model::{Importance, Message, Trust, limits};

use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, Shape, Tag},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::{counted, one_line},
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "mail",
    shape: Shape::Block,
    heading: "Messages",
    is_quoted: false,
    cap: limits::READING_TOKENS,
    // One urgent message, or a few envelopes.
    share: Share { percent: 8, floor: 150 },
    again: Again::WhenChanged,
    is_first: false,
};

/// How many degrees of urgency there are: four of importance, each with or without an answer due.
const URGENCIES: u32 = 8;

/// More than the items of a full list: an envelope and a body for each message.
const PLACES: u32 = 64;

/// Messages for the reader.
#[derive(Clone, Debug)]
pub struct Inbox<'a> {
    /// The messages, newest first; the least urgent past [`limits::LISTED_MESSAGES`] are counted.
    pub messages: Cow<'a, [Message]>,
    /// Unread messages that were not handed over.
    pub more: MoreMail,
    /// How much each line says.
    pub lines: MailLines,
    /// What the fences of their bodies are made with.
    pub secret: &'a InstallSecret,
}

/// How much a line of the list says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MailLines {
    /// Who wrote about what.
    #[default]
    Envelopes,
    /// That, and how the message begins.
    Excerpts,
}

/// Longest message that stands whole in a line, in characters.
const SHORT_CHARACTERS: usize = 200;

/// Longest beginning of a message in a line, in characters.
const EXCERPT_CHARACTERS: usize = 120;

/// Messages that are only counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoreMail {
    /// How many there are.
    pub messages: usize,
    /// How many of them are urgent.
    pub urgent: usize,
}

/// What of a message an item holds.
#[derive(Clone, Copy)]
enum Side {
    Envelope,
    Body,
}

impl Inbox<'_> {
    /// Returns what is told of each message, oldest first, as a conversation is read.
    fn sides(&self) -> Vec<(&Message, Side)> {
        let mut by_urgency: Vec<(usize, &Message)> = self.messages.iter().enumerate().collect();
        by_urgency.sort_by_key(|(_, message)| Reverse(message.importance));
        by_urgency.truncate(limits::LISTED_MESSAGES);
        by_urgency.sort_by_key(|(age, _)| Reverse(*age));
        by_urgency.into_iter().flat_map(|(_, message)| sides_of(message)).collect()
    }

    fn line(&self, message: &Message) -> Escaped {
        let envelope = envelope(message);
        let body = message.body.as_ref().map_or("", |body| body.as_str());
        match (self.lines, one_line(body, EXCERPT_CHARACTERS).as_str()) {
            // To fetch a short text costs more than to read it; an urgent one stands below.
            (MailLines::Envelopes, text)
                if !text.is_empty()
                    && message.importance != Importance::Urgent
                    && body.chars().count() <= SHORT_CHARACTERS =>
            {
                Escaped::text(&format!("{envelope}: \"{}\"", one_line(body, SHORT_CHARACTERS)))
            }
            (MailLines::Envelopes, text)
                if !text.is_empty() && message.importance != Importance::Urgent =>
            {
                let number = message.number.get();
                Escaped::text(&format!("{envelope} (`pacenote mail read {number}`)"))
            }
            (MailLines::Envelopes, _) | (MailLines::Excerpts, "") => Escaped::text(&envelope),
            (MailLines::Excerpts, excerpt) => Escaped::text(&format!("{envelope}: \"{excerpt}\"")),
        }
    }

    fn body(&self, message: &Message) -> Escaped {
        let raw = message.body.as_ref().map_or("", |body| body.as_str());
        let number = message.number.to_string();
        let frame = Frame::of_passages(Tag::MESSAGE)
            .with("number", number)
            .fenced(Fence::new(self.secret, &digest_of([raw])), message.trust);
        let text = Escaped::body(raw, message.trust);
        frame.around(message.trust, [&text])
    }
}

fn sides_of(message: &Message) -> impl Iterator<Item = (&Message, Side)> {
    let has_body = message.importance == Importance::Urgent && message.body.is_some();
    let body = has_body.then_some((message, Side::Body));
    [(message, Side::Envelope)].into_iter().chain(body)
}

impl Fragment for Inbox<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::MAIL
    }

    fn trust(&self) -> Trust {
        self.messages.iter().map(|message| message.trust).min().unwrap_or(Trust::System)
    }

    fn reason(&self) -> String {
        "somebody wrote to this agent".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::MAIL.tag())
    }

    fn items(&self) -> Vec<Item> {
        let item = |(message, side): (&Message, Side)| {
            let number = message.number;
            let (id, text) = match side {
                Side::Envelope => (ItemId::of(FragmentKind::MAIL, number), self.line(message)),
                Side::Body => (
                    ItemId::of(FragmentKind::MAIL, format_args!("{number}#body")),
                    self.body(message),
                ),
            };
            Item { id, label: String::new(), text }
        };
        self.sides().into_iter().map(item).collect()
    }

    fn scores(&self) -> Vec<u32> {
        let score = |(place, (message, side)): (u32, &(&Message, Side))| {
            let pressing = match message.importance {
                Importance::Low => 0,
                Importance::Normal => 1,
                Importance::High => 2,
                Importance::Urgent => 3,
            };
            let pressing = 2 * pressing + u32::from(message.ack_required);
            let side = match side {
                Side::Envelope => 1,
                Side::Body => 0,
            };
            // All envelopes go before the bodies; a long body keeps no envelope out.
            (side * URGENCIES + pressing) * PLACES + place
        };
        (0..).zip(&self.sides()).map(score).collect()
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        let unlisted = self.messages.len().saturating_sub(limits::LISTED_MESSAGES);
        let bodies = left_out.iter().filter(|item| item.id.as_str().ends_with("#body")).count();
        let envelopes = left_out.len() - bodies + unlisted + self.more.messages;
        let more = counted(envelopes, "more message");
        let pressing = match self.more.urgent {
            0 => String::new(),
            urgent => format!(", {urgent} of them urgent"),
        };
        let more = (envelopes > 0).then(|| format!("{more}{pressing}: `pacenote mail inbox`."));
        let urgent = counted(bodies, "urgent message");
        let urgent =
            (bodies > 0).then(|| format!("{urgent} without the body: `pacenote mail read '#N'`."));
        let sentences: Vec<String> = more.into_iter().chain(urgent).collect();
        (!sentences.is_empty()).then(|| Escaped::text(&sentences.join(" ")))
    }
}

/// Says who wrote about what, and how much it presses.
fn envelope(message: &Message) -> String {
    let Message { number, sender, subject, importance, .. } = message;
    let pressing = (*importance != Importance::Normal).then_some(importance.word());
    let wants = message.ack_required.then_some("wants an acknowledgement");
    let notes: Vec<&str> = pressing.into_iter().chain(wants).collect();
    let notes = match notes.as_slice() {
        [] => String::new(),
        notes => format!(" ({})", notes.join(", ")),
    };
    format!("- {number} from @{sender}: {subject}{notes}")
}
