//! Local KDB by its definition, straight from the rows, and resolution on data with functional dependencies.

use bnc_kdb::{LocalFactor, LocalKdb, LocalKdbModel};
use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::bnc_stats::{Counter, Vars, local_conditional_mutual_information, local_mutual_information};
use bnc_models::conformance::{pattern, schema};
use bnc_models::{Classifier, Learner, Smoothing};
use bnc_nb::NaiveBayes;
use proptest::prelude::*;

use crate::support::{CLASSES, DIMS, count, posterior, weight};

/// Whether a value of the row implies another.
fn implies(data: &Dataset, row: &[Code], l: u32, a: usize, b: usize) -> bool {
    let both = weight(data, &[(a, row[a]), (b, row[b])], &[], None);
    both > 0 && both >= l && both == weight(data, &[(a, row[a])], &[b], None)
}

/// The structure of a row, step by step.
fn structure_by_definition(data: &Dataset, row: &[Code], k: usize, l: u32) -> Vec<LocalFactor> {
    let table = |vars: &[usize]| data.count(&[Vars::new(vars.iter().copied())]).unwrap().remove(0);
    let relevance = |i: usize| local_mutual_information(&table(&[i]))[usize::from(row[i])];
    let link = |i: usize, j: usize| {
        let (a, b) = (i.min(j), i.max(j));
        local_conditional_mutual_information(&table(&[a, b]))
            [usize::from(row[a]) * DIMS[b] + usize::from(row[b])]
    };
    let mut order: Vec<usize> = (0..row.len())
        .filter(|&i| row[i] != MISSING && weight(data, &[(i, row[i])], &[], None) > 0)
        .collect();
    order.sort_by(|&a, &b| relevance(b).total_cmp(&relevance(a)));
    let mut factors = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        let mut candidates = order[..place].to_vec();
        candidates.sort_by(|&a, &b| link(i, b).total_cmp(&link(i, a)));
        let mut kept: Vec<usize> = Vec::new();
        for &q in &candidates {
            if kept.len() == k {
                break;
            }
            if kept.iter().any(|&w| implies(data, row, l, w, q)) {
                continue;
            }
            kept.retain(|&w| !implies(data, row, l, q, w));
            kept.push(q);
        }
        candidates.truncate(k);
        factors.push(LocalFactor {
            feature: i,
            substituted: candidates.into_iter().filter(|parent| !kept.contains(parent)).collect(),
            eliminated_by: kept.iter().copied().find(|&p| implies(data, row, l, p, i)),
            parents: kept,
        });
    }
    factors
}

/// The posterior with Laplace's estimates.
fn by_definition(data: &Dataset, row: &[Code], factors: &[LocalFactor]) -> Vec<f64> {
    let all = count(data, &[], &[], None);
    let mut scores: Vec<f64> =
        (0..CLASSES).map(|y| (count(data, &[], &[], Some(y)) + 1.0) / (all + CLASSES as f64)).collect();
    for factor in factors.iter().filter(|factor| factor.eliminated_by.is_none()) {
        let i = factor.feature;
        let parents: Vec<(usize, Code)> = factor.parents.iter().map(|&p| (p, row[p])).collect();
        let with_child = [&parents[..], &[(i, row[i])]].concat();
        for (y, score) in scores.iter_mut().enumerate() {
            *score *= (count(data, &with_child, &[], Some(y)) + 1.0)
                / (count(data, &parents, &[i], Some(y)) + DIMS[i] as f64);
        }
    }
    let sum: f64 = scores.iter().sum();
    scores.into_iter().map(|score| score / sum).collect()
}

proptest! {
    // Small l, so that values imply each other often.
    #[test]
    fn equal_to_the_definition(
        rows in 5..120_usize,
        missing in prop_oneof![Just(0), 3..9_usize],
        k in 0..5_usize,
        l in 0..20_u32,
        weighted: bool,
        row in [0..3_u16, 0..4_u16, 0..5_u16, 0..3_u16, 0..4_u16],
    ) {
        let data = pattern(&DIMS, CLASSES, rows, missing);
        let weights = weighted.then(|| (0..rows as u32).map(|row| row * 5 % 7).collect());
        let data =
            Dataset::new(data.schema().clone(), data.class().to_vec(), data.features().to_vec(), weights).unwrap();
        let row: Vec<Code> =
            row.iter().zip(DIMS).map(|(&code, dim)| if usize::from(code) < dim { code } else { MISSING }).collect();
        let model = LocalKdb::default().with_k(k).with_l(u64::from(l)).fit(&data).unwrap();
        let expected = structure_by_definition(&data, &row, k, l);
        prop_assert_eq!(&model.structure_for(&row).unwrap().factors, &expected);
        for (ours, expected) in posterior(&model, &row).iter().zip(by_definition(&data, &row, &expected)) {
            prop_assert!((ours - expected).abs() < 1e-12, "{} {}", ours, expected);
        }
    }
}

#[test]
fn without_dependence_it_is_naive_bayes() {
    let data = pattern(&DIMS, CLASSES, 100, 7);
    let naive = NaiveBayes::default().with_smoothing(Smoothing::Laplace).fit(&data).unwrap();
    let model = LocalKdb::default().with_k(0).fit(&data).unwrap();
    for (ours, expected) in model.posteriors(&data).unwrap().iter().zip(&naive.posteriors(&data).unwrap()) {
        assert!((ours - expected).abs() < 1e-12, "{ours} {expected}");
    }
}

/// 240 rows: `special` implies `general` (1 → 1), which implies `top` (1 → 1); `twin` is `special` again; `noise` is free.
/// Features: 0 noise, 1 special, 2 general, 3 top, 4 twin.
fn dependent() -> Dataset {
    let rows = 0..240_u16;
    let class: Vec<Code> = rows.clone().map(|row| u16::from(row % 5 < 2)).collect();
    let special: Vec<Code> = rows.clone().map(|row| u16::from(row % 5 == 0)).collect();
    let general: Vec<Code> = rows.clone().map(|row| u16::from(row % 5 == 0 || row % 7 < 2)).collect();
    let top: Vec<Code> = rows.clone().map(|row| u16::from(row % 5 == 0 || row % 7 < 4)).collect();
    let noise: Vec<Code> = rows.map(|row| row / 3 % 2).collect();
    Dataset::new(schema(&[2; 5], 2), class, vec![noise, special.clone(), general, top, special], None)
        .unwrap()
}

fn model(k: usize, l: u64) -> LocalKdbModel {
    LocalKdb::default().with_k(k).with_l(l).fit(&dependent()).unwrap()
}

/// The theorems, on every row of the data: a parent that another parent implies is redundant, and a value that a parent
/// implies has probability 1, in the raw frequencies.
#[test]
fn what_is_substituted_and_eliminated_changes_no_frequency() {
    let data = dependent();
    let (mut substituted, mut eliminated) = (0, 0);
    for k in 1..=4 {
        let model = model(k, 10);
        for bits in 0..32_u16 {
            let row: Vec<Code> = (0..5).map(|feature| bits >> feature & 1).collect();
            let fixed = |features: &[usize]| features.iter().map(|&f| (f, row[f])).collect::<Vec<_>>();
            for factor in model.structure_for(&row).unwrap().factors {
                let parents = &factor.parents;
                for &a in parents {
                    let rest: Vec<usize> = parents.iter().copied().filter(|&b| b != a).collect();
                    assert!(!rest.iter().any(|&b| implies(&data, &row, 10, b, a)), "no parent is redundant");
                }
                for &general in &factor.substituted {
                    substituted += 1;
                    let with = [&parents[..], &[general]].concat();
                    for y in [Some(0), Some(1)] {
                        let same =
                            weight(&data, &fixed(&with), &[], y) == weight(&data, &fixed(parents), &[], y);
                        assert!(same, "the parents imply what was substituted");
                    }
                }
                let with_child = [&parents[..], &[factor.feature]].concat();
                let certain = parents.iter().any(|&p| implies(&data, &row, 10, p, factor.feature));
                assert_eq!(factor.eliminated_by.is_some(), certain);
                if certain {
                    eliminated += 1;
                    for y in [Some(0), Some(1)] {
                        assert_eq!(
                            weight(&data, &fixed(&with_child), &[], y),
                            weight(&data, &fixed(parents), &[], y),
                            "probability 1"
                        );
                    }
                }
            }
        }
    }
    assert!(substituted > 20 && eliminated > 20, "{substituted} {eliminated}");
}

#[test]
fn chains_and_mutual_implications_are_resolved() {
    let row = [0, 1, 1, 1, 1];
    let structure = model(4, 10).structure_for(&row).unwrap();
    let factor = |feature: usize| structure.factors.iter().find(|factor| factor.feature == feature).unwrap();
    let order: Vec<usize> = structure.factors.iter().map(|factor| factor.feature).collect();
    assert_eq!(order, [1, 4, 2, 3, 0], "the special value says most, its twin as much");
    assert_eq!(factor(1).eliminated_by, None);
    assert_eq!(factor(4).eliminated_by, Some(1), "the twin is implied by the first");
    // Of the twins one is kept; it implies the general value, which is left out as a parent of the top.
    for feature in [2, 3, 0] {
        let parents = &factor(feature).parents;
        assert_eq!(parents.len(), 1, "{parents:?}");
        assert!([1, 4].contains(&parents[0]));
    }
    assert!(factor(2).eliminated_by.is_some() && factor(3).eliminated_by.is_some());
    assert_eq!(factor(0).eliminated_by, None);
    assert_eq!(structure.graph(5).unwrap().arcs().count(), 1, "the free value alone keeps its parent");
    // 48 rows have the special value: from 49 on nothing is implied.
    assert!(model(4, 48).structure_for(&row).unwrap() == structure);
    let plain = model(4, 241).structure_for(&row).unwrap();
    assert!(plain.factors.iter().all(|f| f.eliminated_by.is_none() && f.substituted.is_empty()));
    assert_eq!(plain.factors.iter().map(|f| f.parents.len()).sum::<usize>(), 10);
}

#[test]
fn constant_features_are_no_parents_beside_others() {
    let data = dependent();
    let mut features = data.features().to_vec();
    features[3] = vec![0; data.rows()];
    let data = Dataset::new(schema(&[2, 2, 2, 1, 2], 2), data.class().to_vec(), features, None).unwrap();
    let model = LocalKdb::default().with_l(10).fit(&data).unwrap();
    for factor in model.structure_for(&[0, 0, 0, 0, 0]).unwrap().factors {
        assert!(factor.parents == [3] || !factor.parents.contains(&3), "{factor:?}");
    }
}
