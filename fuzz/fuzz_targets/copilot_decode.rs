//! Whatever Copilot CLI sends to a hook or writes down, it is read. The first byte chooses which of
//! them, and the event.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_hosts::Host;
use pacenote_hosts::copilot::transcript;

fuzz_target!(|input: &[u8]| {
    let Some((choice, payload)) = input.split_first() else { return };
    let events = Host::Copilot.events();
    if let Some(event) = events.get(usize::from(*choice) % (events.len() + 2)) {
        drop(Host::Copilot.decode(event, payload));
        return;
    }
    let Ok(text) = std::str::from_utf8(payload) else { return };
    for line in text.lines() {
        for entry in transcript::read(line) {
            if let transcript::Entry::Injected { text, .. } = entry {
                transcript::holds(line, &text);
            }
        }
    }
});
