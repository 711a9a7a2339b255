//! The integration tests of TAN, in one binary.

mod conformance;
mod golden;
mod inference;
mod reports;
