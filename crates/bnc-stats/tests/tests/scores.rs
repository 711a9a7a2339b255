//! Local scores: their definitions straight from the rows, known values, and the values of another tool.

use std::collections::BTreeMap;

use approx::assert_relative_eq;
use bnc_data::{Code, Dataset, Preparation};
use bnc_models::conformance::{pattern, schema};
use bnc_reference::{Golden, SETS};
use bnc_stats::{Child, Counter, LocalScore, Vars, acll_beta, approximate_conditional_log_likelihood};
use proptest::prelude::*;
use statrs::function::gamma::ln_gamma;

pub(crate) const SCORES: [LocalScore; 10] = [
    LocalScore::LogLikelihood,
    LocalScore::Aic,
    LocalScore::Bic,
    LocalScore::Bdeu(1.0),
    LocalScore::Bdeu(10.0),
    LocalScore::Bds(1.0),
    LocalScore::Bds(7.5),
    LocalScore::K2,
    LocalScore::FactorizedNml,
    LocalScore::QuotientNml,
];

/// The score of child `child` in a network, from the data.
fn score(score: LocalScore, data: &Dataset, child: Child, features: &[usize], class: bool) -> f64 {
    let own = match child {
        Child::Feature(feature) => Some(feature),
        Child::Class => None,
    };
    let table = &data.count(&[Vars::new(features.iter().copied().chain(own))]).unwrap()[0];
    score.of_family(table, child, class, data.rows() as u64)
}

/// The logarithm of the normaliser of a multinomial, by its recurrence.
fn ln_regret(count: u64, arity: f64) -> f64 {
    let n = count as f64;
    let two = |h: u64| {
        let likelihood = |part: u64| (part as f64 / n).powi(i32::try_from(part).unwrap());
        let choose = ln_gamma(n + 1.0) - ln_gamma(h as f64 + 1.0) - ln_gamma((count - h) as f64 + 1.0);
        choose.exp() * likelihood(h) * likelihood(count - h)
    };
    let (mut before, mut last) = (1.0, (0..=count).map(two).sum());
    let mut r = 1.0;
    while r < arity - 1.0 {
        (before, last) = (last, last + n / r * before);
        r += 1.0;
    }
    if arity < 1.5 { 0.0 } else { f64::ln(last) }
}

/// The definition: configuration by configuration, value by value.
fn by_definition(score: LocalScore, child: &[Code], parents: &[&[Code]], r: f64, q: f64) -> f64 {
    let mut counts: BTreeMap<Vec<Code>, BTreeMap<Code, u64>> = BTreeMap::new();
    for (row, &code) in child.iter().enumerate() {
        let configuration = parents.iter().map(|parent| parent[row]).collect();
        *counts.entry(configuration).or_default().entry(code).or_default() += 1;
    }
    let rows = child.len() as f64;
    let seen = counts.len() as f64;
    let dirichlet = |a_jk: f64, n_jk: &BTreeMap<Code, u64>| {
        let n_j = n_jk.values().sum::<u64>() as f64;
        let of_value = |&n: &u64| ln_gamma(a_jk + n as f64) - ln_gamma(a_jk);
        ln_gamma(r * a_jk) - ln_gamma(r * a_jk + n_j) + n_jk.values().map(of_value).sum::<f64>()
    };
    let likelihood = |n_jk: &BTreeMap<Code, u64>| {
        let n_j = n_jk.values().sum::<u64>() as f64;
        n_jk.values().map(|&n| n as f64 * (n as f64 / n_j).ln()).sum::<f64>()
    };
    let over = |term: &dyn Fn(&BTreeMap<Code, u64>) -> f64| counts.values().map(term).sum::<f64>();
    let parameters = (r - 1.0) * q;
    match score {
        LocalScore::LogLikelihood => over(&likelihood),
        LocalScore::Aic => over(&likelihood) - parameters,
        LocalScore::Bic => over(&likelihood) - 0.5 * rows.ln() * parameters,
        LocalScore::Bdeu(size) => over(&|n_jk| dirichlet(size / (r * q), n_jk)),
        LocalScore::Bds(size) => over(&|n_jk| dirichlet(size / (r * seen), n_jk)),
        LocalScore::K2 => over(&|n_jk| dirichlet(1.0, n_jk)),
        LocalScore::FactorizedNml => over(&|n_jk| likelihood(n_jk) - ln_regret(n_jk.values().sum(), r)),
        LocalScore::QuotientNml => {
            over(&likelihood) - ln_regret(child.len() as u64, r * q) + ln_regret(child.len() as u64, q)
        }
    }
}

fn rows(dims: [usize; 3], classes: usize) -> impl Strategy<Value = Dataset> {
    let code = |dim: usize| 0..dim as Code;
    let row = (code(dims[0]), code(dims[1]), code(dims[2]), code(classes));
    prop::collection::vec(row, 1..60).prop_map(move |rows| {
        let columns = vec![
            rows.iter().map(|row| row.0).collect(),
            rows.iter().map(|row| row.1).collect(),
            rows.iter().map(|row| row.2).collect(),
        ];
        Dataset::new(schema(&dims, classes), rows.iter().map(|row| row.3).collect(), columns, None).unwrap()
    })
}

proptest! {
    #[test]
    fn scores_are_their_definitions(data in rows([2, 3, 4], 3)) {
        let column = |feature: usize| data.features()[feature].as_slice();
        for kind in SCORES {
            let cases = [
                (score(kind, &data, Child::Feature(1), &[], false), by_definition(kind, column(1), &[], 3.0, 1.0)),
                (score(kind, &data, Child::Feature(1), &[], true), by_definition(kind, column(1), &[data.class()], 3.0, 3.0)),
                (
                    score(kind, &data, Child::Feature(1), &[0, 2], true),
                    by_definition(kind, column(1), &[column(0), column(2), data.class()], 3.0, 24.0),
                ),
                (
                    score(kind, &data, Child::Feature(2), &[1, 0], false),
                    by_definition(kind, column(2), &[column(0), column(1)], 4.0, 6.0),
                ),
                (score(kind, &data, Child::Class, &[0, 2], true), by_definition(kind, data.class(), &[column(0), column(2)], 3.0, 8.0)),
                (score(kind, &data, Child::Class, &[], false), by_definition(kind, data.class(), &[], 3.0, 1.0)),
            ];
            for (ours, expected) in cases {
                prop_assert!((ours - expected).abs() < 1e-9 * expected.abs().max(1.0), "{kind:?}: {ours} {expected}");
            }
        }
    }

    #[test]
    fn reversing_an_arc_of_two_nodes_changes_no_score_that_is_score_equivalent(data in rows([2, 3, 4], 3)) {
        for kind in [LocalScore::LogLikelihood, LocalScore::Aic, LocalScore::Bic, LocalScore::Bdeu(1.0), LocalScore::Bdeu(10.0), LocalScore::QuotientNml] {
            let of = |child: usize, parents: &[usize]| score(kind, &data, Child::Feature(child), parents, false);
            let (forwards, backwards) = (of(0, &[]) + of(2, &[0]), of(2, &[]) + of(0, &[2]));
            prop_assert!((forwards - backwards).abs() < 1e-9, "{kind:?}: {forwards} {backwards}");
            let naive_bayes = score(kind, &data, Child::Class, &[], false) + score(kind, &data, Child::Feature(1), &[], true);
            let reversed = of(1, &[]) + score(kind, &data, Child::Class, &[1], false);
            prop_assert!((naive_bayes - reversed).abs() < 1e-9, "{kind:?}: {naive_bayes} {reversed}");
        }
    }

    #[test]
    fn acll_weights_the_own_class_and_the_others(data in rows([2, 3, 4], 3)) {
        let beta = acll_beta(3, data.rows() as f64);
        for (child, parents) in [(1, vec![]), (0, vec![2]), (2, vec![0]), (1, vec![0, 2])] {
            let code = |feature: usize, row: usize| data.features()[feature][row];
            let configuration = |row: usize| parents.iter().map(|&parent| code(parent, row)).collect::<Vec<_>>();
            let seen: std::collections::BTreeSet<_> = (0..data.rows()).map(configuration).collect();
            let mut expected = 0.0;
            for j in &seen {
                for class in 0..3 {
                    let weight = |value: usize| {
                        (0..data.rows())
                            .filter(|&row| configuration(row) == *j && usize::from(code(child, row)) == value)
                            .map(|row| if data.class()[row] == class { 1.0 + beta } else { beta })
                            .sum::<f64>()
                    };
                    let weights: Vec<f64> = (0..[2, 3, 4][child]).map(weight).collect();
                    let total: f64 = weights.iter().map(|weight| weight.max(5.0)).sum();
                    expected += weights.iter().map(|weight| weight * (weight.max(5.0) / total).ln()).sum::<f64>();
                }
            }
            let vars = Vars::new(parents.iter().copied().chain([child]));
            let ours = approximate_conditional_log_likelihood(&data.count(&[vars]).unwrap()[0], child, beta);
            prop_assert!((ours - expected).abs() < 1e-9 * expected.abs().max(1.0), "{ours} {expected}");
        }
    }
}

proptest! {
    // The recurrence of the regret takes a step a configuration: millions.
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn a_table_of_observed_configurations_scores_as_its_definition(codes in prop::collection::vec((0..4_u16, 0..3_u16, 0..2_u16), 1..50)) {
        let dims = [3000, 3000];
        let columns: Vec<Vec<Code>> = vec![codes.iter().map(|row| row.0 * 700).collect(), codes.iter().map(|row| row.1 * 1400).collect()];
        let data = Dataset::new(schema(&dims, 2), codes.iter().map(|row| row.2).collect(), columns, None).unwrap();
        prop_assert!(data.count(&[Vars::new([0, 1])]).unwrap()[0].dense().is_none());
        for kind in SCORES {
            let ours = score(kind, &data, Child::Feature(0), &[1], true);
            let expected = by_definition(kind, &data.features()[0], &[&data.features()[1], data.class()], 3000.0, 6000.0);
            prop_assert!((ours - expected).abs() < 1e-8 * expected.abs().max(1.0), "{kind:?}: {ours} {expected}");
            let ours = score(kind, &data, Child::Class, &[0, 1], true);
            let expected = by_definition(kind, data.class(), &[&data.features()[0], &data.features()[1]], 2.0, 9e6);
            prop_assert!((ours - expected).abs() < 1e-8 * expected.abs().max(1.0), "{kind:?}: {ours} {expected}");
        }
    }
}

#[test]
fn two_equal_binary_columns_have_the_known_bdeu() {
    for (values, y_given_x, both_ways) in [(2, -1.750_937, true), (3, -1.653_357, false)] {
        let columns = vec![vec![0, 0, 1, 1], vec![0, 0, 1, 1]];
        let data = Dataset::new(schema(&[values, 2], 1), vec![0; 4], columns, None).unwrap();
        let of = |child: usize, parents: &[usize]| {
            score(LocalScore::Bdeu(1.0), &data, Child::Feature(child), parents, false)
        };
        assert_relative_eq!(of(1, &[]), -3.753_418, epsilon = 5e-7);
        assert_relative_eq!(of(1, &[0]), y_given_x, epsilon = 5e-7);
        assert_relative_eq!(of(0, &[]) + of(1, &[0]), of(1, &[]) + of(0, &[1]), epsilon = 1e-12);
        if both_ways {
            assert_relative_eq!(of(0, &[]) + of(1, &[]), -7.506_836, epsilon = 1e-6);
            assert_relative_eq!(of(0, &[]) + of(1, &[0]), -5.504_355, epsilon = 1e-6);
        }
    }
}

#[test]
fn bdeu_prefers_parents_that_isolate_every_row() {
    let rows = 80_usize;
    let columns = vec![
        (0..rows).map(|row| (row / 2 % 2) as Code).collect(),
        (0..rows).map(|row| row as Code).collect(),
    ];
    let class = (0..rows).map(|row| (row % 2) as Code).collect();
    let data = Dataset::new(schema(&[2, rows], 2), class, columns, None).unwrap();
    let of = |kind, parents: &[usize], class| score(kind, &data, Child::Feature(0), parents, class);
    let bdeu = LocalScore::Bdeu(1.0);
    assert_relative_eq!(of(bdeu, &[], false), -57.87, epsilon = 5e-3);
    assert_relative_eq!(of(bdeu, &[], true), -60.62, epsilon = 5e-3);
    assert_relative_eq!(of(bdeu, &[1], false), 80.0 * 0.5_f64.ln(), epsilon = 1e-10);
    assert_relative_eq!(of(bdeu, &[1], true), -55.45, epsilon = 5e-3);
    assert!(of(LocalScore::Bic, &[], false) > of(LocalScore::Bic, &[1], true));
}

#[test]
fn names_lead_to_their_scores() {
    for kind in SCORES {
        let size = kind.equivalent_sample_size();
        assert_eq!(LocalScore::from_name(kind.name(), size.unwrap_or(1.0)), Some(kind));
    }
    assert_eq!(LocalScore::from_name("mdl", 1.0), Some(LocalScore::Bic));
    assert_eq!(LocalScore::from_name("BDEU", 1.0), None);
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(LocalScore::from_name("bdeu", size), None);
        assert_eq!(LocalScore::from_name("bds", size), None);
        assert_eq!(LocalScore::from_name("k2", size), Some(LocalScore::K2));
    }
}

#[test]
fn no_rows_and_one_class_give_numbers() {
    let data = pattern(&[2, 3], 1, 20, 0);
    for data in [data.select(&[]), data] {
        for kind in SCORES {
            for child in [Child::Feature(0), Child::Class] {
                let value = score(kind, &data, child, &[1], true);
                assert!(value.is_finite(), "{kind:?} {child:?}: {value}");
            }
        }
    }
}

#[test]
fn equal_to_bnlearn() {
    let Some(reference) = bnc_reference::folder("local scores against bnlearn") else {
        return;
    };
    for set in SETS {
        let golden = Golden::read(&reference.join(format!("golden/{set}/bnlearn_local_scores.tsv")));
        let frame = bnc_reference::discrete_set(&reference, set);
        let (training, _) = bnc_reference::training_and_test(&frame, Preparation::default());
        let class = training.features().len();
        assert!(golden.rows.len() > 5);
        for row in &golden.rows {
            let node = |cell: &str| cell.parse::<usize>().unwrap();
            let nodes: Vec<usize> = row[1].split(',').filter(|cell| !cell.is_empty()).map(node).collect();
            let features: Vec<usize> = nodes.iter().copied().filter(|&parent| parent != class).collect();
            let child = match node(&row[0]) {
                child if child == class => Child::Class,
                child => Child::Feature(child),
            };
            for (name, cell) in golden.header.iter().zip(row).skip(2) {
                let kind = match name.strip_prefix("bde") {
                    Some(size) => LocalScore::Bdeu(size.parse().unwrap()),
                    None => LocalScore::from_name(name, 1.0).unwrap(),
                };
                let ours = score(kind, &training, child, &features, nodes.contains(&class));
                let theirs: f64 = cell.parse().unwrap();
                assert_relative_eq!(ours, theirs, epsilon = 1e-8, max_relative = 0.0);
            }
        }
    }
}
