//! What can go wrong while learning or using a classifier.

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of learning or using a classifier.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The data could not be read, coded or written.
    #[error(transparent)]
    Data(#[from] bnc_data::Error),
    /// The counts could not be had.
    #[error(transparent)]
    Stats(#[from] bnc_stats::Error),
    /// The graph is not usable.
    #[error(transparent)]
    Structure(#[from] bnc_structure::Error),
    /// There is nothing to learn from.
    #[error("no row has a class label, so there is nothing to learn from")]
    NoLabelledRows,
    /// A parameter outside its range.
    #[error("{learner}: {parameter}={value} is not {expected}")]
    BadParameter {
        /// The learner's name.
        learner: String,
        /// The parameter's name.
        parameter: String,
        /// The value given.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// A learner's name that does not exist.
    #[error("no learner '{name}'; there are: {}", available.join(", "))]
    NoSuchLearner {
        /// The name given.
        name: String,
        /// The names that exist.
        available: Vec<String>,
    },
    /// A parameter that a learner does not have.
    #[error("{learner} has no parameter '{parameter}'; {}", available_parameters(available))]
    NoSuchParameter {
        /// The learner's name.
        learner: String,
        /// The parameter given.
        parameter: String,
        /// The parameters that exist.
        available: Vec<String>,
    },
    /// A learner written in another form than `name:key=value,key=value`.
    #[error("'{text}' is not a learner; write NAME or NAME:KEY=VALUE,KEY=VALUE")]
    BadSpec {
        /// The text given.
        text: String,
    },
    /// A table too large to store.
    #[error("{what} needs {}, the limit is {}; {way_out}", amount(*cells), amount(*limit as u64))]
    TooLarge {
        /// What would be stored.
        what: String,
        /// The cells that it needs, 8 bytes each; the largest number where it is beyond all bounds.
        cells: u64,
        /// The largest number of cells allowed.
        limit: usize,
        /// How to get by with less.
        way_out: String,
    },
    /// Required or forbidden arcs that cannot be had.
    #[error("constraints on the arcs: {0}")]
    BadConstraint(String),
    /// A row that does not fit the schema.
    #[error("a row of {found} codes, the model has {expected} features")]
    RowLength {
        /// The codes given.
        found: usize,
        /// The features of the model.
        expected: usize,
    },
    /// A code that its variable does not have.
    #[error("code {code} of '{variable}' is outside its {cardinality} values")]
    BadCode {
        /// The variable.
        variable: String,
        /// The code.
        code: u16,
        /// The number of values.
        cardinality: usize,
    },
    /// Class probabilities that are none.
    #[error("prior: {0}")]
    BadPrior(String),
    /// A stored model that is not sound.
    #[error("the stored model is not sound: {0}")]
    Unsound(String),
    /// A stored model of a kind or version that this program does not have.
    #[error("the model is of kind '{kind}', version {version}; this program reads: {}; update it", supported.join(", "))]
    UnknownModel {
        /// The kind in the file.
        kind: String,
        /// The version in the file.
        version: u32,
        /// The kinds that can be read.
        supported: Vec<String>,
    },
}

fn amount(cells: u64) -> String {
    if cells == u64::MAX {
        return "more cells than can be counted".into();
    }
    format!("{cells} cells ({:.1} GiB)", cells as f64 * 8.0 / f64::from(1 << 30))
}

fn available_parameters(available: &[String]) -> String {
    if available.is_empty() { "it takes none".into() } else { format!("it takes: {}", available.join(", ")) }
}
