//! Whether predictions come true as often as their probabilities say.

use serde::{Serialize, Serializer};

/// The bins of a reliability diagram.
const BINS: usize = 10;

/// How often predictions are right, by how confident they are: the confidence is the probability of the predicted class.
/// There are ten bins of equal width, as in Naeini, Cooper and Hauskrecht (2015), which leave more rows to a bin than the
/// fifteen of Guo and others (2017); a bin holds its upper bound, but not its lower.
///
/// Serialised as the list of its bins.
///
/// # Examples
/// ```
/// use bnc_eval::Reliability;
/// let mut reliability = Reliability::default();
/// reliability.add(0.9, true, 1);
/// reliability.add(0.85, false, 1);
/// reliability.add(0.6, true, 2);
/// let bin = reliability.bins()[8];
/// assert_eq!((bin.lower, bin.upper, bin.weight), (0.8, 0.9, 2));
/// assert_eq!((bin.confidence, bin.accuracy), (Some(0.875), Some(0.5)));
/// assert!((reliability.expected_calibration_error().unwrap() - 0.3875).abs() < 1e-12);
/// assert!((reliability.maximum_calibration_error().unwrap() - 0.4).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reliability {
    sums: [Sums; BINS],
}

/// The sums of a bin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Sums {
    weight: u64,
    right: u64,
    confidence: f64,
}

/// A bin of a reliability diagram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ReliabilityBin {
    /// The lower bound of its confidences, exclusive.
    pub lower: f64,
    /// The upper bound of its confidences, inclusive.
    pub upper: f64,
    /// The case weight of its predictions.
    pub weight: u64,
    /// Their mean confidence; `None` when there are none.
    pub confidence: Option<f64>,
    /// The share of them that are right; `None` when there are none.
    pub accuracy: Option<f64>,
}

impl Reliability {
    /// Counts a prediction `weight` times. The confidence is a probability; what rounding brings above 1 is taken as 1.
    pub fn add(&mut self, confidence: f64, is_right: bool, weight: u64) {
        let bin = (0..BINS - 1).find(|&bin| confidence <= bound(bin + 1)).unwrap_or(BINS - 1);
        let sums = &mut self.sums[bin];
        sums.weight += weight;
        sums.right += if is_right { weight } else { 0 };
        sums.confidence += weight as f64 * confidence.min(1.0);
    }

    /// Adds the predictions counted in another.
    pub fn merge(&mut self, other: &Self) {
        for (sums, others) in self.sums.iter_mut().zip(&other.sums) {
            sums.weight += others.weight;
            sums.right += others.right;
            sums.confidence += others.confidence;
        }
    }

    /// The bins, from the least confident to the most.
    #[must_use]
    pub fn bins(&self) -> Vec<ReliabilityBin> {
        let bin = |(bin, sums): (usize, &Sums)| {
            let mean = |sum: f64| (sums.weight > 0).then(|| sum / sums.weight as f64);
            ReliabilityBin {
                lower: bound(bin),
                upper: bound(bin + 1),
                weight: sums.weight,
                confidence: mean(sums.confidence),
                accuracy: mean(sums.right as f64),
            }
        };
        self.sums.iter().enumerate().map(bin).collect()
    }

    /// The expected calibration error (Naeini, Cooper and Hauskrecht 2015), 0 to 1: the mean over all predictions of the
    /// distance between accuracy and mean confidence in their bin. `None` without predictions.
    #[must_use]
    pub fn expected_calibration_error(&self) -> Option<f64> {
        let total: u64 = self.sums.iter().map(|sums| sums.weight).sum();
        let gaps: f64 = self.sums.iter().map(|sums| (sums.right as f64 - sums.confidence).abs()).sum();
        (total > 0).then(|| gaps / total as f64)
    }

    /// The maximum calibration error (Naeini, Cooper and Hauskrecht 2015), 0 to 1: the largest distance between accuracy and
    /// mean confidence in a bin. `None` without predictions.
    #[must_use]
    pub fn maximum_calibration_error(&self) -> Option<f64> {
        let gap = |bin: &ReliabilityBin| Some((bin.accuracy? - bin.confidence?).abs());
        self.bins().iter().filter_map(gap).max_by(f64::total_cmp)
    }
}

impl Serialize for Reliability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.bins())
    }
}

/// The lower bound of a bin.
fn bound(bin: usize) -> f64 {
    bin as f64 / BINS as f64
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use bnc_data::Code;
    use ndarray::{Array2, Axis};
    use proptest::prelude::*;

    use super::*;
    use crate::{Metric, score};

    /// True classes and posteriors of three classes.
    fn predictions() -> (Vec<Code>, Array2<f64>) {
        let part = |row: usize, class: usize| match class {
            0 => (row * 37 % 23 + 1) as f64,
            1 => ((row * 11 + 5) % 19 + 1) as f64,
            _ => ((row * 7 + 3) % 13 + 1) as f64,
        };
        let mut posteriors = Array2::from_shape_fn((200, 3), |(row, class)| part(row, class));
        let sums = posteriors.sum_axis(Axis(1)).insert_axis(Axis(1));
        posteriors /= &sums;
        ((0..200_usize).map(|row| ((row * row + row / 3) % 3) as Code).collect(), posteriors)
    }

    /// `sklearn.calibration.calibration_curve` 1.9.1 of the predicted classes, ten uniform bins.
    #[test]
    fn agrees_with_scikit_learn() {
        let (truth, posteriors) = predictions();
        let score = score(&truth, &posteriors, None).unwrap();
        let bins = score.reliability.bins();
        let weights: Vec<u64> = bins.iter().map(|bin| bin.weight).collect();
        assert_eq!(weights, [0, 0, 0, 17, 85, 52, 30, 12, 4, 0]);
        let accuracies =
            [5.0 / 17.0, 0.376_470_588_235_294_1, 0.269_230_769_230_769_2, 1.0 / 3.0, 1.0 / 3.0, 0.5];
        let confidences = [
            0.382_743_965_142_481,
            0.459_512_307_531_281_03,
            0.550_450_878_364_818_7,
            0.642_935_564_987_427_5,
            0.748_554_563_206_612_1,
            0.855_485_527_544_350_9,
        ];
        for ((bin, accuracy), confidence) in bins[3..].iter().zip(accuracies).zip(confidences) {
            assert_abs_diff_eq!(bin.accuracy.unwrap(), accuracy, epsilon = 1e-14);
            assert_abs_diff_eq!(bin.confidence.unwrap(), confidence, epsilon = 1e-14);
        }
        let expected = score.reliability.expected_calibration_error();
        assert_abs_diff_eq!(expected.unwrap(), 0.194_406_515_204_156_03, epsilon = 1e-14);
        assert_eq!(score.metrics[Metric::CalibrationError], expected);
        let maximum = score.reliability.maximum_calibration_error().unwrap();
        assert_abs_diff_eq!(maximum, 0.415_221_229_873_278_75, epsilon = 1e-14);
    }

    #[test]
    fn parts_add_up() {
        let (truth, posteriors) = predictions();
        let part = |from: usize, to: usize| {
            score(&truth[from..to], &posteriors.slice_axis(Axis(0), (from..to).into()), None)
                .unwrap()
                .reliability
        };
        let mut merged = part(0, 70);
        merged.merge(&part(70, 200));
        for (bin, whole) in merged.bins().iter().zip(part(0, 200).bins()) {
            assert_eq!((bin.weight, bin.accuracy), (whole.weight, whole.accuracy));
            assert_abs_diff_eq!(
                bin.confidence.unwrap_or(0.0),
                whole.confidence.unwrap_or(0.0),
                epsilon = 1e-15
            );
        }
    }

    #[test]
    fn a_bin_holds_its_upper_bound() {
        for bin in 0..BINS {
            for confidence in [bound(bin).next_up(), bound(bin + 1)] {
                let mut reliability = Reliability::default();
                reliability.add(confidence, true, 3);
                let weights: Vec<u64> = reliability.bins().iter().map(|bin| bin.weight).collect();
                assert_eq!(weights, (0..BINS).map(|its| 3 * u64::from(its == bin)).collect::<Vec<_>>());
            }
        }
        let mut reliability = Reliability::default();
        reliability.add(1.000_000_5, true, 1);
        assert_eq!(reliability.bins()[9].confidence, Some(1.0));
    }

    #[test]
    fn of_nothing() {
        let nothing = Reliability::default();
        assert_eq!(nothing.expected_calibration_error(), None);
        assert_eq!(nothing.maximum_calibration_error(), None);
        let json = serde_json::to_value(&nothing).unwrap();
        assert_eq!(json.as_array().unwrap().len(), 10);
        assert_eq!(
            json[9],
            serde_json::json!({"lower": 0.9, "upper": 1.0, "weight": 0, "confidence": null, "accuracy": null})
        );
    }

    proptest! {
        #[test]
        fn the_mean_gap_is_between_the_overall_and_the_largest(
            predictions in prop::collection::vec((0.0..=1.0, any::<bool>(), 0_u64..4), 0..40)
        ) {
            let mut reliability = Reliability::default();
            let (mut sum, mut total) = (0.0, 0);
            for (confidence, is_right, weight) in predictions {
                reliability.add(confidence, is_right, weight);
                sum += weight as f64 * (f64::from(is_right) - confidence);
                total += weight;
            }
            let errors = reliability.expected_calibration_error().zip(reliability.maximum_calibration_error());
            prop_assert_eq!(errors.is_some(), total > 0);
            if let Some((expected, maximum)) = errors {
                prop_assert!(sum.abs() / total as f64 <= expected + 1e-12 && expected <= maximum + 1e-12);
                prop_assert!(maximum <= 1.0);
            }
        }
    }
}
