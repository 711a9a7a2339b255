//! The integration tests of the crate, in one binary.

mod discretize;
mod support;
