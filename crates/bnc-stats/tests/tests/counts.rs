//! Counts form a commutative group; the planner's answers do not depend on how rows come.

use std::sync::Arc;

use bnc_data::{Dataset, MISSING};
use bnc_models::conformance::{pattern, schema};
use bnc_stats::{Counter, Counts, DENSE_CELLS, Error, Vars, all_pairs, all_singles};
use proptest::prelude::*;

fn plan(features: usize) -> Vec<Vars> {
    all_pairs(features).into_iter().chain(all_singles(features)).chain([Vars::new([0, 1, 2])]).collect()
}

proptest! {
    #[test]
    fn merging_is_commutative_and_associative_and_subtraction_undoes_it(cuts in (0..40_usize, 0..40_usize)) {
        let data = pattern(&[2, 3, 70], 3, 40, 6);
        let (low, high) = (cuts.0.min(cuts.1), cuts.0.max(cuts.1));
        let part = |rows: std::ops::Range<usize>| {
            Counts::gather(&data.select(&rows.collect::<Vec<_>>()), &plan(3)).unwrap()
        };
        let merged = |order: [&Counts; 3]| {
            let mut sum = order[0].clone();
            sum.merge(order[1]).unwrap();
            sum.merge(order[2]).unwrap();
            sum
        };
        let (a, b, c) = (part(0..low), part(low..high), part(high..40));
        let whole = Counts::gather(&data, &plan(3)).unwrap();
        prop_assert_eq!(&merged([&a, &b, &c]), &whole);
        prop_assert_eq!(&merged([&c, &a, &b]), &whole);
        let mut rest = whole.clone();
        rest.subtract(&b).unwrap();
        let mut others = a.clone();
        others.merge(&c).unwrap();
        prop_assert_eq!(rest, others);
    }
}

#[test]
fn a_table_beyond_the_dense_budget_keeps_observed_configurations() {
    let dims = [3000, 3000];
    assert!(dims.iter().product::<usize>() > DENSE_CELLS);
    let data =
        Dataset::new(schema(&dims, 2), vec![0, 1, 1], vec![vec![2999, 5, 5], vec![0, 7, 7]], None).unwrap();
    let table = data.count(&[Vars::new([0, 1])]).unwrap().remove(0);
    assert!(table.dense().is_none());
    assert_eq!(table.run(&[5, 7]), [0, 2]);
    assert_eq!(table.run(&[2999, 0]), [1, 0]);
    assert!(table.run(&[1, 1]).is_empty());
    assert_eq!(table.marginal(&Vars::new([1])).run(&[7]), [0, 2]);
    let mut counts = Counts::gather(&data, &[Vars::new([0, 1])]).unwrap();
    counts.subtract(&Counts::gather(&data.select(&[0, 1, 2]), &[Vars::new([0, 1])]).unwrap()).unwrap();
    assert_eq!(counts, Counts::gather(&data.select(&[]), &[Vars::new([0, 1])]).unwrap());
}

#[test]
fn counts_say_what_they_lack_and_what_does_not_fit() {
    let data = pattern(&[2, 3, 4], 3, 20, 0);
    let mut counts = Counts::gather(&data, &all_singles(3)).unwrap();
    match counts.count(&[Vars::new([0]), Vars::new([2, 1])]) {
        Err(Error::Unanswered { plan }) => assert_eq!(plan, [Vars::new([1, 2])]),
        other => panic!("{other:?}"),
    }
    assert!(matches!(counts.rows(), Err(Error::NoRows)));
    let more = Counts::gather(&data, &all_pairs(3)).unwrap();
    assert!(matches!(counts.merge(&more), Err(Error::Mismatch(_))));
    let before = counts.clone();
    let twice = Counts::gather(&data.select(&[0, 0]), &all_singles(3)).unwrap();
    let mut once = Counts::gather(&data.select(&[0]), &all_singles(3)).unwrap();
    assert!(matches!(once.subtract(&twice), Err(Error::Mismatch(_))));
    assert_eq!(counts, before);
    assert!(matches!(data.count(&[Vars::new([3])]), Err(Error::NoSuchFeature { feature: 3, features: 3 })));
}

#[test]
fn rows_are_the_labelled_ones_with_their_weights() {
    let data = pattern(&[2], 2, 4, 0);
    let data = Dataset::new(
        Arc::clone(data.schema()),
        vec![0, MISSING, 1, 1],
        data.features().to_vec(),
        Some(vec![1, 2, 3, 4]),
    )
    .unwrap();
    let rows = Counter::rows(&data).unwrap();
    assert_eq!(rows.class(), [0, 1, 1]);
    assert_eq!(rows.weights(), Some(&[1, 3, 4][..]));
}
