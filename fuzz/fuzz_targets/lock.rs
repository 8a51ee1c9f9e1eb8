//! A lock that can be read is written to bytes that read the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_skill::lock::Lock;

fuzz_target!(|text: &str| {
    match Lock::parse(text) {
        Ok(lock) => {
            let written = lock.to_toml();
            let again = Lock::parse(&written).expect("what was written can be read");
            assert_eq!(again, lock);
            assert_eq!(again.to_toml(), written);
        }
        Err(problems) => assert!(!problems.is_empty(), "a refusal has a reason"),
    }
});
