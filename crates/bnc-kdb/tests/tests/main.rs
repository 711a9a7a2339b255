//! The integration tests of KDB, local KDB and AKDB, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod akdb;
mod conformance;
mod files;
mod golden;
mod kdb;
mod local;
mod support;
