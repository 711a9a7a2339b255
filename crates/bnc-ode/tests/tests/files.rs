//! A file of every released version is read for ever.

use std::path::Path;

use approx::assert_abs_diff_eq;
use bnc_models::bnc_data::Silent;
use bnc_models::conformance::pattern;
use bnc_models::{AnyLearner, Loader, Model};
use bnc_ode::{A2DE_LOADER, A2de, ENSEMBLE_LOADER, HNB_LOADER, Hnb, MiOde};

/// The model of a file has the posteriors of a model that is fitted now.
fn check(file: &str, name: &str, learner: &dyn AnyLearner, loader: Loader) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(file);
    let model = Model::read(&path, &[loader]).unwrap();
    assert_eq!(model.learner(), name);
    let data = pattern(&[2, 3], 2, 12, 5);
    let (read, expected) = (
        model.posteriors(&data).unwrap(),
        learner.fit_any(&data, &Silent).unwrap().posteriors(&data).unwrap(),
    );
    for (ours, expected) in read.iter().zip(&expected) {
        assert_abs_diff_eq!(ours, expected, epsilon = 1e-12);
    }
}

#[test]
fn version_1_of_an_ensemble_is_read() {
    check("one-dependence-ensemble-1.bnc", "mi-ode", &MiOde::default(), ENSEMBLE_LOADER);
}

#[test]
fn version_1_of_hidden_naive_bayes_is_read() {
    check("hidden-naive-bayes-1.bnc", "hnb", &Hnb::default(), HNB_LOADER);
}

#[test]
fn version_1_of_two_dependence_is_read() {
    check("two-dependence-ensemble-1.bnc", "a2de", &A2de::default(), A2DE_LOADER);
}
