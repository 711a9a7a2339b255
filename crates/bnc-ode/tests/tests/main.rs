//! The integration tests of one-dependence ensembles, in one binary.

mod conformance;
mod formula;
mod golden;
