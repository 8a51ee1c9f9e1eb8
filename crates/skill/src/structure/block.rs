//! A Markdown text as a flat list of headings, paragraphs, list items and tables.
//!
//! What stands in code blocks, quotations, HTML and comments is somebody's example, never structure,
//! and is left out here once for every rule. The list is flat so that no nesting, however deep, can
//! exhaust a stack.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::text::Text;

/// Most blocks that are read of one text; the largest of 20,000 public skills has 3,000.
const BLOCKS: usize = 50_000;

/// Most rows that are read of one table: no catalogue of patterns comes near.
pub(super) const TABLE_ROWS: usize = 1_000;

/// Most columns that are read of one table.
const TABLE_COLUMNS: usize = 16;

/// Deepest level of lists that is told apart; deeper items count as this deep.
const DEEPEST: u8 = 8;

/// One block of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) shape: Shape,
    /// Its text; that of a table is in its cells.
    pub(super) text: Text,
    /// The line it begins on, counted from one.
    pub(super) line: usize,
}

/// What kind of block it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A heading outside of lists, of level 1 to 6.
    Heading(u8),
    /// A paragraph, within so many list items.
    Paragraph {
        depth: u8,
    },
    /// The first paragraph of a list item, the outermost being 1 deep.
    Item {
        depth: u8,
        marker: Marker,
    },
    Table(Table),
}

/// What a list item begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Bullet,
    Number,
    Box,
}

impl Marker {
    /// Tells whether the order of the items matters: numbers, and boxes that are ticked off.
    pub(super) const fn is_ordered(self) -> bool {
        matches!(self, Self::Number | Self::Box)
    }
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) header: Vec<Text>,
    pub(super) rows: Vec<Row>,
    /// Whether rows were left out because there are too many.
    pub(super) is_cut: bool,
}

/// A row of a table below its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) cells: Vec<Text>,
    pub(super) line: usize,
}

/// Reads the blocks of a text, in order; `false` when there were more than are read.
pub(super) fn blocks(text: &str) -> (Vec<Block>, bool) {
    let mut reader = Reader { lines: Lines::new(text), ..Reader::default() };
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    for (event, bytes) in Parser::new_ext(text, options).into_offset_iter() {
        if reader.blocks.len() >= BLOCKS {
            return (reader.blocks, false);
        }
        reader.take(event, bytes.start);
    }
    reader.close();
    (reader.blocks, true)
}

/// Counts lines up to places that come in order.
#[derive(Default)]
struct Lines<'t> {
    text: &'t str,
    counted: usize,
    line: usize,
}

impl<'t> Lines<'t> {
    const fn new(text: &'t str) -> Self {
        Self { text, counted: 0, line: 1 }
    }

    fn at(&mut self, place: usize) -> usize {
        if let Some(between) = self.text.get(self.counted..place) {
            self.line += between.matches('\n').count();
            self.counted = place;
        }
        self.line
    }

    /// Tells whether bold words at a place begin a line and announce something.
    ///
    /// To Markdown such a line goes on with the paragraph or the item before it when there is no
    /// blank line between; to everyone who writes one it is a paragraph of its own.
    fn is_leader(&self, place: usize) -> bool {
        let begins = self.text.get(..place).is_some_and(|before| before.ends_with('\n'));
        let mut lines = self.text.get(place..).unwrap_or_default().lines();
        let mut strong = || lines.next()?.strip_prefix("**")?.split_once("**");
        begins && strong().is_some_and(|(lead, rest)| lead.ends_with(':') || rest.starts_with(':'))
    }
}

#[derive(Default)]
struct Reader<'t> {
    lines: Lines<'t>,
    blocks: Vec<Block>,
    /// The block that text is added to.
    open: Option<Block>,
    /// The lists around, by what their items begin with.
    lists: Vec<Marker>,
    /// The item whose first paragraph has not begun.
    item: Option<Marker>,
    /// Quotations and code blocks around.
    foreign: usize,
    table: Option<Table>,
    /// The row that cells are added to, and the cell that text is added to.
    row: Option<Row>,
    cell: Option<Text>,
    /// Where the bold text around began.
    strong: Vec<usize>,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, place: usize) {
        match event {
            Event::Start(Tag::BlockQuote(_) | Tag::CodeBlock(_)) => {
                self.close();
                self.foreign += 1;
            }
            Event::End(TagEnd::BlockQuote(_) | TagEnd::CodeBlock) => {
                self.foreign = self.foreign.saturating_sub(1);
            }
            _ if self.foreign > 0 => {}
            Event::Start(tag) => self.start(&tag, place),
            Event::End(end) => self.end(end),
            Event::Text(text) => self.text(place).push(&text),
            Event::Code(code) => self.text(place).push_code(&code),
            Event::SoftBreak | Event::HardBreak => self.text(place).push(" "),
            Event::TaskListMarker(_) => {
                self.item = self.item.map(|_| Marker::Box);
                // In a loose list the marker comes when the paragraph has begun.
                if let Some(Block { shape: Shape::Item { marker, .. }, .. }) = &mut self.open {
                    *marker = Marker::Box;
                }
            }
            Event::Rule => self.close(),
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, place: usize) {
        if let Tag::List(first) = tag {
            self.close();
            self.lists.push(if first.is_some() { Marker::Number } else { Marker::Bullet });
        } else if matches!(tag, Tag::Item) {
            self.close();
            self.item = self.lists.last().copied();
        } else if let Tag::Heading { level, .. } = tag
            && self.lists.is_empty()
        {
            self.begin(Shape::Heading(*level as u8), place);
        } else if matches!(tag, Tag::Paragraph | Tag::Heading { .. }) {
            let shape = self.shape();
            self.begin(shape, place);
        } else if matches!(tag, Tag::Table(_)) {
            self.begin(Shape::Table(Table::default()), place);
            self.table = Some(Table::default());
        } else if matches!(tag, Tag::TableHead | Tag::TableRow) {
            self.row = Some(Row { cells: Vec::new(), line: self.lines.at(place) });
        } else if matches!(tag, Tag::TableCell) {
            self.cell = Some(Text::default());
        } else if matches!(tag, Tag::Strong) {
            if self.lines.is_leader(place) {
                self.begin(Shape::Paragraph { depth: 0 }, place);
            }
            let start = self.text(place).as_str().len();
            self.strong.push(start);
        } else if let Tag::Link { dest_url, .. } = tag {
            self.text(place).push_link(dest_url);
        } else if matches!(tag, Tag::HtmlBlock) {
            self.close();
        }
    }

    fn end(&mut self, end: TagEnd) {
        if matches!(end, TagEnd::List(_)) {
            self.close();
            self.lists.pop();
        } else if matches!(end, TagEnd::Item) {
            self.close();
            self.item = None;
        } else if matches!(end, TagEnd::Paragraph | TagEnd::Heading(_)) {
            self.close();
        } else if matches!(end, TagEnd::TableCell) {
            let row = self.row.as_mut().filter(|row| row.cells.len() < TABLE_COLUMNS);
            if let (Some(mut cell), Some(row)) = (self.cell.take(), row) {
                cell.trim_end();
                row.cells.push(cell);
            }
        } else if matches!(end, TagEnd::TableHead | TagEnd::TableRow) {
            self.end_row(matches!(end, TagEnd::TableHead));
        } else if matches!(end, TagEnd::Table) {
            if let (Some(table), Some(block)) = (self.table.take(), &mut self.open) {
                block.shape = Shape::Table(table);
            }
            self.close();
        } else if matches!(end, TagEnd::Strong)
            && let Some(start) = self.strong.pop()
            && let Some(text) =
                self.cell.as_mut().or(self.open.as_mut().map(|block| &mut block.text))
        {
            text.mark_strong(start);
        }
    }

    fn end_row(&mut self, is_header: bool) {
        let (Some(row), Some(table)) = (self.row.take(), &mut self.table) else { return };
        if is_header {
            table.header = row.cells;
        } else if table.rows.len() < TABLE_ROWS {
            table.rows.push(row);
        } else {
            table.is_cut = true;
        }
    }

    /// Returns what text is added to; in a tight list it is the first to say that a block begins.
    fn text(&mut self, place: usize) -> &mut Text {
        if self.cell.is_none() && self.open.is_none() {
            let shape = self.shape();
            self.begin(shape, place);
        }
        if let Some(cell) = &mut self.cell {
            cell
        } else {
            let shape = Shape::Paragraph { depth: 0 };
            let block = Block { shape, text: Text::default(), line: self.lines.line };
            &mut self.open.get_or_insert(block).text
        }
    }

    /// Returns the shape of a paragraph that begins here.
    fn shape(&mut self) -> Shape {
        let depth = u8::try_from(self.lists.len()).unwrap_or(DEEPEST).min(DEEPEST);
        match self.item.take() {
            Some(marker) => Shape::Item { depth, marker },
            None => Shape::Paragraph { depth },
        }
    }

    fn begin(&mut self, shape: Shape, place: usize) {
        self.close();
        let line = self.lines.at(place);
        self.open = Some(Block { shape, text: Text::default(), line });
    }

    fn close(&mut self) {
        self.strong.clear();
        self.cell = None;
        if let Some(mut block) = self.open.take() {
            block.text.trim_end();
            let is_empty = block.text.as_str().is_empty();
            if !(is_empty && matches!(block.shape, Shape::Paragraph { .. })) {
                self.blocks.push(block);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tells each block on a line: line, shape, bold leader and text.
    fn told(body: &str) -> String {
        let lines = blocks(body).0.into_iter().map(|Block { shape, text, line }| {
            let lead = text.lead().map(|(lead, _)| format!("[{lead}] ")).unwrap_or_default();
            let shape = match shape {
                Shape::Heading(level) => format!("h{level}"),
                Shape::Paragraph { depth } => format!("p{depth}"),
                Shape::Item { depth, marker } => format!("{marker:?}{depth}"),
                Shape::Table(table) => {
                    let row = |cells: &[Text]| {
                        cells.iter().map(Text::as_str).collect::<Vec<_>>().join(" ; ")
                    };
                    let rows = table.rows.iter().map(|r| format!("{} {}", r.line, row(&r.cells)));
                    format!("{} / {}", row(&table.header), rows.collect::<Vec<_>>().join(" / "))
                }
            };
            format!("{line} {shape} {lead}{}", text.as_str())
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn blocks_are_flat_and_examples_are_left_out() {
        let body = "\
# Using `it` *well*
**Lead:** rest
of it
**Next**: one
- a
**Third:**
- b
  **not:** b
  - [x] c

    more of c
> - quoted
>   # quoted
```
- fenced
```
<div>
- html
</div>

<!-- - comment -->

1. one

   ```
   code
   ```
2. **two** [link](x.md)

| A | B |
|---|---|
| `x\\|y` | **z** |

Under
=====
";
        insta::assert_snapshot!(told(body), @"
        1 h1 Using `it` well
        2 p0 [Lead:] Lead: rest of it
        4 p0 [Next] Next: one
        5 Bullet1 a
        6 p0 [Third:] Third:
        7 Bullet1 b not: b
        9 Box2 c
        11 p2 more of c
        23 Number1 one
        28 Number1 [two] two link
        30 A ; B / 32 `x|y` ; z 
        34 h1 Under
        ");
    }

    #[test]
    fn nesting_and_long_tables_are_bounded() {
        let deepest = blocks(&"- ".repeat(100_000)).0;
        assert!(deepest.len() <= 1);
        let table = format!("|a|\n|-|\n{}", "|b|\n".repeat(100_000));
        let Shape::Table(table) = &blocks(&table).0[0].shape else { panic!("a table") };
        assert!(table.is_cut && table.rows.len() == TABLE_ROWS);
        assert!(!blocks(&"a\n\n".repeat(BLOCKS + 1)).1);
    }
}
