//! The corrected resampled t-test of two learners over the folds of one data set.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::confusion::mean;
use crate::evaluation::variance;
use crate::{LearnerResult, Metric, PartResult};

/// A paired t-test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairedTest {
    /// The mean of the differences.
    pub mean_difference: f64,
    /// Student's t; infinite when all differences are the same and not 0.
    pub t: f64,
    /// The degrees of freedom.
    pub degrees_of_freedom: usize,
    /// The two-tailed p-value.
    pub p: f64,
}

/// The corrected resampled t-test of Nadeau and Bengio (2003). For J paired differences d over resampled parts,
/// `t = mean(d) / √((1/J + n_test/n_train) · var(d))` with J − 1 degrees of freedom: the second summand makes up for the
/// training parts having rows in common, which the plain t-test takes for independent evidence.
///
/// `test_share` is `n_test/n_train`: 1/9 in tenfold cross-validation, whatever the repeats. When the differences do not vary,
/// p is 1 if they are 0 and 0 otherwise, as in WEKA. `None` for fewer than two differences and for infinite ones.
///
/// # Examples
/// ```
/// use bnc_eval::corrected_resampled_t;
/// let test = corrected_resampled_t(&[0.02, 0.01, 0.03, 0.0, 0.02], 0.25).unwrap();
/// assert!((test.t - 2.092).abs() < 1e-3);
/// assert!((test.p - 0.1046).abs() < 1e-4);
/// ```
#[must_use]
pub fn corrected_resampled_t(differences: &[f64], test_share: f64) -> Option<PairedTest> {
    let variance = variance(differences)?;
    let mean_difference = mean(differences.iter().copied())?;
    let degrees_of_freedom = differences.len() - 1;
    let (t, p) = if variance > 0.0 {
        let t = mean_difference / ((1.0 / differences.len() as f64 + test_share) * variance).sqrt();
        let student = StudentsT::new(0.0, 1.0, degrees_of_freedom as f64).ok()?;
        (t, 2.0 * student.sf(t.abs()))
    } else if mean_difference == 0.0 {
        (0.0, 1.0)
    } else {
        (f64::INFINITY.copysign(mean_difference), 0.0)
    };
    Some(PairedTest { mean_difference, t, degrees_of_freedom, p })
}

/// How a learner compares with another on one data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Significantly better.
    Win,
    /// No significant difference.
    Tie,
    /// Significantly worse.
    Loss,
}

impl PairedTest {
    /// The outcome for the learner from whose values the other's were taken, at a two-tailed level of significance.
    #[must_use]
    pub fn outcome(&self, metric: Metric, level: f64) -> Outcome {
        if self.p >= level {
            Outcome::Tie
        } else if (self.mean_difference > 0.0) == metric.higher_is_better() {
            Outcome::Win
        } else {
            Outcome::Loss
        }
    }
}

/// The test of a learner's values of a metric minus another's, over the same folds; folds on which either has none are left
/// out. `None` when there are fewer than two, as with a single test file.
#[must_use]
pub fn compare(learner: &LearnerResult, other: &LearnerResult, metric: Metric) -> Option<PairedTest> {
    let pairs = learner.parts.iter().zip(&other.parts);
    let difference =
        |(its, others): (&PartResult, &PartResult)| Some(its.metrics[metric]? - others.metrics[metric]?);
    let differences: Vec<f64> = pairs.filter_map(difference).collect();
    corrected_resampled_t(&differences, learner.test_share())
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// `t` and `p` from `scipy.stats.t`.
    #[track_caller]
    fn check(differences: &[f64], test_share: f64, t: f64, p: f64) {
        let test = corrected_resampled_t(differences, test_share).unwrap();
        assert_relative_eq!(test.t, t, max_relative = 1e-12);
        assert_relative_eq!(test.p, p, max_relative = 1e-9);
    }

    #[test]
    fn agrees_with_scipy() {
        check(&[0.02, 0.01, 0.03, 0.0, 0.02], 0.25, 2.091_905_441_473_963_3, 0.104_605_229_284_101_99);
        check(
            &[-0.1, 0.05, -0.2, -0.15, 0.0, -0.1, -0.3, -0.05, -0.1, -0.2],
            1.0 / 9.0,
            -2.432_938_086_576_045,
            0.037_799_958_759_874_5,
        );
        check(&[0.5, 0.501], 1.0, 577.927_619_458_814_8, 0.001_101_555_135_254_528_9);
        let hundred: Vec<f64> = (0..100).map(|i| 0.01 * (f64::from((i * 37) % 11) - 4.0)).collect();
        check(&hundred, 1.0 / 9.0, 0.852_647_804_933_024_4, 0.395_912_737_561_227_6);
        let far: Vec<f64> = hundred.iter().map(|d| d + 5.0).collect();
        check(&far, 1.0 / 9.0, 449.614_650_401_262_74, 1.110_048_119_048_356_7e-165);
    }

    #[test]
    fn differences_that_do_not_vary() {
        let of = |differences: &[f64]| corrected_resampled_t(differences, 0.1).unwrap();
        assert_eq!((of(&[0.0; 4]).t, of(&[0.0; 4]).p), (0.0, 1.0));
        assert_eq!((of(&[-0.5; 4]).t, of(&[-0.5; 4]).p), (f64::NEG_INFINITY, 0.0));
    }

    #[test]
    fn too_little_to_test() {
        assert_eq!(corrected_resampled_t(&[], 0.1), None);
        assert_eq!(corrected_resampled_t(&[0.3], 0.1), None);
        assert_eq!(corrected_resampled_t(&[0.3, f64::INFINITY], 0.1), None);
        assert_eq!(corrected_resampled_t(&[0.3, f64::NAN], 0.1), None);
    }

    #[test]
    fn lower_losses_win() {
        let test = PairedTest { mean_difference: 0.1, t: 3.0, degrees_of_freedom: 9, p: 0.01 };
        assert_eq!(test.outcome(Metric::Accuracy, 0.05), Outcome::Win);
        assert_eq!(test.outcome(Metric::LogLoss, 0.05), Outcome::Loss);
        assert_eq!(test.outcome(Metric::Accuracy, 0.01), Outcome::Tie);
    }
}
