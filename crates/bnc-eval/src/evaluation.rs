//! The results of an evaluation.

use serde::{Deserialize, Serialize};

use crate::confusion::mean;
use crate::{BiasVariance, Confusion, Error, Metric, Metrics, PerMetric, Reliability};

/// The results of some learners over the same folds, or the parts of another [`Resampling`](crate::Resampling).
///
/// All but [`LearnerResult::timings`] depend on data, learners and folds alone, down to the last bit, on any number of
/// threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// The class labels, in the order of the schema.
    pub classes: Vec<String>,
    /// The number of folds; 1 when there were training sets without folds, or a test file instead.
    pub folds: usize,
    /// The number of repeats.
    pub repeats: usize,
    /// One result a learner, in the order given.
    pub learners: Vec<LearnerResult>,
}

impl Evaluation {
    /// The result of the learner of that name.
    #[must_use]
    pub fn learner(&self, name: &str) -> Option<&LearnerResult> {
        self.learners.iter().find(|learner| learner.name == name)
    }
}

/// The results of a learner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearnerResult {
    /// Its name.
    pub name: String,
    /// The metrics over all folds of all repeats.
    pub summary: PerMetric<Summary>,
    /// The metrics over the repeats, each taken on all predictions of a repeat together.
    pub pooled: PerMetric<Summary>,
    /// What was predicted for what, over all folds of all repeats.
    pub confusion: Confusion,
    /// How often predictions of some confidence were right, over all folds of all repeats.
    pub reliability: Reliability,
    /// Bias and variance from the predictions of all repeats; `None` for a single repeat.
    pub bias_variance: Option<BiasVariance>,
    /// The folds: all of the first repeat, all of the second, …
    pub parts: Vec<PartResult>,
    /// The pooled metrics of each repeat.
    pub repeats: Vec<Metrics>,
    /// How long each of `parts` took.
    pub timings: Vec<Timing>,
}

impl LearnerResult {
    /// The mean over the folds of test rows per training row, which the corrected resampled t-test needs.
    #[must_use]
    pub fn test_share(&self) -> f64 {
        mean(self.parts.iter().map(|part| part.test_rows as f64 / part.train_rows as f64)).unwrap_or(0.0)
    }
}

/// The result of a learner on one fold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartResult {
    /// The repeat, from 0.
    pub repeat: usize,
    /// The fold, from 0.
    pub fold: usize,
    /// The labelled rows learnt from.
    pub train_rows: usize,
    /// The labelled rows tested.
    pub test_rows: usize,
    /// The feature cells of the test rows whose value no training row has.
    pub unseen_cells: u64,
    /// The metrics.
    pub metrics: Metrics,
}

/// How long a learner took, by the clock on the wall.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Timing {
    /// Seconds of learning.
    pub fit_seconds: f64,
    /// Seconds of computing all posteriors of the test rows.
    pub predict_seconds: f64,
}

/// Mean and spread of the defined ones among some values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// The mean; `None` when no value is defined.
    pub mean: Option<f64>,
    /// The standard deviation (divisor n − 1); `None` for fewer than two values and for infinite ones.
    pub sd: Option<f64>,
    /// How many values are defined.
    pub n: usize,
}

impl Summary {
    /// The summary of values, of which undefined ones are left out.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let values: Vec<f64> = values.into_iter().flatten().collect();
        let mean = mean(values.iter().copied());
        Self { mean, sd: variance(&values).map(f64::sqrt), n: values.len() }
    }
}

/// The variance (divisor n − 1); `None` for fewer than two values and for infinite ones.
pub(crate) fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values.iter().copied()).filter(|mean| mean.is_finite() && values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some(squares / (values.len() - 1) as f64)
}

/// The summary of each metric.
pub(crate) fn summarize<'a>(all: &(impl Iterator<Item = &'a Metrics> + Clone)) -> PerMetric<Summary> {
    PerMetric::from_fn(|metric: Metric| Summary::of(all.clone().map(|metrics| metrics[metric])))
}

/// The finished work of a learner on one fold: what an interrupted evaluation needs to go on without repeating it. A
/// program appends each to a journal and hands them all back to
/// [`CrossValidation::resume`](crate::CrossValidation::resume). Metrics are computed anew from the posteriors.
///
/// A text format must keep every bit of a number (`serde_json` does with its feature `float_roundtrip`) for the resumed
/// evaluation to equal one that was never interrupted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// The learner's name.
    pub learner: String,
    /// The repeat, from 0.
    pub repeat: usize,
    /// The fold, from 0.
    pub fold: usize,
    /// P(class | row), row after row, in the order of [`Resampling::test_rows`](crate::Resampling::test_rows).
    pub posteriors: Vec<f64>,
    /// How long it took.
    pub timing: Timing,
}

impl Finished {
    /// The error of a record that does not belong to an evaluation.
    pub(crate) fn other_run(&self, why: impl Into<String>) -> Error {
        Error::OtherRun {
            learner: self.learner.clone(),
            repeat: self.repeat.saturating_add(1),
            fold: self.fold.saturating_add(1),
            why: why.into(),
        }
    }
}

/// Takes the finished work of an evaluation as it comes, one record at a time; an error stops the evaluation.
pub type Journal<'a> = dyn FnMut(&Finished) -> bnc_data::Result<()> + Send + 'a;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_values_do_not_count() {
        let summary = Summary::of([Some(1.0), None, Some(2.0), Some(4.5)]);
        assert_eq!((summary.mean, summary.n), (Some(2.5), 3));
        assert_eq!(summary.sd, Some(3.25_f64.sqrt()));
    }

    #[test]
    fn too_few_values_have_no_spread() {
        assert_eq!(Summary::of([Some(3.0)]), Summary { mean: Some(3.0), sd: None, n: 1 });
        assert_eq!(Summary::of([None]), Summary { mean: None, sd: None, n: 0 });
        let infinite = Summary::of([Some(f64::INFINITY), Some(1.0)]);
        assert_eq!((infinite.mean, infinite.sd), (Some(f64::INFINITY), None));
    }
}
