//! What can go wrong in an evaluation.

use std::fmt;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of an evaluation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The data could not be read or coded, or the work was cancelled.
    #[error(transparent)]
    Data(#[from] bnc_data::Error),
    /// A model could not be learnt or used.
    #[error(transparent)]
    Models(Box<bnc_models::Error>),
    /// Fewer than two folds.
    #[error("{folds} folds: cross-validation needs 2 or more")]
    TooFewFolds {
        /// The folds asked for.
        folds: usize,
    },
    /// More folds than rows to put into them.
    #[error(
        "{folds} folds for {rows} labelled rows leave folds empty; ask for {rows} or fewer, but at least 2"
    )]
    TooManyFolds {
        /// The folds asked for.
        folds: usize,
        /// The labelled rows.
        rows: usize,
    },
    /// No repeat at all.
    #[error("0 repeats: cross-validation needs 1 or more")]
    NoRepeats,
    /// A pool that is too small, or that leaves too few rows to test.
    #[error(
        "a pool of {pool} rows: there are {rows} labelled rows, and the pool may be 2 to half of them; ask for a smaller pool or take cross-validation"
    )]
    BadPool {
        /// The size of the pool.
        pool: usize,
        /// The labelled rows.
        rows: usize,
    },
    /// Training sets of sub-sampled cross-validation that are empty, or that leave too few rows to test.
    #[error("training sets of {train} rows: of {rows} labelled rows they may take 1 to two less than all")]
    BadTrainingSize {
        /// The size of the training sets.
        train: usize,
        /// The labelled rows.
        rows: usize,
    },
    /// An overlap of training sets that cannot be had.
    #[error(
        "an overlap of {overlap}: expected {least} or more (the share of the other rows that a training set takes) and below 1"
    )]
    BadOverlap {
        /// The overlap.
        overlap: f64,
        /// The least one.
        least: f64,
    },
    /// A resampling that was made for other rows, folds for example.
    #[error("the folds are those of other data: {why}")]
    OtherFolds {
        /// What does not fit.
        why: String,
    },
    /// Nobody to evaluate.
    #[error("there is no learner to evaluate")]
    NoLearners,
    /// Two learners of one name, whose results could not be told apart.
    #[error("two learners are called '{name}'; name each one once")]
    DuplicateLearner {
        /// The name.
        name: String,
    },
    /// A test file without a row that could be scored.
    #[error("{file}: no row has a class label that the training data know, so there is nothing to test on")]
    NoTestRows {
        /// The file's name.
        file: String,
    },
    /// The rows of one part could not be coded.
    #[error("{part}: {source}")]
    Unprepared {
        /// Which part.
        part: Part,
        /// Why.
        source: Box<Error>,
    },
    /// A learner failed on one part.
    #[error("{learner}, {part}: {source}")]
    Failed {
        /// The learner's name.
        learner: String,
        /// Which part.
        part: Part,
        /// Why.
        source: Box<Error>,
    },
    /// A finished part of an interrupted run that does not belong to this one.
    #[error(
        "the finished work of '{learner}', repeat {repeat}, fold {fold} is not of this evaluation: {why}; start anew"
    )]
    OtherRun {
        /// The learner's name in the record.
        learner: String,
        /// The repeat, from 1.
        repeat: usize,
        /// The fold, from 1.
        fold: usize,
        /// What does not fit.
        why: String,
    },
    /// Probabilities that are none.
    #[error(
        "row {row} (from 0): {found} is no distribution over the classes; expected probabilities that sum to 1"
    )]
    BadPosterior {
        /// The row, from 0.
        row: usize,
        /// What was found.
        found: String,
    },
    /// Parts that do not fit together.
    #[error("{0}")]
    Shape(String),
    /// A level of significance outside (0, 1).
    #[error("significance level {level}: expected a number above 0 and below 1, such as 0.05")]
    BadLevel {
        /// The level given.
        level: f64,
    },
    /// Too few learners or data sets for a critical difference.
    #[error(
        "{learners} learners on {data_sets} data sets: a critical difference needs 2 learners and 1 data set or more"
    )]
    TooFewToCompare {
        /// The learners.
        learners: usize,
        /// The data sets.
        data_sets: usize,
    },
}

impl From<bnc_models::Error> for Error {
    fn from(error: bnc_models::Error) -> Self {
        Self::Models(Box::new(error))
    }
}

/// A part of an evaluation, as messages name it: a fold of a repeat, a repeat of one part, or the only test file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The repeat, from 0.
    pub repeat: usize,
    /// The number of repeats.
    pub repeats: usize,
    /// The fold, from 0.
    pub fold: usize,
    /// The number of folds; 1 when there are training sets without folds or a test file instead.
    pub folds: usize,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { repeat, repeats, fold, folds } = self;
        match (repeats, folds) {
            (1, 1) => f.write_str("test file"),
            (_, 1) => write!(f, "repeat {} of {repeats}", repeat + 1),
            _ => write!(f, "repeat {} of {repeats}, fold {} of {folds}", repeat + 1, fold + 1),
        }
    }
}
