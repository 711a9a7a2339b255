//! Edges that conditional independence takes away.

use std::collections::HashMap;

use bnc_models::bnc_data::{Dataset, Error as DataError, Progress};
use bnc_models::bnc_stats::{Child, Counter, DENSE_CELLS, LocalScore, Vars};
use bnc_models::{Error, Result};
use rayon::prelude::*;

use super::graph::Graph;
use super::orient::Separators;

/// The cells of the tables that are counted at once: 128 MiB.
const BATCH_CELLS: u128 = 1 << 24;

/// The most sets of parents that are scored for a node at one order.
const MAX_SETS: usize = 1 << 20;

/// Logarithms of Bayes factors up to here are 0 but for rounding.
const NEGLIGIBLE: f64 = 1e-9;

/// The tests of conditional independence.
pub(super) struct Tests<'a> {
    pub(super) rows: &'a Dataset,
    pub(super) score: LocalScore,
    pub(super) progress: &'a dyn Progress,
    /// The sets of parents scored so far.
    pub(super) scored: u64,
}

/// A candidate that is independent of the node given a set of potential parents (and the class).
struct Independence {
    candidate: usize,
    given: Vec<usize>,
    /// The logarithm of the Bayes factor.
    factor: f64,
}

impl Tests<'_> {
    /// Takes away the edges between a node and those candidates, some of its potential parents, that are independent of
    /// it given `order` other potential parents.
    ///
    /// The clearest independence comes first; one that is given a node whose edge is gone by then does not count.
    pub(super) fn thin(
        &mut self,
        graph: &mut Graph,
        separators: &mut Separators,
        (node, candidates): (usize, &[usize]),
        order: usize,
    ) -> Result<()> {
        let mut found = self.independences(&graph.potential_parents(node), (node, candidates), order)?;
        found.sort_by(|a, b| {
            b.factor.total_cmp(&a.factor).then((a.candidate, &a.given).cmp(&(b.candidate, &b.given)))
        });
        for Independence { candidate, given, .. } in found {
            if graph.adjacent[node][candidate] && given.iter().all(|&other| graph.adjacent[node][other]) {
                graph.remove(node, candidate);
                separators.insert(node, candidate, given);
            }
        }
        Ok(())
    }

    /// All independences of the node and a candidate given `order` others of the pool:
    /// `ln BF = s(given) − s(given and the candidate) > 0`.
    fn independences(
        &mut self,
        pool: &[usize],
        (node, candidates): (usize, &[usize]),
        order: usize,
    ) -> Result<Vec<Independence>> {
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        self.check_size(pool.len(), node, order)?;
        let has_candidate =
            |set: &Vec<usize>| set.iter().any(|other| candidates.binary_search(other).is_ok());
        let mut sets = Subsets::new(pool, order + 1).filter(has_candidate).peekable();
        let mut scores = HashMap::new();
        let mut found = Vec::new();
        while sets.peek().is_some() {
            let mut batch = Vec::new();
            let mut cells = 0;
            while cells < BATCH_CELLS
                && let Some(set) = sets.next()
            {
                cells += self.cells(node, &set);
                batch.push(set);
            }
            let smaller = batch.iter().flat_map(|set| without_one(set, candidates));
            let mut missing: Vec<Vec<usize>> =
                smaller.map(|(_, given)| given).filter(|given| !scores.contains_key(given)).collect();
            missing.sort_unstable();
            missing.dedup();
            let values = self.scores(node, &missing)?;
            scores.extend(missing.into_iter().zip(values));
            for (set, with) in batch.iter().zip(self.scores(node, &batch)?) {
                for (candidate, given) in without_one(set, candidates) {
                    let factor = scores.get(&given).map_or(0.0, |without: &f64| without - with);
                    if factor > NEGLIGIBLE {
                        found.push(Independence { candidate, given, factor });
                    }
                }
            }
        }
        Ok(found)
    }

    /// The local scores of a node with each set of parents and the class.
    fn scores(&mut self, node: usize, sets: &[Vec<usize>]) -> Result<Vec<f64>> {
        if self.progress.is_cancelled() {
            return Err(Error::Data(DataError::Cancelled));
        }
        let family = |set: &Vec<usize>| Vars::new(set.iter().copied().chain([node]));
        let tables = self.rows.count(&sets.iter().map(family).collect::<Vec<_>>())?;
        let of = |table| self.score.of_family(table, Child::Feature(node), true, 0);
        let scores = tables.par_iter().map(of).collect();
        self.scored += sets.len() as u64;
        self.progress.advance(self.scored, None);
        Ok(scores)
    }

    fn cells(&self, node: usize, set: &[usize]) -> u128 {
        let schema = self.rows.schema();
        let dims = set.iter().chain([&node]).map(|&feature| schema.cardinality(feature) as u128);
        let cells = dims.fold(schema.classes() as u128, u128::saturating_mul);
        // Beyond that a table holds what the rows show only.
        if cells > DENSE_CELLS as u128 { (self.rows.rows() * schema.classes()) as u128 } else { cells }
    }

    fn check_size(&self, pool: usize, node: usize, order: usize) -> Result<()> {
        let sets = choose(pool, order + 1);
        if sets <= MAX_SETS as u64 {
            return Ok(());
        }
        let name = self.rows.schema().features()[node].name();
        Err(Error::TooLarge {
            what: format!("testing '{name}' and its {pool} neighbours given {order} of them"),
            cells: sets,
            limit: MAX_SETS,
            way_out: format!("set max-order={} or lower", order.saturating_sub(1)),
        })
    }
}

/// Each candidate in a set, with the others of the set.
fn without_one<'a>(
    set: &'a [usize],
    candidates: &'a [usize],
) -> impl Iterator<Item = (usize, Vec<usize>)> + 'a {
    let candidates = set.iter().filter(|other| candidates.binary_search(other).is_ok());
    candidates
        .map(|&candidate| (candidate, set.iter().copied().filter(|&other| other != candidate).collect()))
}

/// The number of subsets of a size, or the largest number beyond that.
fn choose(pool: usize, size: usize) -> u64 {
    if size > pool {
        return 0;
    }
    let mut count = 1_u128;
    for step in 0..size.min(pool - size) {
        count = count * (pool - step) as u128 / (step + 1) as u128;
        if count > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    count as u64
}

/// The subsets of a size, in lexicographic order.
struct Subsets<'a> {
    pool: &'a [usize],
    /// The places in the pool of the next subset; `None` after the last.
    next: Option<Vec<usize>>,
}

impl<'a> Subsets<'a> {
    fn new(pool: &'a [usize], size: usize) -> Self {
        Self { pool, next: (size <= pool.len()).then(|| (0..size).collect()) }
    }
}

impl Iterator for Subsets<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let places = self.next.as_mut()?;
        let subset = places.iter().map(|&place| self.pool[place]).collect();
        let size = places.len();
        match (0..size).rev().find(|&digit| places[digit] < self.pool.len() - size + digit) {
            None => self.next = None,
            Some(digit) => {
                let first = places[digit] + 1;
                places[digit..].iter_mut().enumerate().for_each(|(step, place)| *place = first + step);
            }
        }
        Some(subset)
    }
}

#[cfg(test)]
mod tests {
    use bnc_models::bnc_data::Silent;
    use bnc_models::conformance::pattern;

    use super::*;

    #[test]
    fn more_sets_than_can_be_tested_are_refused_with_a_way_out() {
        let rows = pattern(&[2; 2000], 2, 2, 0);
        let mut tests = Tests { rows: &rows, score: LocalScore::Bdeu(1.0), progress: &Silent, scored: 0 };
        let mut graph = Graph::complete(2000, &(0..2000).collect::<Vec<_>>());
        let all: Vec<usize> = (1..2000).collect();
        let refused = tests.thin(&mut graph, &mut Separators::default(), (0, &all), 1);
        let Err(Error::TooLarge { what, cells, way_out, .. }) = refused else {
            panic!("too many sets");
        };
        assert_eq!(what, "testing 'x0' and its 1999 neighbours given 1 of them");
        assert_eq!(cells, 1999 * 1998 / 2);
        assert_eq!(way_out, "set max-order=0 or lower");
    }

    #[test]
    fn subsets_come_in_order_and_are_counted() {
        let of = |pool: &[usize], size| Subsets::new(pool, size).collect::<Vec<_>>();
        assert_eq!(of(&[2, 5, 7], 2), [[2, 5], [2, 7], [5, 7]]);
        assert_eq!(of(&[2, 5], 0), [[]; 1]);
        assert_eq!(of(&[2], 2), Vec::<Vec<usize>>::new());
        let pool: Vec<usize> = (0..9).collect();
        for size in 0..11 {
            assert_eq!(of(&pool, size).len() as u64, choose(9, size));
        }
        assert_eq!(choose(2000, 1000), u64::MAX);
    }
}
