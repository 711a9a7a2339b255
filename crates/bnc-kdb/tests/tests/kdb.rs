//! KDB by its definition, straight from the rows.

use std::path::Path;

use bnc_kdb::{BACK_OFF_LOADER, Kdb, KdbModel};
use bnc_models::bnc_data::{Code, Dataset, Encoder, MISSING};
use bnc_models::conformance::pattern;
use bnc_models::{Classifier, Configure, Learner, Model, NETWORK_LOADER, Parameters, Smoothing};
use bnc_nb::NaiveBayes;
use proptest::prelude::*;

use crate::support::{CLASSES, DIMS, count, posterior};

/// The posterior of a complete row, or with back-off of any row, with Laplace's estimates.
fn by_definition(model: &KdbModel, data: &Dataset, row: &[Code], back_off: bool) -> Vec<f64> {
    let mut scores: Vec<f64> = (0..CLASSES)
        .map(|y| (count(data, &[], &[], Some(y)) + 1.0) / (data.rows() + CLASSES) as f64)
        .collect();
    for (i, family) in model.structure().features().iter().enumerate() {
        if row[i] == MISSING {
            continue;
        }
        let mut parents: Vec<(usize, Code)> = Vec::new();
        for &parent in &family.parents {
            let longer = [&parents[..], &[(parent, row[parent])]].concat();
            if back_off && (row[parent] == MISSING || count(data, &longer, &[i], None) == 0.0) {
                break;
            }
            parents = longer;
        }
        let with_child = [&parents[..], &[(i, row[i])]].concat();
        for (y, score) in scores.iter_mut().enumerate() {
            *score *= (count(data, &with_child, &[], Some(y)) + 1.0)
                / (count(data, &parents, &[i], Some(y)) + data.schema().cardinality(i) as f64);
        }
    }
    let sum: f64 = scores.iter().sum();
    scores.into_iter().map(|score| score / sum).collect()
}

proptest! {
    #[test]
    fn equal_to_the_definition(
        rows in 5..120_usize,
        missing in prop_oneof![Just(0), 3..9_usize],
        k in 0..5_usize,
        back_off: bool,
        row in [0..3_u16, 0..4_u16, 0..5_u16, 0..3_u16, 0..4_u16],
    ) {
        let data = pattern(&DIMS, CLASSES, rows, missing);
        let hide = |(&code, dim): (&u16, usize)| match usize::from(code) < dim {
            true => code,
            false if back_off => MISSING,
            false => 0,
        };
        let row: Vec<Code> = row.iter().zip(DIMS).map(hide).collect();
        let model = Kdb::default().with_k(k).with_back_off(back_off).fit(&data).unwrap();
        let expected = by_definition(&model, &data, &row, back_off);
        for (ours, expected) in posterior(&model, &row).iter().zip(expected) {
            prop_assert!((ours - expected).abs() < 1e-12, "{} {}", ours, expected);
        }
    }

    /// Where no parent values are new, back-off changes nothing.
    #[test]
    fn back_off_is_the_network_where_all_is_seen(k in 0..5_usize, row in 0..120_usize) {
        let data = pattern(&DIMS, CLASSES, 120, 0);
        let row: Vec<Code> = data.features().iter().map(|column| column[row]).collect();
        let network = Kdb::default().with_k(k).fit(&data).unwrap();
        let back_off = Kdb::default().with_k(k).with_back_off(true).fit(&data).unwrap();
        for (ours, expected) in posterior(&back_off, &row).iter().zip(posterior(&network, &row)) {
            prop_assert!((ours - expected).abs() < 1e-12, "{} {}", ours, expected);
        }
    }
}

#[test]
fn without_dependence_it_is_naive_bayes() {
    let data = pattern(&DIMS, CLASSES, 100, 7);
    let naive = NaiveBayes::default().with_smoothing(Smoothing::Laplace).fit(&data).unwrap();
    let naive = naive.posteriors(&data).unwrap();
    for back_off in [false, true] {
        let model = Kdb::default().with_k(0).with_back_off(back_off).fit(&data).unwrap();
        for (ours, expected) in model.posteriors(&data).unwrap().iter().zip(&naive) {
            assert!((ours - expected).abs() < 1e-12, "back-off {back_off}: {ours} {expected}");
        }
    }
}

#[test]
fn a_prefix_that_was_never_seen_is_left_out() {
    // x1 is always 0 when x0 is 1.
    let data = pattern(&[2, 2, 2], 2, 40, 0);
    let columns: Vec<Vec<Code>> = vec![
        (0..40).map(|row| row % 2).collect(),
        (0..40).map(|row| u16::from(row % 4 == 0)).collect(),
        (0..40).map(|row| row / 2 % 2).collect(),
    ];
    let data = Dataset::new(data.schema().clone(), data.class().to_vec(), columns, None).unwrap();
    let model = Kdb::default().with_back_off(true).fit(&data).unwrap();
    let KdbModel::BackOff(network) = &model else { panic!("a network with back-off") };
    let last = network.structure().features().iter().position(|family| family.parents.len() == 2).unwrap();
    let used = |row: [Code; 3]| network.parents_used(&row).unwrap();
    let mut unseen = 0;
    for (x0, x1, x2) in (0..8_u16).map(|bits| (bits & 1, bits >> 1 & 1, bits >> 2)) {
        let row = [x0, x1, x2];
        let parents = &network.structure().features()[last].parents;
        let fixed: Vec<(usize, Code)> = parents.iter().map(|&parent| (parent, row[parent])).collect();
        let expected = if count(&data, &fixed, &[], None) > 0.0 { 2 } else { 1 };
        assert_eq!(used(row)[last], Some(expected), "{row:?}");
        unseen += usize::from(expected == 1);
    }
    assert!(unseen > 0, "some parent values are new");
    assert_eq!(used([MISSING; 3]), [None; 3]);
}

#[test]
fn families_beyond_the_dense_limit_equal_the_definition() {
    const DIMS: [usize; 5] = [30; 5];
    let data = pattern(&DIMS, 3, 200, 0);
    let rows =
        |step: usize| (0..200).step_by(step).map(|row| data.features().iter().map(move |c| c[row]).collect());
    let mut rows: Vec<Vec<Code>> = rows(9).collect();
    let new: Vec<Vec<Code>> = rows.iter().map(|row| row.iter().rev().copied().collect()).collect();
    rows.extend(new);
    for back_off in [false, true] {
        let model = Kdb::default().with_k(4).with_back_off(back_off).fit(&data).unwrap();
        let last = model.structure().features().iter().position(|family| family.parents.len() == 4).unwrap();
        if let KdbModel::Network(network) = &model {
            assert!(!network.table(last).is_dense());
        }
        let encoder = Encoder::of_schema(data.schema().clone());
        let file = Model::new("kdb:k=4", encoder, Box::new(model.clone())).unwrap().to_bytes().unwrap();
        let read = Model::from_bytes(&file, Path::new("memory"), &[NETWORK_LOADER, BACK_OFF_LOADER]).unwrap();
        for row in &rows {
            let ours = posterior(&model, row);
            for (ours, expected) in ours.iter().zip(by_definition(&model, &data, row, back_off)) {
                assert!((ours - expected).abs() < 1e-12, "{ours} {expected}");
            }
            let mut again = vec![0.0; 3];
            read.classifier().posterior_into(row, &mut again).unwrap();
            assert_eq!(ours, again);
        }
    }
}

#[test]
fn back_off_uses_no_parent_that_was_never_seen() {
    let data = pattern(&[700; 4], 2, 300, 0);
    let model = Kdb::default().with_k(3).with_back_off(true).fit(&data).unwrap();
    let KdbModel::BackOff(network) = &model else { panic!("a network with back-off") };
    let row: Vec<Code> = data.features().iter().map(|column| column[7]).collect();
    let most = network.parents_used(&row).unwrap().into_iter().max();
    assert_eq!(most, Some(Some(3)), "a training row has all its parents");
    let mut new = row;
    new.fill(699);
    assert_eq!(network.parents_used(&new).unwrap(), [Some(0); 4], "no parent value was seen");
}

#[test]
fn parameters_are_read() {
    let of = |given: &[(&str, &str)]| {
        let given = given.iter().map(|&(key, value)| (key.into(), value.into())).collect();
        Kdb::configure(&Parameters::new(&Kdb::INFO, given).unwrap())
    };
    assert_eq!(of(&[]).unwrap(), Kdb::default());
    let expected = Kdb::default().with_k(3).with_back_off(true).with_smoothing(Smoothing::M(1.0));
    assert_eq!(of(&[("k", "3"), ("backoff", "true"), ("smoothing", "m:1")]).unwrap(), expected);
    assert_eq!(of(&[("k", "-1")]).unwrap_err().to_string(), "kdb: k=-1 is not a whole number of 0 or more");
}
