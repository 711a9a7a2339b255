//! The integration tests of one-dependence ensembles, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod batch;
mod conformance;
mod files;
mod formula;
mod golden;
mod parameters;
mod reports;
mod rows;
mod spode;
