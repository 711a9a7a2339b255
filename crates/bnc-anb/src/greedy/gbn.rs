//! Hill climbing over general networks.

use bnc_models::bnc_data::{Progress, Silent};
use bnc_models::bnc_stats::{Counter, LocalScore, Table, Vars};
use bnc_models::{
    Configure, Constraints, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result, Smoothing,
};

use super::climb::{Limit, Space, climb};
use super::climb_conditional;
use super::decomposable::Decomposable;
use crate::parameters::{self, EQUIVALENT_SAMPLE_SIZE, MAX_PARENTS};
use crate::training::{complete_rows, finish};

/// A general Bayesian network over class and features by greedy search: gGBN-BDeu and GBN-CMDL.
///
/// The class is a node as any other; it is predicted from its Markov blanket.
///
/// # Steps
/// 1. Start from the required arcs: the empty graph by default.
/// 2. Of all arcs that can be added, deleted or reversed without a cycle, take the change that betters the score most; among
///    equals additions come before deletions before reversals, then lower parents (the class first), then lower children.
/// 3. Repeat until no change betters the score by more than 1e-9 (or 1e-12 a row, if that is more).
/// 4. Turn counts into probabilities.
///
/// [`GreedyScore::Cmdl`] is minimised: `CMDL(B) = (ln N / 2) |B| − Σ ln P_B(y | x)` with maximum likelihood estimates, |B| being
/// the number of free parameters of the whole network. It is no sum over families.
///
/// # Complexity
/// With a score that is a sum over families O(N n²) for the first step and O(N n) for each further one; with CMDL O(n² N c) a
/// step. O(n c) a prediction.
///
/// # Departures
/// - No random restarts and no list of forbidden steps back: one climb, and its result is a local optimum.
/// - Estimates for CMDL: a configuration of parents that was never seen has the uniform distribution; a value never seen with
///   a configuration that was seen has probability 0. The own class of a training row is never ruled out.
/// - The search uses the rows in which every value is known, and probabilities come from all.
/// - A family whose table would have more than [`MAX_TABLE_CELLS`](bnc_models::MAX_TABLE_CELLS) cells is not considered.
/// - Probabilities are expected a posteriori estimates with the equivalent sample size of the score, or 1.
///
/// # References
/// - Heckerman, D., Geiger, D., Chickering, D. M. (1995). Learning Bayesian networks: the combination of knowledge and
///   statistical data. Machine Learning 20, 197–243.
/// - Friedman, N., Geiger, D., Goldszmidt, M. (1997). Bayesian network classifiers. Machine Learning 29, 131–163.
/// - Grossman, D., Domingos, P. (2004). Learning Bayesian network classifiers by maximizing conditional likelihood. ICML.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_anb::GreedyGbn;
/// use bnc_anb::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_anb::bnc_models::Learner;
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("a")?, binary("b")?])?);
/// // The class follows a; b tells nothing.
/// let a: Vec<u16> = (0..40).map(|row| row % 2).collect();
/// let class = a.iter().enumerate().map(|(row, a)| if row < 4 { 1 - a } else { *a }).collect();
/// let b = (0..40).map(|row| row / 2 % 2).collect();
/// let model = GreedyGbn::default().fit(&Dataset::new(schema, class, vec![a, b], None)?)?;
/// assert!(model.structure().features()[0].class && !model.structure().features()[1].class);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GreedyGbn {
    score: GreedyScore,
    max_parents: Option<usize>,
    constraints: Constraints,
    smoothing: Option<Smoothing>,
}

/// What [`GreedyGbn`] betters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GreedyScore {
    /// A sum over families, maximised.
    Local(LocalScore),
    /// Conditional MDL, minimised.
    Cmdl,
}

impl Default for GreedyGbn {
    /// BDeu with an equivalent sample size of 1, no limit, no constraints, and the probabilities that go with the score.
    fn default() -> Self {
        Self {
            score: GreedyScore::Local(LocalScore::Bdeu(1.0)),
            max_parents: None,
            constraints: Constraints::default(),
            smoothing: None,
        }
    }
}

impl GreedyGbn {
    /// What the search betters.
    #[must_use]
    pub fn with_score(mut self, score: GreedyScore) -> Self {
        self.score = score;
        self
    }

    /// The most parents of a node, the class not counted.
    #[must_use]
    pub fn with_max_parents(mut self, max_parents: Option<usize>) -> Self {
        self.max_parents = max_parents;
        self
    }

    /// Arcs that must and must not be there.
    #[must_use]
    pub fn with_constraints(mut self, constraints: Constraints) -> Self {
        self.constraints = constraints;
        self
    }

    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = Some(smoothing);
        self
    }

    fn smoothing(&self) -> Smoothing {
        self.smoothing.unwrap_or(match self.score {
            GreedyScore::Local(score) => parameters::smoothing_of(score),
            GreedyScore::Cmdl => Smoothing::Bdeu(1.0),
        })
    }
}

impl Learner for GreedyGbn {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.fit_with_progress(counter, &Silent)
    }

    fn fit_with_progress(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Network> {
        let name = Self::INFO.name;
        if let GreedyScore::Local(score) = self.score {
            parameters::validate(score, name)?;
        }
        let smoothing = self.smoothing();
        smoothing.validate(name)?;
        let limit = self.max_parents.map_or(Limit::None, Limit::Features);
        let space = Space::new(counter.schema(), &self.constraints, limit)?;
        let rows = complete_rows(counter)?;
        match self.score {
            GreedyScore::Local(score) => {
                let total = rows.count(&[Vars::default()])?.iter().map(Table::total).sum();
                let mut objective = Decomposable::new(&rows, total, score);
                let structure = climb(&space, &mut objective, total, progress)?.structure()?;
                finish(counter, &rows, structure, score, smoothing, None)
            }
            GreedyScore::Cmdl => {
                let graph =
                    climb_conditional(&space, &rows, |rows| (rows.max(1) as f64).ln() / 2.0, progress)?;
                Network::fit(counter, graph.structure()?, smoothing, smoothing)
            }
        }
    }
}

/// What the key `score` takes.
const SCORES: &str = "bdeu | bds | k2 | mdl (bic) | aic | fnml | qnml | loglik | cmdl";

impl Configure for GreedyGbn {
    const INFO: LearnerInfo = LearnerInfo {
        name: "gbn-greedy",
        title: "Greedy general Bayesian network",
        idea: "Arcs between any columns are added, deleted and reversed while the score of the network rises.",
        when: "When the class may be explained by some features, too, and the columns are too many for the exact search.",
        parameters: &[
            ParameterInfo {
                name: "score",
                default: "bdeu",
                values: SCORES,
                meaning: "what the structure maximises; mdl and cmdl (conditional on the features) are minimised",
            },
            EQUIVALENT_SAMPLE_SIZE,
            MAX_PARENTS,
            ParameterInfo::REQUIRE,
            ParameterInfo::FORBID,
            ParameterInfo::ORDER,
            ParameterInfo::smoothing("bdeu with the ess"),
        ],
        complexity: "train O(N n²), with cmdl O(n² N c) a step; predict O(n c)",
        reference: "Heckerman, Geiger and Chickering, Machine Learning 1995; Grossman and Domingos, ICML 2004",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let given: Option<String> = parameters.get("score", SCORES)?;
        let score = if given.as_deref() == Some("cmdl") {
            if let Some(size) = parameters.get::<String>("ess", "a number above 0")? {
                return Err(parameters.bad("ess", size, "for bdeu and bds only; leave it out"));
            }
            GreedyScore::Cmdl
        } else {
            GreedyScore::Local(parameters::score(parameters, SCORES, LocalScore::Bdeu(1.0))?)
        };
        Ok(Self {
            score,
            max_parents: parameters::max_parents(parameters)?,
            constraints: Constraints::of(parameters)?,
            smoothing: parameters.smoothing("smoothing")?,
        })
    }
}
