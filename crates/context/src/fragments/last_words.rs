//! What the reader itself said before its context was lost, and what it waits for.

use pacenote_model::{Trust, limits};

use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, Shape},
    fragment::{Again, Choice, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    handoff::Conversation,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "last_words",
    shape: Shape::Block,
    heading: "Your last words",
    is_quoted: true,
    cap: limits::READING_TOKENS,
    // The longest ones that are kept, with a question.
    share: Share { percent: 0, floor: 450 },
    again: Again::Never,
    is_first: false,
};

/// What the reader said last.
#[derive(Clone, Debug)]
pub struct LastWords<'a> {
    conversation: &'a Conversation,
    secret: &'a InstallSecret,
}

impl<'a> LastWords<'a> {
    /// Brings the last words of a conversation; `None` where nothing of them is kept.
    pub fn of(conversation: &'a Conversation, secret: &'a InstallSecret) -> Option<Self> {
        let is_there = conversation.words().is_some() || !conversation.open_questions().is_empty();
        is_there.then_some(Self { conversation, secret })
    }
}

impl Fragment for LastWords<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::LAST_WORDS
    }

    fn trust(&self) -> Trust {
        Trust::Agent
    }

    fn reason(&self) -> String {
        "the agent said it before its context was lost".to_owned()
    }

    fn frame(&self) -> Frame {
        let words = self.conversation.words();
        let questions = self.conversation.open_questions().iter();
        let said: Vec<&str> = words.iter().chain(questions).map(String::as_str).collect();
        Frame::of_lines(FragmentKind::LAST_WORDS.tag())
            .fenced(Fence::new(self.secret, &digest_of(said)), self.trust())
    }

    fn items(&self) -> Vec<Item> {
        let item = |name: String, text: &str| Item {
            id: ItemId::of(FragmentKind::LAST_WORDS, name),
            label: String::new(),
            text: Escaped::body(text, self.trust()),
        };
        let mut items = Vec::new();
        items.extend(self.conversation.words().map(|words| item("said".to_owned(), &words)));
        for (number, question) in (1..).zip(self.conversation.open_questions()) {
            let text = format!("Not answered yet: {question}");
            items.push(item(format!("question {number}"), &text));
        }
        if let Some(answer) = self.conversation.answer() {
            items.push(item("answer".to_owned(), &format!("The person answered: {answer}")));
        }
        items
    }

    fn choice(&self) -> Choice {
        Choice::Any
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
