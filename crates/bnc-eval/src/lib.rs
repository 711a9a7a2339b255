#![doc = include_str!("../README.md")]

mod auc;
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
mod metric;
mod monitor;
mod part;
mod score;

pub use calibration::{Reliability, ReliabilityBin};
pub use class::class_codes;
pub use comparison::{
    Friedman, Nemenyi, Outcome, PairedTest, RankTest, SignTest, Tally, Ties, WilcoxonTest, compare,
    corrected_resampled_t, friedman, holm, hommel, nemenyi_critical_difference, sign_test, tally, wilcoxon,
};
pub use confusion::Confusion;
pub use cross_validation::{CrossValidation, Protocol};
pub use engine::NamedLearner;
pub use error::{Error, Part, Result};
pub use evaluation::{Evaluation, Finished, Journal, LearnerResult, PartResult, Summary, Timing};
pub use folds::{Folds, RareClass};
pub use holdout::{Holdout, train_and_test};
pub use metric::{Metric, Metrics, PerMetric};
pub use score::{Score, score};
