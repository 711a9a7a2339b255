//! Optimal augmented Bayes networks.

use std::str::FromStr;

use bnc_models::bnc_stats::{Counter, Counts, Table, Vars, conditional_mutual_information, measure_pairs};
use bnc_models::{
    Configure, Constraints, Error, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result,
    Smoothing, StructureScore,
};

use crate::arcs::forest;
use crate::score::{SCORES, Score};

/// The augmented Bayes network of least description length: beside the class, each feature has at most one feature as a
/// parent, and these arcs form the forest that minimises MDL (or AIC) over all forests.
///
/// `MDL(B) = (ln N / 2) |B| − LL`, and by the arc between i and j, whatever its direction, it falls by
/// `gain(i, j) = N I(Xi; Xj | Y) − (ln N / 2) c (r_i − 1)(r_j − 1)`; with AIC the factor `ln N / 2` is 1.
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. Weigh each pair by its gain.
/// 3. Take the maximum spanning forest of the pairs of positive gain (Kruskal): gains add up over the arcs and forests
///    are a matroid, so none is better. Root each tree at its lowest feature.
///    With constraints take the maximum branching that obeys them (Edmonds 1967) instead; a required arc need not pay.
/// 4. Make the class a parent of every feature, and turn counts into probabilities.
///
/// # Complexity
/// O(N n²) to count, O(n² (c v² + log n)) for the forest, O(n c) a prediction.
///
/// # Departures
/// - The recipe known of the paper (its full text was not at hand) deletes the pairs below the threshold and then weighs
///   the others by I(Xi; Xj | Y) alone. With unequal cardinalities that forest can be worse: of three dependent pairs on
///   a cycle the least informative may be by far the cheapest. [`Weights::Raw`] keeps the recipe for comparison.
/// - A pair whose gain is exactly 0 is left out: of two forests of equal score the smaller one is learnt. (bnclassify keeps
///   such a pair.) Ties go to pairs of lower features.
/// - The score is that of the maximum likelihood estimates; predictions are smoothed. The default is BDeu with an
///   equivalent sample size of 1, the one smoothing under which, as under the score, the choice of the roots has no
///   effect (where no cell is missing).
/// - A missing cell is left out of the tables that need it: the gain of a pair is over the rows that know both, N in the
///   penalty is the number of labelled rows. A missing value is summed out exactly.
/// - Declared values and classes count as parameters, seen or not, as they do in the tables.
/// - Constraints are no part of the paper.
///
/// # References
/// - Hamine, V., Helman, P. (2005). Learning optimal augmented Bayes networks. arXiv:cs/0509055.
/// - Friedman, N., Geiger, D., Goldszmidt, M. (1997). Bayesian network classifiers. Machine Learning 29, 131–163.
/// - Edmonds, J. (1967). Optimum branchings. Journal of Research of the National Bureau of Standards 71B, 233–240.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_tan::Abn;
/// use bnc_tan::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_tan::bnc_models::Learner;
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("a")?, binary("b")?, binary("c")?])?);
/// // b repeats a within each class; c tells nothing of either.
/// let class = (0..40).map(|row| row / 20).collect();
/// let a: Vec<u16> = (0..40).map(|row| row % 2).collect();
/// let c = (0..40).map(|row| row / 2 % 2).collect();
/// let data = Dataset::new(schema, class, vec![a.clone(), a, c], None)?;
/// let model = Abn::default().fit(&data)?;
/// assert_eq!(model.structure().arcs().collect::<Vec<_>>(), [(0, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Abn {
    score: Score,
    weights: Weights,
    smoothing: Smoothing,
    constraints: Constraints,
}

/// What Kruskal's algorithm weighs the pairs of positive gain by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weights {
    /// The gain itself: optimal.
    #[default]
    Net,
    /// The conditional mutual information without the penalty: not optimal where cardinalities differ.
    Raw,
}

impl Default for Abn {
    /// MDL, net weights, BDeu with an equivalent sample size of 1.
    fn default() -> Self {
        Self {
            score: Score::Mdl,
            weights: Weights::Net,
            smoothing: Smoothing::Bdeu(1.0),
            constraints: Constraints::default(),
        }
    }
}

impl Abn {
    /// What the forest minimises.
    #[must_use]
    pub fn with_score(mut self, score: Score) -> Self {
        self.score = score;
        self
    }

    /// What weighs the pairs of positive gain.
    #[must_use]
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// Arcs between features that must and must not be there.
    #[must_use]
    pub fn with_constraints(mut self, constraints: Constraints) -> Self {
        self.constraints = constraints;
        self
    }

    /// The weight of a pair when there are `rows` labelled rows and an arc adds so many free parameters; a pair that is to be
    /// left out weighs 0 or less.
    fn weigh(&self, pair: &Pair, parameters: f64, rows: u64) -> f64 {
        let gain = pair.rows as f64 * pair.information - self.score.penalty(rows) * parameters;
        match self.weights {
            Weights::Raw if gain > 0.0 => pair.information,
            _ => gain,
        }
    }
}

/// What the counts of two features say about an arc between them.
struct Pair {
    /// I(Xi; Xj | Y) in nats.
    information: f64,
    /// The labelled rows that know both features.
    rows: u64,
}

impl Pair {
    fn new(table: &Table) -> Self {
        Self { information: conditional_mutual_information(table), rows: table.total() }
    }
}

impl Learner for Abn {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.smoothing.validate(Self::INFO.name)?;
        let constraints = self.constraints.resolve_augmented(counter.schema())?;
        let pairs = measure_pairs(counter, Pair::new)?;
        let rows: u64 = pairs.counter(counter).count(&[Vars::default()])?.iter().map(Table::total).sum();
        if rows == 0 {
            return Err(Error::NoLabelledRows);
        }
        let schema = counter.schema();
        let free: Vec<f64> =
            schema.features().iter().map(|feature| feature.cardinality() as f64 - 1.0).collect();
        let parameters = (0..free.len())
            .flat_map(|i| (i + 1..free.len()).map(move |j| (i, j)))
            .map(|(i, j)| schema.classes() as f64 * (free[i] * free[j]));
        let weights: Vec<f64> = pairs
            .values
            .iter()
            .zip(parameters)
            .map(|(pair, parameters)| self.weigh(pair, parameters, rows))
            .collect();
        let forest = forest(counter.schema(), &weights, Some(0.0), &constraints)?;
        let counts = Counts::gather(pairs.counter(counter), &Network::plan(&forest))?;
        let score = StructureScore::of(&counts, &forest, self.score.local())?;
        Ok(Network::fit(&counts, forest, self.smoothing, self.smoothing)?.with_score(score))
    }
}

impl Configure for Abn {
    const INFO: LearnerInfo = LearnerInfo {
        name: "abn",
        title: "Optimal augmented Bayes network",
        idea: "As TAN, but an arc must pay for its parameters: the arcs form the forest of least description length.",
        when: "When only some features depend on each other, or rows are too few for a whole tree of many-valued features.",
        parameters: &[
            ParameterInfo {
                name: "score",
                default: "mdl",
                values: "mdl | aic",
                meaning: "what the forest minimises; aic pays less for a parameter and keeps more arcs",
            },
            ParameterInfo {
                name: "weights",
                default: "net",
                values: "net | raw",
                meaning: "what weighs an arc that pays: its gain, or its information alone (not optimal)",
            },
            ParameterInfo::smoothing("bdeu:1"),
            ParameterInfo::REQUIRE,
            ParameterInfo::FORBID,
            ParameterInfo::ORDER,
        ],
        complexity: "train O(N n²), predict O(n c)",
        reference: "Hamine and Helman, arXiv cs/0509055, 2005",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        Ok(Self {
            score: parameters.get("score", SCORES)?.unwrap_or(default.score),
            weights: parameters.get("weights", WEIGHTS)?.unwrap_or(default.weights),
            smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing),
            constraints: Constraints::of(parameters)?,
        })
    }
}

/// What [`Weights`] reads.
const WEIGHTS: &str = "net or raw";

impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "net" => Ok(Self::Net),
            "raw" => Ok(Self::Raw),
            _ => Err(WEIGHTS.into()),
        }
    }
}
