//! Where results go: standard output, or a file that is written whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bnc_data::write_atomically;
use serde::Serialize;

use crate::error::{Error, Result};

/// Writes a result to a file, or to standard output where none is named.
pub(crate) fn write(path: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let Some(path) = path else {
        let mut out = BufWriter::new(io::stdout().lock());
        write(&mut out)?;
        return Ok(out.flush()?);
    };
    let mut failure = None;
    let written = write_atomically(path, |file| {
        write(file).map_err(|error| match error {
            Error::Output(error) => error,
            error => {
                failure = Some(error);
                io::Error::other("given up")
            }
        })
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(written?),
    }
}

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    write(None, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Writes a document as JSON to a file or to standard output.
pub(crate) fn write_json(path: Option<&Path>, document: &impl Serialize) -> Result<()> {
    write(path, |out| {
        serde_json::to_writer_pretty(&mut *out, document)?;
        Ok(writeln!(out)?)
    })
}

/// Prints results as a report; as JSON instead to `-`, beside it to another file.
pub(crate) fn results(
    json: Option<&Path>,
    document: &impl Serialize,
    report: impl FnOnce() -> Result<String>,
) -> Result<()> {
    if let Some(path) = json {
        let file = (path.as_os_str() != "-").then_some(path);
        write_json(file, document)?;
        if file.is_none() {
            return Ok(());
        }
    }
    print(&report()?)
}

/// Reads the name of a file for results: a mistyped command line must not replace data by them.
pub(crate) fn result_file(text: &str) -> Result<PathBuf, String> {
    let lower = text.to_ascii_lowercase();
    let looks_like_data = text.starts_with("builtin:")
        || [".csv", ".tsv", ".arff", ".parquet", ".gz"].iter().any(|ending| lower.ends_with(ending));
    if looks_like_data {
        return Err("this looks like data; name another file, or put --json last".into());
    }
    Ok(text.into())
}
