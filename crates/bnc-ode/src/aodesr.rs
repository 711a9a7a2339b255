//! AODE with subsumption resolution.

use std::sync::Arc;

use bnc_models::bnc_stats::Counter;
use bnc_models::{Configure, Error, Learner, LearnerInfo, ParameterInfo, Parameters, Result, Smoothing};

use crate::aode::Aode;
use crate::ensemble::{Ensemble, Resolution, Settings};
use crate::pairs::gather;

/// `AODEsr`: AODE that leaves out, row by row, the values that follow from another value of the row.
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. For a row, delete `x_i` when another value `x_j` of the row implies it: `F(x_j) = F(x_i, x_j)` and `F(x_j) ≥ l`. Of two
///    values that imply each other the one of the lower feature stays.
/// 3. AODE on the values that are left: a deleted value is neither parent nor child. Naive Bayes on them where no value was
///    seen often enough to be a super-parent.
///
/// # Complexity
/// As [`Aode`]: O(N n²) to count, O(n² c) a prediction, O(c (Σ v)²) memory.
///
/// # Departures
/// - [`SubsumptionRule::Weka`] wants more than l rows, as WEKA's program does, with l = 50 there.
/// - A missing value takes no part. `F(x_j)` counts every row that has `x_j`, so a value is not implied by one that occurs
///   beside a missing cell.
/// - Near-subsumption is not offered: its threshold is not published where we could read it.
///
/// # References
/// - Zheng, F., Webb, G. I. (2006). Efficient lazy elimination for averaged one-dependence estimators. ICML 2006,
///   1113–1120.
/// - Zheng, F., Webb, G. I., Suraweera, P., Zhu, L. (2012). Subsumption resolution: an efficient and effective technique for
///   semi-naive Bayesian learning. Machine Learning 87, 93–125.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aodesr {
    aode: Aode,
    frequency: u64,
    rule: SubsumptionRule,
}

/// How often the special value of a subsumption must have been seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SubsumptionRule {
    /// l times or more.
    #[default]
    Paper,
    /// More than l times.
    Weka,
}

impl Default for Aodesr {
    /// The m-estimate with m = 1, super-parents seen once or more, l = 100.
    fn default() -> Self {
        Self {
            aode: Aode::default().with_smoothing(Smoothing::M(1.0)),
            frequency: 100,
            rule: SubsumptionRule::Paper,
        }
    }
}

impl Aodesr {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.aode = self.aode.with_smoothing(smoothing);
        self
    }

    /// How often a value must have been seen to be a super-parent; 0 takes all.
    #[must_use]
    pub fn with_minimum_frequency(mut self, minimum_frequency: u64) -> Self {
        self.aode = self.aode.with_minimum_frequency(minimum_frequency);
        self
    }

    /// The frequency l of a value that can delete its generalisations, and whether l itself is enough.
    #[must_use]
    pub fn with_subsumption(mut self, frequency: u64, rule: SubsumptionRule) -> Self {
        self.frequency = frequency;
        self.rule = rule;
        self
    }
}

impl Learner for Aodesr {
    type Model = Ensemble;

    fn fit(&self, counter: &dyn Counter) -> Result<Ensemble> {
        let settings = self.aode.settings();
        settings.smoothing.validate(Self::INFO.name)?;
        let least = match self.rule {
            SubsumptionRule::Paper => self.frequency,
            SubsumptionRule::Weka => self.frequency.saturating_add(1),
        };
        let counts = gather(counter, Self::INFO.name)?.counts;
        let settings = Settings { resolution: Some(Resolution { least, parents: true }), ..settings };
        Ensemble::new(Arc::clone(counter.schema()), settings, counts)
    }
}

impl Configure for Aodesr {
    const INFO: LearnerInfo = LearnerInfo {
        name: "aodesr",
        title: "AODE with subsumption resolution",
        idea: "AODE that leaves out the values of a row that follow from another of its values.",
        when: "In place of AODE when values imply each other, as codes and their groups do, and there are many rows.",
        parameters: &[
            ParameterInfo {
                name: "l",
                default: "100",
                values: "0, 1, 2, …",
                meaning: "how often a value must have been seen to delete its generalisations",
            },
            ParameterInfo {
                name: "rule",
                default: "paper",
                values: "paper | weka",
                meaning: "l times or more (paper), or more than l times (WEKA)",
            },
            ParameterInfo {
                name: "m",
                default: "1",
                values: "0, 1, 2, …",
                meaning: "how often a value must have been seen to be a super-parent",
            },
            ParameterInfo::smoothing("m:1"),
        ],
        complexity: "train O(N n²), predict O(n² c)",
        reference: "Zheng and Webb, ICML 2006",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let whole = "a whole number of 0 or more";
        let mut learner = Self::default();
        if let Some(smoothing) = parameters.smoothing("smoothing")? {
            learner = learner.with_smoothing(smoothing);
        }
        if let Some(minimum_frequency) = parameters.get("m", whole)? {
            learner = learner.with_minimum_frequency(minimum_frequency);
        }
        let frequency = parameters.get("l", whole)?.unwrap_or(learner.frequency);
        let rule = match parameters.get::<String>("rule", "paper or weka")?.as_deref() {
            None => learner.rule,
            Some("paper") => SubsumptionRule::Paper,
            Some("weka") => SubsumptionRule::Weka,
            Some(other) => {
                return Err(Error::BadParameter {
                    learner: Self::INFO.name.into(),
                    parameter: "rule".into(),
                    value: other.into(),
                    expected: "paper or weka".into(),
                });
            }
        };
        Ok(learner.with_subsumption(frequency, rule))
    }
}
