//! The integration tests of the crate, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod complement;
mod counts;
mod information;
mod scores;
mod subsets;
