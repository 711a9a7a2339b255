//! What the exact learners search for, and the search.

use bnc_models::bnc_data::Schema;
use bnc_models::bnc_stats::{ClassRole, FamilyScores, LocalScore};
use bnc_models::bnc_structure::{ArcConstraints, ExactSearch};
use bnc_models::{Constraints, ParameterInfo, Parameters, Result, Smoothing};

use crate::parameters::{self, SCORES, smoothing_of};

/// What an exact learner maximises, within which limits, and how counts become probabilities.
///
/// # Examples
/// ```
/// use bnc_anb::bnc_models::bnc_stats::LocalScore;
/// use bnc_anb::{Anb, Search};
/// let learner = Anb::new(Search::default().with_score(LocalScore::Bic).with_max_parents(Some(2)));
/// # let _ = learner;
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    score: LocalScore,
    max_parents: Option<usize>,
    constraints: Constraints,
    memory: u64,
    smoothing: Option<Smoothing>,
}

const GIB: f64 = (1_u64 << 30) as f64;

impl Default for Search {
    /// BDeu with an equivalent sample size of 1, no limit of parents, no constraints, at most 20 GiB, and the expected
    /// a posteriori estimate with the same sample size.
    fn default() -> Self {
        Self {
            score: LocalScore::Bdeu(1.0),
            max_parents: None,
            constraints: Constraints::default(),
            memory: 20 << 30,
            smoothing: None,
        }
    }
}

impl Search {
    /// What the structure maximises.
    #[must_use]
    pub fn with_score(mut self, score: LocalScore) -> Self {
        self.score = score;
        self
    }

    /// The most parents of a node; in an augmented naive Bayes the class is not counted.
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

    /// The most memory that the search may take, in bytes.
    #[must_use]
    pub fn with_memory(mut self, memory: u64) -> Self {
        self.memory = memory;
        self
    }

    /// How counts become probabilities, where it is not to be what goes with the score.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = Some(smoothing);
        self
    }

    pub(crate) const SMOOTHING: ParameterInfo = ParameterInfo::smoothing("bdeu with the score's ess");
    pub(crate) const MEMORY: ParameterInfo = ParameterInfo {
        name: "memory",
        default: "20",
        values: "GiB, a number above 0",
        meaning: "the most memory that the search may take; it is refused before work when it needs more",
    };

    /// The search that the parameters describe; those that a learner does not have keep their defaults.
    pub(crate) fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        let memory: Option<f64> = parameters.get("memory", "a number of GiB above 0")?;
        if let Some(memory) = memory.filter(|memory| !(memory.is_finite() && *memory > 0.0)) {
            return Err(parameters.bad("memory", memory.to_string(), "a number of GiB above 0"));
        }
        Ok(Self {
            score: parameters::score(parameters, SCORES, default.score)?,
            max_parents: parameters::max_parents(parameters)?,
            constraints: Constraints::of(parameters)?,
            #[allow(clippy::cast_sign_loss, reason = "it is above 0")]
            memory: memory.map_or(default.memory, |memory| (memory * GIB) as u64),
            smoothing: parameters.smoothing("smoothing")?,
        })
    }

    pub(crate) fn score(&self) -> LocalScore {
        self.score
    }

    pub(crate) fn smoothing(&self) -> Smoothing {
        self.smoothing.unwrap_or_else(|| smoothing_of(self.score))
    }

    pub(crate) fn constraints(&self) -> &Constraints {
        &self.constraints
    }

    pub(crate) fn max_parents(&self) -> Option<usize> {
        self.max_parents
    }

    /// The most memory that the search may take, in bytes.
    pub(crate) fn limit(&self) -> u64 {
        self.memory
    }

    /// The most memory in bytes that a search takes: its scores, and its own tables, which are narrower where the wide
    /// ones are beyond the limit.
    pub(crate) fn memory(&self, schema: &Schema, features: &[usize], class: ClassRole) -> Memory {
        let scores = FamilyScores::memory(schema, features, class, self.score, self.max_parents);
        let nodes = features.len() + usize::from(class == ClassRole::Variable);
        let tables = ExactSearch {
            max_parents: self.max_parents,
            budget: self.memory.saturating_sub(scores),
            constraints: &ArcConstraints::none(nodes),
            watch: &|_, _| true,
        };
        Memory { scores, tables: tables.memory(nodes) }
    }

    /// The memory over all features of a schema; `None` when it is beyond all bounds.
    pub(crate) fn memory_of_all(&self, schema: &Schema, class: ClassRole) -> Option<u64> {
        let features: Vec<usize> = (0..schema.features().len()).collect();
        Some(self.memory(schema, &features, class).total()).filter(|bytes| *bytes < u64::MAX)
    }

    /// Refuses parameters out of range.
    pub(crate) fn validate(&self, learner: &str) -> Result<()> {
        parameters::validate(self.score, learner)?;
        self.smoothing().validate(learner)
    }
}

/// What a search takes, in bytes.
pub(crate) struct Memory {
    pub(crate) scores: u64,
    pub(crate) tables: u64,
}

impl Memory {
    pub(crate) fn total(&self) -> u64 {
        self.scores.saturating_add(self.tables)
    }
}
