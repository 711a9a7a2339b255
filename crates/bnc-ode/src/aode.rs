//! Averaged one-dependence estimators.

use std::sync::Arc;

use bnc_models::bnc_stats::Counter;
use bnc_models::{Configure, Error, Learner, LearnerInfo, ParameterInfo, Parameters, Result, Smoothing};

use crate::ensemble::{Ensemble, Joint, Settings};
use crate::pairs::gather;

/// AODE: the average of all one-dependence estimators, each with one feature as the super-parent of all others.
///
/// `P(y, x) ∝ Σ_{i : F(x_i) ≥ m} P(y, x_i) Π_{j ≠ i} P(x_j | y, x_i)`
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. For a row, take each feature whose value was seen m times or more as a super-parent.
/// 3. Sum the joint probabilities of these estimators, in logarithms; naive Bayes where there is none.
///
/// # Complexity
/// O(N n²) to count, O(n² c) a prediction, O(c (Σ v)²) memory.
///
/// # Departures
/// - m is 1 by default, as in later work of the authors and in most programs; the paper has 30.
/// - A missing value is left out as parent and as child. Missing training cells are left out of the counts that need
///   them: `P(y, x_i)` is over the rows that know `x_i`, `P(x_j | y, x_i)` over those that know both.
///
/// # References
/// - Webb, G. I., Boughton, J. R., Wang, Z. (2005). Not so naive Bayes: aggregating one-dependence estimators. Machine
///   Learning 58, 5–24.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_ode::Aode;
/// use bnc_ode::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_ode::bnc_models::{Classifier, Learner};
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("xor")?, vec![binary("a")?, binary("b")?])?);
/// let data = Dataset::new(schema, vec![0, 1, 1, 0], vec![vec![0, 0, 1, 1], vec![0, 1, 0, 1]], None)?;
/// let model = Aode::default().fit(&data)?;
/// assert_eq!(model.predict(&[0, 1])?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aode {
    pub(crate) smoothing: Smoothing,
    pub(crate) minimum_frequency: u64,
    pub(crate) joint: Joint,
}

impl Default for Aode {
    /// Laplace smoothing, super-parents seen once or more.
    fn default() -> Self {
        Self { smoothing: Smoothing::Laplace, minimum_frequency: 1, joint: Joint::Direct }
    }
}

impl Aode {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// How often a value must have been seen to be a super-parent; 0 takes all.
    #[must_use]
    pub fn with_minimum_frequency(mut self, minimum_frequency: u64) -> Self {
        self.minimum_frequency = minimum_frequency;
        self
    }

    /// How `P(y, x_i)` is estimated.
    #[must_use]
    pub fn with_joint(mut self, joint: Joint) -> Self {
        self.joint = joint;
        self
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings {
            smoothing: self.smoothing,
            joint: self.joint,
            minimum_frequency: self.minimum_frequency,
            weights: Vec::new(),
            resolution: None,
        }
    }
}

impl Learner for Aode {
    type Model = Ensemble;

    fn fit(&self, counter: &dyn Counter) -> Result<Ensemble> {
        self.smoothing.validate(Self::INFO.name)?;
        let counts = gather(counter, Self::INFO.name)?.counts;
        Ensemble::new(Arc::clone(counter.schema()), self.settings(), counts)
    }
}

impl Configure for Aode {
    const INFO: LearnerInfo = LearnerInfo {
        name: "aode",
        title: "Averaged one-dependence estimators",
        idea: "The average of all models in which every feature depends on the class and on one common super-parent.",
        when: "The best default: no structure is chosen, so variance is low; memory grows with the square of all values.",
        parameters: &[
            ParameterInfo {
                name: "m",
                default: "1",
                values: "0, 1, 2, …",
                meaning: "how often a value must have been seen to be a super-parent",
            },
            ParameterInfo {
                name: "joint",
                default: "direct",
                values: "direct | factored",
                meaning: "P(class, super-parent) as one distribution, or as P(class) P(super-parent | class)",
            },
            ParameterInfo::smoothing("laplace"),
        ],
        complexity: "train O(N n²), predict O(n² c)",
        reference: "Webb, Boughton and Wang, Machine Learning 58, 2005",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        let joint = match parameters.get::<String>("joint", "direct or factored")?.as_deref() {
            None => default.joint,
            Some("direct") => Joint::Direct,
            Some("factored") => Joint::Factored,
            Some(other) => {
                return Err(Error::BadParameter {
                    learner: Self::INFO.name.into(),
                    parameter: "joint".into(),
                    value: other.into(),
                    expected: "direct or factored".into(),
                });
            }
        };
        Ok(Self {
            smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing),
            minimum_frequency: parameters
                .get("m", "a whole number of 0 or more")?
                .unwrap_or(default.minimum_frequency),
            joint,
        })
    }
}
