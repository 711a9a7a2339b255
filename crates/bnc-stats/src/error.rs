//! What can go wrong while counting.

use crate::Vars;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of counting.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The rows could not be read or coded.
    #[error(transparent)]
    Data(#[from] bnc_data::Error),
    /// Stored counts lack tables; whoever holds the data can count these and merge them in.
    #[error("the counts lack {} tables, the first over features {:?}; count them from the data and merge", plan.len(), plan.first())]
    Unanswered {
        /// The tables to count.
        plan: Vec<Vars>,
    },
    /// Stored counts hold no rows.
    #[error("the learner needs rows, and counts hold none; give it the data itself")]
    NoRows,
    /// A feature that the schema does not have.
    #[error("feature {feature} was asked for, the schema has {features}")]
    NoSuchFeature {
        /// The index that was asked for.
        feature: usize,
        /// The number of features.
        features: usize,
    },
    /// A table whose configurations cannot be numbered.
    #[error(
        "a table over features {vars:?} has more configurations than can be numbered; ask for fewer features"
    )]
    TooManyConfigurations {
        /// The table.
        vars: Vars,
    },
    /// Local scores of more families than can be held.
    #[error(
        "the scores of all families of {nodes} variables take {bytes} bytes, more than can be held; limit the number of parents or take fewer features"
    )]
    TooManySubsets {
        /// The number of variables.
        nodes: usize,
        /// The memory they would take.
        bytes: u64,
    },
    /// Counts of different schemas, or a difference below zero.
    #[error("counts do not fit together: {0}")]
    Mismatch(String),
}
