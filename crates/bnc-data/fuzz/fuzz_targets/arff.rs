//! No bytes make the ARFF reader panic: `cargo +nightly fuzz run arff`.

#![no_main]

use bnc_data::{Format, ReadOptions, Silent, read_from};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_from(bytes, "fuzz", Format::Arff, &ReadOptions::default(), &Silent);
});
