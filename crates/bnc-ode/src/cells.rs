//! Sums of runs by class over the known values of a row.

use bnc_models::bnc_data::{Code, MISSING};
use smallvec::SmallVec;

/// Where the runs of a row's known values start in a block of runs for every value of every feature, features in order. A
/// block of the children of some parents lacks the parents' own runs; all after them lie closer to the start.
///
/// So found once a row, the places serve the blocks of all super-parents without a look at the row again.
#[derive(Debug)]
pub(crate) struct Cells {
    starts: SmallVec<[usize; 64]>,
    /// For each feature how many known values come before it, and a last one: how many there are.
    ranks: SmallVec<[usize; 64]>,
}

impl Cells {
    /// Of a row, where each feature's own runs start at these places.
    pub(crate) fn new(row: &[Code], firsts: &[usize], classes: usize) -> Self {
        let mut cells = Self {
            starts: SmallVec::with_capacity(row.len()),
            ranks: SmallVec::with_capacity(row.len() + 1),
        };
        cells.ranks.push(0);
        for (&code, first) in row.iter().zip(firsts) {
            if code != MISSING {
                cells.starts.push(first + usize::from(code) * classes);
            }
            cells.ranks.push(cells.starts.len());
        }
        cells
    }

    /// Adds the runs of all known values but those of the parents to the sums by class, value by value in order. `block` lacks
    /// the runs of the parents; `parents` has each with the number of its cells, in order.
    pub(crate) fn add<const K: usize>(&self, block: &[f64], parents: [(usize, usize); K], sums: &mut [f64]) {
        let mut rest = sums;
        let mut class = 0;
        while !rest.is_empty() {
            // So many sums at a time stay in registers from the first run to the last.
            let width = match rest.len() {
                16.. => self.add_part::<K, 16>(block, parents, class, rest),
                8.. => self.add_part::<K, 8>(block, parents, class, rest),
                4.. => self.add_part::<K, 4>(block, parents, class, rest),
                3 => self.add_part::<K, 3>(block, parents, class, rest),
                2 => self.add_part::<K, 2>(block, parents, class, rest),
                _ => self.add_part::<K, 1>(block, parents, class, rest),
            };
            rest = &mut rest[width..];
            class += width;
        }
    }

    /// The same for `WIDTH` classes from `class` on; returns `WIDTH`.
    fn add_part<const K: usize, const WIDTH: usize>(
        &self,
        block: &[f64],
        parents: [(usize, usize); K],
        class: usize,
        sums: &mut [f64],
    ) -> usize {
        let Some(sums) = sums.first_chunk_mut::<WIDTH>() else {
            return WIDTH;
        };
        let mut part = *sums;
        let mut add = |starts: &[usize], lacking: usize| {
            for start in starts {
                let first = start + class - lacking;
                for (sum, log) in part.iter_mut().zip(&block[first..first + WIDTH]) {
                    *sum += log;
                }
            }
        };
        let (mut next, mut lacking) = (0, 0);
        for (parent, cells) in parents {
            add(&self.starts[next..self.ranks[parent]], lacking);
            next = self.ranks[parent + 1];
            lacking += cells;
        }
        add(&self.starts[next..], lacking);
        *sums = part;
        WIDTH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIMS: [usize; 5] = [2, 3, 1, 4, 2];

    /// The sums as one would write them down, over the features that are no parents.
    fn plain(row: &[Code], parents: &[usize], block: &[f64], sums: &mut [f64]) {
        let (classes, mut first) = (sums.len(), 0);
        for child in (0..row.len()).filter(|child| !parents.contains(child)) {
            if row[child] != MISSING {
                for (class, sum) in sums.iter_mut().enumerate() {
                    *sum += block[first + usize::from(row[child]) * classes + class];
                }
            }
            first += DIMS[child] * classes;
        }
    }

    fn check<const K: usize>(row: &[Code], parents: [usize; K], classes: usize) {
        let firsts: Vec<usize> = (0..DIMS.len()).map(|i| DIMS[..i].iter().sum::<usize>() * classes).collect();
        let own: usize = parents.iter().map(|&parent| DIMS[parent]).sum();
        let width = (DIMS.iter().sum::<usize>() - own) * classes;
        let block: Vec<f64> = (0..width).map(|cell| (cell as f64 + 0.3).ln() - 2.0).collect();
        let mut found: Vec<f64> = (0..classes).map(|class| 1.0 / (class as f64 + 3.0)).collect();
        let mut expected = found.clone();
        let sized = parents.map(|parent| (parent, DIMS[parent] * classes));
        Cells::new(row, &firsts, classes).add(&block, sized, &mut found);
        plain(row, &parents, &block, &mut expected);
        let bits = |sums: &[f64]| sums.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(&expected), "{row:?}, parents {parents:?}, {classes} classes");
    }

    #[test]
    fn sums_are_those_of_a_plain_loop_bit_for_bit() {
        let rows = [[1, 2, 0, 3, 1], [0, MISSING, 0, 1, 0], [MISSING, 1, 0, 2, MISSING], [MISSING; 5]];
        for row in rows {
            for classes in 1..40 {
                for i in 0..DIMS.len() {
                    check(&row, [i], classes);
                    (i + 1..DIMS.len()).for_each(|j| check(&row, [i, j], classes));
                }
            }
        }
    }
}
