//! What a caller wants of a file.

use crate::RawColumn;

/// How a file is read; the default reads every column, takes the last one as the class and guesses kinds.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadOptions {
    /// Which column is the class. A class is always read as categories.
    pub class: ClassChoice,
    /// Columns whose cells are labels, whatever they look like.
    pub nominal: Vec<String>,
    /// Columns whose cells are numbers, `nan` (missing), `inf` or `-inf`; anything else is an error.
    pub numeric: Vec<String>,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// Read only these columns, each as the kind given, and pass over all others: what
    /// [`Encoder::raw_columns`](crate::Encoder::raw_columns) asks for at prediction. All must be there, but for a
    /// class that is [`ClassChoice::IfPresent`].
    pub columns: Option<Vec<RawColumn>>,
    /// The column of case weights: whole numbers from 0 to 2³² − 1. It is not a feature.
    pub weight: Option<String>,
    /// Texts that mean a missing cell, beside an empty cell and `?`.
    pub missing_tokens: Vec<String>,
    /// Whether the first row of a CSV file holds the names; otherwise they are `column1`, `column2` and so on.
    pub header: bool,
    /// What separates the cells of a CSV file: one ASCII character. By default a tab in `.tsv`; elsewhere a
    /// comma, or, when the first line holds no comma, a semicolon or tab that it does hold.
    pub delimiter: Option<u8>,
    /// The character encoding, by its name; default UTF-8. A byte order mark wins over it.
    pub encoding: Option<String>,
    /// Whether columns of numbers are read as numbers; otherwise every column holds labels.
    pub infer_numbers: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            class: ClassChoice::Last,
            nominal: Vec::new(),
            numeric: Vec::new(),
            drop: Vec::new(),
            columns: None,
            weight: None,
            missing_tokens: Vec::new(),
            header: true,
            delimiter: None,
            encoding: None,
            infer_numbers: true,
        }
    }
}

/// Which column is the class.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ClassChoice {
    /// The last column that is read.
    #[default]
    Last,
    /// The column of that name, which must be there.
    Named(String),
    /// The column of that name, where there is one; otherwise the rows are unlabelled.
    IfPresent(String),
}
