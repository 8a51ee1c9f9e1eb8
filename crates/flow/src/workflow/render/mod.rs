//! A view as an agent reads it: XML, or plain text where a host would escape the XML.
//!
//! Both say the same and end in exactly one instruction. Texts of people and agents stay inside the
//! block they were put in, whatever they hold. Nothing is decided here and nothing is left out.

mod blocks;
mod element;
mod legible;
mod markup;
mod next;
mod plain;
#[cfg(test)]
mod tests;

use self::element::{Element, Shape};
use super::view::{After, GateResult, Header, Piece, View};

/// The forms a view can be shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Tags round everything.
    Xml,
    /// Labels and indentation.
    Text,
}

/// Renders a view; the last line ends in a line break.
pub fn render(view: &View, form: Form) -> String {
    match form {
        Form::Xml => xml(view),
        Form::Text => text(view),
    }
}

/// Renders a view as XML: elements one below the other, without a root and a declaration.
pub fn xml(view: &View) -> String {
    let mut roots = vec![step_header(&view.header)];
    roots.extend(view.is_first.then(|| mandate("xml_format_mandate").text(ESCAPED)));
    roots.extend(view.gate.as_ref().map(gate_result));
    roots.push(work(view, None));
    roots.extend(next::invoke_after(view));
    roots.push(next::next(view).element());
    markup::print(&roots)
}

/// Renders a view as plain text, in which only our own labels stand at the left edge.
pub fn text(view: &View) -> String {
    let mut page = step_line(&view.header);
    if let Some(gate) = &view.gate {
        let label = format!("GATE {}: {}.", legible::line(&gate.name), verdict(gate));
        page.push_str(&plain::edge(&label, &gate.message));
    }
    page.push_str(&plain::print(&work(view, view.is_first.then(|| mandate("how_to_read_this")))));
    // Where there is only one way, the last line names it; to say it twice would make it two.
    if let (After::Branch { .. }, Some(ways)) = (&view.after, next::invoke_after(view)) {
        page.push_str(&plain::print(&ways));
    }
    page.push_str(&next::next(view).line());
    page
}

/// Returns the one thing to do next, in a line.
pub fn next_line(view: &View) -> String {
    next::next(view).sentence()
}

/// Renders pieces as plain text that can stand in a prompt.
pub fn pieces_as_text(pieces: &[Piece]) -> String {
    plain::nodes(&blocks::nodes(pieces))
}

/// How to follow a step; said once, with the first.
const MANDATE: &str = "\
You follow a workflow, one step at a time; pacenote remembers where it stands.
1. Do what DO says: all of it, in its order, and nothing else.
2. Then do what NEXT says. Its command shows the next step.
Do not explore before you start, do not skip or merge steps, do not improve on them and do not guess \
what comes later.
Copy commands exactly. Where one has a word in capitals, DO or NEXT says what to put there.
If you lose your place, run `pacenote flow status`.";

/// How to read commands in XML. The signs are escaped like all others, which is what it speaks of.
const ESCAPED: &str = "\
In this output & stands for an ampersand, < for a less-than sign and > for a greater-than sign; \
write the sign itself when you run a command.";

/// What DO says when a step has nothing of its own to say.
const NOTHING_TO_DO: &str = "Nothing is left to do here.";

fn step_header(header: &Header) -> Element {
    Element::block("step_header")
        .attribute("workflow", &header.workflow)
        .attribute("phase", header.phase.as_deref().unwrap_or_default())
        .attribute("step", &header.step.to_string())
        .attribute("total", &header.total.to_string())
        .line(&header.title)
}

fn step_line(header: &Header) -> String {
    let label = format!("STEP {}/{}:", header.step, header.total);
    let place = match &header.phase {
        Some(phase) => format!("{}, {phase}", header.workflow),
        None => header.workflow.clone(),
    };
    plain::edge(&label, &format!("{} [{place}]", header.title))
}

fn mandate(name: &'static str) -> Element {
    Element::block(name).text(MANDATE)
}

fn gate_result(gate: &GateResult) -> Element {
    Element::block("gate_result")
        .attribute("name", &gate.name)
        .attribute("status", &verdict(gate).to_lowercase())
        .text(&gate.message)
}

const fn verdict(gate: &GateResult) -> &'static str {
    if gate.passed { "PASS" } else { "FAIL" }
}

fn work(view: &View, guide: Option<Element>) -> Element {
    let mut page = Element::new("DO", Shape::Page).children(guide);
    let pieces = blocks::nodes(&view.pieces);
    if pieces.is_empty() {
        return page.text(NOTHING_TO_DO);
    }
    page.children.extend(pieces);
    page
}
