//! Exactly optimal general networks.

use bnc_models::bnc_data::{Progress, Schema, Silent};
use bnc_models::bnc_stats::{ClassRole, Counter};
use bnc_models::{Configure, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result};

use crate::Search;
use crate::exact::Task;
use crate::parameters::{EQUIVALENT_SAMPLE_SIZE, MAX_PARENTS, SCORE};
use crate::training::complete_rows;

/// The exactly optimal Bayesian network over class and features, used as a classifier: the class may be anywhere in the
/// graph, and only its Markov blanket (parents, children, the children's other parents) says anything about it.
///
/// # Steps
/// Those of [`Anb`](crate::Anb), with the class as one more node like the others.
///
/// # Complexity
/// That of [`Anb`](crate::Anb) with one feature more: twice the time and memory.
///
/// # Departures
/// Those of [`Anb`](crate::Anb). A limit of parents counts the class here, which is a node like the others. The class loses
/// ties of sinks to no feature: it is the last node.
///
/// # References
/// - Silander, T., Myllymäki, P. (2006). A simple approach for finding the globally optimal Bayesian network structure.
///   UAI, 445–452.
/// - Sugahara, S., Ueno, M. (2021). Exact learning augmented naive Bayes classifier. Entropy 23(12), 1703 (the rival
///   GBN-BDeu).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gbn {
    search: Search,
}

impl Gbn {
    /// A learner that searches so.
    #[must_use]
    pub fn new(search: Search) -> Self {
        Self { search }
    }
}

impl Learner for Gbn {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.fit_with_progress(counter, &Silent)
    }

    fn fit_with_progress(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Network> {
        self.search.validate(Self::INFO.name)?;
        let constraints = self.search.constraints().resolve(counter.schema())?;
        let rows = complete_rows(counter)?;
        let task = Task { search: &self.search, constraints: &constraints, progress };
        task.network(counter, &rows, task.general(&rows)?)
    }

    fn memory(&self, schema: &Schema) -> Option<u64> {
        self.search.memory_of_all(schema, ClassRole::Variable)
    }
}

impl Configure for Gbn {
    const INFO: LearnerInfo = LearnerInfo {
        name: "gbn",
        title: "Exactly optimal general Bayesian network",
        idea: "The best of all networks over class and features; the class's Markov blanket classifies.",
        when: "When the dependences themselves are of interest, or many features have nothing to do with the class.",
        parameters: &[
            SCORE,
            EQUIVALENT_SAMPLE_SIZE,
            ParameterInfo { meaning: "the most parents of a node, the class counted", ..MAX_PARENTS },
            ParameterInfo::REQUIRE,
            ParameterInfo::FORBID,
            ParameterInfo::ORDER,
            Search::MEMORY,
            Search::SMOOTHING,
        ],
        complexity: "train O((N + n²) 2ⁿ), predict O(n c)",
        reference: "Silander and Myllymäki, UAI 2006",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        Search::configure(parameters).map(Self::new)
    }
}
