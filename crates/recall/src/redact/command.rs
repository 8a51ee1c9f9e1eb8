//! Passwords among the words of a command or of a `.netrc`.

use std::ops::Range;

use super::{
    marker,
    place::{BEFORE, Place},
    value,
};

/// Farthest behind its name that a command is read, in bytes.
const COMMAND_BYTES: usize = 240;

/// Fewest bytes of a password.
const PASSWORD_BYTES: usize = 4;

/// Returns the password of `curl -u user:password`.
pub(super) fn user_flag(place: &Place<'_>) -> Option<Range<usize>> {
    let mut words = Words::of_command(place);
    while let Some(word) = words.next() {
        let user = match place.part(word.clone()) {
            b"-u" | b"--user" | b"--proxy-user" => words.next()?,
            [b'-', b'u', _, ..] => word.start + "-u".len()..word.end,
            text if text.starts_with(b"--user=") => word.start + "--user=".len()..word.end,
            _ => continue,
        };
        let user = unquoted(place, user);
        let colon = place.part(user.clone()).iter().position(|byte| *byte == b':')?;
        return secret(place, user.start + colon + 1..user.end);
    }
    None
}

/// Returns the password of `sshpass -p`, `mysql -p…`, `redis-cli -a` and `docker login -p`.
pub(super) fn password_flag(place: &Place<'_>) -> Option<Range<usize>> {
    let command = place.part(place.keyword.clone()).to_ascii_lowercase();
    let mut words = Words::of_command(place);
    while let Some(word) = words.next() {
        let password = match (command.as_slice(), place.part(word.clone())) {
            (b"sshpass", b"-p")
            | (b"redis-cli", b"-a")
            | (b"docker login" | b"podman login", b"-p" | b"--password") => words.next()?,
            (b"sshpass" | b"mysql", [b'-', b'p', _, ..]) => word.start + "-p".len()..word.end,
            (b"docker login" | b"podman login", text) if text.starts_with(b"--password=") => {
                word.start + "--password=".len()..word.end
            }
            _ => continue,
        };
        return secret(place, unquoted(place, password));
    }
    None
}

/// Returns the password of `machine host login name password …`, over any number of lines.
pub(super) fn netrc(place: &Place<'_>) -> Option<Range<usize>> {
    let mut words = Words { place, at: place.keyword.end, end: reach(place), is_one_line: false };
    // Between the words that are always the same stand the host and the name.
    let has_login = place.part(words.nth(1)?) == b"login";
    let has_password = place.part(words.nth(1)?) == b"password";
    if has_login && has_password { secret(place, words.next()?) } else { None }
}

/// Returns the password of a line `host:5432:database:user:password`, as in `.pgpass`.
pub(super) fn pgpass(place: &Place<'_>) -> Option<Range<usize>> {
    let is_field = |byte: u8| byte > b' ' && byte != b':';
    let host = place.skip_back(place.keyword.start, COMMAND_BYTES, is_field);
    let database = place.skip(place.keyword.end, COMMAND_BYTES, is_field);
    let user = place.skip(database + 1, COMMAND_BYTES, is_field);
    let is_line = host < place.keyword.start
        && database > place.keyword.end
        && place.byte(database) == Some(b':')
        && user > database + 1
        && place.byte(user) == Some(b':');
    let end = place.skip(user + 1, COMMAND_BYTES, |byte| byte > b' ' && byte != b'\\');
    if is_line { secret(place, user + 1..end) } else { None }
}

/// Returns the password of `echo password | … --password-stdin`.
pub(super) fn piped_password(place: &Place<'_>) -> Option<Range<usize>> {
    let line = place.skip_back(place.keyword.start, BEFORE, |byte| byte != b'\n');
    let bar = place.part(line..place.keyword.start).iter().rposition(|byte| *byte == b'|')?;
    let said = place.part(line..line + bar);
    let command = [&b"echo "[..], b"printf "].into_iter().find_map(|command| {
        let at = said.windows(command.len()).rposition(|window| window == command)?;
        Some(line + at + command.len())
    })?;
    let end = line + bar;
    let mut words = Words { place, at: command, end, is_one_line: true };
    let password =
        words.find(|word| !matches!(place.part(word.clone()), b"-n" | b"'%s'" | b"%s"))?;
    // A second word is none of a password: something else is said.
    if words.next().is_some() { None } else { secret(place, unquoted(place, password)) }
}

fn secret(place: &Place<'_>, found: Range<usize>) -> Option<Range<usize>> {
    let text = place.part(found.clone());
    let is_cut = marker::first(place.bytes(), found.start..found.end + 1) <= found.end;
    (text.len() >= PASSWORD_BYTES && !value::is_placeholder(text) && !is_cut).then_some(found)
}

/// Takes the quotation marks off a word.
fn unquoted(place: &Place<'_>, word: Range<usize>) -> Range<usize> {
    let is_mark = |byte: u8| matches!(byte, b'"' | b'\'' | b'`' | b'\\');
    let start = place.skip(word.start, 2, is_mark).min(word.end);
    let end = place.skip(start, word.end - start, |byte| !is_mark(byte));
    start..end
}

/// Returns how far a command is read: nothing behind a marker belongs to what stands before it.
fn reach(place: &Place<'_>) -> usize {
    let end = (place.keyword.end + COMMAND_BYTES).min(place.bytes().len());
    marker::first(place.bytes(), place.keyword.end..end)
}

/// The words behind a keyword.
struct Words<'p> {
    place: &'p Place<'p>,
    at: usize,
    end: usize,
    /// Whether a line break ends them, unless it is continued.
    is_one_line: bool,
}

impl<'p> Words<'p> {
    fn of_command(place: &'p Place<'p>) -> Self {
        Self { place, at: place.keyword.end, end: reach(place), is_one_line: true }
    }
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let left = self.end.saturating_sub(self.at);
            let start = self.place.skip(self.at, left, |byte| {
                byte.is_ascii_whitespace() && !(self.is_one_line && byte == b'\n')
            });
            let word = self
                .place
                .skip(start, self.end.saturating_sub(start), |byte| !byte.is_ascii_whitespace());
            self.at = word;
            match self.place.part(start..word) {
                b"\\" => self.at += 1,
                b"" | b"|" | b";" | b"&&" | b"||" => return None,
                text => {
                    if self.is_one_line && text.ends_with(b";") {
                        self.end = word;
                    }
                    return Some(start..word);
                }
            }
        }
    }
}
