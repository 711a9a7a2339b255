//! The wire forms of a network. A released version never changes.

use std::path::Path;
use std::sync::Arc;

use bnc_data::Schema;
use bnc_structure::{Family, Structure};
use serde::{Deserialize, Serialize};

use super::table::{Blocks, ConditionalTable, Observed};
use super::{Network, StructureScore};
use crate::{Classifier, Loader, Result, Saved};

/// Reads networks.
pub const NETWORK_LOADER: Loader = Loader { kind: KIND, version: VERSION, load, older: &[load_v1] };

const KIND: &str = "network";
const VERSION: u32 = 2;

/// Version 1: per feature the feature parents, whether the class is a parent and the logs; then those of the class.
#[derive(Deserialize)]
struct NetworkV1 {
    features: Vec<FeatureV1>,
    class_parents: Vec<u32>,
    class_logs: Vec<f64>,
}

#[derive(Deserialize)]
struct FeatureV1 {
    parents: Vec<u32>,
    class: bool,
    logs: Vec<f64>,
}

/// Version 2: tables may hold observed configurations only; there may be a score.
#[derive(Serialize, Deserialize)]
struct NetworkV2 {
    features: Vec<FeatureV2>,
    class_parents: Vec<u32>,
    class_table: TableV2,
    score: Option<ScoreV2>,
}

#[derive(Serialize, Deserialize)]
struct FeatureV2 {
    parents: Vec<u32>,
    class: bool,
    table: TableV2,
}

#[derive(Serialize, Deserialize)]
enum TableV2 {
    Dense(Vec<f64>),
    Observed { configurations: Vec<u128>, logs: Vec<f64>, otherwise: Vec<f64> },
}

#[derive(Serialize, Deserialize)]
struct ScoreV2 {
    name: String,
    equivalent_sample_size: Option<f64>,
    rows: u64,
    features: f64,
    total: f64,
    optima: Option<u64>,
}

impl Network {
    pub(super) fn to_saved(&self) -> Result<Saved> {
        let feature = |(family, table): (&Family, &ConditionalTable)| FeatureV2 {
            parents: narrow(&family.parents),
            class: family.class,
            table: TableV2::of(table.blocks()),
        };
        let wire = NetworkV2 {
            features: self.structure.features().iter().zip(&self.tables).map(feature).collect(),
            class_parents: narrow(self.structure.class_parents()),
            class_table: TableV2::of(self.class.blocks()),
            score: self.score.as_ref().map(ScoreV2::of),
        };
        Ok(Saved { kind: KIND, version: VERSION, bytes: bnc_data::encode(&wire)? })
    }
}

impl TableV2 {
    fn of(blocks: &Blocks) -> Self {
        match blocks.clone() {
            Blocks::Dense(logs) => Self::Dense(logs),
            Blocks::Observed(Observed { configurations, logs, otherwise }) => {
                Self::Observed { configurations, logs, otherwise }
            }
        }
    }

    fn blocks(self) -> Blocks {
        match self {
            Self::Dense(logs) => Blocks::Dense(logs),
            Self::Observed { configurations, logs, otherwise } => {
                Blocks::Observed(Observed { configurations, logs, otherwise })
            }
        }
    }
}

impl ScoreV2 {
    fn of(score: &StructureScore) -> Self {
        let StructureScore { name, equivalent_sample_size, rows, features, total, optima } = score.clone();
        Self { name, equivalent_sample_size, rows, features, total, optima }
    }

    fn score(self) -> StructureScore {
        let Self { name, equivalent_sample_size, rows, features, total, optima } = self;
        StructureScore { name, equivalent_sample_size, rows, features, total, optima }
    }
}

fn load(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    let wire: NetworkV2 = bnc_data::decode(bytes, path)?;
    let features = wire.features.into_iter().map(|it| (it.parents, it.class, it.table.blocks()));
    let network = network(schema, features, wire.class_parents, wire.class_table.blocks())?;
    Ok(Box::new(Network { score: wire.score.map(ScoreV2::score), ..network }))
}

fn load_v1(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    let wire: NetworkV1 = bnc_data::decode(bytes, path)?;
    let features = wire.features.into_iter().map(|it| (it.parents, it.class, Blocks::Dense(it.logs)));
    Ok(Box::new(network(schema, features, wire.class_parents, Blocks::Dense(wire.class_logs))?))
}

/// The network of features as (parents, whether the class is a parent, table).
fn network(
    schema: &Arc<Schema>,
    features: impl Iterator<Item = (Vec<u32>, bool, Blocks)>,
    class_parents: Vec<u32>,
    class_table: Blocks,
) -> Result<Network> {
    let (families, tables): (Vec<Family>, Vec<Blocks>) =
        features.map(|(parents, class, blocks)| (Family { parents: widen(parents), class }, blocks)).unzip();
    let structure = Structure::new(families, widen(class_parents))?;
    Network::from_parts(Arc::clone(schema), structure, class_table, tables)
}

fn narrow(list: &[usize]) -> Vec<u32> {
    list.iter().map(|&index| index as u32).collect()
}

fn widen(list: Vec<u32>) -> Vec<usize> {
    list.into_iter().map(|index| index as usize).collect()
}
