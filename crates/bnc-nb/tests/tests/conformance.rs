//! The common suite.

use bnc_models::{NETWORK_LOADER, Smoothing, conformance};
use bnc_nb::NaiveBayes;

#[test]
fn conforms() {
    conformance::check(&NaiveBayes::default(), NETWORK_LOADER);
}

#[test]
fn conforms_without_smoothing() {
    conformance::check(&NaiveBayes::default().with_smoothing(Smoothing::Mle), NETWORK_LOADER);
}
