//! The common suite.

use bnc_kdb::{AKDB_LOADER, Akdb, BACK_OFF_LOADER, Kdb, LOCAL_KDB_LOADER, LocalKdb};
use bnc_models::{NETWORK_LOADER, Smoothing, conformance};

#[test]
fn kdb_conforms() {
    conformance::check(&Kdb::default(), NETWORK_LOADER);
}

#[test]
fn kdb_conforms_without_smoothing() {
    conformance::check(&Kdb::default().with_k(1).with_smoothing(Smoothing::Mle), NETWORK_LOADER);
}

#[test]
fn kdb_with_back_off_conforms() {
    conformance::check(&Kdb::default().with_back_off(true), BACK_OFF_LOADER);
}

#[test]
fn kdb_with_back_off_conforms_without_smoothing() {
    let learner = Kdb::default().with_k(3).with_back_off(true).with_smoothing(Smoothing::Mle);
    conformance::check(&learner, BACK_OFF_LOADER);
}

#[test]
fn local_kdb_conforms() {
    conformance::check(&LocalKdb::default().with_l(10), LOCAL_KDB_LOADER);
}

#[test]
fn local_kdb_conforms_without_smoothing() {
    conformance::check(&LocalKdb::default().with_k(1).with_smoothing(Smoothing::Mle), LOCAL_KDB_LOADER);
}

#[test]
fn akdb_conforms() {
    conformance::check(&Akdb::default().with_l(10), AKDB_LOADER);
}
