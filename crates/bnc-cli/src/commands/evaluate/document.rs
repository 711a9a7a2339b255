//! The machine-readable results.

use bnc_eval::{
    BiasVariance, Confusion, LearnerResult, Metric, PairedTest, PerMetric, Reliability, Summary, Tally,
    compare,
};
use serde::Serialize;

use super::{Outcome, Setting};
use crate::experiment::Significance;

/// All results of a run. A number that is undefined or infinite is null.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    program: &'static str,
    version: &'static str,
    protocol: &'static str,
    /// Null with a test file.
    folds: Option<usize>,
    repeats: Option<usize>,
    /// Null with a test file or a file of folds.
    seed: Option<u64>,
    test: Option<&'a str>,
    fold_file: Option<&'a str>,
    discretize: &'a str,
    missing: &'static str,
    /// The scheme; null unless it was asked for.
    bias_variance: Option<&'a str>,
    results: Vec<Entry<'a>>,
    /// Over all data sets.
    overall: Vec<Overall<'a>>,
    /// The tests over all data sets; null with one.
    significance: Option<&'a Significance>,
}

/// A learner on a data set.
#[derive(Serialize)]
struct Entry<'a> {
    data: &'a str,
    rows: usize,
    features: usize,
    classes: &'a [String],
    learner: &'a str,
    /// Over the folds of all repeats.
    #[serde(flatten)]
    metrics: PerMetric<Values>,
    fit_seconds: Values,
    predict_seconds: Values,
    /// The labelled rows that each fold was learnt from, and that it tested.
    train_rows: Vec<usize>,
    test_rows: Vec<usize>,
    /// Over the repeats, each metric taken on all predictions of a repeat together.
    pooled: &'a PerMetric<Summary>,
    /// The bins of the confidence of predictions, over all folds.
    reliability: &'a Reliability,
    /// One list a true class, in it one number a predicted class.
    confusion: &'a Confusion,
    /// The accuracy against that of the first learner.
    against_first: Option<PairedTest>,
    /// Null unless it was asked for.
    bias_variance: Option<&'a BiasVariance>,
    /// Null unless it was asked for.
    learning_curve: Option<Vec<Point>>,
}

/// The results with so many training rows a fold.
#[derive(Serialize)]
struct Point {
    rows: usize,
    #[serde(flatten)]
    metrics: PerMetric<Values>,
}

/// A mean with what it is the mean of.
#[derive(Serialize)]
struct Values {
    #[serde(flatten)]
    summary: Summary,
    /// One a fold: all of the first repeat, all of the second, …
    values: Vec<Option<f64>>,
}

/// A learner over all data sets.
#[derive(Serialize)]
struct Overall<'a> {
    learner: &'a str,
    /// The mean over the data sets of their means.
    mean: PerMetric<Option<f64>>,
    /// The accuracy against that of the first learner, by the corrected resampled t-test.
    against_first: Option<Tally>,
}

impl Values {
    fn of(values: Vec<Option<f64>>) -> Self {
        Self { summary: Summary::of(values.iter().copied()), values }
    }
}

impl<'a> Document<'a> {
    pub(super) fn new(setting: &'a Setting, outcomes: &'a [Outcome], significance: &'a Significance) -> Self {
        let is_split = setting.test.is_none();
        let results = outcomes.iter().flat_map(|outcome| {
            let first = &outcome.evaluation.learners[0];
            let learners = outcome.evaluation.learners.iter().enumerate();
            learners.map(move |(index, learner)| entry(outcome, index, learner, first))
        });
        Self {
            program: "bnc",
            version: env!("CARGO_PKG_VERSION"),
            protocol: setting.protocol,
            folds: is_split.then_some(setting.folds),
            repeats: is_split.then_some(setting.repeats),
            seed: (is_split && setting.fold_file.is_none()).then_some(setting.seed),
            test: setting.test.as_deref(),
            fold_file: setting.fold_file.as_deref(),
            discretize: &setting.discretize,
            missing: setting.missing,
            bias_variance: setting.bias_variance.as_deref(),
            results: results.collect(),
            overall: overall(outcomes, significance),
            significance: (outcomes.len() > 1).then_some(significance),
        }
    }
}

fn entry<'a>(
    outcome: &'a Outcome,
    index: usize,
    learner: &'a LearnerResult,
    first: &LearnerResult,
) -> Entry<'a> {
    let timing = |seconds: fn(&bnc_eval::Timing) -> f64| {
        Values::of(learner.timings.iter().map(|timing| Some(seconds(timing))).collect())
    };
    Entry {
        data: &outcome.data,
        rows: outcome.rows,
        features: outcome.features,
        classes: &outcome.evaluation.classes,
        learner: &learner.name,
        metrics: metrics(learner),
        fit_seconds: timing(|timing| timing.fit_seconds),
        predict_seconds: timing(|timing| timing.predict_seconds),
        train_rows: learner.parts.iter().map(|part| part.train_rows).collect(),
        test_rows: learner.parts.iter().map(|part| part.test_rows).collect(),
        pooled: &learner.pooled,
        reliability: &learner.reliability,
        confusion: &learner.confusion,
        against_first: (learner.name != first.name)
            .then(|| compare(learner, first, Metric::Accuracy))
            .flatten(),
        bias_variance: outcome.bias_variance.get(index),
        learning_curve: (!outcome.learning_curve.is_empty()).then(|| {
            let points = outcome.learning_curve.iter();
            points
                .map(|point| Point { rows: point.rows, metrics: metrics(&point.evaluation.learners[index]) })
                .collect()
        }),
    }
}

fn metrics(learner: &LearnerResult) -> PerMetric<Values> {
    PerMetric::from_fn(|metric| Values::of(learner.parts.iter().map(|part| part.metrics[metric]).collect()))
}

fn overall<'a>(outcomes: &'a [Outcome], significance: &Significance) -> Vec<Overall<'a>> {
    let Some(first) = outcomes.first() else { return Vec::new() };
    let learners = first.evaluation.learners.iter().enumerate();
    learners
        .map(|(index, learner)| Overall {
            learner: &learner.name,
            mean: PerMetric::from_fn(|metric| super::figures::mean_over_data(outcomes, index, metric)),
            against_first: significance.tally(index, 0),
        })
        .collect()
}
