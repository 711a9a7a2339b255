//! What holds of all folds and all predictions.

use approx::assert_abs_diff_eq;
use bnc_data::{Code, MISSING};
use bnc_eval::{BiasVariance, Folds, Metric, score};
use ndarray::{Array2, Axis};
use proptest::prelude::*;

/// True classes, posteriors with many ties, and case weights.
fn predictions() -> impl Strategy<Value = (Vec<Code>, Array2<f64>, Vec<u32>)> {
    (1_usize..5, 1_usize..40).prop_flat_map(|(classes, rows)| {
        let truth = prop::collection::vec(0..classes as Code, rows);
        let cells = prop::collection::vec(0_u8..4, rows * classes);
        let weights = prop::collection::vec(0_u32..4, rows);
        (truth, cells, weights).prop_map(move |(truth, cells, weights)| {
            let mut posteriors =
                Array2::from_shape_fn((rows, classes), |(r, c)| f64::from(cells[r * classes + c]));
            for mut row in posteriors.rows_mut() {
                if row.sum() == 0.0 {
                    row.fill(1.0);
                }
                let sum = row.sum();
                row /= sum;
            }
            (truth, posteriors, weights)
        })
    })
}

/// P(a row of `first` has the higher P(first) than a row of `others`), by looking at every pair.
fn area(
    truth: &[Code],
    posteriors: &Array2<f64>,
    weights: &[u32],
    first: usize,
    others: &[usize],
) -> Option<f64> {
    let (mut won, mut pairs) = (0.0, 0.0);
    for (a, &class_a) in truth.iter().enumerate().filter(|(_, class)| usize::from(**class) == first) {
        for (b, _) in truth.iter().enumerate().filter(|(_, class)| others.contains(&usize::from(**class))) {
            let weight = f64::from(weights[a]) * f64::from(weights[b]);
            let (p, q) = (posteriors[[a, usize::from(class_a)]], posteriors[[b, first]]);
            pairs += weight;
            won += weight * f64::midpoint(f64::from(p > q), f64::from(p >= q));
        }
    }
    (pairs > 0.0).then(|| won / pairs)
}

fn check_same(found: Option<f64>, expected: Option<f64>) {
    assert_eq!(found.is_some(), expected.is_some());
    if let (Some(found), Some(expected)) = (found, expected) {
        assert_abs_diff_eq!(found, expected, epsilon = 1e-12);
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

proptest! {
    #[test]
    fn folds_partition_the_labelled_rows(
        classes in prop::collection::vec(prop_oneof![4 => 0_u16..4, 1 => Just(MISSING)], 2..60),
        folds in 2_usize..8,
        repeats in 1_usize..4,
        seed: u64,
    ) {
        let labelled: Vec<usize> = (0..classes.len()).filter(|&row| classes[row] != MISSING).collect();
        prop_assume!(folds <= labelled.len());
        let assignment = Folds::stratified(&classes, folds, repeats, seed).unwrap();
        for repeat in 0..repeats {
            let mut tested: Vec<usize> = Vec::new();
            // Of the four classes, and of the folds as a whole.
            let mut sizes = vec![Vec::new(); 5];
            for fold in 0..folds {
                let (train, test) = (assignment.train_rows(repeat, fold), assignment.test_rows(repeat, fold));
                let mut both = [train, test.clone()].concat();
                both.sort_unstable();
                prop_assert_eq!(&both, &labelled);
                for (class, sizes) in sizes.iter_mut().enumerate() {
                    let is_counted = |&&row: &&usize| class == 4 || usize::from(classes[row]) == class;
                    sizes.push(test.iter().filter(is_counted).count());
                }
                tested.extend(test);
            }
            tested.sort_unstable();
            prop_assert_eq!(&tested, &labelled);
            prop_assert!(*sizes[4].iter().min().unwrap() > 0);
            for sizes in sizes {
                prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
            }
        }
    }

    #[test]
    fn a_fold_file_says_what_the_folds_are(
        classes in prop::collection::vec(0_u16..3, 12..40),
        folds in 2_usize..12,
        seed: u64,
    ) {
        let assignment = Folds::stratified(&classes, folds, 3, seed).unwrap();
        let line = |row| (0..3).map(|repeat| assignment.fold_of(repeat, row).unwrap().to_string()).collect::<Vec<_>>();
        let text = (0..classes.len()).map(|row| line(row).join(",") + "\n").collect::<String>();
        prop_assert_eq!(Folds::parse(&text, "folds", &classes).unwrap(), assignment);
    }

    #[test]
    fn any_text_is_folds_or_an_error(text in "[0-3,x \n]{0,30}", rows in 0_usize..8) {
        let classes = vec![0; rows];
        if let Ok(folds) = Folds::parse(&text, "folds", &classes) {
            prop_assert_eq!(folds.rows(), rows);
            prop_assert!((0..folds.repeats()).all(|r| (0..folds.folds()).all(|f| !folds.test_rows(r, f).is_empty())));
        }
    }

    #[test]
    fn areas_equal_counting_every_pair((truth, posteriors, weights) in predictions()) {
        let metrics = score(&truth, &posteriors, Some(&weights)).unwrap().metrics;
        let classes = posteriors.ncols();
        let area = |first: usize, others: &[usize]| area(&truth, &posteriors, &weights, first, others);
        let mut pairs = Vec::new();
        let mut rest = Vec::new();
        let (mut weighted, mut total) = (0.0, 0.0);
        for first in 0..classes {
            for second in first + 1..classes {
                let both = area(first, &[second]).zip(area(second, &[first]));
                pairs.extend(both.map(|(one, other)| f64::midpoint(one, other)));
            }
            let others: Vec<usize> = (0..classes).filter(|&other| other != first).collect();
            if let Some(area) = area(first, &others) {
                let rows = truth.iter().zip(&weights).filter(|(class, _)| usize::from(**class) == first);
                let weight: f64 = rows.map(|(_, &weight)| f64::from(weight)).sum();
                rest.push(area);
                weighted += weight * area;
                total += weight;
            }
        }
        check_same(metrics[Metric::Auc], mean(&pairs));
        check_same(metrics[Metric::AucOvrMacro], mean(&rest));
        check_same(metrics[Metric::AucOvrWeighted], (total > 0.0).then(|| weighted / total));
    }

    #[test]
    fn weights_repeat_rows((truth, posteriors, weights) in predictions()) {
        let rows: Vec<usize> = (0..truth.len()).flat_map(|row| vec![row; weights[row] as usize]).collect();
        let repeated: Vec<Code> = rows.iter().map(|&row| truth[row]).collect();
        let weighted = score(&truth, &posteriors, Some(&weights)).unwrap();
        let plain = score(&repeated, &posteriors.select(Axis(0), &rows), None).unwrap();
        prop_assert_eq!(weighted.confusion, plain.confusion);
        for (metric, &value) in weighted.metrics.iter() {
            if value != plain.metrics[metric] {
                check_same(value, plain.metrics[metric]);
            }
        }
    }

    #[test]
    fn metrics_keep_their_bounds((truth, posteriors, weights) in predictions()) {
        let metrics = score(&truth, &posteriors, Some(&weights)).unwrap().metrics;
        let any_weight = weights.iter().any(|&weight| weight > 0);
        for (metric, value) in metrics.iter() {
            let (low, high) = match metric {
                Metric::Kappa | Metric::Mcc => (-1.0, 1.0),
                Metric::Brier => (0.0, 2.0),
                Metric::LogLoss => (0.0, f64::INFINITY),
                _ => (0.0, 1.0),
            };
            if let Some(value) = value {
                prop_assert!(any_weight && (low..=high).contains(value), "{}: {}", metric.name(), value);
            }
        }
        let sum = metrics[Metric::Accuracy].zip(metrics[Metric::ZeroOneLoss]).map(|(a, b)| a + b);
        check_same(sum, any_weight.then_some(1.0));
    }

    #[test]
    fn the_order_of_rows_does_not_matter_to_ranks((truth, posteriors, weights) in predictions()) {
        let rows: Vec<usize> = (0..truth.len()).rev().collect();
        let reversed: Vec<Code> = rows.iter().map(|&row| truth[row]).collect();
        let reversed_weights: Vec<u32> = rows.iter().map(|&row| weights[row]).collect();
        let one = score(&truth, &posteriors, Some(&weights)).unwrap();
        let other = score(&reversed, &posteriors.select(Axis(0), &rows), Some(&reversed_weights)).unwrap();
        prop_assert_eq!(one.confusion, other.confusion);
        for metric in [Metric::Auc, Metric::AucOvrWeighted, Metric::AucOvrMacro] {
            prop_assert_eq!(one.metrics[metric], other.metrics[metric]);
        }
    }
    #[test]
    fn bias_and_variance_sum_to_the_error_in_any_order(
        rows in prop::collection::vec((0_u16..4, prop::collection::vec(0_u16..4, 0..9), 0_u32..4), 1..30),
        turn in 0_usize..9,
    ) {
        let parts = |rows: &[(Code, Vec<Code>, u32)]| {
            let truth: Vec<Code> = rows.iter().map(|row| row.0).collect();
            let predictions: Vec<&[Code]> = rows.iter().map(|row| &row.1[..]).collect();
            let weights: Vec<u32> = rows.iter().map(|row| row.2).collect();
            BiasVariance::of(&truth, &predictions, Some(&weights)).unwrap()
        };
        let repeated: Vec<_> =
            rows.iter().flat_map(|row| vec![(row.0, row.1.clone(), 1); row.2 as usize]).collect();
        let mut turned = rows.clone();
        for (_, predictions, _) in &mut turned {
            let steps = turn.min(predictions.len());
            predictions.rotate_left(steps);
        }
        let all = parts(&rows);
        // The order of repeats changes no bit; that of rows, or repeating them, may round in other ways.
        prop_assert_eq!(parts(&turned), all);
        turned.reverse();
        let others = [parts(&turned), parts(&repeated)];
        let Some(all) = all else {
            prop_assert_eq!(others, [None; 2]);
            return Ok(());
        };
        let decompositions = |of: &BiasVariance| [Some(of.kohavi_wolpert), of.kohavi_wolpert_corrected, Some(of.webb)];
        for (index, its) in decompositions(&all).into_iter().enumerate() {
            let Some(its) = its else { continue };
            assert_abs_diff_eq!(its.bias + its.variance, all.error, epsilon = 1e-12);
            prop_assert!(its.variance >= 0.0 && (index == 1 || its.bias >= 0.0));
            for other in &others {
                let other = decompositions(&other.unwrap())[index].unwrap();
                assert_abs_diff_eq!(other.bias, its.bias, epsilon = 1e-12);
                assert_abs_diff_eq!(other.variance, its.variance, epsilon = 1e-12);
            }
        }
    }
}
