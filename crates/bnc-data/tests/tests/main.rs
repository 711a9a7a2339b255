//! Integration tests of bnc-data.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail tests"
)]
#![allow(clippy::float_cmp, reason = "numbers that are read are exact")]
#![allow(clippy::format_collect, reason = "short tables need no speed")]

#[cfg(all(feature = "csv", feature = "arff"))]
mod reading;
