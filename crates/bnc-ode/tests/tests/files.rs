//! A file of every released version is read for ever.

use std::path::Path;

use approx::assert_abs_diff_eq;
use bnc_models::conformance::pattern;
use bnc_models::{Classifier, Learner, Model};
use bnc_ode::{AODE_LOADER, Aode};

#[test]
fn version_1_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/aode-1.bnc");
    let model = Model::read(&path, &[AODE_LOADER]).unwrap();
    assert_eq!(model.learner(), "aode");
    let data = pattern(&[2, 3], 2, 12, 5);
    let fitted = Aode::default().fit(&data).unwrap();
    let (read, expected) = (model.posteriors(&data).unwrap(), fitted.posteriors(&data).unwrap());
    for (ours, expected) in read.iter().zip(&expected) {
        assert_abs_diff_eq!(ours, expected, epsilon = 1e-12);
    }
}
