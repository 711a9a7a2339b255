//! The integration tests of the score-based learners, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod greedy;
mod mc_dag;
