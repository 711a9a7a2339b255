//! What the tables and the page tell of the results: which metrics, which are best, and the means over data sets.

use bnc_eval::{BiasVariance, LearnerResult, Metric, Outcome as Verdict, PairedTest, Summary};

use super::Outcome;
use crate::experiment::LEVEL;
use crate::text::counted;

/// The metrics that have a column.
pub(crate) const SHOWN: [(Metric, &str); 5] = [
    (Metric::Accuracy, "accuracy ↑"),
    (Metric::Rmse, "RMSE ↓"),
    (Metric::LogLoss, "log loss ↓"),
    (Metric::Brier, "Brier ↓"),
    (Metric::Auc, "AUC ↑"),
];

impl Outcome {
    /// The data set's name without its folder, which all data sets usually share.
    pub(crate) fn name(&self) -> &str {
        self.data.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or(&self.data)
    }

    /// The data set's size in words.
    pub(crate) fn size(&self) -> String {
        let classes = self.evaluation.classes.len();
        format!(
            "{}, {}, {}",
            counted(self.rows as u64, "row"),
            counted(self.features as u64, "feature"),
            if classes == 1 { "1 class".into() } else { format!("{classes} classes") }
        )
    }

    /// The mean of each learner over the folds.
    pub(crate) fn means(&self, metric: Metric) -> Vec<Option<f64>> {
        means(&self.evaluation.learners, metric)
    }
}

/// The mean of each learner over the folds.
pub(crate) fn means(learners: &[LearnerResult], metric: Metric) -> Vec<Option<f64>> {
    learners.iter().map(|learner| learner.summary[metric].mean).collect()
}

/// The mean over the data sets of a learner's mean; `None` when it is undefined on all of them.
pub(crate) fn mean_over_data(outcomes: &[Outcome], learner: usize, metric: Metric) -> Option<f64> {
    Summary::of(outcomes.iter().map(|outcome| outcome.evaluation.learners[learner].summary[metric].mean)).mean
}

/// The same of every learner.
pub(crate) fn means_over_data(outcomes: &[Outcome], metric: Metric) -> Vec<Option<f64>> {
    let learners = outcomes.first().map_or(0, |first| first.evaluation.learners.len());
    (0..learners).map(|learner| mean_over_data(outcomes, learner, metric)).collect()
}

/// The mean seconds of learning and of prediction of a fold.
pub(crate) fn times(learner: &LearnerResult) -> [f64; 2] {
    let mean = |seconds: fn(&bnc_eval::Timing) -> f64| {
        learner.timings.iter().map(seconds).sum::<f64>() / learner.timings.len().max(1) as f64
    };
    [mean(|timing| timing.fit_seconds), mean(|timing| timing.predict_seconds)]
}

/// The means over the data sets of a learner's [`times`].
pub(crate) fn mean_times(outcomes: &[Outcome], learner: usize) -> [f64; 2] {
    let each: Vec<[f64; 2]> =
        outcomes.iter().map(|outcome| times(&outcome.evaluation.learners[learner])).collect();
    [0, 1].map(|which| each.iter().map(|times| times[which]).sum::<f64>() / each.len().max(1) as f64)
}

/// A value of a metric, to four places.
pub(crate) fn number(value: f64) -> String {
    format!("{value:.4}")
}

/// Which of some values are the best: all that look like the best as they are shown. None is among less than two.
pub(crate) fn best(values: &[Option<f64>], metric: Metric) -> Vec<bool> {
    let better = |a: f64, b: f64| if metric.higher_is_better() { a.max(b) } else { a.min(b) };
    let best = values.iter().copied().flatten().reduce(better).map(number);
    let several = values.iter().flatten().count() > 1;
    values.iter().map(|&value| several && value.is_some() && best == value.map(number)).collect()
}

/// What a test by accuracy says of a learner, in a word.
pub(crate) fn verdict(test: Option<PairedTest>) -> &'static str {
    match test.map(|test| test.outcome(Metric::Accuracy, LEVEL)) {
        Some(Verdict::Win) => "win",
        Some(Verdict::Tie) => "tie",
        Some(Verdict::Loss) => "loss",
        None => "–",
    }
}

/// A learner's error, bias and variance by Kohavi and Wolpert, the same corrected, and by Webb.
pub(crate) type Parts = [Option<f64>; 7];

/// The parts of the error.
pub(crate) fn parts(found: &BiasVariance) -> Parts {
    let corrected = found.kohavi_wolpert_corrected;
    [
        Some(found.error),
        Some(found.kohavi_wolpert.bias),
        Some(found.kohavi_wolpert.variance),
        corrected.map(|it| it.bias),
        corrected.map(|it| it.variance),
        Some(found.webb.bias),
        Some(found.webb.variance),
    ]
}

/// The means over the data sets of the parts of each learner's error.
pub(crate) fn mean_parts(outcomes: &[Outcome]) -> Vec<Parts> {
    let all: Vec<Vec<Parts>> =
        outcomes.iter().map(|outcome| outcome.bias_variance.iter().map(parts).collect()).collect();
    let mean = |learner: usize, part: usize| {
        Summary::of(all.iter().map(|its| its.get(learner).and_then(|its| its[part]))).mean
    };
    let learners = outcomes.first().map_or(0, |first| first.evaluation.learners.len());
    (0..learners).map(|learner| std::array::from_fn(|part| mean(learner, part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_all_that_look_so() {
        let values = [Some(0.912_34), None, Some(0.912_31), Some(0.9)];
        assert_eq!(best(&values, Metric::Accuracy), [true, false, true, false]);
        assert_eq!(best(&values, Metric::LogLoss), [false, false, false, true]);
        assert_eq!(best(&[Some(0.5), None], Metric::Accuracy), [false, false]);
    }
}
