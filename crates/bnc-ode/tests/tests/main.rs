//! The integration tests of one-dependence ensembles.

use bnc_models::{Smoothing, conformance};
use bnc_ode::{AODE_LOADER, Aode};

#[test]
fn conforms() {
    conformance::check(&Aode::default(), AODE_LOADER);
}

#[test]
fn conforms_without_smoothing() {
    conformance::check(&Aode::default().with_smoothing(Smoothing::Mle), AODE_LOADER);
}
