//! Averaged two-dependence estimators.

use std::sync::Arc;

use bnc_models::bnc_data::Schema;
use bnc_models::bnc_stats::Counter;
use bnc_models::{Configure, Error, Learner, LearnerInfo, ParameterInfo, Parameters, Result, Smoothing};

use crate::aode::Aode;
use crate::pairs::gather_with;
use crate::tables::MAX_CELLS;
use crate::triples::{TripleCounts, all_triples};
use crate::two_dependence::TwoDependenceEnsemble;

/// A2DE: the average of all two-dependence estimators, each with two features as the super-parents of all others.
///
/// `P(y, x) ∝ Σ_{i < j : F(x_i, x_j) ≥ m} P(y, x_i, x_j) Π_{k ≠ i, j} P(x_k | y, x_i, x_j)`
///
/// # Steps
/// 1. Count every three features by class, if their tables fit.
/// 2. For a row, take each pair of values that was seen m times or more as super-parents.
/// 3. Sum the joint probabilities of these estimators, in logarithms; AODE where there is none, and naive Bayes where AODE
///    has none.
///
/// # Complexity
/// O(N n³) to count, O(n³ c) a prediction, O(c (Σ v)³) memory.
///
/// # Departures
/// - Beyond [`MAX_CELLS`] cells it refuses before it counts, with the figure.
/// - A missing value is left out as parent and as child. Missing training cells are left out of the counts that need
///   them: `P(y, x_i, x_j)` is over the rows that know both, `P(x_k | y, x_i, x_j)` over those that know all three.
///
/// # References
/// - Webb, G. I., Boughton, J. R., Zheng, F., Ting, K. M., Salem, H. (2012). Learning by extrapolation from marginal to
///   full-multivariate probability distributions: decreasingly naive Bayesian classification. Machine Learning 86, 233–272.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct A2de {
    smoothing: Smoothing,
    minimum_frequency: u64,
}

impl Default for A2de {
    /// The m-estimate with m = 1, pairs seen once or more.
    fn default() -> Self {
        Self { smoothing: Smoothing::M(1.0), minimum_frequency: 1 }
    }
}

impl A2de {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// How often a pair of values must have been seen to be super-parents, and a value where no pair was; 0 takes all.
    #[must_use]
    pub fn with_minimum_frequency(mut self, minimum_frequency: u64) -> Self {
        self.minimum_frequency = minimum_frequency;
        self
    }

    pub(crate) fn aode(&self) -> Aode {
        Aode::default().with_smoothing(self.smoothing).with_minimum_frequency(self.minimum_frequency)
    }
}

/// Refuses a schema whose tables do not fit.
pub(crate) fn check_size(schema: &Schema) -> Result<()> {
    let dims: Vec<u128> = schema.features().iter().map(|feature| feature.cardinality() as u128).collect();
    let values: u128 = dims.iter().sum();
    let mut cells = 0_u128;
    for (i, a) in dims.iter().enumerate() {
        for b in &dims[i + 1..] {
            cells += a * b * (values - a - b);
        }
    }
    cells = cells.saturating_mul(schema.classes() as u128);
    if cells > MAX_CELLS as u128 {
        return Err(Error::TooLarge {
            what: format!("{} over {} features of {values} values in all", A2de::INFO.name, dims.len()),
            cells: u64::try_from(cells).unwrap_or(u64::MAX),
            limit: MAX_CELLS,
            way_out: "drop columns, those of many values first, or choose AODE".into(),
        });
    }
    Ok(())
}

impl Learner for A2de {
    type Model = TwoDependenceEnsemble;

    fn fit(&self, counter: &dyn Counter) -> Result<TwoDependenceEnsemble> {
        self.smoothing.validate(Self::INFO.name)?;
        let schema = Arc::clone(counter.schema());
        check_size(&schema)?;
        let (gathered, triples) =
            gather_with(counter, Self::INFO.name, all_triples(schema.features().len()))?;
        let triples = TripleCounts::new(&schema, &triples);
        TwoDependenceEnsemble::new(schema, *self, gathered.counts, triples)
    }
}

impl Configure for A2de {
    const INFO: LearnerInfo = LearnerInfo {
        name: "a2de",
        title: "Averaged two-dependence estimators",
        idea: "The average of all models in which every feature depends on the class and on two common super-parents.",
        when: "In place of AODE with many rows and few features; memory grows with the cube of all values.",
        parameters: &[
            ParameterInfo {
                name: "m",
                default: "1",
                values: "0, 1, 2, …",
                meaning: "how often a pair of values must have been seen to be super-parents",
            },
            ParameterInfo::smoothing("m:1"),
        ],
        complexity: "train O(N n³), predict O(n³ c)",
        reference: "Webb, Boughton, Zheng, Ting and Salem, Machine Learning 86, 2012",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        Ok(Self {
            smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing),
            minimum_frequency: parameters
                .get("m", "a whole number of 0 or more")?
                .unwrap_or(default.minimum_frequency),
        })
    }
}
