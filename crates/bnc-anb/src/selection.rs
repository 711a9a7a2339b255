//! Exactly optimal augmented naive Bayes over selected features.

use bnc_models::bnc_data::{Dataset, Progress, Schema, Silent};
use bnc_models::bnc_stats::{Child, ClassRole, Counter, LocalScore, Table, all_singles};
use bnc_models::bnc_structure::{ArcConstraints, Structure};
use bnc_models::{Configure, Constraints, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result};

use crate::Search;
use crate::exact::Task;
use crate::parameters::{EQUIVALENT_SAMPLE_SIZE, MAX_PARENTS};
use crate::training::complete_rows;

/// Augmented naive Bayes over the features that depend on the class by themselves: feature i is kept where the Bayes
/// factor speaks for the arc from the class, `ln BF = s_i({}) − s_i({class}) < 0` with the local scores of BDeu.
///
/// Features that are not kept stay in the model without parents; they say nothing about the class. Where none is
/// kept, the most frequent class is predicted.
///
/// # Steps
/// 1. Count each feature by class; keep those with a Bayes factor for the arc.
/// 2. [`Anb`](crate::Anb) over these.
///
/// # Departures
/// The paper's own procedure was not at hand; this is its building block, the marginal test. It drops features that
/// tell about the class only together with others (tic-tac-toe, glass): it is a rival for comparison, never a default.
///
/// # References
/// - Sugahara, S., Ueno, M. (2021). Exact learning augmented naive Bayes classifier. Entropy 23(12), 1703.
/// - Steck, H., Jaakkola, T. (2002). On the Dirichlet prior and Bayesian regularization. NIPS 15.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FsAnb {
    search: Search,
}

/// Augmented naive Bayes over the class's Markov blanket in the exactly optimal general network.
///
/// Features outside the blanket stay in the model without parents; they say nothing about the class.
///
/// # Steps
/// 1. [`Gbn`](crate::Gbn); take the parents of the class, its children and their other parents.
/// 2. [`Anb`](crate::Anb) over these.
///
/// # References
/// - Sugahara, S., Uto, M., Ueno, M. (2018). Exact learning augmented naive Bayes classifier. PMLR 72, 439–450 (MANB-BDeu).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manb {
    search: Search,
}

impl FsAnb {
    /// A learner that searches so; constraints on arcs are not for learners that select features.
    #[must_use]
    pub fn new(search: Search) -> Self {
        Self { search: search.with_constraints(Constraints::default()) }
    }
}

impl Manb {
    /// A learner that searches so; constraints on arcs are not for learners that select features.
    #[must_use]
    pub fn new(search: Search) -> Self {
        Self { search: search.with_constraints(Constraints::default()) }
    }
}

/// The features with a Bayes factor for the arc from the class.
fn dependent_features(rows: &Dataset, score: LocalScore) -> Result<Vec<usize>> {
    let tables = rows.count(&all_singles(rows.features().len()))?;
    let depends = |(feature, table): (usize, &Table)| {
        let of = |class| score.of_family(table, Child::Feature(feature), class, table.total());
        (of(true) > of(false)).then_some(feature)
    };
    Ok(tables[1..].iter().enumerate().filter_map(depends).collect())
}

/// Parents, children, and the children's other parents of the class.
fn markov_blanket(structure: &Structure) -> Vec<usize> {
    let children = structure.features().iter().enumerate().filter(|(_, family)| family.class);
    let families = children.flat_map(|(child, family)| family.parents.iter().copied().chain([child]));
    let mut blanket: Vec<usize> = structure.class_parents().iter().copied().chain(families).collect();
    blanket.sort_unstable();
    blanket.dedup();
    blanket
}

impl Learner for FsAnb {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.fit_with_progress(counter, &Silent)
    }

    fn fit_with_progress(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Network> {
        self.search.validate(Self::INFO.name)?;
        let rows = complete_rows(counter)?;
        let features = dependent_features(&rows, self.search.score())?;
        over(&self.search, counter, &rows, &features, progress)
    }

    fn memory(&self, schema: &Schema) -> Option<u64> {
        self.search.memory_of_all(schema, ClassRole::Parent)
    }
}

impl Learner for Manb {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.fit_with_progress(counter, &Silent)
    }

    fn fit_with_progress(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Network> {
        self.search.validate(Self::INFO.name)?;
        let rows = complete_rows(counter)?;
        let none = ArcConstraints::none(rows.features().len() + 1);
        let task = Task { search: &self.search, constraints: &none, progress };
        let features = markov_blanket(&task.general(&rows)?.structure);
        over(&self.search, counter, &rows, &features, progress)
    }

    fn memory(&self, schema: &Schema) -> Option<u64> {
        self.search.memory_of_all(schema, ClassRole::Variable)
    }
}

/// The optimal augmented naive Bayes over some features.
fn over(
    search: &Search,
    counter: &dyn Counter,
    rows: &Dataset,
    features: &[usize],
    progress: &dyn Progress,
) -> Result<Network> {
    let none = ArcConstraints::none(rows.features().len() + 1);
    let task = Task { search, constraints: &none, progress };
    task.network(counter, rows, task.augmented(rows, features)?)
}

impl Configure for FsAnb {
    const INFO: LearnerInfo = LearnerInfo {
        name: "fs-anb",
        title: "Augmented naive Bayes over features chosen by Bayes factors",
        idea: "Features without a Bayes factor for an arc from the class are left out, then anb.",
        when: "For comparison: it loses features that tell about the class only together.",
        parameters: &[EQUIVALENT_SAMPLE_SIZE, MAX_PARENTS, Search::MEMORY, Search::SMOOTHING],
        complexity: "train O((N + m²) 2ᵐ) for m features chosen, predict O(m c)",
        reference: "Sugahara and Ueno, Entropy 23(12), 2021",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        Search::configure(parameters).map(Self::new)
    }
}

impl Configure for Manb {
    const INFO: LearnerInfo = LearnerInfo {
        name: "manb",
        title: "Augmented naive Bayes over the class's Markov blanket",
        idea: "The best general network tells which features matter to the class; anb over these.",
        when: "In place of anb when many features have nothing to do with the class.",
        parameters: &[
            EQUIVALENT_SAMPLE_SIZE,
            ParameterInfo {
                meaning: "the most parents of a node, the class counted in the general network only",
                ..MAX_PARENTS
            },
            Search::MEMORY,
            Search::SMOOTHING,
        ],
        complexity: "train O((N + n²) 2ⁿ), predict O(n c)",
        reference: "Sugahara, Uto and Ueno, PMLR 72, 2018",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        Search::configure(parameters).map(Self::new)
    }
}
