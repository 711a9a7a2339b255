//! Tables with the best score within every set of candidate parents.

use std::borrow::Cow;

use rayon::prelude::*;

use super::SubsetScores;
use super::cell::Cell;
use super::families::{BestFamilies, Scorer};
use super::legal::members;
use super::progress::Progress;
use super::transform::fill_and_maximise;
use crate::Result;

/// Units of progress an entry: filling and maximising it, of which the sweep takes one.
pub(super) const UNITS_AN_ENTRY: u64 = 3;

/// One table a node, with an entry for every set of other nodes.
pub(super) struct Dense<T>(Vec<Vec<T>>);

impl<T: Cell> Dense<T> {
    pub(super) fn new(scorer: &Scorer<'_, impl SubsetScores>, progress: &Progress<'_>) -> Result<Self> {
        let nodes = scorer.nodes();
        let table = |node| {
            let mut table = vec![T::ZERO; 1 << (nodes - 1)];
            fill_and_maximise(&mut table, 0, &|first, piece: &mut [T]| {
                progress.advance(piece.len() as u64 * UNITS_AN_ENTRY)?;
                for (index, entry) in piece.iter_mut().enumerate() {
                    *entry = scorer.cell(node, first + index);
                }
                Ok(())
            })?;
            Ok(table)
        };
        Ok(Self((0..nodes).into_par_iter().map(table).collect::<Result<_>>()?))
    }
}

impl<T: Cell> BestFamilies for Dense<T> {
    type Cell = T;

    fn nodes(&self) -> usize {
        self.0.len()
    }

    fn block(&self, node: usize, first: usize, length: usize) -> Cow<'_, [T]> {
        Cow::Borrowed(&self.0[node][first..first + length])
    }

    fn best(&self, node: usize, within: usize) -> T {
        self.0[node][within]
    }

    fn smallest(&self, node: usize, within: usize) -> usize {
        let table = &self.0[node];
        let best = table[within];
        // What cannot be left out is in every parent set sought.
        let core = members(within)
            .filter(|member| table[within ^ 1 << member] < best)
            .fold(0, |core, member| core | 1 << member);
        let others: Vec<usize> = members(within ^ core).collect();
        let sizes = 0..=others.len();
        sizes.into_iter().find_map(|size| lowest_of_size(table, best, core, &others, size)).unwrap_or(within)
    }
}

/// The first set, in the order of sorted lists, of `chosen` and `size` of the others within which the best is reached.
fn lowest_of_size<T: Cell>(
    table: &[T],
    best: T,
    chosen: usize,
    others: &[usize],
    size: usize,
) -> Option<usize> {
    if size == 0 {
        return (table[chosen] >= best).then_some(chosen);
    }
    for (index, member) in others.iter().enumerate() {
        let rest = &others[index + 1..];
        let all = rest.iter().fold(chosen | 1 << member, |all, member| all | 1 << member);
        if table[all] < best {
            return None;
        }
        if let Some(found) = lowest_of_size(table, best, chosen | 1 << member, rest, size - 1) {
            return Some(found);
        }
    }
    None
}
