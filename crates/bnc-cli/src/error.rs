//! What a command can fail with, and the exit status that it becomes.

use std::io;
use std::process::ExitCode;

/// A result of a command.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a command did not do its work. Its text is one line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The command line asks for something that does not exist or does not go together.
    #[error("{0}")]
    Usage(String),
    /// The work failed.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error>),
    /// A result could not be written to standard output.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

/// Any error of a library is work that failed.
macro_rules! failed_by {
    ($($library:ty),*) => {$(
        impl From<$library> for Error {
            fn from(error: $library) -> Self {
                Self::Failed(error.into())
            }
        }
    )*};
}

failed_by!(bnc_data::Error, bnc_models::Error, bnc_eval::Error, std::fmt::Error);

impl From<csv::Error> for Error {
    fn from(error: csv::Error) -> Self {
        Self::Output(match error.into_kind() {
            csv::ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        })
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

impl Error {
    /// Work that failed, in words.
    pub(crate) fn failed(why: impl Into<String>) -> Self {
        Self::Failed(why.into().into())
    }

    /// Whether nobody reads the output any more, as in `bnc … | head`.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The name, where the data lack a column that was asked for.
    pub(crate) fn no_such_column(&self) -> Option<&String> {
        match self {
            Self::Failed(error) => match error.downcast_ref() {
                Some(bnc_data::Error::NoSuchColumn { column, .. }) => Some(column),
                _ => None,
            },
            _ => None,
        }
    }

    /// 2 for a wrong command line, 1 for work that failed.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(if matches!(self, Self::Usage(_)) { 2 } else { 1 })
    }
}
