//! TAN with functional dependencies.

mod logs;
mod model;
mod trees;
mod wire;

use std::sync::Arc;

use bnc_models::bnc_stats::{Counter, PairCounts, all_pairs, all_singles, conditional_mutual_information};
use bnc_models::{Configure, Error, Learner, LearnerInfo, ParameterInfo, Parameters, Result, Smoothing};

use rayon::prelude::*;

pub use model::TanFdaModel;
pub use wire::TAN_FDA_LOADER;

/// TAN with functional dependency analysis: for each row, the values that another value of the row implies are left out,
/// and the tree is built anew on the others.
///
/// `P(y | x) ∝ P(y) Π P(x_i | y, x_parent(i))` over the features that are left, with parents in their own tree.
///
/// # Steps
/// 1. Count every pair of features by class, and weigh each pair by its conditional mutual information I(Xi; Xj | Y).
/// 2. Note each functional dependency `x_i → x_j`: `x_i` was seen l times or more, and never without `x_j`.
/// 3. For a row, leave out every value that another value of the row implies; of two that imply each other the one of the
///    higher feature.
/// 4. Take the maximum spanning tree of the remaining features, rooted at the first of them.
/// 5. Multiply their probabilities.
///
/// # Complexity
/// O(N n²) to count, O(n² (c v² + log n)) for weights and dependencies, O(n² + n c) a prediction, O(c (Σ v)²) memory;
/// beyond 2²⁸ probabilities it is refused with the figure.
///
/// The pairs are sorted by weight once, so that a row's tree is one walk along them; rows share few sets of remaining
/// features, and the trees of the first sets are kept.
///
/// # Departures
/// - The full text of the paper was not at hand. That values are removed by functional dependencies and the tree is rebuilt
///   for each row is reported by later papers of its authors; not verified are: that removed values drop out of the
///   product, that the root is the first feature left, that the criterion (`F(x_i) = F(x_i, x_j)` and `F(x_i) ≥ l`,
///   l = 100) is that of the authors' later work, and which of two equivalent values goes.
/// - Dependencies come from the training rows only; with l = 100 there are none for values seen in fewer rows, and a row
///   without any has exactly the posterior of TAN.
/// - A missing value is no part of the row's tree: it implies nothing, is not implied, and drops out (TAN sums it out over
///   the tree of all features). A training row that does not know `x_j` speaks against `x_i → x_j`; other missing cells
///   are left out of the tables that need them.
///
/// # References
/// - Wang, L., Zhao, H., Sun, M., Ning, Y. (2015). General and local: averaged k-dependence Bayesian classifiers.
///   Entropy 17, 4134–4154, and the work on TAN cited there.
/// - Friedman, N., Geiger, D., Goldszmidt, M. (1997). Bayesian network classifiers. Machine Learning 29, 131–163.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_tan::TanFda;
/// use bnc_tan::bnc_models::bnc_data::{Dataset, Domain, MISSING, Schema, Variable};
/// use bnc_tan::bnc_models::{Classifier, Learner};
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("ill")?, vec![binary("female")?, binary("pregnant")?])?);
/// let female = (0..600).map(|row| u16::from(row % 2 == 0)).collect();
/// let pregnant = (0..600).map(|row| u16::from(row % 4 == 0)).collect();
/// let ill = (0..600).map(|row| u16::from(row % 7 < 3)).collect();
/// let model = TanFda::default().fit(&Dataset::new(schema, ill, vec![female, pregnant], None)?)?;
/// // Who is pregnant is female: that she is female adds nothing.
/// let (mut both, mut one) = ([0.0; 2], [0.0; 2]);
/// model.posterior_into(&[1, 1], &mut both)?;
/// model.posterior_into(&[MISSING, 1], &mut one)?;
/// assert_eq!(both, one);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TanFda {
    smoothing: Smoothing,
    minimum_frequency: u64,
}

impl Default for TanFda {
    /// The smoothing of [`Tan`](crate::Tan), so that the two differ in nothing but the dependencies; l = 100.
    fn default() -> Self {
        Self { smoothing: Smoothing::Friedman(5.0), minimum_frequency: 100 }
    }
}

impl TanFda {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// How often a value must have been seen to imply another, 1 or more.
    #[must_use]
    pub fn with_minimum_frequency(mut self, minimum_frequency: u64) -> Self {
        self.minimum_frequency = minimum_frequency;
        self
    }

    fn validate(self) -> Result<()> {
        self.smoothing.validate(Self::INFO.name)?;
        if self.minimum_frequency == 0 {
            return Err(Error::BadParameter {
                learner: Self::INFO.name.into(),
                parameter: "l".into(),
                value: self.minimum_frequency.to_string(),
                expected: FREQUENCIES.into(),
            });
        }
        Ok(())
    }
}

/// What `l` can be.
const FREQUENCIES: &str = "a whole number of 1 or more";

impl Learner for TanFda {
    type Model = TanFdaModel;

    fn fit(&self, counter: &dyn Counter) -> Result<TanFdaModel> {
        self.validate()?;
        let schema = Arc::clone(counter.schema());
        logs::check_size(&schema)?;
        let features = schema.features().len();
        let mut plan = all_pairs(features);
        let pairs = plan.len();
        plan.extend(all_singles(features));
        let tables = counter.count(&plan)?;
        if tables[pairs].total() == 0 {
            return Err(Error::NoLabelledRows);
        }
        let weights = tables[..pairs].par_iter().map(conditional_mutual_information).collect();
        let counts = PairCounts::new(&schema, &tables[..pairs], &tables[pairs..]);
        Ok(TanFdaModel::new(schema, *self, counts, weights))
    }
}

impl Configure for TanFda {
    const INFO: LearnerInfo = LearnerInfo {
        name: "tan-fda",
        title: "TAN with functional dependencies",
        idea: "As TAN, but for each row the values that another value implies are left out and the tree is built on the others.",
        when: "When some values imply others, as pregnant does female, and such values are seen in hundreds of rows.",
        parameters: &[
            ParameterInfo {
                name: "l",
                default: "100",
                values: "1, 2, 3, …",
                meaning: "how often a value must have been seen to imply another",
            },
            ParameterInfo::smoothing("friedman:5"),
        ],
        complexity: "train O(N n²), predict O(n² + n c)",
        reference: "Wang, Zhao, Sun and Ning, Entropy 17, 2015, and the work on TAN cited there",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        let learner = Self {
            smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing),
            minimum_frequency: parameters.get("l", FREQUENCIES)?.unwrap_or(default.minimum_frequency),
        };
        learner.validate()?;
        Ok(learner)
    }
}
