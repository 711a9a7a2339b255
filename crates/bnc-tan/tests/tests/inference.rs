//! Exact inference with missing values, against sums over all completions.

use approx::assert_abs_diff_eq;
use bnc_models::bnc_data::{Code, MISSING};
use bnc_models::bnc_structure::{Family, Structure};
use bnc_models::conformance::pattern;
use bnc_models::{Classifier, Network, Smoothing};
use proptest::prelude::*;

const DIMS: [usize; 4] = [2, 3, 2, 4];

/// A structure from bits: which earlier features are parents of each feature, whether the class is, and the class's own
/// parents.
fn structure(bits: u32) -> Structure {
    let bit = |index: usize| bits >> index & 1 == 1;
    let class_parents: Vec<usize> = (0..2).filter(|&feature| bit(10 + feature)).collect();
    let families = (0..4)
        .map(|child| Family {
            parents: (0..child).filter(|&parent| bit(child * (child - 1) / 2 + parent)).collect(),
            // The class's parents and their ancestors come before the class.
            class: child > 1 && bit(6 + child),
        })
        .collect();
    Structure::new(families, class_parents).unwrap()
}

/// ln P(row, class), from the network's tables.
fn joint(network: &Network, row: &[Code], class: usize) -> f64 {
    let schema = network.schema();
    let classes = schema.classes();
    let index = |axes: &mut dyn Iterator<Item = usize>| {
        axes.fold(0, |index, axis| index * schema.cardinality(axis) + usize::from(row[axis]))
    };
    let class_row = index(&mut network.structure().class_parents().iter().copied());
    let mut log = network.class_table().logs()[class_row * classes + class];
    for (feature, family) in network.structure().features().iter().enumerate() {
        let cell = index(&mut family.parents.iter().copied().chain([feature]));
        let table = network.table(feature);
        log += if family.class { table.logs()[cell * classes + class] } else { table.logs()[cell] };
    }
    log
}

proptest! {
    #[test]
    fn a_missing_value_is_the_sum_over_its_values(bits: u32, hidden in 0..16_u32, seed in 0..60_usize) {
        let data = pattern(&DIMS, 3, 60, 0);
        let network = Network::fit(&data, structure(bits), Smoothing::Laplace, Smoothing::Laplace).unwrap();
        let mut row: Vec<Code> = data.features().iter().map(|column| column[seed]).collect();
        for (feature, code) in row.iter_mut().enumerate() {
            if hidden >> feature & 1 == 1 {
                *code = MISSING;
            }
        }
        let mut expected = [0.0; 3];
        let total: usize = DIMS.iter().product();
        for mut completion in 0..total {
            let mut full = row.clone();
            let mut fits = true;
            for (feature, &dim) in DIMS.iter().enumerate() {
                let code = (completion % dim) as Code;
                completion /= dim;
                fits &= row[feature] == MISSING || row[feature] == code;
                full[feature] = code;
            }
            if fits {
                for (class, sum) in expected.iter_mut().enumerate() {
                    *sum += joint(&network, &full, class).exp();
                }
            }
        }
        let sum: f64 = expected.iter().sum();
        let mut posterior = vec![0.0; 3];
        network.posterior_into(&row, &mut posterior).unwrap();
        for (ours, expected) in posterior.iter().zip(expected) {
            prop_assert!((ours - expected / sum).abs() < 1e-12, "{} {}", ours, expected / sum);
        }
    }
}

#[test]
fn two_thousand_features_give_the_posterior_of_the_exact_sum() {
    let data = pattern(&[2; 2000], 2, 40, 0);
    let network =
        Network::fit(&data, Structure::naive(2000), Smoothing::Laplace, Smoothing::Laplace).unwrap();
    // Values of the two classes alternate, so that the true posterior is far from 0 and 1.
    let logs = |feature: usize, value: usize, class: usize| network.table(feature).logs()[value * 2 + class];
    let mut difference = network.class_table().logs()[0] - network.class_table().logs()[1];
    let row: Vec<Code> = (0..2000)
        .map(|feature| {
            let towards = |value: usize| logs(feature, value, 0) - logs(feature, value, 1);
            let value =
                usize::from(towards(1).abs() < towards(0).abs() || difference > 0.0 && towards(1) < 0.0);
            difference += towards(value);
            value as Code
        })
        .collect();
    let mut posterior = vec![0.0; 2];
    network.posterior_into(&row, &mut posterior).unwrap();
    assert_abs_diff_eq!(posterior[1], 1.0 / (1.0 + difference.exp()), epsilon = 1e-9);
    assert!(posterior.iter().all(|p| p.is_finite()));
}

#[test]
fn a_sum_beyond_the_budget_is_refused_with_its_size() {
    // A known feature below every pair of 26 missing ones couples them all.
    let hidden = 26;
    let pairs = (0..hidden).flat_map(|i| (i + 1..hidden).map(move |j| vec![i, j]));
    let parents: Vec<Vec<usize>> = vec![Vec::new(); hidden].into_iter().chain(pairs).collect();
    let features = parents.len();
    let data = pattern(&vec![2; features], 2, 30, 0);
    let structure = Structure::augmented(parents).unwrap();
    let network = Network::fit(&data, structure, Smoothing::Laplace, Smoothing::Laplace).unwrap();
    let row: Vec<Code> = (0..features).map(|feature| if feature < hidden { MISSING } else { 0 }).collect();
    let error = network.posterior_into(&row, &mut [0.0; 2]).unwrap_err().to_string();
    assert!(error.contains("summing out the row's missing values needs 134217728 cells"), "{error}");
}
