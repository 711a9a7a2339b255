//! Many rows at once have the posteriors of each row alone, bit for bit.

use bnc_models::bnc_data::Silent;
use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::conformance::{pattern, schema};
use bnc_models::{AnyLearner, Classifier, Smoothing};
use bnc_ode::{
    A2de, Aode, AodeSrBranch, Aodesr, Hnb, Joint, MiOde, Spode, SubsumptionRule, SuperParentChoice, Waode,
};
use proptest::prelude::*;

/// Every learner of the crate, some in several forms; `m` is how often a super-parent must have been seen.
fn learners(m: u64) -> Vec<(&'static str, Box<dyn AnyLearner>)> {
    let aode = Aode::default().with_minimum_frequency(m);
    let factored = aode.with_smoothing(Smoothing::Mle).with_joint(Joint::Factored);
    let aodesr =
        Aodesr::default().with_minimum_frequency(m).with_subsumption(m.min(3), SubsumptionRule::Paper);
    vec![
        ("aode", Box::new(aode)),
        ("aode, unsmoothed", Box::new(factored)),
        ("aodesr", Box::new(aodesr)),
        ("aode-sr-branch", Box::new(AodeSrBranch::default().with_frequency(m.min(3)))),
        ("waode", Box::new(Waode::default())),
        ("waode, unsmoothed", Box::new(Waode::default().with_smoothing(Smoothing::Mle))),
        ("mi-ode", Box::new(MiOde::default())),
        ("hnb", Box::new(Hnb::default())),
        ("hnb, unsmoothed", Box::new(Hnb::default().with_smoothing(Smoothing::Mle))),
        ("a2de", Box::new(A2de::default().with_minimum_frequency(m))),
        ("a2de, unsmoothed", Box::new(A2de::default().with_smoothing(Smoothing::Mle))),
        ("spode", Box::new(Spode::default().with_parent(SuperParentChoice::CrossValidation))),
    ]
}

/// Compares all rows of a range.
fn check(model: &dyn Classifier, data: &Dataset, rows: std::ops::Range<usize>, name: &str) {
    let classes = model.schema().classes();
    let mut together = vec![f64::NAN; rows.len() * classes];
    model.posteriors_into(data, rows.clone(), &mut together).unwrap();
    let (mut row, mut alone) = (vec![MISSING; data.features().len()], vec![f64::NAN; classes]);
    for (index, together) in rows.zip(together.chunks_exact(classes)) {
        data.row_into(index, &mut row);
        model.posterior_into(&row, &mut alone).unwrap();
        let bits = |posterior: &[f64]| posterior.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(together), bits(&alone), "{name}, row {index}: {together:?}, {alone:?}");
    }
}

/// Rows from a generator of 64 bits: values that depend on the class and on each other, with cells missing and many rows of
/// few values so that values imply each other.
fn random(dims: &[usize], classes: usize, rows: usize, missing: u64, mut state: u64) -> Dataset {
    let mut next = |limit: u64| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 33) % limit
    };
    let mut class = Vec::new();
    let mut features = vec![Vec::new(); dims.len()];
    for _ in 0..rows {
        let label = next(classes as u64);
        let (hidden, mut before) = (next(4), 0);
        class.push(label as Code);
        for (column, &dim) in features.iter_mut().zip(dims) {
            let noise = if next(3) == 0 { next(dim as u64) } else { 0 };
            let value = (label + hidden * before + noise) % dim as u64;
            before = value;
            column.push(if missing > 0 && next(missing) == 0 { MISSING } else { value as Code });
        }
    }
    Dataset::new(schema(dims, classes), class, features, None).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn rows_together_have_the_posteriors_of_each_row_alone(
        dims in proptest::collection::vec(1..6_usize, 1..7),
        classes in 1..31_usize,
        (training, rows) in (1..60_usize, 1..70_usize),
        missing in prop_oneof![Just(0_u64), Just(3), Just(30)],
        m in prop_oneof![0..4_u64, Just(1_000)],
        seed in any::<u64>(),
        cut in (0..70_usize, 0..70_usize),
    ) {
        let fitted = random(&dims, classes, training, missing, seed);
        let data = random(&dims, classes, rows, missing, seed ^ 0xFFFF);
        let (from, to) = (cut.0.min(rows), cut.1.min(rows));
        for (name, learner) in learners(m) {
            let model = learner.fit_any(&fitted, &Silent).unwrap();
            check(&*model, &data, 0..rows, name);
            check(&*model, &data, from.min(to)..from.max(to), name);
        }
    }
}

#[test]
fn many_features_and_every_number_of_classes() {
    let dims: Vec<usize> = (0..70).map(|feature| 1 + feature % 4).collect();
    for classes in [1, 2, 3, 5, 13, 30] {
        let data = random(&dims, classes, 150, 20, 7);
        for (name, learner) in learners(1).into_iter().filter(|(name, _)| !name.starts_with("a2de")) {
            check(&*learner.fit_any(&data, &Silent).unwrap(), &data, 0..data.rows(), name);
        }
    }
    for classes in 1..31 {
        let data = random(&[2, 3, 4, 1, 3], classes, 90, 9, 11);
        for (name, learner) in learners(2) {
            check(&*learner.fit_any(&data, &Silent).unwrap(), &data, 0..data.rows(), name);
        }
    }
}

/// More rows than one batch takes.
#[test]
fn more_rows_than_are_taken_at_a_time() {
    let data = random(&[3; 40], 30, 700, 50, 3);
    check(&*Aode::default().fit_any(&data, &Silent).unwrap(), &data, 3..data.rows(), "aode");
}

#[test]
fn a_row_that_does_not_fit_is_refused_as_it_is_alone() {
    for (name, learner) in learners(1) {
        let model = learner.fit_any(&pattern(&[2, 3], 2, 40, 0), &Silent).unwrap();
        for other in [pattern(&[2, 4], 2, 40, 0), pattern(&[2, 3, 2], 2, 40, 0), pattern(&[2], 2, 40, 0)] {
            let mut out = vec![0.0; 2 * other.rows()];
            let together = model.posteriors_into(&other, 0..other.rows(), &mut out).unwrap_err();
            let mut row = vec![0; other.features().len()];
            let alone = (0..other.rows()).find_map(|index| {
                other.row_into(index, &mut row);
                model.posterior_into(&row, &mut [0.0; 2]).err()
            });
            assert_eq!(together.to_string(), alone.unwrap().to_string(), "{name}");
        }
    }
}
