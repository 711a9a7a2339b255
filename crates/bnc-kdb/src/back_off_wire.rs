//! The wire form of a network with back-off. A released version never changes.

use std::path::Path;
use std::sync::Arc;

use bnc_models::bnc_data::{self, Schema};
use bnc_models::bnc_structure::Structure;
use bnc_models::{Classifier, Loader, Result, Saved, Smoothing};
use serde::{Deserialize, Serialize};

use crate::BackOffNetwork;
use crate::back_off::Level;

/// Reads networks with back-off.
pub const BACK_OFF_LOADER: Loader = Loader { kind: KIND, version: VERSION, load, older: &[] };

const KIND: &str = "kdb-back-off";
const VERSION: u32 = 1;

/// Version 1: the parents and the counts; the probabilities follow from them.
#[derive(Serialize, Deserialize)]
struct BackOffV1 {
    /// As users write it.
    smoothing: String,
    class: Vec<u64>,
    features: Vec<FeatureV1>,
}

#[derive(Serialize, Deserialize)]
struct FeatureV1 {
    parents: Vec<u32>,
    /// For each number of parents the observed configurations, and for each of them the counts of values × classes.
    levels: Vec<(Vec<u128>, Vec<u64>)>,
}

impl BackOffNetwork {
    pub(crate) fn to_saved(&self) -> Result<Saved> {
        let level = |level: &Level| (level.configurations.clone(), level.counts.clone());
        let features = self.structure().features().iter().zip(&self.levels);
        let wire = BackOffV1 {
            smoothing: self.smoothing.to_string(),
            class: self.class.clone(),
            features: features
                .map(|(family, levels)| FeatureV1 {
                    parents: family.parents.iter().map(|&parent| parent as u32).collect(),
                    levels: levels.iter().map(level).collect(),
                })
                .collect(),
        };
        Ok(Saved { kind: KIND, version: VERSION, bytes: bnc_data::encode(&wire)? })
    }
}

fn load(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    let wire: BackOffV1 = bnc_data::decode(bytes, path)?;
    let smoothing = Smoothing::stored(&wire.smoothing)?;
    let (parents, levels) = wire
        .features
        .into_iter()
        .map(|feature| {
            let parents = feature.parents.into_iter().map(|parent| parent as usize).collect();
            (parents, feature.levels)
        })
        .unzip();
    let structure = Structure::augmented(parents)?;
    Ok(Box::new(BackOffNetwork::new(Arc::clone(schema), structure, smoothing, wire.class, levels)?))
}
