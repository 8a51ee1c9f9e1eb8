//! Prints blocks as XML, one below the other.
//!
//! Lines are indented like the blocks they are in. Quotes are escaped only where they would end an
//! attribute: a command full of `&apos;` is copied wrongly.

use std::io;

use quick_xml::{
    Writer,
    escape::partial_escape,
    events::{BytesEnd, BytesStart, BytesText, Event, attributes::Attr},
};

use super::element::{Element, INDENT, Node, Shape};

/// Prints blocks, each ending in a line break.
pub(super) fn print(roots: &[Element]) -> String {
    let mut page = Writer::new(Vec::new());
    let printed = roots.iter().try_for_each(|root| {
        element(&mut page, root, 0)?;
        text(&mut page, "\n")
    });
    // Memory takes every write.
    debug_assert!(printed.is_ok());
    String::from_utf8_lossy(&page.into_inner()).into_owned()
}

fn element(page: &mut Writer<Vec<u8>>, element: &Element, depth: usize) -> io::Result<()> {
    let start = start(element);
    if element.children.is_empty() {
        return page.write_event(Event::Empty(start));
    }
    page.write_event(Event::Start(start))?;
    if let Some(line) = element.only_line() {
        text(page, line)?;
    } else {
        below(page, element, depth + 1)?;
        break_line(page, depth)?;
    }
    page.write_event(Event::End(BytesEnd::new(element.name)))
}

fn below(page: &mut Writer<Vec<u8>>, parent: &Element, depth: usize) -> io::Result<()> {
    for (place, child) in parent.children.iter().enumerate() {
        if place > 0 && parent.shape == Shape::Page {
            text(page, "\n")?;
        }
        match child {
            Node::Element(child) => {
                break_line(page, depth)?;
                element(page, child, depth)?;
            }
            Node::Lines(lines) => {
                for line in lines {
                    // A blank line has nothing to indent.
                    break_line(page, if line.is_empty() { 0 } else { depth })?;
                    text(page, line)?;
                }
            }
        }
    }
    Ok(())
}

fn start(element: &Element) -> BytesStart<'_> {
    let mut start = BytesStart::new(element.name);
    for (name, value) in &element.attributes {
        let escaped = partial_escape(value.as_str()).replace('"', "&quot;");
        start.push_attribute(Attr::DoubleQ(*name, escaped.as_str()));
    }
    start
}

fn break_line(page: &mut Writer<Vec<u8>>, depth: usize) -> io::Result<()> {
    text(page, "\n")?;
    text(page, &INDENT.repeat(depth))
}

fn text(page: &mut Writer<Vec<u8>>, text: &str) -> io::Result<()> {
    page.write_event(Event::Text(BytesText::from_escaped(partial_escape(text))))
}
