//! From a text to the places of its values.
//!
//! The grammar of JSON, with comments and trailing commas added and nothing else. The depth of
//! nesting is counted, so that hostile brackets cannot exhaust the stack.

use serde::de::IgnoredAny;

use super::{
    super::{EditError, SETTINGS_BYTES, SETTINGS_DEPTH},
    Kind, Member, Span, Value,
    trivia::{self, MARK, Trivium},
};

/// Reads a text. One without any value is no error.
pub(super) fn read(text: &str) -> Result<Option<Value>, EditError> {
    if text.len() > SETTINGS_BYTES {
        return Err(EditError::TooLarge { bytes: text.len() });
    }
    let at = if text.starts_with(MARK) { MARK.len_utf8() } else { 0 };
    let mut reader = Reader { text, at };
    reader.pass_trivia()?;
    if reader.rest().is_empty() {
        return Ok(None);
    }
    let value = reader.value(SETTINGS_DEPTH)?;
    reader.pass_trivia()?;
    if !reader.rest().is_empty() {
        return Err(reader.expected("the end of the file"));
    }
    Ok(Some(value))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads a value that may nest so many more levels.
    fn value(&mut self, levels: usize) -> Result<Value, EditError> {
        match self.next() {
            Some(b'{') => self.container(Kind::Object, b'}', levels),
            Some(b'[') => self.container(Kind::Array, b']', levels),
            Some(b'"') => self.string(),
            Some(_) | None => self.word(),
        }
    }

    fn container(&mut self, kind: Kind, close: u8, levels: usize) -> Result<Value, EditError> {
        let levels = levels.checked_sub(1).ok_or(EditError::TooDeep)?;
        let start = self.at;
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        loop {
            self.pass_trivia()?;
            if self.next() == Some(close) {
                self.at += 1;
                return Ok(Value { kind, span: Span { start, end: self.at }, members });
            }
            if members.last().is_some_and(|last| last.comma.is_none()) {
                return Err(self.expected("a comma or a closing bracket"));
            }
            let key = match kind {
                Kind::Object => Some(self.key()?),
                Kind::Array | Kind::String | Kind::Number | Kind::Boolean | Kind::Null => None,
            };
            let value = self.value(levels)?;
            self.pass_trivia()?;
            let comma = self.take(b',');
            members.push(Member { key, value, comma });
        }
    }

    /// Reads a key and its colon, up to the value.
    fn key(&mut self) -> Result<Span, EditError> {
        if self.next() != Some(b'"') {
            return Err(self.expected("a key in double quotes or a closing bracket"));
        }
        let key = self.string()?;
        self.pass_trivia()?;
        if self.take(b':').is_none() {
            return Err(self.expected("a colon"));
        }
        self.pass_trivia()?;
        Ok(key.span)
    }

    fn string(&mut self) -> Result<Value, EditError> {
        let mut escaped = true; // The quote that opens it does not close it.
        let closing = self.rest().bytes().position(|byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let Some(closing) = closing else {
            return Err(self.expected("a string that is closed"));
        };
        self.scalar(Kind::String, closing + 1)
    }

    /// Reads what is written without quotes or brackets.
    fn word(&mut self) -> Result<Value, EditError> {
        let ends = |byte: u8| byte.is_ascii_whitespace() || b",:[]{}\"/".contains(&byte);
        let length = self.rest().bytes().position(ends).unwrap_or(self.rest().len());
        let kind = match self.next() {
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'n') => Kind::Null,
            Some(_) | None => Kind::Number,
        };
        self.scalar(kind, length)
    }

    fn scalar(&mut self, kind: Kind, length: usize) -> Result<Value, EditError> {
        let span = Span { start: self.at, end: self.at + length };
        // What is ignored is checked all the same, except that halves of characters may pass.
        if serde_json::from_str::<IgnoredAny>(span.of(self.text)).is_err() {
            return Err(self.expected("a value"));
        }
        self.at = span.end;
        Ok(Value { kind, span, members: Vec::new() })
    }

    fn pass_trivia(&mut self) -> Result<(), EditError> {
        while let Some((piece, length)) = trivia::first(self.rest()) {
            if piece == Trivium::Unclosed {
                return Err(self.expected("a comment that is closed"));
            }
            self.at += length;
        }
        Ok(())
    }

    /// Passes over a byte, if it is this one, and returns where it was.
    fn take(&mut self, byte: u8) -> Option<usize> {
        let at = self.at;
        (self.next() == Some(byte)).then(|| {
            self.at += 1;
            at
        })
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn expected(&self, expected: &'static str) -> EditError {
        let before = self.text.get(..self.at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        EditError::Syntax {
            line: before.matches('\n').count() + 1,
            column: line.trim_start_matches(MARK).chars().count() + 1,
            expected,
        }
    }
}
