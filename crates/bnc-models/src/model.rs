//! A trained model with all that it needs to classify raw rows, and its file.

use std::path::Path;
use std::sync::Arc;

use bnc_data::{Dataset, Encoder, EncoderV1, Envelope, MISSING, Schema};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::{Classifier, Error, Result};

/// The kind of a model file's envelope.
pub const MODEL_KIND: &str = "model";
const VERSION: u32 = 1;

/// Makes a classifier from its bytes; the path is for messages.
pub type Load = fn(&[u8], &Path, &Arc<Schema>) -> Result<Box<dyn Classifier>>;

/// Reads the stored models of one kind.
#[derive(Clone, Copy)]
pub struct Loader {
    /// The kind, as in [`Saved::kind`](crate::Saved).
    pub kind: &'static str,
    /// The newest version that it reads, the one that is written.
    pub version: u32,
    /// What reads that version.
    pub load: Load,
    /// What reads the older versions, from version 1 on.
    pub older: &'static [Load],
}

impl Loader {
    /// What reads a version.
    fn of_version(&self, version: u32) -> Option<Load> {
        match version {
            0 => None,
            version if version == self.version => Some(self.load),
            version => self.older.get(version as usize - 1).copied(),
        }
    }
}

/// A classifier with the encoder that codes its rows, the learner that made it, and class probabilities that replace
/// those of the training data where they are given.
pub struct Model {
    learner: String,
    encoder: Encoder,
    classifier: Box<dyn Classifier>,
    prior: Option<Vec<f64>>,
}

/// Version 1 of the payload of a model file.
#[derive(Serialize, Deserialize)]
struct ModelV1 {
    learner: String,
    encoder: EncoderV1,
    prior: Option<Vec<f64>>,
    kind: String,
    version: u32,
    classifier: Vec<u8>,
}

impl Model {
    /// A model of a classifier for the rows of an encoder; `learner` is the learner as users write it.
    ///
    /// # Errors
    /// [`Error::Unsound`] when encoder and classifier have different schemas.
    pub fn new(
        learner: impl Into<String>,
        encoder: Encoder,
        classifier: Box<dyn Classifier>,
    ) -> Result<Self> {
        if encoder.schema() != classifier.schema() {
            return Err(Error::Unsound("the encoder and the classifier have different schemas".into()));
        }
        Ok(Self { learner: learner.into(), encoder, classifier, prior: None })
    }

    /// Replaces the class probabilities: posteriors are reweighted by new over old, as for a population with the same
    /// features per class but other class frequencies (Saerens, Latinne and Decaestecker 2002). For naive Bayes this is
    /// the same as learning with that prior.
    ///
    /// # Errors
    /// [`Error::BadPrior`] unless every class has one probability of 0 or more and they sum to 1 (to 1e-9).
    pub fn with_prior(mut self, prior: Vec<f64>) -> Result<Self> {
        check_prior(&prior, self.schema())?;
        self.prior = Some(prior);
        Ok(self)
    }

    /// The learner that made it, as users write it.
    #[must_use]
    pub fn learner(&self) -> &str {
        &self.learner
    }

    /// What codes its rows.
    #[must_use]
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The classifier itself, before a prior is put in.
    #[must_use]
    pub fn classifier(&self) -> &dyn Classifier {
        &*self.classifier
    }

    /// The class probabilities that were put in.
    #[must_use]
    pub fn prior(&self) -> Option<&[f64]> {
        self.prior.as_deref()
    }

    /// The schema of coded rows.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        self.encoder.schema()
    }

    /// P(class | row) of every row: an array of rows × classes.
    ///
    /// # Errors
    /// Those of [`Classifier::posterior_into`].
    pub fn posteriors(&self, data: &Dataset) -> Result<Array2<f64>> {
        let mut posteriors = self.classifier.posteriors(data)?;
        if let Some(prior) = &self.prior {
            let mut old = vec![0.0; prior.len()];
            self.classifier.posterior_into(&vec![MISSING; data.features().len()], &mut old)?;
            let ratio = |(&new, &old): (&f64, &f64)| if old > 0.0 { new / old } else { 0.0 };
            let ratios: Vec<f64> = prior.iter().zip(&old).map(ratio).collect();
            for mut row in posteriors.rows_mut() {
                row.iter_mut().zip(&ratios).for_each(|(p, ratio)| *p *= ratio);
                let sum = row.sum();
                // The row's values rule out every class that the prior allows: the prior is what is left.
                row.iter_mut().zip(prior).for_each(|(p, &new)| *p = if sum > 0.0 { *p / sum } else { new });
            }
        }
        Ok(posteriors)
    }

    /// Writes the model file, atomically.
    ///
    /// # Errors
    /// [`Error::Data`].
    pub fn write(&self, path: &Path) -> Result<()> {
        Ok(self.envelope()?.write(path)?)
    }

    /// The model file as bytes.
    ///
    /// # Errors
    /// [`Error::Data`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.envelope()?.to_bytes())
    }

    fn envelope(&self) -> Result<Envelope> {
        let saved = self.classifier.save()?;
        let wire = ModelV1 {
            learner: self.learner.clone(),
            encoder: self.encoder.wire(),
            prior: self.prior.clone(),
            kind: saved.kind.into(),
            version: saved.version,
            classifier: saved.bytes,
        };
        Ok(Envelope { kind: MODEL_KIND.into(), version: VERSION, payload: bnc_data::encode(&wire)? })
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// [`Error::Data`] for a file that cannot be read, is none of ours, of another kind, newer or damaged;
    /// [`Error::UnknownModel`] for a classifier that no loader reads; [`Error::Unsound`] and [`Error::Structure`] for
    /// parts that do not fit together.
    pub fn read(path: &Path, loaders: &[Loader]) -> Result<Self> {
        Self::from_envelope(&Envelope::read(path)?, path, loaders)
    }

    /// Reads a model file's bytes; `path` is for messages.
    ///
    /// # Errors
    /// Those of [`Model::read`].
    pub fn from_bytes(bytes: &[u8], path: &Path, loaders: &[Loader]) -> Result<Self> {
        Self::from_envelope(&Envelope::from_bytes(bytes, path)?, path, loaders)
    }

    fn from_envelope(envelope: &Envelope, path: &Path, loaders: &[Loader]) -> Result<Self> {
        envelope.expect(MODEL_KIND, VERSION, path)?;
        let wire: ModelV1 = bnc_data::decode(&envelope.payload, path)?;
        let mut of_kind = loaders.iter().filter(|loader| loader.kind == wire.kind);
        let load = of_kind.find_map(|loader| loader.of_version(wire.version)).ok_or_else(|| {
            Error::UnknownModel {
                kind: wire.kind.clone(),
                version: wire.version,
                supported: loaders
                    .iter()
                    .map(|loader| format!("{} {}", loader.kind, loader.version))
                    .collect(),
            }
        })?;
        let encoder = Encoder::from_wire(wire.encoder)?;
        let classifier = load(&wire.classifier, path, encoder.schema())?;
        let model = Self::new(wire.learner, encoder, classifier)?;
        match wire.prior {
            Some(prior) => model.with_prior(prior),
            None => Ok(model),
        }
    }
}

fn check_prior(prior: &[f64], schema: &Schema) -> Result<()> {
    if prior.len() != schema.classes() {
        return Err(Error::BadPrior(format!(
            "{} probabilities for {} classes",
            prior.len(),
            schema.classes()
        )));
    }
    if let Some(bad) = prior.iter().find(|p| !(p.is_finite() && **p >= 0.0)) {
        return Err(Error::BadPrior(format!("{bad} is no probability")));
    }
    let sum: f64 = prior.iter().sum();
    if (sum - 1.0).abs() > 1e-9 {
        return Err(Error::BadPrior(format!("the probabilities sum to {sum}, expected 1")));
    }
    Ok(())
}
