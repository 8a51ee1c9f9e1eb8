//! A Markdown document reduced to what a plan is made of: headings, checkboxes, bold leaders.
//!
//! The parser decides what is code, a comment or a quotation; nothing here looks at raw lines.

use std::mem;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// One piece of a document, with its offset in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) text: String,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A heading at the top of the document.
    Heading { level: u8 },
    /// A heading inside a list or a quotation, which begins no section.
    NestedHeading,
    /// The first line of a list item with a checkbox that lies in no other such item.
    Checkbox { ticked: bool },
    /// A line that begins with bold words.
    Leader { bold: String },
}

/// Returns the pieces of a document in order.
pub(crate) fn outline(markdown: &str) -> Vec<Piece> {
    let options = Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let mut scribe = Scribe::default();
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        match event {
            Event::Start(tag) => scribe.open(&tag, range.start),
            Event::End(tag) => scribe.close(tag),
            Event::Text(text) | Event::Code(text) => scribe.write(&text),
            Event::SoftBreak | Event::HardBreak => scribe.break_line(range.end),
            Event::TaskListMarker(ticked) => scribe.tick(ticked),
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::Rule => {}
        }
    }
    scribe.pieces
}

/// Follows the parser and writes down the pieces.
#[derive(Default)]
struct Scribe {
    pieces: Vec<Piece>,
    /// The open quotations and list items, outermost first.
    containers: Vec<Container>,
    in_code: bool,
    line: Option<Line>,
}

#[derive(PartialEq, Eq)]
enum Container {
    Quotation,
    Item,
    CheckboxItem,
}

/// The line being collected.
struct Line {
    start: usize,
    text: String,
    heading: Option<u8>,
    ticked: Option<bool>,
    leader: Leader,
}

enum Leader {
    /// Nothing was written yet.
    Possible,
    /// Bold words are being written.
    Open(String),
    /// The line began with these bold words.
    Complete(String),
    /// The line began otherwise.
    Absent,
}

impl Line {
    const fn at(start: usize) -> Self {
        Self { start, text: String::new(), heading: None, ticked: None, leader: Leader::Possible }
    }
}

impl Scribe {
    fn open(&mut self, tag: &Tag<'_>, start: usize) {
        match tag {
            Tag::Strong => self.open_bold(),
            // The paragraph of a loose item continues the item's first line.
            Tag::Paragraph if self.line.as_ref().is_some_and(|line| line.text.is_empty()) => {}
            Tag::Paragraph => self.begin(Line::at(start)),
            Tag::Heading { level, .. } => {
                self.begin(Line { heading: Some(*level as u8), ..Line::at(start) });
            }
            Tag::Item => {
                self.begin(Line::at(start));
                self.containers.push(Container::Item);
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.containers.push(Container::Quotation);
            }
            Tag::CodeBlock(_) => {
                self.flush();
                self.in_code = true;
            }
            Tag::HtmlBlock
            | Tag::List(_)
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::MetadataBlock(_) => self.flush(),
            Tag::Emphasis
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. } => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.close_bold(),
            TagEnd::CodeBlock => self.in_code = false,
            TagEnd::BlockQuote(_) | TagEnd::Item => {
                self.flush();
                self.containers.pop();
            }
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::HtmlBlock
            | TagEnd::List(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell
            | TagEnd::MetadataBlock(_) => self.flush(),
            TagEnd::Emphasis
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image => {}
        }
    }

    fn write(&mut self, text: &str) {
        let Some(line) = self.line.as_mut().filter(|_| !self.in_code) else { return };
        match &mut line.leader {
            Leader::Open(bold) => bold.push_str(text),
            leader @ Leader::Possible if !text.trim().is_empty() => *leader = Leader::Absent,
            Leader::Possible | Leader::Complete(_) | Leader::Absent => {}
        }
        line.text.push_str(text);
    }

    fn break_line(&mut self, next: usize) {
        match &mut self.line {
            Some(line) if line.heading.is_some() => line.text.push(' '),
            Some(_) => self.begin(Line::at(next)),
            None => {}
        }
    }

    fn tick(&mut self, ticked: bool) {
        // A checkbox below another is part of that step.
        let nested = self.containers.contains(&Container::CheckboxItem);
        if let Some(innermost @ Container::Item) = self.containers.last_mut() {
            *innermost = Container::CheckboxItem;
        }
        if let Some(line) = self.line.as_mut().filter(|_| !nested) {
            line.ticked = Some(ticked);
        }
    }

    fn open_bold(&mut self) {
        if let Some(Line { leader: leader @ Leader::Possible, .. }) = &mut self.line {
            *leader = Leader::Open(String::new());
        }
    }

    fn close_bold(&mut self) {
        if let Some(Line { leader, .. }) = &mut self.line
            && let Leader::Open(bold) = leader
        {
            *leader = Leader::Complete(mem::take(bold));
        }
    }

    fn begin(&mut self, line: Line) {
        self.flush();
        self.line = Some(line);
    }

    fn flush(&mut self) {
        let Some(Line { start, text, heading, ticked, leader }) = self.line.take() else { return };
        let kind = match (heading, ticked, leader) {
            (Some(level), _, _) if self.containers.is_empty() => Kind::Heading { level },
            (Some(_), _, _) => Kind::NestedHeading,
            (None, Some(ticked), _) => Kind::Checkbox { ticked },
            (None, None, Leader::Complete(bold) | Leader::Open(bold)) => Kind::Leader { bold },
            (None, None, Leader::Possible | Leader::Absent) => return,
        };
        self.pieces.push(Piece { start, text: text.trim().to_owned(), kind });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(markdown: &str) -> String {
        let pieces = outline(markdown);
        let lines =
            pieces.iter().map(|piece| format!("{} {:?} {:?}", piece.start, piece.kind, piece.text));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn headings_in_code_and_comments_are_none() {
        insta::assert_snapshot!(told("\
# One `two` *three* [four](x) <b>five</b> &amp; ~~six~~ #

```markdown
# code
- [ ] code
```

    # indented code

<!--
# comment
- [ ] comment
-->

Underlined
heading
-------

> ## quoted

- ### in a list
"), @r#"
        0 Heading { level: 1 } "One two three four five & six"
        149 Heading { level: 2 } "Underlined heading"
        179 NestedHeading "quoted"
        192 NestedHeading "in a list"
        "#);
    }

    #[test]
    fn only_the_outermost_checkbox_counts() {
        insta::assert_snapshot!(told("\
- [ ] **Step 1: tight**
  more of it
  - [x] below it
- [x] ticked

  ```sh
  - [ ] code
  ```

- plain
  1. [ ] numbered, below a plain one
- [ ]
> - [X] quoted
"), @r#"
        0 Checkbox { ticked: false } "Step 1: tight"
        54 Checkbox { ticked: true } "ticked"
        106 Checkbox { ticked: false } "numbered, below a plain one"
        141 Checkbox { ticked: false } ""
        149 Checkbox { ticked: true } "quoted"
        "#);
    }

    #[test]
    fn every_line_of_a_paragraph_may_have_a_leader() {
        insta::assert_snapshot!(told("\
**Step 1:** Write the test
**Step 2:** Make it pass
and **not** this

Not **Step 3:** this

- **Step 4: in a list** and more

**never closed
"), @r#"
        0 Leader { bold: "Step 1:" } "Step 1: Write the test"
        27 Leader { bold: "Step 2:" } "Step 2: Make it pass"
        92 Leader { bold: "Step 4: in a list" } "Step 4: in a list and more"
        "#);
    }
}
