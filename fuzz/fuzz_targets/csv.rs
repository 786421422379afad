//! See `shoal_fuzz::TARGETS`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shoal_fuzz::run("csv", bytes));
