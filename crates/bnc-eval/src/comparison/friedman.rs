//! The Friedman test of several learners over several data sets.

use ndarray::{Array2, ArrayRef2};
use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

use super::ranks::ranks;
use super::to_12_decimals;
use crate::{Error, Evaluation, Metric, Result};

/// A test of the hypothesis that all learners are equally good.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RankTest {
    /// The test's statistic.
    pub statistic: f64,
    /// The p-value.
    pub p: f64,
}

/// A Friedman test (1937) of k learners over M data sets, on each of which the learners are ranked from 1, the best.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Friedman {
    /// M, the data sets ranked on.
    pub data_sets: usize,
    /// Each learner's mean R over the data sets of its ranks; equal learners share the mean of theirs.
    pub mean_ranks: Vec<f64>,
    /// χ² = 12M/(k(k+1)) · (Σ R² − k(k+1)²/4), of k − 1 degrees of freedom, as Demšar (2006) has it.
    pub chi_square: RankTest,
    /// χ² / (1 − Σ(t³−t)/(M k (k²−1))) over all groups of t equal learners, as in `SciPy`; `None` when all learners are
    /// equal on all data sets.
    pub tie_corrected: Option<RankTest>,
    /// Iman and Davenport's F (1980) = (M−1)χ²/(M(k−1) − χ²) with the uncorrected χ², of k − 1 and (k−1)(M−1) degrees of
    /// freedom; infinite, with p = 0, when all data sets rank the learners in one way without ties.
    pub iman_davenport: RankTest,
}

impl Friedman {
    /// The test over values of data sets (rows) and learners (columns). `None` for fewer than two learners or two data sets,
    /// and when a value is NaN.
    ///
    /// # Examples
    /// ```
    /// use bnc_eval::Friedman;
    /// use ndarray::array;
    /// let accuracies = array![[0.9, 0.8, 0.7], [0.6, 0.5, 0.5], [0.8, 0.9, 0.7], [0.7, 0.6, 0.5]];
    /// let test = Friedman::of(&accuracies, true).unwrap();
    /// assert_eq!(test.mean_ranks, [1.25, 1.875, 2.875]);
    /// assert_eq!(test.chi_square.statistic, 5.375);
    /// ```
    #[must_use]
    pub fn of(values: &ArrayRef2<f64>, higher_is_better: bool) -> Option<Self> {
        let (data_sets, learners) = values.dim();
        if data_sets < 2 || learners < 2 || values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let sign = if higher_is_better { -1.0 } else { 1.0 };
        let mut sums = vec![0.0; learners];
        let mut ties = 0.0;
        for row in values.rows() {
            let ranked = ranks(&row.iter().map(|value| sign * value).collect::<Vec<f64>>());
            sums.iter_mut().zip(&ranked.of).for_each(|(sum, rank)| *sum += rank);
            ties += ranked.ties;
        }
        let (m, k) = (data_sets as f64, learners as f64);
        // All of this is in quarters, hence exact: no rounding hides that F is infinite.
        let spread: f64 = sums.iter().map(|sum| (sum - m * (k + 1.0) / 2.0).powi(2)).sum();
        let most = m * m * k * (k * k - 1.0) / 12.0;
        let chi_square = 12.0 * spread / (m * k * (k + 1.0));
        let corrected = m * k * (k * k - 1.0) - ties;
        let by_chi_square = |statistic: f64| {
            let p = ChiSquared::new(k - 1.0).ok()?.sf(statistic);
            Some(RankTest { statistic, p })
        };
        let iman_davenport = if spread < most {
            let statistic = (m - 1.0) * spread / (most - spread);
            RankTest { statistic, p: FisherSnedecor::new(k - 1.0, (k - 1.0) * (m - 1.0)).ok()?.sf(statistic) }
        } else {
            RankTest { statistic: f64::INFINITY, p: 0.0 }
        };
        Some(Self {
            data_sets,
            mean_ranks: sums.iter().map(|sum| sum / m).collect(),
            chi_square: by_chi_square(chi_square)?,
            tie_corrected: if corrected > 0.0 {
                by_chi_square(chi_square * (m * k * (k * k - 1.0)) / corrected)
            } else {
                None
            },
            iman_davenport,
        })
    }
}

/// The Friedman test of the learners of some evaluations, one a data set, by their means over the folds. Means that agree to
/// 12 decimals are equal: the order of summing them up must not decide. A data set on which a learner has no mean is left out;
/// [`Friedman::data_sets`] says how many there were. `None` for fewer than two of them or of the learners.
///
/// # Errors
/// [`Error::Shape`](crate::Error::Shape) when the evaluations are not of the same learners.
pub fn friedman<'a>(
    evaluations: impl IntoIterator<Item = &'a Evaluation>,
    metric: Metric,
) -> Result<Option<Friedman>> {
    let evaluations: Vec<&Evaluation> = evaluations.into_iter().collect();
    let learners = number_of_learners(&evaluations)?;
    let row = |evaluation: &&Evaluation| -> Option<Vec<f64>> {
        let means = evaluation.learners.iter().map(|learner| learner.summary[metric].mean);
        means.map(|mean| mean.map(to_12_decimals)).collect()
    };
    let rows: Vec<Vec<f64>> = evaluations.iter().filter_map(row).collect();
    let values = Array2::from_shape_fn((rows.len(), learners), |(set, learner)| rows[set][learner]);
    Ok(Friedman::of(&values, metric.higher_is_better()))
}

/// The number of learners, who must be the same ones in the same order in all evaluations.
fn number_of_learners(evaluations: &[&Evaluation]) -> Result<usize> {
    let names = |evaluation: &&Evaluation| -> Vec<String> {
        evaluation.learners.iter().map(|learner| learner.name.clone()).collect()
    };
    let Some(expected) = evaluations.first().map(names) else {
        return Ok(0);
    };
    if let Some(other) = evaluations.iter().map(names).find(|names| *names != expected) {
        let (expected, other) = (expected.join(", "), other.join(", "));
        return Err(Error::Shape(format!("evaluations of different learners: {expected}; {other}")));
    }
    Ok(expected.len())
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};
    use ndarray::array;

    use super::*;

    #[track_caller]
    fn check(found: RankTest, statistic: f64, p: f64) {
        assert_relative_eq!(found.statistic, statistic, max_relative = 1e-11);
        assert_relative_eq!(found.p, p, max_relative = 1e-10);
    }

    /// The areas under curves of Demšar (2006), Table 6. On the thirteenth set two of them print alike, but rank apart.
    fn demsar() -> Array2<f64> {
        array![
            [0.763, 0.768, 0.771, 0.798],
            [0.599, 0.591, 0.590, 0.569],
            [0.954, 0.971, 0.968, 0.967],
            [0.628, 0.661, 0.654, 0.657],
            [0.882, 0.888, 0.886, 0.898],
            [0.936, 0.931, 0.916, 0.931],
            [0.661, 0.668, 0.609, 0.685],
            [0.583, 0.583, 0.563, 0.625],
            [0.775, 0.838, 0.866, 0.875],
            [1.000, 1.000, 1.000, 1.000],
            [0.940, 0.962, 0.965, 0.962],
            [0.619, 0.666, 0.614, 0.669],
            [0.972, 0.981, 0.9751, 0.975],
            [0.957, 0.978, 0.946, 0.970]
        ]
    }

    #[test]
    fn agrees_with_demsar() {
        let test = Friedman::of(&demsar(), true).unwrap();
        for (found, expected) in test.mean_ranks.iter().zip([3.143, 2.000, 2.893, 1.964]) {
            assert_abs_diff_eq!(*found, expected, epsilon = 5e-4);
        }
        assert_abs_diff_eq!(test.chi_square.statistic, 9.28, epsilon = 5e-3);
        assert_abs_diff_eq!(test.iman_davenport.statistic, 3.69, epsilon = 5e-3);
    }

    /// `scipy.stats` 1.17.1: `friedmanchisquare` for the tie-corrected values, `chi2.sf` and `f.sf` for the other p-values.
    #[test]
    fn agrees_with_scipy() {
        let test = Friedman::of(&demsar(), true).unwrap();
        check(test.chi_square, 9.278_571_428_571_437, 0.025_807_496_707_063_185);
        check(test.tie_corrected.unwrap(), 10.228_346_456_692_925, 0.016_721_580_328_441_323);
        check(test.iman_davenport, 3.686_313_032_089_068, 0.019_823_006_192_249_054);
        let tied = Array2::from_shape_fn((12, 5), |(i, j)| ((7 * i + 3 * j * j + i * j) % 11) as f64 / 10.0);
        let test = Friedman::of(&tied, true).unwrap();
        check(test.chi_square, 2.0 / 3.0, 0.955_375_080_765_054_2);
        check(test.tie_corrected.unwrap(), 0.695_652_173_913_033_6, 0.951_864_012_505_740_5);
        check(test.iman_davenport, 0.154_929_577_464_785_17, 0.959_763_230_159_427);
        let untied =
            Array2::from_shape_fn((20, 6), |(i, j)| ((5 * i + 2 * j * j + 3 * i * j) % 97) as f64 / 10.0);
        let test = Friedman::of(&untied, true).unwrap();
        check(test.chi_square, 1.342_857_142_857_139_6, 0.930_460_543_371_020_4);
        check(test.tie_corrected.unwrap(), 1.342_857_142_857_139_6, 0.930_460_543_371_020_4);
        check(test.iman_davenport, 0.258_615_696_495_800_13, 0.934_468_866_052_298_2);
    }

    #[test]
    fn lower_losses_rank_first() {
        let accuracies = demsar();
        let losses = accuracies.mapv(|accuracy| 1.0 - accuracy);
        assert_eq!(Friedman::of(&losses, false), Friedman::of(&accuracies, true));
        let infinite = array![[1.0, f64::INFINITY], [0.5, 0.7]];
        assert_eq!(Friedman::of(&infinite, false).unwrap().mean_ranks, [1.0, 2.0]);
    }

    #[test]
    fn all_alike() {
        let test = Friedman::of(&Array2::ones((4, 3)), true).unwrap();
        assert_eq!(test.mean_ranks, [2.0; 3]);
        let nothing = RankTest { statistic: 0.0, p: 1.0 };
        assert_eq!((test.chi_square, test.tie_corrected, test.iman_davenport), (nothing, None, nothing));
    }

    #[test]
    fn all_in_one_order() {
        for (sets, learners) in [(2, 2), (7, 3), (40, 7), (13, 10)] {
            let values = Array2::from_shape_fn((sets, learners), |(_, learner)| learner as f64);
            let test = Friedman::of(&values, false).unwrap();
            assert_eq!(test.iman_davenport, RankTest { statistic: f64::INFINITY, p: 0.0 });
            assert_relative_eq!(
                test.chi_square.statistic,
                (sets * (learners - 1)) as f64,
                max_relative = 1e-14
            );
        }
    }

    #[test]
    fn too_little_to_rank() {
        for (sets, learners) in [(1, 3), (3, 1), (0, 0)] {
            assert_eq!(Friedman::of(&Array2::zeros((sets, learners)), true), None);
        }
        assert_eq!(Friedman::of(&array![[1.0, f64::NAN], [1.0, 2.0]], true), None);
        assert_eq!(friedman(&[], Metric::Accuracy).unwrap(), None);
    }
}
