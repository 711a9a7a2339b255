//! What holds of the resamplings other than plain folds, and evaluations over them.

use bnc_data::{Code, MISSING, Silent};
use bnc_eval::{
    BiasVariance, CrossValidation, Error, Finished, Folds, HoldoutSamples, Protocol, Resampling, SubSampled,
    Truncated, class_codes, learning_curve_sizes,
};
use bnc_models::{AnyLearner, Smoothing};
use proptest::prelude::*;

use crate::{Fickle, Naive, bytes, noisy, stratified, with_threads};

/// Class codes, some missing.
fn classes() -> impl Strategy<Value = Vec<Code>> {
    prop::collection::vec(prop_oneof![6 => 0_u16..3, 1 => Just(MISSING)], 12..90)
}

fn labelled(classes: &[Code]) -> Vec<usize> {
    (0..classes.len()).filter(|&row| classes[row] != MISSING).collect()
}

/// The rules of the trait, and how often each row is tested in every repeat.
fn check_rules(resampling: &dyn Resampling, classes: &[Code]) -> Vec<Vec<usize>> {
    assert_eq!(resampling.rows(), classes.len());
    let known: Vec<usize> = (0..classes.len()).filter(|&row| resampling.is_labelled(row)).collect();
    assert_eq!(known, labelled(classes));
    let one_repeat = |repeat: usize| {
        let mut tested = vec![0; classes.len()];
        for part in 0..resampling.parts() {
            let (train, test) = (resampling.train_rows(repeat, part), resampling.test_rows(repeat, part));
            for rows in [&train, &test] {
                assert!(rows.is_sorted_by(|a, b| a < b) && !rows.is_empty());
                assert!(rows.iter().all(|row| known.contains(row)));
            }
            assert!(!train.iter().any(|row| test.contains(row)));
            for row in test {
                tested[row] += 1;
            }
        }
        tested
    };
    (0..resampling.repeats()).map(one_repeat).collect()
}

proptest! {
    #[test]
    fn training_sets_are_halves_of_a_pool(classes in classes(), pool in 2_usize..40, seed: u64) {
        prop_assume!(2 * pool <= labelled(&classes).len());
        let samples = HoldoutSamples::draw(&classes, pool, 5, seed).unwrap();
        let tested = check_rules(&samples, &classes);
        for repeat in 0..5 {
            prop_assert_eq!(samples.train_rows(repeat, 0).len(), pool / 2);
        }
        prop_assert!(tested.iter().all(|its| its == &tested[0]), "the test set stays");
        prop_assert_eq!(tested[0].iter().sum::<usize>(), labelled(&classes).len() - pool);
        prop_assert_eq!(samples, HoldoutSamples::draw(&classes, pool, 5, seed).unwrap());
    }

    #[test]
    fn sub_sampling_tests_each_row_once_a_repeat(
        classes in classes(),
        percent in 1_usize..99,
        overlap in 0.0_f64..0.99,
        seed: u64,
    ) {
        let rows = labelled(&classes).len();
        prop_assume!(rows >= 3);
        let train = (rows * percent / 100).clamp(1, rows - 2);
        let overlap = overlap.max(train as f64 / (rows - 1) as f64);
        prop_assume!(overlap < 1.0);
        let resampling = SubSampled::draw(&classes, Some(train), Some(overlap), 3, seed).unwrap();
        for tested in check_rules(&resampling, &classes) {
            for (row, times) in tested.into_iter().enumerate() {
                prop_assert_eq!(times, usize::from(classes[row] != MISSING));
            }
        }
        for part in 0..resampling.parts() {
            prop_assert_eq!(resampling.train_rows(2, part).len(), train);
        }
    }

    #[test]
    fn points_of_a_learning_curve_are_nested_and_stratified(classes in classes(), seed: u64) {
        let known = labelled(&classes);
        prop_assume!(known.len() >= 6);
        let folds = Folds::stratified(&classes, 3, 2, 1).unwrap();
        let whole = folds.train_rows(1, 0);
        let mut smaller: Vec<usize> = Vec::new();
        for size in 1..=whole.len() {
            let point = Truncated::new(&folds, &classes, size, seed);
            let rows = point.train_rows(1, 0);
            prop_assert_eq!(rows.len(), size);
            prop_assert!(smaller.iter().all(|row| rows.contains(row)));
            for class in 0..3 {
                let count = |rows: &[usize]| rows.iter().filter(|&&row| classes[row] == class).count() as f64;
                let share = count(&whole) / whole.len() as f64 * size as f64;
                prop_assert!((count(&rows) - share).abs() < 1.5, "{} of class {}", count(&rows), class);
            }
            smaller = rows;
        }
        prop_assert_eq!(smaller, whole);
        check_rules(&Truncated::new(&folds, &classes, 3, seed), &classes);
    }
}

fn evaluation<'a>(
    frame: &'a bnc_data::Frame,
    learners: &'a [bnc_eval::NamedLearner<'a>],
    resampling: &'a dyn Resampling,
) -> CrossValidation<'a> {
    let preparation = bnc_data::Preparation::default();
    CrossValidation { frame, preparation, protocol: Protocol::Honest, learners, resampling }
}

#[test]
fn every_resampling_is_resumed_to_the_same_bytes_on_any_number_of_threads() {
    let frame = noisy(120);
    let codes = class_codes(&frame).unwrap();
    let folds = stratified(&frame, 4, 2);
    let (laplace, m) = (Naive(Smoothing::Laplace), Naive(Smoothing::M(2.0)));
    let learners: [(&str, &dyn AnyLearner); 2] = [("laplace", &laplace), ("m", &m)];
    let resamplings: [&dyn Resampling; 3] = [
        &HoldoutSamples::draw(codes, 40, 6, 1).unwrap(),
        &SubSampled::draw(codes, Some(20), Some(0.5), 2, 1).unwrap(),
        &Truncated::new(&folds, codes, 30, 1),
    ];
    for resampling in resamplings {
        let job = evaluation(&frame, &learners, resampling);
        let mut journal: Vec<Finished> = Vec::new();
        let mut write = |finished: &Finished| {
            journal.push(finished.clone());
            Ok(())
        };
        let whole = with_threads(1, || job.resume(&[], &mut write, &Silent)).unwrap();
        assert_eq!(journal.len(), resampling.repeats() * resampling.parts() * 2);
        assert_eq!((whole.repeats, whole.folds), (resampling.repeats(), resampling.parts()));
        journal.truncate(5);
        let resumed = with_threads(3, || job.resume(&journal, &mut |_| Ok(()), &Silent)).unwrap();
        assert_eq!(bytes(resumed), bytes(whole));
    }
}

#[test]
fn bias_and_variance_are_those_of_the_predictions_of_all_repeats() {
    let mut frame = noisy(120);
    frame.weights = Some((0..120).map(|row| row % 3).collect());
    let codes = class_codes(&frame).unwrap();
    let naive = Naive(Smoothing::Laplace);
    let learners: [(&str, &dyn AnyLearner); 1] = [("nb", &naive)];
    let samples = HoldoutSamples::draw(codes, 40, 6, 1).unwrap();
    let folds = stratified(&frame, 4, 3);
    for resampling in [&samples as &dyn Resampling, &folds] {
        let mut predictions = vec![Vec::new(); 120];
        let mut note = |finished: &Finished| {
            let rows = resampling.test_rows(finished.repeat, finished.fold);
            for (row, posterior) in rows.into_iter().zip(finished.posteriors.chunks_exact(3)) {
                predictions[row].push(bnc_models::most_probable(posterior));
            }
            Ok(())
        };
        let evaluation = evaluation(&frame, &learners, resampling).resume(&[], &mut note, &Silent).unwrap();
        let found = evaluation.learners[0].bias_variance;
        assert_eq!(found, BiasVariance::of(codes, &predictions, frame.weights.as_deref()).unwrap());
        let error = evaluation.learners[0].confusion.zero_one_loss().unwrap();
        assert!((found.unwrap().error - error).abs() < 1e-12);
    }
    let once = stratified(&frame, 4, 1);
    let evaluation = evaluation(&frame, &learners, &once).run(&Silent).unwrap();
    assert_eq!(evaluation.learners[0].bias_variance, None);
}

#[test]
fn the_last_point_of_a_learning_curve_is_the_whole_cross_validation() {
    let frame = noisy(101);
    let codes = class_codes(&frame).unwrap();
    let folds = stratified(&frame, 4, 2);
    let naive = Naive(Smoothing::Laplace);
    let learners: [(&str, &dyn AnyLearner); 1] = [("nb", &naive)];
    let run =
        |resampling: &dyn Resampling| bytes(evaluation(&frame, &learners, resampling).run(&Silent).unwrap());
    let sizes = learning_curve_sizes(&folds);
    assert_eq!(sizes, [19, 38, 76]);
    let point = |rows: usize| run(&Truncated::new(&folds, codes, rows, 1));
    assert_eq!(point(76), run(&folds));
    assert_ne!(point(38), run(&folds));
}

#[test]
fn a_training_set_that_fails_is_named() {
    let frame = noisy(60);
    let samples = HoldoutSamples::draw(class_codes(&frame).unwrap(), 20, 40, 1).unwrap();
    let learners: [(&str, &dyn AnyLearner); 1] = [("fickle", &Fickle)];
    let error = evaluation(&frame, &learners, &samples).run(&Silent).unwrap_err().to_string();
    assert!(error.starts_with("fickle, repeat ") && error.ends_with(" of 40: prior: odd"), "{error}");
}

/// Says that a part tests a row which cannot be tested.
struct Astray(usize);

impl Resampling for Astray {
    fn rows(&self) -> usize {
        60
    }

    fn is_labelled(&self, _: usize) -> bool {
        true
    }

    fn repeats(&self) -> usize {
        1
    }

    fn parts(&self) -> usize {
        2
    }

    fn train_rows(&self, _: usize, _: usize) -> Vec<usize> {
        vec![0, 1, 2]
    }

    fn test_rows(&self, _: usize, part: usize) -> Vec<usize> {
        vec![if part == 0 { 3 } else { self.0 }]
    }
}

#[test]
fn a_resampling_that_breaks_the_rules_is_refused() {
    let frame = noisy(60);
    let naive = Naive(Smoothing::Laplace);
    let learners: [(&str, &dyn AnyLearner); 1] = [("nb", &naive)];
    let run = |row: usize| evaluation(&frame, &learners, &Astray(row)).run(&Silent);
    run(59).unwrap();
    let error = run(60).unwrap_err();
    assert!(matches!(error, Error::Unprepared { .. }));
    assert_eq!(
        error.to_string(),
        "repeat 1 of 1, fold 2 of 2: the folds are those of other data: they name row 60 (from 0), and there is no \
         labelled one"
    );
}
