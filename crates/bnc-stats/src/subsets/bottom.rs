//! The lowest variables all at once: their joint counts within each cell, and the marginals of these.

use super::partition::Partition;
use super::rows::{Codes, Row};

/// The most variables taken at once.
const MOST: usize = 3;
/// The most counts of a cell, over all marginals; with more, most of them would be 0.
const MOST_COUNTS: usize = 64;

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
            marginal.clear();
            for table in counts.chunks_exact(step * self.dims[variable]) {
                for place in 0..step {
                    marginal.push(table[place..].iter().step_by(step).sum());
                }
            }
            self.marginals(mask & !(1 << variable), variable, deeper, visit);
        }
    }
}
