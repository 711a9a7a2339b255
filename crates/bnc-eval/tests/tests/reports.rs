//! What users of such tools have reported.

use approx::assert_abs_diff_eq;
use bnc_data::{Code, Column, Frame, Preparation, Silent, Values};
use bnc_eval::{Error, Folds, Metric, Protocol, class_codes, score, train_and_test};
use bnc_models::{AnyLearner, Smoothing};
use ndarray::{Array2, Axis, array};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::{Naive, cross_validation, nominal, stratified, t1_and};

const LAPLACE: Naive = Naive(Smoothing::Laplace);

#[test]
fn r02_a_fold_whose_training_part_lacks_a_value() {
    let frame = t1_and(&["x", "y", "w"], 2);
    let folds = stratified(&frame, 7, 1);
    let evaluation = cross_validation(&frame, &[("nb", &LAPLACE)], &folds).run(&Silent).unwrap();
    let result = &evaluation.learners[0];
    assert_eq!(result.confusion.total(), 7);
    let fold = folds.fold_of(0, 6).unwrap();
    let unseen: Vec<u64> = result.parts.iter().map(|part| part.unseen_cells).collect();
    assert_eq!(unseen, (0..7).map(|its| u64::from(its == fold)).collect::<Vec<_>>());
    // Trained on T1: P(no), P(yes) are 1/2 each, P(w | class) = 1/6 each, P(p | class) = 3/5 each.
    let loss = result.parts[fold].metrics[Metric::LogLoss].unwrap();
    assert_abs_diff_eq!(loss, 2.0_f64.ln(), epsilon = 1e-12);
}

#[test]
fn r70_supervised_discretisation_before_the_split() {
    let mut random = ChaCha8Rng::from_seed([70; 32]);
    let mut columns: Vec<Column> = (0..200)
        .map(|index| {
            let numbers = (0..40).map(|_| f64::from(random.next_u32())).collect();
            Column { name: format!("x{index}"), values: Values::Numeric(numbers) }
        })
        .collect();
    let labels: Vec<Code> = (0..40).map(|_| (random.next_u32() % 2) as Code).collect();
    columns.push(nominal("class", &["no", "yes"], &labels));
    let frame = Frame::new("random.csv", columns, Some(200), None).unwrap();
    let folds = stratified(&frame, 10, 5);
    let learners: [(&str, &dyn AnyLearner); 1] = [("nb", &LAPLACE)];
    let mut job = cross_validation(&frame, &learners, &folds);
    let honest = job.run(&Silent).unwrap().learners[0].summary[Metric::Accuracy].mean.unwrap();
    assert!((0.35..0.65).contains(&honest), "{honest} on random labels");
    // Were the cuts learnt from the test rows too, the labels would seem predictable.
    job.protocol = Protocol::Paper;
    let leaking = job.run(&Silent).unwrap().learners[0].summary[Metric::Accuracy].mean.unwrap();
    assert!(leaking > honest + 0.2, "{leaking} beside {honest}");
}

#[test]
fn r93_auc_when_the_test_part_lacks_a_class() {
    let posteriors = array![
        [0.6, 0.3, 0.1],
        [0.4, 0.4, 0.2],
        [0.3, 0.5, 0.2],
        [0.5, 0.3, 0.2],
        [0.1, 0.2, 0.7],
        [0.3, 0.4, 0.3]
    ];
    let truth = [0, 0, 1, 1, 2, 2];
    let auc = |rows: usize, metric| {
        score(&truth[..rows], &posteriors.slice_axis(Axis(0), (..rows).into()), None).unwrap().metrics[metric]
            .unwrap()
    };
    assert_abs_diff_eq!(auc(6, Metric::Auc), 0.854_167, epsilon = 5e-7);
    assert_abs_diff_eq!(auc(6, Metric::AucOvrMacro), 0.854_167, epsilon = 5e-7);
    // One class against the rest, read off a table of two classes.
    for (class, expected) in [(0, 0.875), (1, 0.6875), (2, 1.0)] {
        let column = posteriors.column(class);
        let two = Array2::from_shape_fn(
            (6, 2),
            |(row, its)| if its == 0 { 1.0 - column[row] } else { column[row] },
        );
        let is_class: Vec<Code> = truth.iter().map(|&its| Code::from(usize::from(its) == class)).collect();
        assert_eq!(score(&is_class, &two, None).unwrap().metrics[Metric::Auc], Some(expected));
    }
    // Without class c only the pair (a, b) is left: A(a|b) = 3/4, A(b|a) = 5/8.
    assert_abs_diff_eq!(auc(4, Metric::Auc), 0.6875, epsilon = 1e-15);
    assert_abs_diff_eq!(auc(4, Metric::AucOvrMacro), 0.6875, epsilon = 1e-15);
}

#[test]
fn r94_only_one_label_in_the_test_part() {
    let train = t1_and(&["x", "y"], 0);
    let test = train.select(&[0, 1, 4]);
    let holdout =
        train_and_test(&train, &test, Preparation::default(), &[("nb", &LAPLACE)], &Silent).unwrap();
    let metrics = &holdout.evaluation.learners[0].parts[0].metrics;
    assert_eq!(metrics[Metric::Auc], None);
    assert_eq!(metrics[Metric::AucOvrWeighted], None);
    for metric in [Metric::Accuracy, Metric::Rmse, Metric::LogLoss, Metric::Brier, Metric::CalibrationError] {
        assert!(metrics[metric].is_some(), "{}", metric.name());
    }
    let auc = |positive: &[f64], truth: &[Code]| {
        let posteriors = Array2::from_shape_fn((truth.len(), 2), |(row, class)| {
            if class == 1 { positive[row] } else { 1.0 - positive[row] }
        });
        score(truth, &posteriors, None).unwrap().metrics[Metric::Auc].unwrap()
    };
    assert_abs_diff_eq!(auc(&[0.5; 4], &[0, 1, 1, 0]), 0.5);
    assert_abs_diff_eq!(auc(&[0.9, 0.5, 0.5, 0.5, 0.2], &[1, 1, 1, 0, 0]), 0.833_333, epsilon = 5e-7);
}

#[test]
fn r96_a_rare_class_and_many_folds() {
    for rare in [3_usize, 1] {
        let classes: Vec<Code> = (0..7 + rare).map(|row| Code::from(row >= 7)).collect();
        let folds = Folds::stratified(&classes, 5, 4, 1).unwrap();
        for repeat in 0..4 {
            let sizes: Vec<usize> = (0..5).map(|fold| folds.test_rows(repeat, fold).len()).collect();
            assert!(sizes.iter().all(|&size| size >= 1));
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
            assert_eq!(sizes.iter().sum::<usize>(), 7 + rare);
        }
        let warned = folds.rare_classes(&classes);
        assert_eq!(warned.len(), 1);
        assert_eq!((warned[0].class, warned[0].rows), (1, rare));
        let labels = nominal("class", &["A", "B"], &classes);
        let frame = crate::frame(vec![nominal("a", &["x"], &vec![0; 7 + rare]), labels]);
        assert_eq!(class_codes(&frame).unwrap(), classes);
        let evaluation = cross_validation(&frame, &[("nb", &LAPLACE)], &folds).run(&Silent).unwrap();
        // A fold without the rare class has no AUC; the others' mean stands, and says of how many folds.
        let auc = evaluation.learners[0].summary[Metric::Auc];
        assert_eq!((auc.n, auc.mean), (4 * rare, Some(0.5)));
        assert_eq!(evaluation.learners[0].summary[Metric::Accuracy].n, 20);
    }
    assert!(matches!(Folds::stratified(&[0, 1], 5, 1, 1), Err(Error::TooManyFolds { .. })));
}
