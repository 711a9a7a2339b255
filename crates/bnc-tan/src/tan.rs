//! Tree-augmented naive Bayes.

use bnc_models::bnc_stats::{Counter, conditional_mutual_information, measure_pairs};
use bnc_models::bnc_structure::maximum_spanning_forest;
use bnc_models::{
    Configure, Error, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result, Smoothing,
};

/// Tree-augmented naive Bayes: beside the class, each feature but one has one feature as a parent, and these arcs form
/// the tree that maximises the likelihood.
///
/// `P(y | x) ∝ P(y) Π P(x_i | y, x_parent(i))`
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. Weigh each pair by its conditional mutual information I(Xi; Xj | Y).
/// 3. Take the maximum spanning tree; root it at the first feature.
/// 4. Make the class a parent of every feature, and turn counts into probabilities.
///
/// # Complexity
/// O(N n²) to count, O(n² (c v² + log n)) for the tree, O(n c) a prediction.
///
/// # Departures
/// - The paper draws the root at random and here it is the first feature; the likelihood does not depend on it, smoothed
///   posteriors do slightly. Ties between trees go to pairs of lower features.
/// - A missing cell is left out of the tables that need it; a missing value is summed out exactly.
/// - One or no feature makes naive Bayes.
///
/// # References
/// - Friedman, N., Geiger, D., Goldszmidt, M. (1997). Bayesian network classifiers. Machine Learning 29, 131–163.
/// - Chow, C., Liu, C. (1968). Approximating discrete probability distributions with dependence trees. IEEE Transactions on
///   Information Theory 14, 462–467.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_tan::Tan;
/// use bnc_tan::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_tan::bnc_models::Learner;
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("a")?, binary("b")?])?);
/// let data = Dataset::new(schema, vec![0, 0, 1, 1], vec![vec![0, 1, 0, 1], vec![0, 1, 0, 1]], None)?;
/// let model = Tan::default().fit(&data)?;
/// assert_eq!(model.structure().arcs().collect::<Vec<_>>(), [(0, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tan {
    smoothing: Smoothing,
}

impl Default for Tan {
    /// Friedman's smoothing with weight 5, as in the paper.
    fn default() -> Self {
        Self { smoothing: Smoothing::Friedman(5.0) }
    }
}

impl Tan {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }
}

impl Learner for Tan {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.smoothing.validate(Self::INFO.name)?;
        let features = counter.schema().features().len();
        let pairs = measure_pairs(counter, conditional_mutual_information)?;
        let tree = maximum_spanning_forest(features, &pairs.values, None);
        Network::fit(pairs.counter(counter), tree, self.smoothing, self.smoothing)
    }
}

impl Configure for Tan {
    const INFO: LearnerInfo = LearnerInfo {
        name: "tan",
        title: "Tree-augmented naive Bayes",
        idea: "Each feature depends on the class and on one other feature; the arcs form the most likely tree.",
        when: "When features clearly depend on each other and there are some hundreds of rows or more.",
        parameters: &[
            ParameterInfo {
                name: "score",
                default: "cmi",
                values: "cmi",
                meaning: "what weighs an arc: conditional mutual information",
            },
            ParameterInfo::smoothing("friedman:5"),
        ],
        complexity: "train O(N n²), predict O(n c)",
        reference: "Friedman, Geiger and Goldszmidt, Machine Learning 29, 1997",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        if let Some(score) = parameters.get::<String>("score", "cmi")?
            && score != "cmi"
        {
            return Err(Error::BadParameter {
                learner: Self::INFO.name.into(),
                parameter: "score".into(),
                value: score,
                expected: "cmi".into(),
            });
        }
        let default = Self::default();
        Ok(Self { smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing) })
    }
}
