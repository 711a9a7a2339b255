#![doc = include_str!("../README.md")]

use bnc_models::bnc_stats::Counter;
use bnc_models::bnc_structure::Structure;
use bnc_models::{Configure, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result, Smoothing};

pub use bnc_models;

/// Naive Bayes: given the class, the features are independent.
///
/// `P(y | x) ∝ P(y) Π P(x_i | y)`
///
/// # Steps
/// 1. Count the class, and each feature by class.
/// 2. Turn counts into probabilities by the smoothing.
///
/// # Complexity
/// O(N n) to train, O(n c) a prediction, O(c Σ v) memory, for N rows, n features of v values, c classes.
///
/// # Departures
/// A missing cell is left out of its feature's counts, a missing value out of the product.
///
/// # References
/// - Duda, R. O., Hart, P. E. (1973). Pattern Classification and Scene Analysis. Wiley.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_nb::NaiveBayes;
/// use bnc_nb::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_nb::bnc_models::{Classifier, Learner};
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("x")?])?);
/// let data = Dataset::new(schema, vec![0, 0, 1, 1], vec![vec![0, 0, 1, 1]], None)?;
/// let model = NaiveBayes::default().fit(&data)?;
/// assert_eq!(model.predict(&[1])?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NaiveBayes {
    smoothing: Smoothing,
    prior: Option<Smoothing>,
}

impl NaiveBayes {
    /// How counts become probabilities; Laplace where not set.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// How the class counts become P(y), where it differs from the features' smoothing.
    #[must_use]
    pub fn with_prior(mut self, prior: Smoothing) -> Self {
        self.prior = Some(prior);
        self
    }
}

impl Learner for NaiveBayes {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        let prior = self.prior.unwrap_or(self.smoothing);
        self.smoothing.validate(Self::INFO.name)?;
        prior.validate(Self::INFO.name)?;
        let structure = Structure::naive(counter.schema().features().len());
        Network::fit(counter, structure, self.smoothing, prior)
    }
}

impl Configure for NaiveBayes {
    const INFO: LearnerInfo = LearnerInfo {
        name: "nb",
        title: "Naive Bayes",
        idea: "Given the class, the features are independent.",
        when: "A baseline that is hard to beat on few rows, and the fastest of all.",
        parameters: &[
            ParameterInfo::smoothing("laplace"),
            ParameterInfo {
                name: "prior",
                default: "as smoothing",
                values: ParameterInfo::smoothing("").values,
                meaning: "how the class counts become P(class)",
            },
        ],
        complexity: "train O(N n), predict O(n c)",
        reference: "Duda and Hart, Pattern Classification and Scene Analysis, 1973",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        Ok(Self {
            smoothing: parameters.smoothing("smoothing")?.unwrap_or_default(),
            prior: parameters.smoothing("prior")?,
        })
    }
}
