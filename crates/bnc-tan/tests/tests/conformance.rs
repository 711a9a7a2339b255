//! The common suite.

use bnc_models::{NETWORK_LOADER, Smoothing, conformance};
use bnc_tan::Tan;

#[test]
fn conforms() {
    conformance::check(&Tan::default(), NETWORK_LOADER);
}

#[test]
fn conforms_without_smoothing() {
    conformance::check(&Tan::default().with_smoothing(Smoothing::Mle), NETWORK_LOADER);
}
