//! The common suite.

use bnc_models::{Smoothing, conformance};
use bnc_ode::{AODE_LOADER, Aode, Joint};

#[test]
fn conforms() {
    conformance::check(&Aode::default(), AODE_LOADER);
}

#[test]
fn conforms_without_smoothing_and_limit() {
    let learner =
        Aode::default().with_smoothing(Smoothing::Mle).with_joint(Joint::Factored).with_minimum_frequency(0);
    conformance::check(&learner, AODE_LOADER);
}
