//! Whatever our plugin for OpenCode sends, decoding answers; and whatever is said to be an export of
//! OpenCode's, it is read. The first byte chooses the event.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_hosts::{Host, opencode::transcript};

fuzz_target!(|input: &[u8]| {
    let Some((choice, payload)) = input.split_first() else { return };
    let events = Host::OpenCode.events();
    let event = events[usize::from(*choice) % events.len()];
    drop(Host::OpenCode.decode(event, payload));
    if let Ok(export) = str::from_utf8(payload) {
        transcript::read(export);
    }
});
