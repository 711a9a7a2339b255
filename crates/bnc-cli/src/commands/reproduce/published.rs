//! Published figures: CSV files with their sources in comment lines, built into the program.

use serde::Deserialize;

use crate::error::{Error, Result};

/// What a published figure says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// A learner's figure on a data set.
    Figure,
    /// The mean over so many sets.
    Mean,
    /// On a data set, by how much a learner's figure is above that of another.
    Gain,
    /// The sets on which a learner is significantly better than another.
    Wins,
    /// The sets on which a learner's figure is lower than that of another.
    Lower,
    /// The place in the order of a Friedman test, 1 the best.
    Place,
    /// The adjusted p-value of a learner against another.
    AdjustedP,
}

/// A published figure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Figure {
    pub(super) kind: Kind,
    /// Empty where it is about several sets.
    pub(super) dataset: String,
    pub(super) learner: String,
    /// The learner that it is compared with; empty where it is not.
    pub(super) against: String,
    /// The name of the measure.
    pub(super) measure: String,
    pub(super) unit: String,
    /// Over how many sets.
    pub(super) sets: Option<usize>,
    pub(super) value: f64,
    pub(super) source: String,
}

impl Figure {
    /// Whether it is a learner's figure on a data set.
    pub(super) fn is_of(&self, dataset: &str, learner: &str) -> bool {
        self.kind == Kind::Figure && self.dataset == dataset && self.learner == learner
    }
}

/// Reads published figures.
pub(super) fn parse(text: &str) -> Result<Vec<Figure>> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let figures = reader.deserialize().collect::<csv::Result<_>>();
    figures.map_err(|error| Error::failed(format!("the published figures: {error}")))
}
