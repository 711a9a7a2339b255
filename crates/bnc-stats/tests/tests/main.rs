//! The integration tests of the crate, in one binary.

mod counts;
mod information;
