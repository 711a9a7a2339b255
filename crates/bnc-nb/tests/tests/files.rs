//! A file of every released version is read for ever.

use std::path::Path;

use approx::assert_abs_diff_eq;
use bnc_models::bnc_data::Dataset;
use bnc_models::bnc_structure::{Family, Structure};
use bnc_models::conformance::pattern;
use bnc_models::{Classifier, Learner, Model, NETWORK_LOADER, Network, Smoothing, StructureScore};
use bnc_nb::NaiveBayes;

fn read(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name);
    Model::read(&path, &[NETWORK_LOADER]).unwrap()
}

fn assert_same(model: &Model, fitted: &dyn Classifier, data: &Dataset) {
    let (read, expected) = (model.posteriors(data).unwrap(), fitted.posteriors(data).unwrap());
    for (ours, expected) in read.iter().zip(&expected) {
        assert_abs_diff_eq!(ours, expected, epsilon = 1e-12);
    }
}

#[test]
fn version_1_is_read() {
    let model = read("network-1.bnc");
    assert_eq!(model.learner(), "nb");
    let data = pattern(&[2, 3], 2, 12, 5);
    assert_same(&model, &NaiveBayes::default().fit(&data).unwrap(), &data);
}

/// The first feature has so many parents that its table holds what was observed only; the class has a parent.
fn version_2(data: &Dataset) -> Network {
    let mut families = vec![Family { parents: Vec::new(), class: true }; 24];
    families[0].parents = (1..23).collect();
    families[23].class = false;
    let structure = Structure::new(families, vec![23]).unwrap();
    Network::fit(data, structure, Smoothing::Laplace, Smoothing::Laplace).unwrap().with_score(
        StructureScore {
            name: "bdeu".into(),
            equivalent_sample_size: Some(1.0),
            rows: 12,
            features: -120.5,
            total: -150.25,
            optima: Some(12),
        },
    )
}

#[test]
fn version_2_is_read() {
    let model = read("network-2.bnc");
    let data = pattern(&[2; 24], 2, 12, 0);
    let fitted = version_2(&data);
    let network = model.classifier().network().unwrap();
    assert!(!network.table(0).is_dense() && network.table(1).is_dense());
    assert_eq!((network.structure(), network.score()), (fitted.structure(), fitted.score()));
    assert_same(&model, &fitted, &data);
    assert_same(&model, &fitted, &pattern(&[2; 24], 2, 40, 9));
}
