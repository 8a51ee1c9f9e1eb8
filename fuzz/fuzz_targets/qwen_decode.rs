//! Whatever Qwen Code sends, decoding answers. The first byte chooses the event.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_hosts::Host;

fuzz_target!(|input: &[u8]| {
    let Some((choice, payload)) = input.split_first() else { return };
    let events = Host::Qwen.events();
    let event = events[usize::from(*choice) % events.len()];
    drop(Host::Qwen.decode(event, payload));
});
