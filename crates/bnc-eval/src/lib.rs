#![doc = include_str!("../README.md")]

mod auc;
mod bias_variance;
mod calibration;
mod class;
mod comparison;
mod confusion;
mod cross_validation;
mod engine;
mod error;
mod evaluation;
mod fold_file;
mod folds;
mod holdout;
mod holdout_samples;
mod learning_curve;
mod metric;
mod monitor;
mod part;
mod random;
mod resampling;
mod running;
mod score;
mod sub_sampled;

pub use bias_variance::{BiasVariance, Decomposition};
pub use calibration::{Reliability, ReliabilityBin};
pub use class::class_codes;
pub use comparison::{
    Friedman, Nemenyi, Outcome, PairedTest, RankTest, SignTest, Tally, Ties, WilcoxonTest, compare,
    corrected_resampled_t, friedman, holm, hommel, nemenyi_critical_difference, sign_test, tally,
    to_12_decimals, wilcoxon,
};
pub use confusion::Confusion;
pub use cross_validation::{CrossValidation, Protocol};
pub use engine::NamedLearner;
pub use error::{Error, Part, Result};
pub use evaluation::{Evaluation, Finished, Journal, LearnerResult, PartResult, Summary, Timing};
pub use folds::{Folds, RareClass};
pub use holdout::{Holdout, train_and_test};
pub use holdout_samples::HoldoutSamples;
pub use learning_curve::{Truncated, learning_curve_sizes};
pub use metric::{Metric, Metrics, PerMetric};
pub use resampling::Resampling;
pub use running::RunningScore;
pub use score::{Score, score};
pub use sub_sampled::SubSampled;
