//! The finished work of evaluations in a file: one JSON document a line.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

use bnc_eval::{Finished, NamedLearner};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A journal that is read once and appended to.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    records: Vec<Record>,
}

/// A fold that a learner has finished, with the run that it belongs to.
#[derive(Serialize, Deserialize)]
struct Record {
    run: String,
    finished: Finished,
}

impl Journal {
    /// Opens a journal, or makes a new one. A line that was cut off by an interruption is dropped.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let io = |error| bnc_data::Error::io(path, error);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let mut reader = BufReader::new(&file);
        let mut records = Vec::new();
        let mut whole = 0;
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(io)?;
            if line.last() != Some(&b'\n') {
                break;
            }
            let record = serde_json::from_slice(&line).map_err(|_| {
                Error::failed(format!(
                    "{}, line {}: not the record of an evaluation; name a new file to start one",
                    path.display(),
                    records.len() + 1
                ))
            })?;
            records.push(record);
            whole += read as u64;
        }
        // A file of one line without an end could be anything; only what began as a journal is cut.
        if records.is_empty() && !line.is_empty() && !line.starts_with(b"{\"run\":") {
            return Err(Error::failed(format!(
                "{}: not the record of an evaluation; name a new file to start one",
                path.display()
            )));
        }
        file.set_len(whole).map_err(io)?;
        file.seek(std::io::SeekFrom::End(0)).map_err(io)?;
        Ok(Self { path: path.into(), file, records })
    }

    /// The finished work of these learners in a run.
    pub(super) fn finished(&self, run: &str, learners: &[NamedLearner<'_>]) -> Vec<Finished> {
        let known = |name: &str| learners.iter().any(|(learner, _)| *learner == name);
        let belongs = |record: &&Record| record.run == run && known(&record.finished.learner);
        self.records.iter().filter(belongs).map(|record| record.finished.clone()).collect()
    }

    /// Appends a record. The whole line is written at once.
    pub(super) fn add(&mut self, run: &str, finished: &Finished) -> bnc_data::Result<()> {
        let record = Record { run: run.into(), finished: finished.clone() };
        let mut line =
            serde_json::to_vec(&record).map_err(|error| bnc_data::Error::io(&self.path, error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(|error| bnc_data::Error::io(&self.path, error))
    }
}
