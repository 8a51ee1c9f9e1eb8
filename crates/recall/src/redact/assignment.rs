//! A name that says it holds a secret, with its value: `DB_PASSWORD=…`, `"apiKey": "…"`,
//! `--token …`, `<password>…</password>`, `password is …`.
//!
//! The name decides how much the value must look like a secret, and so does the way it is written:
//! code is full of `token = next()`.

mod name;

use std::ops::Range;

use self::name::{Kind, Name};
use super::{marker, place::Place, value, wrapped};

/// Longest value that is judged, in bytes; a secret is taken to its end all the same.
const JUDGED: usize = 256;

/// Longest value that is taken, in bytes.
const VALUE_BYTES: usize = 8 * 1024;

/// Most blanks between a name and its value: tables are aligned.
const BLANKS: usize = 40;

/// How a value follows its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `NAME=value`, all capitals and nothing between: a variable of the environment.
    Variable,
    /// `name: value`, `"name": "value"`, `name = "value"`.
    Field,
    /// `--name value`.
    Flag,
    /// `name is value`, `name("value")`, `name, "value"`: anything could stand there.
    Loose,
}

/// Returns the value of the name that the keyword ends.
pub(super) fn read(place: &Place<'_>) -> Option<Range<usize>> {
    let name = Name::read(place)?;
    let (form, at) = behind_separator(place, &name)?;
    let value = Value::read(place, at)?;
    if marker::first(place.bytes(), value.range.start..value.range.end + 1) <= value.range.end {
        return None;
    }
    let text = place.part(value.range.clone());
    is_secret(name.kind, form, value.is_quoted, text).then(|| value.to_its_end(place))
}

/// Returns how the value follows, and where.
fn behind_separator(place: &Place<'_>, name: &Name) -> Option<(Form, usize)> {
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t');
    let closed = place
        .skip(name.range.end, 6, |byte| matches!(byte, b'\\' | b'"' | b'\'' | b'`' | b']' | b'*'));
    let at = place.skip(closed, BLANKS, is_blank);
    let is_quoted = closed > name.range.end;
    let value = match (place.byte(at)?, place.byte(at + 1)) {
        (b':', Some(b':')) => return None,
        (b'=', Some(b'>')) | (b':' | b'?' | b'+', Some(b'=')) => (Form::Field, at + 2),
        (b'=', Some(b'=')) => (Form::Loose, at + 2 + usize::from(place.byte(at + 2) == Some(b'='))),
        (b'=', _) if name.is_variable && at == name.range.end => (Form::Variable, at + 1),
        (b'=' | b':', _) => (Form::Field, at + 1),
        (b'>', _) if place.byte_before(name.range.start) == Some(b'<') => (Form::Field, at + 1),
        (b'(' | b',', _) => (Form::Loose, at + 1),
        _ if at > closed && place.has(at, b"is ") => (Form::Loose, at + 3),
        _ if at > closed && name.is_flag && !is_quoted => (Form::Flag, at),
        _ => return behind_value_word(place, at),
    };
    let (form, at) = value;
    behind_value_word(place, at).or_else(|| Some((form, behind_blanks(place, at))))
}

/// Skips the word `value` of `name: DB_PASSWORD, value: …`, which may be on the next line.
fn behind_value_word(place: &Place<'_>, at: usize) -> Option<(Form, usize)> {
    let is_between =
        |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b'"' | b'\'' | b'\\');
    let word = place.skip(at, BLANKS, is_between);
    if word == at || !place.has(word, b"value") {
        return None;
    }
    let separator = place.skip(word + "value".len(), 8, is_between);
    matches!(place.byte(separator)?, b':' | b'=')
        .then(|| (Form::Field, behind_blanks(place, separator + 1)))
}

/// Skips blanks, a continued line, and the sign of a block in YAML with its line break.
fn behind_blanks(place: &Place<'_>, at: usize) -> usize {
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t');
    let at = place.skip(at, BLANKS, is_blank);
    for opening in ["\\\n", "\\\r\n", "|\n", ">\n", "|-\n", ">-\n"] {
        if place.has(at, opening.as_bytes()) {
            return place.skip(at + opening.len(), BLANKS, is_blank);
        }
    }
    at
}

/// A value as it is written.
#[derive(Debug)]
struct Value {
    /// Without its quotation marks, and no longer than what is judged.
    range: Range<usize>,
    is_quoted: bool,
}

impl Value {
    fn read(place: &Place<'_>, at: usize) -> Option<Self> {
        // The prefix of a string, as in `b"…"`.
        let at = match (place.byte(at)?, place.byte(at + 1)) {
            (b'b' | b'r' | b'f' | b'u', Some(b'"' | b'\'')) => at + 1,
            _ => at,
        };
        let mark = place.skip(at, 4, |byte| byte == b'\\');
        if let quote @ (b'"' | b'\'' | b'`') = place.byte(mark)? {
            let range = quoted(place, mark + 1, quote, mark - at);
            return Some(Self { range, is_quoted: true });
        }
        let end = place.skip(at, JUDGED, |byte| {
            !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'<')
        });
        Some(Self { range: at..unquoted_end(place, at, end), is_quoted: false })
    }

    /// Returns the whole value: what is judged is only its beginning.
    fn to_its_end(&self, place: &Place<'_>) -> Range<usize> {
        let Range { start, end } = self.range.clone();
        let end = if end - start < JUDGED {
            end
        } else {
            place.skip(end, VALUE_BYTES, |byte| {
                !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'[')
            })
        };
        start..wrapped::extend(place, &(start..end))
    }
}

/// Returns what stands between quotation marks that are escaped by so many backslashes.
fn quoted(place: &Place<'_>, start: usize, quote: u8, escapes: usize) -> Range<usize> {
    let mut backslashes = 0;
    for (offset, byte) in place.part(start..start + JUDGED).iter().enumerate() {
        let at = start + offset;
        match *byte {
            b'\\' => backslashes += 1,
            b'\n' if backslashes == 0 => return start..at,
            byte if byte == quote => {
                let closes =
                    if escapes == 0 { backslashes % 2 == 0 } else { backslashes <= escapes };
                if closes {
                    return start..at - if escapes == 0 { 0 } else { backslashes };
                }
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
    }
    start..place.bytes().len().min(start + JUDGED)
}

/// Returns where a value without quotation marks ends, at the latest at `end`.
fn unquoted_end(place: &Place<'_>, start: usize, end: usize) -> usize {
    let text = place.part(start..end);
    let is_next = |at: usize| {
        let rest = text.get(at + 1..).unwrap_or_default();
        let name = rest
            .iter()
            .take_while(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ')
            })
            .count();
        rest.get(name).is_none_or(|byte| matches!(byte, b'=' | b':'))
    };
    let stop = text.iter().enumerate().position(|(at, byte)| match byte {
        b'\\' => matches!(text.get(at + 1), None | Some(b'n' | b'r' | b't' | b'"')),
        b'&' | b';' | b',' => is_next(at),
        _ => false,
    });
    let text = text.get(..stop.unwrap_or(text.len())).unwrap_or_default();
    let trailing = text
        .iter()
        .rev()
        .take_while(|byte| {
            matches!(byte, b')' | b'}' | b']' | b',' | b';' | b'.' | b':' | b'|' | b'\\')
        })
        .count();
    start + text.len() - trailing
}

/// Fewest bytes of a password, and of any other secret.
const PASSWORD_BYTES: usize = 6;
const SECRET_BYTES: usize = 8;

/// Fewest bytes of a key that is only called `key`.
const KEY_BYTES: usize = 16;

/// Fewest bits in each byte of a secret, where the name and the form leave little doubt.
const SECRET_BITS: f64 = 2.5;

/// Fewest bits in each byte where anything could stand.
const DOUBTFUL_BITS: f64 = 3.0;

/// Decides by the name, the form and the value.
fn is_secret(kind: Kind, form: Form, is_quoted: bool, text: &[u8]) -> bool {
    let is_random = |least: usize, bits| text.len() >= least && value::is_random(text, bits);
    let is_likely = match (kind, form) {
        (Kind::Password, Form::Variable) => text.len() >= PASSWORD_BYTES,
        (Kind::Password, Form::Field | Form::Flag) => {
            text.len() >= PASSWORD_BYTES && is_made_up(text) && !text.contains(&b' ')
        }
        (Kind::Secret, Form::Variable) => {
            is_random(SECRET_BYTES, SECRET_BITS)
                || text.len() >= KEY_BYTES && !value::is_words(text)
        }
        (Kind::Secret, Form::Field | Form::Flag) => is_random(SECRET_BYTES, SECRET_BITS),
        (_, Form::Loose) | (Kind::Key, Form::Variable) => is_random(KEY_BYTES, DOUBTFUL_BITS),
        (Kind::Key, Form::Field | Form::Flag) => {
            is_random(KEY_BYTES, DOUBTFUL_BITS) && !text.iter().all(u8::is_ascii_hexdigit)
        }
    };
    is_likely && !is_code(text, is_quoted) && !value::is_placeholder(text)
}

/// Tells whether a password is more than a word: people put digits or signs into it.
fn is_made_up(text: &[u8]) -> bool {
    let is_sign =
        |byte: &u8| byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'-' | b'.' | b'/');
    text.iter().any(u8::is_ascii_alphabetic)
        && (text.iter().any(u8::is_ascii_digit) || text.iter().any(is_sign))
}

/// Tells whether a value is an expression: a call, a path of names, a type.
fn is_code(text: &[u8], is_quoted: bool) -> bool {
    let is_part = |byte: &u8| matches!(byte, b'(' | b'[' | b'{' | b'|');
    if is_quoted {
        return text.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b'{'));
    }
    text.iter().any(is_part) || text.windows(2).any(|two| matches!(two, b"::" | b"->" | b"=>"))
}
