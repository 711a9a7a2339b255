//! The integration tests of the score-based learners, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod brute_force;
mod conformance;
mod golden;
mod greedy;
mod mc_dag;
mod pathology;
mod rai;
mod selection;
