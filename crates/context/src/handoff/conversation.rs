//! What was said in a session, as its log keeps it: the last request, the last words, what is open.
//!
//! Nothing but the session knows this, so it is what a compaction takes away.

use pacenote_model::{Handoff, Record, StartSource, Utterance};

/// The end of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversation {
    request: Option<String>,
    words: Option<LastWords>,
}

/// What the agent said last, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LastWords {
    text: String,
    questions: Vec<String>,
    /// What the person said since.
    since: Since,
}

/// What the person said after the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Since {
    Nothing,
    /// A word or two.
    Answer(String),
    /// The last request.
    Request,
    /// What the agent is about to answer.
    Prompt,
}

impl Conversation {
    /// Reads the end of a conversation from the lines of a log, oldest first.
    pub fn of<'r>(records: impl IntoIterator<Item = &'r Record>) -> Self {
        let mut conversation = Self::default();
        for record in records {
            if let Record::Said { utterance, text, questions, .. } = record {
                conversation.add(*utterance, text, questions);
            } else if let Record::SessionStart { source, .. } = record {
                match source {
                    // Another conversation begins, whatever the host calls it.
                    StartSource::Startup | StartSource::Clear | StartSource::Fork => {
                        conversation = Self::default();
                    }
                    StartSource::Resume | StartSource::Compact => {}
                }
            }
        }
        conversation
    }

    fn add(&mut self, utterance: Utterance, text: &str, questions: &[String]) {
        match utterance {
            Utterance::Request => {
                self.request = Some(text.to_owned());
                self.set_since(Since::Request);
            }
            Utterance::Answer => self.set_since(Since::Answer(text.to_owned())),
            Utterance::LastWords => {
                let (text, questions) = (text.to_owned(), questions.to_vec());
                self.words = Some(LastWords { text, questions, since: Since::Nothing });
            }
        }
    }

    fn set_since(&mut self, since: Since) {
        if let Some(words) = &mut self.words {
            words.since = since;
        }
    }

    /// Describes the conversation as the person goes on with it: nothing is open any more.
    #[must_use]
    pub fn continued(mut self) -> Self {
        if let Some(words) = self.words.as_mut().filter(|words| words.since == Since::Nothing) {
            words.since = Since::Prompt;
        }
        self
    }

    /// Reports whether nothing was said.
    pub const fn is_empty(&self) -> bool {
        self.request.is_none() && self.words.is_none()
    }

    /// Returns what the person asked for last.
    pub fn request(&self) -> Option<&str> {
        self.request.as_deref()
    }

    /// Reports whether the person asked for that after the agent's last words.
    pub fn is_request_last(&self) -> bool {
        let is_answered = |words: &LastWords| words.since == Since::Request;
        self.request.is_some() && self.words.as_ref().is_none_or(is_answered)
    }

    /// Returns the last words of the agent, without the questions that are open.
    pub fn words(&self) -> Option<String> {
        let words = self.words.as_ref()?;
        let text = match words.since {
            Since::Nothing => words.text.clone(),
            Since::Answer(_) | Since::Request | Since::Prompt => {
                let said = [words.text.as_str()].into_iter().filter(|text| !text.is_empty());
                let asked = words.questions.iter().map(String::as_str);
                said.chain(asked).collect::<Vec<_>>().join("\n")
            }
        };
        (!text.is_empty()).then_some(text)
    }

    /// Returns what the agent asked, and nobody answered.
    pub fn open_questions(&self) -> &[String] {
        match &self.words {
            Some(LastWords { questions, since: Since::Nothing, .. }) => questions,
            Some(_) | None => &[],
        }
    }

    /// Returns the word or two with which the person answered the last words.
    pub fn answer(&self) -> Option<&str> {
        match &self.words {
            Some(LastWords { since: Since::Answer(answer), .. }) => Some(answer),
            Some(_) | None => None,
        }
    }

    /// Writes what was said into a handoff. Words that were said before the last request belong to
    /// one that was answered.
    pub fn write_into(&self, handoff: &mut Handoff) {
        handoff.last_request.clone_from(&self.request);
        handoff.last_words = self.words().filter(|_| !self.is_request_last());
        handoff.open_questions = self.open_questions().to_vec();
    }
}

#[cfg(test)]
mod tests {
    use pacenote_model::{HostId, HostName, Moment, record::Origin};

    use super::*;

    fn from() -> Origin {
        Origin {
            at: Moment::from_millis(0),
            host: HostName::parse("claude").unwrap(),
            host_id: HostId::parse("s-1").unwrap(),
            place: "/shop".into(),
            name: "shop".into(),
        }
    }

    fn said(utterance: Utterance, text: &str, questions: &[&str]) -> Record {
        let questions = questions.iter().map(|one| (*one).to_owned()).collect();
        Record::Said { from: from(), utterance, text: text.into(), questions }
    }

    fn asked(text: &str) -> Record {
        said(Utterance::Request, text, &[])
    }

    fn start(source: StartSource) -> Record {
        let Origin { at, host, host_id, place, name } = from();
        let (transcript, agent, parent) = (None, None, None);
        Record::SessionStart { at, host, host_id, source, place, name, transcript, agent, parent }
    }

    /// Tells a conversation in the order in which it went.
    fn told(conversation: &Conversation) -> String {
        let request = conversation.request().map(|request| format!("request: {request}"));
        let mut lines: Vec<String> = Vec::new();
        lines.extend(conversation.words().map(|words| format!("words: {words}")));
        lines.extend(conversation.open_questions().iter().map(|one| format!("open: {one}")));
        lines.extend(conversation.answer().map(|answer| format!("answer: {answer}")));
        if conversation.is_request_last() {
            lines.extend(request);
        } else {
            lines.splice(0..0, request);
        }
        lines.join("; ").replace('\n', " ")
    }

    #[test]
    fn the_end_of_a_conversation() {
        let words = || said(Utterance::LastWords, "Done.", &["Which store?"]);
        let answer = || said(Utterance::Answer, "yes", &[]);
        for (records, expected) in [
            (vec![], ""),
            (vec![asked("add login")], "request: add login"),
            (
                vec![asked("add login"), words()],
                "request: add login; words: Done.; open: Which store?",
            ),
            (
                vec![asked("add login"), words(), answer()],
                "request: add login; words: Done. Which store?; answer: yes",
            ),
            (
                vec![asked("add login"), words(), asked("sqlite")],
                "words: Done. Which store?; request: sqlite",
            ),
            (
                vec![asked("a"), words(), answer(), said(Utterance::LastWords, "Works.", &[])],
                "request: a; words: Works.",
            ),
            (vec![answer()], ""),
            (
                vec![asked("a"), words(), start(StartSource::Compact), asked("b")],
                "words: Done. Which store?; request: b",
            ),
            (vec![asked("a"), words(), start(StartSource::Clear)], ""),
        ] {
            assert_eq!(told(&Conversation::of(&records)), expected);
        }
        let open = Conversation::of(&[asked("add login"), words()]);
        assert!(open.clone().continued().open_questions().is_empty());
        assert_eq!(told(&open.continued()), "request: add login; words: Done. Which store?");
    }

    #[test]
    fn a_handoff_keeps_words_that_answer_the_last_request() {
        let words = said(Utterance::LastWords, "Done.", &["Which store?"]);
        let mut handoff = Handoff::default();
        Conversation::of(&[asked("a"), words.clone()]).write_into(&mut handoff);
        assert_eq!(handoff.last_words.as_deref(), Some("Done."));
        assert_eq!(handoff.open_questions, ["Which store?"]);
        Conversation::of(&[asked("a"), words, asked("b")]).write_into(&mut handoff);
        let expected = Handoff { last_request: Some("b".into()), ..Handoff::default() };
        assert_eq!(handoff, expected);
    }
}
