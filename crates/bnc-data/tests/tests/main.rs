//! The integration tests of the crate, in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail as tests do"
)]

mod builtin;
mod discretize;
mod encoder;
mod envelope;
mod golden;
mod reading;
mod support;
mod wire;
