//! A single one-dependence estimator.

use bnc_models::bnc_stats::Counter;
use bnc_models::bnc_structure::Structure;
use bnc_models::{
    Configure, Error, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result, Smoothing,
};

use crate::ensemble::super_parent_structure;
use crate::held_out::{Partition, errors_of_super_parents};

/// SPODE: one feature, the super-parent, is a parent of all others beside the class.
///
/// `P(y | x) ∝ P(y) P(x_p | y) Π_{j ≠ p} P(x_j | y, x_p)`
///
/// # Steps
/// 1. Take the super-parent given, or count every pair of features by class, take the counts of held-out rows away from
///    them, classify these rows with each super-parent, and choose the one with the fewest errors.
/// 2. Make the network of the super-parent from all rows.
///
/// # Complexity
/// O(N n) with a super-parent given; the choice costs O(N n² c v), for either kind. O(n c) a prediction.
///
/// # Departures
/// - How rows are held out is not prescribed. The ten folds are dealt in turn from the rows in the order of class and
///   values: stratified, and the same in whatever order the rows come and whether they are repeated or weighted. Ties go to
///   the lower feature.
/// - A missing training cell is left out of the tables that need it; a missing value is summed out exactly.
/// - No feature makes naive Bayes.
///
/// # References
/// - Keogh, E., Pazzani, M. (1999). Learning augmented Bayesian classifiers: a comparison of distribution-based and
///   classification-based approaches. AISTATS 1999, 225–230.
/// - Webb, G. I., Boughton, J. R., Wang, Z. (2005). Not so naive Bayes: aggregating one-dependence estimators. Machine
///   Learning 58, 5–24.
#[derive(Debug, Clone, PartialEq)]
pub struct Spode {
    smoothing: Smoothing,
    parent: SuperParentChoice,
}

/// Which feature is the super-parent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SuperParentChoice {
    /// The feature of this name.
    Feature(String),
    /// The one with the fewest errors in ten-fold cross-validation.
    #[default]
    CrossValidation,
    /// The one with the fewest errors when each row is left out in turn.
    LeaveOneOut,
}

impl Default for Spode {
    /// Laplace smoothing, the super-parent by cross-validation.
    fn default() -> Self {
        Self { smoothing: Smoothing::Laplace, parent: SuperParentChoice::CrossValidation }
    }
}

impl Spode {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// Which feature is the super-parent.
    #[must_use]
    pub fn with_parent(mut self, parent: SuperParentChoice) -> Self {
        self.parent = parent;
        self
    }

    fn fewest_errors(&self, counter: &dyn Counter, partition: Partition) -> Result<Option<usize>> {
        let errors = errors_of_super_parents(counter, Self::INFO.name, self.smoothing, partition)?;
        Ok(errors.iter().enumerate().min_by_key(|(_, errors)| **errors).map(|(parent, _)| parent))
    }
}

impl Learner for Spode {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.smoothing.validate(Self::INFO.name)?;
        let features = counter.schema().features();
        let parent = match &self.parent {
            SuperParentChoice::Feature(name) => {
                let place = features.iter().position(|feature| feature.name() == name);
                Some(place.ok_or_else(|| Error::BadParameter {
                    learner: Self::INFO.name.into(),
                    parameter: "parent".into(),
                    value: name.clone(),
                    expected: "cv, loo or the name of a feature".into(),
                })?)
            }
            SuperParentChoice::CrossValidation => self.fewest_errors(counter, Partition::Folds(10))?,
            SuperParentChoice::LeaveOneOut => self.fewest_errors(counter, Partition::Single)?,
        };
        let structure = match parent {
            Some(parent) => super_parent_structure(features.len(), parent)?,
            None => Structure::naive(features.len()),
        };
        Network::fit(counter, structure, self.smoothing, self.smoothing)
    }
}

impl Configure for Spode {
    const INFO: LearnerInfo = LearnerInfo {
        name: "spode",
        title: "Super-parent one-dependence estimator",
        idea: "One feature is a parent of all others beside the class.",
        when: "When one feature changes what all others mean, or for a small model that is better than naive Bayes.",
        parameters: &[
            ParameterInfo {
                name: "parent",
                default: "cv",
                values: "cv | loo | NAME",
                meaning: "the super-parent: by cross-validation, by leave-one-out, or the feature of this name",
            },
            ParameterInfo::smoothing("laplace"),
        ],
        complexity: "train O(N n² c v), O(N n) with a parent given; predict O(n c)",
        reference: "Keogh and Pazzani, AISTATS 1999",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        let parent = match parameters.get::<String>("parent", "cv, loo or the name of a feature")? {
            None => default.parent,
            Some(word) => match word.as_str() {
                "cv" => SuperParentChoice::CrossValidation,
                "loo" => SuperParentChoice::LeaveOneOut,
                _ => SuperParentChoice::Feature(word),
            },
        };
        Ok(Self { smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing), parent })
    }
}
