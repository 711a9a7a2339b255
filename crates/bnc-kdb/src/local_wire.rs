//! The wire form of learners that keep their rows. A released version never changes.

use std::path::Path;
use std::sync::Arc;

use bnc_models::bnc_data::{self, Dataset, Schema};
use bnc_models::{Classifier, Loader, Result, Saved, Smoothing};
use serde::{Deserialize, Serialize};

use crate::rows::RowsV1;
use crate::{LocalKdb, LocalKdbModel};

/// Reads local KDB.
pub const LOCAL_KDB_LOADER: Loader = Loader { kind: KIND, version: VERSION, load, older: &[] };

const KIND: &str = "local-kdb";
const VERSION: u32 = 1;

/// Version 1: the parameters and the rows; all else follows from them.
#[derive(Serialize, Deserialize)]
struct LocalKdbV1 {
    /// As users write it.
    smoothing: String,
    k: u64,
    l: u64,
    rows: RowsV1,
}

/// The bytes of parameters and distinct rows.
pub(crate) fn write(learner: LocalKdb, rows: &Dataset) -> Result<Vec<u8>> {
    let wire = LocalKdbV1 {
        smoothing: learner.smoothing.to_string(),
        k: learner.k as u64,
        l: learner.l,
        rows: RowsV1::of(rows),
    };
    Ok(bnc_data::encode(&wire)?)
}

/// The parameters and distinct rows of such bytes.
pub(crate) fn read(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<(LocalKdb, Dataset)> {
    let wire: LocalKdbV1 = bnc_data::decode(bytes, path)?;
    let k = usize::try_from(wire.k).unwrap_or(usize::MAX);
    Ok((LocalKdb { k, l: wire.l, smoothing: Smoothing::stored(&wire.smoothing)? }, wire.rows.rows(schema)?))
}

impl LocalKdbModel {
    pub(crate) fn to_saved(&self) -> Result<Saved> {
        Ok(Saved { kind: KIND, version: VERSION, bytes: write(self.learner, &self.rows)? })
    }
}

fn load(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    let (learner, rows) = read(bytes, path, schema)?;
    Ok(Box::new(LocalKdbModel::new(learner, rows)?))
}
