#![doc = include_str!("../README.md")]

mod classifier;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod constraints;
mod error;
mod exponential;
mod learner;
mod logarithm;
mod model;
mod network;
mod parameters;
mod smoothing;
mod spelling;

pub use classifier::{Classifier, Member, Saved, check_row, most_probable};
pub use constraints::{Constraints, bad_constraint};
pub use error::{Error, Result};
pub use exponential::exponentials;
pub use learner::{AnyLearner, Learner};
pub use logarithm::{log_sum_exp, normalize};
pub use model::{Load, Loader, MODEL_KIND, Model};
pub use network::{
    ConditionalTable, MAX_ELIMINATION_CELLS, MAX_TABLE_CELLS, NETWORK_LOADER, Network, StructureScore,
};
pub use parameters::{Configure, LearnerInfo, LearnerSpec, ParameterInfo, Parameters};
pub use smoothing::Smoothing;

pub use bnc_data;
pub use bnc_stats;
pub use bnc_structure;
