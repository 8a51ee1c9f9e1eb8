//! Whatever Claude Code sends, decoding answers.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|payload: &[u8]| {
    drop(pacenote_hosts::claude::decode("session-start", payload));
});
