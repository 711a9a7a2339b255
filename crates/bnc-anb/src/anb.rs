//! Exactly optimal augmented naive Bayes.

use bnc_models::bnc_data::{Progress, Schema, Silent};
use bnc_models::bnc_stats::{ClassRole, Counter};
use bnc_models::{Configure, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result};

use crate::Search;
use crate::exact::Task;
use crate::parameters::{EQUIVALENT_SAMPLE_SIZE, MAX_PARENTS, SCORE};
use crate::training::complete_rows;

/// Exactly optimal augmented naive Bayes: the class is a parent of every feature, and the arcs between the features form
/// the directed acyclic graph of the best score, without any limit on the number of parents.
///
/// `P(y | x) ∝ P(y) Π P(x_i | y, x_parents(i))`
///
/// # Steps
/// 1. Score each feature given the class and every set of other features. All scores come from one function of feature
///    sets, of which there are 2ⁿ values: `s_i(Z) = A(Z ∪ {i}) − B(Z)`.
/// 2. Best parents of each feature within every set: `best_i(Z) = max(s_i(Z), max_z best_i(Z \ {z}))`.
/// 3. Best network over every set: `R(Z) = max_i R(Z \ {i}) + best_i(Z \ {i})`; the features that reach the maximum are peeled
///    off one by one.
/// 4. Counts become probabilities, by the expected a posteriori estimate.
///
/// # Complexity
/// O(n² 2ⁿ) beside the 2ⁿ sums over rows; 4 n 2ⁿ bytes and more, said and checked before the work
/// ([`Learner::memory`]). 28 features are within reach of 20 GiB; a limit of parents takes less of both.
///
/// # Departures
/// - Ties are not specified: fewer parents win, then the lower set; scores are compared on a grid of 2⁻³⁰ nats, so that
///   rounding does not decide. Markov equivalent optima have the same posteriors under BDeu and its estimate.
/// - With few rows BDeu prefers parent sets that tell every row from every other: s = Σ ln(1/r) beats independence, even
///   for random bits, and so do BDs, K2 and the NML scores. `max-parents` or `score=mdl` avoid it.
/// - The structure is learnt from the rows without missing cells, as in the paper; probabilities use every row that
///   knows a family. A missing value is summed out exactly.
///
/// # References
/// - Sugahara, S., Ueno, M. (2021). Exact learning augmented naive Bayes classifier. Entropy 23(12), 1703.
/// - Sugahara, S., Uto, M., Ueno, M. (2018). Exact learning augmented naive Bayes classifier. PMLR 72, 439–450.
/// - Silander, T., Myllymäki, P. (2006). A simple approach for finding the globally optimal Bayesian network structure.
///   UAI, 445–452.
///
/// # Examples
/// ```
/// use bnc_anb::Anb;
/// use bnc_anb::bnc_models::Learner;
/// use bnc_anb::bnc_models::bnc_data::{Encoder, Preparation, builtin};
///
/// let frame = builtin("tic-tac-toe")?;
/// let encoder = Encoder::fit(&frame, Preparation::default())?;
/// let model = Anb::default().fit(&encoder.encode(&frame)?.data)?;
/// // The centre of the board has the best score with all others as parents, or they with it.
/// assert!(model.structure().arcs().count() > 8);
/// assert!(model.score().is_some_and(|score| score.total < 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Anb {
    search: Search,
}

impl Anb {
    /// A learner that searches so.
    #[must_use]
    pub fn new(search: Search) -> Self {
        Self { search }
    }
}

impl Learner for Anb {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.fit_with_progress(counter, &Silent)
    }

    fn fit_with_progress(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Network> {
        self.search.validate(Self::INFO.name)?;
        let constraints = self.search.constraints().resolve_augmented(counter.schema())?;
        let rows = complete_rows(counter)?;
        let task = Task { search: &self.search, constraints: &constraints, progress };
        let features: Vec<usize> = (0..rows.features().len()).collect();
        task.network(counter, &rows, task.augmented(&rows, &features)?)
    }

    fn memory(&self, schema: &Schema) -> Option<u64> {
        self.search.memory_of_all(schema, ClassRole::Parent)
    }
}

impl Configure for Anb {
    const INFO: LearnerInfo = LearnerInfo {
        name: "anb",
        title: "Exactly optimal augmented naive Bayes",
        idea: "The class is a parent of every feature; the arcs between features are the best of all directed acyclic graphs.",
        when: "When accuracy matters most and there are at most some 25 features: no augmented naive Bayes scores higher.",
        parameters: &[
            SCORE,
            EQUIVALENT_SAMPLE_SIZE,
            MAX_PARENTS,
            ParameterInfo::REQUIRE,
            ParameterInfo::FORBID,
            ParameterInfo::ORDER,
            Search::MEMORY,
            Search::SMOOTHING,
        ],
        complexity: "train O((N + n²) 2ⁿ), predict O(n c)",
        reference: "Sugahara and Ueno, Entropy 23(12), 2021",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        Search::configure(parameters).map(Self::new)
    }
}
