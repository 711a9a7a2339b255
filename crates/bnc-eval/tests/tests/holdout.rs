//! A test file of its own.

use approx::assert_abs_diff_eq;
use bnc_data::{Frame, MISSING, Preparation, Silent, Values};
use bnc_eval::{Error, Metric, compare, train_and_test};
use bnc_models::Smoothing;

use crate::{Naive, frame, nominal, t1_and};

const LAPLACE: Naive = Naive(Smoothing::Laplace);

fn evaluate(test: &Frame) -> bnc_eval::Result<bnc_eval::Holdout> {
    let train = t1_and(&["x", "y"], MISSING).select(&[0, 1, 2, 3, 4, 5]);
    train_and_test(&train, test, Preparation::default(), &[("nb", &LAPLACE)], &Silent)
}

#[test]
fn unseen_values_act_as_missing_and_are_counted() {
    // Other labels in another order, columns in another order, a value that training does not know.
    let test = frame(vec![
        nominal("b", &["q", "p"], &[1, 1, 0]),
        nominal("a", &["new", "y", "x"], &[2, 0, 1]),
        nominal("class", &["yes", "no"], &[0, 0, 1]),
    ]);
    let holdout = evaluate(&test).unwrap();
    assert_eq!(holdout.unseen.len(), 1);
    assert_eq!((&*holdout.unseen[0].column, holdout.unseen[0].cells), ("a", 1));
    assert_eq!(&*holdout.unseen[0].first, "new");
    let evaluation = &holdout.evaluation;
    assert_eq!((evaluation.folds, evaluation.repeats), (1, 1));
    assert_eq!(evaluation.classes, ["no", "yes"]);
    let result = &evaluation.learners[0];
    assert_eq!(result.parts[0].unseen_cells, 1);
    assert_eq!((result.parts[0].train_rows, result.parts[0].test_rows), (6, 3));
    // P(yes | x, p) = 0.8, P(yes | p) = 0.5, P(no | y, q) = 0.8.
    let loss = -(0.8_f64.ln() + 0.5_f64.ln() + 0.8_f64.ln()) / 3.0;
    assert_abs_diff_eq!(result.summary[Metric::LogLoss].mean.unwrap(), loss, epsilon = 1e-12);
    assert_eq!(result.summary[Metric::LogLoss].sd, None);
    assert_eq!(result.parts[0].metrics, result.repeats[0]);
    assert_eq!(compare(result, result, Metric::Accuracy), None);
}

#[test]
fn rows_of_an_unknown_class_are_left_out_and_counted() {
    let test = frame(vec![
        nominal("a", &["x", "y"], &[0, 1, 0, 1]),
        nominal("b", &["p", "q"], &[0, 1, 0, 0]),
        nominal("class", &["yes", "perhaps", "no"], &[0, 1, MISSING, 2]),
    ]);
    let holdout = evaluate(&test).unwrap();
    assert_eq!((&*holdout.unseen[0].column, &*holdout.unseen[0].first), ("class", "perhaps"));
    let result = &holdout.evaluation.learners[0];
    assert_eq!((result.parts[0].test_rows, result.parts[0].unseen_cells), (2, 0));
    assert_eq!(result.confusion.rows(), [[1, 0], [0, 1]]);
}

#[test]
fn a_test_file_without_labels_is_refused() {
    let mut test = t1_and(&["x", "y"], 0);
    if let Values::Nominal { codes, .. } = &mut test.columns[2].values {
        codes.fill(MISSING);
    }
    let error = evaluate(&test).unwrap_err();
    assert!(matches!(error, Error::NoTestRows { .. }));
    assert!(error.to_string().starts_with("data.csv: no row has a class label that the training data know"));
}

#[test]
fn a_failure_names_learner_and_test_file() {
    let train = t1_and(&["x", "y"], 0);
    let bad = Naive(Smoothing::Laplace);
    let mut untold = train.clone();
    if let Values::Nominal { codes, .. } = &mut untold.columns[2].values {
        codes.fill(MISSING);
    }
    let error =
        train_and_test(&untold, &train, Preparation::default(), &[("nb", &bad)], &Silent).unwrap_err();
    assert!(error.to_string().starts_with("nb, test file: no row has a class label"), "{error}");
}
