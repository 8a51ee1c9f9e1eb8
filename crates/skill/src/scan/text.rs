//! Text as rules read it: UTF-16 becomes UTF-8, and what a shell joins into one line is one.

/// Turns a file in UTF-16 into UTF-8 while it is read; everything else passes as it is.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    state: Encoding,
}

#[derive(Debug, Default)]
enum Encoding {
    /// Nothing was read yet.
    #[default]
    Unread,
    /// The first byte could be half of a byte order mark.
    Half(u8),
    /// Bytes pass as they are.
    Plain,
    /// Two bytes make a unit.
    Wide { order: Order, half: Option<u8>, lead: Option<u16> },
}

/// Which byte of a unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The lesser one.
    Little,
    /// The greater one.
    Big,
}

impl Decoder {
    /// Appends what a piece of the file means to `text`.
    pub(super) fn feed(&mut self, piece: &[u8], text: &mut Vec<u8>) {
        let mut rest = piece;
        while let Some((&byte, after)) = rest.split_first() {
            match &mut self.state {
                Encoding::Plain => {
                    text.extend_from_slice(rest);
                    return;
                }
                Encoding::Unread => match byte {
                    0xff | 0xfe => self.state = Encoding::Half(byte),
                    _ => {
                        self.state = Encoding::Plain;
                        continue;
                    }
                },
                Encoding::Half(first) => {
                    let order = match (*first, byte) {
                        (0xff, 0xfe) => Order::Little,
                        (0xfe, 0xff) => Order::Big,
                        _ => {
                            text.push(*first);
                            self.state = Encoding::Plain;
                            continue;
                        }
                    };
                    self.state = Encoding::Wide { order, half: None, lead: None };
                }
                Encoding::Wide { order, half, lead } => match half.take() {
                    None => *half = Some(byte),
                    Some(first) => {
                        let unit = match order {
                            Order::Little => u16::from_le_bytes([first, byte]),
                            Order::Big => u16::from_be_bytes([first, byte]),
                        };
                        push_unit(unit, lead, text);
                    }
                },
            }
            rest = after;
        }
    }

    /// Appends what is left when the file ends.
    pub(super) fn finish(&mut self, text: &mut Vec<u8>) {
        if let Encoding::Half(byte) = self.state {
            text.push(byte);
        }
    }
}

fn push_unit(unit: u16, lead: &mut Option<u16>, text: &mut Vec<u8>) {
    if let Some(first) = lead.take() {
        push_units(&[first, unit], text);
    } else if (0xd800..0xdc00).contains(&unit) {
        *lead = Some(unit);
    } else {
        push_units(&[unit], text);
    }
}

fn push_units(units: &[u16], text: &mut Vec<u8>) {
    for character in char::decode_utf16(units.iter().copied()) {
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// What a shell reads as a blank although it is written otherwise.
const BLANKS: [&[u8]; 5] = [b"\\\n", b"\\\r\n", b"`\n", b"`\r\n", b"${IFS}"];

/// Writes into `folded` the same text, byte for byte, with blanks where a shell sees them: at the
/// end of a line that goes on in the next one, and for `${IFS}`.
pub(super) fn fold(text: &[u8], folded: &mut Vec<u8>) {
    folded.clear();
    folded.extend_from_slice(text);
    let mut from = 0;
    while let Some(step) =
        text.get(from..).and_then(|rest| rest.iter().position(|b| matches!(b, b'\\' | b'`' | b'$')))
    {
        let at = from + step;
        let rest = text.get(at..).unwrap_or_default();
        from = at + 1;
        let Some(blank) = BLANKS.iter().find(|blank| rest.starts_with(blank)) else { continue };
        // A backtick continues a line of PowerShell only after a blank; elsewhere it ends a quote.
        let continues =
            !rest.starts_with(b"`") || at.checked_sub(1).and_then(|at| text.get(at)) == Some(&b' ');
        if continues {
            from = at + blank.len();
            if let Some(place) = folded.get_mut(at..from) {
                place.fill(b' ');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(pieces: &[&[u8]]) -> Vec<u8> {
        let (mut decoder, mut text) = (Decoder::default(), Vec::new());
        for piece in pieces {
            decoder.feed(piece, &mut text);
        }
        decoder.finish(&mut text);
        text
    }

    #[test]
    fn wide_text_is_read_however_it_is_cut() {
        let wide = |order: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect()
        };
        let text = "iex 😀 ä";
        for bytes in [wide(u16::to_le_bytes, text), wide(u16::to_be_bytes, text)] {
            for cut in 0..bytes.len() {
                let (one, other) = bytes.split_at(cut);
                assert_eq!(decoded(&[one, other]), text.as_bytes(), "{cut}");
            }
        }
        assert_eq!(decoded(&[b"\xff", b"\xfe\x00\xd8a\x00"]), "\u{fffd}a".as_bytes());
        for plain in [&b""[..], b"\xff", b"\xff\xff\xfe", b"plain", b"\xfe\x00"] {
            assert_eq!(decoded(&[plain]), plain);
        }
    }

    #[test]
    fn joined_lines_keep_their_length() {
        for (text, expected) in [
            ("curl x \\\n | sh", "curl x    | sh"),
            ("curl x \\\r\n| sh", "curl x    | sh"),
            ("iwr x `\n| iex", "iwr x   | iex"),
            ("`iwr`\nnext", "`iwr`\nnext"),
            ("cat${IFS}x $IFS", "cat      x $IFS"),
            ("a\\b \\", "a\\b \\"),
        ] {
            let mut folded = Vec::new();
            fold(text.as_bytes(), &mut folded);
            assert_eq!(String::from_utf8(folded).unwrap(), expected);
        }
    }
}
