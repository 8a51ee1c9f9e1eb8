//! What has to be remembered of a settings file, without what people wrote into it.
//!
//! Settings hold keys of services and other secrets. To take an edit back, only the shape of the
//! file is needed: its brackets, its keys, its white space. So that is all that is kept.

/// What stands for each byte of a text that is not kept.
const MASK: u8 = b'x';

/// Returns a text of the same shape and length in which every string that is no key and every
/// comment is made unreadable.
pub fn masked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut kept: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let (length, is_kept) = match rest {
            [b'"', ..] => {
                let length = string(rest);
                (length, is_key(rest.get(length..).unwrap_or_default()))
            }
            [b'/', b'/', ..] => (line(rest), false),
            [b'/', b'*', ..] => (block(rest), false),
            _ => {
                kept.push(*byte);
                at += 1;
                continue;
            }
        };
        let piece = rest.get(..length).unwrap_or(rest);
        let edges = if piece.starts_with(b"/") { 2 } else { 1 };
        let last = if piece.starts_with(b"//") { 0 } else { edges };
        let inner = edges..piece.len().saturating_sub(last);
        kept.extend(piece.iter().enumerate().map(|(place, byte)| {
            let is_inner = inner.contains(&place) && !matches!(byte, b'\n' | b'\r');
            if is_inner && !is_kept { MASK } else { *byte }
        }));
        at += piece.len().max(1);
    }
    // Whole strings and comments were masked, so what is left is text; were that ever wrong, nothing
    // is remembered rather than something unreadable.
    String::from_utf8(kept).unwrap_or_default()
}

/// Returns the length of the string that begins here, its marks included.
fn string(text: &[u8]) -> usize {
    let mut is_escaped = false;
    for (place, byte) in text.iter().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return place + 1,
            _ => {}
        }
    }
    text.len()
}

fn line(text: &[u8]) -> usize {
    text.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len())
}

fn block(text: &[u8]) -> usize {
    let end = text.windows(2).skip(2).position(|pair| pair == b"*/");
    end.map_or(text.len(), |place| place + 4)
}

/// Tells whether what follows a string makes it a key.
fn is_key(mut rest: &[u8]) -> bool {
    loop {
        rest = match rest {
            [b':', ..] => return true,
            [b' ' | b'\t' | b'\n' | b'\r', more @ ..] => more,
            [b'/', b'/', ..] => rest.get(line(rest)..).unwrap_or_default(),
            [b'/', b'*', ..] => rest.get(block(rest)..).unwrap_or_default(),
            _ => return false,
        };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_shape_stays_and_the_words_go() {
        let text = "{\n  // my token: abc\n  \"env\": { \"KEY\" /* the key */ : \"sk-\\\"é\" },\n  \
                    \"list\": [\"a\", 1, true], // é\r\n}";
        insta::assert_snapshot!(masked(text), @r#"
        {
          //xxxxxxxxxxxxxx
          "env": { "KEY" /*xxxxxxxxx*/ : "xxxxxxx" },
          "list": ["x", 1, true], //xxx
        }
        "#);
    }

    proptest! {
        #[test]
        fn any_text_keeps_its_length_and_lines(text in r#"[{}\[\]",:/*a-cé\\ \n]{0,60}"#) {
            let masked = masked(&text);
            prop_assert!(masked.is_empty() || masked.len() == text.len());
            let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
            prop_assert!(masked.is_empty() || lines(&masked) == lines(&text));
        }
    }
}
