//! The integration tests of naive Bayes, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod conformance;
mod files;
mod golden;
mod reports;
