//! The common suite.

use bnc_models::{NETWORK_LOADER, Smoothing, conformance};
use bnc_ode::{
    A2DE_LOADER, A2de, Aode, AodeSrBranch, Aodesr, ENSEMBLE_LOADER, HNB_LOADER, Hnb, Joint, MiOde, Spode,
    SubsumptionRule, SuperParentChoice, Waode,
};

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

#[test]
fn spode_conforms_with_cross_validation() {
    conformance::check(&Spode::default(), NETWORK_LOADER);
}

#[test]
fn spode_conforms_with_leave_one_out_and_without_smoothing() {
    let learner = Spode::default().with_parent(SuperParentChoice::LeaveOneOut).with_smoothing(Smoothing::Mle);
    conformance::check(&learner, NETWORK_LOADER);
}

#[test]
fn aode_sr_branch_conforms() {
    conformance::check(&AodeSrBranch::default().with_frequency(1), ENSEMBLE_LOADER);
}

#[test]
fn a2de_conforms() {
    conformance::check(&A2de::default(), A2DE_LOADER);
}

#[test]
fn a2de_conforms_without_smoothing() {
    conformance::check(&A2de::default().with_smoothing(Smoothing::Mle), A2DE_LOADER);
}
