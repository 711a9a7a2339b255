//! The wire form of a network. A released version never changes.

use std::path::Path;
use std::sync::Arc;

use bnc_data::Schema;
use bnc_structure::{Family, Structure};
use serde::{Deserialize, Serialize};

use super::Network;
use crate::{Classifier, Loader, Result, Saved};

/// Reads networks.
pub const NETWORK_LOADER: Loader = Loader { kind: KIND, version: VERSION, load };

const KIND: &str = "network";
const VERSION: u32 = 1;

/// Version 1: per feature the feature parents, whether the class is a parent and the logs; then those of the class.
#[derive(Serialize, Deserialize)]
struct NetworkV1 {
    features: Vec<FeatureV1>,
    class_parents: Vec<u32>,
    class_logs: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
struct FeatureV1 {
    parents: Vec<u32>,
    class: bool,
    logs: Vec<f64>,
}

impl Network {
    pub(super) fn to_saved(&self) -> Result<Saved> {
        let narrow = |list: &[usize]| list.iter().map(|&index| index as u32).collect();
        let feature = |(family, table): (&Family, &super::ConditionalTable)| FeatureV1 {
            parents: narrow(&family.parents),
            class: family.class,
            logs: table.logs.clone(),
        };
        let wire = NetworkV1 {
            features: self.structure.features().iter().zip(&self.tables).map(feature).collect(),
            class_parents: narrow(self.structure.class_parents()),
            class_logs: self.class.clone(),
        };
        Ok(Saved { kind: KIND, version: VERSION, bytes: bnc_data::encode(&wire)? })
    }
}

fn load(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    let wire: NetworkV1 = bnc_data::decode(bytes, path)?;
    let widen = |list: Vec<u32>| list.into_iter().map(|index| index as usize).collect();
    let (families, tables): (Vec<Family>, Vec<Vec<f64>>) = wire
        .features
        .into_iter()
        .map(|feature| (Family { parents: widen(feature.parents), class: feature.class }, feature.logs))
        .unzip();
    let structure = Structure::new(families, widen(wire.class_parents))?;
    Ok(Box::new(Network::from_parts(Arc::clone(schema), structure, wire.class_logs, tables)?))
}
