//! The integration tests of the learners by score, in one binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod rai;
