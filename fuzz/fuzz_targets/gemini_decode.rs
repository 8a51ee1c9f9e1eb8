//! Whatever Gemini CLI sends, decoding answers, and notes can be answered to it. The first byte
//! chooses the event.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_hosts::{Form, Host, Reply};

fuzz_target!(|input: &[u8]| {
    let Some((choice, payload)) = input.split_first() else { return };
    let events = Host::Gemini.events();
    let event = events[usize::from(*choice) % events.len()];
    drop(Host::Gemini.decode(event, payload));
    Host::Gemini.encode(event, &Reply::context("notes".to_owned()), Form::Json, payload);
});
