//! Whatever Codex sends to a hook, writes down or answers as a server, it is read. The first byte
//! chooses which of them, and the event.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_hosts::Host;
use pacenote_hosts::codex::{transcript, trust};

fuzz_target!(|input: &[u8]| {
    let Some((choice, payload)) = input.split_first() else { return };
    let events = Host::Codex.events();
    if let Some(event) = events.get(usize::from(*choice) % (events.len() + 2)) {
        drop(Host::Codex.decode(event, payload));
        return;
    }
    let Ok(text) = std::str::from_utf8(payload) else { return };
    drop(trust::read(text));
    for line in text.lines() {
        for entry in transcript::read(line) {
            if let transcript::Entry::Prompt { text } = entry {
                transcript::holds(line, &text);
            }
        }
    }
});
