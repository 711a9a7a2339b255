//! Weightily averaged one-dependence estimators.

use std::sync::Arc;

use bnc_models::bnc_stats::{Counter, mutual_information};
use bnc_models::{Configure, Learner, LearnerInfo, ParameterInfo, Parameters, Result, Smoothing};

use crate::ensemble::{Ensemble, Joint, Settings};
use crate::pairs::gather;

/// WAODE: one-dependence estimators weighted by what their super-parent says about the class.
///
/// `P(y, x) ∝ Σ_i I(X_i; Y) P(y, x_i) Π_{j ≠ i} P(x_j | y, x_i)`
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. Weigh each feature by its mutual information with the class, from relative frequencies.
/// 3. For a row, sum the weighted joint probabilities of the estimators of all known values.
///
/// # Complexity
/// As [`Aode`](crate::Aode): O(N n²) to count, O(n² c) a prediction, O(c (Σ v)²) memory.
///
/// # Departures
/// - Where all weights are 0 all super-parents count the same; the paper does not say.
/// - A value that was never seen is a super-parent, too, as in WEKA's program.
/// - A missing value is left out as parent and as child, a missing training cell out of the counts that need it; the
///   weight of a feature is over the rows that know it.
///
/// # References
/// - Jiang, L., Zhang, H. (2006). Weightily averaged one-dependence estimators. PRICAI 2006, LNCS 4099, 970–974.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waode {
    smoothing: Smoothing,
}

impl Default for Waode {
    /// The m-estimate with m = 1.
    fn default() -> Self {
        Self { smoothing: Smoothing::M(1.0) }
    }
}

impl Waode {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }
}

impl Learner for Waode {
    type Model = Ensemble;

    fn fit(&self, counter: &dyn Counter) -> Result<Ensemble> {
        self.smoothing.validate(Self::INFO.name)?;
        let gathered = gather(counter, Self::INFO.name)?;
        let of_values = gathered.singles.iter().flat_map(|single| {
            let weight = mutual_information(single);
            single.dims().iter().flat_map(move |&dim| std::iter::repeat_n(weight, dim))
        });
        let settings = Settings {
            smoothing: self.smoothing,
            joint: Joint::Direct,
            minimum_frequency: 0,
            weights: of_values.collect(),
            resolution: None,
        };
        Ensemble::new(Arc::clone(counter.schema()), settings, gathered.counts)
    }
}

impl Configure for Waode {
    const INFO: LearnerInfo = LearnerInfo {
        name: "waode",
        title: "Weightily averaged one-dependence estimators",
        idea: "AODE with each super-parent weighted by its mutual information with the class.",
        when: "In place of AODE when some features say little about the class.",
        parameters: &[ParameterInfo::smoothing("m:1")],
        complexity: "train O(N n²), predict O(n² c)",
        reference: "Jiang and Zhang, PRICAI 2006",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        Ok(Self { smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing) })
    }
}
