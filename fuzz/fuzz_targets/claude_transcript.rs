//! Whatever stands in a transcript, each line of it is read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_hosts::claude::transcript::{Entry, holds, read};

fuzz_target!(|transcript: &str| {
    for line in transcript.lines() {
        for entry in read(line) {
            if let Entry::Injected { text, .. } = entry {
                holds(line, &text);
            }
        }
    }
});
