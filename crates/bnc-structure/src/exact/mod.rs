//! Optimal graphs by dynamic programming over subsets of nodes.

mod cell;
mod dense;
mod families;
mod legal;
mod optima;
mod progress;
mod sparse;
mod sweep;
#[cfg(test)]
mod tests;
mod transform;

use rayon::prelude::*;

use crate::{ArcConstraints, Error, Result};
use dense::Dense;
use families::{BestFamilies, Scorer};
use legal::{Legal, members};
use progress::Progress;
use sparse::Sparse;
use sweep::Totals;

/// Scores of families whose sum is to be as large as possible.
pub trait SubsetScores: Sync {
    /// The number of nodes, up to 32.
    fn nodes(&self) -> usize;

    /// The score of a node with a set of parents, in nats; larger is better. A family whose score is not finite is
    /// never chosen.
    ///
    /// `parents` is a bit mask over the nodes in which the node's own bit is clear. Only families that the search
    /// permits are asked for, from several threads; runs of thousands come in ascending order of the mask unless the
    /// search keeps lists instead of tables.
    fn score(&self, node: usize, parents: u32) -> f64;
}

impl<S: SubsetScores + ?Sized> SubsetScores for &S {
    fn nodes(&self) -> usize {
        (**self).nodes()
    }

    fn score(&self, node: usize, parents: u32) -> f64 {
        (**self).score(node, parents)
    }
}

/// A search for the directed acyclic graph whose families' scores have the largest sum.
///
/// Dynamic programming over subsets of n nodes (Koivisto and Sood 2004; Silander and Myllymäki 2006): first the best
/// score of each node within each set of candidate parents, then the best total over each set of nodes, by its last
/// node. Takes O(n² 2ⁿ) time and 2ⁿ totals of 8 bytes, and on top
///
/// - tables of n 2ⁿ⁻¹ numbers of 8 bytes, or of 4 bytes where those do not fit the budget: 25 nodes take 3.4 GiB, 28 nodes
///   16 GiB, totals included;
/// - or, where the number of parents is limited to k, lists of the parent sets that score more than all their subsets, at
///   most n · Σ C(n - 1, 0..=k) sets of 48 bytes: where these are few, and where tables do not fit.
///
/// Scores are rounded to multiples of 2⁻³⁰ nats before they are compared, so that the noise of their computation does not
/// decide; numbers of 4 bytes hold multiples of the largest power of two with which the largest score in absolute value
/// fits (2⁻¹⁷ nats for scores up to 16,383), and the graph is optimal up to so much a node. Sums of up to 2²³ nats
/// are exact, so that the result depends neither on the order of work nor on the number of threads. Of graphs with equal
/// totals one is chosen so: from the set of all nodes down, the lowest node that can be the last of the set is, with the
/// fewest parents, and of those the first as a sorted list.
///
/// # Examples
/// ```
/// use bnc_structure::{ArcConstraints, ExactSearch, SubsetScores};
///
/// /// Node 2 gains by having both others as parents; every parent costs.
/// struct Scores;
/// impl SubsetScores for Scores {
///     fn nodes(&self) -> usize {
///         3
///     }
///     fn score(&self, node: usize, parents: u32) -> f64 {
///         let gain = if node == 2 && parents == 0b011 { 5.0 } else { 0.0 };
///         gain - f64::from(parents.count_ones())
///     }
/// }
///
/// let constraints = ArcConstraints::none(3);
/// let search =
///     ExactSearch { max_parents: None, budget: 1 << 20, constraints: &constraints, watch: &|_, _| true };
/// let graph = search.run(Scores)?;
/// assert_eq!(graph.parents, [vec![], vec![], vec![0, 1]]);
/// assert_eq!((graph.total, graph.optima), (3.0, Some(1)));
/// # Ok::<(), bnc_structure::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ExactSearch<'a> {
    /// The most parents a node may have; `None`: any number.
    pub max_parents: Option<usize>,
    /// The most bytes the tables of the search may take.
    pub budget: u64,
    /// What the graph must keep to. Arcs of further nodes, such as the class, are for the caller to see to.
    pub constraints: &'a ArcConstraints,
    /// Told work done and work in all, from any thread and not always in order; `false` stops the search.
    pub watch: &'a (dyn Fn(u64, u64) -> bool + Sync),
}

/// A graph that no permitted graph scores more than.
#[derive(Debug, Clone, PartialEq)]
pub struct OptimalGraph {
    /// The parents of each node, ascending.
    pub parents: Vec<Vec<usize>>,
    /// The score of each node's family in nats, as it was given.
    pub scores: Vec<f64>,
    /// The sum of the scores.
    pub total: f64,
    /// The number of permitted graphs whose rounded scores have the same sum; `None` beyond 12 nodes or 64 bits.
    pub optima: Option<u64>,
}

/// How the best scores within sets of candidate parents are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Tables of 8 bytes an entry.
    Wide,
    /// Tables of 4 bytes an entry.
    Narrow,
    /// Lists.
    Lists,
}

const MOST_NODES: usize = 32;

impl ExactSearch<'_> {
    /// The bytes that the tables of a search over so many nodes take: those of the first form that fits the budget, or
    /// else of the smallest. What the scores need comes on top. Of more than 32 nodes, `u64::MAX`.
    #[must_use]
    pub fn memory(&self, nodes: usize) -> u64 {
        self.plan(nodes).1
    }

    /// Finds the optimal graph.
    ///
    /// # Errors
    /// [`Error::ManyNodes`], [`Error::OverBudget`], [`Error::ManyRequiredParents`], [`Error::NoGraph`] when no permitted
    /// graph has finite scores, and [`Error::Cancelled`].
    pub fn run(&self, scores: impl SubsetScores) -> Result<OptimalGraph> {
        let nodes = scores.nodes();
        if nodes > MOST_NODES {
            return Err(Error::ManyNodes { nodes, limit: MOST_NODES });
        }
        let (form, bytes) = self.plan(nodes);
        if bytes > self.budget {
            return Err(Error::OverBudget { nodes, bytes, budget: self.budget });
        }
        self.run_as(form, &scores)
    }

    fn run_as(&self, form: Form, scores: &impl SubsetScores) -> Result<OptimalGraph> {
        let nodes = scores.nodes();
        let legal = Legal::new(nodes, self.max_parents, self.constraints)?;
        let entries = entries(nodes);
        let units_an_entry = match form {
            Form::Wide => dense::UNITS_AN_ENTRY + 1,
            Form::Narrow => dense::UNITS_AN_ENTRY + 2,
            Form::Lists => 1,
        };
        let progress = Progress::new(self.watch, entries * units_an_entry);
        let mut scorer = Scorer { scores, legal: &legal, units: cell::FINEST };
        match form {
            Form::Wide => finish(&scorer, &Dense::<f64>::new(&scorer, &progress)?, &progress),
            Form::Narrow => {
                scorer.units = cell::fitting_units(largest(&scorer, &progress)?);
                finish(&scorer, &Dense::<i32>::new(&scorer, &progress)?, &progress)
            }
            Form::Lists => finish(&scorer, &Sparse::new(&scorer, &progress)?, &progress),
        }
    }

    fn plan(&self, nodes: usize) -> (Form, u64) {
        if nodes > MOST_NODES {
            return (Form::Wide, u64::MAX);
        }
        let totals = 8 << nodes;
        let mut plans = vec![(Form::Wide, 8 * entries(nodes)), (Form::Narrow, 4 * entries(nodes))];
        if let Some(most) = self.max_parents {
            let sets = sparse::candidates(nodes, most);
            let place = if sparse::is_cheap(nodes, sets) { 0 } else { plans.len() };
            plans.insert(place, (Form::Lists, nodes as u64 * sets * sparse::BYTES_A_SET));
        }
        for (_, bytes) in &mut plans {
            *bytes += totals;
        }
        let fitting = plans.iter().copied().find(|(_, bytes)| *bytes <= self.budget);
        let smallest = || plans.iter().copied().min_by_key(|(_, bytes)| *bytes);
        fitting.or_else(smallest).unwrap_or((Form::Wide, u64::MAX))
    }
}

/// The entries of all tables; as many are pairs of a set and a node in it.
fn entries(nodes: usize) -> u64 {
    ((nodes as u64) << nodes) / 2
}

/// The largest score of a permitted family in absolute value.
fn largest(scorer: &Scorer<'_, impl SubsetScores>, progress: &Progress<'_>) -> Result<f64> {
    let places = 1_usize << scorer.nodes().saturating_sub(1);
    let step = places.min(1 << 14);
    let pieces = (0..scorer.nodes() * (places / step)).into_par_iter().map(|piece| {
        progress.advance(step as u64)?;
        let (node, first) = (piece * step / places, piece * step % places);
        let scores = (first..first + step).filter_map(|place| scorer.score(node, place));
        Ok(scores.map(f64::abs).fold(0.0, f64::max))
    });
    pieces.try_reduce(|| 0.0, |a, b| Ok(a.max(b)))
}

fn finish(
    scorer: &Scorer<'_, impl SubsetScores>,
    families: &impl BestFamilies,
    progress: &Progress<'_>,
) -> Result<OptimalGraph> {
    let totals = Totals::new(families, progress)?;
    let parents = totals.walk_back(families)?;
    let countable = families.nodes() <= optima::MOST_NODES;
    let optima = countable.then(|| optima::count(scorer, families, &totals)).flatten();
    let scores: Vec<f64> =
        parents.iter().enumerate().map(|(node, &parents)| scorer.scores.score(node, parents)).collect();
    Ok(OptimalGraph {
        parents: parents.into_iter().map(|parents| members(parents as usize).collect()).collect(),
        total: scores.iter().sum(),
        scores,
        optima,
    })
}
