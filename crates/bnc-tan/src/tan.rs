//! Tree-augmented naive Bayes.

use std::str::FromStr;

use bnc_models::bnc_stats::{
    Child, Counter, Counts, LocalScore, Table, Vars, acll_beta, approximate_conditional_log_likelihood,
    conditional_mutual_information, measure_pairs,
};
use bnc_models::{
    Configure, Constraints, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result, Smoothing,
    StructureScore,
};

use crate::arcs::{branching, forest, pair};

/// Tree-augmented naive Bayes: beside the class, each feature but one has one feature as a parent, and these arcs form
/// the tree that maximises the likelihood, or an approximation of the conditional likelihood.
///
/// `P(y | x) ∝ P(y) Π P(x_i | y, x_parent(i))`
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. Weigh each pair by its conditional mutual information I(Xi; Xj | Y). With [`ArcScore::Acll`] weigh each arc j → i by
///    aCLL(i | j, Y) − aCLL(i | Y), the approximate conditional log-likelihood that it gains.
/// 3. Take the maximum spanning tree; root it at the first feature. The gains in aCLL of an arc and of its reversal differ:
///    there, and with constraints, take the maximum branching (Edmonds 1967) with as many arcs as can be, which finds the
///    root as well.
/// 4. Make the class a parent of every feature, and turn counts into probabilities.
///
/// # Complexity
/// O(N n²) to count, O(n² (c v² + log n)) for the tree, O(n²) for a branching, O(n c) a
/// prediction.
///
/// # Departures
/// - The paper draws the root at random and here it is the first feature; the likelihood does not depend on it, smoothed
///   posteriors do slightly. Ties between trees go to pairs of lower features.
/// - β in aCLL has a closed form and is not simulated: see [`acll_beta`], with the number of rows that know both features
///   as b0. Weighted counts are 5 or more, as in the paper's experiments. The probabilities with aCLL are by default those of
///   the papers that compare it, BDeu with an equivalent sample size of 1.
/// - Constraints are no part of the papers. They can leave a forest.
/// - A missing cell is left out of the tables that need it; a missing value is summed out exactly.
/// - One or no feature makes naive Bayes.
///
/// # References
/// - Friedman, N., Geiger, D., Goldszmidt, M. (1997). Bayesian network classifiers. Machine Learning 29, 131–163.
/// - Chow, C., Liu, C. (1968). Approximating discrete probability distributions with dependence trees. IEEE Transactions on
///   Information Theory 14, 462–467.
/// - Carvalho, A. M., Adão, P., Mateus, P. (2013). Efficient approximation of the conditional relative entropy with
///   applications to discriminative learning of Bayesian network classifiers. Entropy 15, 2716–2735.
/// - Edmonds, J. (1967). Optimum branchings. Journal of Research of the National Bureau of Standards 71B, 233–240.
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
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tan {
    score: ArcScore,
    smoothing: Option<Smoothing>,
    constraints: Constraints,
}

/// What weighs the arcs of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArcScore {
    /// Conditional mutual information: the most likely tree (Friedman, Geiger and Goldszmidt 1997).
    #[default]
    Cmi,
    /// Approximate conditional log-likelihood: a tree for telling the classes apart (Carvalho, Adão and Mateus 2013).
    Acll,
}

impl Tan {
    /// What weighs the arcs; conditional mutual information by default.
    #[must_use]
    pub fn with_score(mut self, score: ArcScore) -> Self {
        self.score = score;
        self
    }

    /// How counts become probabilities. By default as in the papers: Friedman's smoothing with weight 5, or with aCLL BDeu
    /// with an equivalent sample size of 1.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = Some(smoothing);
        self
    }

    /// Arcs between features that must and must not be there.
    #[must_use]
    pub fn with_constraints(mut self, constraints: Constraints) -> Self {
        self.constraints = constraints;
        self
    }

    fn smoothing(&self) -> Smoothing {
        self.smoothing.unwrap_or(match self.score {
            ArcScore::Cmi => Smoothing::Friedman(5.0),
            ArcScore::Acll => Smoothing::Bdeu(1.0),
        })
    }
}

/// What the arcs first → second and second → first of a pair gain in aCLL.
fn acll_gains(table: &Table) -> [f64; 2] {
    let features: Vec<usize> = table.vars().iter().collect();
    let gain = |child: usize| {
        let child_alone = table.marginal(&Vars::new([child]));
        acll_of_family(table, Child::Feature(child)) - acll_of_family(&child_alone, Child::Feature(child))
    };
    [gain(features[1]), gain(features[0])]
}

/// The aCLL of a feature given the others of the table and the class, or of the class, which is the same in all trees.
fn acll_of_family(table: &Table, child: Child) -> f64 {
    let beta = acll_beta(table.classes(), table.total() as f64);
    let Child::Feature(feature) = child else {
        let shared = beta * table.total() as f64;
        let weights = || table.class_counts().into_iter().map(|count| count as f64 + shared);
        let at_least = |weight: f64| weight.max(FEWEST);
        let all: f64 = weights().map(at_least).sum();
        return weights().map(|weight| weight * (at_least(weight) / all).ln()).sum();
    };
    approximate_conditional_log_likelihood(table, feature, beta)
}

/// No weighted count of the class is below this, as in [`approximate_conditional_log_likelihood`].
const FEWEST: f64 = 5.0;

impl Learner for Tan {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        let smoothing = self.smoothing();
        smoothing.validate(Self::INFO.name)?;
        let schema = counter.schema();
        let constraints = self.constraints.resolve_augmented(schema)?;
        match self.score {
            ArcScore::Cmi => {
                let pairs = measure_pairs(counter, conditional_mutual_information)?;
                let tree = forest(schema, &pairs.values, None, &constraints)?;
                let counts = Counts::gather(pairs.counter(counter), &Network::plan(&tree))?;
                let score = StructureScore::of(&counts, &tree, LocalScore::LogLikelihood)?;
                Ok(Network::fit(&counts, tree, smoothing, smoothing)?.with_score(score))
            }
            ArcScore::Acll => {
                let pairs = measure_pairs(counter, acll_gains)?;
                let features = schema.features().len();
                let gain = |parent: usize, child: usize| {
                    pairs.values[pair(features, parent.min(child), parent.max(child))]
                        [usize::from(parent > child)]
                };
                let tree = branching(schema, gain, None, &constraints)?;
                let counts = Counts::gather(pairs.counter(counter), &Network::plan(&tree))?;
                let of_family = |table: &Table, child, _, _| acll_of_family(table, child);
                let score = StructureScore::sum(&counts, &tree, "acll", of_family)?;
                Ok(Network::fit(&counts, tree, smoothing, smoothing)?.with_score(score))
            }
        }
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
                values: "cmi | acll",
                meaning: "what weighs an arc: conditional mutual information, or approximate conditional log-likelihood",
            },
            ParameterInfo::smoothing("friedman:5, bdeu:1 with acll"),
            ParameterInfo::REQUIRE,
            ParameterInfo::FORBID,
            ParameterInfo::ORDER,
        ],
        complexity: "train O(N n²), predict O(n c)",
        reference: "Friedman, Geiger and Goldszmidt, Machine Learning 29, 1997",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        Ok(Self {
            score: parameters.get("score", ARC_SCORES)?.unwrap_or_default(),
            smoothing: parameters.smoothing("smoothing")?,
            constraints: Constraints::of(parameters)?,
        })
    }
}

/// What [`ArcScore`] reads.
const ARC_SCORES: &str = "cmi or acll";

impl FromStr for ArcScore {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "cmi" => Ok(Self::Cmi),
            "acll" => Ok(Self::Acll),
            _ => Err(ARC_SCORES.into()),
        }
    }
}
