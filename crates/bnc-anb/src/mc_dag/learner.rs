//! The learner.

use std::str::FromStr;

use bnc_models::bnc_data::{Progress, Silent};
use bnc_models::bnc_stats::Counter;
use bnc_models::bnc_structure::{Family, Structure};
use bnc_models::{Configure, Error, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result, Smoothing};

use super::folds::Folds;
use super::held_out::EQUIVALENT_SAMPLE_SIZE;
use super::search::Search;
use crate::greedy::{Rows, check_pairs};
use crate::training::complete_rows;

/// DOC
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct McDag {
    score: McDagScore,
    start: McDagStart,
    folds: usize,
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
    /// Accuracy over ten folds, from naive Bayes.
    fn default() -> Self {
        Self { score: McDagScore::Accuracy, start: McDagStart::NaiveBayes, folds: 10 }
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

    fn validate(self) -> Result<()> {
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

/// Beyond it a fold more changes nothing but the time.
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
        graph.truncate(features);
        let family = |parents: Vec<usize>| {
            let (class, parents): (Vec<usize>, Vec<usize>) = parents.into_iter().partition(|&node| node == features);
            Family { parents, class: !class.is_empty() }
        };
        let structure = Structure::new(graph.into_iter().map(family).collect(), Vec::new())?;
        let smoothing = Smoothing::Bdeu(EQUIVALENT_SAMPLE_SIZE);
        Network::fit(counter, structure, smoothing, smoothing)
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
