#![doc = include_str!("../README.md")]

mod auc;
mod confusion;
mod error;
mod fold_file;
mod folds;
mod metric;
mod score;

pub use confusion::Confusion;
pub use error::{Error, Part, Result};
pub use folds::{Folds, RareClass};
pub use metric::{Metric, Metrics, PerMetric};
pub use score::{Score, score};
