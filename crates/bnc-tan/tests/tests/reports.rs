//! What users of such tools reported, where TAN answers.

use bnc_models::bnc_data::Dataset;
use bnc_models::conformance::schema;
use bnc_models::{Classifier, Learner, Smoothing};
use bnc_tan::Tan;

fn data(dims: &[usize], class: Vec<u16>, features: Vec<Vec<u16>>) -> Dataset {
    Dataset::new(schema(dims, 2), class, features, None).unwrap()
}

#[test]
fn r45_the_class_is_never_in_the_tree() {
    // Noisy copies of the class, independent otherwise.
    let class: Vec<u16> = (0..64).map(|row| row % 2).collect();
    let copy = |flip: usize| {
        class.iter().enumerate().map(|(row, y)| if row % flip == 0 { 1 - y } else { *y }).collect()
    };
    let model =
        Tan::default().fit(&data(&[2, 2, 2], class.clone(), vec![copy(5), copy(7), copy(9)])).unwrap();
    assert_eq!(model.structure().arcs().count(), 2);
    assert!(model.structure().features().iter().all(|family| family.class));
    assert!(model.structure().class_parents().is_empty());
    assert!(model.structure().features()[0].parents.is_empty(), "the first feature is the root");
}

#[test]
fn r46_no_feature_one_and_two() {
    let class = vec![0, 0, 1, 1, 0, 1];
    let a = vec![0, 0, 1, 1, 0, 1];
    let b = vec![0, 1, 0, 1, 0, 0];
    let fit = |data: &Dataset| Tan::default().with_smoothing(Smoothing::Laplace).fit(data).unwrap();
    let prior = fit(&data(&[], class.clone(), vec![]));
    let mut posterior = vec![0.0; 2];
    prior.posterior_into(&[], &mut posterior).unwrap();
    assert_eq!(posterior, [0.5, 0.5]);
    let one = fit(&data(&[2], class.clone(), vec![a.clone()]));
    assert_eq!(one.structure().arcs().count(), 0);
    one.posterior_into(&[0], &mut posterior).unwrap();
    assert!((posterior[0] - 0.8).abs() < 1e-12, "naive Bayes");
    let two = fit(&data(&[2, 2], class, vec![a, b]));
    assert_eq!(two.structure().arcs().collect::<Vec<_>>(), [(0, 1)]);
}

#[test]
fn r52_a_feature_that_says_nothing_stays_in_the_model() {
    let class = vec![0, 0, 1, 1, 0, 1];
    let constant = vec![0; 6];
    let model = Tan::default().fit(&data(&[2, 1], class.clone(), vec![class.clone(), constant])).unwrap();
    assert_eq!(model.structure().features().len(), 2);
    assert!(model.structure().features()[1].class);
    assert_eq!(model.predict(&[1, 0]).unwrap(), 1);
}
