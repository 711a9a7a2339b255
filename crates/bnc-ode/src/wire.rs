//! The wire forms of the models. A released version never changes.

use std::path::Path;
use std::sync::Arc;

use bnc_models::bnc_data::{self, Schema};
use bnc_models::bnc_stats::PairCounts;
use bnc_models::{Classifier, Error, Loader, Result, Saved, Smoothing};
use serde::{Deserialize, Serialize};

use crate::a2de::{A2de, check_size};
use crate::ensemble::{Ensemble, Joint, Resolution, Settings};
use crate::hnb::HnbModel;
use crate::triples::TripleCounts;
use crate::two_dependence::TwoDependenceEnsemble;

/// Reads ensembles of one-dependence estimators.
pub const ENSEMBLE_LOADER: Loader =
    Loader { kind: "one-dependence-ensemble", version: 1, load: load_ensemble, older: &[] };

/// Reads hidden naive Bayes.
pub const HNB_LOADER: Loader = Loader { kind: "hidden-naive-bayes", version: 1, load: load_hnb, older: &[] };

/// Reads A2DE models.
pub const A2DE_LOADER: Loader =
    Loader { kind: "two-dependence-ensemble", version: 1, load: load_a2de, older: &[] };

/// Class, singles and pairs, as [`PairCounts::flat`] has them.
#[derive(Serialize, Deserialize)]
pub(crate) struct CountsV1 {
    class: Vec<u64>,
    singles: Vec<u64>,
    pairs: Vec<u64>,
}

impl CountsV1 {
    pub(crate) fn of(counts: &PairCounts) -> Self {
        let (class, singles, pairs) = counts.flat();
        Self { class: class.to_vec(), singles: singles.to_vec(), pairs: pairs.to_vec() }
    }

    pub(crate) fn into_counts(self, schema: &Schema) -> Result<PairCounts> {
        for counts in [&self.class, &self.singles, &self.pairs] {
            check_range(counts)?;
        }
        PairCounts::from_flat(schema, self.class, self.singles, self.pairs)
            .ok_or_else(|| Error::Unsound("its counts do not fit its schema".into()))
    }
}

/// A row more than 2^53 would not be exact, and sums must not overflow.
pub(crate) fn check_range(counts: &[u64]) -> Result<()> {
    if counts.iter().all(|&count| count <= 1 << 53) {
        Ok(())
    } else {
        Err(Error::Unsound("a count is out of range".into()))
    }
}

/// Version 1 of an ensemble: the parameters, the weights and the counts; the probabilities follow from them.
#[derive(Serialize, Deserialize)]
struct EnsembleV1 {
    /// As users write it.
    smoothing: String,
    minimum_frequency: u64,
    factored_joint: bool,
    weights: Vec<f64>,
    /// How often a value must have been seen for its generalisations to be left out, and whether as super-parents, too.
    resolution: Option<(u64, bool)>,
    counts: CountsV1,
}

impl Ensemble {
    pub(crate) fn to_saved(&self) -> Result<Saved> {
        let wire = EnsembleV1 {
            smoothing: self.settings.smoothing.to_string(),
            minimum_frequency: self.settings.minimum_frequency,
            factored_joint: self.settings.joint == Joint::Factored,
            weights: self.settings.weights.clone(),
            resolution: self.settings.resolution.map(|resolution| (resolution.least, resolution.parents)),
            counts: CountsV1::of(&self.counts),
        };
        let Loader { kind, version, .. } = ENSEMBLE_LOADER;
        Ok(Saved { kind, version, bytes: bnc_data::encode(&wire)? })
    }
}

fn load_ensemble(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    let wire: EnsembleV1 = bnc_data::decode(bytes, path)?;
    let settings = Settings {
        smoothing: Smoothing::stored(&wire.smoothing)?,
        joint: if wire.factored_joint { Joint::Factored } else { Joint::Direct },
        minimum_frequency: wire.minimum_frequency,
        weights: wire.weights,
        resolution: wire.resolution.map(|(least, parents)| Resolution { least, parents }),
    };
    let counts = wire.counts.into_counts(schema)?;
    Ok(Box::new(Ensemble::new(Arc::clone(schema), settings, counts)?))
}

/// Version 1 of hidden naive Bayes.
#[derive(Serialize, Deserialize)]
struct HnbV1 {
    smoothing: String,
    /// I(Xi; Xj | Y) in nats, pairs in lexicographic order.
    weights: Vec<f64>,
    counts: CountsV1,
}

impl HnbModel {
    pub(crate) fn to_saved(&self) -> Result<Saved> {
        let wire = HnbV1 {
            smoothing: self.smoothing.to_string(),
            weights: self.weights.clone(),
            counts: CountsV1::of(&self.counts),
        };
        let Loader { kind, version, .. } = HNB_LOADER;
        Ok(Saved { kind, version, bytes: bnc_data::encode(&wire)? })
    }
}

fn load_hnb(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    let wire: HnbV1 = bnc_data::decode(bytes, path)?;
    let counts = wire.counts.into_counts(schema)?;
    let smoothing = Smoothing::stored(&wire.smoothing)?;
    Ok(Box::new(HnbModel::new(Arc::clone(schema), smoothing, wire.weights, counts)?))
}

/// Version 1 of an ensemble of two-dependence estimators.
#[derive(Serialize, Deserialize)]
struct TwoDependenceV1 {
    smoothing: String,
    minimum_frequency: u64,
    counts: CountsV1,
    /// As [`TripleCounts::flat`] has them.
    triples: Vec<u64>,
}

impl TwoDependenceEnsemble {
    pub(crate) fn to_saved(&self) -> Result<Saved> {
        let wire = TwoDependenceV1 {
            smoothing: self.aode.settings.smoothing.to_string(),
            minimum_frequency: self.aode.settings.minimum_frequency,
            counts: CountsV1::of(&self.aode.counts),
            triples: self.triples.flat().to_vec(),
        };
        let Loader { kind, version, .. } = A2DE_LOADER;
        Ok(Saved { kind, version, bytes: bnc_data::encode(&wire)? })
    }
}

fn load_a2de(bytes: &[u8], path: &Path, schema: &Arc<Schema>) -> Result<Box<dyn Classifier>> {
    check_size(schema)?;
    let wire: TwoDependenceV1 = bnc_data::decode(bytes, path)?;
    let learner = A2de::default()
        .with_smoothing(Smoothing::stored(&wire.smoothing)?)
        .with_minimum_frequency(wire.minimum_frequency);
    let counts = wire.counts.into_counts(schema)?;
    check_range(&wire.triples)?;
    let triples = TripleCounts::from_flat(schema, wire.triples)
        .ok_or_else(|| Error::Unsound("its counts do not fit its schema".into()))?;
    Ok(Box::new(TwoDependenceEnsemble::new(Arc::clone(schema), learner, counts, triples)?))
}
