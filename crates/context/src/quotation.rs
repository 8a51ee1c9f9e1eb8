//! Texts of others in a Markdown document of ours.
//!
//! Every line is quoted with `> `. Moving foreign headings some levels down would need a parser that
//! knows what a heading is: one that is underlined, one in a list, one after a code block that is
//! never closed. A mark on every line needs none, cannot be ended by the text itself, and tells a
//! reader who sees only the middle that somebody else is speaking.

/// What every line of a quotation begins with.
const MARK: char = '>';

/// Quotes a text, line by line. It neither escapes the text nor undoes that.
pub(crate) fn quoted(text: &str) -> String {
    let mut quotation = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        push_line(&mut quotation, line);
    }
    quotation.truncate(quotation.trim_end_matches('\n').len());
    quotation
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

    proptest! {
        #[test]
        fn a_quotation_keeps_its_lines(raw in "[\\PC\n]{0,200}") {
            let text = body(&raw);
            let quotation = quoted(&text);
            let lines: Vec<&str> = quotation.lines().filter_map(unquoted).collect();
            prop_assert_eq!(lines, text.lines().collect::<Vec<_>>());
        }
    }
}
