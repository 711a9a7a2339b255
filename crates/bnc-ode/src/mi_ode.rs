//! One-dependence estimators weighted by values.

use std::sync::Arc;

use bnc_models::bnc_stats::{Counter, local_mutual_information};
use bnc_models::{Configure, Learner, LearnerInfo, ParameterInfo, Parameters, Result, Smoothing};

use crate::ensemble::{Ensemble, Joint, Settings};
use crate::pairs::gather;

/// MI-ODE: one-dependence estimators weighted by what the value of their super-parent says about the class.
///
/// `P(y, x) ∝ Σ_i W(x_i) P(y, x_i) Π_{j ≠ i} P(x_j | y, x_i)`,
/// `W(x_i) = Σ_y P̂(x_i, y) log( P̂(x_i, y) / (P̂(x_i) P̂(y)) )`
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. Weigh each value of each feature by its local mutual information with the class, from relative frequencies.
/// 3. For a row, sum the weighted joint probabilities of the estimators of its values.
///
/// # Complexity
/// As [`Aode`](crate::Aode): O(N n²) to count, O(n² c) a prediction, O(c (Σ v)²) memory.
///
/// # Departures
/// - The paper does not say whether the probabilities of a weight are smoothed; relative frequencies reproduce its results.
///   The base of the logarithm cancels.
/// - A value that was never seen has weight 0. Where all weights of a row are 0 its seen values count the same; naive
///   Bayes where none was seen.
/// - The paper fills missing cells on the whole file. Here a missing value is left out as parent and as child, a missing
///   training cell out of the counts that need it; a weight is over the rows that know the feature.
///
/// # References
/// - Yu, Gan, Fan (2020), MI-ODE. Computer Engineering 46(11), 315–320. doi:10.19678/j.issn.1000-3428.0056498
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MiOde {
    smoothing: Smoothing,
}

impl Default for MiOde {
    /// The m-estimate with m = 1, as in the paper.
    fn default() -> Self {
        Self { smoothing: Smoothing::M(1.0) }
    }
}

impl MiOde {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }
}

impl Learner for MiOde {
    type Model = Ensemble;

    fn fit(&self, counter: &dyn Counter) -> Result<Ensemble> {
        self.smoothing.validate(Self::INFO.name)?;
        let gathered = gather(counter, Self::INFO.name)?;
        let weights = gathered.singles.iter().flat_map(local_mutual_information);
        let settings = Settings {
            smoothing: self.smoothing,
            joint: Joint::Direct,
            minimum_frequency: 1,
            // Rounding can leave a weight below 0.
            weights: weights.map(|weight| weight.max(0.0)).collect(),
            resolution: None,
        };
        Ensemble::new(Arc::clone(counter.schema()), settings, gathered.counts)
    }
}

impl Configure for MiOde {
    const INFO: LearnerInfo = LearnerInfo {
        name: "mi-ode",
        title: "One-dependence estimators weighted by values",
        idea: "AODE with each value of a super-parent weighted by its local mutual information with the class.",
        when: "In place of AODE when only some values of a feature tell the class.",
        parameters: &[ParameterInfo::smoothing("m:1")],
        complexity: "train O(N n²), predict O(n² c)",
        reference: "Yu, Gan and Fan, Computer Engineering 46(11), 2020",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        Ok(Self { smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing) })
    }
}
