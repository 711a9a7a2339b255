//! What can go wrong between a file and its codes.

use std::fmt;
use std::path::PathBuf;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Where in a file something stands: `name`, `name:line` or `name:line:column`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The file's name as the caller gave it, or what stands for it (`standard input`).
    pub file: String,
    /// The line, from 1; 0 when it is the file as a whole.
    pub line: u64,
    /// The name of the column concerned; empty when it is the whole line.
    pub column: String,
}

impl Place {
    /// The file as a whole.
    #[must_use]
    pub fn file(file: impl Into<String>) -> Self {
        Self { file: file.into(), ..Self::default() }
    }

    /// A line of a file, counted from 1.
    #[must_use]
    pub fn line(file: impl Into<String>, line: u64) -> Self {
        Self { file: file.into(), line, ..Self::default() }
    }

    /// The same place, narrowed to a column.
    #[must_use]
    pub fn in_column(mut self, column: impl Into<String>) -> Self {
        self.column = column.into();
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ", line {}", self.line)?;
        }
        if !self.column.is_empty() {
            write!(f, ", column '{}'", self.column)?;
        }
        Ok(())
    }
}

/// An error of reading, describing or coding data, or of the file envelope.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file breaks the rules of its format.
    #[error("{place}: {found}; expected {expected}")]
    Format {
        /// Where.
        place: Place,
        /// What stands there.
        found: String,
        /// What should stand there, and the way out.
        expected: String,
    },
    /// A cell holds a value that its column does not admit.
    #[error("{place}: value '{value}' is not {expected}")]
    BadValue {
        /// Where.
        place: Place,
        /// The cell's text.
        value: String,
        /// What the column admits, and the way out.
        expected: String,
    },
    /// A missing cell under the policy `reject`.
    #[error(
        "{place}: the cell is missing, and missing cells are rejected; fill it or choose ignore, value or mode"
    )]
    MissingCell {
        /// Where.
        place: Place,
    },
    /// A column that was asked for is not there.
    #[error("no column '{column}'; there are: {}", available.join(", "))]
    NoSuchColumn {
        /// The name that was asked for.
        column: String,
        /// The names that exist.
        available: Vec<String>,
    },
    /// Two columns have the same name.
    #[error("two columns are named '{column}'; rename or drop one")]
    DuplicateColumn {
        /// The shared name.
        column: String,
    },
    /// Two values of a variable have the same label.
    #[error("variable '{variable}' lists the label '{label}' twice")]
    DuplicateLabel {
        /// The variable.
        variable: String,
        /// The repeated label.
        label: String,
    },
    /// A variable without any value.
    #[error("variable '{variable}' has no values")]
    NoValues {
        /// The variable.
        variable: String,
    },
    /// More distinct values than a code can hold.
    #[error(
        "column '{variable}' has more than {limit} distinct values; drop it if it is an identifier, or make it numeric"
    )]
    TooManyValues {
        /// The variable.
        variable: String,
        /// The largest number allowed.
        limit: usize,
    },
    /// Cut points that are not finite and strictly increasing.
    #[error("the cut points of '{variable}' are not finite and strictly increasing")]
    BadCuts {
        /// The variable.
        variable: String,
    },
    /// A numeric class.
    #[error("the class '{column}' is numeric; name it among the nominal columns, or choose another class")]
    NumericClass {
        /// The class column.
        column: String,
    },
    /// A table without rows that could be learnt from.
    #[error("{file}: no row has a class label, so there is nothing to learn from")]
    NoLabelledRows {
        /// The file's name.
        file: String,
    },
    /// A parameter outside its range.
    #[error("{parameter} = {value}: expected {expected}")]
    BadParameter {
        /// The parameter's name.
        parameter: String,
        /// The value given.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// Parts of a table that do not fit together.
    #[error("{0}")]
    Shape(String),
    /// A file that no program of this project wrote.
    #[error("{}: not a bnc file (its first bytes are not the signature); models are written by `bnc train`", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// A file of this project, but of another kind.
    #[error("{}: holds '{found}', expected {expected}", path.display())]
    AnotherKind {
        /// The file.
        path: PathBuf,
        /// The kind that the file declares.
        found: String,
        /// The kind that was asked for.
        expected: String,
    },
    /// A file written by a newer version.
    #[error("{}: written by a newer version (format {found}, this program reads up to {supported}); update bnc", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The newest version that can be read.
        supported: u32,
    },
    /// A file that was cut or changed after it was written.
    #[error("{}: damaged ({why}); make it again or take another copy", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not hold.
        why: String,
    },
    /// The caller cancelled the work.
    #[error("cancelled")]
    Cancelled,
}

impl Error {
    /// An [`Error::Io`] about `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
