//! The common suite.

use bnc_models::{NETWORK_LOADER, Smoothing, conformance};
use bnc_tan::{Abn, ArcScore, Score, TAN_FDA_LOADER, Tan, TanFda, Weights};

#[test]
fn conforms() {
    conformance::check(&Tan::default(), NETWORK_LOADER);
}

#[test]
fn conforms_without_smoothing() {
    conformance::check(&Tan::default().with_smoothing(Smoothing::Mle), NETWORK_LOADER);
}

#[test]
fn acll_conforms() {
    conformance::check(&Tan::default().with_score(ArcScore::Acll), NETWORK_LOADER);
}

#[test]
fn abn_conforms() {
    conformance::check(&Abn::default(), NETWORK_LOADER);
}

#[test]
fn abn_of_the_other_choices_conforms() {
    conformance::check(&Abn::default().with_score(Score::Aic).with_weights(Weights::Raw), NETWORK_LOADER);
}

#[test]
fn tan_fda_conforms() {
    conformance::check(&TanFda::default(), TAN_FDA_LOADER);
}

#[test]
fn tan_fda_with_many_dependencies_and_without_smoothing_conforms() {
    let learner = TanFda::default().with_minimum_frequency(1).with_smoothing(Smoothing::Mle);
    conformance::check(&learner, TAN_FDA_LOADER);
}
