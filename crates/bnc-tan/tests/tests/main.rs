//! The integration tests of the tree-augmented learners, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod abn;
mod acll;
mod conformance;
mod constraints;
mod golden;
mod inference;
mod random;
mod reports;
mod tan_fda;
