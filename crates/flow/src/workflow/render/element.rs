//! A block before it is printed: a name, attributes, and what is in it.
//!
//! Text enters here or nowhere, and is legible from then on; both printers rely on that.

use super::legible;

/// What one level is indented by.
pub(super) const INDENT: &str = "  ";

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: &'static str,
    pub(super) attributes: Vec<(&'static str, String)>,
    pub(super) children: Vec<Node>,
    pub(super) shape: Shape,
}

/// What can be in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// Another block.
    Element(Element),
    /// Legible lines; at least one.
    Lines(Vec<String>),
}

/// How a block is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// On one line if it is short.
    Block,
    /// The same; in plain text it is one item of a list and its name is not said.
    Item,
    /// Always below its name, with a blank line between the parts.
    Page,
}

impl Element {
    /// Returns an empty block.
    pub(super) const fn new(name: &'static str, shape: Shape) -> Self {
        Self { name, attributes: Vec::new(), children: Vec::new(), shape }
    }

    /// Returns an empty block of the usual shape.
    pub(super) const fn block(name: &'static str) -> Self {
        Self::new(name, Shape::Block)
    }

    /// Returns an empty item of a list.
    pub(super) const fn item(name: &'static str) -> Self {
        Self::new(name, Shape::Item)
    }

    /// Adds an attribute; an empty value says nothing and is left out.
    pub(super) fn attribute(mut self, name: &'static str, value: &str) -> Self {
        let value = legible::line(value);
        if !value.is_empty() {
            self.attributes.push((name, value));
        }
        self
    }

    /// Adds a text of any length.
    pub(super) fn text(mut self, raw: &str) -> Self {
        self.children.extend(Node::text(raw));
        self
    }

    /// Adds a text that has to stay on one line, such as a command.
    pub(super) fn line(self, raw: &str) -> Self {
        self.text(&legible::line(raw))
    }

    /// Adds a block.
    pub(super) fn child(mut self, child: Self) -> Self {
        self.children.push(Node::Element(child));
        self
    }

    /// Adds blocks.
    pub(super) fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children.into_iter().map(Node::Element));
        self
    }

    /// Returns the text, if there is nothing but a single line of it.
    pub(super) fn only_line(&self) -> Option<&str> {
        match (self.shape, self.children.as_slice()) {
            (Shape::Block | Shape::Item, [Node::Lines(lines)]) => match lines.as_slice() {
                [line] => Some(line),
                [] | [_, _, ..] => None,
            },
            (Shape::Block | Shape::Item | Shape::Page, _) => None,
        }
    }
}

impl Node {
    /// Returns a text of any length, unless it is blank.
    pub(super) fn text(raw: &str) -> Option<Self> {
        let lines = legible::lines(raw);
        (!lines.is_empty()).then_some(Self::Lines(lines))
    }
}

/// Returns one item for each text, without attributes.
pub(super) fn items(name: &'static str, texts: &[String]) -> impl Iterator<Item = Element> {
    texts.iter().map(move |text| Element::item(name).text(text))
}

/// Returns one item for each text, numbered from one.
pub(super) fn numbered(name: &'static str, texts: &[String]) -> impl Iterator<Item = Element> {
    texts.iter().enumerate().map(move |(place, text)| {
        Element::item(name).attribute("id", &(place + 1).to_string()).text(text)
    })
}
