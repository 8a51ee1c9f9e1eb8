//! A body in passages: the stretches of text within which a sentence can run.
//!
//! Markdown's parser decides what is code, what is bold and where a list begins. Comments are left
//! out; tags such as `<IMPORTANT>` make their text verbatim, because Markdown does not read it.

use std::{mem, ops::Range};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What the reader of a body meets.
pub(super) enum Part {
    /// A passage ends.
    Passage(Passage),
    ListBegins,
    ListEnds,
    TableBegins,
}

/// A stretch of text without its markup.
#[derive(Default)]
pub(super) struct Passage {
    pub(super) text: String,
    pub(super) form: Form,
    pub(super) role: Role,
    /// What stands in backticks, in order.
    code: Vec<Range<usize>>,
    /// What stands in bold, in order.
    bold: Vec<Range<usize>>,
    /// Where each link goes, with its place in the text.
    pub(super) addresses: Vec<(usize, String)>,
    /// Where each piece begins, in the text and in the body.
    pieces: Vec<(usize, usize)>,
    /// The text has ended at a mark that is not part of it.
    is_at_mark: bool,
}

/// How a passage is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// As sentences.
    #[default]
    Prose,
    /// As code, line by line.
    Verbatim,
}

/// Where a passage stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Text,
    Heading,
    /// In the first row of a table.
    TableHead,
    /// In another row of a table.
    TableCell,
}

impl Passage {
    /// Tells whether exactly these bytes stand in backticks or in bold.
    pub(super) fn is_marked(&self, bytes: &Range<usize>) -> bool {
        [&self.code, &self.bold].into_iter().any(|runs| ending(runs, bytes.end) == Some(bytes))
    }

    /// Returns the beginning of what stands in bold, or else in backticks, up to here.
    pub(super) fn marked_until(&self, end: usize) -> Option<usize> {
        let run = ending(&self.bold, end).or_else(|| ending(&self.code, end))?;
        Some(run.start)
    }

    /// Returns where in the body a byte of the text stands.
    pub(super) fn place(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|(text, _)| *text <= at);
        let piece = after.checked_sub(1).and_then(|piece| self.pieces.get(piece));
        piece.map_or(0, |(text, body)| body + (at - text))
    }

    /// Adds text, and keeps two words apart that only a mark stands between: `one<two:three>` and
    /// `one**two**` name nothing that is called `onetwo`, nor does `**Calls:**one` begin a name.
    fn push(&mut self, text: &str, body: usize) {
        let ends_word = |letter: char| letter.is_alphanumeric() || letter == ':';
        if mem::take(&mut self.is_at_mark)
            && self.text.ends_with(ends_word)
            && text.starts_with(char::is_alphanumeric)
        {
            self.pieces.push((self.text.len(), body));
            self.text.push(' ');
        }
        self.pieces.push((self.text.len(), body));
        self.text.push_str(text);
    }

    /// Returns what was added since, without the marks around a name: a slash before it makes it a
    /// command, and commas and colons after it belong to the sentence.
    fn added(&self, start: usize) -> Option<Range<usize>> {
        let run = self.text.get(start..)?;
        let named = run.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        let begin = start + (run.len() - named.len());
        let end = begin + named.trim_end_matches([' ', '\n', ':', ',', '.', ';']).len();
        (begin < end).then_some(begin..end)
    }
}

fn ending(runs: &[Range<usize>], end: usize) -> Option<&Range<usize>> {
    let at = runs.partition_point(|run| run.end < end);
    runs.get(at).filter(|run| run.end == end)
}

/// The lines of a body.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(body: &str) -> Self {
        Self(body.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// Returns the line of a byte, counted from one.
    pub(super) fn number(&self, at: usize) -> usize {
        self.0.partition_point(|end| *end < at) + 1
    }
}

/// Hands over the parts of a body one by one.
pub(super) fn each(body: &str, mut take: impl FnMut(Part)) {
    let mut passage = Passage::default();
    let mut bold = Bold::default();
    let mut is_comment = false;
    let mut cell = Role::TableCell;
    for (event, bytes) in Parser::new_ext(body, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Text(text) => passage.push(&text, bytes.start),
            Event::Code(text) => {
                passage.is_at_mark = true;
                let start = passage.text.len();
                passage.push(&text, bytes.start);
                let added = passage.added(start);
                passage.code.extend(added);
                passage.is_at_mark = true;
            }
            Event::SoftBreak | Event::HardBreak => passage.push("\n", bytes.start),
            Event::Start(Tag::Strong) => {
                passage.is_at_mark = true;
                bold.begins(passage.text.len());
            }
            Event::End(TagEnd::Strong) => {
                passage.is_at_mark = true;
                if let Some(start) = bold.ends() {
                    let added = passage.added(start);
                    passage.bold.extend(added);
                }
            }
            Event::Html(text) => {
                passage.form = Form::Verbatim;
                is_comment |= passage.text.is_empty() && text.trim_start().starts_with("<!--");
                if !is_comment {
                    passage.push(&text, bytes.start);
                }
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                passage.is_at_mark = true;
                passage.addresses.push((passage.text.len(), dest_url.into_string()));
            }
            Event::Start(tag) => {
                let is_verbatim = matches!(tag, Tag::CodeBlock(_) | Tag::HtmlBlock);
                if is_within_a_sentence(&tag) {
                    passage.is_at_mark = true;
                    continue;
                }
                hand_over(&mut passage, &mut take);
                passage.form = if is_verbatim { Form::Verbatim } else { Form::Prose };
                is_comment = false;
                if matches!(tag, Tag::List(_)) {
                    take(Part::ListBegins);
                } else if matches!(tag, Tag::Table(_)) {
                    take(Part::TableBegins);
                } else if matches!(tag, Tag::TableHead) {
                    cell = Role::TableHead;
                } else if matches!(tag, Tag::TableCell) {
                    passage.role = cell;
                } else if matches!(tag, Tag::Heading { .. }) {
                    passage.role = Role::Heading;
                }
            }
            Event::End(TagEnd::TableHead) => cell = Role::TableCell,
            Event::End(
                TagEnd::CodeBlock
                | TagEnd::HtmlBlock
                | TagEnd::Item
                | TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::BlockQuote(_)
                | TagEnd::TableCell,
            ) => {
                hand_over(&mut passage, &mut take);
                is_comment = false;
            }
            Event::End(TagEnd::List(_)) => {
                hand_over(&mut passage, &mut take);
                take(Part::ListEnds);
            }
            Event::End(TagEnd::Link | TagEnd::Emphasis | TagEnd::Image) | Event::InlineHtml(_) => {
                passage.is_at_mark = true;
            }
            Event::End(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }
    hand_over(&mut passage, &mut take);
}

fn is_within_a_sentence(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Emphasis | Tag::Strikethrough | Tag::Image { .. })
}

/// Bold text, which may lie in bold text.
#[derive(Default)]
struct Bold {
    depth: usize,
    start: usize,
}

impl Bold {
    fn begins(&mut self, at: usize) {
        if self.depth == 0 {
            self.start = at;
        }
        self.depth += 1;
    }

    /// Returns where the outermost began, once it ends.
    fn ends(&mut self) -> Option<usize> {
        self.depth = self.depth.saturating_sub(1);
        (self.depth == 0).then_some(self.start)
    }
}

fn hand_over(passage: &mut Passage, take: &mut impl FnMut(Part)) {
    let ended = mem::take(passage);
    if !ended.text.trim().is_empty() {
        take(Part::Passage(ended));
    }
}
