//! The lowest variables all at once: their joint counts within each cell, and the marginals of these.

use super::partition::Partition;
use super::rows::{Codes, Row};

/// The most variables taken at once.
const MOST: usize = 4;
/// The most counts of a cell, over all marginals; with more, most of them would be 0.
const MOST_COUNTS: usize = 81;

/// The lowest variables, by their numbers of values.
#[derive(Debug)]
pub(super) struct Bottom {
    dims: Vec<usize>,
}

/// Room for the counts of all cells, one table after the other; a place for each number of variables summed out.
pub(super) type Joint = [Vec<u64>; MOST + 1];

impl Bottom {
    /// As many of the first `most` variables as are worth it.
    pub(super) fn new(dims: &[usize], most: usize) -> Self {
        let mut counts = 1_usize;
        let worthwhile = |&&dim: &&usize| {
            counts = counts.saturating_mul(dim + 1);
            counts <= MOST_COUNTS
        };
        Self { dims: dims.iter().take(most.min(MOST)).take_while(worthwhile).copied().collect() }
    }

    /// The number of variables.
    #[inline]
    pub(super) fn variables(&self) -> usize {
        self.dims.len()
    }

    /// Shows, for every subset of the variables, the counts of the partition's cells refined by it; some of them are 0.
    pub(super) fn visit<C: Codes, R: Row<C::Key>>(
        &self,
        codes: &C,
        partition: &Partition<R>,
        joint: &mut Joint,
        mut visit: impl FnMut(usize, &[u64]),
    ) {
        let size: usize = self.dims.iter().product();
        let counts = &mut joint[0];
        counts.clear();
        counts.resize(partition.len() * size, 0);
        if self.dims.iter().all(|&dim| dim == 2) {
            for (cell, counts) in partition.cells().zip(counts.chunks_exact_mut(size)) {
                for row in cell {
                    counts[codes.low_bits(row.key(), size - 1)] += row.weight();
                }
            }
        } else {
            for (cell, counts) in partition.cells().zip(counts.chunks_exact_mut(size)) {
                for row in cell {
                    let mut at = 0;
                    for (variable, dim) in self.dims.iter().enumerate().rev() {
                        at = at * dim + C::code(codes.field(variable), row.key());
                    }
                    counts[at] += row.weight();
                }
            }
        }
        self.marginals((1 << self.dims.len()) - 1, self.dims.len(), joint, &mut visit);
    }

    /// Shows the counts of a subset, and of those that come by leaving out some of its first `bound` variables.
    fn marginals(
        &self,
        mask: usize,
        bound: usize,
        joint: &mut [Vec<u64>],
        visit: &mut impl FnMut(usize, &[u64]),
    ) {
        let Some((counts, deeper)) = joint.split_first_mut() else {
            return;
        };
        visit(mask, counts);
        for variable in 0..bound {
            // Variables below the bound are all there: the first is the fastest axis.
            let step: usize = self.dims[..variable].iter().product();
            let Some(marginal) = deeper.first_mut() else {
                return;
            };
            match (step, self.dims[variable]) {
                (1, 2) => halve::<1, 2>(counts, marginal),
                (2, 2) => halve::<2, 4>(counts, marginal),
                (4, 2) => halve::<4, 8>(counts, marginal),
                (8, 2) => halve::<8, 16>(counts, marginal),
                (_, dim) => {
                    marginal.clear();
                    for table in counts.chunks_exact(step * dim) {
                        marginal.extend((0..step).map(|at| table[at..].iter().step_by(step).sum::<u64>()));
                    }
                }
            }
            self.marginals(mask & !(1 << variable), variable, deeper, visit);
        }
    }
}

/// Sums out a variable of two values; with the sizes known beforehand it takes a few instructions a table.
#[inline]
fn halve<const STEP: usize, const BOTH: usize>(counts: &[u64], marginal: &mut Vec<u64>) {
    marginal.resize(counts.len() / 2, 0);
    let (tables, _) = counts.as_chunks::<BOTH>();
    let (sums, _) = marginal.as_chunks_mut::<STEP>();
    for (sums, table) in sums.iter_mut().zip(tables) {
        for (at, sum) in sums.iter_mut().enumerate() {
            *sum = table[at] + table[at + STEP];
        }
    }
}
