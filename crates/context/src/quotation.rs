//! Texts of others in a Markdown document of ours.
//!
//! Every line is quoted with `> `. Moving foreign headings some levels down would need a parser that
//! knows what a heading is: one that is underlined, one in a list, one after a code block that is
//! never closed. A mark on every line needs none, cannot be ended by the text itself, and tells a
//! reader who sees only the middle that somebody else is speaking.

use crate::wording::counted;

/// What every line of a quotation begins with.
const MARK: char = '>';

/// Room for the line that counts what was left out, in bytes.
const REST_BYTES: usize = 32;

/// Quotes a text, line by line. It neither escapes the text nor undoes that.
pub(crate) fn quoted(text: &str) -> String {
    let mut quotation = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        push_line(&mut quotation, line);
    }
    quotation.truncate(quotation.trim_end_matches('\n').len());
    quotation
}

/// Quotes as many whole lines as fit into so many bytes, and counts the others.
pub(crate) fn quoted_within(text: &str, most: usize) -> String {
    let whole = quoted(text);
    if whole.len() <= most {
        return whole;
    }
    let room = most.saturating_sub(REST_BYTES).max(REST_BYTES);
    let mut kept = String::new();
    let mut lines = whole.lines();
    let mut left = 0;
    for line in lines.by_ref() {
        if kept.len() + line.len() + 1 > room {
            // A text without line breaks has no better place to be cut.
            if kept.is_empty() {
                kept.push_str(beginning(line, room));
                kept.push('…');
            } else {
                left += 1;
            }
            break;
        }
        if !kept.is_empty() {
            kept.push('\n');
        }
        kept.push_str(line);
    }
    left += lines.count();
    if left > 0 {
        kept.push('\n');
        let rest = format!("… and {}", counted(left, "more line"));
        push_line(&mut kept, &rest);
        kept.truncate(kept.trim_end_matches('\n').len());
    }
    kept
}

/// Returns a line without the mark of a quotation, if it has one.
pub(crate) fn unquoted(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(MARK)?;
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

fn push_line(quotation: &mut String, line: &str) {
    quotation.push(MARK);
    if !line.is_empty() {
        quotation.push(' ');
        quotation.push_str(line);
    }
    quotation.push('\n');
}

/// Returns as much of a line as so many bytes hold.
fn beginning(line: &str, most: usize) -> &str {
    let end = line.floor_char_boundary(most);
    line.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use pacenote_model::Trust;
    use proptest::prelude::*;

    use super::*;
    use crate::escape::Escaped;

    fn body(raw: &str) -> String {
        Escaped::body(raw, Trust::Agent).into_string()
    }

    #[test]
    fn every_line_carries_the_mark() {
        for (raw, said) in [
            ("one", "> one"),
            ("one\n\n  two\n", "> one\n>\n>   two"),
            ("# Mine\n---\n```\n</plan>", "> # Mine\n> ---\n> ```\n> &lt;/plan>"),
            ("a\u{2028}# b\r\n\u{85}# c\u{b}# d", "> a# b\n> # c# d"),
            ("", ""),
        ] {
            assert_eq!(quoted(&body(raw)), said, "{raw:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let long = "line of text\n".repeat(9);
        let rest = "> line of text\n> line of text\n> … and 7 more lines";
        assert_eq!(quoted_within(&body(&long), 64), rest);
        assert_eq!(quoted_within(&body(&"é".repeat(60)), 64), format!("> {}…", "é".repeat(15)));
        assert_eq!(quoted_within(&body("short"), 64), "> short");
    }

    proptest! {
        #[test]
        fn a_quotation_keeps_its_lines_and_its_bounds(raw in "[\\PC\n]{0,200}", most in 64usize..400) {
            let text = body(&raw);
            let quotation = quoted(&text);
            let lines: Vec<&str> = quotation.lines().filter_map(unquoted).collect();
            prop_assert_eq!(lines, text.lines().collect::<Vec<_>>());
            let cut = quoted_within(&text, most);
            prop_assert!(cut.len() <= most, "{} bytes", cut.len());
            prop_assert!(cut.lines().all(|line| line.starts_with(MARK)));
        }
    }
}
