//! Bytes to text: what no reader of a skill wants is taken out, and counted.

use std::borrow::Cow;

use pacenote_model::limits;

use crate::finding::{Finding, Problem};

/// The mark some editors put at the beginning of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns the text of a file with lines that end in `\n`, and what had to be done for it.
pub(crate) fn decode<'b>(bytes: &'b [u8], findings: &mut Vec<Finding>) -> Cow<'b, str> {
    let mut text = decode_utf8(within_cap(bytes, findings), findings);
    if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
        findings.push(Finding::reading(Problem::ByteOrderMark, Some(1)));
        text = match text {
            Cow::Borrowed(whole) => Cow::Borrowed(whole.trim_start_matches(BYTE_ORDER_MARK)),
            Cow::Owned(_) => Cow::Owned(rest.to_owned()),
        };
    }
    if text.contains('\0') {
        let count = text.matches('\0').count();
        let line = line_of(&text, text.find('\0'));
        findings.push(Finding::reading(Problem::NulCharacters { count }, line));
        text = Cow::Owned(text.replace('\0', ""));
    }
    if text.contains('\r') {
        let line = line_of(&text, text.find('\r'));
        findings.push(Finding::reading(Problem::CarriageReturns, line));
        text = Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
    }
    text
}

fn within_cap<'b>(bytes: &'b [u8], findings: &mut Vec<Finding>) -> &'b [u8] {
    let cap = usize::try_from(limits::SKILL_BYTES).unwrap_or(usize::MAX);
    let Some((kept, _)) = bytes.split_at_checked(cap).filter(|(_, rest)| !rest.is_empty()) else {
        return bytes;
    };
    findings.push(Finding::reading(Problem::FileTooLarge { bytes: bytes.len() }, None));
    // The cut may fall inside a character, which is no fault of the file.
    match std::str::from_utf8(kept) {
        Err(error) if error.error_len().is_none() => {
            kept.get(..error.valid_up_to()).unwrap_or(kept)
        }
        Ok(_) | Err(_) => kept,
    }
}

fn decode_utf8<'b>(bytes: &'b [u8], findings: &mut Vec<Finding>) -> Cow<'b, str> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Cow::Borrowed(text),
        Err(error) => error,
    };
    let sequences = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    let text = String::from_utf8_lossy(bytes);
    let line = line_of(&text, Some(error.valid_up_to()));
    findings.push(Finding::reading(Problem::NotUtf8 { sequences }, line));
    text
}

/// Returns the line an offset lies on, counted from one.
fn line_of(text: &str, offset: Option<usize>) -> Option<usize> {
    let before = text.get(..offset?)?;
    Some(before.matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(bytes: &[u8]) -> (String, Vec<String>) {
        let mut findings = Vec::new();
        let text = decode(bytes, &mut findings).into_owned();
        (text, findings.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn what_is_odd_is_taken_out_and_counted() {
        let (text, findings) = told(b"\xef\xbb\xbfone\r\ntwo\0\0\rthree\n\xff\xfe four \xc3");
        assert_eq!(text, "one\ntwo\nthree\n\u{fffd}\u{fffd} four \u{fffd}");
        insta::assert_snapshot!(findings.join("\n"), @"
        line 3: bytes that are not UTF-8 were replaced, 3 sequences in all
        line 1: the file begins with a byte order mark
        line 2: NUL characters were removed, 2 in all
        line 1: lines end with carriage returns
        ");
        assert_eq!(told(b"plain\n"), ("plain\n".to_owned(), Vec::new()));
    }

    #[test]
    fn a_dump_is_cut_between_characters() {
        let dump = format!("a{}", "é".repeat(600_000));
        let (text, findings) = told(dump.as_bytes());
        assert_eq!(text.len(), 1024 * 1024 - 1);
        insta::assert_snapshot!(findings.join("\n"), @"the file has 1200001 bytes, only the first 1048576 are read");
    }
}
