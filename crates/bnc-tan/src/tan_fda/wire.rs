//! The wire form. A released version never changes.

use std::path::Path;
use std::sync::Arc;

use bnc_models::bnc_data::{self, Schema};
use bnc_models::bnc_stats::PairCounts;
use bnc_models::{Classifier, Error, Loader, Result, Saved, Smoothing};
use serde::{Deserialize, Serialize};

use super::logs::check_size;
use super::{TanFda, TanFdaModel};

/// Reads TAN-FDA models.
pub const TAN_FDA_LOADER: Loader = Loader { kind: KIND, version: VERSION, load, older: &[] };

const KIND: &str = "tan-fda";
const VERSION: u32 = 1;

/// Version 1: the parameters, the counts and the weights of the pairs; all else follows from them.
#[derive(Serialize, Deserialize)]
struct TanFdaV1 {
    /// As users write it.
    smoothing: String,
    minimum_frequency: u64,
    class: Vec<u64>,
    singles: Vec<u64>,
    pairs: Vec<u64>,
    weights: Vec<f64>,
}

impl TanFdaModel {
    pub(super) fn to_saved(&self) -> Result<Saved> {
        let (class, singles, pairs) = self.counts.flat();
        let wire = TanFdaV1 {
            smoothing: self.learner.smoothing.to_string(),
            minimum_frequency: self.learner.minimum_frequency,
            class: class.to_vec(),
            singles: singles.to_vec(),
            pairs: pairs.to_vec(),
            weights: self.weights.clone(),
        };
        Ok(Saved { kind: KIND, version: VERSION, bytes: bnc_data::encode(&wire)? })
    }
}

fn load(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    check_size(schema)?;
    let wire: TanFdaV1 = bnc_data::decode(bytes, path)?;
    let smoothing = Smoothing::stored(&wire.smoothing)?;
    let learner = TanFda { smoothing, minimum_frequency: wire.minimum_frequency };
    learner.validate()?;
    let counts = PairCounts::from_flat(schema, wire.class, wire.singles, wire.pairs)
        .ok_or_else(|| Error::Unsound("its counts do not fit its schema".into()))?;
    let features = schema.features().len();
    let pairs = features * features.saturating_sub(1) / 2;
    if wire.weights.len() != pairs || wire.weights.iter().any(|weight| !weight.is_finite()) {
        return Err(Error::Unsound(format!("its weights are not {pairs} finite numbers")));
    }
    Ok(Box::new(TanFdaModel::new(Arc::clone(schema), learner, counts, wire.weights)))
}
