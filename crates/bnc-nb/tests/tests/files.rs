//! A file of every released version is read for ever.

use std::path::Path;

use approx::assert_abs_diff_eq;
use bnc_models::conformance::pattern;
use bnc_models::{Classifier, Learner, Model, NETWORK_LOADER};
use bnc_nb::NaiveBayes;

#[test]
fn version_1_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/network-1.bnc");
    let model = Model::read(&path, &[NETWORK_LOADER]).unwrap();
    assert_eq!(model.learner(), "nb");
    let data = pattern(&[2, 3], 2, 12, 5);
    let fitted = NaiveBayes::default().fit(&data).unwrap();
    let (read, expected) = (model.posteriors(&data).unwrap(), fitted.posteriors(&data).unwrap());
    for (ours, expected) in read.iter().zip(&expected) {
        assert_abs_diff_eq!(ours, expected, epsilon = 1e-12);
    }
}
