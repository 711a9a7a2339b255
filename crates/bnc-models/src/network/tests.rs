//! Tables by what was observed against whole ones, and inference against sums over all completions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

use std::path::Path;

use bnc_data::{Code, Dataset, MISSING};
use bnc_stats::DENSE_CELLS;
use bnc_structure::{Family, Structure};
use proptest::prelude::*;

use super::{MAX_TABLE_CELLS, NETWORK_LOADER, StructureScore};
use crate::conformance::{check_batches, pattern};
use crate::{Classifier, Error, Network, Result, Smoothing};

const DIMS: [usize; 4] = [2, 3, 4, 2];
const CLASSES: usize = 3;

/// Nodes in a topological order (the class is the one after the features), and for each pair whether there is an arc.
fn structures() -> impl Strategy<Value = Structure> {
    let order = Just((0..=DIMS.len()).collect::<Vec<usize>>()).prop_shuffle();
    (order, prop::collection::vec(any::<bool>(), 10)).prop_map(|(order, arcs)| {
        let mut families = vec![Family { parents: Vec::new(), class: false }; DIMS.len()];
        let mut class_parents = Vec::new();
        let pairs = (0..order.len()).flat_map(|child| (0..child).map(move |parent| (parent, child)));
        for ((parent, child), _) in pairs.zip(arcs).filter(|(_, arc)| *arc) {
            match (order[parent], order[child]) {
                (4, child) => families[child].class = true,
                (parent, 4) => class_parents.push(parent),
                (parent, child) => families[child].parents.push(parent),
            }
        }
        Structure::new(families, class_parents).unwrap()
    })
}

fn smoothings() -> impl Strategy<Value = Smoothing> {
    prop_oneof![
        Just(Smoothing::Laplace),
        Just(Smoothing::M(1.0)),
        Just(Smoothing::Bdeu(2.0)),
        Just(Smoothing::Mle),
        Just(Smoothing::Friedman(5.0)),
    ]
}

/// Rows whose codes beyond the cardinality are missing.
fn rows() -> impl Strategy<Value = Vec<Code>> {
    [0..4_u16, 0..5_u16, 0..6_u16, 0..4_u16].prop_map(|row| {
        let known = |(code, dim)| if usize::from(code) < dim { code } else { MISSING };
        row.into_iter().zip(DIMS).map(known).collect()
    })
}

fn observed(data: &Dataset, structure: &Structure, smoothing: Smoothing) -> Network {
    Network::fit_dense_up_to(0, data, structure.clone(), smoothing, smoothing).unwrap()
}

fn posterior(model: &dyn Classifier, row: &[Code]) -> Vec<f64> {
    let mut posterior = vec![0.0; model.schema().classes()];
    model.posterior_into(row, &mut posterior).unwrap();
    posterior
}

fn stored_and_read(network: &Network) -> Result<Box<dyn Classifier>> {
    (NETWORK_LOADER.load)(&network.save()?.bytes, Path::new("memory"), network.schema())
}

/// P(class, row) of a complete row, from the tables.
fn joint(network: &Network, row: &[Code], class: usize) -> f64 {
    let codes = |parents: &[usize]| parents.iter().map(|&parent| row[parent]).collect::<Vec<_>>();
    let mut log = network.class_table().block(&codes(network.structure().class_parents()))[class];
    for (feature, family) in network.structure().features().iter().enumerate() {
        let table = network.table(feature);
        let run = &table.block(&codes(&family.parents))[usize::from(row[feature]) * table.run_length()..];
        log += run[if family.class { class } else { 0 }];
    }
    log.exp()
}

/// All rows that agree with a row where it is known.
fn completions(row: &[Code]) -> Vec<Vec<Code>> {
    let Some(hole) = row.iter().position(|&code| code == MISSING) else {
        return vec![row.to_vec()];
    };
    let fill = |code| {
        let mut row = row.to_vec();
        row[hole] = code;
        completions(&row)
    };
    (0..DIMS[hole] as Code).flat_map(fill).collect()
}

proptest! {
    #[test]
    fn observed_tables_equal_dense_ones(
        structure in structures(),
        smoothing in smoothings(),
        count in 1..40_usize,
        missing in prop_oneof![Just(0), 3..9_usize],
        row in rows(),
    ) {
        let data = pattern(&DIMS, CLASSES, count, missing);
        let dense = Network::fit(&data, structure.clone(), smoothing, smoothing).unwrap();
        let observed = observed(&data, &structure, smoothing);
        for feature in 0..DIMS.len() {
            let (whole, part) = (dense.table(feature), observed.table(feature));
            prop_assert!(whole.is_dense() && !part.is_dense());
            prop_assert_eq!(whole.dims(), part.dims());
            for (codes, block) in whole.stored() {
                prop_assert_eq!(part.block(&codes), block);
            }
            for (codes, block) in part.stored() {
                prop_assert_eq!(whole.block(&codes), block);
            }
        }
        prop_assert_eq!(posterior(&dense, &row), posterior(&observed, &row));
        prop_assert_eq!(dense.free_parameters(), observed.free_parameters());
        prop_assert_eq!(posterior(&*stored_and_read(&observed).unwrap(), &row), posterior(&dense, &row));
    }

    /// Any numbers of classes, ranges beyond a block, tables of both kinds, and rows of which some need inference.
    #[test]
    fn ranges_of_rows_equal_the_rows_one_by_one(
        structure in structures(),
        smoothing in smoothings(),
        classes in 1..11_usize,
        count in prop_oneof![1..40_usize, 250..600_usize],
        missing in prop_oneof![Just(0), 2..9_usize, 500..2000_usize],
    ) {
        let data = pattern(&DIMS, classes, 60, 0);
        let rows = pattern(&DIMS, classes, count, missing);
        for dense_cells in [DENSE_CELLS, 40, 0] {
            let network =
                Network::fit_dense_up_to(dense_cells, &data, structure.clone(), smoothing, smoothing).unwrap();
            check_batches(&network, &rows, "a network");
        }
    }

    #[test]
    fn a_missing_value_is_the_sum_over_its_completions(
        structure in structures(),
        count in 1..40_usize,
        row in rows(),
    ) {
        let data = pattern(&DIMS, CLASSES, count, 7);
        let network = observed(&data, &structure, Smoothing::Laplace);
        let all = completions(&row);
        let scores: Vec<f64> =
            (0..CLASSES).map(|class| all.iter().map(|row| joint(&network, row, class)).sum()).collect();
        let sum: f64 = scores.iter().sum();
        for (ours, expected) in posterior(&network, &row).iter().zip(scores) {
            prop_assert!((ours - expected / sum).abs() < 1e-12, "{} {}", ours, expected / sum);
        }
    }
}

/// A structure in which the first feature has all others as parents, and the class has them, too, where it is no parent.
fn one_large_family(features: usize, class: bool) -> Structure {
    let others: Vec<usize> = (1..features).collect();
    let mut families = vec![Family { parents: Vec::new(), class }; features];
    families[0].parents.clone_from(&others);
    Structure::new(families, if class { Vec::new() } else { others }).unwrap()
}

#[test]
fn families_of_any_size_equal_the_formula() {
    // 5 to the power of 50 configurations.
    let data = pattern(&[5; 51], 2, 60, 0);
    let columns = data.features();
    let same = |a: usize, b: usize| columns[1..].iter().all(|column| column[a] == column[b]);
    for by_class in [true, false] {
        let network =
            Network::fit(&data, one_large_family(51, by_class), Smoothing::Laplace, Smoothing::Laplace)
                .unwrap();
        assert!(!network.table(0).is_dense() && network.class_table().is_dense() == by_class);
        assert_eq!(network.free_parameters(), u64::MAX);
        for row in 0..60 {
            let codes: Vec<Code> = columns.iter().map(|column| column[row]).collect();
            let alike: Vec<usize> = (0..60).filter(|&other| same(row, other)).collect();
            let expected = |class: Code| {
                let of_class = |&&other: &&usize| data.class()[other] == class;
                let with_value = |&&other: &&usize| columns[0][other] == codes[0];
                if !by_class {
                    return (alike.iter().filter(of_class).count() + 1) as f64 / (alike.len() + 2) as f64;
                }
                let all = (0..60).filter(|other| data.class()[*other] == class).collect::<Vec<_>>();
                let given = alike.iter().filter(of_class);
                let own = (given.clone().filter(with_value).count() + 1) as f64 / (given.count() + 5) as f64;
                let others = columns[1..].iter().zip(&codes[1..]).map(|(column, code)| {
                    let seen = all.iter().filter(|&&other| column[other] == *code).count();
                    (seen + 1) as f64 / (all.len() + 5) as f64
                });
                (all.len() + 1) as f64 * own * others.product::<f64>()
            };
            let (first, second) = (expected(0), expected(1));
            let ours = posterior(&network, &codes)[0];
            assert!((ours - first / (first + second)).abs() < 1e-12, "{ours}");
        }
        // Parents that no row has: what smoothing gives to nothing.
        let unseen: Vec<Code> = (1..51_u16).map(|feature| feature / 10).collect();
        assert_eq!(network.table(0).block(&unseen), vec![0.2_f64.ln(); if by_class { 10 } else { 5 }]);
    }
}

#[test]
fn missing_parents_within_the_budget_are_summed_out_beyond_it_refused() {
    let data = pattern(&[3; 30], 2, 40, 0);
    let network =
        Network::fit(&data, one_large_family(30, true), Smoothing::Laplace, Smoothing::Laplace).unwrap();
    let mut row: Vec<Code> = data.features().iter().map(|column| column[5]).collect();
    row[1] = MISSING;
    row[7] = MISSING;
    let sum_over = |class: usize| {
        let fill = |(a, b)| {
            let mut row = row.clone();
            (row[1], row[7]) = (a, b);
            joint(&network, &row, class)
        };
        (0..9).map(|number| fill((number / 3, number % 3))).sum::<f64>()
    };
    let expected = sum_over(0) / (sum_over(0) + sum_over(1));
    let ours = posterior(&network, &row)[0];
    assert!((ours - expected).abs() < 1e-12, "{ours} {expected}");
    row[1..].fill(MISSING);
    let refused = network.posterior_into(&row, &mut [0.0; 2]).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { .. }), "{refused}");
    row[0] = MISSING;
    assert!(network.posterior_into(&row, &mut [0.0; 2]).is_ok(), "a missing child drops out");
}

#[test]
fn what_cannot_be_numbered_or_stored_is_refused() {
    let wide = pattern(&[2; 140], 2, 10, 0);
    let refused = Network::fit(&wide, one_large_family(140, true), Smoothing::Laplace, Smoothing::Laplace);
    assert!(matches!(refused, Err(Error::Stats(bnc_stats::Error::TooManyConfigurations { .. }))));
    // Some 1,200 observed parents with 120,000 cells each.
    let data = pattern(&[60_000; 2], 2, 1_300, 0);
    let identifiers: Vec<Code> = (0..1_300).collect();
    let data = Dataset::new(
        data.schema().clone(),
        data.class().to_vec(),
        vec![identifiers.clone(), identifiers],
        None,
    )
    .unwrap();
    let refused = Network::fit(&data, one_large_family(2, true), Smoothing::Laplace, Smoothing::Laplace);
    let Err(Error::TooLarge { cells, limit, .. }) = refused else { panic!("a table too large") };
    assert_eq!((cells, limit), (1_300 * 120_000, MAX_TABLE_CELLS));
}

#[test]
fn the_score_is_stored() {
    let data = pattern(&DIMS, CLASSES, 30, 0);
    let network = observed(&data, &Structure::naive(4), Smoothing::Laplace);
    assert_eq!(network.score(), None);
    let score = StructureScore {
        name: "bdeu".into(),
        equivalent_sample_size: Some(1.0),
        rows: 30,
        features: -120.5,
        total: -150.25,
        optima: Some(12),
    };
    let network = network.with_score(score.clone());
    let read = stored_and_read(&network).unwrap();
    assert_eq!(read.network().unwrap(), &network);
    assert_eq!(read.network().unwrap().score(), Some(&score));
}

/// Damage behind a valid checksum is an error or a sound model.
#[test]
fn damaged_tables_are_refused_or_sound() {
    let data = pattern(&DIMS, CLASSES, 12, 0);
    let structure = Structure::augmented(vec![vec![], vec![0], vec![0, 1], vec![2]]).unwrap();
    let bytes = observed(&data, &structure, Smoothing::Laplace).save().unwrap().bytes;
    let (mut refused, mut read) = (0, 0);
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match (NETWORK_LOADER.load)(&flipped, Path::new("memory"), data.schema()) {
            Err(_) => refused += 1,
            Ok(model) => {
                read += 1;
                for row in [[0, 0, 0, 0], [1, 2, 3, 1], [MISSING, 1, MISSING, 0]] {
                    let posterior = posterior(&*model, &row);
                    assert!((posterior.iter().sum::<f64>() - 1.0).abs() < 1e-9, "bit {bit}: {posterior:?}");
                }
            }
        }
    }
    assert!(refused > 100 && read > 0, "{refused} {read}");
}
