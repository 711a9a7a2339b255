//! Files that are read again and again instead of being kept in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::table::Piece;
use super::{Format, ReadOptions, Reading, Report};
use crate::{Error, Frame, Place, Progress, RawColumn, RawSource, Result};

/// How many rows a chunk has.
const CHUNK: usize = 65_536;

/// A file whose rows are streamed: every scan reads it anew in chunks of 65,536 rows.
///
/// Memory does not grow with the rows: a first pass keeps the distinct labels of each column (at most 65,535) and
/// nothing else. Columns, labels, codes and numbers are exactly those of [`read`](super::read).
pub struct FileSource<'a> {
    path: PathBuf,
    format: Format,
    options: ReadOptions,
    progress: &'a dyn Progress,
    columns: Vec<RawColumn>,
    report: Report,
}

impl std::fmt::Debug for FileSource<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileSource")
            .field("path", &self.path)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

/// Surveys a CSV or ARFF file (gzipped or not) in one pass and gives a source of its rows.
///
/// `progress` is told of the bytes read, and asked whether to go on, in this pass and in every scan.
///
/// # Errors
/// Those of [`read`](super::read).
pub fn open<'a>(path: &Path, options: &ReadOptions, progress: &'a dyn Progress) -> Result<FileSource<'a>> {
    let format = Format::of(path)?;
    let mut reading = Reading::file(path, format, options, progress)?;
    reading.run(|_, _| Ok(()))?;
    let (columns, report) = reading.finish()?;
    Ok(FileSource { path: path.into(), format, options: options.clone(), progress, columns, report })
}

impl FileSource<'_> {
    /// What the first pass found.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    fn changed(&self) -> Error {
        Error::Format {
            place: Place::file(&*self.report.file),
            found: "the file changed while it was read".into(),
            expected: "the same columns and rows in every pass".into(),
        }
    }
}

impl RawSource for FileSource<'_> {
    fn file(&self) -> Arc<str> {
        Arc::clone(&self.report.file)
    }

    fn columns(&self) -> Vec<RawColumn> {
        self.columns.clone()
    }

    fn class(&self) -> Option<usize> {
        self.report.class
    }

    fn scan(&self, visit: &mut dyn FnMut(&Frame) -> Result<()>) -> Result<()> {
        let mut reading = Reading::file(&self.path, self.format, &self.options, self.progress)?;
        if !reading.table.settle(&self.columns, self.report.weighted) {
            return Err(self.changed());
        }
        let mut chunk: Vec<Piece> = Vec::new();
        let mut rows = 0;
        reading.run(|table, mut piece| {
            while rows + piece.rows() >= CHUNK {
                chunk.push(piece.take_first(CHUNK - rows));
                rows = 0;
                visit(&table.join(&self.columns, std::mem::take(&mut chunk)))?;
            }
            rows += piece.rows();
            chunk.push(piece);
            Ok(())
        })?;
        if rows > 0 {
            visit(&reading.table.join(&self.columns, chunk))?;
        }
        if reading.table.rows() == self.report.rows { Ok(()) } else { Err(self.changed()) }
    }
}
