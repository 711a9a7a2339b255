//! The families of a search: their scores in units, and the best of them.

use std::borrow::Cow;

use super::SubsetScores;
use super::cell::{Cell, rounded};
use super::legal::{Legal, parents_at};

/// Scores of permitted families in units.
pub(super) struct Scorer<'a, S> {
    pub(super) scores: &'a S,
    pub(super) legal: &'a Legal,
    /// The number of units in a nat.
    pub(super) units: f64,
}

impl<S: SubsetScores> Scorer<'_, S> {
    pub(super) fn nodes(&self) -> usize {
        self.legal.allowed.len()
    }

    /// The score of the parents at a place of a node's table, in nats, if they are permitted and it is finite.
    #[inline]
    pub(super) fn score(&self, node: usize, place: usize) -> Option<f64> {
        let parents = parents_at(node, place);
        if !self.legal.permits(node, parents) {
            return None;
        }
        let score = self.scores.score(node, parents);
        score.is_finite().then_some(score)
    }

    /// The same as an entry of a table.
    #[inline]
    pub(super) fn cell<T: Cell>(&self, node: usize, place: usize) -> T {
        self.score(node, place).map_or(T::FORBIDDEN, |score| T::new(rounded(score * self.units)))
    }
}

/// The best families within sets of candidate parents. Sets are places in a node's table.
pub(super) trait BestFamilies: Sync {
    type Cell: Cell;

    fn nodes(&self) -> usize;

    /// The best scores of a node within each of `length` sets from `first` on; `length` is a power of two that divides
    /// `first`.
    fn block(&self, node: usize, first: usize, length: usize) -> Cow<'_, [Self::Cell]>;

    /// The best score of a node within a set.
    fn best(&self, node: usize, within: usize) -> Self::Cell;

    /// The smallest parent set with the best score within a set; of those the first as a sorted list.
    fn smallest(&self, node: usize, within: usize) -> usize;
}
