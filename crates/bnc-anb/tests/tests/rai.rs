//! Recursive autonomy identification: graphs that are recovered, and what is refused.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use bnc_anb::RaiAnb;
use bnc_models::bnc_data::{Code, Dataset, Progress, Silent};
use bnc_models::bnc_structure::Structure;
use bnc_models::conformance::{check, pattern, schema};
use bnc_models::{Configure, Error, Learner, NETWORK_LOADER, Parameters, Smoothing};
use proptest::prelude::*;

use crate::greedy::Random;

#[test]
fn conforms() {
    check(&RaiAnb::default(), NETWORK_LOADER);
}

#[test]
fn conforms_without_smoothing_and_with_a_limit() {
    check(&RaiAnb::default().with_smoothing(Smoothing::Mle).with_max_order(Some(1)), NETWORK_LOADER);
}

/// A graph over binary features in a random order of their own, and every configuration of class and features with its
/// expected count in many rows: what a sample says without its noise.
#[allow(clippy::cast_sign_loss, reason = "a probability is not negative")]
fn expected_counts(seed: u64, features: usize) -> (Structure, Dataset) {
    const ROWS: f64 = 4e9;
    let mut random = Random(seed);
    let mut order: Vec<usize> = (0..features).collect();
    for last in 1..features {
        order.swap(last, random.below(last + 1));
    }
    let mut parents = vec![Vec::new(); features];
    for place in 1..features {
        for &parent in &order[..place] {
            if parents[order[place]].len() < 3 && random.below(5) < 2 {
                parents[order[place]].push(parent);
            }
        }
        parents[order[place]].sort_unstable();
    }
    // What each parent adds to the probability of 1: all of it is an influence in one direction, so that none cancels.
    let shares: Vec<Vec<f64>> = parents
        .iter()
        .map(|parents| parents.iter().map(|_| 1.0 + random.below(100) as f64 / 50.0).collect())
        .collect();
    let mut columns = vec![Vec::new(); features];
    let (mut class, mut weights) = (Vec::new(), Vec::new());
    for number in 0..2_usize << features {
        let value = |node: usize| number >> node & 1;
        let factor = |child: usize| {
            let influence = parents[child]
                .iter()
                .zip(&shares[child])
                .map(|(&parent, share)| value(parent) as f64 * share);
            let share = influence.sum::<f64>() / shares[child].iter().sum::<f64>().max(1.0);
            let one = 0.1 + 0.1 * value(features) as f64 + 0.6 * share.powf(1.5);
            if value(child) == 1 { one } else { 1.0 - one }
        };
        let probability = 0.5 * (0..features).map(factor).product::<f64>();
        weights.push((ROWS * probability).round() as u32);
        class.push(value(features) as Code);
        columns.iter_mut().enumerate().for_each(|(node, column)| column.push(value(node) as Code));
    }
    let data = Dataset::new(schema(&vec![2; features], 2), class, columns, Some(weights)).unwrap();
    (Structure::augmented(parents).unwrap(), data)
}

/// The edges without direction, and the colliders: what equivalent graphs share.
type EquivalenceClass = (BTreeSet<(usize, usize)>, BTreeSet<(usize, usize, usize)>);

fn equivalence_class(structure: &Structure) -> EquivalenceClass {
    let edges: BTreeSet<(usize, usize)> = structure.arcs().map(|(a, b)| (a.min(b), a.max(b))).collect();
    let mut colliders = BTreeSet::new();
    for (child, family) in structure.features().iter().enumerate() {
        for &a in &family.parents {
            for &b in family.parents.iter().filter(|&&b| a < b && !edges.contains(&(a, b))) {
                colliders.insert((a, child, b));
            }
        }
    }
    (edges, colliders)
}

#[test]
fn a_graph_is_recovered_from_what_it_implies() {
    let mut with_colliders = 0;
    for seed in 0..120 {
        let (truth, data) = expected_counts(seed, 4 + (seed % 4) as usize);
        let model = RaiAnb::default().fit(&data).unwrap();
        assert!(model.structure().features().iter().all(|family| family.class), "{seed}");
        let expected = equivalence_class(&truth);
        assert_eq!(equivalence_class(model.structure()), expected, "{seed}");
        with_colliders += usize::from(!expected.1.is_empty());
    }
    assert!(with_colliders > 40, "{with_colliders}");
}

fn noisy(seed: u64) -> Dataset {
    let mut random = Random(seed);
    let dims: Vec<usize> = (0..2 + random.below(8)).map(|_| 1 + random.below(4)).collect();
    let (rows, classes) = (1 + random.below(200), 1 + random.below(3));
    let class: Vec<Code> = (0..rows).map(|_| random.below(classes) as Code).collect();
    let mut columns: Vec<Vec<Code>> = Vec::new();
    for (feature, &dim) in dims.iter().enumerate() {
        let share = random.below(10);
        let column = (0..rows).map(|row| {
            let source = if feature == 0 { class[row] } else { columns[row % feature.min(2)][row] };
            let value = if random.below(10) < share { usize::from(source) } else { random.below(dim) };
            (value % dim) as Code
        });
        let column = column.collect();
        columns.push(column);
    }
    Dataset::new(schema(&dims, classes), class, columns, None).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A cycle would be an error of the structure.
    #[test]
    fn there_is_never_a_cycle_and_rows_have_no_order(seed: u64, shift in 0_usize..200) {
        let data = noisy(seed);
        let model = RaiAnb::default().fit(&data).unwrap();
        let rows: Vec<usize> = (0..data.rows()).map(|row| (row + shift) % data.rows()).collect();
        let shifted = RaiAnb::default().fit(&data.select(&rows)).unwrap();
        prop_assert_eq!(model.structure(), shifted.structure());
    }
}

#[test]
fn a_feature_that_does_not_vary_within_the_classes_has_no_arc() {
    let class: Vec<Code> = (0..60).map(|row| row % 2).collect();
    let column: Vec<Code> = (0..60).map(|row| row / 2 % 2).collect();
    let columns = vec![class.clone(), column.clone(), vec![0; 60], column, class.clone()];
    let data = Dataset::new(schema(&[2; 5], 2), class, columns, None).unwrap();
    let model = RaiAnb::default().fit(&data).unwrap();
    assert_eq!(model.structure().arcs().collect::<Vec<_>>(), [(1, 3)]);
}

struct Stop(AtomicU64);

impl Progress for Stop {
    fn advance(&self, done: u64, _total: Option<u64>) {
        self.0.store(done, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 3
    }
}

#[test]
fn it_stops_when_asked() {
    let data = pattern(&[2, 3, 4, 2, 3], 2, 100, 0);
    let stop = Stop(AtomicU64::new(0));
    let stopped = RaiAnb::default().fit_with_progress(&data, &stop);
    assert!(matches!(stopped, Err(Error::Data(bnc_models::bnc_data::Error::Cancelled))));
    assert!(stop.0.load(Ordering::Relaxed) > 3);
}

#[test]
fn the_score_is_stated() {
    let data = pattern(&[2, 3, 4, 2, 3], 2, 100, 0);
    let model =
        RaiAnb::default().with_equivalent_sample_size(10.0).fit_with_progress(&data, &Silent).unwrap();
    let score = model.score().unwrap();
    assert_eq!((score.name.as_str(), score.equivalent_sample_size), ("bdeu", Some(10.0)));
    assert!(score.total < score.features && score.features < 0.0);
}

#[test]
fn parameters_are_read() {
    let of = |given: &[(&str, &str)]| {
        let given = given.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        RaiAnb::configure(&Parameters::new(&RaiAnb::INFO, given)?)
    };
    assert_eq!(of(&[]).unwrap(), RaiAnb::default());
    assert_eq!(of(&[("max-order", "none")]).unwrap(), RaiAnb::default());
    let expected = RaiAnb::default().with_equivalent_sample_size(4.0).with_max_order(Some(2));
    let all = of(&[("ess", "4"), ("max-order", "2"), ("smoothing", "laplace")]).unwrap();
    assert_eq!(all, expected.with_smoothing(Smoothing::Laplace));
    let error = of(&[("ess", "0")]).unwrap_err().to_string();
    assert_eq!(error, "rai-anb: ess=0 is not a number above 0");
    let error = of(&[("max-order", "-1")]).unwrap_err().to_string();
    assert_eq!(error, "rai-anb: max-order=-1 is not a whole number of 0 or more, or none");
    assert!(matches!(of(&[("forbid", "a:b")]), Err(Error::NoSuchParameter { .. })));
}
