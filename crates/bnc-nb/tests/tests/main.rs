//! The integration tests of naive Bayes, in one binary.

mod conformance;
mod golden;
mod reports;
