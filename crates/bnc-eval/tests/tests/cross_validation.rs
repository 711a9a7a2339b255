//! Cross-validation: what learners are shown, what comes out, and when it stops.

use std::sync::atomic::{AtomicU64, Ordering};

use approx::assert_abs_diff_eq;
use bnc_data::{Error as DataError, Frame, MISSING, MissingPolicy, Preparation, Progress, Silent};
use bnc_eval::{Error, Folds, Metric, Protocol, Tally, compare, tally};
use bnc_models::{AnyLearner, Smoothing};

use crate::{
    Fickle, Heavy, Naive, Probe, bytes, cross_validation, frame, noisy, nominal, stratified, with_threads,
};

const LAPLACE: Naive = Naive(Smoothing::Laplace);

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let frame = noisy(200);
    let folds = stratified(&frame, 5, 3);
    let other = Naive(Smoothing::M(3.0));
    let learners: [(&str, &dyn AnyLearner); 2] = [("laplace", &LAPLACE), ("m", &other)];
    let run = || bytes(cross_validation(&frame, &learners, &folds).run(&Silent).unwrap());
    let one = with_threads(1, run);
    assert_eq!(one, with_threads(4, run));
    assert_eq!(one, with_threads(4, run));
}

#[test]
fn folds_and_pooled_repeats_agree_with_the_confusion_matrix() {
    let frame = noisy(100);
    let folds = stratified(&frame, 4, 2);
    let evaluation = cross_validation(&frame, &[("nb", &LAPLACE)], &folds).run(&Silent).unwrap();
    assert_eq!(evaluation.classes, ["red", "green", "blue"]);
    let result = evaluation.learner("nb").unwrap();
    assert_eq!(result.confusion.total(), 200);
    assert_eq!((result.parts.len(), result.repeats.len()), (8, 2));
    assert_eq!((result.parts[5].repeat, result.parts[5].fold), (1, 1));
    assert_eq!((result.parts[5].train_rows, result.parts[5].test_rows), (75, 25));
    assert_abs_diff_eq!(result.test_share(), 1.0 / 3.0, epsilon = 1e-15);
    // All folds are of one size, so means of folds and pooled means are the same but for rounding.
    for metric in [Metric::Accuracy, Metric::LogLoss, Metric::Brier] {
        let (folds, pooled) = (result.summary[metric], result.pooled[metric]);
        assert_eq!((folds.n, pooled.n), (8, 2));
        assert_abs_diff_eq!(folds.mean.unwrap(), pooled.mean.unwrap(), epsilon = 1e-12);
    }
    let accuracy = result.pooled[Metric::Accuracy].mean.unwrap();
    assert_abs_diff_eq!(accuracy, result.confusion.accuracy().unwrap(), epsilon = 1e-12);
    assert!(accuracy > 0.5, "two features tell the class: {accuracy}");
}

/// Twelve rows whose only missing cell is in row 0.
fn one_gap() -> Frame {
    let mut codes = vec![0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1];
    codes[0] = MISSING;
    let class = [0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1];
    frame(vec![nominal("a", &["x", "y"], &codes), nominal("class", &["no", "yes"], &class)])
}

#[test]
fn searches_that_take_much_memory_run_one_at_a_time() {
    let frame = noisy(60);
    let folds = stratified(&frame, 4, 2);
    let heavy = Heavy::default();
    let learners: [(&str, &dyn AnyLearner); 2] = [("nb", &LAPLACE), ("heavy", &heavy)];
    with_threads(4, || cross_validation(&frame, &learners, &folds).run(&Silent)).unwrap();
    assert_eq!(heavy.most.into_inner(), 1);
}

#[test]
fn an_honest_fold_never_sees_its_test_rows() {
    let frame = one_gap();
    let folds = Folds::parse("0\n0\n0\n0\n1\n1\n1\n1\n2\n2\n2\n2\n", "folds", &[0; 12]).unwrap();
    let cardinalities = |protocol| {
        let probe = Probe::default();
        let learners: [(&str, &dyn AnyLearner); 1] = [("probe", &probe)];
        let mut job = cross_validation(&frame, &learners, &folds);
        job.preparation = Preparation { missing: MissingPolicy::Value, ..Preparation::default() };
        job.protocol = protocol;
        with_threads(1, || job.run(&Silent)).unwrap();
        probe.seen.into_inner().unwrap()
    };
    // The value for missing cells exists only where a training row has one; the papers' way lets it leak.
    assert_eq!(cardinalities(Protocol::Honest), [[2], [3], [3]]);
    assert_eq!(cardinalities(Protocol::Paper), [[3], [3], [3]]);
}

#[test]
fn unlabelled_rows_are_neither_tested_nor_trained_on() {
    let full = noisy(60);
    let mut gaps = full.clone();
    let kept: Vec<usize> = (0..60).filter(|row| row % 7 != 0).collect();
    if let bnc_data::Values::Nominal { codes, .. } = &mut gaps.columns[3].values {
        (0..60).filter(|row| row % 7 == 0).for_each(|row| codes[row] = MISSING);
    }
    let without = full.select(&kept);
    let evaluate = |frame: &Frame| {
        let folds = stratified(frame, 4, 2);
        bytes(cross_validation(frame, &[("nb", &LAPLACE)], &folds).run(&Silent).unwrap())
    };
    assert_eq!(evaluate(&gaps), evaluate(&without));
}

#[test]
fn a_weight_counts_a_row_that_often() {
    let mut frame = noisy(60);
    let folds = stratified(&frame, 3, 1);
    frame.weights = Some((0..60).map(|row| row % 3).collect());
    let evaluation = cross_validation(&frame, &[("nb", &LAPLACE)], &folds).run(&Silent).unwrap();
    assert_eq!(evaluation.learners[0].confusion.total(), 60);
    frame.weights = None;
    let plain = cross_validation(&frame, &[("nb", &LAPLACE)], &folds).run(&Silent).unwrap();
    assert_ne!(bytes(evaluation), bytes(plain));
}

#[test]
fn the_first_failure_is_named_on_any_number_of_threads() {
    let frame = noisy(60);
    let text = (0..60).fold(String::new(), |text, row| text + &format!("{}{}\n", row % 4, row / 15));
    let folds = Folds::parse(&text, "folds", bnc_eval::class_codes(&frame).unwrap()).unwrap();
    let codes = bnc_eval::class_codes(&frame).unwrap();
    let is_odd = |repeat, fold| {
        let train = folds.train_rows(repeat, fold);
        train.iter().filter(|&&row| codes[row] == 0).count() % 2 == 1
    };
    let parts = (0..2).flat_map(|repeat| (0..4).map(move |fold| (repeat, fold)));
    let (repeat, fold) = parts.into_iter().find(|&(repeat, fold)| is_odd(repeat, fold)).unwrap();
    assert!(fold > 0, "the failure is not in the very first part");
    let learners: [(&str, &dyn AnyLearner); 2] = [("nb", &LAPLACE), ("fickle", &Fickle)];
    for threads in [1, 4, 4, 4] {
        let run = || cross_validation(&frame, &learners, &folds).run(&Silent);
        let error = with_threads(threads, run).unwrap_err();
        let expected = format!("fickle, repeat {} of 2, fold {} of 4: prior: odd", repeat + 1, fold + 1);
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_part_that_cannot_be_coded_is_named() {
    let frame = one_gap();
    let folds = stratified(&frame, 3, 1);
    let learners: [(&str, &dyn AnyLearner); 1] = [("nb", &LAPLACE)];
    let mut job = cross_validation(&frame, &learners, &folds);
    job.preparation.missing = MissingPolicy::Reject;
    let error = job.run(&Silent).unwrap_err();
    assert!(matches!(error, Error::Unprepared { .. }));
    assert!(error.to_string().starts_with("repeat 1 of 1, fold 1 of 3: data.csv, row 1"), "{error}");
}

/// Counts, and cancels after some steps.
struct Steps {
    done: AtomicU64,
    until: u64,
}

impl Progress for Steps {
    fn advance(&self, done: u64, total: Option<u64>) {
        assert_eq!(total, Some(12));
        let before = self.done.swap(done, Ordering::SeqCst);
        assert!(done == 0 || done == before + 1, "{before}, then {done}");
    }

    fn is_cancelled(&self) -> bool {
        self.done.load(Ordering::SeqCst) >= self.until
    }
}

#[test]
fn progress_counts_learners_on_folds_and_can_cancel() {
    let frame = noisy(60);
    let folds = stratified(&frame, 3, 2);
    let learners: [(&str, &dyn AnyLearner); 2] = [("a", &LAPLACE), ("b", &LAPLACE)];
    let job = cross_validation(&frame, &learners, &folds);
    let steps = Steps { done: AtomicU64::new(0), until: 12 + 1 };
    with_threads(4, || job.run(&steps)).unwrap();
    assert_eq!(steps.done.into_inner(), 12);
    let steps = Steps { done: AtomicU64::new(0), until: 3 };
    let error = with_threads(1, || job.run(&steps)).unwrap_err();
    assert!(matches!(error, Error::Data(DataError::Cancelled)));
    assert_eq!(steps.done.into_inner(), 3);
}

#[test]
fn what_cannot_be_evaluated_is_refused() {
    let frame = noisy(60);
    let folds = stratified(&frame, 3, 1);
    let run = |frame: &Frame, learners: &[bnc_eval::NamedLearner<'_>]| {
        cross_validation(frame, learners, &folds).run(&Silent).unwrap_err()
    };
    assert!(matches!(run(&frame, &[]), Error::NoLearners));
    assert!(matches!(run(&frame, &[("a", &LAPLACE), ("a", &LAPLACE)]), Error::DuplicateLearner { .. }));
    let error = run(&noisy(59), &[("a", &LAPLACE)]);
    assert_eq!(
        error.to_string(),
        "the folds are those of other data: they are about 60 rows, data.csv has 59"
    );
    let mut gap = frame.clone();
    if let bnc_data::Values::Nominal { codes, .. } = &mut gap.columns[3].values {
        codes[4] = MISSING;
    }
    assert!(run(&gap, &[("a", &LAPLACE)]).to_string().contains("data.csv, row 5 has a class label in one"));
    let mut classless = frame.clone();
    classless.class = None;
    assert!(run(&classless, &[("a", &LAPLACE)]).to_string().contains("no class column"));
}

#[test]
fn wins_ties_and_losses_against_the_first() {
    let frame = noisy(150);
    let folds = stratified(&frame, 5, 2);
    // Counts vanish beside so much smoothing, all classes are as likely; the last learner is the first again.
    let blunt = Naive(Smoothing::M(1e300));
    let learners: [(&str, &dyn AnyLearner); 3] = [("nb", &LAPLACE), ("blunt", &blunt), ("twin", &LAPLACE)];
    let evaluation = cross_validation(&frame, &learners, &folds).run(&Silent).unwrap();
    let test = compare(&evaluation.learners[1], &evaluation.learners[0], Metric::LogLoss).unwrap();
    assert!(test.mean_difference > 0.0 && test.p < 0.05, "{test:?}");
    for metric in [Metric::Accuracy, Metric::LogLoss] {
        let against_first = |learner: usize| {
            let pair = (&evaluation.learners[learner], &evaluation.learners[0]);
            tally([pair, pair], metric, 0.05).unwrap()
        };
        assert_eq!(against_first(1), Tally { wins: 0, ties: 0, losses: 2 });
        assert_eq!(against_first(2), Tally { wins: 0, ties: 2, losses: 0 });
    }
}
