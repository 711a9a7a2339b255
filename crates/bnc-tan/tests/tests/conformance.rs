//! The common suite.

use bnc_models::{NETWORK_LOADER, Smoothing, conformance};
use bnc_tan::{Abn, Score, Tan, Weights};

#[test]
fn conforms() {
    conformance::check(&Tan::default(), NETWORK_LOADER);
}

#[test]
fn conforms_without_smoothing() {
    conformance::check(&Tan::default().with_smoothing(Smoothing::Mle), NETWORK_LOADER);
}

#[test]
fn abn_conforms() {
    conformance::check(&Abn::default(), NETWORK_LOADER);
}

#[test]
fn abn_of_the_other_choices_conforms() {
    conformance::check(&Abn::default().with_score(Score::Aic).with_weights(Weights::Raw), NETWORK_LOADER);
}
