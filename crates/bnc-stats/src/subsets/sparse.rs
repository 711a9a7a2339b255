//! BDs scores. Their terms depend on how many configurations of the parents were seen, so they are no difference of one set
//! function: every node goes through the subsets of the others by itself.

use rayon::prelude::*;

use super::layout::Layout;
use super::partition::{Partition, Tally};
use super::rows::{Codes, Row};
use super::sample::Sample;
use super::watch::Watch;
use crate::LocalScore;

/// How often the walk tells of its progress, in families.
const STRIDE: usize = 1 << 10;

/// Scores the families of every node.
pub(super) struct Families<'a, C> {
    pub(super) codes: &'a C,
    pub(super) sample: &'a Sample,
    pub(super) score: LocalScore,
    /// Of the other nodes.
    pub(super) layout: &'a Layout,
    pub(super) watch: &'a Watch<'a>,
}

/// A child and the variables that may be its parents, ascending by node.
struct Candidates {
    child: usize,
    others: Vec<usize>,
}

/// What one thread works with: room for partitions and for counts, and how many families it has not told of.
type Room<'a, R> = (&'a mut [Partition<R>], &'a mut Tally, &'a mut usize);

impl<C: Codes> Families<'_, C> {
    /// For every node the scores of its families, in the order of the layout of the other nodes.
    pub(super) fn run<R: Row<C::Key>>(&self) -> Vec<Vec<f64>> {
        let nodes = self.sample.order.len();
        let mut variable_of = vec![0; nodes];
        for (variable, &node) in self.sample.order.iter().enumerate() {
            variable_of[node] = variable;
        }
        let start: Partition<R> = self.sample.start(self.codes);
        (0..nodes)
            .into_par_iter()
            .map(|node| {
                let others =
                    (0..nodes).filter(|&other| other != node).map(|other| variable_of[other]).collect();
                let candidates = Candidates { child: variable_of[node], others };
                let mut values = vec![0.0; self.layout.len()];
                let mut levels: Vec<Partition<R>> = (1..nodes).map(|_| Partition::default()).collect();
                let mut tally = Tally::new(self.sample.dims.iter().copied().max().unwrap_or_default());
                let size = (nodes - 1, self.layout.largest());
                let mut untold = 0;
                self.walk(&candidates, &start, (&mut levels, &mut tally, &mut untold), size, &mut values);
                self.watch.advance(untold);
                values
            })
            .collect()
    }

    fn walk<R: Row<C::Key>>(
        &self,
        candidates: &Candidates,
        partition: &Partition<R>,
        (levels, tally, untold): Room<'_, R>,
        (variables, largest): (usize, usize),
        block: &mut [f64],
    ) {
        if self.watch.is_stopped() {
            return;
        }
        let mut rest = block;
        for x in (0..variables).rev() {
            let (before, part) = std::mem::take(&mut rest).split_at_mut(self.layout.size(x, largest));
            rest = before;
            if let (false, Some((level, deeper))) = (part.is_empty(), levels.split_first_mut()) {
                let variable = candidates.others[x];
                let arity = self.sample.dims[variable];
                partition.refine(self.codes, (variable, arity), &mut [], level, tally, |_| ());
                self.walk(candidates, level, (deeper, tally, untold), (x, largest - 1), part);
            }
        }
        if let [value] = rest {
            *value = self.score(candidates.child, partition, tally);
            *untold += 1;
            if *untold == STRIDE {
                self.watch.advance(std::mem::take(untold));
            }
        }
    }

    fn score<R: Row<C::Key>>(&self, child: usize, partition: &Partition<R>, tally: &mut Tally) -> f64 {
        let arity = self.sample.dims[child];
        let mut parents: Vec<u64> =
            partition.cells().map(|cell| cell.iter().map(|row| row.weight()).sum()).collect();
        let alone: u32 = partition.stripped.iter().sum();
        let seen = parents.len() as f64 + f64::from(alone);
        let mut family = Vec::new();
        partition.refined_weights(self.codes, (child, arity), tally, |weight| family.push(weight));
        let family_term = self.score.family_term(arity as f64, seen, seen);
        let parents_term = self.score.parents_term(arity as f64, seen, seen);
        let of_alone = partition.stripped.iter().enumerate().filter(|(_, count)| **count > 0);
        let of_alone: f64 = of_alone
            .map(|(weight, &count)| {
                let weight = weight as u64;
                f64::from(count) * (family_term.at(weight) - parents_term.at(weight))
            })
            .sum();
        of_alone + grouped(&mut family, |count| family_term.at(count))
            - grouped(&mut parents, |count| parents_term.at(count))
    }
}

/// The sum of a function of counts, called once for equal ones.
fn grouped(counts: &mut [u64], term: impl Fn(u64) -> f64) -> f64 {
    counts.sort_unstable();
    counts.chunk_by(|a, b| a == b).map(|equal| equal.len() as f64 * term(equal[0])).sum()
}
