//! The search over minimal class-focused graphs.

use bnc_anb::{McDag, McDagScore, McDagStart};
use bnc_models::bnc_data::{Code, Dataset, Error as DataError, Progress};
use bnc_models::conformance::{check, pattern, schema};
use bnc_models::{Classifier, Configure, Error, Learner, NETWORK_LOADER, Parameters};

use crate::greedy::Random;

#[test]
fn class_focused_networks_conform() {
    check(&McDag::default(), NETWORK_LOADER);
    let likelihood = McDag::default().with_score(McDagScore::ConditionalLogLikelihood);
    check(&likelihood.with_start(McDagStart::Empty).with_folds(3), NETWORK_LOADER);
}

#[test]
fn every_arc_enters_a_child_of_the_class() {
    let mut arcs = 0;
    for seed in 0..60 {
        let data = Random(seed).data(5, 80);
        for (score, start) in [
            (McDagScore::Accuracy, McDagStart::NaiveBayes),
            (McDagScore::Accuracy, McDagStart::Empty),
            (McDagScore::ConditionalLogLikelihood, McDagStart::NaiveBayes),
            (McDagScore::ConditionalLogLikelihood, McDagStart::Empty),
        ] {
            let model = McDag::default().with_score(score).with_start(start).fit(&data).unwrap();
            let structure = model.structure();
            assert!(structure.class_parents().is_empty());
            assert!(
                structure.features().iter().all(|family| family.class || family.parents.is_empty()),
                "{seed}: {structure:?}"
            );
            arcs += structure.arcs().count();
        }
    }
    assert!(arcs > 100, "{arcs} arcs between features");
}

/// The class is whether two features differ; the third tells nothing.
fn exclusive_or() -> Dataset {
    let a: Vec<Code> = (0..80).map(|row| row % 2).collect();
    let b: Vec<Code> = (0..80).map(|row| row / 2 % 2).collect();
    let c: Vec<Code> = (0..80).map(|row| row / 4 % 2).collect();
    let class = a.iter().zip(&b).map(|(a, b)| a ^ b).collect();
    Dataset::new(schema(&[2, 2, 2], 2), class, vec![a, b, c], None).unwrap()
}

#[test]
fn an_interaction_is_found_and_the_search_ends_when_all_is_right() {
    let data = exclusive_or();
    let model = McDag::default().fit(&data).unwrap();
    assert_eq!(model.structure().arcs().collect::<Vec<_>>(), [(1, 0)], "{:?}", model.structure());
    let right = (0..data.rows()).filter(|&row| {
        let row_codes: Vec<Code> = data.features().iter().map(|column| column[row]).collect();
        model.predict(&row_codes).unwrap() == data.class()[row]
    });
    assert_eq!(right.count(), 80);
}

struct Impatient;

impl Progress for Impatient {
    fn advance(&self, _done: u64, _total: Option<u64>) {}

    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn the_search_can_be_cancelled() {
    let result = McDag::default().fit_with_progress(&exclusive_or(), &Impatient);
    assert!(matches!(result, Err(Error::Data(DataError::Cancelled))));
}

#[test]
fn parameters_are_read_and_refused() {
    let configure = |given: &[(&str, &str)]| {
        let given = given.iter().map(|&(key, value)| (key.into(), value.into())).collect();
        McDag::configure(&Parameters::new(&McDag::INFO, given)?)
    };
    assert_eq!(configure(&[]).unwrap(), McDag::default());
    let expected = McDag::default()
        .with_score(McDagScore::ConditionalLogLikelihood)
        .with_start(McDagStart::Empty)
        .with_folds(5);
    assert_eq!(configure(&[("score", "cll"), ("start", "empty"), ("folds", "5")]).unwrap(), expected);
    for bad in [("folds", "1"), ("folds", "1001"), ("score", "bdeu"), ("start", "tan")] {
        assert!(matches!(configure(&[bad]), Err(Error::BadParameter { .. })), "{bad:?}");
    }
    assert!(matches!(configure(&[("forbid", "a:b")]), Err(Error::NoSuchParameter { .. })));
    assert!(McDag::default().with_folds(1).fit(&exclusive_or()).is_err());
}

#[test]
fn too_many_features_are_refused_with_a_way_out() {
    let refused = McDag::default().fit(&pattern(&[2; 600], 2, 6, 0));
    assert!(matches!(refused, Err(Error::TooLarge { limit: 262_144, .. })), "{refused:?}");
}
