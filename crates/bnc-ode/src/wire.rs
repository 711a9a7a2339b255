//! The wire form of an ensemble. A released version never changes.

use std::path::Path;
use std::sync::Arc;

use bnc_models::bnc_data::{self, Schema};
use bnc_models::{Classifier, Error, Loader, Result, Saved, Smoothing};
use serde::{Deserialize, Serialize};

use crate::aode::{Aode, Joint};
use crate::model::AodeModel;
use crate::pairs::PairCounts;

/// Reads AODE models.
pub const AODE_LOADER: Loader = Loader { kind: KIND, version: VERSION, load };

const KIND: &str = "aode";
const VERSION: u32 = 1;

/// Version 1: the parameters and the counts; the probabilities follow from them.
#[derive(Serialize, Deserialize)]
struct AodeV1 {
    /// As users write it.
    smoothing: String,
    minimum_frequency: u64,
    factored_joint: bool,
    class: Vec<u64>,
    singles: Vec<u64>,
    pairs: Vec<u64>,
}

impl AodeModel {
    pub(crate) fn to_saved(&self) -> Result<Saved> {
        let (class, singles, pairs) = self.counts.flat();
        let wire = AodeV1 {
            smoothing: self.learner.smoothing.to_string(),
            minimum_frequency: self.learner.minimum_frequency,
            factored_joint: self.learner.joint == Joint::Factored,
            class: class.to_vec(),
            singles: singles.to_vec(),
            pairs: pairs.to_vec(),
        };
        Ok(Saved { kind: KIND, version: VERSION, bytes: bnc_data::encode(&wire)? })
    }
}

fn load(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    let wire: AodeV1 = bnc_data::decode(bytes, path)?;
    let smoothing: Smoothing = wire
        .smoothing
        .parse()
        .map_err(|expected| Error::Unsound(format!("smoothing '{}', expected {expected}", wire.smoothing)))?;
    let learner = Aode {
        smoothing,
        minimum_frequency: wire.minimum_frequency,
        joint: if wire.factored_joint { Joint::Factored } else { Joint::Direct },
    };
    // A row more than 2^53 would not be exact, and sums must not overflow.
    let total = wire
        .class
        .iter()
        .chain(&wire.singles)
        .chain(&wire.pairs)
        .try_fold(0_u64, |_, &count| (count <= 1 << 53).then_some(count));
    let counts = PairCounts::from_flat(schema, wire.class, wire.singles, wire.pairs);
    let (Some(_), Some(counts)) = (total, counts) else {
        return Err(Error::Unsound("its counts do not fit its schema".into()));
    };
    Ok(Box::new(AodeModel::new(Arc::clone(schema), learner, counts)?))
}
