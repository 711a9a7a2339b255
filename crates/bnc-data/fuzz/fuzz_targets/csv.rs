//! No bytes make the CSV reader panic: `cargo +nightly fuzz run csv`.

#![no_main]

use bnc_data::{Format, ReadOptions, Silent, read_from};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_from(bytes, "fuzz", Format::Csv, &ReadOptions::default(), &Silent);
});
