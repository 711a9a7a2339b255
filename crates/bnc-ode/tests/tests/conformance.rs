//! The common suite.

use bnc_models::{Smoothing, conformance};
use bnc_ode::{Aode, Aodesr, ENSEMBLE_LOADER, HNB_LOADER, Hnb, Joint, MiOde, SubsumptionRule, Waode};

#[test]
fn aode_conforms() {
    conformance::check(&Aode::default(), ENSEMBLE_LOADER);
}

#[test]
fn aode_conforms_without_smoothing_and_limit() {
    let learner =
        Aode::default().with_smoothing(Smoothing::Mle).with_joint(Joint::Factored).with_minimum_frequency(0);
    conformance::check(&learner, ENSEMBLE_LOADER);
}

#[test]
fn waode_conforms() {
    conformance::check(&Waode::default().with_smoothing(Smoothing::Mle), ENSEMBLE_LOADER);
}

#[test]
fn mi_ode_conforms() {
    conformance::check(&MiOde::default(), ENSEMBLE_LOADER);
}

#[test]
fn aodesr_conforms() {
    let learner = Aodesr::default().with_subsumption(1, SubsumptionRule::Paper);
    conformance::check(&learner, ENSEMBLE_LOADER);
}

#[test]
fn hnb_conforms() {
    conformance::check(&Hnb::default(), HNB_LOADER);
}
