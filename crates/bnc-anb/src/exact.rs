//! The exact search over some of the features.

use bnc_models::bnc_data::{Dataset, Error as DataError, Progress};
use bnc_models::bnc_stats::{ClassRole, Counter, FamilyScores};
use bnc_models::bnc_structure::{
    ArcConstraints, Error as StructureError, ExactSearch, Family, Structure, SubsetScores,
};
use bnc_models::{Error, Network, Result};

use crate::Search;
use crate::training::finish;

/// The optimal structure among those of a kind.
pub(crate) struct Optimum {
    pub(crate) structure: Structure,
    /// How many structures reach it, where that is known.
    pub(crate) optima: Option<u64>,
}

/// An exact search on behalf of a learner.
pub(crate) struct Task<'a> {
    pub(crate) search: &'a Search,
    /// Over all features and the class.
    pub(crate) constraints: &'a ArcConstraints,
    pub(crate) progress: &'a dyn Progress,
}

impl Task<'_> {
    /// The best augmented naive Bayes whose features are `features`, ascending; the others stand alone.
    pub(crate) fn augmented(&self, rows: &Dataset, features: &[usize]) -> Result<Optimum> {
        let (parents, optima) = self.run(rows, features, ClassRole::Parent)?;
        let mut families = vec![Family::default(); rows.features().len()];
        for (&feature, parents) in features.iter().zip(parents) {
            families[feature] = Family { parents, class: true };
        }
        Ok(Optimum { structure: Structure::new(families, Vec::new())?, optima })
    }

    /// The best network over the class and all features.
    pub(crate) fn general(&self, rows: &Dataset) -> Result<Optimum> {
        let features: Vec<usize> = (0..rows.features().len()).collect();
        let (parents, optima) = self.run(rows, &features, ClassRole::Variable)?;
        Ok(Optimum { structure: Structure::of_nodes(parents)?, optima })
    }

    /// The network of an optimum on these rows, with probabilities from all rows.
    pub(crate) fn network(&self, counter: &dyn Counter, rows: &Dataset, optimum: Optimum) -> Result<Network> {
        let (score, smoothing) = (self.search.score(), self.search.smoothing());
        finish(counter, rows, optimum.structure, score, smoothing, optimum.optima)
    }

    /// The parents of each node, in the numbers of all features with the class after them, and the number of optima.
    fn run(
        &self,
        rows: &Dataset,
        features: &[usize],
        class: ClassRole,
    ) -> Result<(Vec<Vec<usize>>, Option<u64>)> {
        let nodes: Vec<usize> = match class {
            ClassRole::Parent => features.to_vec(),
            ClassRole::Variable => features.iter().copied().chain([rows.features().len()]).collect(),
        };
        let (memory, limit) = (self.search.memory(rows.schema(), features, class), self.search.limit());
        if memory.total() > limit {
            return Err(too_large(nodes.len(), memory.total(), limit));
        }
        let (score, max_parents) = (self.search.score(), self.search.max_parents());
        let constraints = restrict(self.constraints, &nodes)?;
        let counting = self.watch(0, COUNTING);
        let scores = FamilyScores::count(rows, features, class, score, max_parents, &counting)?;
        let searching = self.watch(COUNTING, TOTAL);
        let budget = limit - memory.scores;
        let search = ExactSearch { max_parents, budget, constraints: &constraints, watch: &searching };
        let best = search.run(Scores(scores)).map_err(|error| match error {
            StructureError::Cancelled => DataError::Cancelled.into(),
            StructureError::ManyRequiredParents { child, required, limit } => {
                let variable = rows.schema().features().get(nodes[child]).unwrap_or(rows.schema().class());
                Error::BadConstraint(format!(
                    "'{}' has {required} required parents, and max-parents is {limit}",
                    variable.name()
                ))
            }
            other => Error::from(other),
        })?;
        let parents = best.parents.iter().map(|set| set.iter().map(|&parent| nodes[parent]).collect());
        Ok((parents.collect(), best.optima))
    }

    /// Hands on a share of the progress, and whether to go on.
    fn watch(&self, from: u64, to: u64) -> impl Fn(u64, u64) -> bool + Sync + '_ {
        move |done, total| {
            let share = u128::from(to - from) * u128::from(done) / u128::from(total.max(1));
            self.progress.advance(from + share as u64, Some(TOTAL));
            !self.progress.is_cancelled()
        }
    }
}

/// The whole of the work, and the part of it that is counting, by what it takes for a thousand rows.
const TOTAL: u64 = 1000;
const COUNTING: u64 = 700;

/// Scores of families as the search asks for them.
struct Scores(FamilyScores);

impl SubsetScores for Scores {
    fn nodes(&self) -> usize {
        self.0.nodes()
    }

    fn score(&self, node: usize, parents: u32) -> f64 {
        self.0.score(node, parents.into())
    }
}

/// The constraints among some of the nodes, by their places.
fn restrict(constraints: &ArcConstraints, nodes: &[usize]) -> Result<ArcConstraints> {
    if constraints.is_empty() {
        return Ok(ArcConstraints::none(nodes.len()));
    }
    let pairs = || (0..nodes.len()).flat_map(|parent| (0..nodes.len()).map(move |child| (parent, child)));
    let arcs = |holds: &dyn Fn(usize, usize) -> bool| -> Vec<(usize, usize)> {
        pairs().filter(|&(parent, child)| parent != child && holds(nodes[parent], nodes[child])).collect()
    };
    let required = arcs(&|parent, child| constraints.requires(parent, child));
    let forbidden = arcs(&|parent, child| !constraints.allows(parent, child));
    Ok(ArcConstraints::new(nodes.len(), &required, &forbidden, &[])?)
}

fn too_large(nodes: usize, bytes: u64, limit: u64) -> Error {
    Error::TooLarge {
        what: format!("the exact search over the sets of {nodes} nodes"),
        cells: if bytes == u64::MAX { bytes } else { bytes / 8 },
        limit: usize::try_from(limit / 8).unwrap_or(usize::MAX),
        way_out: "leave out columns, set max-parents, raise memory, or use rai-anb or gbn-greedy".into(),
    }
}
