//! From predictions to metrics.

use bnc_data::{Code, MISSING};
use ndarray::{ArrayRef2, Axis};

use crate::auc::Ranking;
use crate::{Confusion, Metric, Metrics, PerMetric, Reliability, Result, RunningScore};

/// How good some predictions are.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The metrics.
    pub metrics: Metrics,
    /// What was predicted for what.
    pub confusion: Confusion,
    /// How often predictions of some confidence were right.
    pub reliability: Reliability,
}

/// Scores posteriors (an array of rows × classes) against the true classes of the rows. Rows whose class is
/// [`MISSING`] are left out; a row counts as often as its case weight says.
///
/// # Errors
/// [`Error::Shape`](crate::Error::Shape) when the parts have not one length or a true class is not among the columns;
/// [`Error::BadPosterior`](crate::Error::BadPosterior) for a row that is no distribution (to 1e-6).
///
/// # Examples
/// ```
/// use bnc_eval::{Metric, score};
/// use ndarray::array;
/// let posteriors = array![[0.9, 0.1], [0.6, 0.4], [0.3, 0.7]];
/// let score = score(&[0, 1, 1], &posteriors, None)?;
/// assert_eq!(score.metrics[Metric::Accuracy], Some(2.0 / 3.0));
/// assert_eq!(score.metrics[Metric::Auc], Some(1.0));
/// assert_eq!(score.confusion.rows(), [[1, 0], [1, 1]]);
/// # Ok::<(), bnc_eval::Error>(())
/// ```
pub fn score(truth: &[Code], posteriors: &ArrayRef2<f64>, weights: Option<&[u32]>) -> Result<Score> {
    let mut running = RunningScore::new(posteriors.ncols());
    running.add(truth, posteriors, weights)?;
    let labelled: Vec<usize> = (0..truth.len()).filter(|&row| truth[row] != MISSING).collect();
    let weight = |row: usize| weights.map_or(1, |weights| u64::from(weights[row]));
    let ranking = if labelled.len() < truth.len() {
        let truth: Vec<Code> = labelled.iter().map(|&row| truth[row]).collect();
        Ranking::new(&truth, &posteriors.select(Axis(0), &labelled), |row| weight(labelled[row]))
    } else {
        Ranking::new(truth, posteriors, weight)
    };
    let metrics = PerMetric::from_fn(|metric| match metric {
        Metric::Auc => ranking.hand_till(),
        Metric::AucOvrWeighted => ranking.one_vs_rest_weighted(),
        Metric::AucOvrMacro => ranking.one_vs_rest(),
        metric => running.metric(metric),
    });
    Ok(Score { metrics, confusion: running.confusion, reliability: running.reliability })
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use ndarray::{Array2, array};

    use super::*;
    use crate::Error;

    #[test]
    fn losses_by_hand() {
        let posteriors = array![[0.5, 0.25, 0.25], [0.125, 0.75, 0.125]];
        let metrics = score(&[0, 2], &posteriors, None).unwrap().metrics;
        let of = |metric| metrics[metric].unwrap();
        assert_abs_diff_eq!(of(Metric::Rmse), 0.507_812_5_f64.sqrt(), epsilon = 1e-15);
        assert_abs_diff_eq!(of(Metric::LogLoss), 16.0_f64.ln() / 2.0, epsilon = 1e-15);
        assert_abs_diff_eq!(of(Metric::Brier), 0.859_375, epsilon = 1e-15);
        assert_abs_diff_eq!(of(Metric::ZeroOneLoss), 0.5);
    }

    #[test]
    fn a_true_class_ruled_out_costs_infinitely_much() {
        let posteriors = array![[1.0, 0.0], [0.0, 1.0]];
        let metrics = |weights: &[u32]| score(&[0, 0], &posteriors, Some(weights)).unwrap().metrics;
        assert_eq!(metrics(&[1, 1])[Metric::LogLoss], Some(f64::INFINITY));
        assert_eq!(metrics(&[1, 0])[Metric::LogLoss], Some(0.0));
    }

    #[test]
    fn unlabelled_rows_are_left_out() {
        let posteriors = array![[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]];
        let with = score(&[0, MISSING, 1], &posteriors, Some(&[2, 5, 3])).unwrap();
        let without = score(&[0, 1], &array![[0.9, 0.1], [0.4, 0.6]], Some(&[2, 3])).unwrap();
        assert_eq!(with, without);
    }

    #[test]
    fn nothing_is_undefined() {
        let metrics = score(&[], &Array2::zeros((0, 2)), None).unwrap().metrics;
        assert!(metrics.iter().all(|(_, value)| value.is_none()));
    }

    #[test]
    fn what_is_no_distribution_is_refused() {
        let fault = |row: [f64; 2]| score(&[0, 0], &array![[0.5, 0.5], row], None).unwrap_err().to_string();
        assert!(fault([0.5, 0.6]).starts_with("row 1 (from 0): a sum of 1.1"));
        assert!(fault([f64::NAN, 0.5]).contains("NaN"));
        assert!(fault([-0.5, 1.5]).contains("-0.5"));
        assert!(fault([f64::INFINITY, 0.5]).contains("inf"));
    }

    #[test]
    fn parts_must_fit() {
        let posteriors = array![[0.5, 0.5]];
        assert!(matches!(score(&[0, 1], &posteriors, None), Err(Error::Shape(_))));
        assert!(matches!(score(&[0], &posteriors, Some(&[1, 1])), Err(Error::Shape(_))));
        assert!(matches!(score(&[2], &posteriors, None), Err(Error::Shape(_))));
    }
}
