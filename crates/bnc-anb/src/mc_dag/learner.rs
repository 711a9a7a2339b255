//! The learner.

use std::str::FromStr;

use bnc_models::bnc_data::{Progress, Silent};
use bnc_models::bnc_stats::Counter;
use bnc_models::bnc_structure::Structure;
use bnc_models::{
    Configure, Error, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result, Smoothing,
};

use super::folds::Folds;
use super::held_out::EQUIVALENT_SAMPLE_SIZE;
use super::search::Search;
use crate::greedy::{Rows, check_pairs};
use crate::training::complete_rows;

/// A network whose arcs all help to tell the class, by greedy search over equivalence classes.
///
/// A graph is *minimal class-focused* when every arc enters a child of the class: then the class has no parents, and
/// features that are no children of the class have none either. Such graphs have every distribution of the class given complete
/// rows that a network can have, with the fewest arcs. Graphs that are Markov equivalent predict the same; the search goes from
/// equivalence class to equivalence class, so that no direction is chosen before it matters.
///
/// # Steps
/// 1. Start from naive Bayes, or from the empty graph. Deal the rows out to ten stratified folds.
/// 2. Insertions: of all valid operators Insert(X, Y, T) of Chickering (2002), which put an arc X → Y into some graph of
///    the class, those after which Y is a child of the class; the best is applied.
/// 3. Deletions: Delete(X, Y, H), in which the class is not in H. Where Y loses the class, it loses its other parents, too.
/// 4. Each phase goes on while a step betters the predictions of the rows held out, whose probabilities come from the other
///    folds: more rows predicted right, or as many with a larger conditional log likelihood. With
///    [`McDagScore::ConditionalLogLikelihood`] the likelihood alone counts. A search by accuracy ends when all rows are right.
/// 5. Turn counts into probabilities, by default by the estimates of the search: expected a posteriori (BDeu, equivalent
///    sample size 1), which equivalent graphs share.
///
/// # Complexity
/// O(n² N c) a step: with P(y | x) of every row and class at hand an operator changes one factor. O(n c) a prediction.
///
/// # Departures
/// - The full text of the paper was not at hand; the operators follow its summary, and are held to brute force in tests.
/// - "While the score does not drop" would let a search by accuracy wander over plateaus until everything is connected: here
///   a step that leaves the accuracy as it is must raise the likelihood by more than 1 nat. By likelihood alone a step must
///   raise it by more than 1e-9 (or 1e-12 a row, if that is more).
///   The likelihood also decides between steps of equal accuracy; then lower parents come first, the class before all, then
///   lower children.
/// - An operator whose result is not the class of a minimal class-focused graph is passed over for the next best.
/// - The search uses the rows in which every value is known, and the final probabilities come from all. Folds do not depend on
///   the order of the rows: equal rows are shared out evenly, what is left over is shuffled by a fixed generator.
///
/// # References
/// - Mihaljević, B., Bielza, C., Larrañaga, P. (2018). Learning Bayesian network classifiers with completed partially directed
///   acyclic graphs. PMLR 72, 272–283.
/// - Chickering, D. M. (2002). Optimal structure identification with greedy search. Journal of Machine Learning Research 3,
///   507–554.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_anb::McDag;
/// use bnc_anb::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_anb::bnc_models::Learner;
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("a")?, binary("b")?])?);
/// // The class is whether a and b differ: neither tells anything without the other.
/// let a: Vec<u16> = (0..40).map(|row| row % 2).collect();
/// let b: Vec<u16> = (0..40).map(|row| row / 2 % 2).collect();
/// let class = a.iter().zip(&b).map(|(a, b)| a ^ b).collect();
/// let model = McDag::default().fit(&Dataset::new(schema, class, vec![a, b], None)?)?;
/// assert_eq!(model.structure().arcs().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McDag {
    score: McDagScore,
    start: McDagStart,
    folds: usize,
    smoothing: Smoothing,
}

/// What [`McDag`] judges a graph by, on held-out folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum McDagScore {
    /// The share of the rows whose class is the most probable one.
    #[default]
    Accuracy,
    /// The conditional log likelihood of the class.
    ConditionalLogLikelihood,
}

/// The graph that [`McDag`] starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum McDagStart {
    /// Every feature depends on the class alone.
    #[default]
    NaiveBayes,
    /// No arcs.
    Empty,
}

impl Default for McDag {
    /// Accuracy over ten folds, from naive Bayes; BDeu with the equivalent sample size of the search.
    fn default() -> Self {
        let smoothing = Smoothing::Bdeu(EQUIVALENT_SAMPLE_SIZE);
        Self { score: McDagScore::Accuracy, start: McDagStart::NaiveBayes, folds: 10, smoothing }
    }
}

impl McDag {
    /// What graphs are judged by.
    #[must_use]
    pub fn with_score(mut self, score: McDagScore) -> Self {
        self.score = score;
        self
    }

    /// The graph to start from.
    #[must_use]
    pub fn with_start(mut self, start: McDagStart) -> Self {
        self.start = start;
        self
    }

    /// The number of folds, 2 or more.
    #[must_use]
    pub fn with_folds(mut self, folds: usize) -> Self {
        self.folds = folds;
        self
    }

    /// How counts become probabilities in the end; the search has its own, which equivalent graphs share.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    fn validate(self) -> Result<()> {
        self.smoothing.validate(Self::INFO.name)?;
        if (2..=MAX_FOLDS).contains(&self.folds) {
            return Ok(());
        }
        Err(Error::BadParameter {
            learner: Self::INFO.name.into(),
            parameter: "folds".into(),
            value: self.folds.to_string(),
            expected: FOLDS.into(),
        })
    }
}

const MAX_FOLDS: usize = 1000;

/// The largest number of ordered pairs of nodes that the search considers.
const MAX_PAIRS: usize = 1 << 18;

impl Learner for McDag {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.fit_with_progress(counter, &Silent)
    }

    fn fit_with_progress(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Network> {
        self.validate()?;
        let features = counter.schema().features().len();
        check_pairs(features, MAX_PAIRS)?;
        let rows = Rows::distinct(&complete_rows(counter)?);
        let mut graph = match self.start {
            McDagStart::NaiveBayes => vec![vec![features]; features],
            McDagStart::Empty => vec![Vec::new(); features],
        };
        graph.push(Vec::new());
        // Without a row to hold out there is nothing to judge by.
        if rows.len() > 0 {
            graph = Search::new(&Folds::stratified(&rows, self.folds), self.score, progress, graph).run()?;
        }
        Network::fit(counter, Structure::of_nodes(graph)?, self.smoothing, self.smoothing)
    }
}

impl Configure for McDag {
    const INFO: LearnerInfo = LearnerInfo {
        name: "mc-dag",
        title: "Minimal class-focused network by equivalence classes",
        idea: "Greedy search over equivalence classes of networks whose arcs all enter children of the class, judged by held-out predictions.",
        when: "When accuracy is what counts, the features are no more than some dozens, and a search that judges each step on held-out rows may take its time.",
        parameters: &[
            ParameterInfo {
                name: "score",
                default: "accuracy",
                values: "accuracy | cll",
                meaning: "what a network is judged by on held-out rows",
            },
            ParameterInfo {
                name: "start",
                default: "nb",
                values: "nb | empty",
                meaning: "the network to start from; from the empty one the search often ends early",
            },
            ParameterInfo {
                name: "folds",
                default: "10",
                values: "a whole number from 2 to 1000",
                meaning: "how many parts the rows are held out in",
            },
            ParameterInfo::smoothing("bdeu:1"),
        ],
        complexity: "train O(n² N c) a step, predict O(n c)",
        reference: "Mihaljević, Bielza and Larrañaga, PGM 2018",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        let learner = Self {
            score: parameters.get("score", SCORES)?.unwrap_or(default.score),
            start: parameters.get("start", STARTS)?.unwrap_or(default.start),
            folds: parameters.get("folds", FOLDS)?.unwrap_or(default.folds),
            smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing),
        };
        learner.validate()?;
        Ok(learner)
    }
}

const SCORES: &str = "accuracy or cll";
const STARTS: &str = "nb or empty";
const FOLDS: &str = "a whole number from 2 to 1000";

impl FromStr for McDagScore {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "accuracy" => Ok(Self::Accuracy),
            "cll" => Ok(Self::ConditionalLogLikelihood),
            _ => Err(SCORES.into()),
        }
    }
}

impl FromStr for McDagStart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "nb" => Ok(Self::NaiveBayes),
            "empty" => Ok(Self::Empty),
            _ => Err(STARTS.into()),
        }
    }
}
