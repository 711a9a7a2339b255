//! Learners compared over several evaluations, and the reliability of one.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use bnc_data::{Code, Silent};
use bnc_eval::{Error, Evaluation, Friedman, Metric, PerMetric, Summary, friedman};
use bnc_models::{AnyLearner, Smoothing};
use ndarray::Array2;

use crate::{Naive, bytes, cross_validation, frame, noisy, nominal, stratified};

const LAPLACE: Naive = Naive(Smoothing::Laplace);
const LEARNERS: [(&str, &dyn AnyLearner); 3] =
    [("laplace", &LAPLACE), ("m", &Naive(Smoothing::M(3.0))), ("blunt", &Naive(Smoothing::M(500.0)))];

fn evaluate(rows: usize) -> Evaluation {
    let frame = noisy(rows);
    cross_validation(&frame, &LEARNERS, &stratified(&frame, 3, 2)).run(&Silent).unwrap()
}

#[test]
fn friedman_ranks_the_means_over_the_folds() {
    let evaluations: Vec<Evaluation> = [40, 60, 90, 130].into_iter().map(evaluate).collect();
    for metric in [Metric::Accuracy, Metric::LogLoss] {
        let mean = |(set, learner): (usize, usize)| {
            let values =
                evaluations[set].learners[learner].parts.iter().map(|part| part.metrics[metric].unwrap());
            (values.sum::<f64>() / 6.0 * 1e9).round()
        };
        let expected = Friedman::of(&Array2::from_shape_fn((4, 3), mean), metric.higher_is_better());
        assert_eq!(friedman(&evaluations, metric).unwrap(), expected);
    }
    let by_log_loss = friedman(&evaluations, Metric::LogLoss).unwrap().unwrap();
    assert_abs_diff_eq!(by_log_loss.mean_ranks[2], 3.0);
    let pairs = by_log_loss.nemenyi(0.05).unwrap();
    assert_eq!(pairs.groups.len(), 2, "the blunt one differs from the best alone: {pairs:?}");
}

#[test]
fn data_sets_without_a_mean_are_left_out() {
    let mut evaluations: Vec<Evaluation> = [40, 60, 90].into_iter().map(evaluate).collect();
    let complete = friedman(&evaluations, Metric::Auc).unwrap();
    let one_class = frame(vec![
        nominal("a", &["x", "y"], &[0, 1, 0, 1, 1, 0]),
        nominal("class", &["no", "yes"], &[1 as Code; 6]),
    ]);
    let folds = stratified(&one_class, 3, 2);
    evaluations.push(cross_validation(&one_class, &LEARNERS, &folds).run(&Silent).unwrap());
    assert_eq!(friedman(&evaluations, Metric::Auc).unwrap(), complete);
    assert_eq!(complete.unwrap().data_sets, 3);
    assert_eq!(friedman(&evaluations, Metric::Accuracy).unwrap().unwrap().data_sets, 4);
    assert_eq!(friedman(&evaluations[..1], Metric::Accuracy).unwrap(), None);
    evaluations[1].learners.swap(0, 1);
    assert!(matches!(friedman(&evaluations, Metric::Accuracy), Err(Error::Shape(_))));
}

#[test]
fn the_order_of_folds_decides_no_rank() {
    let mut evaluations = vec![evaluate(40), evaluate(60)];
    let of = |values: [f64; 3]| PerMetric::from_fn(|_| Summary::of(values.map(Some)));
    let (up, down) = (of([0.1, 0.2, 0.3]), of([0.3, 0.2, 0.1]));
    assert_ne!(up[Metric::Accuracy].mean, down[Metric::Accuracy].mean, "rounding tells them apart");
    for evaluation in &mut evaluations {
        evaluation.learners[0].summary = up;
        evaluation.learners[1].summary = down;
        evaluation.learners[2].summary = of([0.1; 3]);
    }
    let test = friedman(&evaluations, Metric::Accuracy).unwrap().unwrap();
    assert_eq!(test.mean_ranks, [1.5, 1.5, 3.0]);
}

#[test]
fn reliability_is_over_all_folds_and_repeats() {
    let evaluation = evaluate(90);
    for learner in &evaluation.learners {
        let bins = learner.reliability.bins();
        assert_eq!(bins.iter().map(|bin| bin.weight).sum::<u64>(), 180);
        let right: f64 = bins.iter().filter_map(|bin| Some(bin.accuracy? * bin.weight as f64)).sum();
        assert_relative_eq!(right / 180.0, learner.confusion.accuracy().unwrap(), max_relative = 1e-12);
    }
    // A prior that outweighs all rows makes predictions less confident than they are right.
    let error =
        |name: &str| evaluation.learner(name).unwrap().reliability.expected_calibration_error().unwrap();
    assert!(error("blunt") > error("laplace"));
    let json: serde_json::Value = serde_json::from_str(&bytes(evaluation)).unwrap();
    let result = &json["learners"][0];
    assert_eq!(result["reliability"].as_array().unwrap().len(), 10);
    assert!(result["summary"]["calibration_error"]["mean"].is_f64());
}
