//! The integration tests of the crate, in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail as tests do"
)]
#![allow(clippy::float_cmp, reason = "numbers that are read are exact")]
#![allow(clippy::format_collect, reason = "short tables need no speed")]

mod builtin;
mod discretize;
mod encoder;
mod envelope;
mod golden;
#[cfg(all(feature = "csv", feature = "arff"))]
mod reading;
mod support;
mod wire;
